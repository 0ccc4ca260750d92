/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Boxes of each mesh: of its programs, one over another.
 */
#include "stack/stack.h"

#include <assert.h>
#include <string.h>

#include "pose/clip.h"
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

static void make_mesh_bounds(const snw_stack *stack, uint32_t mesh) {
	stack_mesh *made = &stack->meshes[mesh];
	bool has_program = false;
	for (uint32_t s = 0; s < made->segment_count; s++) {
		stack_segment *segment = &made->segments[s];
		if (segment->info.is_program && !segment->bounds) { /* levels share those of their mesh */
			segment->bounds = snw_program_bounds_make(&segment->program, stack->bounds->arena);
		}
		has_program = has_program || segment->info.is_program;
	}
	made->rest_bounds = has_program ? NULL : make_rest(&stack->scene->meshes[mesh], stack->bounds->arena);
}

void snw_stack_make_bounds(const snw_stack *stack) {
	pthread_mutex_lock(&stack->bounds->lock);
	if (!stack->bounds->arena) {
		stack->bounds->arena = snw_arena_create();
		for (uint32_t m = 0; m < stack->scene->mesh_count; m++) {
			make_mesh_bounds(stack, m);
		}
	}
	pthread_mutex_unlock(&stack->bounds->lock);
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

static void open_bounds_of(const snw_evaluation *evaluation) {
	const snw_stack *stack = evaluation->stack;
	uint32_t most = 0;
	snw_stack_make_bounds(stack);
	evaluation->bounds->rest = SNW_NEW_ARRAY(evaluation->arena, snw_program_bounds_scratch *, stack->scene->mesh_count);
	for (uint32_t m = 0; m < stack->scene->mesh_count; m++) {
		const stack_mesh *mesh = &stack->meshes[m];
		evaluation->bounds->rest[m] = open_program(mesh->rest_bounds, evaluation->arena, &most);
		for (uint32_t s = 0; s < mesh->segment_count; s++) {
			evaluation->segments[m][s].bounds = open_program(mesh->segments[s].bounds, evaluation->arena, &most);
		}
	}
	evaluation->bounds->boxes = SNW_NEW_ARRAY(evaluation->arena, snw_box, most);
}

snw_stack_bounds snw_stack_bounds_posed(const snw_evaluation *evaluation, uint32_t mesh) {
	if (!evaluation->bounds->boxes) {
		open_bounds_of(evaluation);
	}
	const stack_mesh *bounded = &evaluation->stack->meshes[mesh];
	snw_stack_bounds found = {.boxes = evaluation->bounds->boxes, .are_whole = !bounded->has_black_box};
	assert(evaluation->pose);
	for (uint32_t s = 0; s < bounded->segment_count; s++) {
		const stack_segment *segment = &bounded->segments[s];
		if (segment->bounds) {
			const segment_state *state = &evaluation->segments[mesh][s];
			const snw_box below = snw_stack_bounds_join(&found);
			found.are_whole = snw_program_bounds_posed(segment->bounds, &state->program, found.count > 0 ? &below : NULL,
													   state->bounds, evaluation->bounds->boxes) &&
							  found.are_whole;
			found.count = snw_program_bounds_cluster_count(segment->bounds);
		}
	}
	if (bounded->rest_bounds) { /* no program poses it */
		found = pose_rest(bounded->rest_bounds, evaluation->bounds->rest[mesh], evaluation->bounds->boxes);
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

/* Clips are bounded moment by moment, all poses by shuffled ones: a bound for joints that turn as they like, the sum of the
 * bones' lengths, is several times as large as any pose. */

enum { MOMENTS_A_KEY = 4, SHUFFLED_POSES = 200, LEAST_SHUFFLED = 20, JOINTS_OF_ALL_POSES = 200000, SAMPLES_A_CLIP = 32 };

typedef struct gathering {
	const snw_scene *scene;
	const snw_stack *stack;
	snw_evaluation *evaluation;
	snw_motion_bounds *bounds;
	double *points; /* of the largest mesh with a black box; NULL without */
} gathering;

static snw_status drive(const gathering *g, const snw_pose *pose, snw_arena *scratch, snw_error *error) {
	return snw_stack_drive(g->stack, snw_pose_view_make(g->scene, pose, scratch), g->evaluation, error);
}

/* Of what is driven. */
static void add_sample(const gathering *g) {
	snw_motion_bounds *b = g->bounds;
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

/* Of what is driven. */
static void add_pose_boxes(const gathering *g, snw_box *boxes) {
	for (uint32_t m = 0; m < g->scene->mesh_count; m++) {
		const snw_stack_bounds posed = snw_stack_bounds_posed(g->evaluation, m);
		const snw_box whole = snw_stack_bounds_join(&posed);
		snw_box_add_box(&boxes[m], &whole);
	}
}

/* Both halves, widened by the largest difference of their sides. */
static snw_box join_halves(const snw_box *a, const snw_box *b) {
	snw_box box = *a;
	double beyond = 0;
	snw_box_add_box(&box, b);
	for (int c = 0; c < 3; c++) {
		beyond = fmax(beyond, fmax(fabs(a->lower[c] - b->lower[c]), fabs(a->upper[c] - b->upper[c])));
	}
	return snw_box_widened(&box, isfinite(beyond) ? beyond : 0);
}

/* Fewer for characters of thousands of joints: a pose of each is stored. */
static uint32_t shuffled_count(const snw_scene *scene) {
	const uint32_t most = JOINTS_OF_ALL_POSES / (scene->skeleton.joint_count + 1);
	return most < LEAST_SHUFFLED ? LEAST_SHUFFLED : most < SHUFFLED_POSES ? most : SHUFFLED_POSES;
}

/* The frames of clips are bounded with the clips. */
static snw_status add_poses(gathering *g, snw_error *error) {
	const uint32_t mesh_count = g->scene->mesh_count;
	snw_arena *arena = snw_arena_create();
	snw_box *halves = SNW_NEW_ARRAY(arena, snw_box, 2 * (size_t)mesh_count);
	snw_pose_set set;
	snw_status status = SNW_OK;
	for (uint32_t m = 0; m < 2 * mesh_count; m++) {
		halves[m] = snw_box_empty();
	}
	snw_pose_set_shuffle(g->scene, shuffled_count(g->scene), arena, &set);
	for (uint32_t i = 0; i < set.count && !snw_failed(status); i++) {
		snw_arena *scratch = snw_arena_create();
		const bool is_shuffled = i >= set.frame_count;
		status = drive(g, set.list[i], scratch, error);
		if (!snw_failed(status)) {
			add_sample(g);
			add_pose_boxes(g, is_shuffled ? halves + i % 2 * (size_t)mesh_count : g->bounds->poses);
		} else if (is_shuffled && status != SNW_CANCELLED) {
			status = SNW_OK; /* nobody asked for this pose */
		}
		snw_arena_destroy(scratch);
	}
	for (uint32_t m = 0; m < mesh_count; m++) {
		const snw_box both = join_halves(&halves[m], &halves[mesh_count + m]);
		snw_box_add_box(&g->bounds->poses[m], &both);
	}
	snw_arena_destroy(arena);
	return status;
}

static void open_bounds(gathering *g, snw_arena *arena) {
	const uint32_t mesh_count = g->scene->mesh_count, clip_count = g->scene->clip_count;
	snw_motion_bounds *b = g->bounds;
	const size_t most = (size_t)clip_count * (SAMPLES_A_CLIP + 1) + g->scene->pose_count + 1 + SHUFFLED_POSES;
	*b = (snw_motion_bounds){.clips = SNW_NEW_ARRAY(arena, snw_box *, mesh_count),
							 .are_whole = SNW_NEW_ARRAY(arena, bool, mesh_count),
							 .poses = SNW_NEW_ARRAY(arena, snw_box, mesh_count),
							 .d_count = g->stack->d_count,
							 .e_count = g->stack->e_count};
	b->d = SNW_NEW_ARRAY(arena, double, most * b->d_count);
	b->e = SNW_NEW_ARRAY(arena, double, most * b->e_count);
	b->ranges = SNW_NEW_ARRAY(arena, snw_interval, b->d_count);
	for (uint32_t m = 0; m < mesh_count; m++) {
		b->clips[m] = SNW_NEW_ARRAY(arena, snw_box, clip_count);
		b->are_whole[m] = true;
		b->poses[m] = snw_box_empty();
		for (uint32_t c = 0; c < clip_count; c++) {
			b->clips[m][c] = snw_box_empty();
		}
	}
	for (uint32_t k = 0; k < b->d_count; k++) {
		b->ranges[k] = k < g->scene->channel_count ? (snw_interval){0, 1} : snw_interval_empty();
	}
}

snw_status snw_motion_bounds_make(const snw_scene *scene, const snw_stack *stack, uint32_t clip, const snw_task *task,
								  snw_arena *arena, snw_motion_bounds *bounds, snw_error *error) {
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
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		bounds->poses[m] = stack->meshes[m].has_black_box ? snw_box_empty() : bounds->poses[m];
		for (uint32_t c = 0; c < scene->clip_count && !stack->meshes[m].has_black_box; c++) {
			snw_box_add_box(&bounds->poses[m], &bounds->clips[m][c]);
		}
	}
	snw_evaluation_destroy(g.evaluation);
	snw_arena_destroy(scratch);
	return status;
}
