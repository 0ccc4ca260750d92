/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The skin weights, while they are painted: the lock of the joint, what is done to all weights at once, and the weights of one
 * point.
 */
#include <stdio.h>

#include "window/panels/panels.h"

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
