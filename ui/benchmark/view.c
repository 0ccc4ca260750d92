/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Times the parts of a redraw: each ends in a glFinish, so that its work on the GPU is not counted for the next part.
 */
#include <math.h>

#include "base/numbers.h"
#include "benchmark/graphics.h"
#include "fit/fit.h"
#include "pose/pose.h"
#include "render/draw/renderer.h"
#include "render/mesh/gpu_mesh.h"
#include "sample/sample.h"
#include "sinew/algebra.h"
#include "sinew/kit/clock.h"

enum { USUAL_WIDTH = 1280, USUAL_HEIGHT = 720, WARM_REDRAWS = 2, LEAST_REDRAWS = 5, MOST_REDRAWS = 500 };

typedef enum part { CPU, UPLOAD, DRAW, REDRAW, THREAD, PART_COUNT } part;

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
	snw_viewport_place place;
} bench;

/* All joints but the first swing. */
static void move(bench *b, int index) {
	const double rotation[3] = {0.9 * sin(0.2 * index), 0, 0};
	for (uint32_t j = 1; j < b->scene->skeleton.joint_count; j++) {
		snw_quat_from_rotation_vector(rotation, b->pose->local[j].rotation);
	}
}

static snw_status one_redraw(bench *b, int index, double seconds[PART_COUNT], snw_error *error) {
	const double start = snk_clock_seconds(), thread_start = snk_clock_thread_seconds();
	move(b, index);
	snw_pose_solve(b->scene, b->pose, b->global, b->palette, &b->posed);
	snw_status status = snw_stack_drive(b->stack, &b->posed, b->evaluation, error);
	const double driven = snk_clock_seconds();
	status = snw_failed(status) ? status : snw_viewport_pose(b->viewport, &b->view, error);
	glFinish();
	const double uploaded = snk_clock_seconds();
	bool changed;
	status = snw_failed(status) ? status : snw_viewport_draw(b->viewport, &b->view, &b->place, &changed, error);
	status = snw_failed(status) ? status : snw_viewport_put_on_window(b->viewport, &b->place, error);
	glFinish();
	const double drawn = snk_clock_seconds();
	seconds[CPU] = driven - start;
	seconds[UPLOAD] = uploaded - driven;
	seconds[DRAW] = drawn - uploaded;
	seconds[REDRAW] = drawn - start;
	seconds[THREAD] = snk_clock_thread_seconds() - thread_start;
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
	row->thread_seconds = times[THREAD][row->redraws / 2];
	row->worst_seconds = times[REDRAW][row->redraws > 0 ? row->redraws - 1 : 0];
	row->bytes_sent = (uint32_t)snw_viewport_bytes_sent(b->viewport);
	return status;
}

/* The scene with a layer fitted to its examples. */
static snw_status fit_examples(bench *b, const snw_task *task, snw_error *error) {
	const snw_fit_request request = {.method = snw_registry_trait_name(b->registry, SNW_CORRECTS),
									 .left_out_example = SNW_NONE};
	snw_fit_outcome outcome = {.arena = b->arena};
	snw_scene *fitted = NULL;
	snw_status status = snw_fit_run(b->scene, b->registry, &request, task, &outcome, error);
	status = snw_failed(status) ? status : snw_fit_apply(b->scene, &outcome, &fitted, error);
	if (!snw_failed(status)) {
		snw_scene_destroy(b->scene);
		b->scene = fitted;
	}
	return status;
}

static snw_status make_character(bench *b, const snw_view_bench_options *options, const snw_task *task, snw_error *error) {
	const snw_limbs_size *limbs = &options->limbs;
	if (limbs->meshes == 1 && limbs->joints == 0) {
		b->scene = snw_limb_make(limbs->points);
		return SNW_OK;
	}
	b->scene = snw_scene_create();
	const snw_status status = snw_limbs_make(b->scene, limbs, error);
	return snw_failed(status) || limbs->examples == 0 ? status : fit_examples(b, task, error);
}

static snw_status open_bench(bench *b, const snw_view_bench_options *options, const snw_task *task, snw_error *error) {
	snw_status status = snw_context_enter(&b->renderer->context, error);
	status = snw_failed(status)
				 ? status
				 : snw_path_choose(&b->renderer->skin_shaders, &b->renderer->mesh_shaders, error); /* as a window */
	b->arena = snw_arena_create();
	b->registry = snw_registry_open();
	status = snw_failed(status) ? status : make_character(b, options, task, error);
	if (snw_failed(status)) {
		return status;
	}
	const bool learns = options->limbs.examples > 0 && !options->method;
	const char *method = options->method ? options->method : snw_registry_trait_name(b->registry, SNW_BASELINE);
	const snw_stack_options stack = {.method = learns ? NULL : method};
	b->pose = snw_pose_rest(b->scene, b->arena);
	b->global = SNW_NEW_ARRAY(b->arena, double, 12 * (size_t)b->scene->skeleton.joint_count);
	b->palette = SNW_NEW_ARRAY(b->arena, double, 12 * (size_t)b->scene->slot_count);
	status = snw_stack_build(b->scene, b->registry, &stack, NULL, &b->stack, error);
	if (snw_failed(status)) {
		return status;
	}
	b->evaluation = snw_evaluation_create_reference(b->stack);
	b->view = (snw_view){.scene = b->scene,
						 .stack = b->stack,
						 .pose = &b->posed,
						 .flags = SNW_VIEW_GRID | SNW_VIEW_DARK,
						 .camera = options->limbs.joints == 0 ? (snw_camera){.yaw = 0.9, .pitch = 0.3, .distance = 7}
															  : (snw_camera){.target = {0, 0.5, 0}, .distance = 2}};
	b->place = (snw_viewport_place){.width = options->width > 0 ? options->width : USUAL_WIDTH,
									.height = options->height > 0 ? options->height : USUAL_HEIGHT};
	return snw_viewport_create(b->renderer, b->scene, 1, NULL, &b->viewport, error);
}

static void count_character(const snw_scene *scene, snw_view_bench_row *row) {
	row->meshes = scene->mesh_count;
	row->joints = scene->skeleton.joint_count;
	row->examples = scene->example_count;
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		row->points += scene->meshes[m].point_count;
		row->triangles += 2 * scene->meshes[m].face_count;
	}
}

snw_status snw_bench_view(snw_renderer *renderer, const snw_view_bench_options *options, const snw_task *task,
						  snw_view_bench_row *row, snw_error *error) {
	bench b = {.renderer = renderer};
	*row = (snw_view_bench_row){0};
	snw_status status = open_bench(&b, options, task, error);
	if (!snw_failed(status)) {
		count_character(b.scene, row);
		status = time_redraws(&b, options->seconds, task, row, error);
	}
	snw_viewport_destroy(b.viewport);
	snw_evaluation_destroy(b.evaluation);
	snw_stack_destroy(b.stack);
	snw_registry_close(b.registry);
	snw_scene_destroy(b.scene);
	snw_arena_destroy(b.arena);
	return status;
}
