/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writing the report.
 */
#include "window/report.h"

#include <cjson/cJSON.h>
#include <stdlib.h>

#include "example/sculpts.h"
#include "render/shading/shading.h"
#include "render/view/view.h"
#include "window/imgui/shim.h"
#include "window/input/input.h"

static void add_text(cJSON *object, const char *key, const char *text) {
	if (text) {
		cJSON_AddStringToObject(object, key, text);
	} else {
		cJSON_AddNullToObject(object, key);
	}
}

static void add_place(cJSON *object, const char *name, double x, double y, double width, double height) {
	const double numbers[] = {x, y, width, height};
	if (!cJSON_GetObjectItemCaseSensitive(object, name)) {
		cJSON_AddItemToObject(object, name, cJSON_CreateDoubleArray(numbers, 4));
	}
}

static void add_state(cJSON *root, const snw_session *session) {
	const snw_view_state *state = &session->state;
	const snw_document *document = session->document;
	const snw_scene *scene = document->scene;
	const uint32_t joint = state->joint, example = state->example;
	add_text(root, "path", document->path);
	cJSON_AddBoolToObject(root, "saved", document->is_saved);
	cJSON_AddNumberToObject(root, "crashed", session->preferences.crashed_count);
	add_text(root, "undo", document->undo);
	add_text(root, "redo", document->redo);
	add_text(root, "clip", state->clip < scene->clip_count ? scene->clips[state->clip].name : NULL);
	add_text(root, "pose", state->clip == SNW_NONE && state->pose < scene->pose_count ? scene->poses[state->pose].name : NULL);
	add_text(root, "mesh",
			 snw_session_mesh(session) < scene->mesh_count ? scene->meshes[snw_session_mesh(session)].name : NULL);
	add_text(root, "joint", joint < scene->skeleton.joint_count ? scene->skeleton.names[joint] : NULL);
	add_text(root, "example", example < scene->example_count ? scene->examples[example].name : NULL);
	add_text(root, "group", state->group < scene->group_count ? scene->groups[state->group].name : NULL);
	add_text(root, "solo", document->solo < scene->example_count ? scene->examples[document->solo].name : NULL);
	add_text(root, "layer", state->layer < scene->layer_count ? scene->layers[state->layer].name : NULL);
	add_text(root, "method", state->method < document->method_count ? document->methods[state->method].name : NULL);
	add_text(root, "message", state->message);
	cJSON_AddBoolToObject(root, "alarmed", state->alarmed);
	cJSON_AddBoolToObject(root, "playing", state->playing);
	cJSON_AddBoolToObject(root, "sculpting", state->sculpting);
	cJSON_AddBoolToObject(root, "drawing_joints", state->drawing_joints);
	cJSON_AddBoolToObject(root, "busy", snw_session_is_busy(session));
	cJSON_AddNumberToObject(root, "redraws", (double)session->redraws);
	cJSON_AddNumberToObject(root, "shown_redraws", (double)session->shown_redraws);
	cJSON_AddNumberToObject(root, "drives", (double)snw_viewport_drives(session->display.viewport));
	cJSON_AddNumberToObject(root, "seconds", state->seconds);
	cJSON_AddNumberToObject(root, "dialog", state->dialog);
	cJSON_AddBoolToObject(root, "typing", snw_gui_wants_keys());
	cJSON_AddNumberToObject(root, "heat", state->heat);
	cJSON_AddNumberToObject(root, "level", state->level == SNW_LEVEL_BY_SIZE ? -1.0 : state->level);
	cJSON_AddNumberToObject(root, "level_drawn", snw_display_level(&session->display));
	add_text(root, "look", snw_looks[snw_look_of(state->flags)].word);
	cJSON_AddBoolToObject(root, "split", state->is_split);
	cJSON_AddNumberToObject(root, "side", state->side);
	add_text(root, "lights", snw_lights_words[state->lights]);
	cJSON_AddNumberToObject(root, "light_turn", state->light_turn);
	add_text(root, "shown", snw_heat_name(document, state->heat));
	add_text(root, "plot", snw_plot_name(document, state->plot));
	cJSON_AddNumberToObject(root, "brush_radius", session->sculpting.brush.radius);
	cJSON_AddNumberToObject(root, "brush_strength", session->sculpting.brush.strength);
	const snw_contact_marks marks = snw_contact_watch_marks(session->contact_watch);
	cJSON_AddBoolToObject(root, "shows_contact", state->shows_contact);
	cJSON_AddNumberToObject(root, "touching", snw_contact_watch_touching(session->contact_watch));
	cJSON_AddNumberToObject(root, "contact_seconds", snw_contact_watch_seconds(session->contact_watch));
	cJSON_AddNumberToObject(root, "contact_keys", marks.count);
	cJSON_AddNumberToObject(root, "contact_deepest", marks.count > 0 ? marks.deepest[marks.worst] : 0);
	cJSON_AddNumberToObject(root, "contact_worst_seconds", marks.count > 0 ? marks.seconds[marks.worst] : 0);
	cJSON_AddBoolToObject(root, "symmetry", session->sculpting.brush.symmetric);
	add_text(root, "brush", snw_brush_infos[session->sculpting.brush.kind].name);
}

static void add_sculpt_layers(cJSON *root, const snw_session *session) {
	const snw_scene *scene = session->document->scene;
	const uint32_t index = session->state.example;
	cJSON *rows = cJSON_AddArrayToObject(root, "sculpt_layers");
	for (uint32_t i = 0; index < scene->example_count && i < scene->examples[index].layer_count; i++) {
		const snw_example *example = &scene->examples[index];
		cJSON *row = cJSON_CreateObject();
		add_text(row, "name", example->layers[i].name);
		cJSON_AddNumberToObject(row, "opacity", example->layers[i].opacity);
		cJSON_AddBoolToObject(row, "muted", example->layers[i].muted);
		cJSON_AddBoolToObject(row, "active", snw_sculpt_layer_of_id(example, session->state.sculpt_layer) == i);
		cJSON_AddItemToArray(rows, row);
	}
}

static void add_hidden(cJSON *root, const snw_session *session) {
	const snw_skeleton *skeleton = &session->document->scene->skeleton;
	cJSON *hidden = cJSON_AddArrayToObject(root, "hidden_joints");
	for (uint32_t j = 0; j < skeleton->joint_count; j++) {
		if (session->display.hidden_joints[j]) {
			cJSON_AddItemToArray(hidden, cJSON_CreateString(skeleton->names[j]));
		}
	}
	uint32_t count = 0;
	for (uint32_t m = 0; m < session->document->scene->mesh_count; m++) {
		const bool *points = session->display.hidden_points[m];
		for (uint32_t p = 0; points && p < session->document->scene->meshes[m].point_count; p++) {
			count += points[p];
		}
	}
	cJSON_AddNumberToObject(root, "hidden_points", count);
}

static void add_groups(cJSON *root, const snw_scene *scene) {
	cJSON *groups = cJSON_AddObjectToObject(root, "groups"), *muted = cJSON_AddArrayToObject(root, "muted");
	for (uint32_t g = 0; g < scene->group_count; g++) {
		const snw_group *group = &scene->groups[g];
		cJSON *row = cJSON_AddObjectToObject(groups, group->name);
		cJSON *joints = cJSON_AddArrayToObject(row, "joints"), *examples = cJSON_AddArrayToObject(row, "examples");
		for (uint32_t j = 0; j < group->joint_count; j++) {
			cJSON_AddItemToArray(joints, cJSON_CreateString(scene->skeleton.names[group->joints[j]]));
		}
		for (uint32_t m = 0; m < group->member_count; m++) {
			cJSON_AddItemToArray(examples, cJSON_CreateString(scene->examples[group->members[m].example].name));
		}
	}
	for (uint32_t i = 0; i < scene->example_count; i++) {
		if (scene->examples[i].muted) {
			cJSON_AddItemToArray(muted, cJSON_CreateString(scene->examples[i].name));
		}
	}
}

/* The skins of a bake and which of them is shown, -1 for none. */
static void add_bake(cJSON *root, const snw_session *session) {
	const uint32_t variant = session->document->variant;
	cJSON *bake = snw_shown_bake_is_current(session) ? cJSON_AddArrayToObject(root, "baked") : NULL;
	for (uint32_t v = 0; bake && v < session->bake->baked.variant_count; v++) {
		char name[100];
		snw_bake_variant_name(&session->bake->baked.variants[v], name, sizeof name);
		cJSON_AddItemToArray(bake, cJSON_CreateString(name));
	}
	add_text(root, "engine", session->engine ? session->engine->name : NULL);
	cJSON_AddNumberToObject(root, "baked_shown", variant == SNW_NONE ? -1.0 : variant);
}

static void add_lists(cJSON *root, const snw_session *session) {
	const snw_document *document = session->document;
	const snw_scene *scene = document->scene;
	cJSON *examples = cJSON_AddObjectToObject(root, "examples"), *layers = cJSON_AddArrayToObject(root, "layers");
	cJSON *left_out = cJSON_AddArrayToObject(root, "left_out");
	cJSON *poses = cJSON_AddArrayToObject(root, "poses"), *history = cJSON_AddArrayToObject(root, "history");
	for (uint32_t i = 0; i < scene->example_count; i++) {
		cJSON_AddNumberToObject(examples, scene->examples[i].name, session->display.bars[i].weight);
	}
	for (uint32_t i = 0; i < scene->layer_count; i++) {
		cJSON_AddItemToArray(layers, cJSON_CreateString(scene->layers[i].name));
		if (document->left_out[i]) {
			cJSON_AddItemToArray(left_out, cJSON_CreateString(scene->layers[i].name));
		}
	}
	for (uint32_t i = 0; i < scene->pose_count; i++) {
		cJSON_AddItemToArray(poses, cJSON_CreateString(scene->poses[i].name));
	}
	for (uint32_t i = 0; i < document->entry_count; i++) {
		if (!document->entries[i].undone) {
			cJSON_AddItemToArray(history, cJSON_CreateString(document->entries[i].label));
		}
	}
}

/* The longest redraw of each operation: milliseconds of wall clock time and of the thread's CPU time. */
static void add_redraw_times(cJSON *root, const snw_redraw_times *redraw_times) {
	cJSON *rows = cJSON_AddObjectToObject(root, "redraw_milliseconds");
	for (uint32_t i = 0; i < redraw_times->row_count; i++) {
		const snw_redraw_row *row = &redraw_times->rows[i];
		cJSON *parts = cJSON_AddObjectToObject(rows, row->name);
		const double whole[] = {row->wall_whole, row->cpu_whole};
		cJSON_AddNumberToObject(parts, "redraws", row->redraws);
		cJSON_AddItemToObject(parts, "whole", cJSON_CreateDoubleArray(whole, 2));
		for (int part = 0; part < SNW_REDRAW_PARTS; part++) {
			const double values[] = {row->wall[part], row->cpu[part]};
			cJSON_AddItemToObject(parts, snw_redraw_part_names[part], cJSON_CreateDoubleArray(values, 2));
		}
	}
}

/* The error table. */
static void add_errors(cJSON *root, const snw_session *session) {
	cJSON *rows = cJSON_AddArrayToObject(root, "errors");
	for (uint32_t i = 0; i < session->error_row_count; i++) {
		const snw_error_row *row = &session->error_rows[i];
		cJSON *added = cJSON_CreateObject();
		add_text(added, "subject", row->subject);
		add_text(added, "method", row->method);
		cJSON_AddNumberToObject(added, "erms", row->measure.erms);
		cJSON_AddNumberToObject(added, "max_percent", row->measure.max_percent);
		cJSON_AddNumberToObject(added, "spill_mm", row->measure.spill_mm);
		cJSON_AddNumberToObject(added, "spill_max_mm", row->measure.spill_max_mm);
		cJSON_AddItemToArray(rows, added);
	}
}

static void add_places(cJSON *root, const snw_session *session, const snw_input *input, const snw_layout *layout) {
	cJSON *widgets = cJSON_AddObjectToObject(root, "widgets"), *joints = cJSON_AddObjectToObject(root, "joints");
	const snw_skeleton *skeleton = &session->document->scene->skeleton;
	const snw_picture_size size = {(double)layout->view_width, (double)layout->view_height};
	const snw_gui_place *places;
	const uint32_t count = snw_gui_places(&places);
	cJSON *unexplained = cJSON_AddArrayToObject(root, "unexplained"), *words = cJSON_AddObjectToObject(root, "words");
	const double edge = (double)layout->view_x, top = (double)layout->view_y;
	uint32_t out_count = 0;
	for (uint32_t i = 0; i < count; i++) {
		const snw_gui_place *place = &places[i];
		out_count += place->is_out;
		if (!place->is_explained && !place->is_words) {
			cJSON_AddItemToArray(unexplained, cJSON_CreateString(place->name));
		}
		add_place(place->is_words ? words : widgets, place->name, (double)place->x, (double)place->y, (double)place->width,
				  (double)place->height);
	}
	cJSON_AddNumberToObject(root, "rows_out", out_count);
	add_place(root, "viewport", edge, top, size.width, size.height);
	if (layout->is_split) {
		const snw_layout other = snw_layout_split(layout, 1 - layout->side);
		add_place(root, "other_viewport", (double)other.view_x, (double)other.view_y, (double)other.view_width,
				  (double)other.view_height);
	}
	add_place(root, "window", 0, 0, (double)layout->width, (double)layout->height);
	for (uint32_t j = 0; j < skeleton->joint_count && session->display.posed; j++) {
		double place[3], x, y;
		for (size_t c = 0; c < 3; c++) {
			place[c] = session->display.global[12 * (size_t)j + 4 * c + 3];
		}
		if (snw_camera_project(&session->state.camera, size, place, &x, &y)) {
			add_place(joints, skeleton->names[j], edge + x, top + y, 0, 0);
		}
	}
	if (input->gizmo.radius > 0) {
		add_place(root, "gizmo", edge + input->gizmo.center[0], top + input->gizmo.center[1], input->gizmo.radius, 0);
	}
}

void snw_report_write(const snw_session *session, const snw_input *input, const snw_layout *layout, FILE *file) {
	cJSON *root = cJSON_CreateObject();
	char hint[500];
	add_state(root, session);
	snw_hint_write(input, layout, session, hint, sizeof hint);
	add_text(root, "hint", hint);
	add_lists(root, session);
	add_hidden(root, session);
	add_sculpt_layers(root, session);
	add_redraw_times(root, &session->redraw_times);
	add_groups(root, session->document->scene);
	add_bake(root, session);
	add_errors(root, session);
	add_places(root, session, input, layout);
	char *text = cJSON_PrintUnformatted(root);
	if (text) {
		fprintf(file, "report %s\n", text);
		free(text);
	}
	cJSON_Delete(root);
}
