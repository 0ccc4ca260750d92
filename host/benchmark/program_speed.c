/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Times synthetic skin programs.
 */
#include "benchmark/benchmark.h"

#include <math.h>
#include <string.h>

#include "program/plain_evaluator.h"
#include "sample/synthetic_program.h"
#include "sinew/kit/clock.h"
#include "task/task.h"

/* ---- programs ------------------------------------------------------------------------------------------------------------ */

static const uint32_t influence_counts[] = {1, 2, 4, 8, 12};
enum {
	COUNTS = sizeof influence_counts / sizeof *influence_counts,
	BLENDS = 3,
	MOST_SETS = 3,
	LEAST_ROUNDS = 3,
	ROUNDS = 20, /* of compared rows, alternating, so that a disturbance affects all alike */
	MOST_ROWS = 2 * (1 + MOST_SETS) + 2 + 4 * BLENDS * COUNTS + COUNTS + COUNTS + 3,
	SHAPE_POINTS = 63600,
	SHAPES = 100,
	STREAM_TIMES = 10 /* points of the row compared with memcpy, relative to the others */
};

static const char *const blend_names[] = {"", "linear", "affine", "dual-quaternion"};

/* One evaluation of everything that a row times. */
typedef void work(void *argument);

/* The shortest of as many runs as fit into `seconds`. Single-threaded work is timed by the thread's CPU clock, which stops
 * while other programs run. */
static double shortest(work *run, void *argument, double seconds) {
	double (*const clock)(void) = snw_parallel_thread_count() == 1 ? snk_clock_thread_seconds : snk_clock_seconds;
	const double begin = snk_clock_seconds();
	double least = INFINITY;
	for (uint32_t round = 0; round < LEAST_ROUNDS || snk_clock_seconds() - begin < seconds; round++) {
		const double before = clock();
		run(argument);
		least = fmin(least, clock() - before);
	}
	return least;
}

static void run_fast(void *argument) {
	const snw_synthetic_program *subject = argument;
	snw_program_run(subject->packed, &subject->input, NULL, subject->points);
}

static void run_blended_normals(void *argument) {
	const snw_synthetic_program *subject = argument;
	snw_program_run_with_normals(subject->packed, &subject->input, NULL, subject->points, subject->normals);
}

static void run_face_normals(void *argument) {
	const snw_synthetic_program *subject = argument;
	snw_program_run_with_face_normals(subject->packed, &subject->input, NULL, subject->plan, subject->points, subject->normals);
}

/* Normals from two tangents of each point, which have rows of their own (B. Merry, thesis 2007, section 3.5). The rows of all
 * points come first, then the first tangents', then the second ones'. */
static void run_tangents(void *argument) {
	const snw_synthetic_program *subject = argument;
	const size_t count = subject->program.point_count / 3;
	run_fast(argument);
	for (size_t i = 0; i < count; i++) {
		const float *s = subject->points + 3 * (count + i), *t = s + 3 * count;
		const float normal[3] = {s[1] * t[2] - s[2] * t[1], s[2] * t[0] - s[0] * t[2], s[0] * t[1] - s[1] * t[0]};
		const float square = normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2];
		const float scale = square > 0 ? 1 / sqrtf(square) : 0;
		for (size_t c = 0; c < 3; c++) {
			subject->normals[3 * i + c] = scale * normal[c];
		}
	}
}

typedef struct plain_run {
	const snw_synthetic_program *subject;
	const snw_plain_vertex *vertices;
} plain_run;

static void run_plain(void *argument) {
	const plain_run *run = argument;
	const snw_synthetic_program *subject = run->subject;
	if (subject->program.blend == SNW_BLEND_LINEAR) {
		snw_plain_linear(subject->program.point_count, run->vertices, subject->matrices, subject->points);
	} else {
		snw_plain_dual_quaternion(subject->program.point_count, run->vertices, subject->dual_quaternions, subject->points);
	}
}

typedef struct copy {
	unsigned char *from, *to;
	size_t bytes;
} copy;

static void run_memcpy(void *argument) {
	const copy *buffers = argument;
	memcpy(buffers->to, buffers->from, buffers->bytes);
	/* Keeps the compiler from removing the copy. */
	__asm__ volatile("" : : "r"(buffers->to) : "memory");
}

/* ---- rows ---------------------------------------------------------------------------------------------------------------- */

typedef struct table {
	snw_bench_row *rows;
	uint32_t count;
	snw_bench_options options;
	uint32_t threads;
} table;

/* The bytes that the packed form reads and writes for a point: rest, weights or rows, palette entries, the points of groups,
 * the result. Padding counts, prefetching does not. */
static double bytes_of_point(const snw_packed_program *packed) {
	double bytes = 0;
	for (const snw_packed_block *block = packed->blocks; block < packed->blocks + packed->block_count; block++) {
		const double influences = (double)block->count * block->influence_count;
		const bool affine = packed->blend == SNW_BLEND_AFFINE;
		const double entry = packed->wide ? sizeof(uint32_t) : sizeof(uint16_t);
		bytes += influences * (affine ? 4 : 1) * sizeof(float) + influences * entry / (block->lanes ? SNW_LANES : 1);
		bytes += block->count * (affine ? 0 : 3) * sizeof(float);
		for (uint32_t g = 0; block->lanes && g < block->count / SNW_LANES; g++) {
			const bool apart = packed->runs[block->first / SNW_LANES + g] == SNW_NO_RUN;
			bytes += sizeof(uint16_t) * (1 + (apart ? SNW_LANES : 0));
		}
	}
	return bytes / packed->point_count + 3 * sizeof(float);
}

static snw_bench_row *add_row(table *output, const char *evaluator, const snw_synthetic_program *subject,
							  snw_slot_order order) {
	snw_bench_row *row = &output->rows[output->count++];
	*row = (snw_bench_row){
		.evaluator = evaluator,
		.blend = blend_names[subject->program.blend],
		.kernels = strcmp(evaluator, "fast") == 0 ? subject->packed->kernels->name : "",
		.order = order == SNW_SLOTS_SHARED ? "shared" : "random",
		.points = subject->program.point_count,
		.influences = subject->program.influence_offsets[1],
		.normals = "none",
		.shapes = subject->program.rest.count,
		.threads = 1,
		.seconds = INFINITY,
	};
	return row;
}

static void finish_row(snw_bench_row *row, double bytes) {
	row->points_a_second = row->points / row->seconds;
	row->bytes_a_second = row->points_a_second * bytes;
}

/* The plain kernel and the float evaluator with each instruction set, alternating. */
static void bench_beside_plain(table *output, int32_t blend, snw_slot_order order, bool every_set) {
	snw_arena *arena = snw_arena_create();
	snw_synthetic_program subject =
		snw_synthetic_program_make(output->options.point_count, output->options.slot_count, blend, 4, order, 0, arena);
	plain_run of_plain = {&subject, snw_plain_vertices(&subject.program, arena)};
	uint32_t set_count;
	const snw_kernels *const *sets = snw_kernels_available(&set_count);
	const uint32_t first = every_set ? 0 : set_count - 1;
	snw_bench_row *plain = add_row(output, "plain", &subject, order), *fast = output->rows + output->count;
	for (uint32_t s = first; s < set_count; s++) {
		subject.packed->kernels = sets[s];
		add_row(output, "fast", &subject, order);
	}
	for (int repeat = 0; repeat < ROUNDS; repeat++) {
		plain->seconds = fmin(plain->seconds, shortest(run_plain, &of_plain, output->options.seconds / ROUNDS));
		for (uint32_t s = first; s < set_count; s++) {
			subject.packed->kernels = sets[s];
			fast[s - first].seconds =
				fmin(fast[s - first].seconds, shortest(run_fast, &subject, output->options.seconds / ROUNDS));
		}
	}
	finish_row(plain, sizeof(snw_plain_vertex) + 3 * sizeof(float));
	plain->ratio = 1;
	for (snw_bench_row *row = fast; row < output->rows + output->count; row++) {
		finish_row(row, bytes_of_point(subject.packed));
		row->ratio = plain->seconds / row->seconds;
	}
	snw_synthetic_program_destroy(&subject);
	snw_arena_destroy(arena);
}

/* With two tangent rows for each point of `subject`, alternating with normals from its faces. */
static void bench_tangents(table *output, snw_synthetic_program *subject, snw_bench_row *faces) {
	snw_arena *arena = snw_arena_create();
	const uint32_t influences = subject->program.influence_offsets[1];
	snw_synthetic_program rows = snw_synthetic_program_make(3 * subject->program.point_count, output->options.slot_count,
															SNW_BLEND_AFFINE, influences, SNW_SLOTS_SHARED, 0, arena);
	snw_bench_row *row = add_row(output, "fast", subject, SNW_SLOTS_SHARED);
	row->normals = "tangents";
	for (int repeat = 0; repeat < ROUNDS; repeat++) {
		faces->seconds = fmin(faces->seconds, shortest(run_face_normals, subject, output->options.seconds / ROUNDS));
		row->seconds = fmin(row->seconds, shortest(run_tangents, &rows, output->options.seconds / ROUNDS));
	}
	finish_row(faces, 0);
	finish_row(row, 3 * bytes_of_point(rows.packed));
	row->ratio = faces->seconds / row->seconds;
	snw_synthetic_program_destroy(&rows);
	snw_arena_destroy(arena);
}

/* With normals from the blend, from the faces and, where rows are the skin, from rows of tangents. */
static void bench_normals(table *output, snw_synthetic_program *subject) {
	snw_bench_row *blended = add_row(output, "fast", subject, SNW_SLOTS_SHARED), *faces;
	blended->normals = "blended";
	blended->seconds = shortest(run_blended_normals, subject, output->options.seconds);
	finish_row(blended, bytes_of_point(subject->packed) + 6 * sizeof(float));
	snw_synthetic_program_plan_normals(subject);
	faces = add_row(output, "fast", subject, SNW_SLOTS_SHARED);
	faces->normals = "faces";
	faces->seconds = shortest(run_face_normals, subject, output->options.seconds);
	finish_row(faces, 0);
	if (subject->program.blend == SNW_BLEND_AFFINE) {
		bench_tangents(output, subject, faces);
	}
}

/* The float evaluator, on one thread and on all; only on one for the random order. */
static void bench_blend(table *output, int32_t blend, uint32_t influence_count, snw_slot_order order) {
	snw_arena *arena = snw_arena_create();
	snw_synthetic_program subject = snw_synthetic_program_make(output->options.point_count, output->options.slot_count, blend,
															   influence_count, order, 0, arena);
	const uint32_t threads[] = {1, output->threads};
	for (int i = 0; i < (output->threads > 1 && order == SNW_SLOTS_SHARED ? 2 : 1); i++) {
		snw_parallel_threads(threads[i]);
		snw_bench_row *row = add_row(output, "fast", &subject, order);
		row->threads = threads[i];
		row->seconds = shortest(run_fast, &subject, output->options.seconds);
		finish_row(row, bytes_of_point(subject.packed));
	}
	snw_parallel_threads(1);
	if (order == SNW_SLOTS_SHARED) {
		bench_normals(output, &subject);
	}
	snw_synthetic_program_destroy(&subject);
	snw_arena_destroy(arena);
}

static void bench_shapes(table *output) {
	snw_arena *arena = snw_arena_create();
	snw_synthetic_program subject = snw_synthetic_program_make(SHAPE_POINTS, output->options.slot_count, SNW_BLEND_LINEAR, 4,
															   SNW_SLOTS_SHARED, SHAPES, arena);
	snw_bench_row *row = add_row(output, "fast", &subject, SNW_SLOTS_SHARED);
	row->seconds = shortest(run_fast, &subject, output->options.seconds);
	row->points_a_second = row->points / row->seconds;
	snw_synthetic_program_destroy(&subject);
	snw_arena_destroy(arena);
}

/* Many points, compared with a memcpy that reads and writes as many bytes. */
static void bench_stream(table *output) {
	snw_arena *arena = snw_arena_create();
	snw_synthetic_program subject =
		snw_synthetic_program_make(STREAM_TIMES * output->options.point_count, output->options.slot_count, SNW_BLEND_LINEAR, 4,
								   SNW_SLOTS_SHARED, 0, arena);
	const size_t bytes = (size_t)(subject.program.point_count * bytes_of_point(subject.packed) / 2);
	copy copied = {snw_arena_acquire(arena, bytes), snw_arena_acquire(arena, bytes), bytes};
	memset(copied.from, 1, bytes);
	snw_bench_row *plain = add_row(output, "memcpy", &subject, SNW_SLOTS_SHARED);
	snw_bench_row *fast = add_row(output, "fast", &subject, SNW_SLOTS_SHARED);
	for (int repeat = 0; repeat < ROUNDS; repeat++) {
		plain->seconds = fmin(plain->seconds, shortest(run_memcpy, &copied, output->options.seconds / ROUNDS));
		fast->seconds = fmin(fast->seconds, shortest(run_fast, &subject, output->options.seconds / ROUNDS));
	}
	finish_row(plain, bytes_of_point(subject.packed));
	finish_row(fast, bytes_of_point(subject.packed));
	plain->ratio = 1;
	fast->ratio = plain->seconds / fast->seconds;
	snw_synthetic_program_destroy(&subject);
	snw_arena_destroy(arena);
}

static snw_status fill_table(table *output, const snw_task *task, snw_error *error) {
	enum { PARTS = 3 + BLENDS * COUNTS + COUNTS + 2 };
	for (uint32_t i = 0; i < PARTS; i++) {
		if (!snw_task_progress(task, (double)i / PARTS, "timing skin programs")) {
			return snw_fail(error, SNW_CANCELLED, "the benchmark was cancelled");
		}
		const uint32_t part = i - 3;
		if (i < 2) {
			bench_beside_plain(output, SNW_BLEND_LINEAR, i == 0 ? SNW_SLOTS_SHARED : SNW_SLOTS_RANDOM, true);
		} else if (i == 2) {
			bench_beside_plain(output, SNW_BLEND_DUAL_QUATERNION, SNW_SLOTS_SHARED, false);
		} else if (part < BLENDS * COUNTS) {
			const int32_t blend = SNW_BLEND_LINEAR + (int32_t)(part / COUNTS);
			bench_blend(output, blend, influence_counts[part % COUNTS], SNW_SLOTS_SHARED);
		} else if (part < BLENDS * COUNTS + COUNTS) {
			bench_blend(output, SNW_BLEND_LINEAR, influence_counts[part % COUNTS], SNW_SLOTS_RANDOM);
		} else if (i == PARTS - 2) {
			bench_shapes(output);
		} else {
			bench_stream(output);
		}
	}
	return SNW_OK;
}

snw_status snw_bench_skin(const snw_bench_options *options, const snw_task *task, snw_arena *arena, snw_bench_row **rows,
						  uint32_t *count, snw_error *error) {
	table output = {.options = {.point_count = options->point_count > 0 ? options->point_count : 100000,
								.slot_count = options->slot_count > 0 ? options->slot_count : 60,
								.seconds = options->seconds > 0 ? options->seconds : 0.2}};
	if (output.options.point_count > 5000000 || output.options.slot_count < 16 || output.options.slot_count > 60000) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "the benchmark takes up to 5,000,000 points and 16 to 60,000 slots");
	}
	output.threads = snw_parallel_thread_count();
	output.rows = SNW_NEW_ARRAY(arena, snw_bench_row, MOST_ROWS);
	snw_parallel_threads(1);
	const snw_status status = fill_table(&output, task, error);
	snw_parallel_threads(output.threads);
	*rows = output.rows;
	*count = snw_failed(status) ? 0 : output.count;
	return status;
}
