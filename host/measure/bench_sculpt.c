/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Timing dabs on a limb that is made up.
 */
#include "measure/bench_sculpt.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "base/parallel.h"
#include "measure/bench_limb.h"
#include "sculpt/sculpt.h"

enum { LEAST_DABS = 200, MOST_DABS = 20000, STROKE_DABS = 10, SESSIONS = 5, MOST_ROWS = 1 + 4 * SNW_BRUSH_COUNT };

static double read_clock(clockid_t clock) {
	struct timespec time;
	clock_gettime(clock, &time);
	return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static double now(void) {
	return read_clock(CLOCK_MONOTONIC);
}

/* What all threads of the process have run. */
static double busy(void) {
	return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

/* ---- rows --------------------------------------------------------------------------------------------------------------- */

typedef struct table {
	snw_bench_sculpt_options options;
	const snw_mesh *mesh;
	const uint32_t *partners;
	snw_sculpt *sculpt;
	snw_bench_sculpt_row *rows;
	uint32_t count;
	double *times;     /* [MOST_DABS], of the row at hand */
	double *busy;      /* [MOST_DABS] */
	uint32_t *reached; /* [MOST_DABS] */
} table;

static int compare_times(const void *left, const void *right) {
	const double a = *(const double *)left, b = *(const double *)right;
	return (a > b) - (a < b);
}

static int compare_counts(const void *left, const void *right) {
	const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	return (a > b) - (a < b);
}

static void finish_row(table *own, snw_bench_sculpt_row *row) {
	const uint32_t last = row->dabs - 1;
	qsort(own->times, row->dabs, sizeof *own->times, compare_times);
	row->median_seconds = own->times[last / 2];
	row->p95_seconds = own->times[(uint32_t)ceil(0.95 * last)];
	row->p99_seconds = own->times[(uint32_t)ceil(0.99 * last)];
	row->longest_seconds = own->times[last];
	qsort(own->busy, row->dabs, sizeof *own->busy, compare_times);
	row->p99_busy_seconds = own->busy[(uint32_t)ceil(0.99 * last)];
}

/* The k-th place of all rows: a golden section of the way round and along. From outside towards the axis. */
static snw_ray ray_of(uint32_t stroke, uint32_t dab) {
	const double angle = 2 * M_PI * 0.6180339887498949 * stroke, z = 1.5 * sin(2.3 * stroke) + 0.02 * dab;
	return (snw_ray){.origin = {3 * sin(angle), 3 * cos(angle), z}, .direction = {-sin(angle), -cos(angle), 0}};
}

/* The radius at which dabs reach as many points as are to be covered. */
static double find_radius(const table *own, snw_brush brush) {
	const double wanted = own->options.covered * own->mesh->point_count;
	double least = 0, most = snw_sculpt_look(own->sculpt)->longest;
	for (int k = 0; k < 30; k++) {
		brush.radius = (least + most) / 2;
		double sum = 0;
		for (uint32_t stroke = 0; stroke < 10; stroke++) {
			const snw_ray ray = ray_of(stroke, 0);
			const snw_pick pick = snw_sculpt_pick(own->sculpt, &ray);
			const uint32_t *points;
			const double *weights;
			sum += snw_sculpt_reach(own->sculpt, &brush, &pick, &points, &weights) / 10.0;
		}
		*(sum < wanted ? &least : &most) = brush.radius;
	}
	return most;
}

/* Ten dabs, each timed; the mesh is put back between strokes, so that every stroke meets the same. */
static uint32_t time_stroke(table *own, const snw_brush *brush, uint32_t stroke, uint32_t done) {
	for (uint32_t k = 0; k < STROKE_DABS; k++) {
		const double before = now(), busy_before = busy();
		snw_dab dab = {.pressure = 1, .drag = {0.02 * k, 0.01, 0.02}};
		const snw_ray ray = ray_of(stroke, k);
		dab.pick = snw_sculpt_pick(own->sculpt, &ray);
		if (k == 0 && snw_sculpt_begin(own->sculpt, brush, &dab.pick, NULL) != SNW_OK) {
			break;
		}
		snw_sculpt_dab(own->sculpt, &dab);
		own->times[done] = now() - before;
		own->busy[done] = busy() - busy_before;
		const uint32_t *points;
		const double *weights;
		own->reached[done++] = snw_sculpt_reach(own->sculpt, brush, &dab.pick, &points, &weights);
	}
	snw_sculpt_abort(own->sculpt);
	return done;
}

static void bench_brush(table *own, snw_brush brush, uint32_t threads) {
	snw_parallel_threads(threads);
	const double begin = now();
	snw_bench_sculpt_row *row = &own->rows[own->count++];
	*row = (snw_bench_sculpt_row){
		.brush = snw_brush_infos[brush.kind].name,
		.volume = brush.volume,
		.symmetric = brush.symmetric,
		.threads = threads,
		.points = own->mesh->point_count,
	};
	struct rusage first, last;
	time_stroke(own, &brush, 0, 0); /* to warm up */
	getrusage(RUSAGE_SELF, &first);
	for (uint32_t stroke = 0;
		 row->dabs < LEAST_DABS || (now() - begin < own->options.seconds && row->dabs + STROKE_DABS < MOST_DABS); stroke++) {
		row->dabs = time_stroke(own, &brush, stroke, row->dabs);
	}
	getrusage(RUSAGE_SELF, &last);
	row->preemptions = (uint32_t)(last.ru_nivcsw - first.ru_nivcsw);
	row->page_faults = (uint32_t)(last.ru_minflt - first.ru_minflt);
	finish_row(own, row);
	qsort(own->reached, row->dabs, sizeof *own->reached, compare_counts);
	row->reached = own->reached[row->dabs / 2];
}

/* The first row; leaves a session for the others. */
static snw_status bench_sessions(table *own, uint32_t threads, snw_error *error) {
	const snw_sculpt_setup setup = {.mesh = own->mesh, .points_posed = own->mesh->points_rest, .partners = own->partners};
	snw_bench_sculpt_row *row = &own->rows[own->count++];
	*row = (snw_bench_sculpt_row){
		.brush = "begin a session", .symmetric = true, .threads = threads, .points = own->mesh->point_count, .dabs = SESSIONS};
	for (int k = 0; k < SESSIONS; k++) {
		snw_sculpt_destroy(own->sculpt);
		own->sculpt = NULL;
		const double before = now(), busy_before = busy();
		const snw_status status = snw_sculpt_create(&setup, &own->sculpt, error);
		if (status != SNW_OK) {
			return status;
		}
		own->times[k] = now() - before;
		own->busy[k] = busy() - busy_before;
	}
	finish_row(own, row);
	return SNW_OK;
}

static snw_status fill_table(table *own, uint32_t threads, const snw_task *task, snw_error *error) {
	snw_brush along = {.radius = 1, .strength = 0.5, .value = 1}, through = along;
	through.volume = true;
	along.radius = find_radius(own, along);
	through.radius = find_radius(own, through);
	for (int kind = 0; kind < SNW_BRUSH_COUNT; kind++) {
		if (!snw_task_progress(task, (double)kind / SNW_BRUSH_COUNT, "timing brushes")) {
			return snw_fail(error, SNW_CANCELLED, "the bench was cancelled");
		}
		along.kind = through.kind = (snw_brush_kind)kind;
		along.symmetric = false;
		bench_brush(own, along, threads);
		bench_brush(own, through, threads);
		if (threads > 1) {
			bench_brush(own, along, 1);
		}
		along.symmetric = true;
		bench_brush(own, along, threads);
	}
	return SNW_OK;
}

snw_status snw_bench_sculpt(const snw_bench_sculpt_options *options, const snw_task *task, snw_arena *arena,
							snw_bench_sculpt_row **rows, uint32_t *count, snw_error *error) {
	table own = {.options = {.point_count = options->point_count > 0 ? options->point_count : 100000,
							 .covered = options->covered > 0 ? options->covered : 0.1,
							 .seconds = options->seconds > 0 ? options->seconds : 0.2}};
	if (own.options.point_count > 5000000 || own.options.covered > 0.5) {
		return snw_fail(error, SNW_ERROR_ARGUMENT,
						"bench takes up to 5,000,000 points, and dabs that cover up to half of them");
	}
	const uint32_t threads = snw_parallel_thread_count();
	snw_arena *passing = snw_arena_create();
	own.rows = SNW_NEW_ARRAY(arena, snw_bench_sculpt_row, MOST_ROWS);
	own.times = SNW_NEW_ARRAY(passing, double, MOST_DABS);
	own.busy = SNW_NEW_ARRAY(passing, double, MOST_DABS);
	own.reached = SNW_NEW_ARRAY(passing, uint32_t, MOST_DABS);
	snw_scene *scene = snw_bench_limb_make(own.options.point_count);
	own.mesh = &scene->meshes[0];
	own.partners = snw_bench_limb_partners(own.mesh, passing);
	snw_status status = bench_sessions(&own, threads, error);
	status = status == SNW_OK ? fill_table(&own, threads, task, error) : status;
	snw_parallel_threads(threads);
	snw_sculpt_destroy(own.sculpt);
	snw_scene_destroy(scene);
	snw_arena_destroy(passing);
	*rows = own.rows;
	*count = status == SNW_OK ? own.count : 0;
	return status;
}
