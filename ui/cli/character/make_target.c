/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/character/make_target.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/plural.h"
#include "cli/command_line/output_path.h"
#include "export/export.h"
#include "file/file.h"
#include "fit/samples/training_clip.h"
#include "scene/nouns.h"
#include "sinew/algebra.h"

enum { MOST_POSES = 100000 };

/* ---- ranges -------------------------------------------------------------------------------------------------------------- */

/* The range of a joint in the list; a new one at rest if it has none. The list has room for every joint. */
static snw_training_range *range_of(snw_training_range *ranges, uint32_t *count, uint32_t joint) {
	for (uint32_t i = 0; i < *count; i++) {
		if (ranges[i].joint == joint) {
			return &ranges[i];
		}
	}
	ranges[*count] = (snw_training_range){.joint = joint};
	return &ranges[(*count)++];
}

/* "JOINT=AXIS:FROM:TO", degrees. */
static snw_status read_range(const snw_call *call, const snw_scene *scene, const char *text, snw_training_range *ranges,
							 uint32_t *count, snw_error *error) {
	const char *equals = strrchr(text, '=');
	char axis = 0;
	double from, to;
	int end = 0;
	if (!equals || sscanf(equals + 1, "%c:%lf:%lf%n", &axis, &from, &to, &end) != 3 || equals[1 + end] ||
		!strchr("xyz", axis) || !(from >= -360 && from <= 0 && to >= 0 && to <= 360)) {
		return snw_fail(
			error, SNW_ERROR_ARGUMENT,
			"--range %s: expected JOINT=AXIS:FROM:TO, an axis x, y or z and degrees from −360 to 0 and from 0 to 360", text);
	}
	const char *name = snw_arena_format(call->arena, "%.*s", (int)(equals - text), text);
	uint32_t joint;
	const snw_status status = snw_noun_find(scene, SNW_NOUN_JOINT, name, &joint, error);
	if (snw_failed(status)) {
		return status;
	}
	snw_training_range *range = range_of(ranges, count, joint);
	range->least[axis - 'x'] = from * M_PI / 180;
	range->most[axis - 'x'] = to * M_PI / 180;
	return SNW_OK;
}

/* Those of the clips, and in place of them those that --range gives. */
static snw_status find_ranges(const snw_call *call, const snw_scene *scene, snw_training_range **ranges, uint32_t *count,
							  snw_error *error) {
	snw_status status = SNW_OK;
	const char *text;
	snw_training_ranges_find(scene, call->arena, ranges, count);
	if (scene->clip_count == 0 && snw_call_option(call, "--range")) {
		*count = 0; /* not the usual ones */
	}
	for (int i = 0; !snw_failed(status) && (text = snw_call_option_at(call, "--range", i)); i++) {
		status = read_range(call, scene, text, *ranges, count, error);
	}
	if (!snw_failed(status) && *count == 0) {
		status =
			snw_fail(error, SNW_ERROR_MISSING, "--make: the project has no joints that move points; import a rigged character");
	}
	return status;
}

/* ---- files --------------------------------------------------------------------------------------------------------------- */

/* Adds an item to an object, or to an array with a NULL key, and says whether that succeeded. On failure the item is
 * deleted. */
static bool add(cJSON *parent, const char *key, cJSON *item) {
	if (item && (key ? cJSON_AddItemToObject(parent, key, item) : cJSON_AddItemToArray(parent, item))) {
		return true;
	}
	cJSON_Delete(item);
	return false;
}

static cJSON *if_complete(cJSON *object, bool is_complete) {
	if (!is_complete) {
		cJSON_Delete(object);
	}
	return is_complete ? object : NULL;
}

static cJSON *rotations_json(const snw_scene *scene, const snw_pose *pose) {
	cJSON *rotations = cJSON_CreateArray();
	bool is_complete = true;
	for (uint32_t joint = 0; joint < scene->skeleton.joint_count && is_complete; joint++) {
		double relative[4];
		snw_quat_from_rotation_vector(pose->rotation_vectors + 3 * (size_t)joint, relative);
		is_complete = add(rotations, NULL, cJSON_CreateDoubleArray(relative, 4));
	}
	return if_complete(rotations, is_complete);
}

/* One pose, in the form that 'pose add --file' reads; NULL if memory runs out, as below. */
static cJSON *frame_json(const snw_scene *scene, const snw_pose *pose, uint32_t frame, double seconds) {
	cJSON *object = cJSON_CreateObject();
	return if_complete(object, add(object, "frame", cJSON_CreateNumber(frame)) &&
								   add(object, "seconds", cJSON_CreateNumber(seconds)) &&
								   add(object, "pose", cJSON_CreateString(pose->name)) &&
								   add(object, "local_rotations_xyzw", rotations_json(scene, pose)));
}

/* The names of the joints, or of their parents. */
static cJSON *joints_json(const snw_skeleton *skeleton, bool of_parents) {
	cJSON *names = cJSON_CreateArray();
	bool is_complete = true;
	for (uint32_t joint = 0; joint < skeleton->joint_count && is_complete; joint++) {
		const uint32_t named = of_parents ? skeleton->parents[joint] : joint;
		is_complete = add(names, NULL, named == SNW_NONE ? cJSON_CreateNull() : cJSON_CreateString(skeleton->names[named]));
	}
	return if_complete(names, is_complete);
}

static cJSON *frames_json(const snw_scene *scene, const snw_training_clip *made, double rate) {
	cJSON *frames = cJSON_CreateArray();
	bool is_complete = true;
	for (uint32_t f = 0; f < made->pose_count && is_complete; f++) {
		is_complete = add(frames, NULL, frame_json(scene, made->poses[f], f, f / rate));
	}
	return if_complete(frames, is_complete);
}

static cJSON *clip_json(const snw_scene *scene, const snw_clip *clip, const snw_training_clip *made, double rate) {
	cJSON *root = cJSON_CreateObject();
	return if_complete(root, add(root, "clip", cJSON_CreateString(clip->name)) &&
								 add(root, "frames_per_second", cJSON_CreateNumber(rate)) &&
								 add(root, "joints", joints_json(&scene->skeleton, false)) &&
								 add(root, "parents", joints_json(&scene->skeleton, true)) &&
								 add(root, "frames", frames_json(scene, made, rate)));
}

static snw_status write_json(const char *path, const snw_scene *scene, const snw_clip *clip, const snw_training_clip *made,
							 double rate, snw_error *error) {
	snw_file_write *file = NULL;
	snw_status status = snw_file_write_begin(path, &file, error);
	if (snw_failed(status)) {
		return status;
	}
	cJSON *root = clip_json(scene, clip, made, rate);
	char *text = root ? cJSON_PrintUnformatted(root) : NULL;
	cJSON_Delete(root);
	if (!text) {
		snw_file_write_abandon(file);
		return snw_fail(error, SNW_ERROR_MEMORY, "%s: out of memory", path);
	}
	fputs(text, snw_file_write_stream(file));
	fputc('\n', snw_file_write_stream(file));
	cJSON_free(text);
	return snw_file_write_commit(file, error);
}

/* The character as it came, with this clip alone. */
static snw_status write_gltf(const snw_call *call, const char *path, const snw_scene *scene, const snw_clip *clip,
							 snw_error *error) {
	snw_registry *registry = snw_registry_open();
	snw_arena *arena = snw_arena_create();
	snw_scene with = *scene;
	with.arena = arena;
	with.clip_count = 1;
	with.clips = clip;
	with.target_count = with.example_count = with.group_count = with.model_count = 0;
	snw_scene_add_baseline(&with);
	snw_stack *stack = NULL;
	snw_export_report report;
	const snw_export_request request = {.path = path, .mesh = SNW_NONE, .influences = 8};
	snw_status status = snw_stack_build(&with, registry, NULL, NULL, &stack, error);
	status = snw_failed(status) ? status : snw_export(&with, stack, &request, &call->task, &report, error);
	snw_stack_destroy(stack);
	snw_arena_destroy(arena);
	snw_registry_close(registry);
	return status;
}

/* ---- the verb ------------------------------------------------------------------------------------------------------------ */

static snw_status put_clip(const snw_opened *opened, const snw_clip *clip, const char *label, snw_error *error) {
	int64_t id;
	snw_status status = snw_project_begin(opened->project, label, error);
	status = snw_failed(status) ? status : snw_project_put_clip(opened->project, clip, &id, error);
	return snw_failed(status) ? status : snw_project_commit(opened->project, error);
}

static snw_status write_all(const snw_call *call, const snw_opened *opened, const char *path, const char *name,
							const snw_training_clip *made, double rate, snw_error *error) {
	const char *json = snw_arena_format(call->arena, "%.*sjson", (int)(snw_path_extension(path) - path), path);
	const snw_clip clip = snw_training_clip_keys(opened->scene, made, name, rate, call->arena);
	snw_status status = snw_output_file(call, json, "json", error);
	status = snw_failed(status) ? status : write_gltf(call, path, opened->scene, &clip, error);
	status = snw_failed(status) ? status : write_json(json, opened->scene, &clip, made, rate, error);
	status =
		snw_failed(status) ? status : put_clip(opened, &clip, snw_arena_format(call->arena, "target --make %s", name), error);
	if (snw_failed(status)) {
		return status;
	}
	snw_say(call, "clip %s: %u pose%s, one a frame at %g per second, in %s and %s", name, made->pose_count,
			snw_plural(made->pose_count), rate, path, json);
	snw_say(call, "run your rig on it, and bring its meshes back: sinew target %s --clip %s --mesh FRAMES", opened->path, name);
	snw_answer_text(call->answer, "clip", name);
	snw_answer_number(call->answer, "poses", made->pose_count);
	snw_answer_text(call->answer, "file", path);
	snw_answer_text(call->answer, "json", json);
	return SNW_OK;
}

snw_status snw_target_make(const snw_call *call, const snw_opened *opened, const char *path, snw_error *error) {
	const snw_scene *scene = opened->scene;
	const char *name = snw_call_option(call, "--clip");
	name = name ? name : "training";
	snw_training_range *ranges;
	uint32_t count;
	double rate, most;
	snw_status status = snw_output_file(call, path, "glb|gltf", error);
	status = snw_failed(status) ? status : snw_call_number(call, "--fps", 0.001, 100000, 24, &rate, error);
	status = snw_failed(status) ? status : snw_call_number(call, "--poses", 1, MOST_POSES, MOST_POSES, &most, error);
	if (!snw_failed(status) && snw_call_option(call, "--mesh")) {
		status =
			snw_fail(error, SNW_ERROR_ARGUMENT, "--make writes the poses, and --mesh reads what a rig made of them; give one");
	}
	if (!snw_failed(status) && snw_scene_find_clip(scene, name) != SNW_NONE) {
		status = snw_fail(error, SNW_ERROR_CONFLICT, "--make: there is a clip %s; name another with --clip NAME", name);
	}
	status = snw_failed(status) ? status : find_ranges(call, scene, &ranges, &count, error);
	if (snw_failed(status)) {
		return status;
	}
	snw_training_clip made;
	status = snw_training_clip_make(scene, count, ranges, (uint32_t)most, &call->task, call->arena, &made, error);
	return snw_failed(status) ? status : write_all(call, opened, path, name, &made, rate, error);
}
