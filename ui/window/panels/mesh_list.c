/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The list of meshes, with what hides, isolates and locks each.
 */
#include <math.h>
#include <stdio.h>

#include "window/panels/panels.h"
#include "window/panels/scene_menus.h"

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

void snw_panel_meshes(snw_session *session, float height) {
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
