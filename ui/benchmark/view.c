/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Times the parts of a redraw: each ends in a glFinish, so that its work on the GPU is not counted for the next part.
 */
#include <math.h>

#include "base/numbers.h"
#include "benchmark/graphics.h"
#include "pose/pose.h"
#include "render/draw/gpu_path.h"
#include "render/draw/renderer.h"
#include "render/mesh/faces.h"
#include "sample/limb.h"
#include "sinew/algebra.h"
#include "sinew/kit/clock.h"

enum { WIDTH = 1280, HEIGHT = 720, WARM_REDRAWS = 2, LEAST_REDRAWS = 5, MOST_REDRAWS = 500 };

typedef enum part { CPU, UPLOAD, DRAW, REDRAW, PART_COUNT } part;

typedef struct bench {
	snw_renderer *renderer;
	snw_arena *arena;
	snw_scene *scene;
	snw_registry *registry;
	snw_stack *stack;
	snw_evaluation *evaluation; /* separate, so that the work of the CPU can be timed */
	snw_viewport *viewport;
	snw_pose *pose;
	double *global, *palette;
	snw_pose_view posed;
	snw_view view;
} bench;

/* The lower half swings. */
static void move(bench *b, int index) {
	const double rotation[3] = {0.9 * sin(0.2 * index), 0, 0};
	snw_quat_from_rotation_vector(rotation, b->pose->local[1].rotation);
}

static snw_status one_redraw(bench *b, int index, double seconds[PART_COUNT], snw_error *error) {
	const snw_viewport_place place = {0, 0, WIDTH, HEIGHT};
	const double start = snk_clock_seconds();
	move(b, index);
	snw_pose_solve(b->scene, b->pose, b->global, b->palette, &b->posed);
	snw_status status = snw_stack_drive(b->stack, &b->posed, b->evaluation, error);
	const double driven = snk_clock_seconds();
	status = snw_failed(status) ? status : snw_viewport_pose(b->viewport, &b->view, error);
	glFinish();
	const double uploaded = snk_clock_seconds();
	bool changed;
	status = snw_failed(status) ? status : snw_viewport_draw(b->viewport, &b->view, &place, &changed, error);
	status = snw_failed(status) ? status : snw_viewport_put_on_window(b->viewport, &place, error);
	glFinish();
	const double drawn = snk_clock_seconds();
	seconds[CPU] = driven - start;
	seconds[UPLOAD] = uploaded - driven;
	seconds[DRAW] = drawn - uploaded;
	seconds[REDRAW] = drawn - start;
	return status;
}

static snw_status time_redraws(bench *b, double seconds, const snw_task *task, snw_view_bench_row *row, snw_error *error) {
	double *times[PART_COUNT];
	snw_status status = SNW_OK;
	for (int p = 0; p < PART_COUNT; p++) {
		times[p] = SNW_NEW_ARRAY(b->arena, double, MOST_REDRAWS);
	}
	const double begin = snk_clock_seconds();
	for (int i = -WARM_REDRAWS;
		 i < MOST_REDRAWS && !snw_failed(status) && (i < LEAST_REDRAWS || snk_clock_seconds() - begin < seconds); i++) {
		double values[PART_COUNT];
		status = one_redraw(b, i, values, error);
		for (int p = 0; p < PART_COUNT && i >= 0; p++) {
			times[p][i] = values[p];
		}
		row->redraws = (uint32_t)(i + 1);
		if (!snw_failed(status) && !snw_task_progress(task, -1, "drawing")) {
			status = snw_fail(error, SNW_CANCELLED, "stopped");
		}
	}
	for (int p = 0; p < PART_COUNT && !snw_failed(status); p++) {
		snw_sort_numbers(times[p], row->redraws);
	}
	row->cpu_seconds = times[CPU][row->redraws / 2];
	row->upload_seconds = times[UPLOAD][row->redraws / 2];
	row->draw_seconds = times[DRAW][row->redraws / 2];
	row->redraw_seconds = times[REDRAW][row->redraws / 2];
	row->worst_seconds = times[REDRAW][row->redraws > 0 ? row->redraws - 1 : 0];
	row->bytes_sent = (uint32_t)snw_viewport_bytes_sent(b->viewport);
	return status;
}

static snw_status open_bench(bench *b, uint32_t point_count, const char *method, snw_error *error) {
	snw_status status = snw_context_enter(&b->renderer->context, error);
	status = snw_failed(status)
				 ? status
				 : snw_path_choose(&b->renderer->skin_shaders, &b->renderer->mesh_shaders, error); /* as a window */
	b->arena = snw_arena_create();
	b->scene = snw_limb_make(point_count);
	b->registry = snw_registry_open();
	const snw_stack_options options = {.method = method ? method : snw_registry_trait_name(b->registry, SNW_BASELINE)};
	b->pose = snw_pose_rest(b->scene, b->arena);
	b->global = SNW_NEW_ARRAY(b->arena, double, 12 * (size_t)b->scene->skeleton.joint_count);
	b->palette = SNW_NEW_ARRAY(b->arena, double, 12 * (size_t)b->scene->slot_count);
	status = snw_failed(status) ? status : snw_stack_build(b->scene, b->registry, &options, NULL, &b->stack, error);
	if (snw_failed(status)) {
		return status;
	}
	b->evaluation = snw_evaluation_create_reference(b->stack);
	b->view = (snw_view){.scene = b->scene,
						 .stack = b->stack,
						 .pose = &b->posed,
						 .flags = SNW_VIEW_GRID | SNW_VIEW_DARK,
						 .camera = {.yaw = 0.9, .pitch = 0.3, .distance = 7}};
	return snw_viewport_create(b->renderer, b->scene, 1, NULL, &b->viewport, error);
}

snw_status snw_bench_view(snw_renderer *renderer, uint32_t point_count, const char *method, double seconds,
						  const snw_task *task, snw_view_bench_row *row, snw_error *error) {
	bench b = {.renderer = renderer};
	*row = (snw_view_bench_row){0};
	snw_status status = open_bench(&b, point_count, method, error);
	if (!snw_failed(status)) {
		row->points = b.scene->meshes[0].point_count;
		row->triangles = 2 * b.scene->meshes[0].face_count;
		status = time_redraws(&b, seconds, task, row, error);
	}
	snw_viewport_destroy(b.viewport);
	snw_evaluation_destroy(b.evaluation);
	snw_stack_destroy(b.stack);
	snw_registry_close(b.registry);
	snw_scene_destroy(b.scene);
	snw_arena_destroy(b.arena);
	return status;
}
