/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "window/panels/scene_menus.h"

#include <stdio.h>

#include "window/panels/panels.h"
#include "window/panels/row_menu.h"

/* An entry for a command that takes a name. */
static void draw_scene_item(snw_session *session, snw_command_id id, const char *name, const char *text, bool usable) {
	if (snw_gui_menu_item(text, NULL, false, usable)) {
		snw_emit_text(&session->queue, id, name);
	}
	snw_gui_hint(snw_command_help(id));
}

/* Whether the mesh is the only one that is shown. */
static bool is_isolated(const snw_session *session, uint32_t mesh) {
	const bool *hidden = session->display.hidden;
	bool is_alone = !hidden[mesh];
	for (uint32_t m = 0; m < session->document->scene->mesh_count; m++) {
		is_alone = is_alone && (m == mesh || hidden[m]);
	}
	return is_alone;
}

void snw_mesh_menu_items(snw_session *session, uint32_t mesh) {
	const snw_scene *scene = session->document->scene;
	const snw_display *display = &session->display;
	const char *name = scene->meshes[mesh].name;
	const bool are_several = scene->mesh_count > 1;
	if (are_several) {
		draw_scene_item(session, SNW_DO_MESH, name, "Select mesh", snw_session_mesh(session) != mesh);
	}
	draw_scene_item(session, SNW_DO_MESH_FRAME, name, "Frame mesh", true);
	draw_scene_item(session, SNW_DO_MESH_HIDE, name, display->hidden[mesh] ? "Show mesh" : "Hide mesh", true);
	if (are_several) {
		draw_scene_item(session, SNW_DO_MESH_ISOLATE, name, is_isolated(session, mesh) ? "End isolation" : "Isolate mesh",
						true);
	}
	draw_scene_item(session, SNW_DO_MESH_LOCK, name, display->locked[mesh] ? "Unlock mesh" : "Lock mesh", true);
}

void snw_joint_menu_items(snw_session *session, uint32_t joint) {
	const snw_scene *scene = session->document->scene;
	const snw_display *display = &session->display;
	const char *name = scene->skeleton.names[joint];
	const bool sculpts = session->state.sculpting;
	snw_command select = {.id = SNW_DO_JOINT};
	snprintf(select.text, sizeof select.text, "%s", name);
	draw_scene_item(session, SNW_DO_JOINT, name, "Select joint", session->state.joint != joint);
	snw_row_menu_item(session, &select, SNW_DO_FRAME_CHOSEN, "Frame joint", true);
	draw_scene_item(session, SNW_DO_JOINT_HIDE, name, display->hidden_joints[joint] ? "Show faces" : "Hide faces", true);
	draw_scene_item(session, SNW_DO_PAINT_WEIGHTS, name, "Paint weights", scene->mesh_count > 0);
	draw_scene_item(session, SNW_DO_JOINT_LOCK, name, display->locked_joints[joint] ? "Unlock weights" : "Lock weights", true);
	if (sculpts) {
		draw_scene_item(session, SNW_DO_MASK_JOINT, name, "Mask by joint", true);
		return;
	}
	draw_scene_item(session, SNW_DO_JOINT_PIN, name, display->pinned_joints[joint] ? "Unpin" : "Pin", true);
	draw_scene_item(session, SNW_DO_JOINT_STIFF, name, display->stiff_joints[joint] ? "Use in IK" : "Leave out of IK", true);
	snw_row_menu_item(session, &select, SNW_DO_JOINT_RESET, "Reset joint", true);
}
