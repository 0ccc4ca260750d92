/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Targets: the meshes that another rig makes of a clip, and the clip of poses for which it is worth to make them.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "export/export.h"
#include "file/file.h"
#include "operators/arguments.h"
#include "pose/clip.h"
#include "pose/pose.h"
#include "sinew/algebra.h"

#include <cjson/cJSON.h>

enum { MOST_POSES = 100000 };

static const snw_argument add_target_arguments[] = {
	{"clip", SNW_ARGUMENT_THING, "CLIP",
	 "the clip that the frames belong to (default: one of their own, in which only time passes)", .flags = 0,
	 .noun = SNW_NOUN_CLIP},
	{"file", SNW_ARGUMENT_FILE, "FRAMES", "a file of frames, or numbered files: 'frames/*.obj'; points in the mesh's order",
	 .flags = SNW_ARGUMENT_NEEDED},
	{"fps", SNW_ARGUMENT_NUMBER, "N", "frame f is at f/N seconds (default: at the clip's f-th key)", .least = 0.001,
	 .most = 100000, .initial = SNW_NO_DEFAULT, .not_with = "times"},
	SNW_SWITCH_ARGUMENT("times", "the frames are at the times of the file, at 24 a second where it has none"),
	{"name", SNW_ARGUMENT_TEXT, "NAME",
	 "its name (default: the clip's, with the mesh's if there are several; without a clip the file's)", .flags = 0},
	{"mesh", SNW_ARGUMENT_THING, "MESH", "which mesh, if there are several", .flags = SNW_ARGUMENT_ONLY, .noun = SNW_NOUN_MESH},
	SNW_LIMIT_ARGUMENTS,
	{0},
};
static const snw_argument remove_target_arguments[] = {
	{"target", SNW_ARGUMENT_THING, "TARGET", "the target", .flags = SNW_ARGUMENT_BARE | SNW_ARGUMENT_NEEDED,
	 .noun = SNW_NOUN_TARGET},
	{0},
};
static const snw_argument make_target_arguments[] = {
	{"clip", SNW_ARGUMENT_TEXT, "NAME", "name of the clip (default: training)", .flags = 0},
	{"file", SNW_ARGUMENT_FILE, "OUT.glb", "the glTF that is written; a JSON of the same name goes beside it",
	 .flags = SNW_ARGUMENT_BARE | SNW_ARGUMENT_NEEDED | SNW_ARGUMENT_LASTS},
	{"range", SNW_ARGUMENT_TEXT, "JOINT=AXIS:FROM:TO",
	 "how far a joint rotates about x, y or z of its rest, in degrees (default: as in the project's clips)",
	 .flags = SNW_ARGUMENT_MANY},
	{"poses", SNW_ARGUMENT_COUNT, "N", "at most N poses besides the rest, those that cover pose space best (default: all)",
	 .least = 1, .most = MOST_POSES, .initial = SNW_NO_DEFAULT},
	{"fps", SNW_ARGUMENT_NUMBER, "N", "keys per second", .least = 0.001, .most = 100000, .initial = 24},
	{0},
};

/* ---- adding -------------------------------------------------------------------------------------------------------------- */

/* Frame f is at the clip's f-th key, or at the time that it has. */
static snw_status place_frames(const snw_operation *o, const snw_clip *clip, snw_point_frames *frames, snw_error *error) {
	if (snw_operation_has(o, "fps") || snw_operation_has(o, "times")) {
		const double last = frames->seconds[frames->frame_count - 1];
		return last <= clip->duration_seconds + 1e-6
				   ? SNW_OK
				   : snw_fail(error, SNW_ERROR_CONFLICT,
							  "clip %s ends at %g s, but the last of %u frames is at %g s; check --fps", clip->name,
							  clip->duration_seconds, frames->frame_count, last);
	}
	uint32_t key_count;
	snw_clip_key_seconds(clip, o->arena, &frames->seconds, &key_count);
	return key_count == frames->frame_count
			   ? SNW_OK
			   : snw_fail(error, SNW_ERROR_CONFLICT,
						  "clip %s has %u keys, but there are %u frames; give their rate with --fps, or --times", clip->name,
						  key_count, frames->frame_count);
}

/* The clip's name; if the clip has a target of another mesh, with this mesh's name appended. Without a clip a free one like
 * the file's. */
static const char *name_of_target(const snw_operation *o, uint32_t clip, uint32_t mesh) {
	const char *file = snw_path_name(snw_operation_text(o, "file"));
	if (clip == SNW_NONE) {
		const char *stem = snw_arena_format(o->arena, "%.*s", (int)strcspn(file, "*."), file);
		return snw_noun_free_name(o->scene, SNW_NOUN_TARGET, stem[0] ? stem : "sequence", o->arena);
	}
	const char *name = o->scene->clips[clip].name;
	const uint32_t found = snw_scene_find_target(o->scene, name);
	const bool taken = found != SNW_NONE && o->scene->targets[found].mesh != mesh;
	return taken ? snw_sequence_name(name, o->scene->meshes[mesh].name, o->arena) : name;
}

static snw_status write_target(snw_operation *o, snw_error *error) {
	const snw_target *target = o->work->target;
	const snw_mesh *mesh = &o->scene->meshes[target->mesh];
	const snw_clip *clip = target->clip == SNW_NONE ? NULL : &o->scene->clips[target->clip];
	const bool replaces = snw_scene_find_target(o->scene, target->name) != SNW_NONE;
	snw_report_made(o->report, SNW_NOUN_TARGET, target->name);
	snw_report_say(o->report, "target %s: %u frame%s%s%s%s", target->name, target->frame_count, snw_plural(target->frame_count),
				   clip ? " for clip " : "", clip ? clip->name : "", replaces ? ", replacing the frames it had" : "");
	snw_report_text(o->report, "target", target->name);
	snw_report_number(o->report, "frames", target->frame_count);
	return snw_project_put_target(o->project, target, mesh->id, mesh->point_count, clip ? clip->id : 0, NULL, error);
}

static snw_status add_target(snw_operation *o, snw_error *error) {
	const uint32_t mesh = snw_operation_thing(o, "mesh"), clip = snw_operation_thing(o, "clip");
	const double rate = snw_operation_has(o, "fps") ? snw_operation_number(o, "fps") : 0;
	const char *name = snw_operation_text(o, "name");
	const snw_worker_limits limits = snw_operation_limits(o);
	snw_point_frames frames = {0};
	snw_status status = snw_worker_read_frames(snw_operation_text(o, "file"), o->scene->meshes[mesh].point_count, rate, &limits,
											   o->in->task, o->arena, &frames, error);
	status = snw_failed(status) || clip == SNW_NONE ? status : place_frames(o, &o->scene->clips[clip], &frames, error);
	if (snw_failed(status)) {
		return status;
	}
	snw_target *target = SNW_NEW(o->arena, snw_target);
	*target = (snw_target){.name = name ? name : name_of_target(o, clip, mesh),
						   .mesh = mesh,
						   .clip = clip,
						   .frame_count = frames.frame_count,
						   .seconds = frames.seconds,
						   .points_posed = frames.points};
	*o->work = (snw_operator_work){
		.write = write_target, .label = snw_arena_format(o->arena, "add target %s", target->name), .target = target};
	return SNW_OK;
}

static snw_status remove_target(snw_operation *o, snw_error *error) {
	const snw_target *target = &o->scene->targets[snw_operation_thing(o, "target")];
	snw_report_removed(o->report, SNW_NOUN_TARGET, target->name);
	return snw_project_remove(o->project, SNW_PROJECT_TARGET, target->id, error);
}

/* ---- the ranges of joints ------------------------------------------------------------------------------------------------ */

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
static snw_status read_range(const snw_operation *o, const char *text, snw_training_range *ranges, uint32_t *count,
							 snw_error *error) {
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
	const char *name = snw_arena_format(o->arena, "%.*s", (int)(equals - text), text);
	uint32_t joint;
	const snw_status status = snw_noun_find(o->scene, SNW_NOUN_JOINT, name, &joint, error);
	if (!snw_failed(status)) {
		snw_training_range *range = range_of(ranges, count, joint);
		range->least[axis - 'x'] = from * M_PI / 180;
		range->most[axis - 'x'] = to * M_PI / 180;
	}
	return status;
}

/* Those of the clips, and in place of them those that --range gives. */
static snw_status find_ranges(const snw_operation *o, snw_training_range **ranges, uint32_t *count, snw_error *error) {
	const snw_argument_values *given = snw_operation_values(o, "range");
	snw_status status = SNW_OK;
	snw_training_ranges_find(o->scene, o->arena, ranges, count);
	if (o->scene->clip_count == 0 && given->count > 0) {
		*count = 0; /* not the usual ones */
	}
	for (uint32_t i = 0; i < given->count && !snw_failed(status); i++) {
		status = read_range(o, given->at[i].text, *ranges, count, error);
	}
	return snw_failed(status) || *count > 0
			   ? status
			   : snw_fail(error, SNW_ERROR_MISSING, "the project has no joints that move points; import a rigged character");
}

/* ---- files --------------------------------------------------------------------------------------------------------------- */

/* Adds an item to an object, or to an array with a NULL key, and says whether that succeeded. On failure the item is
 * deleted. */
static bool add_item(cJSON *parent, const char *key, cJSON *item) {
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
		is_complete = add_item(rotations, NULL, cJSON_CreateDoubleArray(relative, 4));
	}
	return if_complete(rotations, is_complete);
}

/* One pose, in the form that 'pose add --file' reads; NULL if memory runs out, as below. */
static cJSON *frame_json(const snw_scene *scene, const snw_pose *pose, uint32_t frame, double seconds) {
	cJSON *object = cJSON_CreateObject();
	return if_complete(object, add_item(object, "frame", cJSON_CreateNumber(frame)) &&
								   add_item(object, "seconds", cJSON_CreateNumber(seconds)) &&
								   add_item(object, "pose", cJSON_CreateString(pose->name)) &&
								   add_item(object, "local_rotations_xyzw", rotations_json(scene, pose)));
}

/* The names of the joints, or of their parents. */
static cJSON *joints_json(const snw_skeleton *skeleton, bool of_parents) {
	cJSON *names = cJSON_CreateArray();
	bool is_complete = true;
	for (uint32_t joint = 0; joint < skeleton->joint_count && is_complete; joint++) {
		const uint32_t named = of_parents ? skeleton->parents[joint] : joint;
		is_complete =
			add_item(names, NULL, named == SNW_NONE ? cJSON_CreateNull() : cJSON_CreateString(skeleton->names[named]));
	}
	return if_complete(names, is_complete);
}

static cJSON *frames_json(const snw_scene *scene, const snw_training_clip *made, double rate) {
	cJSON *frames = cJSON_CreateArray();
	bool is_complete = true;
	for (uint32_t f = 0; f < made->pose_count && is_complete; f++) {
		is_complete = add_item(frames, NULL, frame_json(scene, made->poses[f], f, f / rate));
	}
	return if_complete(frames, is_complete);
}

static cJSON *clip_json(const snw_scene *scene, const snw_clip *clip, const snw_training_clip *made, double rate) {
	cJSON *root = cJSON_CreateObject();
	return if_complete(root, add_item(root, "clip", cJSON_CreateString(clip->name)) &&
								 add_item(root, "frames_per_second", cJSON_CreateNumber(rate)) &&
								 add_item(root, "joints", joints_json(&scene->skeleton, false)) &&
								 add_item(root, "parents", joints_json(&scene->skeleton, true)) &&
								 add_item(root, "frames", frames_json(scene, made, rate)));
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
static snw_status write_gltf(const snw_operation *o, const char *path, const snw_clip *clip, snw_error *error) {
	snw_arena *arena = snw_arena_create();
	snw_scene with = *o->scene;
	with.arena = arena;
	with.clip_count = 1;
	with.clips = clip;
	with.target_count = with.example_count = with.group_count = with.model_count = 0;
	snw_scene_add_baseline(&with);
	snw_stack *stack = NULL;
	snw_export_report written;
	const snw_export_request request = {.path = path, .mesh = SNW_NONE, .influences = 8};
	snw_status status = snw_stack_build(&with, o->in->registry, NULL, NULL, &stack, error);
	status = snw_failed(status) ? status : snw_export(&with, stack, &request, o->in->task, &written, error);
	snw_stack_destroy(stack);
	snw_arena_destroy(arena);
	return status;
}

/* ---- making -------------------------------------------------------------------------------------------------------------- */

/* Why there are fewer poses than were asked for. */
static void report_fewer(const snw_operation *o, const snw_training_clip *made) {
	if (snw_operation_has(o, "poses") && made->chosen_count < snw_operation_count(o, "poses")) {
		snw_report_say(
			o->report,
			"fewer than %u: the joints' ranges allow %u different pose%s besides the rest; name more joints or axes with "
			"--range",
			snw_operation_count(o, "poses"), made->chosen_count, snw_plural(made->chosen_count));
	}
}

static void report_made(const snw_operation *o, const char *name, const snw_training_clip *made, const char *path,
						const char *json) {
	snw_report_made(o->report, SNW_NOUN_CLIP, name);
	snw_report_say(o->report, "clip %s: %u pose%s, one a frame at %g per second, in %s and %s", name, made->pose_count,
				   snw_plural(made->pose_count), snw_operation_number(o, "fps"), path, json);
	report_fewer(o, made);
	snw_report_say(o->report, "run your rig on it, and bring its meshes back: sinew target %s add --clip %s --file FRAMES",
				   o->in->name, name);
	snw_report_text(o->report, "clip", name);
	snw_report_number(o->report, "poses", made->pose_count);
	snw_report_text(o->report, "file", path);
	snw_report_text(o->report, "json", json);
}

static const char *name_of_clip(const snw_operation *o) {
	const char *name = snw_operation_text(o, "clip");
	return name ? name : "training";
}

static snw_status write_made(snw_operation *o, snw_error *error) {
	const snw_training_clip *made = o->work->training;
	const char *name = name_of_clip(o), *path = snw_operation_text(o, "file");
	const char *json = snw_arena_format(o->arena, "%.*sjson", (int)(snw_path_extension(path) - path), path);
	const double rate = snw_operation_number(o, "fps");
	const snw_clip clip = snw_training_clip_keys(o->scene, made, name, rate, o->arena);
	snw_status status = write_gltf(o, path, &clip, error);
	status = snw_failed(status) ? status : write_json(json, o->scene, &clip, made, rate, error);
	status = snw_failed(status) ? status : snw_project_put_clip(o->project, &clip, NULL, error);
	if (!snw_failed(status)) {
		report_made(o, name, made, path, json);
	}
	return status;
}

static snw_status make_target_clip(snw_operation *o, snw_error *error) {
	const char *extension = snw_path_extension(snw_operation_text(o, "file"));
	const uint32_t most = snw_operation_has(o, "poses") ? snw_operation_count(o, "poses") : MOST_POSES;
	snw_training_clip *made = SNW_NEW(o->arena, snw_training_clip);
	snw_training_range *ranges;
	uint32_t count;
	if (strcmp(extension, "glb") != 0 && strcmp(extension, "gltf") != 0) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "%s: the name must end in .glb or .gltf", snw_operation_text(o, "file"));
	}
	snw_status status = snw_noun_expect_free(o->scene, SNW_NOUN_CLIP, name_of_clip(o), error);
	status = snw_failed(status) ? status : find_ranges(o, &ranges, &count, error);
	*o->work = (snw_operator_work){.write = write_made, .training = made};
	return snw_failed(status) ? status
							  : snw_training_clip_make(o->scene, count, ranges, most, o->in->task, o->arena, made, error);
}

static const snw_operator target_operators[] = {
	{"add", "Add target", "Adds the meshes that another rig makes of a clip, or replaces those of that name.", "add target",
	 SNW_OPERATOR_LONG | SNW_OPERATOR_REFITS, add_target_arguments, add_target},
	{"remove", "Delete target", "Deletes a target.", "delete target", 0, remove_target_arguments, remove_target},
	{"make", "Make target clip", "Writes the poses that are worth simulating, as glTF and as JSON, and adds them as a clip.",
	 "make target clip", SNW_OPERATOR_LONG | SNW_OPERATOR_PLUGINS, make_target_arguments, make_target_clip},
	{0},
};

const snw_operator_noun snw_operators_target = {
	"target", "Adds and removes targets: the meshes that another rig makes of a clip; or makes the clip.", target_operators};
