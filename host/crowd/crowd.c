/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "crowd/crowd.h"

#include <math.h>

#include "base/numbers.h"
#include "pose/pose.h"
#include "stack/stack.h"

#define SPACE 1.15  /* the grid's step, of the longer side of the rest on the ground */
#define JITTER 0.12 /* of the step, to either side */
#define TURN 0.5    /* radians, to either side */

/* 0 to 1, without 1. */
static double random_part(uint64_t *state) {
	return (double)(snw_random_next(state) >> 11) * 0x1p-53;
}

static snw_box rest_box(const snw_scene *scene) {
	snw_box box = snw_box_empty();
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		snw_box_add_points(&box, scene->meshes[m].points_rest, scene->meshes[m].point_count);
	}
	return box;
}

static snw_status make_clips(const snw_scene *scene, const snw_crowd_request *request, snw_arena *arena, snw_crowd *crowd,
							 snw_error *error) {
	const uint32_t listed = request->clip_count > 0 ? request->clip_count : scene->clip_count;
	double frames = 0;
	crowd->clip_count = listed > 0 ? listed : 1;
	crowd->clips = SNW_NEW_ARRAY(arena, snw_crowd_clip, crowd->clip_count);
	for (uint32_t i = 0; i < crowd->clip_count; i++) {
		const uint32_t clip = listed == 0 ? SNW_NONE : request->clip_count > 0 ? request->clips[i] : i;
		const double duration = clip == SNW_NONE ? 0 : scene->clips[clip].duration_seconds;
		const double count = fmax(1, round(duration * request->rate));
		frames += count;
		if (frames > SNW_CROWD_FRAME_MOST) {
			return snw_fail(error, SNW_ERROR_LIMIT,
							"the clips have more than %d frames at %g a second; choose fewer with --clip",
							(int)SNW_CROWD_FRAME_MOST, request->rate);
		}
		crowd->clips[i] = (snw_crowd_clip){.clip = clip,
										   .duration_seconds = duration,
										   .rate = duration > 0 ? count / duration : 0,
										   .first_frame = crowd->frame_count,
										   .frame_count = (uint32_t)count,
										   .box = snw_box_empty()};
		crowd->frame_count += (uint32_t)count;
	}
	return SNW_OK;
}

/* In the grid the middle of the rest is at the middle of a cell. */
static void place_member(const snw_crowd *crowd, const double middle[2], uint32_t index, uint64_t *state,
						 snw_crowd_member *member) {
	const uint32_t rows = (crowd->count + crowd->columns - 1) / crowd->columns, before = index / crowd->columns;
	const double column = index % crowd->columns - (crowd->columns - 1) / 2.0, row = before - (rows - 1) / 2.0;
	const double x = crowd->spacing * (column + JITTER * (2 * random_part(state) - 1));
	const double z = crowd->spacing * (row + JITTER * (2 * random_part(state) - 1));
	const double yaw = TURN * (2 * random_part(state) - 1), c = cos(yaw), s = sin(yaw);
	member->yaw = (float)yaw;
	member->place[0] = (float)(x - (c * middle[0] + s * middle[1]));
	member->place[1] = (float)(z - (c * middle[1] - s * middle[0]));
	member->clip = (uint32_t)(random_part(state) * crowd->clip_count);
	member->phase_seconds = random_part(state) * crowd->clips[member->clip].duration_seconds;
}

snw_status snw_crowd_make(const snw_scene *scene, const snw_crowd_request *request, snw_arena *arena, snw_crowd *crowd,
						  snw_error *error) {
	const snw_box box = rest_box(scene);
	uint64_t state = request->seed;
	*crowd = (snw_crowd){.count = request->count};
	if (snw_box_is_empty(&box)) {
		return snw_fail(error, SNW_ERROR_MISSING, "the character has no mesh to make a crowd of");
	}
	const snw_status status = make_clips(scene, request, arena, crowd, error);
	if (snw_failed(status)) {
		return status;
	}
	const double sides[2] = {box.upper[0] - box.lower[0], box.upper[2] - box.lower[2]};
	const double middle[2] = {(box.lower[0] + box.upper[0]) / 2, (box.lower[2] + box.upper[2]) / 2};
	crowd->columns = (uint32_t)ceil(sqrt(request->count));
	crowd->spacing = SPACE * fmax(fmax(sides[0], sides[1]), 1e-3 * snw_box_diagonal(&box));
	crowd->members = SNW_NEW_ARRAY(arena, snw_crowd_member, crowd->count);
	for (uint32_t i = 0; i < crowd->count; i++) {
		place_member(crowd, middle, i, &state, &crowd->members[i]);
	}
	return SNW_OK;
}

uint32_t snw_crowd_frame(const snw_crowd *crowd, const snw_crowd_member *member, double seconds) {
	const snw_crowd_clip *clip = &crowd->clips[member->clip];
	if (!(clip->duration_seconds > 0)) {
		return clip->first_frame;
	}
	double within = fmod(member->phase_seconds + seconds, clip->duration_seconds);
	within += within < 0 ? clip->duration_seconds : 0;
	const uint32_t frame = (uint32_t)(within * clip->rate);
	return clip->first_frame + (frame < clip->frame_count ? frame : clip->frame_count - 1);
}

snw_box snw_crowd_member_box(const snw_crowd *crowd, const snw_crowd_member *member) {
	const snw_box *box = &crowd->clips[member->clip].box;
	const double c = cos((double)member->yaw), s = sin((double)member->yaw);
	snw_box placed = snw_box_empty();
	for (int corner = 0; corner < 8 && !snw_box_is_empty(box); corner++) {
		double point[3];
		snw_box_corner(box, corner, point);
		const double there[3] = {c * point[0] + s * point[2] + (double)member->place[0], point[1],
								 c * point[2] - s * point[0] + (double)member->place[1]};
		snw_box_add(&placed, there);
	}
	return placed;
}

/* ---- driving ------------------------------------------------------------------------------------------------------------- */

snw_status snw_crowd_check(const snw_scene *posed, const snw_stack *stack, snw_error *error) {
	for (uint32_t m = 0; m < posed->mesh_count; m++) {
		for (uint32_t s = 0; s < snw_stack_segment_count(stack, m); s++) {
			const snw_segment_info info = snw_stack_segment(stack, m, s);
			if (!info.is_program) {
				return snw_fail(
					error, SNW_ERROR_UNSUPPORTED,
					"a crowd plays skin programs, but %s of mesh %s is a black box (%s); bake it with 'sinew bake', "
					"or choose another method with --method",
					info.layers, posed->meshes[m].name, info.reason);
			}
		}
	}
	return SNW_OK;
}

static snw_status drive_clip(const snw_scene *scene, const snw_scene *posed, const snw_stack *stack, snw_evaluation *evaluation,
							 snw_crowd_clip *clip, snw_crowd_keep *keep, void *context, snw_error *error) {
	snw_arena *scratch = snw_arena_create();
	const snw_clip_sampler *sampler = clip->clip == SNW_NONE ? NULL : snw_clip_sampler_create(scene, clip->clip, scratch);
	snw_status status = SNW_OK;
	for (uint32_t i = 0; i < clip->frame_count && !snw_failed(status); i++) {
		snw_arena *arena = snw_arena_create();
		const double seconds = clip->duration_seconds * i / clip->frame_count;
		const snw_pose *pose = sampler ? snw_clip_sampler_pose(sampler, seconds, arena) : snw_pose_rest(scene, arena);
		status = snw_stack_drive(stack, snw_pose_view_make(scene, pose, arena), evaluation, error);
		for (uint32_t m = 0; m < posed->mesh_count && !snw_failed(status); m++) {
			const snw_stack_bounds bounds = snw_stack_bounds_posed(evaluation, m);
			const snw_box box = snw_stack_bounds_join(&bounds);
			snw_box_add_box(&clip->box, &box);
		}
		status = snw_failed(status) || !keep ? status : keep(context, clip->first_frame + i, evaluation, error);
		snw_arena_destroy(arena);
	}
	snw_arena_destroy(scratch);
	return status;
}

snw_status snw_crowd_drive(const snw_scene *scene, const snw_scene *posed, const snw_stack *stack, snw_crowd *crowd,
						   snw_crowd_keep *keep, void *context, const snw_task *task, snw_error *error) {
	snw_status status = snw_crowd_check(posed, stack, error);
	if (snw_failed(status)) {
		return status;
	}
	snw_evaluation *evaluation = snw_evaluation_create_reference(stack);
	for (uint32_t i = 0; i < crowd->clip_count && !snw_failed(status); i++) {
		if (!snw_task_progress(task, (double)crowd->clips[i].first_frame / crowd->frame_count, "driving the clips")) {
			status = snw_fail(error, SNW_CANCELLED, "stopped; nothing was written");
			continue;
		}
		status = drive_clip(scene, posed, stack, evaluation, &crowd->clips[i], keep, context, error);
	}
	snw_evaluation_destroy(evaluation);
	return status;
}
