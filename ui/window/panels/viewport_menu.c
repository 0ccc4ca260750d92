/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The menu of the viewport, at a right click: for the mesh and the joint under the mouse, and for the pose.
 */
#include "window/panels/panels.h"
#include "window/panels/scene_menus.h"

/* The command's title, and the key that it has. */
static void draw_viewport_item(snw_session *session, snw_command_id id, const char *text, bool usable) {
	if (snw_gui_menu_item(text ? text : snw_command_title(id), NULL, false, usable)) {
		snw_emit(&session->queue, id);
	}
	snw_gui_hint(snw_command_help(id));
}

static bool is_anything_hidden(const snw_session *session) {
	const snw_display *display = &session->display;
	const snw_scene *scene = session->document->scene;
	bool is_any = false;
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		is_any = is_any || display->hidden[m] || display->hidden_points[m];
	}
	for (uint32_t j = 0; j < scene->skeleton.joint_count; j++) {
		is_any = is_any || display->hidden_joints[j];
	}
	return is_any;
}

static void draw_view_items(snw_session *session) {
	draw_viewport_item(session, SNW_DO_FRAME, NULL, true);
	draw_viewport_item(session, SNW_DO_MESH_SHOW_ALL, NULL, is_anything_hidden(session));
}

static void draw_sculpting_items(snw_session *session) {
	const bool is_masked = snw_sculpting_is_masked(&session->sculpting);
	draw_viewport_item(session, SNW_DO_MASK_CLEAR, NULL, is_masked);
	draw_viewport_item(session, SNW_DO_MASK_INVERT, NULL, true);
	draw_viewport_item(session, SNW_DO_MASK_HIDE, NULL, is_masked);
	snw_gui_menu_separator();
	draw_viewport_item(session, SNW_DO_EXAMPLE_ADD, NULL, true);
	draw_viewport_item(session, SNW_DO_POSING, "Pose", true);
}

static void draw_posing_items(snw_session *session) {
	const bool has_skeleton = session->document->scene->skeleton.joint_count > 0;
	draw_viewport_item(session, SNW_DO_POSE_ADD, NULL, has_skeleton);
	draw_viewport_item(session, SNW_DO_POSE_MIRROR, NULL, has_skeleton);
	draw_viewport_item(session, SNW_DO_POSE_REST, NULL, has_skeleton);
	snw_gui_menu_separator();
	draw_viewport_item(session, SNW_DO_EXAMPLE_ADD, NULL, has_skeleton);
	draw_viewport_item(session, SNW_DO_POSING, "Sculpt this pose", session->document->scene->mesh_count > 0);
}

void snw_panel_viewport_menu(snw_session *session) {
	const snw_scene *scene = session->document->scene;
	const snw_view_menu *menu = &session->view_menu;
	const bool opens = menu->is_requested;
	session->view_menu.is_requested = false;
	if (!snw_gui_menu_at_mouse_begin("viewport-menu", opens)) {
		return;
	}
	if (menu->mesh < scene->mesh_count) {
		snw_gui_quiet_text(scene->meshes[menu->mesh].name);
		snw_mesh_menu_items(session, menu->mesh);
		snw_gui_menu_separator();
	}
	if (menu->joint < scene->skeleton.joint_count) {
		snw_gui_quiet_text(scene->skeleton.names[menu->joint]);
		snw_joint_menu_items(session, menu->joint);
		snw_gui_menu_separator();
	}
	if (session->state.sculpting) {
		draw_sculpting_items(session);
	} else {
		draw_posing_items(session);
	}
	snw_gui_menu_separator();
	draw_view_items(session);
	snw_gui_popup_end();
}
