/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "pose/clip.h"
#include "pose/pose.h"
#include "sinew/algebra.h"
#include "window/document/document.h"
#include "window/panels/panels.h"
#include "window/units/units.h"

/* ---- joint --------------------------------------------------------------------------------------------------------------- */

/* The chosen joint: its rotation away from rest in degrees, its limit, its translation where it may move, and its commands;
 * while joints are drawn, its place in the skeleton. */

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

/* How far it is moved from rest, along its parent's axes. */
static void edit_translation(snw_session *session, uint32_t joint, const snw_pose *pose) {
	static const char *const names[] = {"x##move", "y##move", "z##move"};
	const double unit = snw_lengths_per_metre(session);
	char format[24];
	snw_length_format(session, 10, format, sizeof format);
	const snw_number length = {.least = -1e3 * unit, .most = 1e3 * unit, .step = 1e-3 * unit, .format = format};
	const snw_skeleton *skeleton = &session->document->scene->skeleton;
	const float room = snw_gui_available_width();
	double offsets[3];
	for (int c = 0; c < 3; c++) {
		offsets[c] = unit * (pose->local[joint].translation[c] - skeleton->rest_local[joint].translation[c]);
		offsets[c] = fabs(offsets[c]) < 1e-8 ? 0 : offsets[c];
	}
	for (int c = 0; c < 3; c++) {
		if (c > 0) {
			snw_gui_same_line(0);
		}
		snw_gui_width(room / 3 - 1.5f * snw_gui_line_height());
		const snw_edit_state change = snw_gui_number(names[c], &length, &offsets[c]);
		snw_gui_hint("Moved from rest along this axis of the parent. Drag, or Ctrl+click to type.");
		if (change == SNW_EDIT_CANCELLED) {
			snw_emit(&session->queue, SNW_DO_DRAG_CANCEL);
		} else if (change != SNW_EDIT_NONE) {
			const double centimetres[] = {100 * offsets[0] / unit, 100 * offsets[1] / unit, 100 * offsets[2] / unit};
			snw_emit_with(&session->queue, change == SNW_EDIT_DONE ? SNW_DO_TRANSLATE : SNW_DO_TRY_TRANSLATE, centimetres, 3,
						  skeleton->names[joint]);
		}
	}
}

/* What the joint may do while it is posed. */
static void edit_abilities(snw_session *session, uint32_t joint) {
	static const snw_number degrees = {.least = 0, .most = 3600, .step = 1, .format = "%.0f°", .zero = "None"};
	const snw_scene *scene = session->document->scene;
	const double limit = snw_joint_limit(scene, joint);
	double shown = isfinite(limit) ? limit * 180 / M_PI : 0;
	snw_gui_width(0.24f * snw_gui_available_width());
	const snw_edit_state change = snw_gui_number("Limit##joint", &degrees, &shown);
	snw_gui_hint("The largest rotation away from rest, in posing and in inverse kinematics; 0 for none.");
	if (change == SNW_EDIT_DONE) {
		snw_emit_with(&session->queue, SNW_DO_JOINT_LIMIT, &shown, 1, scene->skeleton.names[joint]);
	}
	if (scene->skeleton.parents[joint] != SNW_NONE) {
		snw_gui_same_line_for(snw_command_title(SNW_DO_JOINT_MOVES));
		snw_panel_switch(session, SNW_DO_JOINT_MOVES, snw_joint_moves(scene, joint));
	}
}

/* The chosen joint, how many rotate with it, and what sculpts that it drives are called after. */
static void name_joints(const snw_session *session, uint32_t joint) {
	const snw_skeleton *skeleton = &session->document->scene->skeleton;
	char words[300], title[200];
	uint32_t others = 0;
	for (uint32_t j = 0; j < skeleton->joint_count; j++) {
		others += j != joint && session->display.selected_joints[j];
	}
	snprintf(words, sizeof words, others > 0 ? "%.200s  + %u" : "%.200s", skeleton->names[joint], others);
	snw_gui_text(words);
	if (strcasecmp(snw_joint_words(skeleton, joint, title, sizeof title), skeleton->names[joint]) != 0) {
		snw_gui_same_line_for(title);
		snw_gui_quiet_text(title);
		snw_gui_hint("Sculpts that this joint drives are called after it.");
	}
}

/* In one line. */
static void draw_joint_tiles(snw_session *session) {
	const struct {
		snw_command_id id;
		const char *text;
		bool usable;
	} tiles[] = {{SNW_DO_JOINT_RESET, "Reset", true},
				 {SNW_DO_POSE_RESET, "Reset all", true},
				 {SNW_DO_POSE_COPY, "Copy", true},
				 {SNW_DO_POSE_PASTE, "Paste", session->copied != NULL}};
	const float gap = snw_gui_line_height() * 0.4f, width = (snw_gui_available_width() - 3 * gap) / 4;
	float x = 0, y = 0;
	snw_gui_cursor(&x, &y);
	for (uint32_t i = 0; i < sizeof tiles / sizeof *tiles; i++) {
		snw_gui_move_to(x + (float)i * (width + gap), y);
		snw_panel_tile(session, tiles[i].id, tiles[i].text, width, tiles[i].usable, false);
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
		snprintf(words, sizeof words, "%s%.300s", parent == SNW_NONE ? "A root" : "Below ",
				 parent == SNW_NONE ? "" : skeleton->names[parent]);
		snw_gui_quiet_text(words);
	} else {
		snw_gui_quiet_text("Click on the skin to draw a joint; click a joint to draw below it.");
	}
	snw_panel_button(session, SNW_DO_JOINT_NAME, "Rename…", is_chosen);
	snw_gui_same_line_for("Parent…");
	snw_panel_button(session, SNW_DO_JOINT_PARENT, "Parent…", is_chosen);
	snw_gui_same_line_for("Delete");
	snw_panel_button(session, SNW_DO_JOINT_REMOVE, "Delete", is_chosen);
	snw_panel_button(session, SNW_DO_SKELETON_FOLLOW, "Skeleton from motion", skeleton->joint_count > 1);
	snw_gui_same_line_for("Bind skin");
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
		const bool has_mesh = session->document->scene->mesh_count > 0;
		snw_gui_quiet_text(has_mesh ? "The character has no skeleton. Draw joints inside it, then bind the skin to them."
									: "Open a character to pose it.");
		if (has_mesh) {
			snw_panel_button(session, SNW_DO_DRAW_JOINTS, "Draw joints", true);
		}
		return;
	}
	if (joint >= skeleton->joint_count) {
		snw_gui_quiet_text("Click a joint in the viewport or the list to rotate it.");
	} else {
		name_joints(session, joint);
		edit_rotation(session, joint, pose);
		if (snw_joint_moves(session->document->scene, joint)) {
			edit_translation(session, joint, pose);
		}
		uint32_t space = session->state.space;
		if (snw_gui_choice(spaces, hints, 3, &space)) {
			snw_emit_number(&session->queue, SNW_DO_SPACE, space + 1);
		}
		edit_abilities(session, joint);
		draw_joint_tiles(session);
	}
	if (snw_gui_button("Sculpt this pose", true)) {
		snw_emit(&session->queue, SNW_DO_POSING);
	}
	snw_gui_hint("Tab. The first stroke adds an example in this pose; the corrective follows each stroke.");
}

/* ---- weights ------------------------------------------------------------------------------------------------------------- */

/* The skin weights, while they are painted: the lock of the joint, what is done to all weights at once, and the weights of
 * one point. */

static void draw_joint_weight(snw_session *session, uint32_t joint, double weight) {
	static const snw_number kind = {.most = 1, .soft_most = 1, .format = "%.3f"};
	const char *name = session->document->scene->skeleton.names[joint];
	const bool is_locked = session->display.locked_joints[joint];
	char label[220];
	snprintf(label, sizeof label, "%.200s##weight", name);
	snw_gui_disabled_begin(is_locked);
	snw_gui_width(0.45f * snw_gui_available_width());
	if (snw_gui_number(label, &kind, &weight) == SNW_EDIT_DONE) {
		snw_emit_with(&session->queue, SNW_DO_WEIGHT, &weight, 1, name);
	}
	snw_gui_disabled_end();
	snw_gui_hint(is_locked ? "This joint is locked." : "Drag, or Ctrl+click to type. The other joints share the rest.");
}

/* The weight of a joint at a point; false if it is not among the point's. */
static bool find_weight(const snw_scene *scene, const snw_mesh *mesh, uint32_t point, uint32_t joint, double *weight) {
	bool is_found = false;
	*weight = 0;
	for (uint32_t k = mesh->influence_offsets[point]; k < mesh->influence_offsets[point + 1]; k++) {
		if (scene->slot_joints[mesh->influence_slots[k]] == joint) {
			*weight += mesh->influence_weights[k];
			is_found = true;
		}
	}
	return is_found;
}

/* In the order of the joints, because edits change the order of the influences. */
static void draw_point(snw_session *session) {
	const snw_sculpting *s = &session->sculpting;
	const snw_scene *scene = session->document->scene;
	const snw_mesh *mesh = s->mesh_index < scene->mesh_count ? &scene->meshes[s->mesh_index] : NULL;
	const uint32_t point = s->chosen_point;
	char words[120];
	if (!mesh || point >= mesh->point_count || !mesh->influence_offsets) {
		snprintf(words, sizeof words, "Press %s over a point to list its weights.",
				 session->preferences.keys[SNW_DO_WEIGHTS_POINT]);
		snw_gui_quiet_text(words);
		return;
	}
	snprintf(words, sizeof words, "Point %u", point);
	snw_gui_quiet_text(words);
	for (uint32_t joint = 0; joint < scene->skeleton.joint_count; joint++) {
		double weight;
		if (find_weight(scene, mesh, point, joint, &weight)) {
			snw_gui_push((int)joint);
			draw_joint_weight(session, joint, weight);
			snw_gui_pop();
		}
	}
}

/* The meshes that others can take weights from, in a list behind a button. */
static void offer_meshes(snw_session *session) {
	const snw_scene *scene = session->document->scene;
	const uint32_t current = snw_session_mesh(session);
	uint32_t count = 0;
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		count += m != current && scene->meshes[m].influence_offsets;
	}
	if (count == 0) {
		return;
	}
	if (!snw_gui_popup_begin("Copy from…")) {
		snw_gui_hint(snw_command_help(SNW_DO_WEIGHTS_COPY));
		return;
	}
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		if (m != current && scene->meshes[m].influence_offsets && snw_gui_row(scene->meshes[m].name, NULL, false)) {
			snw_emit_text(&session->queue, SNW_DO_WEIGHTS_COPY, scene->meshes[m].name);
		}
	}
	snw_gui_popup_end();
}

void snw_panel_weights(snw_session *session) {
	const snw_skeleton *skeleton = &session->document->scene->skeleton;
	const uint32_t joint = session->state.joint;
	const bool is_chosen = joint < skeleton->joint_count;
	const float gap = snw_gui_line_height() * 0.4f, width = (snw_gui_available_width() - gap) / 2;
	float x = 0, y = 0;
	if (is_chosen) {
		snw_panel_switch(session, SNW_DO_JOINT_LOCK, session->display.locked_joints[joint]);
	}
	snw_gui_cursor(&x, &y);
	snw_panel_tile(session, SNW_DO_WEIGHTS_NORMALISE, "Normalise", width, true, false);
	snw_gui_move_to(x + width + gap, y);
	snw_panel_tile(session, SNW_DO_WEIGHTS_PRUNE, "Prune", width, true, false);
	snw_gui_cursor(&x, &y);
	snw_panel_tile(session, SNW_DO_WEIGHTS_MIRROR, "Mirror to −x", width, true, false);
	snw_gui_move_to(x + width + gap, y);
	snw_panel_tile(session, SNW_DO_WEIGHTS_MIRROR_BACK, "Mirror to +x", width, true, false);
	offer_meshes(session);
	draw_point(session);
}
