/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fit/fit.h"

#include <string.h>

#include "fit/samples.h"
#include "parameter/parameters.h"
#include "pose/clip.h"
#include "pose/pose.h"
#include "scene/scene.h"
#include "sinew/algebra.h"
#include "task/task.h"

/* ---- input --------------------------------------------------------------------------------------------------------------- */

/* indices[i] is the index in the fit of the scene's example i; SNW_NONE if it is left out. */
static void view_examples(const snw_scene *scene, bool omit, uint32_t left_out, snw_arena *arena, uint32_t *indices,
						  snw_fit_input *input) {
	snw_example_view *views = SNW_NEW_ARRAY(arena, snw_example_view, scene->example_count);
	const snw_example_view **examples = SNW_NEW_ARRAY(arena, const snw_example_view *, scene->example_count);
	for (uint32_t i = 0; i < scene->example_count; i++) {
		indices[i] = SNW_NONE;
		if (omit || i == left_out || scene->examples[i].muted) {
			continue;
		}
		const snw_example *example = &scene->examples[i];
		indices[i] = input->example_count;
		views[i] = (snw_example_view){
			.size = sizeof *views,
			.name = example->name,
			.pose = snw_pose_view_make(scene, &scene->poses[example->pose], arena),
			.mesh = example->mesh,
			.points_posed = example->points_posed,
			.edited_count = example->edited_count,
			.edited = example->edited,
		};
		examples[input->example_count++] = &views[i];
	}
	input->examples = examples;
}

/* The members of a group that are in the fit. */
static const snw_member_view *const *view_members(const snw_scene *scene, const snw_group *group, const uint32_t *indices,
												  snw_arena *arena, uint32_t *count) {
	snw_member_view *views = SNW_NEW_ARRAY(arena, snw_member_view, group->member_count);
	const snw_member_view **members = SNW_NEW_ARRAY(arena, const snw_member_view *, group->member_count);
	*count = 0;
	for (uint32_t i = 0; i < group->member_count; i++) {
		const snw_member *member = &group->members[i];
		if (indices[member->example] != SNW_NONE) {
			views[i] = (snw_member_view){
				.size = sizeof *views,
				.example = indices[member->example],
				.mask = member->mask == SNW_NONE ? NULL : scene->fields[member->mask].values,
			};
			members[(*count)++] = &views[i];
		}
	}
	return members;
}

static void view_groups(const snw_scene *scene, const uint32_t *indices, snw_arena *arena, snw_fit_input *input) {
	snw_group_view *views = SNW_NEW_ARRAY(arena, snw_group_view, scene->group_count);
	const snw_group_view **groups = SNW_NEW_ARRAY(arena, const snw_group_view *, scene->group_count);
	for (uint32_t g = 0; g < scene->group_count; g++) {
		const snw_group *group = &scene->groups[g];
		views[g] = (snw_group_view){
			.size = sizeof *views, .name = group->name, .joint_count = group->joint_count, .joints = group->joints};
		views[g].members = view_members(scene, group, indices, arena, &views[g].member_count);
		if (views[g].member_count > 0) {
			groups[input->group_count++] = &views[g];
		}
	}
	input->groups = groups;
}

/* The poses of some frames of a target: its clip at their seconds. A sequence has poses once its clip has tracks. */
static const snw_pose_view *const *view_target_poses(const snw_scene *scene, const snw_target *target, uint32_t count,
													 const double *seconds, snw_arena *arena) {
	const uint32_t clip = snw_target_clip(scene, target);
	if (clip == SNW_NONE || (target->clip == SNW_NONE && scene->clips[clip].track_count == 0)) {
		return NULL;
	}
	const snw_pose_view **poses = SNW_NEW_ARRAY(arena, const snw_pose_view *, count);
	const snw_clip_sampler *sampler = snw_clip_sampler_create(scene, clip, arena);
	for (uint32_t f = 0; f < count; f++) {
		poses[f] = snw_pose_view_make(scene, snw_clip_sampler_pose(sampler, seconds[f], arena), arena);
	}
	return poses;
}

/* The frames of a target that the selection has. */
static snw_status choose_frames(const snw_scene *scene, const snw_target *target, const char *samples, const snw_task *task,
								snw_arena *arena, snw_target *chosen, snw_error *error) {
	snw_subtask part = {task, 0, 0}; /* soon done: the fit is what takes time */
	const snw_task choosing = snw_task_of_subtask(&part);
	uint32_t *frames, count;
	const snw_status status =
		snw_frames_choose(scene, target, snw_samples_frames(samples), &choosing, arena, &frames, &count, error);
	*chosen = *target;
	if (snw_failed(status) || count == target->frame_count) {
		return status;
	}
	const size_t numbers = 3 * (size_t)scene->meshes[target->mesh].point_count;
	double *seconds = SNW_NEW_ARRAY(arena, double, count);
	float *points = SNW_NEW_ARRAY(arena, float, numbers *count);
	for (uint32_t f = 0; f < count; f++) {
		seconds[f] = target->seconds[frames[f]];
		memcpy(points + f * numbers, target->points_posed + frames[f] * numbers, numbers * sizeof *points);
	}
	chosen->frame_count = count;
	chosen->seconds = seconds;
	chosen->points_posed = points;
	return SNW_OK;
}

static snw_status view_sequences(const snw_scene *scene, const char *samples, bool of_clips, const snw_task *task,
								 snw_arena *arena, const snw_sequence_view *const **list, uint32_t *count, snw_error *error) {
	snw_sequence_view *views = SNW_NEW_ARRAY(arena, snw_sequence_view, scene->target_count);
	const snw_sequence_view **sequences = SNW_NEW_ARRAY(arena, const snw_sequence_view *, scene->target_count);
	snw_status status = SNW_OK;
	*list = sequences;
	*count = 0;
	for (uint32_t t = 0; t < scene->target_count && !snw_failed(status); t++) {
		const snw_target *target = &scene->targets[t];
		if ((target->clip != SNW_NONE) == of_clips && snw_samples_have_target(scene, samples, target)) {
			const uint32_t clip = snw_target_clip(scene, target);
			snw_target chosen;
			status = choose_frames(scene, target, samples, task, arena, &chosen, error);
			if (snw_failed(status)) {
				break;
			}
			views[t] = (snw_sequence_view){
				.size = sizeof *views,
				.name = of_clips || clip == SNW_NONE ? target->name : scene->clips[clip].name,
				.mesh = target->mesh,
				.frame_count = chosen.frame_count,
				.seconds = chosen.seconds,
				.poses = view_target_poses(scene, target, chosen.frame_count, chosen.seconds, arena),
				.points_posed = chosen.points_posed,
				.clip = clip == SNW_NONE ? 0 : (uint64_t)scene->clips[clip].id,
				.is_set = target->is_set,
			};
			sequences[(*count)++] = &views[t];
		}
	}
	return status;
}

snw_status snw_fit_input_make(const snw_scene *scene, uint32_t needs, const char *samples, uint32_t left_out_example,
							  uint32_t value_count, const snw_value *values, const snw_task *task, snw_arena *arena,
							  snw_fit_input **made, snw_error *error) {
	snw_fit_input *input = SNW_NEW(arena, snw_fit_input);
	*input = (snw_fit_input){
		.size = sizeof *input,
		.character = snw_character_view_make(scene, arena),
		.value_count = value_count,
		.values = values,
	};
	uint32_t *indices = SNW_NEW_ARRAY(arena, uint32_t, scene->example_count);
	view_examples(scene, !snw_samples_include_examples(needs, samples), left_out_example, arena, indices, input);
	view_groups(scene, indices, arena, input);
	snw_status status = SNW_OK;
	if (needs & (SNW_NEEDS_SEQUENCE | SNW_NEEDS_SAMPLES | SNW_NEEDS_FRAMES)) {
		status = view_sequences(scene, samples, false, task, arena, &input->sequences, &input->sequence_count, error);
	}
	if (!snw_failed(status) && needs & (SNW_NEEDS_TARGETS | SNW_NEEDS_SAMPLES | SNW_NEEDS_FRAMES)) {
		status = view_sequences(scene, samples, true, task, arena, &input->targets, &input->target_count, error);
	}
	*made = input;
	return status;
}

/* ---- overrides ----------------------------------------------------------------------------------------------------------- */

/* The index of a group in the fit; SNW_NONE if it is left out. */
static uint32_t group_of_fit(const snw_fit_input *input, const char *name) {
	uint32_t group = 0;
	while (group < input->group_count && strcmp(input->groups[group]->name, name) != 0) {
		group++;
	}
	return group < input->group_count ? group : SNW_NONE;
}

snw_status snw_fit_input_override(const snw_scene *scene, const snw_descriptor *descriptor, const snw_layer *layer,
								  snw_arena *arena, snw_fit_input *input, snw_error *error) {
	snw_status status = SNW_OK;
	const snw_override **overrides = SNW_NEW_ARRAY(arena, const snw_override *, layer->setting_count);
	input->overrides = overrides;
	for (uint32_t i = 0; !snw_failed(status) && i < layer->setting_count; i++) {
		const snw_setting *setting = &layer->settings[i];
		const char *name;
		const uint32_t parameter = snw_parameter_of_key(descriptor, setting->key, &name);
		if (!name || parameter == SNW_NONE) {
			continue;
		}
		snw_override made = {.size = sizeof made, .parameter = parameter, .value = setting->value};
		made.scope = snw_override_scope(scene, descriptor->parameters[parameter]->scopes, name, &made.index);
		made.index = made.scope == SNW_SCOPE_GROUP ? group_of_fit(input, name) : made.index;
		if (made.scope != 0 && made.index != SNW_NONE) {
			status = snw_value_resolve(descriptor, descriptor->parameters[parameter], setting->key, scene, arena, &made.value,
									   error);
			overrides[input->override_count++] = snw_arena_copy(arena, &made, sizeof made);
		}
	}
	return status;
}

/* ---- unedited points ----------------------------------------------------------------------------------------------------- */

snw_status snw_fit_input_place_unedited(const snw_scene *scene, const snw_stack *below, uint32_t left_out_example,
										snw_arena *arena, snw_fit_input *input, bool *read, snw_error *error) {
	snw_evaluation *evaluation = NULL;
	snw_status status = SNW_OK;
	if (input->example_count == 0) {
		return SNW_OK; /* there are none, or all are held out */
	}
	for (uint32_t i = 0, at = 0; !snw_failed(status) && i < scene->example_count; i++) {
		const snw_example *example = &scene->examples[i];
		if (i == left_out_example || example->muted) {
			continue;
		}
		snw_example_view *view = (snw_example_view *)(uintptr_t)input->examples[at++]; /* made by view_examples */
		if (!example->edited) {
			continue;
		}
		const uint32_t count = scene->meshes[example->mesh].point_count;
		double *points = snw_arena_array(arena, count, 3 * sizeof *points);
		evaluation = evaluation ? evaluation : snw_evaluation_create_reference(below);
		status = snw_stack_drive(below, view->pose, evaluation, error);
		status = snw_failed(status) ? status : snw_stack_reference(below, evaluation, example->mesh, NULL, points, error);
		snw_example_apply_edited(example, count, points);
		view->points_posed = points;
		*read = true;
	}
	snw_evaluation_destroy(evaluation);
	return status;
}

/* ---- slots --------------------------------------------------------------------------------------------------------------- */

/* The inverse bind that a joint lacks; false if it has a slot, or can have none. */
static bool lacks_slot(const snw_scene *scene, uint32_t joint, double inverse_bind[12]) {
	for (uint32_t s = 0; s < scene->slot_count; s++) {
		if (scene->slot_joints[s] == joint) {
			return false;
		}
	}
	return snw_mat34_invert(scene->skeleton.rest_global + 12 * (size_t)joint, inverse_bind);
}

uint32_t snw_scene_missing_slots(const snw_scene *scene) {
	double inverse_bind[12];
	uint32_t count = 0;
	for (uint32_t j = 0; j < scene->skeleton.joint_count; j++) {
		count += lacks_slot(scene, j, inverse_bind);
	}
	return count;
}

void snw_scene_complete_slots(snw_scene *scene) {
	const uint32_t missing = snw_scene_missing_slots(scene);
	if (missing == 0) {
		return;
	}
	const size_t most = (size_t)scene->slot_count + missing;
	uint32_t *joints = SNW_NEW_ARRAY(scene->arena, uint32_t, most), count = scene->slot_count;
	double *inverse_binds = SNW_NEW_ARRAY(scene->arena, double, 12 * most);
	if (count > 0) {
		memcpy(joints, scene->slot_joints, count * sizeof *joints);
		memcpy(inverse_binds, scene->slot_inverse_binds, (size_t)12 * count * sizeof *inverse_binds);
	}
	for (uint32_t j = 0; j < scene->skeleton.joint_count; j++) {
		if (lacks_slot(scene, j, inverse_binds + 12 * (size_t)count)) {
			joints[count++] = j;
		}
	}
	scene->slot_count = count;
	scene->slot_joints = joints;
	scene->slot_inverse_binds = inverse_binds;
}

/* ---- a character whose skeleton goes ------------------------------------------------------------------------------------- */

/* What was made for this skeleton by hand. */
static snw_status expect_no_sculpts(const snw_scene *scene, snw_error *error) {
	for (uint32_t g = 0; g < scene->group_count; g++) {
		if (scene->groups[g].joint_count > 0) {
			return snw_fail(error, SNW_ERROR_CONFLICT, "group '%s' names joints of the skeleton; remove the group first",
							scene->groups[g].name);
		}
	}
	return scene->example_count == 0 ? SNW_OK
									 : snw_fail(error, SNW_ERROR_CONFLICT,
												"example '%s' is a sculpt in a pose of the skeleton; remove the examples first",
												scene->examples[0].name);
}

/* What was learned from its poses, and what can be. */
static snw_status expect_no_lessons(const snw_scene *scene, snw_error *error) {
	for (uint32_t t = 0; t < scene->target_count; t++) {
		if (scene->targets[t].clip != SNW_NONE) {
			return snw_fail(error, SNW_ERROR_CONFLICT,
							"target '%s' shows what the skeleton does in clip '%s'; remove the target first",
							scene->targets[t].name, scene->clips[scene->targets[t].clip].name);
		}
	}
	for (uint32_t i = 0; i < scene->layer_count; i++) {
		if (scene->layers[i].model != SNW_NONE && !scene->layers[i].muted) {
			return snw_fail(error, SNW_ERROR_CONFLICT,
							"layer '%s' was fitted with the skeleton and cannot run without it; mute or remove the layer first",
							scene->layers[i].name);
		}
	}
	return SNW_OK;
}

static bool has_sequence(const snw_scene *scene, uint32_t mesh) {
	for (uint32_t t = 0; t < scene->target_count; t++) {
		if (scene->targets[t].clip == SNW_NONE && scene->targets[t].mesh == mesh) {
			return true;
		}
	}
	return false;
}

/* A skin that nothing replaces would be one to joints that are gone. */
static snw_status expect_no_other_skins(const snw_scene *scene, snw_error *error) {
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		if (scene->meshes[m].influence_offsets && !has_sequence(scene, m)) {
			return snw_fail(error, SNW_ERROR_CONFLICT,
							"the skeleton moves mesh '%s', and another would leave it behind: it has no sequence to learn from",
							scene->meshes[m].name);
		}
	}
	return SNW_OK;
}

static snw_status expect_free(const snw_scene *scene, snw_error *error) {
	snw_status status = expect_no_sculpts(scene, error);
	status = snw_failed(status) ? status : expect_no_lessons(scene, error);
	return snw_failed(status) ? status : expect_no_other_skins(scene, error);
}

void snw_scene_drop_joint_tracks(snw_scene *scene) {
	snw_clip *clips = snw_arena_copy(scene->arena, scene->clips, scene->clip_count * sizeof *clips);
	for (uint32_t i = 0; i < scene->clip_count; i++) {
		snw_track *tracks = SNW_NEW_ARRAY(scene->arena, snw_track, clips[i].track_count);
		uint32_t kept = 0;
		for (uint32_t t = 0; t < clips[i].track_count; t++) {
			if (clips[i].tracks[t].path == SNW_PATH_CHANNEL) {
				tracks[kept++] = clips[i].tracks[t];
			}
		}
		clips[i].tracks = tracks;
		clips[i].track_count = kept;
	}
	scene->clips = clips;
}

/* Values of joints go with them. The project keeps those of joints whose names come back (snw_project_put_skeleton). */
static void drop_joint_fields(snw_scene *scene) {
	snw_field *fields = SNW_NEW_ARRAY(scene->arena, snw_field, scene->field_count);
	uint32_t kept = 0;
	for (uint32_t i = 0; i < scene->field_count; i++) {
		if (scene->fields[i].domain != SNW_DOMAIN_JOINTS) {
			fields[kept++] = scene->fields[i];
		}
	}
	scene->fields = fields;
	scene->field_count = kept;
}

snw_status snw_scene_without_skeleton(const snw_scene *scene, snw_scene **bare, snw_error *error) {
	const snw_status status = expect_free(scene, error);
	if (snw_failed(status)) {
		return status;
	}
	snw_scene *copy = snw_scene_copy(scene);
	snw_mesh *meshes = snw_arena_copy(copy->arena, copy->meshes, copy->mesh_count * sizeof *meshes);
	for (uint32_t m = 0; m < copy->mesh_count; m++) {
		meshes[m].influence_offsets = NULL;
		meshes[m].influence_slots = NULL;
		meshes[m].influence_weights = NULL;
	}
	copy->meshes = meshes;
	copy->skeleton = (snw_skeleton){0};
	copy->slot_count = 0;
	snw_scene_drop_joint_tracks(copy);
	drop_joint_fields(copy);
	*bare = copy;
	return SNW_OK;
}
