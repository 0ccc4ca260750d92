/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The stack, topmost layer first: its layers, where each runs, their parameters, and fitting.
 */
#include <stdio.h>
#include <string.h>

#include "fit/stale.h"
#include "plugin/registry.h"
#include "window/document/titles.h"
#include "window/panels/panels.h"
#include "window/session/method_pictures.h"

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
	snw_panel_errors(session); /* the errors before and after the fit */
	if (session->state.layer < scene->layer_count) {
		snw_panel_parameters(session, &scene->layers[session->state.layer]);
	}
	snw_panel_bake(session);
	snw_panel_levels(session);
	list_segments(session);
}
