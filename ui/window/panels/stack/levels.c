/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Levels of detail: which there are, and the one that is shown.
 */
#include <stdio.h>

#include "lod/lod.h"
#include "window/panels/panels.h"
#include "window/units/lengths.h"

/* A number of the levels of all meshes. */
typedef struct level_total {
	uint32_t triangles;
	double largest; /* metres */
	bool is_stale;
} level_total;

static level_total total_of(const snw_document *document, uint32_t number) {
	const snw_scene *scene = document->scene;
	level_total total = {0};
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		const snw_level *level = snw_level_of_mesh(scene, m, number);
		const double largest = level ? level->largest_percent / 100 * document->size : 0;
		total.triangles += snw_triangle_count(level ? &level->shape : &scene->meshes[m]);
		total.largest = largest > total.largest ? largest : total.largest;
		total.is_stale = total.is_stale || (level && document->level_is_stale[level - scene->levels]);
	}
	return total;
}

static void list_numbers(snw_session *session, uint32_t most) {
	const snw_document *document = session->document;
	const float line = snw_gui_line_height(), widths[2] = {5.2f * line, 5.2f * line};
	char row[80], triangles[40], error[40];
	const char *columns[2] = {triangles, error};
	for (uint32_t number = 0; number <= most; number++) {
		if (number > 0 && !snw_scene_has_level(document->scene, number)) {
			continue;
		}
		const level_total total = total_of(document, number);
		snprintf(row, sizeof row, number == 0 ? "Mesh##level-%u" : "Level %u", number);
		snprintf(triangles, sizeof triangles, "%u tri%s", total.triangles, total.is_stale ? " !" : "");
		error[0] = '\0';
		if (total.largest > 0) {
			snw_length_write(session, total.largest, error, sizeof error);
		}
		if (snw_gui_row_columns(row, columns, widths, 2, session->state.level == number)) {
			snw_emit_number(&session->queue, SNW_DO_LEVEL, number);
		}
		snw_gui_hint(number == 0      ? "Shows the mesh itself."
					 : total.is_stale ? "Shows this level. What it was made from has changed since; make the levels again."
									  : "Shows this level: its triangles, and the largest distance from the mesh.");
	}
	snprintf(error, sizeof error, "now %u", snw_display_level(&session->display));
	const bool is_chosen = session->state.level == SNW_LEVEL_BY_SIZE;
	if (snw_gui_row_columns("By size", (const char *const[1]){is_chosen ? error : ""}, widths + 1, 1, is_chosen)) {
		snw_emit_number(&session->queue, SNW_DO_LEVEL, -1);
	}
	snw_gui_hint("Shows the coarsest level whose error is at most a pixel at this distance.");
}

/* What 'sinew lod list' tells of it. */
static void write_level(const snw_session *session, const snw_level *level) {
	const snw_document *document = session->document;
	const double metres = document->size / 100;
	char words[400], error[40], most[40];
	if (document->scene->mesh_count > 1) {
		snw_gui_text(document->scene->meshes[level->mesh].name);
	}
	snprintf(words, sizeof words, "%u triangles, %u points of at most %u influences, %u joints, %.4g kB",
			 snw_triangle_count(&level->shape), level->shape.point_count, snw_level_influences(level), level->joint_count,
			 (double)snw_level_bytes(level) / 1000);
	snw_gui_quiet_text(words);
	if (level->largest_percent == 0) {
		return;
	}
	snw_length_write(session, metres * level->rms_percent, error, sizeof error);
	snw_length_write(session, metres * level->largest_percent, most, sizeof most);
	snprintf(words, sizeof words, "Mean error %s, at most %s%s%s.", error, most, level->worst_pose[0] ? " in " : "",
			 level->worst_pose);
	snw_gui_quiet_text(words);
	if (level->shape.corner_uvs) {
		snw_length_write(session, metres * level->uv_rms_percent, error, sizeof error);
		snw_length_write(session, metres * level->uv_largest_percent, most, sizeof most);
		snprintf(words, sizeof words, "Textures slide by %s, at most %s.", error, most);
		snw_gui_quiet_text(words);
	}
	snprintf(words, sizeof words, "At most a pixel off where it takes up to %.3g %% of the screen's height.",
			 100 * level->screen_share);
	snw_gui_quiet_text(words);
}

static void write_shown_level(snw_session *session, uint32_t number) {
	const snw_scene *scene = session->document->scene;
	const char *hindrance = snw_display_level_hindrance(&session->display, &session->state);
	if (session->state.level > 0 && hindrance) {
		snw_gui_quiet_text(hindrance);
	}
	for (uint32_t m = 0; m < scene->mesh_count && number > 0; m++) {
		const snw_level *level = snw_level_of_mesh(scene, m, number);
		if (level) {
			write_level(session, level);
		}
	}
}

void snw_panel_levels(snw_session *session) {
	const snw_view_state *state = &session->state;
	const uint32_t most = snw_level_most(session->document->scene);
	const uint32_t number = state->level == SNW_LEVEL_BY_SIZE ? snw_display_level(&session->display) : state->level;
	char words[60];
	if (session->document->scene->mesh_count == 0 || !snw_gui_section("LEVELS OF DETAIL")) {
		return;
	}
	snw_panel_button(session, SNW_DO_LOD_MAKE, "Make levels…", !(session->progress.label && session->progress.is_long));
	if (most == 0) {
		snw_gui_quiet_text(snw_command_help(SNW_DO_LOD_MAKE));
		return;
	}
	snprintf(words, sizeof words, "Remove level %u", number);
	snw_gui_same_line_for(words);
	if (number == 0) {
		snw_panel_button(session, SNW_DO_LOD_REMOVE, "Remove levels", true);
	} else if (snw_gui_button(words, false)) {
		snw_emit_number(&session->queue, SNW_DO_LOD_REMOVE_ONE, number);
	}
	snw_gui_hint(number == 0 ? "Removes all levels." : "Removes the level that is shown.");
	list_numbers(session, most);
	write_shown_level(session, number);
}
