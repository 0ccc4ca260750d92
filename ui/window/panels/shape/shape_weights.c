/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The morph targets that came with the file: a slider for each weight.
 */
#include <stdio.h>
#include <string.h>

#include "window/document/titles.h"
#include "window/panels/panels.h"

enum { FEW_SHAPES = 8 };

/* Which shapes are listed, by a part of their name. */
static const char *draw_filter(const snw_document *document) {
	static char filter[80], filtered[1024]; /* the project that is filtered */
	const char *path = document->path ? document->path : "";
	if (strcmp(filtered, path) != 0 || document->scene->channel_count <= FEW_SHAPES) {
		snprintf(filtered, sizeof filtered, "%s", path);
		filter[0] = '\0';
	}
	if (document->scene->channel_count <= FEW_SHAPES) {
		return filter;
	}
	snw_gui_width(-1);
	snw_gui_text_input("##shape-filter", "Find a shape", filter, sizeof filter, false);
	snw_gui_hint("Part of a name.");
	return filter;
}

/* How many meshes have the shape, and which, as far as they fit. `firsts` [channel_count] as of snw_shape_first. */
static uint32_t meshes_with_shape(const snw_scene *scene, const uint32_t *firsts, uint32_t shape, char *names, size_t size) {
	uint32_t count = 0;
	size_t used = 0;
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		const snw_mesh *mesh = &scene->meshes[m];
		bool has = false;
		for (uint32_t i = 0; i < mesh->morph_count && !has; i++) {
			has = firsts[mesh->morphs[i].channel] == shape;
		}
		if (has && used < size) {
			used += (size_t)snprintf(names + used, size - used, "%s%s", count > 0 ? ", " : "", mesh->name);
		}
		count += has;
	}
	return count;
}

static void draw_shape_weight(snw_session *session, const uint32_t *firsts, uint32_t index, double weight) {
	const snw_scene *scene = session->document->scene;
	const snw_channel *channel = &scene->channels[index];
	char meshes[400] = "";
	const uint32_t mesh_count = meshes_with_shape(scene, firsts, index, meshes, sizeof meshes);
	const float room = snw_gui_available_width();
	const snw_number kind = {.least = -10,
							 .most = 10,
							 .soft_least = 0,
							 .soft_most = 1,
							 .step = 0.01,
							 .format = "%.3f",
							 .name_width = 0.6f * room - snw_gui_width_of("Edit") - 3 * snw_gui_line_height()};
	char text[600];
	snprintf(text, sizeof text, "%.200s##shape", mesh_count > 1 ? snw_shape_short_name(scene, index) : channel->name);
	snw_gui_width(0.4f * room);
	const snw_edit_state change = snw_gui_number(text, &kind, &weight);
	snprintf(text, sizeof text, "The weight of this morph target in the pose%s%s. Drag, or Ctrl+click to type.",
			 mesh_count > 1 ? ", of the meshes " : "", mesh_count > 1 ? meshes : "");
	snw_gui_hint(text);
	snw_gui_same_line(0);
	snprintf(text, sizeof text, "Edit##%.200s", channel->name);
	if (snw_gui_small_button(text)) {
		snw_emit_text(&session->queue, SNW_DO_SHAPE_EDIT, channel->name);
	}
	snw_gui_hint(snw_command_help(SNW_DO_SHAPE_EDIT));
	if (change == SNW_EDIT_CANCELLED) {
		snw_emit(&session->queue, SNW_DO_DRAG_CANCEL);
	} else if (change != SNW_EDIT_NONE) {
		snw_emit_with(&session->queue, change == SNW_EDIT_DONE ? SNW_DO_SHAPE_WEIGHT : SNW_DO_TRY_SHAPE_WEIGHT, &weight, 1,
					  channel->name);
	}
}

void snw_panel_shape_weights(snw_session *session) {
	const snw_scene *scene = session->document->scene;
	const snw_pose *pose = snw_display_pose(&session->display, &session->state);
	char title[80];
	snprintf(title, sizeof title, "MORPH TARGETS  %u###MORPHTARGETS", scene->channel_count);
	if (scene->channel_count == 0 || !pose || !snw_gui_section(title)) {
		return;
	}
	const char *filter = draw_filter(session->document);
	const bool is_long = scene->channel_count > FEW_SHAPES;
	if (is_long) {
		snw_gui_child_begin("shapes", (float)FEW_SHAPES * 1.75f * snw_gui_line_height());
	}
	snw_arena *scratch = snw_arena_create();
	uint32_t *firsts = SNW_NEW_ARRAY(scratch, uint32_t, scene->channel_count);
	for (uint32_t c = 0; c < scene->channel_count; c++) {
		firsts[c] = snw_shape_first(scene, c);
	}
	for (int rank = SNW_SEARCH_EXACT; rank < SNW_SEARCH_LACKS; rank++) {
		for (uint32_t c = 0; c < scene->channel_count; c++) {
			const bool is_first = firsts[c] == c; /* meshes share a slider */
			if (is_first && snw_search_rank_of(scene->channels[c].name, filter) == (snw_search_rank)rank) {
				snw_gui_push((int)c);
				draw_shape_weight(session, firsts, c, pose->channels[c]);
				snw_gui_pop();
			}
		}
	}
	snw_arena_destroy(scratch);
	if (is_long) {
		snw_gui_child_end();
	}
	snw_panel_button(session, SNW_DO_SHAPE_WEIGHTS_RESET, "Reset morph targets", true);
}
