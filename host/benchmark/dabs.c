/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Times dabs on a synthetic limb.
 */
#include "benchmark/dabs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/hash.h"
#include "base/numbers.h"
#include "benchmark/machine_noise.h"
#include "sample/limb.h"
#include "sculpt/sculpt.h"
#include "sinew/kit/clock.h"
#include "task/parallel.h"

enum {
	LEAST_DABS = 200,
	MOST_DABS = 20000,
	STROKE_DABS = 10,
	USUAL_REPEATS = 5,
	MOST_REPEATS = 20,
	SESSIONS = 5,
	MOST_ROWS = 1 + 4 * SNW_BRUSH_COUNT,
	PIECES = 10, /* of the reference, after each repeat of a row */
	MOST_PIECES = PIECES * MOST_REPEATS * MOST_ROWS,
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
	double *times, *busy; /* [repeats][dabs] */
	double *best;         /* [MOST_DABS] */
	uint32_t *reached;    /* [MOST_DABS] */
	uint64_t *hashes;     /* [MOST_DABS]: a hash of the result of each dab's first repeat */
	bool differs;         /* some repeat gave another result than the first */
	snw_bench_piece piece;
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
		.p95_seconds = times[(uint32_t)ceil(0.95 * last)],
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
	row->p99_busy_seconds = sum_up(output->busy, row->dabs * row->repeats).p99_seconds;
}

static void time_pieces(table *output) {
	for (int k = 0; k < PIECES; k++) {
		const double before = snk_clock_seconds();
		snw_bench_piece_run(&output->piece);
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
		const double before = snk_clock_seconds(), busy_before = snk_clock_process_seconds();
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
		output->busy[before_repeat + done] = snk_clock_process_seconds() - busy_before;
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
	for (uint32_t stroke = 0; row->dabs < LEAST_DABS ||
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
	struct rusage first, last;
	time_stroke(output, &brush, 0, 0, 0); /* to warm up */
	getrusage(RUSAGE_SELF, &first);
	repeat_row(output, &brush, row);
	getrusage(RUSAGE_SELF, &last);
	row->preemptions = (uint32_t)(last.ru_nivcsw - first.ru_nivcsw);
	row->page_faults = (uint32_t)(last.ru_minflt - first.ru_minflt);
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
		const double before = snk_clock_seconds(), busy_before = snk_clock_process_seconds();
		const snw_status status = snw_sculpt_create(&setup, &output->sculpt, error);
		if (snw_failed(status)) {
			return status;
		}
		output->times[k] = snk_clock_seconds() - before;
		output->busy[k] = snk_clock_process_seconds() - busy_before;
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
	if (options->point_count > 5000000 || options->covered > 0.5 || options->repeats > MOST_REPEATS) {
		return snw_fail(error, SNW_ERROR_ARGUMENT,
						"the benchmark takes up to 5,000,000 points, dabs that cover up to half of them, and %d repeats",
						MOST_REPEATS);
	}
	return SNW_OK;
}

snw_status snw_bench_sculpt(const snw_bench_sculpt_options *options, const snw_task *task, snw_arena *arena,
							snw_bench_sculpt_table *answer, snw_error *error) {
	table output = {.options = {.point_count = options->point_count > 0 ? options->point_count : 100000,
								.covered = options->covered > 0 ? options->covered : 0.1,
								.seconds = options->seconds > 0 ? options->seconds : 0.2,
								.repeats = options->repeats > 0 ? options->repeats : USUAL_REPEATS}};
	snw_status status = check_options(&output.options, error);
	if (snw_failed(status)) {
		return status;
	}
	const uint32_t threads = snw_parallel_thread_count();
	snw_arena *passing = snw_arena_create();
	output.rows = SNW_NEW_ARRAY(arena, snw_bench_sculpt_row, MOST_ROWS);
	output.times = SNW_NEW_ARRAY(passing, double, (size_t)output.options.repeats *MOST_DABS);
	output.busy = SNW_NEW_ARRAY(passing, double, (size_t)output.options.repeats *MOST_DABS);
	output.best = SNW_NEW_ARRAY(passing, double, MOST_DABS);
	output.reached = SNW_NEW_ARRAY(passing, uint32_t, MOST_DABS);
	output.hashes = SNW_NEW_ARRAY(passing, uint64_t, MOST_DABS);
	output.pieces = SNW_NEW_ARRAY(passing, double, MOST_PIECES);
	output.piece = snw_bench_piece_make(passing);
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
