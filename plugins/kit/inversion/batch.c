/* SPDX-License-Identifier: MIT
 *
 * What the lockstep solvers share, and the differences from which two of them start.
 */
#include "kit/inversion/batch.h"

#include <math.h>

#include "sinew/algebra.h"
#include "sinew/kit/fit/fit.h"
#include "sinew/kit/status.h"

/* Points that one thread takes at a time. */
#define GRAIN 1024

snk_batch snk_batch_open(const snk_lockstep *problem, snw_pool *pool) {
	snk_batch batch = {.problem = problem,
					   .active = problem->count,
					   .points = SNW_POOL_ARRAY(pool, uint32_t, problem->count),
					   .rest = SNW_POOL_ARRAY(pool, double, 3 * (size_t)problem->count),
					   .posed = SNW_POOL_ARRAY(pool, double, 3 * (size_t)problem->count)};
	for (uint32_t i = 0; batch.points && i < problem->count; i++) {
		batch.points[i] = i;
	}
	return batch;
}

snw_status snk_batch_deform(snk_batch *batch) {
	const snk_lockstep *problem = batch->problem;
	const snw_status status = problem->deform(problem->context, batch->active, batch->points, batch->rest, batch->posed);
	batch->calls++;
	if (snk_failed(status)) {
		return status;
	}
	return problem->go_on && !problem->go_on(problem->context, batch->calls) ? SNW_CANCELLED : SNW_OK;
}

/* Keeps only points whose fate is open. */
static void compact(snk_batch *batch, const unsigned char *fates) {
	uint32_t remaining = 0;
	for (uint32_t n = 0; n < batch->active; n++) {
		if (fates[batch->points[n]] == SNK_BATCH_OPEN) {
			batch->points[remaining++] = batch->points[n];
		}
	}
	batch->active = remaining;
}

void snk_batch_each(const snk_batch *batch, snk_batch_part *chunk, void *argument) {
	snk_ranges_run(batch->problem->host, batch->active, GRAIN, chunk, argument);
}

void snk_batch_close(const snk_batch *batch, const double *posed, unsigned char *fates, snk_lockstep_result *result) {
	*result = (snk_lockstep_result){.calls = batch->calls};
	for (uint32_t i = 0; i < batch->problem->count; i++) {
		double gap[3];
		for (int c = 0; c < 3; c++) {
			gap[c] = batch->problem->targets[3 * (size_t)i + c] - posed[3 * (size_t)i + c];
		}
		fates[i] = fates[i] == SNK_BATCH_OPEN ? SNK_LOCKSTEP_UNSOLVED : fates[i];
		result->unsolved += fates[i] == SNK_LOCKSTEP_UNSOLVED;
		result->worst = fmax(result->worst, snw_length3(gap));
	}
}

snw_status snk_batch_run(snk_batch *batch, const snk_batch_steps *steps, void *argument, const double *posed,
						 unsigned char *fates, snk_lockstep_result *result) {
	snw_status status = SNW_OK;
	snk_batch_each(batch, steps->open, argument);
	compact(batch, fates);
	while (!snk_failed(status) && batch->active > 0 && batch->calls < batch->problem->call_limit) {
		snk_batch_each(batch, steps->propose, argument);
		status = snk_batch_deform(batch);
		if (!snk_failed(status)) {
			snk_batch_each(batch, steps->assess, argument);
			compact(batch, fates);
		}
	}
	if (!snk_failed(status)) {
		snk_batch_close(batch, posed, fates, result);
	}
	return status;
}

double snk_batch_difference(const snk_lockstep *problem) {
	return problem->size * sqrt(problem->tolerance);
}

/* The differences along one axis. */
typedef struct differences {
	snk_batch batch;
	const double *points;
	const double *posed;
	double *jacobians;
	double step;
	size_t axis;
} differences;

static void SNW_CALL step_along_axis(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const differences *job = argument;
	for (size_t i = begin; i < end; i++) {
		for (size_t c = 0; c < 3; c++) {
			job->batch.rest[3 * i + c] = job->points[3 * i + c] + (c == job->axis ? job->step : 0);
		}
	}
}

static void SNW_CALL take_differences(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const differences *job = argument;
	const size_t axis = job->axis;
	for (size_t i = begin; i < end; i++) {
		/* Divides by the step as rounded. */
		const double taken = job->batch.rest[3 * i + axis] - job->points[3 * i + axis];
		for (size_t r = 0; r < 3; r++) {
			job->jacobians[9 * i + 3 * r + axis] = (job->batch.posed[3 * i + r] - job->posed[3 * i + r]) / taken;
		}
	}
}

snw_status snk_lockstep_differences(const snk_lockstep *problem, const double *points, const double *posed, double *jacobians,
									uint32_t *calls) {
	snw_pool pool = snw_pool_open(problem->host);
	differences job = {.batch = snk_batch_open(problem, &pool),
					   .points = points,
					   .posed = posed,
					   .jacobians = jacobians,
					   .step = snk_batch_difference(problem)};
	snw_status status = pool.failed ? SNW_ERROR_MEMORY : SNW_OK;
	for (job.axis = 0; !snk_failed(status) && job.axis < 3; job.axis++) {
		snk_batch_each(&job.batch, step_along_axis, &job);
		status = snk_batch_deform(&job.batch);
		if (!snk_failed(status)) {
			snk_batch_each(&job.batch, take_differences, &job);
		}
	}
	*calls = job.batch.calls;
	snw_pool_release(&pool);
	return status;
}
