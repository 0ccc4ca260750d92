/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Measures the times of committed strokes.
 */
#include "benchmark/commit_sculpt.h"

#include <math.h>
#include <unistd.h>

#include "base/numbers.h"
#include "example/commit_sculpt.h"
#include "fit/sculpt_reference.h"
#include "pose/pose.h"
#include "sample/limb.h"
#include "sample/sample.h"
#include "sculpt/sculpt.h"
#include "sinew/kit/clock.h"
#include "stack/stack.h"

enum { STROKES = 5 };

/* A character and its project. */
typedef struct commit_benchmark {
	const snw_registry *registry;
	const char *method, *example;
	const snw_task *task;
	snw_arena *arena;
	snw_project *project;
	snw_scene *scene;
	uint32_t pose;
	double *points, *original;
	double fits[STROKES], commits[STROKES], shows[STROKES];
} commit_benchmark;

static double median(double values[STROKES]) {
	snw_sort_numbers(values, STROKES);
	return values[STROKES / 2];
}

/* A synthetic stroke: displaces the `part` of the points in the middle of the list by a visible amount. */
static void sculpt(commit_benchmark *run, double part, int stroke) {
	const uint32_t count = run->scene->meshes[0].point_count, edited = (uint32_t)(part * count);
	const double size = 0.01 * snw_scene_diagonal(run->scene, 0);
	for (uint32_t i = (count - edited) / 2; i < (count + edited) / 2; i++) {
		for (size_t c = 0; c < 3; c++) {
			run->points[3 * (size_t)i + c] += size * (1 + sin(0.01 * i + (double)c + stroke)) / 2;
		}
	}
}

static snw_status commit_stroke(commit_benchmark *run, int stroke, snw_error *error) {
	const snw_sculpt_commit order = {.label = "stroke",
									 .example = run->example,
									 .points_posed = run->points,
									 .points_original = run->original,
									 .pose = &run->scene->poses[run->pose],
									 .group = "bench",
									 .corrective = snw_reference_layer(run->scene, run->registry),
									 .method = run->method};
	snw_sculpt_committed committed;
	snw_status status =
		snw_sculpt_commit_example(run->project, run->scene, run->registry, &order, run->task, run->arena, &committed, error);
	if (!snw_failed(status) && !committed.fitted) {
		status = snw_fail(error, SNW_ERROR_DATA, "the sculpt of the benchmark could not be fitted: %s", committed.warning);
	}
	run->fits[stroke] = committed.fit_seconds;
	run->commits[stroke] = committed.seconds;
	return status;
}

static snw_status show(commit_benchmark *run, int stroke, snw_error *error) {
	const double begun = snk_clock_seconds();
	snw_scene_destroy(run->scene);
	run->scene = NULL;
	snw_stack *stack = NULL;
	snw_evaluation *evaluation = NULL;
	snw_arena *passing = snw_arena_create();
	snw_status status = snw_project_scene(run->project, &run->scene, error);
	status = snw_failed(status) ? status
								: snw_stack_build(run->scene, run->registry, &(snw_stack_options){0}, run->task, &stack, error);
	if (!snw_failed(status)) {
		evaluation = snw_evaluation_create(stack);
		float *points = SNW_NEW_ARRAY(passing, float, 3 * (size_t)run->scene->meshes[0].point_count);
		const snw_pose_view *pose = snw_pose_view_make(run->scene, &run->scene->poses[run->pose], passing);
		status = snw_stack_drive(stack, pose, evaluation, error);
		status = snw_failed(status) ? status : snw_stack_run(stack, evaluation, 0, points, error);
	}
	run->shows[stroke] = snk_clock_seconds() - begun;
	snw_evaluation_destroy(evaluation);
	snw_stack_destroy(stack);
	snw_arena_destroy(passing);
	return snw_failed(status) ? status : SNW_OK;
}

static snw_status run_strokes(commit_benchmark *run, const char *pose, double part, snw_bench_commit_row *row,
							  snw_error *error) {
	snw_status status = snw_project_scene(run->project, &run->scene, error);
	if (snw_failed(status)) {
		return status;
	}
	run->pose = snw_scene_find_pose(run->scene, pose);
	status = snw_sculpt_points(run->scene, run->registry, 0, &run->scene->poses[run->pose], SNW_NONE, SNW_NONE, run->arena,
							   &run->points, &run->original, error);
	for (int stroke = 0; !snw_failed(status) && stroke < STROKES; stroke++) {
		sculpt(run, part, stroke);
		status = commit_stroke(run, stroke, error);
		status = snw_failed(status) ? status : show(run, stroke, error);
	}
	if (!snw_failed(status)) {
		const snw_example *example = &run->scene->examples[snw_scene_find_example(run->scene, run->example)];
		row->points = run->scene->meshes[0].point_count;
		row->edited = example->edited ? example->edited_count : row->points;
		row->strokes = STROKES;
		row->fit_seconds = median(run->fits);
		row->commit_seconds = median(run->commits);
		row->show_seconds = median(run->shows);
	}
	return status;
}

/* Takes ownership of the scene. */
static snw_status run_character(const commit_benchmark *shared, snw_scene *scene, const char *path, const char *pose,
								const char *example, double part, snw_bench_commit_row *row, snw_error *error) {
	commit_benchmark run = *shared;
	run.example = example;
	run.arena = snw_arena_create();
	row->character = snw_arena_text(shared->arena, scene->meshes[0].name);
	snw_status status = snw_project_write(path, scene, "synthetic", error);
	snw_scene_destroy(scene);
	status = snw_failed(status) ? status : snw_project_open(path, false, &run.project, error);
	status = snw_failed(status) ? status : run_strokes(&run, pose, part, row, error);
	snw_scene_destroy(run.scene);
	snw_project_close(run.project);
	snw_arena_destroy(run.arena);
	unlink(path);
	return status;
}

snw_status snw_bench_commit(const snw_registry *registry, const char *method, uint32_t point_count, const char *folder,
							const snw_task *task, snw_arena *arena, snw_bench_commit_row rows[SNW_BENCH_COMMIT_ROWS],
							snw_error *error) {
	/* The notices of the fits about groups and joints do not matter here. */
	const snw_task quiet = {.context = task ? task->context : NULL, .progress = task ? task->progress : NULL};
	const commit_benchmark run = {.registry = registry, .method = method, .task = &quiet, .arena = arena};
	const char *path = snw_arena_format(arena, "%s/bench-%ld.sinew", folder, (long)getpid());
	snw_scene *arm = NULL;
	snw_status status = snw_sample_make("arm", &arm, error);
	status = snw_failed(status) ? status : run_character(&run, arm, path, "elbow-130", "elbow-130", 1, &rows[0], error);
	for (int i = 1; !snw_failed(status) && i < SNW_BENCH_COMMIT_ROWS; i++) {
		if (!snw_task_progress(task, (double)i / SNW_BENCH_COMMIT_ROWS, "timing strokes")) {
			return snw_fail(error, SNW_CANCELLED, "the benchmark was cancelled");
		}
		status = run_character(&run, snw_limb_make(point_count), path, "bent", "sculpt", i == 1 ? 0.1 : 1, &rows[i], error);
	}
	return status;
}
