/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bake/scenes.h"

#include <string.h>

#include "fit/samples/training_clip.h"
#include "measure/ground_truth.h"
#include "pose/pose.h"
#include "scene/copy.h"

static const double RATE = 24; /* of the clips' keys, a second */

typedef struct making {
	const snw_scene *scene;
	const snw_registry *registry;
	const snw_task *task;
	snw_arena *arena;
	snw_bake_scenes *made;
	snw_clip *clips;     /* those of the project, then those of the sets */
	snw_target *targets; /* of the sets alone */
	uint32_t clip_count, target_count;
	snw_error *error;
} making;

/* ---- what the stack makes of poses --------------------------------------------------------------------------------------- */

/* All meshes at one pose, as frame `frame` of `points`. */
static snw_status pose_one(const making *m, const snw_stack *stack, snw_evaluation *evaluation, const snw_pose *pose,
						   uint32_t frame, float **points, snw_error *error) {
	snw_arena *scratch = snw_arena_create();
	snw_status status = snw_stack_drive(stack, snw_pose_view_make(m->scene, pose, scratch), evaluation, error);
	for (uint32_t i = 0; i < m->scene->mesh_count && !snw_failed(status); i++) {
		const size_t numbers = 3 * (size_t)m->scene->meshes[i].point_count;
		status = numbers > 0 ? snw_stack_run(stack, evaluation, i, points[i] + frame * numbers, error) : SNW_OK;
	}
	snw_arena_destroy(scratch);
	return status;
}

static snw_status report(const making *m, double fraction) {
	return snw_task_progress(m->task, fraction, "posing the stack") ? SNW_OK
																	: snw_fail(m->error, SNW_CANCELLED, "baking was cancelled");
}

static snw_status pose_all(const making *m, const snw_stack *stack, const snw_pose_set *poses, double begin, double end,
						   float **points) {
	snw_evaluation *evaluation = snw_evaluation_create(stack);
	snw_status status = SNW_OK;
	for (uint32_t f = 0; f < poses->count && !snw_failed(status); f++) {
		status = report(m, begin + (end - begin) * f / poses->count);
		status = snw_failed(status) ? status : pose_one(m, stack, evaluation, poses->list[f], f, points, m->error);
	}
	snw_evaluation_destroy(evaluation);
	return status;
}

/* Poses at which the stack fails are taken out. */
static snw_status pose_those_that_work(const making *m, const snw_stack *stack, snw_pose_set *poses, double begin, double end,
									   float **points) {
	snw_evaluation *evaluation = snw_evaluation_create(stack);
	const uint32_t count = poses->count;
	snw_status status = SNW_OK;
	poses->count = 0;
	for (uint32_t f = 0; f < count && !snw_failed(status); f++) {
		snw_error unused = {0};
		status = report(m, begin + (end - begin) * f / count);
		if (!snw_failed(status) && !snw_failed(pose_one(m, stack, evaluation, poses->list[f], poses->count, points, &unused))) {
			poses->list[poses->count++] = poses->list[f];
		}
	}
	snw_evaluation_destroy(evaluation);
	return status;
}

static float **make_room(const making *m, uint32_t frames) {
	float **points = SNW_NEW_ARRAY(m->arena, float *, m->scene->mesh_count);
	for (uint32_t i = 0; i < m->scene->mesh_count; i++) {
		points[i] = SNW_NEW_ARRAY(m->arena, float, 3 * (size_t)m->scene->meshes[i].point_count * frames);
	}
	return points;
}

/* ---- clips and targets --------------------------------------------------------------------------------------------------- */

/* A clip of poses, and a target of it for each mesh that has `points`. */
static void add_set(making *m, snw_bake_set set, const char *name, uint32_t count, snw_pose **poses, float **points) {
	const snw_training_clip keys = {count, poses};
	snw_scene named = *m->scene;
	named.clips = m->clips;
	named.clip_count = m->clip_count;
	const char *free_name = snw_scene_free_name(&named, snw_scene_find_clip, name, m->arena);
	m->made->clips[set] = m->clip_count;
	m->clips[m->clip_count++] = snw_training_clip_keys(m->scene, &keys, free_name, RATE, m->arena);
	m->made->first_targets[set] = m->target_count;
	double *seconds = SNW_NEW_ARRAY(m->arena, double, count);
	for (uint32_t f = 0; f < count; f++) {
		seconds[f] = f / RATE;
	}
	for (uint32_t i = 0; i < m->scene->mesh_count; i++) {
		if (points[i] && m->scene->meshes[i].point_count > 0) {
			m->targets[m->target_count++] = (snw_target){.name = snw_arena_format(m->arena, "%s %u", free_name, i),
														 .mesh = i,
														 .clip = m->made->clips[set],
														 .frame_count = count,
														 .seconds = seconds,
														 .points_posed = points[i]};
		}
	}
	m->made->target_counts[set] = m->target_count - m->made->first_targets[set];
}

/* The held-out frames at which every mesh with points has a ground truth. A scene with channels has none: the frames of a bake
 * are without their shapes. */
static void add_truth(making *m, const snw_pose_set *held_out) {
	snw_pose **poses = SNW_NEW_ARRAY(m->arena, snw_pose *, held_out->frame_count);
	float **points = make_room(m, held_out->frame_count);
	uint32_t count = 0;
	m->made->truth_names = SNW_NEW_ARRAY(m->arena, const char *, held_out->frame_count);
	for (uint32_t f = 0; f < held_out->frame_count && m->scene->channel_count == 0; f++) {
		const snw_moment moment = {SNW_NONE, held_out->clips[f], held_out->list[f]->seconds};
		bool is_known = moment.clip != SNW_NONE;
		for (uint32_t i = 0; i < m->scene->mesh_count && is_known; i++) {
			const size_t numbers = 3 * (size_t)m->scene->meshes[i].point_count;
			const float *frame = numbers > 0 ? snw_ground_truth_at(m->scene, &moment, i).frame : NULL;
			is_known = numbers == 0 || frame;
			if (frame) {
				memcpy(points[i] + count * numbers, frame, numbers * sizeof *frame);
			}
		}
		poses[count] = held_out->list[f];
		m->made->truth_names[count] = snw_arena_text(m->arena, held_out->list[f]->name);
		count += is_known;
	}
	if (count > 0) {
		add_set(m, SNW_BAKE_TRUTH, "ground truth", count, poses, points);
	}
}

/* ---- the scenes ---------------------------------------------------------------------------------------------------------- */

/* As the contenders of a comparison begin (compare/contender.c): the baseline's blend is the only layer. */
static snw_scene *copy_bare(const snw_scene *scene) {
	snw_arena *arena = snw_arena_create();
	snw_scene bare = *scene;
	bare.arena = arena;
	bare.model_count = bare.example_count = bare.group_count = 0;
	snw_scene_add_baseline(&bare);
	snw_scene *copy = snw_scene_copy(&bare);
	snw_arena_destroy(arena);
	return copy;
}

static snw_status add_sets(making *m, const snw_stack *stack, const snw_pose_set *fitted, const snw_pose_set *held_out,
						   snw_pose_set *range) {
	float **points = make_room(m, fitted->count), **held_points = make_room(m, held_out->count);
	float **range_points = make_room(m, range->count);
	snw_status status = pose_all(m, stack, fitted, 0, 0.5, points);
	status = snw_failed(status) ? status : pose_all(m, stack, held_out, 0.5, 0.7, held_points);
	status = snw_failed(status) ? status : pose_those_that_work(m, stack, range, 0.7, 1, range_points);
	if (!snw_failed(status)) {
		add_set(m, SNW_BAKE_FITTED, "bake", fitted->count, fitted->list, points);
		add_set(m, SNW_BAKE_HELD_OUT, "held out", held_out->count, held_out->list, held_points);
		add_truth(m, held_out);
		if (range->count > 0) {
			add_set(m, SNW_BAKE_RANGE, "range of motion", range->count, range->list, range_points);
		}
	}
	return status;
}

snw_status snw_bake_scenes_make(const snw_scene *scene, const snw_registry *registry, const char *method,
								const snw_pose_set *fitted, const snw_pose_set *held_out, snw_pose_set *range,
								const snw_task *task, snw_arena *arena, snw_bake_scenes *made, snw_error *error) {
	making m = {.scene = scene, .registry = registry, .task = task, .arena = arena, .made = made, .error = error};
	m.clips = SNW_NEW_ARRAY(arena, snw_clip, (size_t)scene->clip_count + SNW_BAKE_SETS);
	m.targets = SNW_NEW_ARRAY(arena, snw_target, (size_t)scene->mesh_count * SNW_BAKE_SETS);
	m.clip_count = scene->clip_count;
	if (scene->clip_count > 0) {
		memcpy(m.clips, scene->clips, scene->clip_count * sizeof *m.clips);
	}
	*made = (snw_bake_scenes){.source = *scene};
	const snw_stack_options options = {.method = method};
	snw_stack *stack = NULL;
	snw_status status = snw_stack_build(scene, registry, &options, task, &stack, error);
	status = snw_failed(status) ? status : add_sets(&m, stack, fitted, held_out, range);
	snw_stack_destroy(stack);
	if (!snw_failed(status)) {
		made->source.clips = m.clips;
		made->source.clip_count = m.clip_count;
		made->source.targets = m.targets;
		made->source.target_count = m.target_count;
		made->plain = copy_bare(&made->source);
	}
	return status;
}

void snw_bake_scenes_free(snw_bake_scenes *scenes) {
	snw_scene_destroy(scenes->plain);
}
