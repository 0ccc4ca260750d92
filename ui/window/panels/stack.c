/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "fit/samples.h"
#include "fit/stale.h"
#include "lod/lod.h"
#include "plugin/registry.h"
#include "window/document/document.h"
#include "window/panels/panels.h"
#include "window/session/session.h"
#include "window/units/units.h"

/* ---- error table --------------------------------------------------------------------------------------------------------- */

/* The error table: linear blend and the stack, before and after the last fit. */

static void write_largest(const snw_session *session, const snw_error_row *row, char *words, size_t size) {
	if (!snw_errors_are_lengths(session)) {
		snprintf(words, size, "–"); /* it is a mean */
	} else {
		snw_length_write(session, row->measure.max_percent / 100 * row->diagonal, words, size);
	}
}

void snw_panel_error_unit(snw_session *session) {
	const char *const labels[] = {snw_length_unit_name(session), "E_RMS"};
	static const char *const hints[] = {"Distances. Edit > Preferences sets their unit.",
										"As in the papers, for comparing characters of different sizes: 1000 × the root mean "
										"square of the coordinates' errors ÷ half "
										"the diagonal of the box around the mesh at rest."};
	static const char *const names[] = {"error-unit length", "error-unit erms"};
	uint32_t unit = session->preferences.error_unit;
	if (snw_gui_choice(labels, hints, SNW_ERROR_UNITS, &unit)) {
		snw_emit_text(&session->queue, SNW_DO_PREFER, names[unit]);
	}
}

static void draw_error_row(const snw_session *session, const char *method, const snw_error_row *row, float room) {
	char words[80];
	snw_gui_quiet_text(method);
	snw_gui_same_line(room * 0.45f);
	snw_error_write(session, row->measure.erms, row->diagonal, words, sizeof words);
	snw_gui_text(words);
	snw_gui_same_line(room * 0.74f);
	write_largest(session, row, words, sizeof words);
	snw_gui_text(words);
}

/* What the stack does where the examples leave the skin as it is. */
static void draw_spill(const snw_session *session, const snw_error_row *row, float room) {
	char words[80];
	if (!row->of_stack || isnan(row->measure.spill_mm)) {
		return;
	}
	snw_gui_quiet_text("Spill");
	snw_gui_hint("How far the skin is moved where these examples do not move it: by other layers and by other examples.");
	snw_gui_same_line(room * 0.45f);
	snw_length_write(session, row->measure.spill_mm / 1000, words, sizeof words);
	snw_gui_text(words);
	snw_gui_same_line(room * 0.74f);
	snw_length_write(session, row->measure.spill_max_mm / 1000, words, sizeof words);
	snw_gui_text(words);
}

static void panel_errors(snw_session *session) {
	if (session->error_row_count == 0 || !snw_gui_section("ERROR")) {
		return;
	}
	const float room = snw_gui_available_width();
	const char *subject = "";
	if (session->fitted[0]) {
		snw_gui_text(session->fitted);
	}
	snw_panel_error_unit(session);
	snw_gui_quiet_text(" ");
	snw_gui_same_line(room * 0.45f);
	snw_gui_quiet_text("Mean");
	snw_gui_hint("The root mean square.");
	snw_gui_same_line(room * 0.74f);
	snw_gui_quiet_text("Largest");
	snw_gui_hint("The largest distance of a point.");
	const uint32_t before = session->errors_before > 0 ? session->errors_before : session->error_row_count;
	uint32_t after = session->errors_before;
	for (uint32_t i = 0; i < before; i++) {
		const snw_error_row *row = &session->error_rows[i];
		if (subject != row->subject && strcmp(subject, row->subject) != 0) {
			subject = row->subject;
			snw_gui_text(subject);
		}
		/* The stack's row is the last of a subject. The row after the fit follows it. */
		const bool has_after = session->errors_before > 0 && row->of_stack && after < session->error_row_count;
		draw_error_row(session, has_after ? "Before the fit" : row->method, row, room);
		if (has_after) {
			row = &session->error_rows[after++];
			draw_error_row(session, "After the fit", row, room);
		}
		draw_spill(session, row, room);
	}
}

/* ---- levels -------------------------------------------------------------------------------------------------------------- */

/* Levels of detail: which there are, and the one that is shown. */

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

static void panel_levels(snw_session *session) {
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

/* ---- stack --------------------------------------------------------------------------------------------------------------- */

/* The stack, topmost layer first: its layers, where each runs, their parameters, and fitting. */

static void list_layers(snw_session *session) {
	const snw_scene *scene = session->document->scene;
	const float line = snw_gui_line_height() * 1.35f;
	snw_gui_child_begin("layers", line * (float)(scene->layer_count > 0 ? scene->layer_count : 1) + 12);
	for (uint32_t i = scene->layer_count; i-- > 0;) {
		const snw_layer *layer = &scene->layers[i];
		const snw_deformer *deformer = snw_registry_find(session->registry, layer->deformer);
		const char *stale = session->document->stale[i];
		const bool is_left_out = session->document->left_out[i], is_baked = snw_layer_is_baked(layer);
		char title[200], row[420];
		snw_gui_push((int)i);
		snprintf(row, sizeof row, "%.200s##%.200s", snw_layer_title(session->registry, layer, title, sizeof title),
				 layer->name);
		if (snw_gui_row_quiet(row,
							  !deformer      ? "plug-in missing"
							  : layer->muted ? "muted"
							  : is_left_out  ? "failed"
							  : stale        ? (is_baked ? "bake again" : "fit again")
											 : "",
							  session->state.layer == i, layer->muted || is_left_out || !deformer)) {
			snw_emit_number(&session->queue, SNW_DO_LAYER, i);
		}
		const int dragged[2] = {(int)i, 0};
		int dropped[2];
		snw_gui_drag("layer", session->document->number, dragged,
					 snw_layer_title(session->registry, layer, title, sizeof title));
		if (snw_gui_dropped("layer", session->document->number, dropped)) {
			snw_emit_number(&session->queue, SNW_DO_LAYER, dropped[0]);
			snw_emit_number(&session->queue, SNW_DO_LAYER_PLACE, i);
		}
		char words[1000], missing[600];
		snprintf(words, sizeof words, "%s%s%s%s",
				 deformer ? snw_method_purpose(deformer->descriptor)
						  : snw_missing_words(session->registry, scene, i, missing, sizeof missing),
				 is_left_out ? " It failed and is left out of the view; press Unmute to try it again." : "",
				 !stale     ? ""
				 : is_baked ? " Bake it again, below: "
							: " Fit it again: ",
				 stale ? stale : "");
		snw_gui_hint(words);
		snw_gui_pop();
	}
	if (scene->layer_count == 0) {
		snw_gui_quiet_text("No layers");
	}
	snw_gui_child_end();
}

/* The picture of a method, left of what follows, and the room that it takes; 0 without one. */
static float draw_method_picture_of(snw_session *session, const snw_plugin_info *info) {
	snw_panel_picture *picture = snw_method_picture(session, info->path);
	const float height = 2.6f * snw_gui_line_height();
	if (!picture) {
		return 0;
	}
	const float width = height * (float)picture->width / (float)picture->height;
	float x, y;
	snw_gui_cursor(&x, &y);
	snw_gui_picture(snw_panel_picture_texture(session->renderer, picture), x, y, width, height);
	return width + snw_gui_line_height() / 2;
}

static void change_layers(snw_session *session) {
	const uint32_t layer = session->state.layer, count = session->document->scene->layer_count;
	const bool chosen = layer < count;
	const bool is_muted = chosen && (session->document->scene->layers[layer].muted || session->document->left_out[layer]);
	snw_panel_button(session, SNW_DO_LAYER_UP, "Up", chosen && layer + 1 < count);
	snw_gui_same_line_for("Down");
	snw_panel_button(session, SNW_DO_LAYER_DOWN, "Down", chosen && layer > 0);
	snw_gui_same_line_for("Unmute");
	snw_panel_button(session, SNW_DO_LAYER_MUTE, is_muted ? "Unmute###Mute" : "Mute###Mute", chosen);
	snw_gui_same_line_for("Delete");
	snw_panel_button(session, SNW_DO_LAYER_REMOVE, "Delete##layer", chosen);
	snw_gui_width(-1);
	if (snw_gui_list_begin("##add-layer", "Add a layer…")) {
		for (uint32_t i = 0; i < snw_registry_count(session->registry); i++) {
			const snw_plugin_info *info = snw_registry_get(session->registry, i);
			if (!info->deformer || snw_proposes_only(info->deformer->descriptor)) {
				continue; /* makes no layer: 'sinew skeleton' or 'sinew bind' runs it */
			}
			const snw_descriptor *descriptor = info->deformer->descriptor;
			const float indent = draw_method_picture_of(session, info);
			snw_gui_indent(indent);
			if (snw_gui_row(descriptor->name, descriptor->traits & SNW_BINDS ? "" : "Needs a fit", false)) {
				snw_emit_text(&session->queue, SNW_DO_LAYER_ADD, descriptor->short_name);
			}
			snw_gui_hint(descriptor->paper[0] ? descriptor->paper : snw_method_purpose(descriptor));
			snw_gui_quiet_text(snw_method_purpose(descriptor));
			snw_gui_indent(-indent);
		}
		snw_gui_list_end();
	} else {
		snw_gui_hint(snw_command_help(SNW_DO_LAYER_ADD));
	}
}

static void show_progress(snw_session *session) {
	char words[200];
	snw_job_thread_progress(session->job_thread, &session->progress);
	const snw_progress *progress = &session->progress;
	if (!progress->label || !progress->is_long) {
		const bool usable = session->document->scene->layer_count > 0 || session->document->scene->example_count > 0;
		snw_gui_disabled_begin(!usable);
		if (snw_gui_button("Fit", true)) {
			snw_emit(&session->queue, SNW_DO_FIT);
		}
		snw_gui_disabled_end();
		snw_gui_hint(snw_command_help(SNW_DO_FIT));
		snw_gui_same_line_for("Measure");
		snw_panel_button(session, SNW_DO_MEASURE, "Measure", session->document->path != NULL);
		snw_gui_same_line_for("Which method?");
		snw_panel_button(session, SNW_DO_COMPARE_METHODS, "Which method?",
						 snw_scene_active_example_count(session->document->scene) > 1);
		return;
	}
	const double remaining = progress->fraction > 0.03 ? progress->seconds * (1 - progress->fraction) / progress->fraction : -1;
	if (remaining >= 0) {
		snprintf(words, sizeof words, "%.0f %%  ·  %.0f s left", 100 * progress->fraction, remaining);
	} else {
		snprintf(words, sizeof words, "%.1f s", progress->seconds);
	}
	snw_gui_progress(progress->fraction, words);
	snw_gui_quiet_text(progress->step[0] ? progress->step : progress->label);
	snw_panel_button(session, SNW_DO_CANCEL, "Cancel", true);
}

/* The titles of a segment's layers, of which it has the names: "morph + mine". */
static void write_layers(const snw_session *session, const char *names, char *words, size_t size) {
	const snw_scene *scene = session->document->scene;
	static const char between[] = " + ";
	size_t used = 0;
	for (const char *name = names; name && used < size;) {
		const char *end = strstr(name, between);
		char text[200], title[200];
		snprintf(text, sizeof text, "%.*s", end ? (int)(end - name) : (int)strlen(name), name);
		const uint32_t layer = snw_scene_find_layer(scene, text);
		const char *shown = layer != SNW_NONE ? snw_layer_title(session->registry, &scene->layers[layer], title, sizeof title)
							: strcmp(text, "morph") == 0 ? "Morph targets"
														 : text;
		used += (size_t)snprintf(words + used, size - used, "%s%s", used > 0 ? between : "", shown);
		name = end ? end + strlen(between) : NULL;
	}
}

static void list_segments(snw_session *session) {
	const snw_document *document = session->document;
	const snw_stack *stack = document->method_count > 0 ? document->methods[0].stack : NULL;
	if (!stack || !snw_gui_section("WHERE IT RUNS")) {
		return;
	}
	for (uint32_t m = 0; m < document->scene->mesh_count; m++) {
		char words[400];
		if (document->scene->mesh_count > 1) {
			snw_gui_quiet_text(document->scene->meshes[m].name);
		}
		for (uint32_t s = 0; s < snw_stack_segment_count(stack, m); s++) {
			const snw_segment_info segment = snw_stack_segment(stack, m, s);
			char titles[360];
			write_layers(session, segment.layers, titles, sizeof titles);
			snprintf(words, sizeof words, "%s  %s", segment.is_program ? "GPU" : "CPU", titles);
			snw_gui_text(words);
			if (!segment.is_program) {
				snw_gui_quiet_text(segment.reason ? segment.reason : "no reason given");
			}
		}
	}
}

void snw_panel_stack(snw_session *session) {
	const snw_scene *scene = session->document->scene;
	if (snw_gui_section("LAYERS")) {
		list_layers(session);
		change_layers(session);
	}
	snw_gui_spacing();
	show_progress(session);
	panel_errors(session); /* the errors before and after the fit */
	if (session->state.layer < scene->layer_count) {
		snw_panel_parameters(session, &scene->layers[session->state.layer]);
	}
	snw_panel_bake(session);
	panel_levels(session);
	list_segments(session);
}

/* ---- samples ------------------------------------------------------------------------------------------------------------- */

/* What the fits of a layer read: the sculpts, the clips that have a target, and which frames of these. What is switched off
 * is held out. The layer keeps the choice (fit/samples.h), and its next fit follows it. */

/* What can be switched, each once. */
typedef struct sample_list {
	snw_arena *arena;
	uint32_t count, chosen_count;
	const char **names; /* as a selection has them */
	const char **notes;
	bool *chosen;
} sample_list;

static void add_sample(sample_list *list, const char *name, const char *note, bool chosen) {
	list->names[list->count] = name;
	list->notes[list->count] = note;
	list->chosen[list->count++] = chosen;
	list->chosen_count += chosen;
}

static bool has_sample(const sample_list *list, const char *name) {
	bool has = false;
	for (uint32_t i = 0; i < list->count; i++) {
		has = has || strcmp(list->names[i], name) == 0;
	}
	return has;
}

static sample_list list_samples(const snw_scene *scene, const snw_layer *layer, uint32_t needs, snw_arena *arena) {
	const size_t most = (size_t)scene->target_count + 1;
	sample_list list = {.arena = arena,
						.names = SNW_NEW_ARRAY(arena, const char *, most),
						.notes = SNW_NEW_ARRAY(arena, const char *, most),
						.chosen = SNW_NEW_ARRAY(arena, bool, most)};
	const uint32_t sculpts = snw_scene_active_example_count(scene);
	if (needs & SNW_NEEDS_SAMPLES && sculpts > 0) {
		add_sample(&list, "examples", snw_arena_format(arena, "%u sculpt%s", sculpts, snw_plural(sculpts)),
				   snw_samples_have_examples(layer->samples));
	}
	for (uint32_t t = 0; t < scene->target_count; t++) {
		const snw_target *target = &scene->targets[t];
		const char *name = snw_samples_target_name(scene, target);
		if (snw_samples_can_have_target(needs, target) && !has_sample(&list, name)) {
			add_sample(&list, name,
					   snw_arena_format(arena, "%u %s%s", target->frame_count, target->is_set ? "pose" : "frame",
										snw_plural(target->frame_count)),
					   snw_samples_have_target(scene, layer->samples, target));
		}
	}
	return list;
}

/* The selection with one of them switched. */
static void switch_sample(snw_session *session, const sample_list *list, uint32_t index) {
	const char *names = "";
	const uint32_t after = list->chosen_count + (list->chosen[index] ? -1u : 1u);
	for (uint32_t i = 0; i < list->count; i++) {
		if (list->chosen[i] != (i == index)) {
			names = snw_arena_format(list->arena, "%s%s%s", names, *names ? "," : "", list->names[i]);
		}
	}
	snw_emit_text(&session->queue, SNW_DO_LAYER_CLIPS, after == list->count ? "all" : names);
}

static void draw_sample(snw_session *session, const sample_list *list, uint32_t index) {
	const bool is_on = list->chosen[index], is_last = is_on && list->chosen_count == 1;
	char text[300];
	snprintf(text, sizeof text, "%.200s##reads", strcmp(list->names[index], "examples") == 0 ? "Sculpts" : list->names[index]);
	snw_gui_disabled_begin(is_last);
	if (snw_gui_switch(text, is_on ? list->notes[index] : "held out", is_on)) {
		switch_sample(session, list, index);
	}
	snw_gui_disabled_end();
	snw_gui_hint(is_last ? "A fit needs something to read: switch another one on first."
				 : is_on ? "The fit reads it. Switch it off to hold it out: Measure then shows the error where nothing was "
						   "learned."
						 : "Held out: Measure shows the error there, where nothing was learned.");
}

static void emit_frames(snw_session *session, snw_frame_rule rule, uint32_t number) {
	char text[40];
	snprintf(text, sizeof text, rule == SNW_FRAMES_ALL ? "all" : "%s:%u", rule == SNW_FRAMES_EVERY ? "every" : "cover", number);
	snw_emit_text(&session->queue, SNW_DO_LAYER_FRAMES, text);
}

static void draw_frame_choice(snw_session *session, const snw_layer *layer) {
	enum { FIRST_EVERY = 4, FIRST_COVER = 16, MOST_FRAMES = 100000 };
	static const char *const labels[] = {"All frames", "Every n-th", "Best n"};
	static const char *const hints[] = {"The fit reads every frame.", "The fit reads one frame of each n.",
										"The fit reads the n frames of each clip that cover its poses best."};
	const snw_frame_choice choice = snw_samples_frames(layer->samples);
	uint32_t rule = choice.rule;
	if (snw_gui_choice(labels, hints, 3, &rule)) {
		emit_frames(session, (snw_frame_rule)rule, rule == SNW_FRAMES_EVERY ? FIRST_EVERY : FIRST_COVER);
	}
	if (choice.rule == SNW_FRAMES_ALL) {
		return;
	}
	const snw_number kind = {.least = 1,
							 .most = MOST_FRAMES,
							 .step = 0.1,
							 .is_whole = true,
							 .format = choice.rule == SNW_FRAMES_EVERY ? "every %.0f" : "%.0f frames"};
	double number = choice.number;
	snw_gui_width(-1);
	if (snw_gui_number("##frames-read", &kind, &number) == SNW_EDIT_DONE) {
		emit_frames(session, choice.rule, (uint32_t)number);
	}
	snw_gui_hint(hints[choice.rule]);
}

/* Methods that learn from sculpts alone read all that are not muted. */
static void write_sculpts(const snw_scene *scene) {
	const uint32_t active = snw_scene_active_example_count(scene), muted = scene->example_count - active;
	char words[120], rest[60] = "";
	if (muted > 0) {
		snprintf(rest, sizeof rest, "; %u muted, held out", muted);
	}
	snprintf(words, sizeof words, "The fit reads %u sculpt%s%s", active, snw_plural(active), rest);
	snw_gui_quiet_text(words);
	snw_gui_hint("To hold a sculpt out of the fits of all layers, mute it in the Shape tab.");
}

void snw_panel_samples(snw_session *session, const snw_layer *layer) {
	const snw_scene *scene = session->document->scene;
	const snw_deformer *deformer = snw_registry_find(session->registry, layer->deformer);
	const uint32_t needs = deformer ? deformer->descriptor->needs : 0;
	if (snw_layer_is_baked(layer)) {
		return;
	}
	if (needs & SNW_NEEDS_EXAMPLES) {
		write_sculpts(scene);
	}
	snw_arena *arena = snw_arena_create();
	const sample_list list = list_samples(scene, layer, needs, arena);
	if (list.count > 0) {
		snw_gui_quiet_text("The fit reads");
		for (uint32_t i = 0; i < list.count; i++) {
			snw_gui_push((int)i);
			draw_sample(session, &list, i);
			snw_gui_pop();
		}
	}
	if (list.count > 1 || (list.count == 1 && strcmp(list.names[0], "examples") != 0)) {
		draw_frame_choice(session, layer);
	}
	snw_arena_destroy(arena);
}
