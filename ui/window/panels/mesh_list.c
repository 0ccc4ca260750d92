/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The list of meshes, with what hides, isolates and locks each.
 */
#include <math.h>
#include <stdio.h>

#include "window/panels/panels.h"

/* A switch at the end of a row. */
static void draw_switch(snw_session *session, snw_command_id id, const char *text, const char *hint, const char *mesh) {
	char named[300];
	snprintf(named, sizeof named, "%s##%.200s", text, mesh);
	if (snw_gui_small_button(named)) {
		snw_emit_text(&session->queue, id, mesh);
	}
	snw_gui_hint(hint);
}

static void draw_row(snw_session *session, uint32_t mesh, bool scrolls) {
	const snw_scene *scene = session->document->scene;
	const bool is_hidden = session->display.hidden[mesh], is_locked = session->display.locked[mesh];
	const char *name = scene->meshes[mesh].name;
	const float line = snw_gui_line_height();
	char hint[300], row[300];
	snw_gui_push((int)mesh);
	snprintf(row, sizeof row, "%.200s##mesh", name);
	if (snw_gui_row_quiet(row, NULL, snw_session_mesh(session) == mesh, is_hidden)) {
		snw_emit_text(&session->queue, SNW_DO_MESH, name);
	}
	snprintf(hint, sizeof hint, "%.200s: %u points%s%s. Strokes take the mesh under the brush.", name,
			 scene->meshes[mesh].point_count, is_hidden ? ", hidden" : "", is_locked ? ", locked" : "");
	snw_gui_hint(hint);
	if (scrolls) {
		snw_gui_scroll_into_view();
	}
	snw_gui_indent(line * 0.7f);
	draw_switch(session, SNW_DO_MESH_HIDE, is_hidden ? "Show" : "Hide", "Hides the mesh in the viewport, or shows it.", name);
	snw_gui_same_line(0);
	draw_switch(session, SNW_DO_MESH_ISOLATE, "Isolate", "Hides all other meshes; again: shows them.", name);
	snw_gui_same_line(0);
	draw_switch(session, SNW_DO_MESH_LOCK, is_locked ? "Unlock" : "Lock", "A locked mesh is shown, but no stroke takes it.",
				name);
	snw_gui_indent(-line * 0.7f);
	snw_gui_pop();
}

void snw_panel_meshes(snw_session *session, float most) {
	const snw_scene *scene = session->document->scene;
	char words[80];
	if (scene->mesh_count < 2) {
		return;
	}
	snprintf(words, sizeof words, "MESHES  %u", scene->mesh_count);
	snw_gui_heading(words);
	snw_gui_child_begin("meshes", fminf(2.8f * snw_gui_line_height() * (float)scene->mesh_count, most));
	static uint32_t shown = SNW_NONE; /* the mesh that was worked on in the last redraw */
	const uint32_t current = snw_session_mesh(session);
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		draw_row(session, m, m == current && m != shown);
	}
	shown = current;
	snw_gui_child_end();
}
