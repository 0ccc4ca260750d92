/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the fits of a layer read: the sculpts, the clips that have a target, and which frames of these. What is switched off is
 * held out. The layer keeps the choice (fit/samples.h), and its next fit follows it.
 */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "fit/samples.h"
#include "fit/stale.h"
#include "window/panels/panels.h"

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
