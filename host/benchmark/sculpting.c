/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Times dabs on a synthetic limb, and strokes until they are committed.
 */
#include "benchmark/benchmark.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/numbers.h"
#include "example/sculpts.h"
#include "fit/samples.h"
#include "pose/pose.h"
#include "sample/sample.h"
#include "sculpt/sculpt.h"
#include "sinew/kit/clock.h"
#include "stack/stack.h"
#include "task/task.h"

/* ---- the noise of the machine -------------------------------------------------------------------------------------------- */

/* Plain arithmetic that calls nothing of Sinew and is always the same: the variation of its times is what the machine adds
 * to the times of anything else. */
typedef struct work_piece {
	double *values;
} work_piece;

/* Each number depends on the previous one, so that the processor cannot compute several at a time and no compiler can skip
 * any. */

enum { VALUES = 65536, PASSES = 4 };

static work_piece make_piece(snw_arena *arena) {
	work_piece piece = {.values = SNW_NEW_ARRAY(arena, double, VALUES)};
	for (int i = 0; i < VALUES; i++) {
		piece.values[i] = i % 17;
	}
	return piece;
}

/* One piece, in the caller's thread: a millisecond or two on a current machine. Allocates nothing. */
static void run_piece(work_piece *piece) {
	double *values = piece->values;
	for (int pass = 0; pass < PASSES; pass++) {
		for (int i = 1; i < VALUES; i++) {
			values[i] = 0.5 * (values[i] + values[i - 1]) + 0.001 * (8 - values[i]);
		}
	}
}

/* ---- dabs ---------------------------------------------------------------------------------------------------------------- */

/* Times dabs on a synthetic limb. */

enum {
	USUAL_DABS = 200, /* at least, as many as quantiles need */
	MOST_DABS = 20000,
	STROKE_DABS = 10,
	USUAL_REPEATS = 5,
	MOST_REPEATS = 20,
	SESSIONS = 5,
	MOST_ROWS = 1 + 4 * SNW_BRUSH_COUNT,
	PIECE_DABS = 20, /* dabs for each piece of the reference, which come after each repeat of a row */
	MOST_PIECES = USUAL_DABS / PIECE_DABS * MOST_REPEATS * MOST_ROWS,
};

/* ---- rows ---------------------------------------------------------------------------------------------------------------- */

typedef struct table {
	snw_bench_sculpt_options options;
	const snw_mesh *mesh;
	const uint32_t *partners;
	snw_sculpt *sculpt;
	snw_bench_sculpt_row *rows;
	uint32_t count;
	/* Of the current row. */
	double *times;     /* [repeats][dabs] */
	double *best;      /* [MOST_DABS] */
	uint32_t *reached; /* [MOST_DABS] */
	uint64_t *hashes;  /* [MOST_DABS]: a hash of the result of each dab's first repeat */
	bool differs;      /* some repeat gave another result than the first */
	work_piece piece;
	double *pieces; /* [MOST_PIECES] */
	uint32_t piece_count;
} table;

static int compare_counts(const void *first, const void *second) {
	const uint32_t a = *(const uint32_t *)first, b = *(const uint32_t *)second;
	return (a > b) - (a < b);
}

/* Sorts them. */
static snw_bench_times sum_up(double *times, uint32_t count) {
	const uint32_t last = count - 1;
	snw_sort_numbers(times, count);
	return (snw_bench_times){
		.median_seconds = times[last / 2],
		.p99_seconds = times[(uint32_t)ceil(0.99 * last)],
		.longest_seconds = times[last],
	};
}

static void finish_row(table *output, snw_bench_sculpt_row *row) {
	for (uint32_t dab = 0; dab < row->dabs; dab++) {
		output->best[dab] = output->times[dab];
		for (uint32_t repeat = 1; repeat < row->repeats; repeat++) {
			output->best[dab] = fmin(output->best[dab], output->times[repeat * row->dabs + dab]);
		}
	}
	row->best = sum_up(output->best, row->dabs);
	row->all = sum_up(output->times, row->dabs * row->repeats);
}

static void time_pieces(table *output) {
	for (uint32_t k = 0; k < output->options.dabs; k += PIECE_DABS) {
		const double before = snk_clock_seconds();
		run_piece(&output->piece);
		output->pieces[output->piece_count++] = snk_clock_seconds() - before;
	}
}

/* The k-th place of all rows, by the golden ratio around and along the limb; the ray goes from outside toward the axis. */
static snw_ray ray_of(uint32_t stroke, uint32_t dab) {
	const double angle = 2 * M_PI * 0.6180339887498949 * stroke, z = 1.5 * sin(2.3 * stroke) + 0.02 * dab;
	return (snw_ray){.origin = {3 * sin(angle), 3 * cos(angle), z}, .direction = {-sin(angle), -cos(angle), 0}};
}

/* The radius at which dabs reach the requested number of points. */
static double find_radius(const table *output, snw_brush brush) {
	const double wanted = output->options.covered * output->mesh->point_count;
	double least = 0, most = snw_sculpt_get_view(output->sculpt)->longest;
	for (int k = 0; k < 30; k++) {
		brush.radius = (least + most) / 2;
		double sum = 0;
		for (uint32_t stroke = 0; stroke < 10; stroke++) {
			const snw_ray ray = ray_of(stroke, 0);
			const snw_pick pick = snw_sculpt_pick(output->sculpt, &ray);
			const uint32_t *points;
			const double *weights;
			sum += snw_sculpt_reach(output->sculpt, &brush, &pick, &points, &weights) / 10.0;
		}
		*(sum < wanted ? &least : &most) = brush.radius;
	}
	return most;
}

/* A hash of the result of a dab. */
static uint64_t hash_of(const snw_sculpt *sculpt, const uint32_t *points, uint32_t count) {
	const snw_sculpt_view *view = snw_sculpt_get_view(sculpt);
	snw_hash hash = {0};
	snw_hash_u32s(&hash, points, count);
	for (uint32_t i = 0; i < count; i++) {
		const size_t point = points[i];
		snw_hash_f64s(&hash, view->points + 3 * point, 3);
		snw_hash_f64s(&hash, view->mask + point, 1);
		snw_hash_f64s(&hash, view->field + point, 1);
	}
	return snw_hash_value(&hash);
}

/* Ten dabs, each timed. The mesh is restored between strokes, so that every stroke starts from the same state. `done` dabs
 * of this repeat were timed before, and `before_repeat` in earlier repeats. */
static uint32_t time_stroke(table *output, const snw_brush *brush, uint32_t stroke, uint32_t before_repeat, uint32_t done) {
	for (uint32_t k = 0; k < STROKE_DABS; k++, done++) {
		const double before = snk_clock_seconds();
		snw_dab dab = {.pressure = 1, .drag = {0.02 * k, 0.01, 0.02}};
		const snw_ray ray = ray_of(stroke, k);
		dab.pick = snw_sculpt_pick(output->sculpt, &ray);
		if (k == 0 && snw_failed(snw_sculpt_begin(output->sculpt, brush, &dab.pick, NULL))) {
			break;
		}
		snw_sculpt_dab(output->sculpt, &dab);
		uint32_t count;
		snw_sculpt_take_changes(output->sculpt, &count);
		output->times[before_repeat + done] = snk_clock_seconds() - before;
		const uint32_t *points;
		const double *weights;
		output->reached[done] = snw_sculpt_reach(output->sculpt, brush, &dab.pick, &points, &weights);
		const uint64_t hash = hash_of(output->sculpt, points, output->reached[done]);
		output->hashes[done] = before_repeat == 0 ? hash : output->hashes[done];
		output->differs = output->differs || output->hashes[done] != hash;
	}
	snw_sculpt_abort(output->sculpt);
	return done;
}

/* As many strokes as fit into the time; then the same strokes again. */
static void repeat_row(table *output, const snw_brush *brush, snw_bench_sculpt_row *row) {
	const double begin = snk_clock_seconds();
	for (uint32_t stroke = 0; row->dabs < output->options.dabs ||
							  (snk_clock_seconds() - begin < output->options.seconds && row->dabs + STROKE_DABS <= MOST_DABS);
		 stroke++) {
		row->dabs = time_stroke(output, brush, stroke, 0, row->dabs);
	}
	time_pieces(output);
	for (uint32_t repeat = 1; repeat < row->repeats; repeat++) {
		for (uint32_t done = 0; done < row->dabs;) {
			done = time_stroke(output, brush, done / STROKE_DABS, repeat * row->dabs, done);
		}
		time_pieces(output);
	}
}

static void bench_brush(table *output, snw_brush brush, uint32_t threads) {
	snw_parallel_threads(threads);
	snw_bench_sculpt_row *row = &output->rows[output->count++];
	*row = (snw_bench_sculpt_row){
		.brush = snw_brush_infos[brush.kind].name,
		.volume = brush.volume,
		.symmetric = brush.symmetric,
		.threads = threads,
		.points = output->mesh->point_count,
		.repeats = output->options.repeats,
	};
	time_stroke(output, &brush, 0, 0, 0); /* to warm up */
	repeat_row(output, &brush, row);
	finish_row(output, row);
	qsort(output->reached, row->dabs, sizeof *output->reached, compare_counts);
	row->reached = output->reached[row->dabs / 2];
}

/* The first row; creates the sculpt for the others. */
static snw_status bench_beginnings(table *output, uint32_t threads, snw_error *error) {
	const snw_sculpt_setup setup = {
		.mesh = output->mesh, .points_posed = output->mesh->points_rest, .partners = output->partners};
	snw_bench_sculpt_row *row = &output->rows[output->count++];
	*row = (snw_bench_sculpt_row){.brush = "begin a sculpt",
								  .symmetric = true,
								  .threads = threads,
								  .points = output->mesh->point_count,
								  .dabs = SESSIONS,
								  .repeats = 1};
	for (int k = 0; k < SESSIONS; k++) {
		snw_sculpt_destroy(output->sculpt);
		output->sculpt = NULL;
		const double before = snk_clock_seconds();
		const snw_status status = snw_sculpt_create(&setup, &output->sculpt, error);
		if (snw_failed(status)) {
			return status;
		}
		output->times[k] = snk_clock_seconds() - before;
	}
	finish_row(output, row);
	return SNW_OK;
}

static snw_status fill_table(table *output, uint32_t threads, const snw_task *task, snw_error *error) {
	snw_brush along = {.radius = 1, .strength = 0.5, .value = 1}, through = along;
	through.volume = true;
	along.radius = find_radius(output, along);
	through.radius = find_radius(output, through);
	const double radii[] = {along.radius, through.radius};
	for (int kind = 0; kind < SNW_BRUSH_COUNT; kind++) {
		if (!snw_task_progress(task, (double)kind / SNW_BRUSH_COUNT, "timing brushes")) {
			return snw_fail(error, SNW_CANCELLED, "the benchmark was cancelled");
		}
		along.kind = through.kind = (snw_brush_kind)kind;
		along.symmetric = false;
		along.radius = radii[0] * along.radius / snw_brush_reach(&along);
		through.radius = radii[1] * through.radius / snw_brush_reach(&through);
		bench_brush(output, along, threads);
		bench_brush(output, through, threads);
		if (threads > 1) {
			bench_brush(output, along, 1);
		}
		along.symmetric = true;
		bench_brush(output, along, threads);
		if (output->differs) {
			return snw_fail(error, SNW_ERROR_CONFLICT, "repeating a stroke of %s gives another result; please report this",
							snw_brush_infos[kind].name);
		}
	}
	return SNW_OK;
}

static snw_status check_options(const snw_bench_sculpt_options *options, snw_error *error) {
	if (options->point_count > 5000000 || options->covered > 0.5 || options->dabs > USUAL_DABS ||
		options->repeats > MOST_REPEATS) {
		return snw_fail(error, SNW_ERROR_ARGUMENT,
						"the benchmark takes up to 5,000,000 points, %d dabs that cover up to half of them, and %d repeats",
						USUAL_DABS, MOST_REPEATS);
	}
	return SNW_OK;
}

snw_status snw_bench_sculpt(const snw_bench_sculpt_options *options, const snw_task *task, snw_arena *arena,
							snw_bench_sculpt_table *answer, snw_error *error) {
	table output = {.options = {.point_count = options->point_count > 0 ? options->point_count : 100000,
								.covered = options->covered > 0 ? options->covered : 0.1,
								.seconds = options->seconds > 0 ? options->seconds : 0.2,
								.dabs = options->dabs > 0 ? options->dabs : USUAL_DABS,
								.repeats = options->repeats > 0 ? options->repeats : USUAL_REPEATS}};
	snw_status status = check_options(&output.options, error);
	if (snw_failed(status)) {
		return status;
	}
	const uint32_t threads = snw_parallel_thread_count();
	snw_arena *passing = snw_arena_create();
	output.rows = SNW_NEW_ARRAY(arena, snw_bench_sculpt_row, MOST_ROWS);
	output.times = SNW_NEW_ARRAY(passing, double, (size_t)output.options.repeats *MOST_DABS);
	output.best = SNW_NEW_ARRAY(passing, double, MOST_DABS);
	output.reached = SNW_NEW_ARRAY(passing, uint32_t, MOST_DABS);
	output.hashes = SNW_NEW_ARRAY(passing, uint64_t, MOST_DABS);
	output.pieces = SNW_NEW_ARRAY(passing, double, MOST_PIECES);
	output.piece = make_piece(passing);
	snw_scene *scene = snw_limb_make(output.options.point_count);
	output.mesh = &scene->meshes[0];
	output.partners = snw_limb_partners(output.mesh, passing);
	status = bench_beginnings(&output, threads, error);
	status = snw_failed(status) ? status : fill_table(&output, threads, task, error);
	if (!snw_failed(status)) {
		*answer = (snw_bench_sculpt_table){.row_count = output.count, .rows = output.rows};
		answer->reference =
			(snw_bench_reference){.pieces = output.piece_count, .times = sum_up(output.pieces, output.piece_count)};
	}
	snw_parallel_threads(threads);
	snw_sculpt_destroy(output.sculpt);
	snw_scene_destroy(scene);
	snw_arena_destroy(passing);
	return status;
}

/* ---- the end of a stroke ------------------------------------------------------------------------------------------------- */

/* Measures the times of committed strokes. */

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
	double fits[STROKES], commits[STROKES], shows[STROKES], until_shown[STROKES], until_stored[STROKES];
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
									 .stores_later = true,
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
		snw_stack_make_bounds(stack);
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

static snw_status store(commit_benchmark *run, int stroke, snw_error *error) {
	const double begun = snk_clock_seconds();
	const snw_status status = snw_project_store(run->project, error);
	run->until_shown[stroke] = run->commits[stroke] + run->shows[stroke];
	run->until_stored[stroke] = run->until_shown[stroke] + snk_clock_seconds() - begun;
	return status;
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
		status = snw_failed(status) ? status : store(run, stroke, error);
	}
	if (!snw_failed(status)) {
		const snw_example *example = &run->scene->examples[snw_scene_find_example(run->scene, run->example)];
		row->points = run->scene->meshes[0].point_count;
		row->edited = example->edited ? example->edited_count : row->points;
		row->strokes = STROKES;
		row->fit_seconds = median(run->fits);
		row->commit_seconds = median(run->commits);
		row->show_seconds = median(run->shows);
		row->shown_seconds = median(run->until_shown);
		row->stored_seconds = median(run->until_stored);
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
