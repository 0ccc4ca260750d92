/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Timing skin programs that are made up.
 */
#include "measure/bench.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "base/parallel.h"
#include "program/packed.h"
#include "program/truth.h"
#include "sinew/algebra.h"

static const uint32_t influence_counts[] = {1, 4, 8};
enum { COUNTS = sizeof influence_counts / sizeof *influence_counts, BLENDS = 3, LEAST_ROUNDS = 3 };

static const char *const blend_names[] = {"", "linear", "affine", "dual-quaternion"};

/* One evaluation of everything that a row times. */
typedef void work(void *argument);

static double now(void) {
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* The shortest of as many runs as fit in `seconds`. */
static double shortest(work *run, void *argument, double seconds) {
	const double begin = now();
	double least = INFINITY;
	for (uint32_t round = 0; round < LEAST_ROUNDS || now() - begin < seconds; round++) {
		const double before = now();
		run(argument);
		least = fmin(least, now() - before);
	}
	return least;
}

/* ---- programs -------------------------------------------------------------------------------------------------------------- */

typedef struct subject {
	snw_program program;
	snw_program_frame frame;
	snw_packed_program *packed;
	double *truth;
	float *points;
} subject;

/* A tube along x, a metre for each slot. */
static const double *make_rest(uint32_t point_count, uint32_t slot_count, snw_arena *arena) {
	double *rest = SNW_NEW_ARRAY(arena, double, 3 * (size_t)point_count);
	for (uint32_t i = 0; i < point_count; i++) {
		rest[3 * (size_t)i] = (double)slot_count * i / point_count;
		rest[3 * (size_t)i + 1] = 0.3 * cos(0.1 * i);
		rest[3 * (size_t)i + 2] = 0.3 * sin(0.1 * i);
	}
	return rest;
}

static const double *make_matrices(uint32_t slot_count, snw_arena *arena) {
	double *matrices = SNW_NEW_ARRAY(arena, double, 12 * (size_t)slot_count);
	for (uint32_t s = 0; s < slot_count; s++) {
		const double turn[3] = {0.02 * s, 0.3 * sin(s), 0.2};
		double q[4];
		snw_quat_from_turn(turn, q);
		snw_quat_to_mat34(q, matrices + 12 * (size_t)s);
	}
	return matrices;
}

static void make_influences(snw_program *program, uint32_t influence_count, snw_arena *arena) {
	const size_t total = (size_t)program->point_count * influence_count;
	uint32_t *offsets = SNW_NEW_ARRAY(arena, uint32_t, (size_t)program->point_count + 1);
	uint32_t *slots = SNW_NEW_ARRAY(arena, uint32_t, total);
	double *weights = SNW_NEW_ARRAY(arena, double, total), *rows = SNW_NEW_ARRAY(arena, double, 4 * total);
	for (uint32_t i = 0; i < program->point_count; i++) {
		const double *x = program->points_rest + 3 * (size_t)i;
		offsets[i + 1] = offsets[i] + influence_count;
		for (uint32_t k = 0; k < influence_count; k++) {
			const size_t own = (size_t)offsets[i] + k;
			slots[own] = ((uint32_t)x[0] + k) % program->slot_count;
			weights[own] = 2.0 * (k + 1) / (influence_count * (influence_count + 1.0));
			for (size_t c = 0; c < 4; c++) {
				rows[4 * own + c] = weights[own] * (c == 3 ? 1 : x[c]);
			}
		}
	}
	program->influence_offsets = offsets;
	program->influence_slots = slots;
	program->influence_weights = weights;
	program->influence_rows = program->blend == SNW_BLEND_AFFINE ? rows : NULL;
}

static subject make_subject(const snw_bench_options *options, int32_t blend, uint32_t influence_count, snw_arena *arena) {
	subject own = {.program = {
					   .point_count = options->point_count,
					   .blend = blend,
					   .slot_count = options->slot_count,
					   .points_rest = make_rest(options->point_count, options->slot_count, arena),
				   }};
	own.frame.matrices = make_matrices(options->slot_count, arena);
	make_influences(&own.program, influence_count, arena);
	own.packed = snw_program_pack(&own.program);
	own.truth = SNW_NEW_ARRAY(arena, double, 3 * (size_t)options->point_count);
	own.points = SNW_NEW_ARRAY(arena, float, 3 * (size_t)options->point_count);
	return own;
}

/* What the packed form reads for a point and what is written: palette entries and weights (or rows), the rest, where to. */
static size_t bytes_of_point(int32_t blend, uint32_t influence_count) {
	const size_t affine = blend == SNW_BLEND_AFFINE;
	const size_t influence = sizeof(uint32_t) + (affine ? 4 : 1) * sizeof(float), rest = affine ? 0 : 4 * sizeof(float);
	return influence_count * influence + rest + sizeof(uint32_t) + 3 * sizeof(float);
}

static void run_truth(void *argument) {
	const subject *own = argument;
	snw_program_truth(&own->program, &own->frame, NULL, own->truth);
}

static void run_fast(void *argument) {
	const subject *own = argument;
	snw_program_run(own->packed, &own->frame, NULL, own->points);
}

/* ---- rows ------------------------------------------------------------------------------------------------------------------ */

static snw_bench_row make_row(const char *evaluator, const subject *own, uint32_t threads, double seconds) {
	const uint32_t influence_count = own->program.influence_offsets[1];
	const double a_second = own->program.point_count / seconds;
	const bool is_fast = strcmp(evaluator, "fast") == 0;
	return (snw_bench_row){
		.evaluator = evaluator,
		.blend = blend_names[own->program.blend],
		.kernels = is_fast ? own->packed->kernels->name : "",
		.influences = influence_count,
		.threads = threads,
		.seconds = seconds,
		.points_a_second = a_second,
		.bytes_a_second = is_fast ? a_second * (double)bytes_of_point(own->program.blend, influence_count) : 0,
	};
}

/* Three rows, or two where there is one thread. */
static uint32_t bench_subject(const snw_bench_options *options, int32_t blend, uint32_t influence_count, uint32_t threads,
							  snw_bench_row *rows) {
	snw_arena *arena = snw_arena_create();
	subject own = make_subject(options, blend, influence_count, arena);
	uint32_t count = 0;
	rows[count++] = make_row("truth", &own, 1, shortest(run_truth, &own, options->seconds));
	snw_parallel_threads(1);
	rows[count++] = make_row("fast", &own, 1, shortest(run_fast, &own, options->seconds));
	snw_parallel_threads(threads);
	if (threads > 1) {
		rows[count++] = make_row("fast", &own, threads, shortest(run_fast, &own, options->seconds));
	}
	snw_packed_program_destroy(own.packed);
	snw_arena_destroy(arena);
	return count;
}

typedef struct copy {
	unsigned char *from, *to;
	size_t bytes;
} copy;

static void run_memcpy(void *argument) {
	const copy *own = argument;
	memcpy(own->to, own->from, own->bytes);
	/* The compiler must not see that nobody reads the copy. */
	__asm__ volatile("" : : "r"(own->to) : "memory");
}

static snw_bench_row bench_memcpy(const snw_bench_options *options) {
	snw_arena *arena = snw_arena_create();
	const size_t bytes = options->point_count * bytes_of_point(SNW_BLEND_LINEAR, 4) / 2; /* half read, half written */
	copy own = {snw_arena_acquire(arena, bytes), snw_arena_acquire(arena, bytes), bytes};
	memset(own.from, 1, bytes);
	const double seconds = shortest(run_memcpy, &own, options->seconds);
	snw_arena_destroy(arena);
	return (snw_bench_row){
		.evaluator = "memcpy",
		.blend = "",
		.kernels = "",
		.threads = 1,
		.seconds = seconds,
		.points_a_second = options->point_count / seconds,
		.bytes_a_second = 2 * (double)bytes / seconds,
	};
}

snw_status snw_bench_skin(const snw_bench_options *options, const snw_task *task, snw_arena *arena, snw_bench_row **rows,
						  uint32_t *count, snw_error *error) {
	const snw_bench_options own = {
		.point_count = options->point_count > 0 ? options->point_count : 100000,
		.slot_count = options->slot_count > 0 ? options->slot_count : 60,
		.seconds = options->seconds > 0 ? options->seconds : 0.2,
	};
	if (own.point_count > 20000000 || own.slot_count < 8 || own.slot_count > 100000) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "bench takes up to 20,000,000 points and 8 to 100,000 slots");
	}
	const uint32_t threads = snw_parallel_thread_count();
	snw_bench_row *table = SNW_NEW_ARRAY(arena, snw_bench_row, 3 * BLENDS * COUNTS + 1);
	uint32_t filled = 0;
	for (uint32_t i = 0; i < BLENDS * COUNTS; i++) {
		if (!snw_task_progress(task, (double)i / (BLENDS * COUNTS), "timing skin programs")) {
			return snw_fail(error, SNW_CANCELLED, "the bench was cancelled");
		}
		const int32_t blend = SNW_BLEND_LINEAR + (int32_t)(i / COUNTS);
		filled += bench_subject(&own, blend, influence_counts[i % COUNTS], threads, table + filled);
	}
	table[filled++] = bench_memcpy(&own);
	*rows = table;
	*count = filled;
	return SNW_OK;
}
