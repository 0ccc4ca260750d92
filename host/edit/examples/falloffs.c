/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "edit/examples/falloffs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "file/file.h"
#include "fit/sculpt_reference.h"
#include "parameter/parameters.h"

static const snw_group_falloff built_in[] = {
	{"steady", "kernel=cone width=0", false},
	{"steady-narrow", "kernel=cone width=0.5", false},
	{"steady-wide", "kernel=cone width=1.6", false},
	{"bell", "kernel=gaussian width=0", false},
	{"bell-narrow", "kernel=gaussian width=0.4", false},
	{"bell-wide", "kernel=gaussian width=1.2", false},
	{"linear", "kernel=linear width=0", false},
	{"thin-plate", "kernel=thin-plate width=0", false},
};
enum { BUILT_IN = sizeof built_in / sizeof *built_in };

/* What a falloff sets. */
static const char *const keys[] = {"kernel", "width"};
enum { KEYS = 2 };

/* ---- the file ------------------------------------------------------------------------------------------------------------ */

const char *snw_group_falloffs_path(snw_arena *arena) {
	const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
	if (config && config[0] == '/') {
		return snw_arena_format(arena, "%s/sinew/falloffs", config);
	}
	return home && home[0] ? snw_arena_format(arena, "%s/.config/sinew/falloffs", home) : NULL;
}

static bool is_built_in(const char *name) {
	bool is_found = false;
	for (int i = 0; i < BUILT_IN; i++) {
		is_found = is_found || strcmp(built_in[i].name, name) == 0;
	}
	return is_found;
}

/* Empty without a file. */
static snw_status read_file(const char *path, snw_arena *arena, snw_bytes *bytes, snw_error *error) {
	*bytes = (snw_bytes){0};
	return path && snw_file_exists(path) ? snw_file_read(path, arena, bytes, error) : SNW_OK;
}

snw_group_falloff *snw_group_falloffs_read(const char *path, snw_arena *arena, uint32_t *count) {
	snw_bytes bytes;
	(void)read_file(path, arena, &bytes, NULL);
	size_t lines = 1;
	for (size_t i = 0; i < bytes.count; i++) {
		lines += bytes.data[i] == '\n';
	}
	snw_group_falloff *list = SNW_NEW_ARRAY(arena, snw_group_falloff, BUILT_IN + lines);
	memcpy(list, built_in, sizeof built_in);
	*count = BUILT_IN;
	char *rest = bytes.count > 0 ? snw_arena_text(arena, (const char *)bytes.data) : NULL, *line;
	while (rest && (line = strsep(&rest, "\n")) != NULL) {
		const size_t length = strcspn(line, " ");
		if (length > 0 && line[length] == ' ' && strchr(line + length, '=')) {
			line[length] = '\0';
			list[(*count)++] = (snw_group_falloff){line, line + length + 1, true};
		}
	}
	return list;
}

/* Every line but those of a name: also what this program does not understand, which a later one or a person has written. */
static void write_other_lines(const snw_bytes *bytes, const char *name, FILE *stream) {
	const char *line = (const char *)bytes->data, *end = line + bytes->count;
	const size_t length = strlen(name);
	while (bytes->count > 0 && line < end) {
		const char *newline = memchr(line, '\n', (size_t)(end - line));
		const size_t count = (size_t)((newline ? newline : end) - line);
		const bool has_name = count > length && line[length] == ' ' && memcmp(line, name, length) == 0;
		if (!has_name) {
			fwrite(line, 1, count, stream);
			fputc('\n', stream);
		}
		line += count + 1;
	}
}

snw_status snw_group_falloff_save(const char *path, const char *name, const char *settings, snw_error *error) {
	if (!name[0] || strpbrk(name, " \t\n\r") || is_built_in(name)) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "%s: %s", name,
						is_built_in(name) ? "a falloff that comes with the program has this name; choose another"
										  : "a falloff needs a name without blanks");
	}
	snw_arena *scratch = snw_arena_create();
	snw_bytes bytes;
	snw_file_write *file;
	mkdir(snw_path_folder(snw_path_folder(path, scratch), scratch), 0777);
	mkdir(snw_path_folder(path, scratch), 0777);
	snw_status status = read_file(path, scratch, &bytes, error);
	status = snw_failed(status) ? status : snw_file_write_begin(path, &file, error);
	if (!snw_failed(status)) {
		write_other_lines(&bytes, name, snw_file_write_stream(file));
		fprintf(snw_file_write_stream(file), "%s %s\n", name, settings);
		status = snw_file_write_commit(file, error);
	}
	snw_arena_destroy(scratch);
	return status;
}

/* ---- groups -------------------------------------------------------------------------------------------------------------- */

/* The layer that learns from sculpts, and its method; NULL if it has no falloff for groups. */
static const snw_descriptor *find_layer(const snw_scene *scene, const snw_registry *registry, uint32_t *layer) {
	*layer = snw_reference_layer(scene, registry);
	const snw_deformer *deformer = *layer == SNW_NONE ? NULL : snw_registry_find(registry, scene->layers[*layer].deformer);
	const bool has_both = deformer && snw_parameter_of_key(deformer->descriptor, "kernel@x", NULL) != SNW_NONE &&
						  snw_parameter_of_key(deformer->descriptor, "width@x", NULL) != SNW_NONE;
	return has_both ? deformer->descriptor : NULL;
}

static const snw_value *find_value(const snw_layer *layer, const char *key) {
	for (uint32_t i = 0; i < layer->setting_count; i++) {
		if (strcmp(layer->settings[i].key, key) == 0) {
			return &layer->settings[i].value;
		}
	}
	return NULL;
}

const char *snw_group_falloff_of(const snw_scene *scene, const snw_registry *registry, uint32_t group, snw_arena *arena) {
	uint32_t index;
	const snw_descriptor *descriptor = find_layer(scene, registry, &index);
	const char *text = "";
	for (int k = 0; k < KEYS && descriptor; k++) {
		const snw_parameter *parameter = descriptor->parameters[snw_parameter_of_key(descriptor, keys[k], NULL)];
		const char *scoped_key = snw_arena_format(arena, "%s@%s", keys[k], scene->groups[group].name);
		const snw_value *value = find_value(&scene->layers[index], scoped_key);
		value = value ? value : find_value(&scene->layers[index], keys[k]);
		char number[40];
		snprintf(number, sizeof number, "%.6g", value ? value->numbers[0] : parameter->initial.numbers[0]);
		const char *word = parameter->kind == SNW_PARAMETER_CHOICE
							   ? snw_parameter_text(parameter, value ? value : &parameter->initial, arena)
							   : number;
		text = snw_arena_format(arena, "%s%s%s=%s", text, k > 0 ? " " : "", keys[k], word);
	}
	return descriptor ? text : NULL;
}

static bool is_replaced(const char *key, const char *group) {
	const char *at = strchr(key, '@');
	bool is_key = false;
	for (int k = 0; k < KEYS && at; k++) {
		is_key = is_key || (strlen(keys[k]) == (size_t)(at - key) && strncmp(key, keys[k], (size_t)(at - key)) == 0);
	}
	return is_key && strcmp(at + 1, group) == 0;
}

/* Sets a key, which a layer has once: a saved falloff may have others than `keys`, and one twice. */
static void put_setting(snw_layer *layer, snw_setting *settings, const snw_setting *setting) {
	uint32_t at = 0;
	while (at < layer->setting_count && strcmp(settings[at].key, setting->key) != 0) {
		at++;
	}
	settings[at] = *setting;
	layer->setting_count += at == layer->setting_count;
}

/* The settings of a falloff for one group. */
static snw_status put_settings(const snw_descriptor *descriptor, const char *group, const char *text, snw_arena *arena,
							   snw_layer *layer, snw_setting *settings, snw_error *error) {
	char *rest = snw_arena_text(arena, text), *word;
	snw_status status = SNW_OK;
	while (!snw_failed(status) && (word = strsep(&rest, " ")) != NULL) {
		const size_t length = strcspn(word, "=");
		if (word[length] != '=' || layer->setting_count >= UINT32_MAX - 1) {
			continue;
		}
		const char *line = snw_arena_format(arena, "%.*s@%s%s", (int)length, word, group, word + length);
		uint32_t index;
		snw_setting setting;
		status = snw_parameter_parse(descriptor, line, &index, &setting.value, error);
		setting.key = snw_arena_format(arena, "%.*s@%s", (int)length, word, group);
		if (!snw_failed(status)) {
			put_setting(layer, settings, &setting);
		}
	}
	return status;
}

snw_status snw_project_put_group_falloff(snw_project *project, const snw_scene *scene, const snw_registry *registry,
										 uint32_t group, const snw_group_falloff *falloff, snw_error *error) {
	uint32_t index;
	const snw_descriptor *descriptor = find_layer(scene, registry, &index);
	const char *name = scene->groups[group].name;
	if (!descriptor) {
		return snw_fail(error, SNW_ERROR_MISSING, "no layer learns from sculpts with a falloff for each group; fit one first");
	}
	snw_arena *scratch = snw_arena_create();
	const snw_layer *old = &scene->layers[index];
	snw_layer layer = *old;
	snw_setting *settings = SNW_NEW_ARRAY(scratch, snw_setting, old->setting_count + strlen(falloff->settings) + 1);
	layer.setting_count = 0;
	for (uint32_t i = 0; i < old->setting_count; i++) {
		if (!is_replaced(old->settings[i].key, name)) {
			settings[layer.setting_count++] = old->settings[i];
		}
	}
	int64_t id;
	snw_status status = put_settings(descriptor, name, falloff->settings, scratch, &layer, settings, error);
	layer.settings = settings;
	status =
		snw_failed(status)
			? status
			: snw_project_put_layer(project, &layer, old->model == SNW_NONE ? 0 : scene->models[old->model].id, -1, &id, error);
	snw_arena_destroy(scratch);
	return status;
}
