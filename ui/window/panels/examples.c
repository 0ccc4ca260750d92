/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "example/groups.h"
#include "window/document/document.h"
#include "window/panels/panels.h"

/* ---- examples ------------------------------------------------------------------------------------------------------------ */

/* The examples by group, each with its weight at the pose that is shown. Groups act in the order of the list. Groups and
 * examples can be dragged to another place, and examples into other groups. */

/* What is dragged: a group, or an example (second; SNW_NONE for the group itself) of a group. */
static const char DRAGGED[] = "example";

/* The group that was clicked: the panel scrolls to its controls. SNW_NONE for none. */
static uint32_t revealed_group = SNW_NONE;

static void take_drop(snw_session *session, uint32_t group, uint32_t member) {
	const snw_scene *scene = session->document->scene;
	int dragged[2];
	if (!snw_gui_dropped(DRAGGED, session->document->number, dragged)) {
		return;
	}
	const uint32_t from = (uint32_t)dragged[0], example = (uint32_t)dragged[1];
	if (from < scene->group_count) {
		snw_emit_text(&session->queue, SNW_DO_GROUP, scene->groups[from].name);
	}
	if (example == SNW_NONE) {
		snw_emit_number(&session->queue, SNW_DO_GROUP_PLACE, group);
		return;
	}
	snw_emit_text(&session->queue, SNW_DO_EXAMPLE, scene->examples[example].name);
	if (from == group) {
		snw_emit_number(&session->queue, SNW_DO_EXAMPLE_PLACE, member == SNW_NONE ? 0 : member);
	} else {
		const snw_command_id id = from < scene->group_count ? SNW_DO_EXAMPLE_MOVE : SNW_DO_EXAMPLE_JOIN;
		snw_emit_text(&session->queue, id, scene->groups[group].name);
	}
}

static void explain_row(const snw_document *document, uint32_t example, const snw_example_bar *bar) {
	const snw_example *row = &document->scene->examples[example];
	const bool hidden = document->solo != SNW_NONE && document->solo != example;
	char words[300], weight[60] = "";
	if (!row->muted && !hidden && bar->is_fitted) {
		snprintf(weight, sizeof weight, "Weight %.3f here. ", fabs(bar->weight) < 5e-4 ? 0 : bar->weight);
	}
	snprintf(words, sizeof words, "%s%s%sDouble-click to go to its pose, drag to reorder or regroup, right-click for more.",
			 row->muted                  ? "Muted: ignored in fits. "
			 : hidden                    ? "Hidden while another example is solo. "
			 : document->solo == example ? "Solo. "
			 : bar->is_fitted            ? ""
										 : "Not fitted yet. ",
			 weight, row->edited && row->edited_count == 0 ? "Not sculpted yet. " : "");
	snw_gui_hint(words);
}

/* An example in several groups is marked in the chosen group, or in all points if none is chosen. */
static bool is_in_chosen_group(const snw_session *session, uint32_t example) {
	const snw_scene *scene = session->document->scene;
	return session->state.group < scene->group_count &&
		   snw_group_member(&scene->groups[session->state.group], example) != SNW_NONE;
}

static void draw_example_menu(snw_session *session, uint32_t example) {
	const snw_document *document = session->document;
	const snw_example *row = &document->scene->examples[example];
	if (!snw_gui_context_menu_begin()) {
		return;
	}
	snw_command select = {.id = SNW_DO_EXAMPLE};
	snprintf(select.text, sizeof select.text, "%s", row->name);
	snw_row_menu_item(session, &select, SNW_DO_EXAMPLE_GO, "Go to", true);
	snw_row_menu_rename(&select, SNW_DO_EXAMPLE_NAME, row->name);
	snw_row_menu_item(session, &select, SNW_DO_EXAMPLE_MIRROR, "Mirror", true);
	if (document->scene->mesh_count > 1) {
		snw_row_menu_item(session, &select, SNW_DO_EXAMPLE_CARRY, NULL, true);
	}
	snw_row_menu_item(session, &select, SNW_DO_EXAMPLE_BETWEEN, NULL, true);
	snw_row_menu_item(session, &select, SNW_DO_EXAMPLE_SOLO, document->solo == example ? "End solo" : "Solo", true);
	snw_row_menu_item(session, &select, SNW_DO_EXAMPLE_MUTE, row->muted ? "Unmute" : "Mute", true);
	snw_gui_menu_separator();
	snw_row_menu_item(session, &select, SNW_DO_EXAMPLE_REMOVE, "Delete", true);
	snw_gui_popup_end();
}

static void draw_member(snw_session *session, uint32_t group, uint32_t member, uint32_t example) {
	const snw_document *document = session->document;
	const snw_example_bar *bar = &session->display.bars[example];
	const char *name = document->scene->examples[example].name;
	if (snw_row_rename_draw(session, SNW_DO_EXAMPLE_NAME, name) || snw_gui_row_is_out(name)) {
		return;
	}
	const bool silent = document->scene->examples[example].muted || (document->solo != SNW_NONE && document->solo != example);
	const bool chosen =
		session->state.example == example && (group == session->state.group || !is_in_chosen_group(session, example));
	if (snw_gui_row_meter(name, chosen, silent, silent || !bar->is_fitted ? 0 : fabs(bar->weight), (uint32_t)SNW_AMBER)) {
		snw_emit_text(&session->queue, SNW_DO_EXAMPLE, name);
		if (group != SNW_NONE) {
			snw_emit_text(&session->queue, SNW_DO_GROUP, document->scene->groups[group].name);
		}
		if (snw_gui_double_clicked()) {
			snw_emit_text(&session->queue, SNW_DO_EXAMPLE_GO, name);
		}
	}
	const int dragged[2] = {(int)group, (int)example};
	snw_gui_drag(DRAGGED, session->document->number, dragged, name);
	if (group != SNW_NONE) {
		take_drop(session, group, member);
	}
	explain_row(document, example, bar);
	draw_example_menu(session, example);
}

static void draw_group_menu(snw_session *session, uint32_t index) {
	const snw_scene *scene = session->document->scene;
	if (!snw_gui_context_menu_begin()) {
		return;
	}
	snw_command select = {.id = SNW_DO_GROUP};
	snprintf(select.text, sizeof select.text, "%s", scene->groups[index].name);
	snw_row_menu_rename(&select, SNW_DO_GROUP_NAME, scene->groups[index].name);
	snw_row_menu_item(session, &select, SNW_DO_GROUP_EARLIER, "Move up", index > 0);
	snw_row_menu_item(session, &select, SNW_DO_GROUP_LATER, "Move down", index + 1 < scene->group_count);
	snw_row_menu_item(session, &select, SNW_DO_GROUP_FREE, NULL, scene->groups[index].joint_count > 0);
	snw_gui_menu_separator();
	snw_row_menu_item(session, &select, SNW_DO_GROUP_REMOVE, "Delete", true);
	snw_gui_popup_end();
}

/* The group's row, or the field that renames it. */
static void draw_group_row(snw_session *session, uint32_t index) {
	const snw_scene *scene = session->document->scene;
	const snw_group *group = &scene->groups[index];
	const bool chosen = session->state.group == index && (session->state.example >= scene->example_count ||
														  snw_group_member(group, session->state.example) == SNW_NONE);
	char words[400], text[220], title[200];
	snprintf(text, sizeof text, "%.200s##group", group->name);
	if (snw_row_rename_draw(session, SNW_DO_GROUP_NAME, group->name) || snw_gui_row_is_out(text)) {
		return;
	}
	if (snw_gui_row_quiet(text, group->member_count ? NULL : "Empty", chosen, true)) {
		revealed_group = index;
		snw_emit_text(&session->queue, SNW_DO_GROUP, group->name);
	}
	const int dragged[2] = {(int)index, (int)SNW_NONE};
	snw_gui_drag(DRAGGED, session->document->number, dragged, group->name);
	take_drop(session, index, SNW_NONE);
	snprintf(words, sizeof words,
			 "A group of %u example%s, driven by %s%s. Groups act from top to bottom. Drag to reorder, right-click for more.",
			 group->member_count, snw_plural(group->member_count),
			 group->joint_count ? snw_joint_words(&scene->skeleton, group->joints[0], title, sizeof title)
								: "automatically chosen joints",
			 group->joint_count > 1 ? " and others" : "");
	snw_gui_hint(words);
	draw_group_menu(session, index);
}

static void draw_group(snw_session *session, uint32_t index) {
	const snw_group *group = &session->document->scene->groups[index];
	draw_group_row(session, index);
	snw_gui_indent(snw_gui_line_height() * 0.8f);
	for (uint32_t i = 0; i < group->member_count; i++) {
		snw_gui_push((int)i);
		draw_member(session, index, i, group->members[i].example);
		snw_gui_pop();
	}
	snw_gui_indent(-snw_gui_line_height() * 0.8f);
}

/* [example_count]: which are in no group. Returns how many. */
static uint32_t find_ungrouped(const snw_scene *scene, bool *is_ungrouped) {
	uint32_t count = 0;
	memset(is_ungrouped, true, scene->example_count * sizeof *is_ungrouped);
	for (uint32_t g = 0; g < scene->group_count; g++) {
		for (uint32_t i = 0; i < scene->groups[g].member_count; i++) {
			is_ungrouped[scene->groups[g].members[i].example] = false;
		}
	}
	for (uint32_t i = 0; i < scene->example_count; i++) {
		count += is_ungrouped[i];
	}
	return count;
}

static void list_examples(snw_session *session) {
	const snw_scene *scene = session->document->scene;
	const float line = snw_gui_line_height() * 1.35f;
	snw_arena *scratch = snw_arena_create();
	bool *is_ungrouped = SNW_NEW_ARRAY(scratch, bool, scene->example_count);
	uint32_t rows = scene->group_count + find_ungrouped(scene, is_ungrouped);
	for (uint32_t g = 0; g < scene->group_count; g++) {
		rows += scene->groups[g].member_count;
	}
	snw_gui_child_begin("examples", fminf(fmaxf(line * ((float)rows + 0.7f), 3 * line), 13 * line));
	for (uint32_t g = 0; g < scene->group_count; g++) {
		snw_gui_push((int)g);
		draw_group(session, g);
		snw_gui_pop();
	}
	for (uint32_t i = 0; i < scene->example_count; i++) {
		if (is_ungrouped[i]) {
			draw_member(session, SNW_NONE, SNW_NONE, i);
		}
	}
	if (rows == 0) {
		snw_gui_quiet_text("No examples yet. Bend a joint, then sculpt the skin.");
	}
	snw_gui_child_end();
	snw_arena_destroy(scratch);
}

static void draw_example_tiles(snw_session *session) {
	const snw_document *document = session->document;
	const snw_scene *scene = document->scene;
	const uint32_t example = session->state.example;
	const bool chosen = example < scene->example_count;
	const bool here = snw_session_shows_example(session, example), has_target = snw_session_clip_target(session) != SNW_NONE;
	const struct {
		snw_command_id id;
		const char *text;
		bool usable, on;
	} buttons[] = {
		{SNW_DO_EXAMPLE_ADD, "Add", scene->mesh_count > 0, false},
		{SNW_DO_EXAMPLE_GO, "Go to", chosen, false},
		{SNW_DO_EXAMPLE_UPDATE, "Update", here, false},
		{SNW_DO_EXAMPLE_MIRROR, "Mirror", chosen, false},
		{SNW_DO_EXAMPLE_SOLO, "Solo", chosen, chosen && document->solo == example},
		{SNW_DO_EXAMPLE_MUTE, "Mute", chosen, chosen && scene->examples[example].muted},
		{SNW_DO_SUGGEST, "Suggest", snw_scene_active_example_count(scene) > 1 || has_target, false},
		{has_target ? SNW_DO_EXAMPLE_TARGET : SNW_DO_TARGET_ADD, has_target ? "Target" : "Target…", scene->mesh_count > 0,
		 false},
		{SNW_DO_EXAMPLE_BETWEEN, "Between", chosen, false},
		{SNW_DO_GROUP_COMBINE, "Combine", session->state.group < scene->group_count && scene->group_count > 1, false},
		{SNW_DO_EXAMPLE_FOLDER, "Folder…", scene->mesh_count > 0, false},
		{SNW_DO_EXAMPLE_REMOVE, "Delete", chosen, false}};
	const float gap = snw_gui_line_height() * 0.4f, width = (snw_gui_available_width() - 3 * gap) / 4;
	float x = 0, y = 0;
	snw_gui_cursor(&x, &y);
	for (uint32_t i = 0; i < sizeof buttons / sizeof *buttons; i++) {
		if (i % 4 > 0) {
			snw_gui_move_to(x + (float)(i % 4) * (width + gap), y);
		} else {
			snw_gui_cursor(&x, &y);
		}
		snw_panel_tile(session, buttons[i].id, buttons[i].text, width, buttons[i].usable, buttons[i].on);
	}
}

void snw_panel_examples(snw_session *session) {
	const snw_document *document = session->document;
	char title[300];
	snprintf(title, sizeof title, "EXAMPLES  %u%s%.200s###EXAMPLES", document->scene->example_count,
			 document->solo == SNW_NONE ? "" : "  ·  solo: ",
			 document->solo == SNW_NONE ? "" : document->scene->examples[document->solo].name);
	if (snw_gui_section(title)) {
		draw_example_tiles(session); /* above the list, so that it stays under the mouse when the list grows */
		list_examples(session);
		snw_panel_driver(session); /* below it, for the same reason */
	}
	snw_panel_sculpt_layers(session);
	const bool is_revealed = revealed_group == session->state.group && revealed_group != SNW_NONE;
	snw_panel_group(session, is_revealed);
	revealed_group = is_revealed ? SNW_NONE : revealed_group;
}

/* ---- shape weights ------------------------------------------------------------------------------------------------------- */

/* The morph targets that came with the file: a slider for each weight. */

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
