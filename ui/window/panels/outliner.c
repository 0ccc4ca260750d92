/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The outliner: the meshes, the tree of joints, the layers, and the list of poses.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "example/examples.h"
#include "window/document/document.h"
#include "window/panels/panels.h"

/* ---- layer list ---------------------------------------------------------------------------------------------------------- */

/* The layers in the outliner, topmost first: a switch mutes, a click selects, a double-click shows the Stack tab. */

static void draw_menu(snw_session *session, uint32_t layer, bool is_muted) {
	const snw_scene *scene = session->document->scene;
	if (!snw_gui_context_menu_begin()) {
		return;
	}
	const snw_command select = {.id = SNW_DO_LAYER, .n = {layer}};
	snw_row_menu_item(session, &select, SNW_DO_LAYER_MUTE, is_muted ? "Unmute" : "Mute", true);
	snw_row_menu_rename(&select, SNW_DO_LAYER_NAME, scene->layers[layer].name);
	snw_row_menu_item(session, &select, SNW_DO_LAYER_UP, "Move up", layer + 1 < scene->layer_count);
	snw_row_menu_item(session, &select, SNW_DO_LAYER_DOWN, "Move down", layer > 0);
	snw_gui_menu_separator();
	snw_row_menu_item(session, &select, SNW_DO_LAYER_REMOVE, "Delete", true);
	snw_gui_popup_end();
}

static void draw_layer(snw_session *session, uint32_t index) {
	const snw_layer *layer = &session->document->scene->layers[index];
	const snw_deformer *deformer = snw_registry_find(session->registry, layer->deformer);
	const bool is_muted = layer->muted || session->document->left_out[index];
	char title[200], row[420], name[220];
	if (snw_row_rename_draw(session, SNW_DO_LAYER_NAME, layer->name)) {
		return;
	}
	snprintf(name, sizeof name, "##on-%.200s", layer->name);
	if (snw_gui_switch(name, NULL, !is_muted)) {
		snw_emit_number(&session->queue, SNW_DO_LAYER, index);
		snw_emit(&session->queue, SNW_DO_LAYER_MUTE);
	}
	snw_gui_hint(snw_command_help(SNW_DO_LAYER_MUTE));
	snw_gui_same_line(0);
	snprintf(row, sizeof row, "%.200s##layer-%.200s", snw_layer_title(session->registry, layer, title, sizeof title),
			 layer->name);
	if (snw_gui_tree_row(row, -0.85f * snw_gui_line_height(), NULL, session->state.layer == index)) {
		snw_emit_number(&session->queue, SNW_DO_LAYER, index);
		if (snw_gui_double_clicked()) {
			snw_emit_number(&session->queue, SNW_DO_TAB, SNW_TAB_STACK);
		}
	}
	char words[600];
	snw_gui_hint(deformer ? snw_method_purpose(deformer->descriptor)
						  : snw_missing_words(session->registry, session->document->scene, index, words, sizeof words));
	draw_menu(session, index, is_muted);
}

static void panel_layers(snw_session *session, float height) {
	const uint32_t count = session->document->scene->layer_count;
	char words[80];
	if (count == 0) {
		return;
	}
	snprintf(words, sizeof words, "LAYERS  %u", count);
	snw_gui_heading(words);
	snw_gui_child_begin("outliner-layers", height);
	for (uint32_t i = count; i-- > 0;) {
		snw_gui_push((int)i);
		draw_layer(session, i);
		snw_gui_pop();
	}
	snw_gui_child_end();
}

/* ---- mesh list ----------------------------------------------------------------------------------------------------------- */

/* The list of meshes, with what hides, isolates and locks each. */

/* ---- icons --------------------------------------------------------------------------------------------------------------- */

enum { ARC_POINTS = 9 };

/* A part of an ellipse, from one angle to another. */
static void draw_arc(float x, float y, float width, float height, float from, float to, float thickness, uint32_t color) {
	float points[2 * ARC_POINTS];
	for (int i = 0; i < ARC_POINTS; i++) {
		const float angle = from + (to - from) * (float)i / (ARC_POINTS - 1);
		points[2 * i] = x + width * cosf(angle);
		points[2 * i + 1] = y - height * sinf(angle);
	}
	snw_gui_polyline(points, ARC_POINTS, thickness, color, false);
}

/* An eye, open or closed. */
static void draw_eye(float x, float y, float k, bool is_hidden) {
	const float pi = (float)M_PI;
	const uint32_t color = is_hidden ? (uint32_t)SNW_TICK : (uint32_t)SNW_PALE;
	draw_arc(x, y - (is_hidden ? 2 * k : 0), 5 * k, 3.4f * k, pi, 2 * pi, 1.2f * k, color);
	if (!is_hidden) {
		draw_arc(x, y, 5 * k, 3.4f * k, 0, pi, 1.2f * k, color);
		snw_gui_disc(x, y, 1.8f * k, color);
	}
}

/* A ring around a dot: one alone. */
static void draw_target(float x, float y, float k) {
	draw_arc(x, y, 4.6f * k, 4.6f * k, 0, 2 * (float)M_PI, 1.2f * k, (uint32_t)SNW_TICK);
	snw_gui_disc(x, y, 1.8f * k, (uint32_t)SNW_TICK);
}

/* A padlock; an open one is faint. */
static void draw_lock(float x, float y, float k, bool is_locked) {
	const uint32_t color = is_locked ? (uint32_t)SNW_AMBER : (uint32_t)SNW_TICK;
	draw_arc(x + (is_locked ? 0 : 2 * k), y - k, 2.6f * k, 4 * k, 0, (float)M_PI, 1.3f * k, color);
	snw_gui_fill(x - 4 * k, y - k, 8 * k, 5.5f * k, k, color);
}

/* ---- rows ---------------------------------------------------------------------------------------------------------------- */

/* A switch at the end of a row; returns the middle of its icon. */
static void draw_switch(snw_session *session, snw_command_id id, const char *text, const char *hint, const char *mesh,
						float side, float *x, float *y) {
	char named[300];
	snprintf(named, sizeof named, "%s##%.200s", text, mesh);
	snw_gui_cursor(x, y);
	*x += side / 2;
	*y += side / 2;
	if (snw_gui_icon(named, side)) {
		snw_emit_text(&session->queue, id, mesh);
	}
	snw_gui_hint(hint);
}

static void draw_switches(snw_session *session, uint32_t mesh, float x, float y, float side) {
	const bool is_hidden = session->display.hidden[mesh], is_locked = session->display.locked[mesh];
	const char *name = session->document->scene->meshes[mesh].name;
	const float k = side / 18;
	float middle_x, middle_y;
	snw_gui_move_to(x, y);
	draw_switch(session, SNW_DO_MESH_HIDE, is_hidden ? "Show" : "Hide",
				is_hidden ? "Shows the mesh." : "Hides the mesh in the viewport.", name, side, &middle_x, &middle_y);
	draw_eye(middle_x, middle_y, k, is_hidden);
	snw_gui_move_to(x + side, y);
	draw_switch(session, SNW_DO_MESH_ISOLATE, "Isolate", "Hides all other meshes; again: shows them.", name, side, &middle_x,
				&middle_y);
	draw_target(middle_x, middle_y, k);
	snw_gui_move_to(x + 2 * side, y);
	draw_switch(session, SNW_DO_MESH_LOCK, is_locked ? "Unlock" : "Lock",
				is_locked ? "Locked: the mesh is shown, but no stroke takes it. Click to unlock it."
						  : "Locks the mesh: it is shown, but no stroke takes it.",
				name, side, &middle_x, &middle_y);
	draw_lock(middle_x, middle_y, k, is_locked);
}

static void draw_mesh(snw_session *session, uint32_t mesh, bool scrolls) {
	const snw_scene *scene = session->document->scene;
	const bool is_hidden = session->display.hidden[mesh], is_locked = session->display.locked[mesh];
	const char *name = scene->meshes[mesh].name;
	const float side = 1.2f * snw_gui_line_height(), width = snw_gui_available_width() - 3 * side;
	char hint[300], row[300];
	float x, y, next_x, next_y;
	snprintf(row, sizeof row, "%.200s##mesh", name);
	if (!scrolls && snw_gui_row_is_out(row)) {
		return;
	}
	snw_gui_push((int)mesh);
	snw_gui_cursor(&x, &y);
	if (snw_gui_row_narrow(row, width - 0.3f * side, snw_session_mesh(session) == mesh, is_hidden)) {
		snw_emit_text(&session->queue, SNW_DO_MESH, name);
	}
	snprintf(hint, sizeof hint, "%.200s: %u points%s%s. Strokes take the mesh under the brush.", name,
			 scene->meshes[mesh].point_count, is_hidden ? ", hidden" : "", is_locked ? ", locked" : "");
	snw_gui_hint(hint);
	if (snw_gui_context_menu_begin()) {
		snw_mesh_menu_items(session, mesh);
		snw_gui_popup_end();
	}
	if (scrolls) {
		snw_gui_scroll_into_view();
	}
	snw_gui_cursor(&next_x, &next_y);
	draw_switches(session, mesh, x + width, y - 0.1f * side, side);
	snw_gui_move_to(next_x, next_y);
	snw_gui_pop();
}

/* The list of meshes, if there are several; and that of layers: their boxes are so high. */
static void panel_meshes(snw_session *session, float height) {
	const snw_scene *scene = session->document->scene;
	char words[80];
	if (scene->mesh_count < 2) {
		return;
	}
	snprintf(words, sizeof words, "MESHES  %u", scene->mesh_count);
	snw_gui_heading(words);
	snw_gui_child_begin("meshes", height);
	static uint32_t shown = SNW_NONE; /* the active mesh in the last redraw */
	const uint32_t current = snw_session_mesh(session);
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		draw_mesh(session, m, m == current && m != shown);
	}
	shown = current;
	snw_gui_child_end();
}

/* ---- outliner ------------------------------------------------------------------------------------------------------------ */

/* The folded joints, as hashes of their names, so that they stay folded when the project changes. */
enum { FOLDS = 256, MOST_DEPTH = 200 };
enum { MESHES, JOINTS, LAYERS, POSES, LISTS };

typedef struct joint_row {
	uint32_t joint, depth;
	bool is_parent;
} joint_row;

static uint64_t folded[FOLDS];
static uint32_t folded_count;
static bool scrolls_to_chosen; /* whether to scroll to the chosen joint's row in this redraw */

static uint64_t hash_of(const char *name) {
	snw_hash hash = {0};
	snw_hash_text(&hash, name);
	return snw_hash_value(&hash);
}

static uint32_t find_fold(const char *name) {
	const uint64_t hash = hash_of(name);
	for (uint32_t i = 0; i < folded_count; i++) {
		if (folded[i] == hash) {
			return i;
		}
	}
	return SNW_NONE;
}

static void set_fold(const char *name, bool is_folded) {
	const uint32_t at = find_fold(name);
	if (is_folded && at == SNW_NONE && folded_count < FOLDS) {
		folded[folded_count++] = hash_of(name);
	} else if (!is_folded && at != SNW_NONE) {
		folded[at] = folded[--folded_count];
	}
}

/* The depth of the tree: deep ones are indented less. */
static int depth_of(const snw_skeleton *skeleton) {
	int deepest = 0;
	for (uint32_t j = 0; j < skeleton->joint_count; j++) {
		int depth = 0;
		for (uint32_t p = skeleton->parents[j]; p != SNW_NONE && depth < MOST_DEPTH; p = skeleton->parents[p]) {
			depth++;
		}
		deepest = depth > deepest ? depth : deepest;
	}
	return deepest;
}

/* When another joint is chosen, unfolds its ancestors and scrolls to its row. */
static void follow_chosen(const snw_session *session) {
	const snw_skeleton *skeleton = &session->document->scene->skeleton;
	const uint32_t joint = session->state.joint;
	static uint32_t shown = SNW_NONE;
	scrolls_to_chosen = joint != shown && joint < skeleton->joint_count;
	shown = joint;
	int depth = 0;
	for (uint32_t p = scrolls_to_chosen ? skeleton->parents[joint] : SNW_NONE; p != SNW_NONE && depth < MOST_DEPTH; depth++) {
		set_fold(skeleton->names[p], false);
		p = skeleton->parents[p];
	}
}

static void draw_joint_menu(snw_session *session, uint32_t joint) {
	if (!snw_gui_context_menu_begin()) {
		return;
	}
	const char *name = session->document->scene->skeleton.names[joint];
	snw_command select = {.id = SNW_DO_JOINT};
	snprintf(select.text, sizeof select.text, "%s", name);
	snw_joint_menu_items(session, joint);
	snw_row_menu_rename(&select, SNW_DO_JOINT_NAME, name);
	snw_gui_menu_separator();
	snw_row_menu_item(session, &select, SNW_DO_JOINT_REMOVE, "Delete", !session->state.sculpting);
	snw_gui_popup_end();
}

/* A row of the tree, or of the filtered list. What all names begin with would leave no room for the rest; the help has the
 * whole name. */
static void draw_joint(snw_session *session, uint32_t joint, float indent, bool *open) {
	const char *name = session->document->scene->skeleton.names[joint], *rest = snw_joint_short_name(name);
	const bool is_hidden = session->display.hidden_joints[joint];
	char hint[400], row[420];
	if (snw_row_rename_draw(session, SNW_DO_JOINT_NAME, name)) {
		return;
	}
	snprintf(row, sizeof row, rest != name ? "%.200s##%.200s" : "%.200s", rest, name);
	if (!(scrolls_to_chosen && session->state.joint == joint) && snw_gui_row_is_out(row)) {
		return;
	}
	if (is_hidden) {
		snw_gui_quiet_begin();
	}
	const bool is_chosen = session->state.joint == joint || session->display.selected_joints[joint];
	if (snw_gui_tree_row(row, indent, open, is_chosen)) {
		snw_emit_text(&session->queue, snw_gui_holds_ctrl() ? SNW_DO_JOINT_ALSO : SNW_DO_JOINT, name);
		if (snw_gui_double_clicked()) {
			snw_emit(&session->queue, SNW_DO_FRAME_CHOSEN);
		}
	}
	if (is_hidden) {
		snw_gui_quiet_end();
	}
	snprintf(hint, sizeof hint, "%.180s%s%s. Ctrl+click: select as well. Right-click for more.", name,
			 is_hidden ? ": its faces are hidden" : "",
			 session->display.locked_joints[joint] ? ": its weights are locked" : "");
	snw_gui_hint(hint);
	draw_joint_menu(session, joint);
}

/* The rows of the tree that are not folded away, depth first. */
static uint32_t find_rows(const snw_skeleton *skeleton, snw_arena *arena, joint_row *rows) {
	const uint32_t count = skeleton->joint_count;
	uint32_t *first = SNW_NEW_ARRAY(arena, uint32_t, count), *next = SNW_NEW_ARRAY(arena, uint32_t, count);
	uint32_t root = SNW_NONE, found = 0, depth = 0;
	memset(first, 0xFF, count * sizeof *first); /* SNW_NONE */
	for (uint32_t j = count; j-- > 0;) {
		uint32_t *eldest = skeleton->parents[j] == SNW_NONE ? &root : &first[skeleton->parents[j]];
		next[j] = *eldest;
		*eldest = j;
	}
	for (uint32_t j = root; j != SNW_NONE;) {
		const bool opens = first[j] != SNW_NONE && find_fold(skeleton->names[j]) == SNW_NONE;
		rows[found++] = (joint_row){.joint = j, .depth = depth, .is_parent = first[j] != SNW_NONE};
		depth += opens;
		if (opens) {
			j = first[j];
			continue;
		}
		while (j != SNW_NONE && next[j] == SNW_NONE) {
			j = skeleton->parents[j];
			depth -= j != SNW_NONE;
		}
		j = j == SNW_NONE ? SNW_NONE : next[j];
	}
	return found;
}

static void list_tree(snw_session *session, const joint_row *rows, uint32_t count, float step) {
	const snw_skeleton *skeleton = &session->document->scene->skeleton;
	for (uint32_t r = 0; r < count; r++) {
		const uint32_t j = rows[r].joint;
		const char *name = skeleton->names[j];
		bool open = find_fold(name) == SNW_NONE;
		const bool was_open = open;
		draw_joint(session, j, step * (float)rows[r].depth, rows[r].is_parent ? &open : NULL);
		if (scrolls_to_chosen && session->state.joint == j) {
			snw_gui_scroll_into_view();
		}
		if (open != was_open) {
			set_fold(name, !open);
		}
	}
}

/* The joints that fit the filter, the best first. With `chooses` the first of them is chosen instead. */
static void list_found(snw_session *session, const char *filter, bool chooses) {
	const snw_skeleton *skeleton = &session->document->scene->skeleton;
	snw_arena *scratch = snw_arena_create();
	snw_search_rank *ranks = SNW_NEW_ARRAY(scratch, snw_search_rank, skeleton->joint_count);
	for (uint32_t j = 0; j < skeleton->joint_count; j++) {
		ranks[j] = snw_joint_search_rank(skeleton, j, filter, scratch);
	}
	bool is_chosen = false;
	for (int rank = SNW_SEARCH_EXACT; rank < SNW_SEARCH_LACKS; rank++) {
		for (uint32_t j = 0; j < skeleton->joint_count; j++) {
			if (ranks[j] == (snw_search_rank)rank && !chooses) {
				draw_joint(session, j, -0.6f * snw_gui_line_height(), NULL);
			} else if (ranks[j] == (snw_search_rank)rank && !is_chosen) {
				snw_emit_text(&session->queue, SNW_DO_JOINT, skeleton->names[j]);
				is_chosen = true;
			}
		}
	}
	snw_arena_destroy(scratch);
}

static void list_joints(snw_session *session, const joint_row *rows, uint32_t row_count, float height) {
	static char filter[80], filtered[1024]; /* the project that is filtered */
	const char *path = session->document->path ? session->document->path : "";
	if (strcmp(filtered, path) != 0) {
		snprintf(filtered, sizeof filtered, "%s", path);
		filter[0] = '\0';
	}
	const snw_skeleton *skeleton = &session->document->scene->skeleton;
	char words[80];
	snprintf(words, sizeof words, "JOINTS  %u", skeleton->joint_count);
	snw_gui_heading(words);
	if (skeleton->joint_count > 4) {
		snw_gui_width(-1);
		if (snw_gui_text_input("##joint-filter", "Find a joint", filter, sizeof filter, false) == SNW_TYPED_RETURN &&
			filter[0]) {
			list_found(session, filter, true);
		}
		snw_gui_hint("Part of a name, or of what the joint is on a body. Return selects the first joint found.");
	} else {
		filter[0] = '\0';
	}
	snw_gui_child_begin("joints", height);
	if (!filter[0]) {
		const float line = snw_gui_line_height(), room = 0.45f * snw_gui_available_width();
		list_tree(session, rows, row_count, fminf(0.7f * line, room / (float)(1 + depth_of(skeleton))));
	} else {
		list_found(session, filter, false);
	}
	if (skeleton->joint_count == 0) {
		snw_gui_quiet_text("No skeleton");
	}
	snw_gui_child_end();
}

static void draw_pose_menu(snw_session *session, const char *name, bool is_rest) {
	if (!snw_gui_context_menu_begin()) {
		return;
	}
	snw_command select = {.id = SNW_DO_POSE};
	snprintf(select.text, sizeof select.text, "%s", name);
	snw_row_menu_rename(&select, SNW_DO_POSE_NAME, name);
	snw_row_menu_item(session, &select, SNW_DO_POSE_MIRROR, "Mirror", true);
	snw_row_menu_item(session, &select, SNW_DO_POSE_COPY, "Copy", true);
	snw_gui_menu_separator();
	snw_row_menu_item(session, &select, SNW_DO_POSE_REMOVE, "Delete", !is_rest);
	snw_gui_popup_end();
}

static void list_poses(snw_session *session) {
	const snw_scene *scene = session->document->scene;
	const bool posed = session->state.clip == SNW_NONE && !session->edited_pose;
	char words[400];
	snprintf(words, sizeof words, "POSES  %u", scene->pose_count);
	snw_gui_heading(words);
	snw_gui_child_begin("poses", -38 * (snw_gui_line_height() / 15));
	for (uint32_t i = 0; i < scene->pose_count; i++) {
		snw_gui_push((int)i);
		const char *name = scene->poses[i].name;
		const bool unnamed = snw_pose_is_unnamed(name);
		if (snw_row_rename_draw(session, SNW_DO_POSE_NAME, name) || snw_gui_row_is_out(name)) {
			snw_gui_pop();
			continue;
		}
		if (snw_gui_row_quiet(name, NULL, posed && session->state.pose == i, unnamed)) {
			snw_emit_text(&session->queue, SNW_DO_POSE, name);
		}
		snprintf(words, sizeof words, "Shows %.200s. %s", name,
				 unnamed ? "Temporary: the next pose replaces it. Add or the first sculpt names it."
						 : "Right-click: rename, mirror, copy, delete.");
		snw_gui_hint(words);
		draw_pose_menu(session, name, i == 0);
		snw_gui_pop();
	}
	snw_gui_child_end();
	const float gap = snw_gui_line_height() * 0.4f, width = (snw_gui_available_width() - 2 * gap) / 3;
	float x = 0, y = 0;
	snw_gui_cursor(&x, &y);
	snw_panel_tile(session, SNW_DO_POSE_ADD, "Add", width, scene->pose_count > 0, false);
	snw_gui_move_to(x + width + gap, y);
	snw_panel_tile(session, SNW_DO_POSE_MIRROR, "Mirror", width, scene->pose_count > 0, false);
	snw_gui_move_to(x + 2 * (width + gap), y);
	snw_panel_tile(session, SNW_DO_POSE_REMOVE, "Delete", width, posed && session->state.pose > 0, false);
}

/* The lists' heights. Each gets what its rows need. Where there is no room for that, those that need more than an equal share
 * get equal ones. */
static void share_height(const float wanted[LISTS], float room, float heights[LISTS]) {
	bool is_given[LISTS] = {false};
	uint32_t left = LISTS;
	for (uint32_t before = LISTS + 1; left < before;) {
		const float share = room / (float)left;
		before = left;
		for (int i = 0; i < LISTS; i++) {
			if (!is_given[i] && (wanted[i] <= share || left == 1)) {
				heights[i] = fminf(wanted[i], room);
				room -= heights[i];
				is_given[i] = true;
				left--;
			}
		}
	}
	for (int i = 0; i < LISTS; i++) {
		heights[i] = is_given[i] ? heights[i] : room / (float)left;
	}
}

static void find_heights(const snw_scene *scene, uint32_t joint_rows, float height, float heights[LISTS]) {
	const float line = snw_gui_line_height(), row = 1.27f * line, margin = 0.7f * line, heading = 2 * line;
	const float wanted[LISTS] = {
		[MESHES] = scene->mesh_count < 2 ? 0 : row * (float)scene->mesh_count + margin,
		[JOINTS] = row * (float)joint_rows + margin,
		[LAYERS] = scene->layer_count == 0 ? 0 : 1.75f * line * (float)scene->layer_count + margin,
		[POSES] = row * (float)scene->pose_count + margin,
	};
	float room = height - 38 * line / 15 - (scene->skeleton.joint_count > 4 ? 1.8f * line : 0);
	for (int i = 0; i < LISTS; i++) {
		room -= wanted[i] > 0 ? heading : 0;
	}
	share_height(wanted, fmaxf(room, 0), heights);
	for (int i = 0; i < LISTS; i++) {
		heights[i] = fmaxf(heights[i], 2 * row);
	}
}

void snw_panel_outliner(const snw_layout *layout, snw_session *session) {
	const snw_scene *scene = session->document->scene;
	const float height = layout->height - layout->menu_height - layout->status_height - layout->timeline_height;
	snw_arena *scratch = snw_arena_create();
	float heights[LISTS];
	snw_gui_panel_begin("outliner", 0, layout->menu_height, layout->outliner_width, height, SNW_PANEL_PADDED);
	follow_chosen(session);
	joint_row *rows = SNW_NEW_ARRAY(scratch, joint_row, scene->skeleton.joint_count);
	const uint32_t row_count = find_rows(&scene->skeleton, scratch, rows);
	find_heights(scene, row_count, height - snw_gui_line_height() * 1.6f, heights);
	panel_meshes(session, heights[MESHES]);
	list_joints(session, rows, row_count, heights[JOINTS]);
	panel_layers(session, heights[LAYERS]);
	list_poses(session);
	snw_panel_edge(session, layout, 0);
	snw_gui_panel_end();
	snw_arena_destroy(scratch);
}
