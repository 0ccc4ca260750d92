/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The menu: the rows of the command table that have a place in it.
 */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "window/document/document.h"
#include "window/panels/panels.h"

/* ---- menu ---------------------------------------------------------------------------------------------------------------- */

static bool is_chosen(const snw_session *session, snw_command_id id) {
	const snw_view_state *state = &session->state;
	switch (id) {
	case SNW_DO_SKELETON:
		return state->flags & SNW_VIEW_SKELETON;
	case SNW_DO_WIREFRAME:
		return state->flags & SNW_VIEW_WIREFRAME;
	case SNW_DO_FLAT:
		return state->flags & SNW_VIEW_FLAT;
	case SNW_DO_GRID:
		return state->flags & SNW_VIEW_GRID;
	case SNW_DO_HEAT:
		return state->heat == SNW_HEAT_ERROR;
	case SNW_DO_GHOSTS:
		return state->ghosts;
	case SNW_DO_CONTACT:
		return state->shows_contact;
	case SNW_DO_DRIVER_CONE:
		return state->shows_cone;
	case SNW_DO_SPLIT:
		return state->is_split;
	case SNW_DO_PARALLEL:
		return snw_camera_is_flat(&state->camera);
	case SNW_DO_DRAW_JOINTS:
		return state->drawing_joints;
	case SNW_DO_LOOP:
		return state->loop;
	case SNW_DO_VOLUME:
		return session->sculpting.brush.volume;
	case SNW_DO_SYMMETRY:
		return session->sculpting.brush.symmetric;
	case SNW_DO_PANELS:
		return !state->bare;
	default:
		return false;
	}
}

static bool is_usable(const snw_session *session, snw_command_id id) {
	const snw_document *document = session->document;
	switch (id) {
	case SNW_DO_UNDO:
		return document->undo != NULL;
	case SNW_DO_REDO:
		return document->redo != NULL;
	case SNW_DO_SAVE:
	case SNW_DO_SAVE_AS:
	case SNW_DO_EXPORT:
	case SNW_DO_FIT:
	case SNW_DO_SUBDIVIDE_CATMULL_CLARK:
	case SNW_DO_SUBDIVIDE_LOOP:
	case SNW_DO_DRAW_JOINTS:
	case SNW_DO_SKELETON_FIT:
	case SNW_DO_SKELETON_FOLLOW:
	case SNW_DO_BIND_SKIN:
		return document->path != NULL;
	case SNW_DO_CANCEL:
		return snw_session_is_busy(session);
	default:
		return true;
	}
}

/* "Undo rotate elbow". */
static const char *title_of(const snw_session *session, snw_command_id id, char *words, size_t size) {
	const char *title = snw_command_title(id);
	const char *label = id == SNW_DO_UNDO ? session->document->undo : id == SNW_DO_REDO ? session->document->redo : NULL;
	if (label) {
		char titled[200];
		snprintf(words, size, "%s %.60s###%s", title, snw_words_with_titles(session->registry, label, titled, sizeof titled),
				 title);
		return words;
	}
	return title;
}

static void list_recent(snw_session *session) {
	const snw_preferences *preferences = &session->preferences;
	if (preferences->recent_count > 0 && snw_gui_menu_begin("Open recent")) {
		for (uint32_t i = 0; i < preferences->recent_count; i++) {
			if (snw_gui_menu_item(preferences->recent[i], NULL, false, true)) {
				snw_emit_text(&session->queue, SNW_DO_OPEN, preferences->recent[i]);
			}
			snw_gui_hint("Opens this project.");
		}
		snw_gui_menu_end();
	}
}

static void list_brushes(snw_session *session) {
	if (snw_gui_menu_begin("Brush")) {
		for (uint32_t i = 0; i < SNW_BRUSH_COUNT; i++) {
			const snw_brush_info *info = &snw_brush_infos[i];
			const bool is_current = session->sculpting.brush.kind == (snw_brush_kind)i;
			if (snw_gui_menu_item(info->label, session->preferences.keys[SNW_DO_BRUSH_GRAB + i],
								  is_current && session->state.sculpting, session->document->path)) {
				if (!session->state.sculpting) {
					snw_emit(&session->queue, SNW_DO_POSING); /* begins to sculpt */
				}
				snw_emit_text(&session->queue, SNW_DO_BRUSH, info->name);
			}
			snw_gui_hint(info->help);
		}
		snw_gui_menu_end();
	}
}

static void list_rows(snw_session *session, const char *menu) {
	char words[160];
	if (strcmp(menu, "Sculpt") == 0) {
		list_brushes(session);
	}
	for (int i = 0; i < SNW_DO_COUNT; i++) {
		const snw_command_info *info = &snw_command_infos[i];
		const bool lined = info->menu[0] == '-';
		if (strcmp(info->menu + lined, menu) != 0) {
			continue;
		}
		if (lined) {
			snw_gui_menu_separator();
		}
		char keys[SNW_KEYS_SIZE];
		const char *bound = session->preferences.keys[i];
		snprintf(keys, sizeof keys, "%.*s", (int)strcspn(bound, " "), strncmp(bound, "hold:", 5) == 0 ? bound + 5 : bound);
		const char *title = title_of(session, (snw_command_id)i, words, sizeof words);
		if (snw_gui_menu_item(title, keys, is_chosen(session, (snw_command_id)i), is_usable(session, (snw_command_id)i))) {
			snw_emit(&session->queue, (snw_command_id)i);
		}
		snw_gui_hint(snw_command_help((snw_command_id)i));
		if (i == SNW_DO_OPEN) {
			list_recent(session);
		}
	}
}

/* The title, and how many changes there are since the state that Revert comes back to. */
static void write_title(const snw_session *session) {
	char words[300];
	const snw_document *document = session->document;
	if (document->was_saved && !document->is_saved) {
		snprintf(words, sizeof words, "%s  ·  %u change%s since Save", document->title, document->changes,
				 snw_plural(document->changes));
	} else {
		snprintf(words, sizeof words, "%s", document->title);
	}
	const float width = snw_gui_width_of(words) + snw_gui_line_height();
	const float room = snw_gui_available_width();
	if (document->path && room > width) {
		float x, y;
		snw_gui_cursor(&x, &y);
		snw_gui_write(x + room - width, y + 0.4f * snw_gui_line_height(), (uint32_t)SNW_QUIET, words);
	}
}

void snw_panel_menu(snw_session *session, float *height) {
	static const char *const menus[] = {"File", "Edit", "Pose", "Sculpt", "Examples", "Stack", "Time", "View", "Help"};
	if (!snw_gui_menu_bar_begin(height)) {
		return;
	}
	for (size_t i = 0; i < sizeof menus / sizeof *menus; i++) {
		if (snw_gui_menu_begin(menus[i])) {
			list_rows(session, menus[i]);
			snw_gui_menu_end();
		}
	}
	write_title(session);
	snw_gui_menu_bar_end();
}

/* ---- row menu ------------------------------------------------------------------------------------------------------------ */

/* What is being renamed. */
static struct {
	bool is_open, is_new;
	snw_command select;
	snw_command_id id;
	char name[200], text[200];
} renaming;

void snw_row_menu_item(snw_session *session, const snw_command *select, snw_command_id id, const char *text, bool usable) {
	if (snw_gui_menu_item(text ? text : snw_command_title(id), NULL, false, usable)) {
		snw_queue_add(&session->queue, select);
		snw_emit(&session->queue, id);
	}
	snw_gui_hint(snw_command_help(id));
}

void snw_row_menu_rename(const snw_command *select, snw_command_id id, const char *name) {
	if (snw_gui_menu_item("Rename", NULL, false, true)) {
		renaming.is_open = renaming.is_new = true;
		renaming.select = *select;
		renaming.id = id;
		snprintf(renaming.name, sizeof renaming.name, "%s", name);
		snprintf(renaming.text, sizeof renaming.text, "%s", name);
	}
	snw_gui_hint(snw_command_help(id));
}

bool snw_row_rename_draw(snw_session *session, snw_command_id id, const char *name) {
	if (!renaming.is_open || renaming.id != id || strcmp(renaming.name, name) != 0) {
		return false;
	}
	snw_gui_width(-1);
	const snw_typed typed = snw_gui_text_input("##rename", "A name", renaming.text, sizeof renaming.text, renaming.is_new);
	snw_gui_hint("Return: rename. Escape: keep the name.");
	renaming.is_new = false;
	if (typed == SNW_TYPED_RETURN || typed == SNW_TYPED_ENDED) {
		renaming.is_open = false;
		if (renaming.text[0] && strcmp(renaming.text, name) != 0) {
			snw_queue_add(&session->queue, &renaming.select);
			snw_emit_text(&session->queue, id, renaming.text);
		}
	}
	return true;
}

/* ---- scene menus --------------------------------------------------------------------------------------------------------- */

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

/* ---- viewport menu ------------------------------------------------------------------------------------------------------- */

/* The menu of the viewport, at a right click: for the mesh and the joint under the mouse, and for the pose. */

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
