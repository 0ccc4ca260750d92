/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The common frame of the lockstep solvers, and the differences that two of them start from.
 */
#include "math/batch.h"

#include <math.h>
#include <string.h>

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

void snw_batch_each(const snw_batch *own, void (*chunk)(void *argument, uint32_t begin, uint32_t end), void *argument) {
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

snw_status snw_lockstep_differences(const snw_lockstep *problem, const double *points, double *posed, double *jacobians,
									uint32_t *calls) {
	snw_pool pool = snw_pool_open(problem->host);
	snw_batch own = snw_batch_open(problem, &pool);
	snw_status status = pool.failed ? SNW_ERROR_MEMORY : SNW_OK;
	/* Half of the digits that the tolerance asks for: curvature and rounding then cost alike. */
	const double step = problem->size * sqrt(problem->tolerance);
	const size_t numbers = 3 * (size_t)problem->count;
	for (int c = -1; status == SNW_OK && c < 3; c++) {
		memcpy(own.rest, points, numbers * sizeof *points);
		for (size_t i = 0; c >= 0 && i < problem->count; i++) {
			own.rest[3 * i + (size_t)c] += step;
		}
		status = snw_batch_deform(&own);
		if (status == SNW_OK && c < 0) {
			memcpy(posed, own.posed, numbers * sizeof *posed);
		}
		for (size_t i = 0; status == SNW_OK && c >= 0 && i < problem->count; i++) {
			for (size_t r = 0; r < 3; r++) {
				/* By the step as it was rounded. */
				const double taken = own.rest[3 * i + (size_t)c] - points[3 * i + (size_t)c];
				jacobians[9 * i + 3 * r + (size_t)c] = (own.posed[3 * i + r] - posed[3 * i + r]) / taken;
			}
		}
	}
	*calls = own.calls;
	snw_pool_release(&pool);
	return status;
}
