/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fit/samples.h"

#include <string.h>

#include "pose/clip_times.h"

#define EXAMPLES "examples"
#define POSES "\tposes"
enum { FRAMES_MARK = '\t' }; /* what a line about frames begins with */

/* Returns the length of the next line and advances past it. 0 at the end. */
static size_t next_line(const char **at, const char **line) {
	*line = *at;
	const size_t length = strcspn(*at, "\n");
	*at += length + ((*at)[length] == '\n');
	return length;
}

static bool has_line(const char *samples, const char *name) {
	const char *at = samples, *line;
	for (size_t length; (length = next_line(&at, &line)) > 0;) {
		if (strlen(name) == length && memcmp(name, line, length) == 0) {
			return true;
		}
	}
	return false;
}

/* Whether it selects by name; otherwise everything is selected. */
static bool has_names(const char *samples) {
	const char *at = samples ? samples : "", *line;
	while (next_line(&at, &line) > 0) {
		if (line[0] != FRAMES_MARK) {
			return true;
		}
	}
	return false;
}

bool snw_samples_have_examples(const char *samples) {
	return !has_names(samples) || has_line(samples, EXAMPLES);
}

snw_frame_choice snw_samples_frames(const char *samples) {
	const char *mark = samples ? strchr(samples, FRAMES_MARK) : NULL;
	snw_frame_choice choice = {0};
	return mark && !snw_failed(snw_frame_choice_parse(mark + 1, &choice, NULL)) ? choice : (snw_frame_choice){0};
}

bool snw_samples_are_poses(const char *samples) {
	return samples && has_line(samples, POSES);
}

bool snw_samples_have_clip(const char *samples, const char *clip) {
	return samples && has_line(samples, clip);
}

const char *snw_samples_of_poses(const snw_scene *scene, uint32_t clip_count, const uint32_t *clips, snw_arena *arena) {
	const char *samples = "";
	for (uint32_t i = 0; i < clip_count; i++) {
		samples = snw_arena_format(arena, "%s%s\n", samples, scene->clips[clips[i]].name);
	}
	return snw_arena_format(arena, "%s%s", samples, POSES);
}

const char *snw_samples_note(const char *samples, const char *key, uint32_t i, snw_arena *arena) {
	const char *at = samples ? samples : "", *line;
	const size_t key_length = strlen(key);
	for (size_t length; (length = next_line(&at, &line)) > 0;) {
		const bool has_key = line[0] == FRAMES_MARK && length > key_length + 1 && line[key_length + 1] == ' ' &&
							 memcmp(line + 1, key, key_length) == 0;
		if (has_key && i-- == 0) {
			return snw_arena_format(arena, "%.*s", (int)(length - key_length - 2), line + key_length + 2);
		}
	}
	return NULL;
}

const char *snw_samples_add_note(const char *samples, const char *key, const char *value, snw_arena *arena) {
	return snw_arena_format(arena, "%s\n%c%s %s", samples, FRAMES_MARK, key, value);
}

/* The lines of names: all but the last if that is about frames. */
static const char *names_of(const char *samples, snw_arena *arena) {
	const char *mark = samples ? strchr(samples, FRAMES_MARK) : NULL;
	const size_t length = mark == NULL ? (samples ? strlen(samples) : 0) : mark > samples ? (size_t)(mark - samples) - 1 : 0;
	return snw_arena_format(arena, "%.*s", (int)length, samples ? samples : "");
}

const char *snw_samples_with_frames(const char *samples, snw_frame_choice choice, snw_arena *arena) {
	const char *names = names_of(samples, arena);
	if (choice.rule == SNW_FRAMES_ALL) {
		return *names ? names : NULL;
	}
	return snw_arena_format(arena, "%s%s%c%s", names, *names ? "\n" : "", FRAMES_MARK, snw_frame_choice_text(choice, arena));
}

const char *snw_samples_with_names(const char *samples, const char *names, snw_arena *arena) {
	const char *combined = snw_samples_with_frames(names, snw_samples_frames(samples), arena);
	return combined ? combined : "";
}

bool snw_samples_include_examples(uint32_t needs, const char *samples) {
	return (needs & SNW_NEEDS_EXAMPLES) || ((needs & SNW_NEEDS_SAMPLES) && snw_samples_have_examples(samples));
}

const char *snw_samples_target_name(const snw_scene *scene, const snw_target *target) {
	const uint32_t clip = snw_target_clip(scene, target);
	return clip == SNW_NONE ? target->name : scene->clips[clip].name;
}

bool snw_samples_have_target(const snw_scene *scene, const char *samples, const snw_target *target) {
	return !has_names(samples) || has_line(samples, snw_samples_target_name(scene, target));
}

bool snw_samples_can_have_target(uint32_t needs, const snw_target *target) {
	const uint32_t of_kind = target->clip == SNW_NONE ? SNW_NEEDS_SEQUENCE : SNW_NEEDS_TARGETS;
	return needs & (of_kind | SNW_NEEDS_SAMPLES | SNW_NEEDS_FRAMES);
}

bool snw_samples_hold_out(const snw_scene *scene, const snw_registry *registry, const snw_target *target) {
	bool is_left_out = false, is_read = false;
	for (uint32_t i = 0; i < scene->layer_count; i++) {
		const snw_layer *layer = &scene->layers[i];
		const snw_deformer *deformer = snw_registry_find(registry, layer->deformer);
		if (deformer && layer->model != SNW_NONE && !layer->muted &&
			snw_samples_can_have_target(deformer->descriptor->needs, target)) {
			const bool has = snw_samples_have_target(scene, layer->samples, target);
			is_read = is_read || has;
			is_left_out = is_left_out || !has;
		}
	}
	return is_left_out && !is_read;
}

/* ---- checking ------------------------------------------------------------------------------------------------------------ */

static bool can_read(const snw_scene *scene, const snw_descriptor *descriptor, const char *line, size_t length) {
	if (length == strlen(EXAMPLES) && memcmp(line, EXAMPLES, length) == 0) {
		return (descriptor->needs & SNW_NEEDS_SAMPLES) && snw_scene_active_example_count(scene) > 0;
	}
	for (uint32_t t = 0; t < scene->target_count; t++) {
		const char *name = snw_samples_target_name(scene, &scene->targets[t]);
		if (snw_samples_can_have_target(descriptor->needs, &scene->targets[t]) && strlen(name) == length &&
			memcmp(name, line, length) == 0) {
			return true;
		}
	}
	return false;
}

snw_status snw_samples_check(const snw_scene *scene, const snw_descriptor *descriptor, const char *samples, snw_error *error) {
	const uint32_t frames = SNW_NEEDS_SEQUENCE | SNW_NEEDS_TARGETS | SNW_NEEDS_SAMPLES | SNW_NEEDS_FRAMES;
	if (samples && !(descriptor->needs & frames)) {
		return snw_fail(error, SNW_ERROR_ARGUMENT,
						"%s reads no clips; remove --clip and --frames, and mute an example to hold it out",
						descriptor->short_name);
	}
	const char *at = samples ? samples : "", *line;
	for (size_t length; (length = next_line(&at, &line)) > 0;) {
		if (line[0] != FRAMES_MARK && !can_read(scene, descriptor, line, length)) {
			return snw_fail(
				error, SNW_ERROR_ARGUMENT,
				"%s cannot be fitted to '%.*s': no sequence or clip with a target has that name; 'sinew info' lists them, "
				"'sinew fit --clip all' selects all",
				descriptor->short_name, (int)length, line);
		}
	}
	return SNW_OK;
}

/* ---- frames -------------------------------------------------------------------------------------------------------------- */

/* The samples of the layer that made a field. Fields are named "LAYER.NAME"; layer names may contain dots. */
static const char *samples_of_field(const snw_scene *scene, const snw_field *field) {
	const char *samples = NULL;
	size_t longest = 0;
	for (uint32_t i = 0; i < scene->layer_count; i++) {
		const char *name = scene->layers[i].name;
		const size_t length = strlen(name);
		if (length > longest && strncmp(field->name, name, length) == 0 && field->name[length] == '.') {
			longest = length;
			samples = scene->layers[i].samples;
		}
	}
	return samples;
}

uint32_t snw_samples_first_frame(const snw_scene *scene, const snw_field *field, uint32_t target) {
	const char *samples = samples_of_field(scene, field);
	if (snw_samples_frames(samples).rule != SNW_FRAMES_ALL) {
		return SNW_NONE; /* its values are those of some frames alone */
	}
	uint64_t count = 0, first = SNW_NONE;
	for (int of_clips = 0; of_clips < 2; of_clips++) { /* sequences come first */
		for (uint32_t t = 0; t < scene->target_count; t++) {
			if ((scene->targets[t].clip != SNW_NONE) == of_clips &&
				snw_samples_have_target(scene, samples, &scene->targets[t])) {
				first = t == target ? count : first;
				count += scene->targets[t].frame_count;
			}
		}
	}
	return count == field->count ? (uint32_t)first : SNW_NONE;
}

/* ---- text ---------------------------------------------------------------------------------------------------------------- */

/* The length of the longest clip name at the start of `text` that ends at a comma or the end; otherwise up to the next
 * comma. */
static size_t name_length(const snw_scene *scene, const char *text) {
	size_t longest = strcspn(text, ",");
	for (uint32_t t = 0; t < scene->target_count; t++) {
		const char *name = snw_samples_target_name(scene, &scene->targets[t]);
		const size_t length = strlen(name);
		if (length > longest && strncmp(text, name, length) == 0 && (text[length] == ',' || text[length] == 0)) {
			longest = length;
		}
	}
	return longest;
}

const char *snw_samples_parse(const snw_scene *scene, const char *text, snw_arena *arena) {
	const char *samples = "";
	while (*text) {
		const size_t length = name_length(scene, text);
		if (length > 0) {
			samples = snw_arena_format(arena, "%s%s%.*s", samples, *samples ? "\n" : "", (int)length, text);
		}
		text += length + (text[length] == ',');
	}
	return samples;
}

const char *snw_samples_text(const char *samples, snw_arena *arena) {
	char *text = snw_arena_text(arena, names_of(samples, arena));
	if (!*text) {
		return "all";
	}
	for (char *at = strchr(text, '\n'); at; at = strchr(at, '\n')) {
		*at = ',';
	}
	return text;
}
