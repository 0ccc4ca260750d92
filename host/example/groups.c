/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "example/groups.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "file/file.h"
#include "fit/samples.h"
#include "parameter/parameters.h"
#include "plugin/registry.h"
#include "pose/pose.h"
#include "sinew/algebra.h"

/* ---- groups -------------------------------------------------------------------------------------------------------------- */

static const double SAME_ANGLE = 0.02; /* radians */

/* ---- lists --------------------------------------------------------------------------------------------------------------- */

snw_group snw_group_copy(const snw_scene *scene, uint32_t group, snw_arena *arena) {
	const snw_group none = {0}, *from = group == SNW_NONE ? &none : &scene->groups[group];
	snw_group copy = *from;
	snw_member *members = SNW_NEW_ARRAY(arena, snw_member, (size_t)from->member_count + 1);
	uint32_t *joints = SNW_NEW_ARRAY(arena, uint32_t, (size_t)from->joint_count + 1);
	for (uint32_t i = 0; i < from->member_count; i++) {
		members[i] = from->members[i];
	}
	for (uint32_t i = 0; i < from->joint_count; i++) {
		joints[i] = from->joints[i];
	}
	copy.name = snw_arena_text(arena, from->name);
	copy.members = members;
	copy.joints = joints;
	return copy;
}

uint32_t snw_group_member(const snw_group *group, uint32_t example) {
	for (uint32_t i = 0; i < group->member_count; i++) {
		if (group->members[i].example == example) {
			return i;
		}
	}
	return SNW_NONE;
}

void snw_group_leave(snw_group *copy, uint32_t member) {
	snw_member *members = (snw_member *)(uintptr_t)copy->members;
	copy->member_count--;
	memmove(members + member, members + member + 1, (copy->member_count - member) * sizeof *members);
}

snw_status snw_project_put_group_of(snw_project *project, const snw_scene *scene, const snw_group *group, int64_t *id,
									snw_error *error) {
	snw_arena *scratch = snw_arena_create();
	int64_t *examples = SNW_NEW_ARRAY(scratch, int64_t, group->member_count);
	int64_t *masks = SNW_NEW_ARRAY(scratch, int64_t, group->member_count), unused;
	for (uint32_t i = 0; i < group->member_count; i++) {
		const snw_member *member = &group->members[i];
		examples[i] = scene->examples[member->example].id;
		masks[i] = member->mask == SNW_NONE ? 0 : scene->fields[member->mask].id;
	}
	const snw_status status = snw_project_put_group(project, group, examples, masks, id ? id : &unused, error);
	snw_arena_destroy(scratch);
	return status;
}

/* ---- the group of an example --------------------------------------------------------------------------------------------- */

static bool is_driven_as(const snw_group *group, const snw_group_choice *choice) {
	bool are_all = group->joint_count == choice->joint_count;
	for (uint32_t i = 0; are_all && i < choice->joint_count; i++) {
		const uint32_t *joints = group->joints;
		are_all = joints[0] == choice->joints[i] || joints[group->joint_count - 1] == choice->joints[i]; /* of one or two */
	}
	return are_all;
}

/* Of this name, if the method chooses its joints. */
static uint32_t find_free_group(const snw_scene *scene, const char *name) {
	const uint32_t named = snw_scene_find_group(scene, name);
	return named != SNW_NONE && scene->groups[named].joint_count == 0 ? named : SNW_NONE;
}

/* The group with just these joints; else the one of that name, or of the joint's, if the method chooses its joints. */
static uint32_t find_group(const snw_scene *scene, const snw_group_choice *choice) {
	for (uint32_t g = 0; g < scene->group_count && choice->joint_count > 0; g++) {
		if (is_driven_as(&scene->groups[g], choice)) {
			return g;
		}
	}
	const uint32_t named = find_free_group(scene, choice->name);
	return named == SNW_NONE && choice->joint_count == 1 ? find_free_group(scene, scene->skeleton.names[choice->joints[0]])
														 : named;
}

/* How far a joint is rotated between two poses, radians. */
static double angle_between(const snw_pose *one, const snw_pose *other, uint32_t joint) {
	double gap[3];
	for (size_t c = 0; c < 3; c++) {
		gap[c] = one->rotation_vectors[3 * (size_t)joint + c] - other->rotation_vectors[3 * (size_t)joint + c];
	}
	return snw_length3(gap);
}

/* The member on the mesh that the joints cannot tell from the pose. */
static uint32_t find_twin(const snw_scene *scene, const snw_group_choice *choice, uint32_t mesh, const snw_pose *pose,
						  uint32_t except) {
	const snw_group none = {0}, *group = choice->group == SNW_NONE ? &none : &scene->groups[choice->group];
	for (uint32_t m = 0; m < group->member_count && choice->joint_count > 0; m++) {
		const snw_example *example = &scene->examples[group->members[m].example];
		double most = 0;
		for (uint32_t k = 0; k < choice->joint_count; k++) {
			most = fmax(most, angle_between(pose, &scene->poses[example->pose], choice->joints[k]));
		}
		if (group->members[m].example != except && example->mesh == mesh && most <= SAME_ANGLE) {
			return group->members[m].example;
		}
	}
	return SNW_NONE;
}

snw_group_choice snw_choose_group(const snw_scene *scene, uint32_t mesh, const snw_pose *pose, uint32_t example,
								  uint32_t joint_count, const uint32_t *joints, snw_arena *arena) {
	snw_group_choice first = {.twin = SNW_NONE};
	for (uint32_t k = 0; k == 0 || k < joint_count; k++) {
		snw_group_choice next = {.joint_count = joint_count == 0 ? 0 : k == 0 ? 1 : 2, .name = "main"};
		for (uint32_t i = 0; i < next.joint_count; i++) {
			next.joints[i] = joints[i == 0 ? 0 : k];
		}
		if (joint_count > 0) {
			const char *one = snw_joint_title(&scene->skeleton, joints[0], arena);
			next.name =
				k == 0 ? one : snw_arena_format(arena, "%s + %s", one, snw_joint_title(&scene->skeleton, joints[k], arena));
		}
		next.group = find_group(scene, &next);
		next.name =
			snw_arena_text(arena, next.group == SNW_NONE ? snw_scene_free_name(scene, snw_scene_find_group, next.name, arena)
														 : scene->groups[next.group].name);
		next.twin = find_twin(scene, &next, mesh, pose, example);
		if (k > 0 && next.twin == SNW_NONE) {
			next.twin = find_twin(scene,
								  &(snw_group_choice){.group = first.group,
													  .joint_count = next.joint_count,
													  .joints = {next.joints[0], next.joints[1]}},
								  mesh, pose, example);
		}
		first = k == 0 ? next : first;
		if (next.twin == SNW_NONE) {
			return next;
		}
	}
	return first;
}

/* ---- settings of one group ----------------------------------------------------------------------------------------------- */

static snw_status change_settings(snw_project *project, const snw_scene *scene, const snw_registry *registry, const char *group,
								  const char *new_name, snw_error *error) {
	snw_arena *scratch = snw_arena_create();
	snw_status status = SNW_OK;
	for (uint32_t i = 0; !snw_failed(status) && i < scene->layer_count; i++) {
		const snw_deformer *deformer = snw_registry_find(registry, scene->layers[i].deformer);
		snw_layer layer = scene->layers[i];
		bool has_any = false;
		for (uint32_t s = 0; s < layer.setting_count; s++) {
			const char *at = strchr(layer.settings[s].key, '@');
			has_any = has_any || (at && strcmp(at + 1, group) == 0);
		}
		if (!deformer || !has_any) {
			continue;
		}
		snw_setting *settings = SNW_NEW_ARRAY(scratch, snw_setting, layer.setting_count);
		layer.setting_count =
			snw_overrides_of_group(scene, deformer->descriptor, &scene->layers[i], group, new_name, settings, scratch);
		layer.settings = settings;
		const int64_t model = layer.model == SNW_NONE ? 0 : scene->models[layer.model].id;
		int64_t id;
		status = snw_project_put_layer(project, &layer, model, -1, &id, error);
	}
	snw_arena_destroy(scratch);
	return status;
}

/* Those of the layer, followed by those of the new groups. */
static uint32_t settings_with_likes(const snw_scene *scene, const snw_descriptor *descriptor, const snw_layer *layer,
									uint32_t count, const snw_group_like *likes, snw_arena *arena, snw_setting **settings) {
	uint32_t total = layer->setting_count;
	*settings = SNW_NEW_ARRAY(arena, snw_setting, (size_t)layer->setting_count * (count + 1));
	for (uint32_t s = 0; s < layer->setting_count; s++) {
		(*settings)[s] = layer->settings[s];
	}
	snw_setting *renamed = SNW_NEW_ARRAY(arena, snw_setting, layer->setting_count);
	for (uint32_t k = 0; k < count; k++) {
		const char *from = scene->groups[likes[k].group].name;
		(void)snw_overrides_of_group(scene, descriptor, layer, from, likes[k].name, renamed, arena);
		for (uint32_t s = 0; s < layer->setting_count; s++) {
			if (strcmp(renamed[s].key, layer->settings[s].key) != 0) {
				(*settings)[total++] = renamed[s];
			}
		}
	}
	return total;
}

snw_status snw_project_copy_group_settings(snw_project *project, const snw_scene *scene, const snw_registry *registry,
										   uint32_t count, const snw_group_like *likes, snw_error *error) {
	snw_arena *scratch = snw_arena_create();
	snw_status status = SNW_OK;
	for (uint32_t i = 0; !snw_failed(status) && i < scene->layer_count; i++) {
		const snw_deformer *deformer = snw_registry_find(registry, scene->layers[i].deformer);
		snw_layer layer = scene->layers[i];
		snw_setting *settings;
		const uint32_t total =
			deformer ? settings_with_likes(scene, deformer->descriptor, &scene->layers[i], count, likes, scratch, &settings)
					 : 0;
		if (total > layer.setting_count) {
			const int64_t model = layer.model == SNW_NONE ? 0 : scene->models[layer.model].id;
			layer.setting_count = total;
			layer.settings = settings;
			status = snw_project_put_layer(project, &layer, model, -1, NULL, error);
		}
	}
	snw_arena_destroy(scratch);
	return status;
}

/* ---- changes ------------------------------------------------------------------------------------------------------------- */

snw_status snw_project_keep_driver(snw_project *project, const snw_scene *scene, uint32_t example, snw_error *error) {
	snw_example chosen = scene->examples[example];
	const snw_mesh *mesh = &scene->meshes[chosen.mesh];
	if (chosen.has_chosen_driver) {
		return SNW_OK;
	}
	chosen.has_chosen_driver = true;
	return snw_project_put_example(project, &chosen, scene->poses[chosen.pose].id, mesh->id, mesh->point_count, NULL, error);
}

snw_status snw_project_keep_drivers(snw_project *project, const snw_scene *scene, const snw_group *group, snw_error *error) {
	snw_status status = SNW_OK;
	for (uint32_t m = 0; m < group->member_count && !snw_failed(status); m++) {
		status = snw_project_keep_driver(project, scene, group->members[m].example, error);
	}
	return status;
}

snw_status snw_project_rename_group(snw_project *project, const snw_scene *scene, const snw_registry *registry, uint32_t group,
									const char *name, snw_error *error) {
	snw_group renamed = scene->groups[group];
	renamed.name = name;
	const snw_status status = snw_project_put_group_of(project, scene, &renamed, NULL, error);
	return snw_failed(status) ? status : change_settings(project, scene, registry, scene->groups[group].name, name, error);
}

snw_status snw_project_drop_group(snw_project *project, const snw_scene *scene, const snw_registry *registry, uint32_t group,
								  snw_error *error) {
	const snw_status status = snw_project_remove(project, SNW_PROJECT_GROUP, scene->groups[group].id, error);
	return snw_failed(status) ? status : change_settings(project, scene, registry, scene->groups[group].name, NULL, error);
}

snw_status snw_project_move_group(snw_project *project, const snw_scene *scene, uint32_t group, uint32_t index,
								  snw_error *error) {
	snw_arena *scratch = snw_arena_create();
	int64_t *order = SNW_NEW_ARRAY(scratch, int64_t, scene->group_count);
	for (uint32_t i = 0, next = 0; i < scene->group_count; i++) {
		next += next == index;
		order[i == group ? index : next++] = scene->groups[i].id;
	}
	const snw_status status = snw_project_put_group_order(project, scene->group_count, order, error);
	snw_arena_destroy(scratch);
	return status;
}

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
