/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Times the skins of a character on the card, each compared with its linear blend.
 */
#include <math.h>
#include <string.h>

#include "benchmark/graphics.h"
#include "pose/pose.h"
#include "render/draw/gpu_path.h"
#include "render/draw/renderer.h"
#include "render/gl/shader.h"
#include "render/skin/gpu_stack.h"
#include "sinew/kit/clock.h"
#include "stack/bounds.h"

enum { POSES = 16, LEAST_ROUNDS = 5 };

typedef struct bench {
	snw_renderer *renderer;
	const snw_scene *scene;
	const snw_registry *registry;
	double seconds; /* about, for each part of a row */
	snw_arena *arena;
	uint32_t pose_count;
	const snw_pose_view **poses; /* [pose_count] */
	GLuint *points;              /* [mesh_count] */
} bench;

/* Moments of the first clip; the rest if there is none. */
static void make_poses(bench *b) {
	b->pose_count = b->scene->clip_count > 0 ? POSES : 1;
	b->poses = SNW_NEW_ARRAY(b->arena, const snw_pose_view *, b->pose_count);
	for (uint32_t i = 0; i < b->pose_count; i++) {
		const snw_pose *pose =
			b->scene->clip_count > 0
				? snw_pose_sample(b->scene, 0, b->scene->clips[0].duration_seconds * (i + 0.5) / POSES, b->arena)
				: snw_pose_rest(b->scene, b->arena);
		b->poses[i] = snw_pose_view_make(b->scene, pose, b->arena);
	}
}

/* At all poses once: each pose is new to the stack. Adds the seconds of its two parts. */
static snw_status run_poses(const bench *b, const snw_stack *stack, snw_evaluation *evaluation, double *drives, double *boxes,
							snw_error *error) {
	snw_status status = SNW_OK;
	for (uint32_t i = 0; i < b->pose_count && !snw_failed(status); i++) {
		const double start = snk_clock_seconds();
		status = snw_stack_drive(stack, b->poses[i], evaluation, error);
		const double driven = snk_clock_seconds();
		for (uint32_t m = 0; m < b->scene->mesh_count && !snw_failed(status); m++) {
			(void)snw_stack_bounds_posed(evaluation, m);
		}
		*drives += driven - start;
		*boxes += snk_clock_seconds() - driven;
	}
	return status;
}

/* The work of the CPU for one pose: the shortest of several rounds over all. */
static snw_status time_poses(const bench *b, const snw_stack *stack, snw_skin_bench_row *row, snw_error *error) {
	snw_evaluation *evaluation = snw_evaluation_create_reference(stack);
	const double begin = snk_clock_seconds();
	snw_status status = SNW_OK;
	row->drive_seconds = row->box_seconds = INFINITY;
	for (int round = 0; (round < LEAST_ROUNDS || snk_clock_seconds() - begin < b->seconds) && !snw_failed(status); round++) {
		double drives = 0, boxes = 0;
		status = run_poses(b, stack, evaluation, &drives, &boxes, error);
		row->drive_seconds = fmin(row->drive_seconds, drives / b->pose_count);
		row->box_seconds = fmin(row->box_seconds, boxes / b->pose_count);
	}
	snw_evaluation_destroy(evaluation);
	return status;
}

typedef struct subject {
	const bench *bench;
	snw_gpu_stack *gpu_stack;
	snw_error *error;
	snw_status status;
} subject;

static void pose_meshes(void *argument) {
	subject *measured = argument;
	for (uint32_t m = 0; m < measured->bench->scene->mesh_count && !snw_failed(measured->status); m++) {
		measured->status = snw_gpu_stack_pose(measured->gpu_stack, m, measured->bench->points[m], measured->error);
	}
}

static snw_status time_skin(const bench *b, const char *method, snw_skin_bench_row *row, snw_error *error) {
	const snw_stack_options options = {.method = method};
	snw_stack *stack = NULL;
	snw_status status = snw_stack_build(b->scene, b->registry, &options, NULL, &stack, error);
	if (snw_failed(status)) {
		return status;
	}
	*row = (snw_skin_bench_row){.method = method};
	subject measured = {.bench = b, .error = error};
	measured.gpu_stack = snw_gpu_stack_create(&b->renderer->skin_shaders, stack, b->scene, NULL);
	status = time_poses(b, stack, row, error);
	status = snw_failed(status) ? status : snw_gpu_stack_drive(measured.gpu_stack, b->poses[b->pose_count / 2], error);
	if (!snw_failed(status)) {
		row->skin_seconds = snw_gpu_time(pose_meshes, &measured, b->seconds);
		status =
			snw_failed(measured.status) ? measured.status : snw_context_check(&b->renderer->context, "timing the GPU", error);
	}
	for (uint32_t m = 0; m < b->scene->mesh_count; m++) {
		row->points += b->scene->meshes[m].point_count;
		row->bytes_sent += (uint32_t)snw_gpu_stack_bytes_sent(measured.gpu_stack, m);
	}
	snw_gpu_stack_destroy(measured.gpu_stack);
	snw_stack_destroy(stack);
	return status;
}

static snw_status time_all(const bench *b, const snw_task *task, snw_skin_bench_row *rows, uint32_t *count, snw_error *error) {
	const char *baseline = snw_registry_trait_name(b->registry, SNW_BASELINE);
	const uint32_t layers = b->scene->layer_count;
	snw_status status = time_skin(b, baseline, &rows[(*count)++], error);
	for (uint32_t i = 0; i < layers && !snw_failed(status); i++) {
		const snw_layer *layer = &b->scene->layers[i];
		if (layer->muted || strcmp(layer->name, baseline) == 0) {
			continue;
		}
		if (!snw_task_progress(task, (double)i / layers, "timing")) {
			return snw_fail(error, SNW_CANCELLED, "stopped");
		}
		snw_skin_bench_row *row = &rows[(*count)++];
		status = time_skin(b, layer->name, row, error);
		row->ratio = (row->drive_seconds + row->skin_seconds) / (rows[0].drive_seconds + rows[0].skin_seconds);
	}
	return status;
}

snw_status snw_bench_skins(snw_renderer *renderer, const snw_scene *scene, const snw_registry *registry, double seconds,
						   const snw_task *task, snw_arena *arena, snw_skin_bench *result, snw_error *error) {
	bench b = {renderer, scene, registry, seconds, snw_arena_create(), 0, NULL, NULL};
	snw_status status = snw_context_enter(&renderer->context, error);
	status = snw_failed(status) ? status : snw_path_choose(&renderer->skin_shaders, &renderer->mesh_shaders, error);
	*result = (snw_skin_bench){.device = snw_renderer_device(renderer),
							   .path = snw_gpu_path_names[renderer->skin_shaders.path],
							   .rows = SNW_NEW_ARRAY(arena, snw_skin_bench_row, (size_t)scene->layer_count + 1)};
	if (!snw_failed(status)) {
		make_poses(&b);
		b.points = SNW_NEW_ARRAY(b.arena, GLuint, scene->mesh_count);
		for (uint32_t m = 0; m < scene->mesh_count; m++) {
			b.points[m] = snw_buffer_make(GL_ARRAY_BUFFER, NULL, 3 * sizeof(float) * (size_t)scene->meshes[m].point_count,
										  GL_DYNAMIC_COPY);
		}
		status = time_all(&b, task, result->rows, &result->row_count, error);
		glDeleteBuffers((GLsizei)scene->mesh_count, b.points);
	}
	snw_arena_destroy(b.arena);
	return status;
}
