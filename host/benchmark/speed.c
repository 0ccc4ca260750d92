/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/numbers.h"
#include "benchmark/benchmark.h"
#include "export/export.h"
#include "import/import.h"
#include "pose/pose.h"
#include "sample/sample.h"
#include "sinew/kit/clock.h"
#include "stack/stack.h"
#include "task/task.h"

/* ---- imports ------------------------------------------------------------------------------------------------------------- */

/* How long a character takes to import from FBX: Sinew's reader and Assimp's read the same file in turn. */

enum { FRAMES = 31, IMPORT_ROUNDS = 5 };

static snw_status write_character(const snw_registry *registry, uint32_t points, const char *path, const snw_task *task,
								  uint64_t *bytes, snw_error *error) {
	snw_scene *scene = snw_bench_chain(points, FRAMES);
	snw_stack *stack = NULL;
	snw_export_report report = {0};
	const snw_export_request request = {.path = path, .mesh = SNW_NONE, .clip = SNW_NONE, .influences = 4, .unmeasured = true};
	snw_status status = snw_stack_build(scene, registry, NULL, task, &stack, error);
	status = snw_failed(status) ? status : snw_export(scene, stack, &request, task, &report, error);
	*bytes = report.byte_count;
	snw_stack_destroy(stack);
	snw_scene_destroy(scene);
	return status;
}

/* The seconds of one import, and what it has found. */
static snw_status time_import(const snw_import_format *format, const char *path, snw_bench_import_row *row, snw_error *error) {
	const snw_import_request request = {.file = path};
	snw_scene *scene = snw_scene_create();
	const double begin = snk_clock_seconds();
	const snw_status status = format->read(path, &request, NULL, scene, error);
	const double seconds = snk_clock_seconds() - begin;
	row->seconds = fmin(row->seconds, seconds);
	row->points = scene->mesh_count > 0 ? scene->meshes[0].point_count : 0;
	row->clips = scene->clip_count;
	snw_scene_destroy(scene);
	return status;
}

snw_status snw_bench_import(const snw_registry *registry, uint32_t points, const char *folder, const snw_task *task,
							snw_bench_import_row rows[SNW_BENCH_IMPORT_ROWS], snw_error *error) {
	static const snw_import_format *const formats[SNW_BENCH_IMPORT_ROWS] = {&snw_import_fbx, &snw_import_assimp};
	static const char *const names[SNW_BENCH_IMPORT_ROWS] = {"Sinew", "Assimp"};
	char path[4096];
	uint64_t bytes = 0;
	snprintf(path, sizeof path, "%s/sinew-bench-%ld.fbx", folder, (long)getpid());
	snw_status status = write_character(registry, points, path, task, &bytes, error);
	for (int i = 0; i < SNW_BENCH_IMPORT_ROWS; i++) {
		rows[i] = (snw_bench_import_row){.reader = names[i], .bytes = bytes, .seconds = HUGE_VAL};
	}
	for (int i = 0; i < IMPORT_ROUNDS * SNW_BENCH_IMPORT_ROWS && !snw_failed(status); i++) {
		const int r = i % SNW_BENCH_IMPORT_ROWS;
		status = snw_task_progress(task, (double)i / (IMPORT_ROUNDS * SNW_BENCH_IMPORT_ROWS), "importing")
					 ? time_import(formats[r], path, &rows[r], error)
					 : SNW_CANCELLED;
		rows[r].ratio = rows[0].seconds / rows[r].seconds;
	}
	unlink(path);
	return status;
}

/* ---- layers -------------------------------------------------------------------------------------------------------------- */

enum { LEAST_ROUNDS = 3, MOST_ROUNDS = 4000 };

/* A stack that is run repeatedly at one pose. */
typedef struct timed_layer {
	snw_stack *stack;
	snw_evaluation *evaluation;
	float *points;
} timed_layer;

static void close_subject(timed_layer *s) {
	snw_evaluation_destroy(s->evaluation);
	snw_stack_destroy(s->stack);
}

static snw_status open_subject(const snw_scene *scene, const snw_registry *registry, const char *method, snw_arena *arena,
							   timed_layer *s, snw_error *error) {
	const snw_stack_options options = {.method = method};
	*s = (timed_layer){.points = SNW_NEW_ARRAY(arena, float, 3 * (size_t)scene->meshes[0].point_count)};
	snw_status status = snw_stack_build(scene, registry, &options, NULL, &s->stack, error);
	if (!snw_failed(status)) {
		const snw_pose *pose = &scene->poses[snw_scene_find_pose(scene, "bent")];
		s->evaluation = snw_evaluation_create(s->stack);
		status = snw_stack_drive(s->stack, snw_pose_view_make(scene, pose, arena), s->evaluation, error);
	}
	return status;
}

/* The seconds of each run. */
typedef struct timed_runs {
	double seconds[MOST_ROUNDS];
	uint32_t count;
} timed_runs;

static snw_status time_run(const timed_layer *s, timed_runs *runs, snw_error *error) {
	const double before = snk_clock_seconds();
	const snw_status status = snw_stack_run(s->stack, s->evaluation, 0, s->points, error);
	runs->seconds[runs->count++] = snk_clock_seconds() - before;
	return status;
}

static double time_copy(uint32_t point_count, double seconds, snw_arena *arena) {
	const size_t bytes = 3 * (size_t)point_count * sizeof(double);
	unsigned char *from = SNW_NEW_ARRAY(arena, unsigned char, bytes), *to = SNW_NEW_ARRAY(arena, unsigned char, bytes);
	const double begin = snk_clock_seconds();
	double shortest = (double)INFINITY;
	for (int round = 0; round < LEAST_ROUNDS || snk_clock_seconds() - begin < seconds; round++) {
		const double before = snk_clock_seconds();
		memcpy(to, from, bytes);
		/* Keeps the compiler from removing the copy. */
		__asm__ volatile("" : : "r"(to) : "memory");
		shortest = fmin(shortest, snk_clock_seconds() - before);
	}
	return shortest;
}

/* Sorts the runs of each. What a layer takes is the difference of two shortest runs, or of two medians. */
static void fill_row(timed_runs runs[3], snw_bench_layer_row *row) {
	double shortest[3], median[3];
	for (int i = 0; i < 3; i++) {
		snw_sort_numbers(runs[i].seconds, runs[i].count);
		shortest[i] = runs[i].seconds[0];
		median[i] = runs[i].seconds[runs[i].count / 2];
	}
	row->rounds = runs[0].count;
	row->seconds = fmax(shortest[1] - shortest[0], 1e-9);
	row->isolated_seconds = fmax(shortest[2] - shortest[0], 1e-9);
	row->median_seconds = fmax(median[1] - median[0], 1e-9);
	row->isolated_median_seconds = fmax(median[2] - median[0], 1e-9);
	row->points_a_second = row->points / row->seconds;
}

/* Fills a row, on the current number of threads. `row` has its method and points. */
static snw_status time_row(const timed_layer *without, const timed_layer *with, const timed_layer *apart, double seconds,
						   snw_arena *arena, snw_bench_layer_row *row, snw_error *error) {
	timed_runs *runs = SNW_NEW_ARRAY(arena, timed_runs, 3);
	const double begin = snk_clock_seconds();
	snw_status status = SNW_OK;
	/* One run of each in turn, so that what else the machine does meets all alike. */
	for (int round = 0;
		 !snw_failed(status) && round < MOST_ROUNDS && (round < LEAST_ROUNDS || snk_clock_seconds() - begin < 3 * seconds);
		 round++) {
		status = time_run(without, &runs[0], error);
		status = snw_failed(status) ? status : time_run(with, &runs[1], error);
		status = snw_failed(status) ? status : time_run(apart, &runs[2], error);
	}
	row->threads = snw_parallel_thread_count();
	if (!snw_failed(status)) {
		fill_row(runs, row);
		row->copy_seconds = row->passes * time_copy(row->points, seconds, arena);
	}
	return status;
}

static snw_status time_method(const snw_scene *scene, const snw_registry *registry, const snw_registry *isolated,
							  const char *method, double seconds, snw_arena *arena, snw_bench_layer_row rows[2],
							  snw_error *error) {
	const uint32_t threads = snw_parallel_thread_count();
	timed_layer without = {0}, with = {0}, apart = {0};
	snw_status status = open_subject(scene, registry, NULL, arena, &without, error);
	status = snw_failed(status) ? status : open_subject(scene, registry, method, arena, &with, error);
	status = snw_failed(status) ? status : open_subject(scene, isolated, method, arena, &apart, error);
	for (int r = 0; !snw_failed(status) && r < 2; r++) {
		snw_parallel_threads(r == 0 ? 1 : threads);
		rows[r] = (snw_bench_layer_row){
			.method = method, .points = scene->meshes[0].point_count, .passes = snw_stack_rings(with.stack, 0)};
		status = time_row(&without, &with, &apart, seconds, arena, &rows[r], error);
	}
	snw_parallel_threads(threads);
	close_subject(&apart);
	close_subject(&with);
	close_subject(&without);
	return status;
}

/* A method that binds, and moves points by their neighbours. */
static bool is_timed(const snw_deformer *deformer) {
	const snw_descriptor *d = deformer ? deformer->descriptor : NULL;
	return d && (d->traits & SNW_BINDS) && !(d->traits & SNW_REPLACES_BLEND) && d->rings > 0 && d->rings != SNW_NONE;
}

snw_status snw_bench_layers(const snw_registry *registry, const snw_registry *isolated, uint32_t point_count, double seconds,
							const snw_task *task, snw_arena *arena, snw_bench_layer_row **rows, uint32_t *count,
							snw_error *error) {
	const uint32_t plugins = snw_registry_count(registry);
	snw_scene *scene = snw_limb_make(point_count);
	snw_status status = SNW_OK;
	*rows = SNW_NEW_ARRAY(arena, snw_bench_layer_row, 2 * (size_t)plugins);
	*count = 0;
	for (uint32_t i = 0; !snw_failed(status) && i < plugins; i++) {
		const snw_deformer *deformer = snw_registry_get(registry, i)->deformer;
		if (!is_timed(deformer)) {
			continue;
		}
		if (!snw_task_progress(task, (double)i / plugins, "timing layers")) {
			status = snw_fail(error, SNW_CANCELLED, "the benchmark was cancelled");
			break;
		}
		status =
			time_method(scene, registry, isolated, deformer->descriptor->short_name, seconds, arena, *rows + *count, error);
		*count += 2;
	}
	if (!snw_failed(status) && *count == 0) {
		status = snw_fail(error, SNW_ERROR_MISSING,
						  "no plug-in that binds and moves points by their neighbours is on the search path");
	}
	snw_scene_destroy(scene);
	return status;
}

/* ---- programs ------------------------------------------------------------------------------------------------------------ */

/* Times synthetic skin programs. */

/* ---- programs ------------------------------------------------------------------------------------------------------------ */

static const uint32_t influence_counts[] = {1, 2, 4, 8, 12};
enum {
	COUNTS = sizeof influence_counts / sizeof *influence_counts,
	BLENDS = 3,
	MOST_SETS = 3,
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

/* ---- plain kernels ------------------------------------------------------------------------------------------------------- */

typedef float row4 __attribute__((vector_size(16), may_alias));

#define INLINED static inline __attribute__((always_inline))

snw_plain_vertex *snw_plain_vertices(const snw_program *program, snw_arena *arena) {
	snw_plain_vertex *vertices = SNW_NEW_ARRAY(arena, snw_plain_vertex, program->point_count);
	for (size_t i = 0; i < program->point_count; i++) {
		for (size_t c = 0; c < 3; c++) {
			vertices[i].position[c] = (float)program->points_rest[3 * i + c];
		}
		for (size_t k = 0; k < 4; k++) {
			vertices[i].weights[k] = (float)program->influence_weights[4 * i + k];
			vertices[i].slots[k] = (uint16_t)program->influence_slots[4 * i + k];
		}
	}
	return vertices;
}

void snw_plain_linear(uint32_t count, const snw_plain_vertex *vertices, const float *matrices, float *points_out) {
	for (uint32_t i = 0; i < count; i++) {
		const snw_plain_vertex *vertex = &vertices[i];
		row4 blended[4] = {{0}, {0}, {0}, {0}};
#pragma GCC unroll 4
		for (int k = 0; k < 4; k++) {
			const row4 *columns = (const row4 *)(matrices + 16 * (size_t)vertex->slots[k]);
#pragma GCC unroll 4
			for (int c = 0; c < 4; c++) {
				blended[c] += vertex->weights[k] * columns[c];
			}
		}
		const float *p = vertex->position;
		const row4 posed = (p[0] * blended[0] + p[1] * blended[1]) + (p[2] * blended[2] + blended[3]);
		memcpy(points_out + 3 * (size_t)i, &posed, 3 * sizeof *points_out);
	}
}

INLINED void cross(const float a[3], const float b[3], float dest[3]) {
	dest[0] = a[1] * b[2] - a[2] * b[1];
	dest[1] = a[2] * b[0] - a[0] * b[2];
	dest[2] = a[0] * b[1] - a[1] * b[0];
}

/* x + Σ w (P − I) x */
INLINED void stretch_point(const snw_plain_vertex *vertex, const float *stretches, float x[3]) {
	float sum[9] = {0};
	for (int k = 0; k < 4; k++) {
		for (int e = 0; e < 9; e++) {
			sum[e] += vertex->weights[k] * stretches[9 * (size_t)vertex->slots[k] + (size_t)e];
		}
	}
	for (int r = 0; r < 3; r++) {
		x[r] += sum[3 * r] * vertex->position[0] + sum[3 * r + 1] * vertex->position[1] + sum[3 * r + 2] * vertex->position[2];
	}
}

INLINED void blend_dual_quaternions(uint32_t count, const snw_plain_vertex *vertices, const float *dual_quaternions,
									bool is_shortest, const float *stretches, float *points_out) {
	for (uint32_t i = 0; i < count; i++) {
		const snw_plain_vertex *vertex = &vertices[i];
		const float *first = dual_quaternions + 8 * (size_t)vertex->slots[0];
		float q[8] = {0}, twice[3], rotated[3], translated[3], x[3];
		memcpy(x, vertex->position, sizeof x);
#pragma GCC unroll 4
		for (int k = 0; k < 4; k++) {
			const float *from = dual_quaternions + 8 * (size_t)vertex->slots[k];
			const float near = from[0] * first[0] + from[1] * first[1] + from[2] * first[2] + from[3] * first[3];
			const float w = is_shortest && near < 0 ? -vertex->weights[k] : vertex->weights[k];
#pragma GCC unroll 8
			for (int c = 0; c < 8; c++) {
				q[c] += w * from[c];
			}
		}
		if (stretches) {
			stretch_point(vertex, stretches, x);
		}
		const float square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], scale = square > 0 ? 1 / sqrtf(square) : 0;
		for (int c = 0; c < 8; c++) {
			q[c] *= scale;
		}
		cross(q, x, twice);
		for (int c = 0; c < 3; c++) {
			twice[c] += q[3] * x[c];
		}
		cross(q, twice, rotated);
		cross(q, q + 4, translated);
		for (int c = 0; c < 3; c++) {
			points_out[3 * (size_t)i + (size_t)c] = x[c] + 2 * (rotated[c] + q[3] * q[4 + c] - q[7] * q[c] + translated[c]);
		}
	}
}

void snw_plain_dual_quaternion(uint32_t count, const snw_plain_vertex *vertices, const float *dual_quaternions,
							   float *points_out) {
	blend_dual_quaternions(count, vertices, dual_quaternions, false, NULL, points_out);
}

void snw_plain_dual_quaternion_shortest(uint32_t count, const snw_plain_vertex *vertices, const float *dual_quaternions,
										const float *stretches, float *points_out) {
	blend_dual_quaternions(count, vertices, dual_quaternions, true, stretches, points_out);
}
