/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "example/falloffs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "file/file.h"
#include "fit/sculpt_reference.h"
#include "parameter/parameters.h"
#include "plugin/deformer_calls.h"

/* ---- the file ------------------------------------------------------------------------------------------------------------ */

const char *snw_group_falloffs_path(snw_arena *arena) {
	const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
	if (config && config[0] == '/') {
		return snw_arena_format(arena, "%s/sinew/falloffs", config);
	}
	return home && home[0] ? snw_arena_format(arena, "%s/.config/sinew/falloffs", home) : NULL;
}

static bool has_name(const snw_group_falloffs *falloffs, const char *name) {
	bool is_found = false;
	for (uint32_t i = 0; falloffs && i < falloffs->count; i++) {
		is_found = is_found || strcmp(falloffs->names[i], name) == 0;
	}
	return is_found;
}

/* Empty without a file. */
static snw_status read_falloffs(const char *path, snw_arena *arena, snw_bytes *bytes, snw_error *error) {
	*bytes = (snw_bytes){0};
	return path && snw_file_exists(path) ? snw_file_read(path, arena, bytes, error) : SNW_OK;
}

snw_group_falloff *snw_group_falloffs_list(const snw_group_falloffs *of_method, const char *path, snw_arena *arena,
										   uint32_t *count) {
	snw_bytes bytes;
	(void)read_falloffs(path, arena, &bytes, NULL);
	size_t lines = 1;
	for (size_t i = 0; i < bytes.count; i++) {
		lines += bytes.data[i] == '\n';
	}
	*count = of_method ? of_method->count : 0;
	snw_group_falloff *list = SNW_NEW_ARRAY(arena, snw_group_falloff, *count + lines);
	for (uint32_t i = 0; i < *count; i++) {
		list[i] = (snw_group_falloff){of_method->names[i], of_method->settings[i], false};
	}
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
		const bool is_of_name = count > length && line[length] == ' ' && memcmp(line, name, length) == 0;
		if (!is_of_name) {
			fwrite(line, 1, count, stream);
			fputc('\n', stream);
		}
		line += count + 1;
	}
}

snw_status snw_group_falloff_save(const char *path, const snw_group_falloffs *of_method, const char *name, const char *settings,
								  snw_error *error) {
	if (!name[0] || strpbrk(name, " \t\n\r")) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "%s: a falloff needs a name without blanks", name);
	}
	if (has_name(of_method, name)) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "%s: a falloff of the method has this name; choose a different one", name);
	}
	snw_arena *scratch = snw_arena_create();
	snw_bytes bytes;
	snw_file_write *file;
	mkdir(snw_path_folder(snw_path_folder(path, scratch), scratch), 0777);
	mkdir(snw_path_folder(path, scratch), 0777);
	snw_status status = read_falloffs(path, scratch, &bytes, error);
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

/* The layer that learns from sculpts, if its method has falloffs for groups; else there is no descriptor. */
typedef struct learning_layer {
	uint32_t index;
	const snw_descriptor *descriptor;
	const snw_group_falloffs *falloffs;
	uint32_t key_count;
	const char *const *keys; /* of the parameters that a falloff sets */
} learning_layer;

/* Those of "KEY=VALUE KEY=VALUE". */
static const char *const *list_keys(const char *settings, snw_arena *arena, uint32_t *count) {
	char *rest = snw_arena_text(arena, settings), *word;
	const char **keys = SNW_NEW_ARRAY(arena, const char *, strlen(settings) + 1);
	*count = 0;
	while ((word = strsep(&rest, " ")) != NULL) {
		word[strcspn(word, "=")] = '\0';
		if (word[0]) {
			keys[(*count)++] = word;
		}
	}
	return keys;
}

static learning_layer find_layer(const snw_scene *scene, const snw_registry *registry, snw_arena *arena) {
	learning_layer found = {.index = snw_reference_layer(scene, registry)};
	const snw_deformer *deformer =
		found.index == SNW_NONE ? NULL : snw_registry_find(registry, scene->layers[found.index].deformer);
	const snw_group_falloffs *falloffs = deformer ? snw_deformer_extension(deformer, SNW_GROUP_FALLOFFS) : NULL;
	if (!falloffs || falloffs->count == 0) {
		return found;
	}
	found.falloffs = falloffs;
	found.descriptor = deformer->descriptor;
	found.keys = list_keys(falloffs->settings[0], arena, &found.key_count);
	for (uint32_t k = 0; k < found.key_count; k++) {
		const char *of_group = snw_arena_format(arena, "%s@x", found.keys[k]);
		if (snw_parameter_of_key(deformer->descriptor, of_group, NULL) == SNW_NONE) {
			return (learning_layer){.index = found.index};
		}
	}
	return found;
}

const snw_group_falloffs *snw_group_falloffs_of_method(const snw_scene *scene, const snw_registry *registry) {
	snw_arena *scratch = snw_arena_create();
	const snw_group_falloffs *falloffs = find_layer(scene, registry, scratch).falloffs;
	snw_arena_destroy(scratch);
	return falloffs;
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
	const learning_layer found = find_layer(scene, registry, arena);
	const char *text = "";
	for (uint32_t k = 0; k < found.key_count; k++) {
		const char *key = found.keys[k];
		const snw_layer *layer = &scene->layers[found.index];
		const snw_parameter *parameter = found.descriptor->parameters[snw_parameter_of_key(found.descriptor, key, NULL)];
		const char *scoped_key = snw_arena_format(arena, "%s@%s", key, scene->groups[group].name);
		const snw_value *value = find_value(layer, scoped_key);
		value = value ? value : find_value(layer, key);
		char number[40];
		snprintf(number, sizeof number, "%.6g", value ? value->numbers[0] : parameter->initial.numbers[0]);
		const char *word = parameter->kind == SNW_PARAMETER_CHOICE
							   ? snw_parameter_text(parameter, value ? value : &parameter->initial, arena)
							   : number;
		text = snw_arena_format(arena, "%s%s%s=%s", text, k > 0 ? " " : "", key, word);
	}
	return found.descriptor ? text : NULL;
}

static bool is_replaced(const learning_layer *found, const char *key, const char *group) {
	const char *at = strchr(key, '@');
	bool is_key = false;
	for (uint32_t k = 0; k < found->key_count && at; k++) {
		const size_t length = strlen(found->keys[k]);
		is_key = is_key || (length == (size_t)(at - key) && strncmp(key, found->keys[k], length) == 0);
	}
	return is_key && strcmp(at + 1, group) == 0;
}

/* Sets a key, which a layer has once: a saved falloff may have others than those of the method, and one twice. */
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
	snw_arena *scratch = snw_arena_create();
	const learning_layer found = find_layer(scene, registry, scratch);
	const char *name = scene->groups[group].name;
	if (!found.descriptor) {
		snw_arena_destroy(scratch);
		return snw_fail(error, SNW_ERROR_MISSING, "no layer learns from sculpts with a falloff for each group; fit one first");
	}
	const snw_layer *old = &scene->layers[found.index];
	snw_layer layer = *old;
	snw_setting *settings = SNW_NEW_ARRAY(scratch, snw_setting, old->setting_count + strlen(falloff->settings) + 1);
	layer.setting_count = 0;
	for (uint32_t i = 0; i < old->setting_count; i++) {
		if (!is_replaced(&found, old->settings[i].key, name)) {
			settings[layer.setting_count++] = old->settings[i];
		}
	}
	int64_t id;
	snw_status status = put_settings(found.descriptor, name, falloff->settings, scratch, &layer, settings, error);
	layer.settings = settings;
	status =
		snw_failed(status)
			? status
			: snw_project_put_layer(project, &layer, old->model == SNW_NONE ? 0 : scene->models[old->model].id, -1, &id, error);
	snw_arena_destroy(scratch);
	return status;
}
