/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs a driven stack, one segment after the other: programs with their evaluators, black boxes in passes on all threads.
 */
#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "isolation/isolated_deformer.h"
#include "program/program.h"
#include "sinew/algebra.h"
#include "stack/stack_internal.h"
#include "task/task.h"

/* Points per chunk. */
enum { GRAIN = 512, PROGRAM_GRAIN = 2048, MATRIX_GRAIN = 512 };

/* ---- black boxes --------------------------------------------------------------------------------------------------------- */

typedef struct black_box_pass {
	snw_evaluation *evaluation;
	const stack_layer *layer;
	snw_deform_call call; /* for the whole mesh; each chunk sets its range and scratch */
	const bool *wanted;   /* [ranges of GRAIN points]: whether to run a range; NULL for all */
	/* The failure with the lowest position, independent of threads. High half: the start of the chunk, or the point that is not
	 * finite; low half: the status, or NOT_FINITE. UINT64_MAX for none. */
	_Atomic uint64_t failed;
} black_box_pass;

enum { NOT_FINITE = 0 };

static void record_failure(black_box_pass *pass, uint32_t where, uint32_t code) {
	const uint64_t failure = ((uint64_t)where << 32) | code;
	uint64_t first = atomic_load(&pass->failed);
	while (failure < first && !atomic_compare_exchange_weak(&pass->failed, &first, failure)) {
	}
}

/* The first point of a range that is not finite, or would not be as float; `end` if there is none. */
static uint32_t first_not_finite(const double *points, uint32_t begin, uint32_t end) {
	for (uint32_t i = begin; i < end; i++) {
		for (size_t c = 0; c < 3; c++) {
			if (!(fabs(points[(size_t)3 * i + c]) <= (double)FLT_MAX)) {
				return i;
			}
		}
	}
	return end;
}

static void run_black_box_chunk(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	black_box_pass *pass = argument;
	const snw_evaluation *evaluation = pass->evaluation;
	if (pass->wanted && !pass->wanted[begin / GRAIN]) {
		return;
	}
	const snw_thread_call previous = snw_thread_enter(stack_call_of(pass->layer, SNW_ROLE_EVALUATION, "deform"));
	snw_deform_call call = pass->call;
	call.begin = begin;
	call.end = end;
	call.scratch =
		pass->layer->layout.scratch_bytes > 0 ? evaluation->scratch + evaluation->stack->scratch_bytes * thread : NULL;
	const snw_status status = snw_deny_caveat(pass->layer->deformer->deform(&call));
	snw_thread_leave_chunk(previous);
	if (snw_failed(status)) {
		record_failure(pass, begin, (uint32_t)-status);
		return;
	}
	const uint32_t point = first_not_finite(pass->call.points_out, begin, end);
	if (point < end) {
		record_failure(pass, point, NOT_FINITE);
	}
}

static void check_range(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	black_box_pass *pass = argument;
	const bool is_wanted = !pass->wanted || pass->wanted[begin / GRAIN];
	const uint32_t point = is_wanted ? first_not_finite(pass->call.points_out, begin, end) : end;
	if (point < end) {
		record_failure(pass, point, NOT_FINITE);
	}
}

static snw_status prepare_pass(const black_box_pass *pass, snw_error *error) {
	const snw_deformer *deformer = pass->layer->deformer;
	if (!deformer->prepare) {
		return SNW_OK;
	}
	snw_deform_call call = pass->call;
	call.points_out = NULL;
	call.scratch = pass->layer->layout.scratch_bytes > 0 ? pass->evaluation->scratch : NULL;
	const snw_thread_call previous = snw_thread_enter(stack_call_of(pass->layer, SNW_ROLE_EVALUATION, "prepare"));
	const snw_status status = snw_deny_caveat(deformer->prepare(&call));
	snw_thread_leave(previous);
	return !snw_failed(status) ? SNW_OK
							   : stack_layer_failed(pass->evaluation, pass->layer, status, error,
													"failed in prepare of pass %u: it %s", call.pass, snw_status_words(status));
}

/* The process of the plug-in runs all passes and shares the ranges out itself: all of them, of which only those are checked
 * that are wanted. */
static snw_status run_isolated(black_box_pass *pass, uint32_t point_count, snw_error *error) {
	const snw_thread_call previous = snw_thread_enter(stack_call_of(pass->layer, SNW_ROLE_EVALUATION, "deform"));
	const snw_status status = snw_deny_caveat(pass->layer->deformer->deform(&pass->call));
	snw_thread_leave(previous);
	if (snw_failed(status)) {
		const char *problem = snw_deformer_problem(pass->layer->deformer);
		return problem ? stack_layer_failed(pass->evaluation, pass->layer, status, error, "%s", problem)
					   : stack_layer_failed(pass->evaluation, pass->layer, status, error, "failed in deform: it %s",
											snw_status_words(status));
	}
	atomic_store(&pass->failed, UINT64_MAX);
	snw_parallel_for(point_count, pass->wanted ? GRAIN : PROGRAM_GRAIN, check_range, pass);
	return SNW_OK;
}

static snw_status run_ranges(black_box_pass *pass, uint32_t point_count, snw_error *error) {
	const snw_status prepared = prepare_pass(pass, error);
	if (snw_failed(prepared)) {
		return prepared;
	}
	atomic_store(&pass->failed, UINT64_MAX);
	if (snw_parallel_thread_count() > pass->evaluation->scratch_threads) {
		/* The evaluation has scratch for fewer threads: run the same chunks in sequence. */
		for (uint32_t begin = 0; begin < point_count; begin += GRAIN) {
			run_black_box_chunk(pass, begin, point_count - begin < GRAIN ? point_count : begin + GRAIN, 0);
		}
	} else {
		snw_parallel_for(point_count, GRAIN, run_black_box_chunk, pass);
	}
	return SNW_OK;
}

static snw_status run_pass(black_box_pass *pass, uint32_t point_count, snw_error *error) {
	const snw_status status = snw_deformer_is_isolated(pass->layer->deformer) ? run_isolated(pass, point_count, error)
																			  : run_ranges(pass, point_count, error);
	if (snw_failed(status)) {
		return status;
	}
	const uint64_t failed = atomic_load(&pass->failed);
	if (failed != UINT64_MAX && (uint32_t)failed == NOT_FINITE) {
		return stack_layer_failed(pass->evaluation, pass->layer, SNW_ERROR_DATA, error,
								  "failed in deform: the coordinates of point %u of mesh '%s' are not finite",
								  (uint32_t)(failed >> 32), pass->evaluation->stack->scene->meshes[pass->call.mesh].name);
	}
	if (failed != UINT64_MAX) {
		const snw_status reason = -(snw_status)(uint32_t)failed;
		return stack_layer_failed(pass->evaluation, pass->layer, reason, error, "failed in deform of points %u and on: it %s",
								  (uint32_t)(failed >> 32), snw_status_words(reason));
	}
	return SNW_OK;
}

/* A buffer of the evaluation that is neither of two arrays. */
static double *free_buffer(const snw_evaluation *evaluation, const double *a, const double *b) {
	int i = 0;
	while (evaluation->points[i] == a || evaluation->points[i] == b) {
		i++;
	}
	return evaluation->points[i];
}

/* Runs all passes of a black box. *points is the input, and afterwards the output, in a buffer of the evaluation. */
static snw_status run_black_box(const snw_stack *stack, snw_evaluation *evaluation, uint32_t mesh, const stack_segment *segment,
								const bool *wanted, const double **points, snw_error *error) {
	const stack_layer *layer = &stack->layers[segment->layer];
	const snw_mesh *geometry = &stack->scene->meshes[mesh];
	const snw_drive_output driven = stack_driven(evaluation, layer);
	const double *below = *points;
	const uint32_t passes = snw_deformer_is_isolated(layer->deformer) ? 1 : layer->passes;
	for (uint32_t p = 0; p < passes; p++) {
		double *out = free_buffer(evaluation, *points, below);
		black_box_pass pass = {
			.evaluation = evaluation,
			.layer = layer,
			.call = {.size = sizeof pass.call,
					 .model = layer->model,
					 .values = layer->values,
					 .pose = evaluation->pose,
					 .driven = &driven,
					 .mesh = mesh,
					 .pass = p,
					 .end = geometry->point_count,
					 .points_rest = geometry->points_rest,
					 .points_below = below,
					 .points_in = *points,
					 .points_out = out,
					 .prepared = layer->layout.prepared_bytes > 0 ? evaluation->prepared : NULL},
			.wanted = wanted,
		};
		const snw_status status = run_pass(&pass, geometry->point_count, error);
		if (snw_failed(status)) {
			return status;
		}
		*points = out;
	}
	return SNW_OK;
}

/* ---- the reference evaluator --------------------------------------------------------------------------------------------- */

/* Points are computed independently, so threads do not change the bits. */
typedef struct reference_run {
	const snw_program *program;
	const snw_program_input *input;
	const double *points_in;
	double *points_out;
	const bool *wanted;
} reference_run;

static void run_reference_chunk(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const reference_run *run = argument;
	if (!run->wanted || run->wanted[begin / GRAIN]) {
		snw_program_reference_range(run->program, run->input, begin, end, run->points_in, run->points_out);
	}
}

static void copy_points(uint32_t count, const bool *wanted, const double *from, double *to) {
	for (uint32_t begin = 0; begin < count; begin += GRAIN) {
		const uint32_t chunk = count - begin < GRAIN ? count - begin : GRAIN;
		if (!wanted || wanted[begin / GRAIN]) {
			memmove(to + (size_t)3 * begin, from + (size_t)3 * begin, (size_t)3 * chunk * sizeof *to);
		}
	}
}

static snw_status run_reference(const snw_stack *stack, snw_evaluation *evaluation, uint32_t mesh, const bool *wanted,
								const double *points_rest, double *points_posed, snw_error *error) {
	const snw_mesh *geometry = &stack->scene->meshes[mesh];
	const double *points = points_rest ? points_rest : geometry->points_rest;
	for (uint32_t s = 0; s < stack->meshes[mesh].segment_count; s++) {
		const stack_segment *segment = &stack->meshes[mesh].segments[s];
		if (segment->info.is_program) {
			/* What a plug-in process reads is written where it sees it. */
			const bool is_last = s + 1 == stack->meshes[mesh].segment_count;
			double *out = evaluation->shared && !is_last ? free_buffer(evaluation, points, NULL) : points_posed;
			reference_run run = {&segment->program, &evaluation->segments[mesh][s].program, points, out, wanted};
			snw_parallel_for(geometry->point_count, wanted ? GRAIN : PROGRAM_GRAIN, run_reference_chunk, &run);
			points = out;
			continue;
		}
		const snw_status status = run_black_box(stack, evaluation, mesh, segment, wanted, &points, error);
		if (snw_failed(status)) {
			return status;
		}
	}
	if (points != points_posed) {
		copy_points(geometry->point_count, wanted, points, points_posed);
	}
	return SNW_OK;
}

snw_status snw_stack_reference(const snw_stack *stack, snw_evaluation *evaluation, uint32_t mesh, const double *points_rest,
							   double *points_posed, snw_error *error) {
	assert(evaluation->pose && mesh < stack->scene->mesh_count);
	return run_reference(stack, evaluation, mesh, NULL, points_rest, points_posed, error);
}

bool snw_stack_has_normals(const snw_stack *stack, uint32_t mesh) {
	const stack_mesh *segments = &stack->meshes[mesh];
	return segments->segment_count == 1 && segments->segments[0].program.normals.palette != SNW_NORMALS_FROM_FACES;
}

bool snw_stack_normals(const snw_stack *stack, const snw_evaluation *evaluation, uint32_t mesh, float *normals) {
	if (!snw_stack_has_normals(stack, mesh)) {
		return false;
	}
	snw_normals_of_program(&stack->meshes[mesh].segments[0].program, &evaluation->segments[mesh][0].program, normals);
	return true;
}

void snw_stack_programs_at(const snw_stack *stack, const snw_evaluation *evaluation, uint32_t mesh, uint32_t count,
						   const uint32_t *indices, double *points_posed) {
	const double *rest = stack->scene->meshes[mesh].points_rest;
	assert(evaluation->pose);
	for (size_t i = 0; i < count; i++) {
		memcpy(points_posed + 3 * i, rest + (size_t)3 * indices[i], 3 * sizeof *rest);
	}
	for (uint32_t s = 0; s < stack->meshes[mesh].segment_count; s++) {
		const stack_segment *segment = &stack->meshes[mesh].segments[s];
		if (segment->info.is_program) {
			snw_program_reference_at(&segment->program, &evaluation->segments[mesh][s].program, count, indices, points_posed,
									 points_posed);
		}
	}
}

/* Computes listed points, or their matrices, in a stack without black boxes. */
typedef struct listed_run {
	const snw_stack *stack;
	const snw_evaluation *evaluation;
	uint32_t mesh;
	const uint32_t *indices;   /* NULL: all in order, allowed for matrices alone */
	const double *points_rest; /* unused for matrices */
	double *results;
} listed_run;

static void reference_of_listed(const listed_run *run, uint32_t count, const uint32_t *indices, const double *points_rest,
								double *points_posed) {
	const stack_mesh *mesh = &run->stack->meshes[run->mesh];
	const double *points = points_rest;
	for (uint32_t s = 0; s < mesh->segment_count; s++) {
		snw_program_reference_at(&mesh->segments[s].program, &run->evaluation->segments[run->mesh][s].program, count, indices,
								 points, points_posed);
		points = points_posed;
	}
	if (points != points_posed && count > 0) {
		memmove(points_posed, points, (size_t)3 * count * sizeof *points_posed);
	}
}

static void run_listed_chunk(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const listed_run *run = argument;
	reference_of_listed(run, end - begin, run->indices + begin, run->points_rest + (size_t)3 * begin,
						run->results + (size_t)3 * begin);
}

/* The ranges that contain a listed point. NULL if points depend on others, so that all must be run. */
static const bool *find_wanted(const snw_stack *stack, const snw_evaluation *evaluation, uint32_t mesh, uint32_t count,
							   const uint32_t *indices) {
	if (snw_stack_rings(stack, mesh) > 0) {
		return NULL;
	}
	memset(evaluation->wanted, 0, (size_t)(stack->scene->meshes[mesh].point_count / GRAIN + 1) * sizeof *evaluation->wanted);
	for (uint32_t i = 0; i < count; i++) {
		evaluation->wanted[indices[i] / GRAIN] = true;
	}
	return evaluation->wanted;
}

snw_status snw_stack_reference_at(const snw_stack *stack, snw_evaluation *evaluation, uint32_t mesh, uint32_t count,
								  const uint32_t *indices, const double *points_rest, double *points_posed, snw_error *error) {
	const snw_mesh *geometry = &stack->scene->meshes[mesh];
	if (!indices) {
		assert(count == geometry->point_count);
		return snw_stack_reference(stack, evaluation, mesh, points_rest, points_posed, error);
	}
	if (!stack->meshes[mesh].has_black_box) {
		listed_run run = {stack, evaluation, mesh, indices, points_rest, points_posed};
		snw_parallel_for(count, PROGRAM_GRAIN, run_listed_chunk, &run);
		return SNW_OK;
	}
	const bool *wanted = find_wanted(stack, evaluation, mesh, count, indices);
	double *all = evaluation->points_assembled;
	copy_points(geometry->point_count, wanted, geometry->points_rest, all);
	for (uint32_t i = 0; i < count; i++) {
		memcpy(all + (size_t)3 * indices[i], points_rest + (size_t)3 * i, 3 * sizeof *all);
	}
	const snw_status status = run_reference(stack, evaluation, mesh, wanted, all, all, error);
	for (uint32_t i = 0; !snw_failed(status) && i < count; i++) {
		memcpy(points_posed + (size_t)3 * i, all + (size_t)3 * indices[i], 3 * sizeof *all);
	}
	return status;
}

/* Whether a layer has displacements, which the blend's matrices do not contain. */
static bool displaces(const stack_mesh *mesh) {
	bool any = false;
	for (uint32_t s = 0; s < mesh->segment_count; s++) {
		any = any || mesh->segments[s].program.rest.count > 0 || mesh->segments[s].program.posed.count > 0;
	}
	return any;
}

/* Sets the translations so that the matrices map the rest points to the reference's points. */
static void find_translations(const listed_run *run, uint32_t count, const uint32_t *points, double *matrices) {
	const double *all_rest = run->stack->scene->meshes[run->mesh].points_rest;
	double rest[3 * MATRIX_GRAIN], posed[3 * MATRIX_GRAIN];
	for (size_t i = 0; i < count; i++) {
		memcpy(rest + 3 * i, all_rest + (size_t)3 * points[i], 3 * sizeof *rest);
	}
	reference_of_listed(run, count, points, rest, posed);
	for (size_t i = 0; i < count; i++) {
		double rotated[3];
		snw_mat34_vector(matrices + 12 * i, rest + 3 * i, rotated);
		for (size_t r = 0; r < 3; r++) {
			matrices[12 * i + 4 * r + 3] = posed[3 * i + r] - rotated[r];
		}
	}
}

/* Multiplies the matrices of all segments. */
static void find_matrices_chunk(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const listed_run *run = argument;
	const stack_mesh *mesh = &run->stack->meshes[run->mesh];
	const uint32_t count = end - begin;
	uint32_t points[MATRIX_GRAIN];
	double parts[12 * MATRIX_GRAIN], *matrices = run->results + (size_t)12 * begin;
	for (uint32_t i = 0; i < count; i++) {
		points[i] = run->indices ? run->indices[begin + i] : begin + i;
	}
	for (uint32_t s = 0; s < mesh->segment_count; s++) {
		snw_program_reference_matrices(&mesh->segments[s].program, &run->evaluation->segments[run->mesh][s].program, count,
									   points, s == 0 ? matrices : parts);
		for (size_t at = 0; s > 0 && at < (size_t)12 * count; at += 12) {
			snw_mat34_multiply(parts + at, matrices + at, matrices + at);
		}
	}
	for (size_t at = 0; mesh->segment_count == 0 && at < (size_t)12 * count; at += 12) {
		snw_mat34_identity(matrices + at);
	}
	if (displaces(mesh)) {
		find_translations(run, count, points, matrices);
	}
}

snw_status snw_stack_matrices(const snw_stack *stack, snw_evaluation *evaluation, uint32_t mesh, uint32_t count,
							  const uint32_t *indices, double *matrices, snw_error *error) {
	if (stack->meshes[mesh].has_black_box) {
		return snw_fail(error, SNW_ERROR_UNSUPPORTED, "mesh '%s': a black box below is not affine",
						stack->scene->meshes[mesh].name);
	}
	listed_run run = {.stack = stack, .evaluation = evaluation, .mesh = mesh, .indices = indices, .results = matrices};
	snw_parallel_for(count, MATRIX_GRAIN, find_matrices_chunk, &run);
	return SNW_OK;
}

/* ---- floats -------------------------------------------------------------------------------------------------------------- */

/* The points between two segments: floats after a program, doubles after a black box. */
typedef struct segment_points {
	const float *floats;
	const double *doubles;
} segment_points;

static const double *as_doubles(segment_points points, double *buffer, size_t numbers) {
	if (points.doubles) {
		return points.doubles;
	}
	for (size_t i = 0; i < numbers; i++) {
		buffer[i] = (double)points.floats[i];
	}
	return buffer;
}

static const float *as_floats(segment_points points, float *buffer, size_t numbers) {
	if (points.floats) {
		return points.floats;
	}
	for (size_t i = 0; i < numbers; i++) {
		buffer[i] = (float)points.doubles[i];
	}
	return buffer;
}

snw_status snw_stack_run(const snw_stack *stack, snw_evaluation *evaluation, uint32_t mesh, float *points_posed,
						 snw_error *error) {
	assert(evaluation->pose && evaluation->floats[0] && mesh < stack->scene->mesh_count);
	const stack_mesh *segments = &stack->meshes[mesh];
	const snw_mesh *geometry = &stack->scene->meshes[mesh];
	const size_t numbers = (size_t)3 * geometry->point_count;
	segment_points current = {.doubles = geometry->points_rest};
	for (uint32_t s = 0; s < segments->segment_count; s++) {
		const stack_segment *segment = &segments->segments[s];
		if (segment->info.is_program) {
			/* NULL means the rest points. Never in place: the fast evaluator reads other points while it writes. */
			const float *in = s == 0 ? NULL : as_floats(current, evaluation->floats[s % 2], numbers);
			float *out = s + 1 == segments->segment_count ? points_posed : evaluation->floats[(s + 1) % 2];
			snw_program_run(evaluation->segments[mesh][s].packed, &evaluation->segments[mesh][s].program, in, out);
			current = (segment_points){.floats = out};
			continue;
		}
		const double *points = as_doubles(current, evaluation->points[0], numbers);
		const snw_status status = run_black_box(stack, evaluation, mesh, segment, NULL, &points, error);
		if (snw_failed(status)) {
			return status;
		}
		current = (segment_points){.doubles = points};
	}
	const float *posed = as_floats(current, points_posed, numbers);
	if (posed != points_posed && numbers > 0) {
		memcpy(points_posed, posed, numbers * sizeof *posed);
	}
	return SNW_OK;
}
