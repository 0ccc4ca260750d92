/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The chosen joint: its rotation away from rest in degrees, and its commands; while joints are drawn, its place in the skeleton.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "pose/clip.h"
#include "sinew/algebra.h"
#include "window/panels/panels.h"

/* The axes of the three numbers, relative to the joint's rest axes. */
static void axes_of(const snw_session *session, uint32_t joint, double values[12]) {
	const snw_skeleton *skeleton = &session->document->scene->skeleton;
	const uint32_t parent = skeleton->parents[joint];
	double q[4] = {0, 0, 0, 1};
	if (session->state.space != SNW_SPACE_LOCAL) {
		memcpy(q, skeleton->rest_local[joint].rotation, sizeof q);
	}
	if (session->state.space == SNW_SPACE_WORLD && parent != SNW_NONE) {
		snw_transform above;
		double whole[4];
		snw_transform_from_mat34(session->display.global + 12 * (size_t)parent, &above);
		snw_quat_multiply(above.rotation, q, whole);
		memcpy(q, whole, sizeof q);
	}
	snw_quat_to_mat34(q, values);
}

/* From the joint's axes to the chosen ones, or back. */
static void to_axes(const double values[12], bool back, const double rotation[3], double dest[3]) {
	for (size_t r = 0; r < 3; r++) {
		dest[r] = 0;
		for (size_t c = 0; c < 3; c++) {
			dest[r] += (back ? values[4 * c + r] : values[4 * r + c]) * rotation[c];
		}
	}
}

static void edit_rotation(snw_session *session, uint32_t joint, const snw_pose *pose) {
	static const char *const names[] = {"x##rotation", "y##rotation", "z##rotation"};
	static const char *const help[] = {"Degrees from rest about the joint's axis. Drag, or Ctrl+click to type.",
									   "Degrees from rest about the parent's axis. Drag, or Ctrl+click to type.",
									   "Degrees from rest about the world axis. Drag, or Ctrl+click to type."};
	static const snw_number degrees = {.least = -3600, .most = 3600, .step = 0.5, .format = "%.1f°"};
	const char *name = session->document->scene->skeleton.names[joint];
	double values[12], rotation[3];
	axes_of(session, joint, values);
	to_axes(values, false, pose->rotation_vectors + 3 * (size_t)joint, rotation);
	const float room = snw_gui_available_width();
	for (int c = 0; c < 3; c++) {
		rotation[c] = fabs(rotation[c]) < 1e-8 ? 0 : rotation[c] * 180 / M_PI; /* not -0.0° */
	}
	for (int c = 0; c < 3; c++) {
		if (c > 0) {
			snw_gui_same_line(0);
		}
		snw_gui_width(room / 3 - 1.5f * snw_gui_line_height());
		const snw_edit_state change = snw_gui_number(names[c], &degrees, &rotation[c]);
		snw_gui_hint(help[session->state.space]);
		if (change == SNW_EDIT_CANCELLED) {
			snw_emit(&session->queue, SNW_DO_DRAG_CANCEL);
		} else if (change != SNW_EDIT_NONE) {
			double back[3];
			to_axes(values, true, rotation, back);
			snw_emit_with(&session->queue, change == SNW_EDIT_DONE ? SNW_DO_ROTATE : SNW_DO_TRY_ROTATE, back, 3, name);
		}
	}
}

/* While joints are drawn. */
static void edit_drawing(snw_session *session) {
	const snw_skeleton *skeleton = &session->document->scene->skeleton;
	const uint32_t joint = session->state.joint;
	const bool is_chosen = joint < skeleton->joint_count;
	char words[400];
	if (!snw_gui_section("DRAW JOINTS")) {
		return;
	}
	if (is_chosen) {
		const uint32_t parent = skeleton->parents[joint];
		snw_gui_text(skeleton->names[joint]);
		snprintf(words, sizeof words, "%s%.300s", parent == SNW_NONE ? "a root" : "below ",
				 parent == SNW_NONE ? "" : skeleton->names[parent]);
		snw_gui_quiet_text(words);
	} else {
		snw_gui_quiet_text("Click on the skin to draw a joint; click a joint to draw below it.");
	}
	snw_panel_button(session, SNW_DO_JOINT_NAME, "Rename…", is_chosen);
	snw_gui_same_line(0);
	snw_panel_button(session, SNW_DO_JOINT_PARENT, "Parent…", is_chosen);
	snw_gui_same_line(0);
	snw_panel_button(session, SNW_DO_JOINT_REMOVE, "Delete", is_chosen);
	snw_panel_button(session, SNW_DO_SKELETON_FOLLOW, "Skeleton from motion", skeleton->joint_count > 1);
	snw_gui_same_line(0);
	snw_panel_button(session, SNW_DO_BIND_SKIN, "Bind skin", skeleton->joint_count > 0);
	snw_panel_button(session, SNW_DO_DRAW_JOINTS, "Done", true);
}

void snw_panel_joint(snw_session *session) {
	static const char *const spaces[] = {"Local", "Parent", "World"};
	static const char *const hints[] = {"Rotate about the axes of the joint.", "Rotate about the axes of the parent.",
										"Rotate about the axes of the world."};
	const snw_skeleton *skeleton = &session->document->scene->skeleton;
	const uint32_t joint = session->state.joint;
	const snw_pose *pose = snw_display_pose(&session->display, &session->state);
	if (session->state.drawing_joints) {
		edit_drawing(session);
		return;
	}
	if (!snw_gui_section("POSE")) {
		return;
	}
	if (!pose) {
		snw_gui_quiet_text("Open a character with a skeleton to pose it.");
		return;
	}
	if (joint >= skeleton->joint_count) {
		snw_gui_quiet_text("Click a joint in the viewport or the list to rotate it.");
	} else {
		snw_gui_text(skeleton->names[joint]);
		edit_rotation(session, joint, pose);
		uint32_t space = session->state.space;
		if (snw_gui_choice(spaces, hints, 3, &space)) {
			snw_emit_number(&session->queue, SNW_DO_SPACE, space + 1);
		}
		snw_panel_button(session, SNW_DO_JOINT_RESET, "Reset", true);
		snw_gui_same_line(0);
		snw_panel_button(session, SNW_DO_POSE_RESET, "Reset all", true);
		snw_gui_same_line(0);
		snw_panel_button(session, SNW_DO_POSE_COPY, "Copy", true);
		snw_gui_same_line(0);
		snw_panel_button(session, SNW_DO_POSE_PASTE, "Paste", session->copied != NULL);
	}
	if (snw_gui_button("Sculpt this pose", false)) {
		snw_emit(&session->queue, SNW_DO_POSING);
	}
	snw_gui_hint("Tab. The first stroke adds an example in this pose; the corrective follows each stroke.");
}
