/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Boxes of each mesh: of its programs, one over another.
 */
#include "stack/bounds.h"

#include <assert.h>
#include <string.h>

#include "base/random.h"
#include "pose/clip_times.h"
#include "pose/pose.h"
#include "sinew/algebra.h"
#include "stack/stack_internal.h"

static snw_program_bounds *make_rest(const snw_mesh *mesh, snw_arena *arena) {
	const snw_program rest = {.point_count = mesh->point_count, .points_rest = mesh->points_rest};
	return snw_program_bounds_make(&rest, arena);
}

/* `boxes` is [clusters]. */
static snw_stack_bounds pose_rest(const snw_program_bounds *bounds, snw_program_bounds_scratch *scratch, snw_box *boxes) {
	const snw_program_input none = {0};
	const bool are_whole = snw_program_bounds_posed(bounds, &none, NULL, scratch, boxes);
	return (snw_stack_bounds){boxes, snw_program_bounds_cluster_count(bounds), are_whole};
}

snw_stack_bounds snw_stack_bounds_rest(const snw_mesh *mesh, snw_arena *arena) {
	const snw_program_bounds *bounds = make_rest(mesh, arena);
	return pose_rest(bounds, snw_program_bounds_scratch_make(bounds, arena),
					 SNW_NEW_ARRAY(arena, snw_box, snw_program_bounds_cluster_count(bounds)));
}

void stack_bounds_make(const snw_stack *stack, uint32_t mesh) {
	stack_mesh *made = &stack->meshes[mesh];
	bool has_program = false;
	for (uint32_t s = 0; s < made->segment_count; s++) {
		stack_segment *segment = &made->segments[s];
		segment->bounds = segment->info.is_program ? snw_program_bounds_make(&segment->program, stack->arena) : NULL;
		has_program = has_program || segment->info.is_program;
	}
	made->rest_bounds = has_program ? NULL : make_rest(&stack->scene->meshes[mesh], stack->arena);
}

/* NULL without bounds. Raises `most` to their number of clusters. */
static snw_program_bounds_scratch *open_program(const snw_program_bounds *bounds, snw_arena *arena, uint32_t *most) {
	if (!bounds) {
		return NULL;
	}
	const uint32_t count = snw_program_bounds_cluster_count(bounds);
	*most = count > *most ? count : *most;
	return snw_program_bounds_scratch_make(bounds, arena);
}

void stack_bounds_open(snw_evaluation *evaluation) {
	const snw_stack *stack = evaluation->stack;
	uint32_t most = 0;
	evaluation->rest_bounds = SNW_NEW_ARRAY(evaluation->arena, snw_program_bounds_scratch *, stack->scene->mesh_count);
	for (uint32_t m = 0; m < stack->scene->mesh_count; m++) {
		const stack_mesh *mesh = &stack->meshes[m];
		evaluation->rest_bounds[m] = open_program(mesh->rest_bounds, evaluation->arena, &most);
		for (uint32_t s = 0; s < mesh->segment_count; s++) {
			evaluation->segments[m][s].bounds = open_program(mesh->segments[s].bounds, evaluation->arena, &most);
		}
	}
	evaluation->boxes = SNW_NEW_ARRAY(evaluation->arena, snw_box, most);
}

snw_stack_bounds snw_stack_bounds_posed(const snw_evaluation *evaluation, uint32_t mesh) {
	const stack_mesh *bounded = &evaluation->stack->meshes[mesh];
	snw_stack_bounds found = {.boxes = evaluation->boxes, .are_whole = !bounded->has_black_box};
	assert(evaluation->pose);
	for (uint32_t s = 0; s < bounded->segment_count; s++) {
		const stack_segment *segment = &bounded->segments[s];
		if (segment->bounds) {
			const segment_state *state = &evaluation->segments[mesh][s];
			const snw_box below = snw_stack_bounds_join(&found);
			found.are_whole = snw_program_bounds_posed(segment->bounds, &state->program, found.count > 0 ? &below : NULL,
													   state->bounds, evaluation->boxes) &&
							  found.are_whole;
			found.count = snw_program_bounds_cluster_count(segment->bounds);
		}
	}
	if (bounded->rest_bounds) { /* no program poses it */
		found = pose_rest(bounded->rest_bounds, evaluation->rest_bounds[mesh], evaluation->boxes);
		found.are_whole = !bounded->has_black_box;
	}
	return found;
}

snw_box snw_stack_bounds_join(const snw_stack_bounds *bounds) {
	snw_box box = snw_box_empty();
	for (uint32_t i = 0; i < bounds->count; i++) {
		snw_box_add_box(&box, &bounds->boxes[i]);
	}
	return box;
}

/* ---- of clips and all poses ---------------------------------------------------------------------------------------------- */

/* Clips are sampled, and bounded moment by moment; all poses are bounded by the lengths of the bones. */

enum { MOMENTS_A_KEY = 4, RANDOM_POSES = 200, SAMPLES_A_CLIP = 32 };
#define LARGEST_ANGLE 2.5 /* radians, of a joint in a random pose */

typedef struct gathering {
	const snw_scene *scene;
	const snw_stack *stack;
	snw_evaluation *evaluation;
	snw_clip_bounds *bounds;
	double *points; /* of the largest mesh with a black box; NULL without */
} gathering;

static snw_status drive(const gathering *g, const snw_pose *pose, snw_arena *scratch, snw_error *error) {
	return snw_stack_drive(g->stack, snw_pose_view_make(g->scene, pose, scratch), g->evaluation, error);
}

/* Of what is driven. */
static void add_sample(const gathering *g) {
	snw_clip_bounds *b = g->bounds;
	memcpy(b->d + (size_t)b->sample_count * b->d_count, g->evaluation->d, b->d_count * sizeof *b->d);
	memcpy(b->e + (size_t)b->sample_count * b->e_count, g->evaluation->e, b->e_count * sizeof *b->e);
	b->sample_count++;
	for (uint32_t k = 0; k < g->scene->channel_count; k++) {
		snw_interval_include(&b->ranges[k], g->evaluation->d[k]);
	}
}

/* Of what is driven. */
static snw_status add_boxes(const gathering *g, uint32_t clip, snw_error *error) {
	for (uint32_t m = 0; m < g->scene->mesh_count; m++) {
		const snw_stack_bounds posed = snw_stack_bounds_posed(g->evaluation, m);
		snw_box *box = &g->bounds->clips[m][clip];
		if (posed.are_whole) {
			const snw_box whole = snw_stack_bounds_join(&posed);
			snw_box_add_box(box, &whole);
			continue;
		}
		g->bounds->are_whole[m] = false;
		const snw_status status = snw_stack_reference(g->stack, g->evaluation, m, NULL, g->points, error);
		if (snw_failed(status)) {
			return status;
		}
		snw_box_add_points(box, g->points, g->scene->meshes[m].point_count);
	}
	return SNW_OK;
}

static snw_status add_clip(gathering *g, uint32_t clip, const snw_task *task, snw_error *error) {
	snw_arena *arena = snw_arena_create();
	double *keys;
	uint32_t key_count;
	snw_clip_times(g->scene, clip, arena, &keys, &key_count);
	const snw_clip_sampler *sampler = snw_clip_sampler_create(g->scene, clip, arena);
	snw_status status = SNW_OK;
	const uint32_t moments = key_count > 0 ? MOMENTS_A_KEY * (key_count - 1) + 1 : 0;
	for (uint32_t i = 0; i < moments && !snw_failed(status); i++) {
		const uint32_t key = i / MOMENTS_A_KEY, part = i % MOMENTS_A_KEY;
		const double gap = part > 0 ? keys[key + 1] - keys[key] : 0;
		snw_arena *scratch = snw_arena_create();
		if (!snw_task_progress(task, (clip + (double)i / moments) / g->scene->clip_count, "bounding clips")) {
			status = snw_fail(error, SNW_CANCELLED, "cancelled");
		}
		status = snw_failed(status) ? status
									: drive(g, snw_clip_sampler_pose(sampler, keys[key] + gap * part / MOMENTS_A_KEY, scratch),
											scratch, error);
		status = snw_failed(status) ? status : add_boxes(g, clip, error);
		if (!snw_failed(status) && i % (moments / SAMPLES_A_CLIP + 1) == 0) {
			add_sample(g);
		}
		snw_arena_destroy(scratch);
	}
	snw_arena_destroy(arena);
	return status;
}

/* From -1 to 1: the same poses for every run. */
static double next_random(uint64_t *state) {
	return (double)(snw_random_next(state) >> 11) / 4503599627370496.0 - 1;
}

static snw_pose *random_pose(const snw_scene *scene, uint64_t *random, snw_arena *arena) {
	snw_pose *pose = snw_pose_copy(scene, snw_pose_rest(scene, arena), arena);
	for (uint32_t j = 0; j < scene->skeleton.joint_count; j++) {
		double vector[3], q[4];
		for (size_t c = 0; c < 3; c++) {
			vector[c] = LARGEST_ANGLE * next_random(random);
			pose->rotation_vectors[3 * (size_t)j + c] = vector[c];
		}
		snw_quat_from_rotation_vector(vector, q);
		snw_quat_multiply(scene->skeleton.rest_local[j].rotation, q, pose->local[j].rotation);
	}
	return pose;
}

static snw_status add_poses(gathering *g, snw_error *error) {
	uint64_t random = 1;
	snw_status status = SNW_OK;
	for (uint32_t i = 0; i < g->scene->pose_count + RANDOM_POSES && !snw_failed(status); i++) {
		snw_arena *scratch = snw_arena_create();
		const bool is_named = i < g->scene->pose_count;
		const snw_pose *pose = is_named ? &g->scene->poses[i] : random_pose(g->scene, &random, scratch);
		status = drive(g, pose, scratch, error);
		if (!snw_failed(status)) {
			add_sample(g);
		} else if (!is_named && status != SNW_CANCELLED) {
			status = SNW_OK; /* nobody asked for this pose */
		}
		snw_arena_destroy(scratch);
	}
	return status;
}

static void open_bounds(gathering *g, snw_arena *arena) {
	const uint32_t mesh_count = g->scene->mesh_count, clip_count = g->scene->clip_count;
	snw_clip_bounds *b = g->bounds;
	const size_t most = (size_t)clip_count * (SAMPLES_A_CLIP + 1) + g->scene->pose_count + RANDOM_POSES;
	*b = (snw_clip_bounds){.clips = SNW_NEW_ARRAY(arena, snw_box *, mesh_count),
						   .are_whole = SNW_NEW_ARRAY(arena, bool, mesh_count),
						   .d_count = g->stack->d_count,
						   .e_count = g->stack->e_count};
	b->d = SNW_NEW_ARRAY(arena, double, most * b->d_count);
	b->e = SNW_NEW_ARRAY(arena, double, most * b->e_count);
	b->ranges = SNW_NEW_ARRAY(arena, snw_interval, b->d_count);
	for (uint32_t m = 0; m < mesh_count; m++) {
		b->clips[m] = SNW_NEW_ARRAY(arena, snw_box, clip_count);
		b->are_whole[m] = true;
		for (uint32_t c = 0; c < clip_count; c++) {
			b->clips[m][c] = snw_box_empty();
		}
	}
	for (uint32_t k = 0; k < b->d_count; k++) {
		b->ranges[k] = k < g->scene->channel_count ? (snw_interval){0, 1} : snw_interval_empty();
	}
}

snw_status snw_clip_bounds_make(const snw_scene *scene, const snw_stack *stack, uint32_t clip, const snw_task *task,
								snw_arena *arena, snw_clip_bounds *bounds, snw_error *error) {
	snw_arena *scratch = snw_arena_create();
	gathering g = {.scene = scene,
				   .stack = stack,
				   .evaluation = snw_evaluation_create_reference(stack),
				   .bounds = bounds,
				   .points = SNW_NEW_ARRAY(scratch, double, 3 * (size_t)stack->most_points)};
	open_bounds(&g, arena);
	snw_status status = add_poses(&g, error);
	for (uint32_t c = 0; c < scene->clip_count && !snw_failed(status); c++) {
		status = clip == SNW_NONE || clip == c ? add_clip(&g, c, task, error) : SNW_OK;
	}
	snw_evaluation_destroy(g.evaluation);
	snw_arena_destroy(scratch);
	return status;
}

/* ---- all poses ----------------------------------------------------------------------------------------------------------- */

/* How far from its root a joint can be, and by how much it can make things larger. */
typedef struct joint_reach {
	uint32_t root;
	double distance, scale;
} joint_reach;

static joint_reach *reach_of_joints(const snw_skeleton *skeleton, snw_arena *scratch) {
	joint_reach *reaches = SNW_NEW_ARRAY(scratch, joint_reach, skeleton->joint_count);
	for (uint32_t i = 0; i < skeleton->joint_count; i++) {
		const uint32_t joint = skeleton->order[i], parent = skeleton->parents[joint];
		const snw_transform *local = &skeleton->rest_local[joint];
		const double scale = fmax(fabs(local->scale[0]), fmax(fabs(local->scale[1]), fabs(local->scale[2])));
		reaches[joint] = parent == SNW_NONE
							 ? (joint_reach){joint, 0, scale}
							 : (joint_reach){reaches[parent].root,
											 reaches[parent].distance + reaches[parent].scale * snw_length3(local->translation),
											 reaches[parent].scale * scale};
	}
	return reaches;
}

static void add_reach(const snw_skeleton *skeleton, const joint_reach *reach, const double inverse_bind[12],
					  const snw_box *pulled, snw_box *box) {
	double farthest = 0;
	for (int c = 0; c < 8; c++) {
		double corner[3], local[3];
		snw_box_corner(pulled, c, corner);
		snw_mat34_point(inverse_bind, corner, local);
		farthest = fmax(farthest, snw_length3(local));
	}
	const double radius = reach->distance + reach->scale * farthest;
	for (int side = -1; side <= 1; side += 2) {
		double corner[3];
		for (size_t c = 0; c < 3; c++) {
			corner[c] = skeleton->rest_global[12 * (size_t)reach->root + 4 * c + 3] + side * radius;
		}
		snw_box_add(box, corner);
	}
}

snw_box snw_reach_of_joints(const snw_skeleton *skeleton, const uint32_t *slot_joints, const double *inverse_binds,
							const snw_slot_boxes *boxes) {
	snw_arena *scratch = snw_arena_create();
	const joint_reach *reaches = reach_of_joints(skeleton, scratch);
	snw_box box = snw_box_empty();
	for (uint32_t i = 0; i < boxes->count; i++) {
		const snw_slot_box *one = &boxes->list[i];
		add_reach(skeleton, &reaches[slot_joints[one->slot]], inverse_binds + 12 * (size_t)one->slot, &one->box, &box);
		add_reach(skeleton, &reaches[slot_joints[one->other]], inverse_binds + 12 * (size_t)one->other, &one->box, &box);
	}
	snw_arena_destroy(scratch);
	return box;
}
