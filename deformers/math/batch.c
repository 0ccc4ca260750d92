/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The common frame of the lockstep solvers, and the differences that two of them start from.
 */
#include "math/batch.h"

#include <math.h>

#include "sinew/algebra.h"

/* Points that one thread takes at a time. */
#define GRAIN 1024

snw_batch snw_batch_open(const snw_lockstep *problem, snw_pool *pool) {
	snw_batch own = {.problem = problem,
					 .alive = problem->count,
					 .points = SNW_POOL_ARRAY(pool, uint32_t, problem->count),
					 .rest = SNW_POOL_ARRAY(pool, double, 3 * (size_t)problem->count),
					 .posed = SNW_POOL_ARRAY(pool, double, 3 * (size_t)problem->count)};
	for (uint32_t i = 0; own.points && i < problem->count; i++) {
		own.points[i] = i;
	}
	return own;
}

snw_status snw_batch_deform(snw_batch *own) {
	const snw_lockstep *problem = own->problem;
	const snw_status status = problem->deform(problem->context, own->alive, own->points, own->rest, own->posed);
	own->calls++;
	if (status != SNW_OK) {
		return status;
	}
	return problem->go_on && !problem->go_on(problem->context, own->calls) ? SNW_CANCELLED : SNW_OK;
}

void snw_batch_keep(snw_batch *own, const unsigned char *fates) {
	uint32_t kept = 0;
	for (uint32_t n = 0; n < own->alive; n++) {
		if (fates[own->points[n]] == BATCH_OPEN) {
			own->points[kept++] = own->points[n];
		}
	}
	own->alive = kept;
}

void snw_batch_each(const snw_batch *own, snw_batch_part *chunk, void *argument) {
	const snw_host *host = own->problem->host;
	const snw_parallel_service *parallel = host->service(host, SNW_SERVICE_PARALLEL);
	if (parallel && own->alive > GRAIN) {
		parallel->run(host, own->alive, GRAIN, chunk, argument);
	} else if (own->alive > 0) {
		chunk(argument, 0, own->alive);
	}
}

void snw_batch_close(const snw_batch *own, const double *posed, unsigned char *fates, snw_lockstep_result *result) {
	*result = (snw_lockstep_result){.calls = own->calls};
	for (uint32_t i = 0; i < own->problem->count; i++) {
		double gap[3];
		for (int c = 0; c < 3; c++) {
			gap[c] = own->problem->targets[3 * (size_t)i + c] - posed[3 * (size_t)i + c];
		}
		fates[i] = fates[i] == BATCH_OPEN ? SNW_LOCKSTEP_LEFT : fates[i];
		result->left += fates[i] == SNW_LOCKSTEP_LEFT;
		result->worst = fmax(result->worst, snw_length3(gap));
	}
}

snw_status snw_batch_run(snw_batch *own, const snw_batch_steps *steps, void *argument, const double *posed,
						 unsigned char *fates, snw_lockstep_result *result) {
	snw_status status = SNW_OK;
	snw_batch_each(own, steps->open, argument);
	snw_batch_keep(own, fates);
	while (status == SNW_OK && own->alive > 0 && own->calls < own->problem->call_limit) {
		snw_batch_each(own, steps->ask, argument);
		status = snw_batch_deform(own);
		if (status == SNW_OK) {
			snw_batch_each(own, steps->judge, argument);
			snw_batch_keep(own, fates);
		}
	}
	if (status == SNW_OK) {
		snw_batch_close(own, posed, fates, result);
	}
	return status;
}

double snw_batch_difference(const snw_lockstep *problem) {
	return problem->size * sqrt(problem->tolerance);
}

/* The differences along one axis. */
typedef struct differences {
	snw_batch batch;
	const double *points;
	const double *posed;
	double *jacobians;
	double step;
	size_t axis;
} differences;

static void ask_aside(void *argument, uint32_t begin, uint32_t end) {
	const differences *own = argument;
	for (size_t i = begin; i < end; i++) {
		for (size_t c = 0; c < 3; c++) {
			own->batch.rest[3 * i + c] = own->points[3 * i + c] + (c == own->axis ? own->step : 0);
		}
	}
}

static void take_differences(void *argument, uint32_t begin, uint32_t end) {
	const differences *own = argument;
	const size_t axis = own->axis;
	for (size_t i = begin; i < end; i++) {
		/* By the step as it was rounded. */
		const double taken = own->batch.rest[3 * i + axis] - own->points[3 * i + axis];
		for (size_t r = 0; r < 3; r++) {
			own->jacobians[9 * i + 3 * r + axis] = (own->batch.posed[3 * i + r] - own->posed[3 * i + r]) / taken;
		}
	}
}

snw_status snw_lockstep_differences(const snw_lockstep *problem, const double *points, const double *posed, double *jacobians,
									uint32_t *calls) {
	snw_pool pool = snw_pool_open(problem->host);
	differences own = {.batch = snw_batch_open(problem, &pool),
					   .points = points,
					   .posed = posed,
					   .jacobians = jacobians,
					   .step = snw_batch_difference(problem)};
	snw_status status = pool.failed ? SNW_ERROR_MEMORY : SNW_OK;
	for (own.axis = 0; status == SNW_OK && own.axis < 3; own.axis++) {
		snw_batch_each(&own.batch, ask_aside, &own);
		status = snw_batch_deform(&own.batch);
		if (status == SNW_OK) {
			snw_batch_each(&own.batch, take_differences, &own);
		}
	}
	*calls = own.batch.calls;
	snw_pool_release(&pool);
	return status;
}
