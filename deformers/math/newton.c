/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Newton steps in lockstep, with Broyden's rank-one updates (C. G. Broyden, A class of methods for solving nonlinear
 * simultaneous equations, 1965) of a Jacobian that was differenced once. Each point keeps a part of its step: it shrinks where
 * a step does not bring the point nearer, and grows back where it does. A point that gains too little too often is left to a
 * patient method.
 */
#include <math.h>
#include <string.h>

#include "math/batch.h"
#include "math/svd3.h"
#include "sinew/algebra.h"

/* A step must bring the distance below this part of what it was, or it counts as a poor one; so many poor ones are allowed. */
#define GOOD_STEP 0.5
#define POOR_STEPS 6
#define FLAT_STEPS 1

/* Directions that the box shortens below this many times the ratio are flat. */
#define FLAT 10

typedef struct newton_point {
	double step[3];
	double first;    /* distance from the target at the start */
	double distance; /* and at the best so far */
	double part;     /* of the whole step, at most 1 */
	int poor;
	int flat; /* the box flattens space here, by the differenced Jacobian */
	int last; /* the step in hand goes as far as the box lets it; there is no further */
} newton_point;

typedef struct newton {
	snw_batch batch;
	newton_point *states; /* [count] */
	double *points, *posed, *jacobians;
	unsigned char *fates;
	int is_first;
} newton;

static double gap_of(const newton *own, uint32_t i, const double posed[3], double gap[3]) {
	for (int c = 0; c < 3; c++) {
		gap[c] = own->batch.problem->targets[3 * (size_t)i + c] - posed[c];
	}
	return snw_length3(gap);
}

/* J ← J + (Δy − J Δx) Δxᵀ / Δxᵀ Δx. */
static void update(double jacobian[9], const double dx[3], const double dy[3]) {
	const double squared = snw_dot3(dx, dx);
	for (int r = 0; r < 3; r++) {
		const double off = dy[r] - snw_dot3(jacobian + 3 * (size_t)r, dx);
		for (int c = 0; c < 3; c++) {
			jacobian[3 * r + c] += off * dx[c] / squared;
		}
	}
}

/* Where the Jacobian is nearly singular. */
static void plan_carefully(const newton *own, uint32_t i, const double gap[3]) {
	const snw_lockstep *problem = own->batch.problem;
	newton_point *state = &own->states[i];
	const double *jacobian = own->jacobians + 9 * (size_t)i;
	double reached[3];
	snw_svd3 svd;
	snw_svd3_of(jacobian, &svd);
	snw_svd3_solve(&svd, problem->ratio, problem->longest * state->first / state->distance, gap, state->step);
	for (int r = 0; r < 3; r++) {
		reached[r] = gap[r] - snw_dot3(jacobian + 3 * (size_t)r, state->step);
	}
	/* The regularised step would leave much of the gap even if the box were affine. Only the differenced Jacobian is to be
	 * believed in this: updates see along the steps alone. */
	state->flat = own->is_first ? svd.s[2] < FLAT * problem->ratio * svd.s[0] : state->flat;
	state->last = own->is_first && snw_length3(reached) > 0.5 * problem->tolerance * problem->size &&
				  snw_length3(reached) > 0.1 * state->distance;
}

/* The next step from the best point so far. */
static void plan(const newton *own, uint32_t i) {
	const snw_lockstep *problem = own->batch.problem;
	newton_point *state = &own->states[i];
	double gap[3], inverse[9];
	gap_of(own, i, own->posed + 3 * (size_t)i, gap);
	state->last = 0;
	if (snw_svd3_inverse(own->jacobians + 9 * (size_t)i, problem->ratio, problem->longest, inverse)) {
		for (int r = 0; r < 3; r++) {
			state->step[r] = snw_dot3(inverse + 3 * (size_t)r, gap);
		}
	} else {
		plan_carefully(own, i, gap);
	}
	for (int c = 0; c < 3; c++) {
		state->step[c] *= state->part;
	}
}

static void judge(const newton *own, uint32_t i, const double answer[3]) {
	const snw_lockstep *problem = own->batch.problem;
	newton_point *state = &own->states[i];
	double *point = own->points + 3 * (size_t)i, *posed = own->posed + 3 * (size_t)i;
	double gap[3], dy[3];
	const double distance = gap_of(own, i, answer, gap), goal = problem->tolerance * problem->size;
	if (isfinite(distance) && snw_length3(state->step) > goal) {
		for (int c = 0; c < 3; c++) {
			dy[c] = answer[c] - posed[c];
		}
		update(own->jacobians + 9 * (size_t)i, state->step, dy);
	}
	state->poor += !(distance < GOOD_STEP * state->distance);
	if (distance < state->distance) {
		for (int c = 0; c < 3; c++) {
			point[c] += state->step[c];
			posed[c] = answer[c];
		}
		state->distance = distance;
		state->part = fmin(1, 2 * state->part);
	} else {
		state->part *= 0.25;
	}
	if (state->distance <= goal) {
		own->fates[i] = SNW_LOCKSTEP_SOLVED;
	} else if (state->last) {
		own->fates[i] = SNW_LOCKSTEP_SINGULAR;
	} else if (state->poor > (state->flat ? FLAT_STEPS : POOR_STEPS)) {
		own->fates[i] = state->flat ? SNW_LOCKSTEP_SINGULAR : SNW_LOCKSTEP_LEFT;
	} else {
		plan(own, i);
	}
}

static void judge_all(void *argument, uint32_t begin, uint32_t end) {
	const newton *own = argument;
	for (uint32_t n = begin; n < end; n++) {
		judge(own, own->batch.points[n], own->batch.posed + 3 * (size_t)n);
	}
}

static void plan_all(void *argument, uint32_t begin, uint32_t end) {
	const newton *own = argument;
	for (uint32_t i = begin; i < end; i++) {
		double gap[3];
		own->states[i].first = own->states[i].distance = gap_of(own, i, own->posed + 3 * (size_t)i, gap);
		own->states[i].part = 1;
		const int solved = own->states[i].distance <= own->batch.problem->tolerance * own->batch.problem->size;
		own->fates[i] = solved ? SNW_LOCKSTEP_SOLVED : BATCH_OPEN;
		if (!solved) {
			plan(own, i);
		}
	}
}

static void ask_all(void *argument, uint32_t begin, uint32_t end) {
	const newton *own = argument;
	for (uint32_t n = begin; n < end; n++) {
		const uint32_t i = own->batch.points[n];
		for (int c = 0; c < 3; c++) {
			own->batch.rest[3 * (size_t)n + c] = own->points[3 * (size_t)i + c] + own->states[i].step[c];
		}
	}
}

snw_status snw_lockstep_newton(const snw_lockstep *problem, double *points, double *posed, double *jacobians,
							   unsigned char *fates, snw_lockstep_result *result) {
	snw_pool pool = snw_pool_open(problem->host);
	newton own = {.batch = snw_batch_open(problem, &pool),
				  .states = SNW_POOL_ARRAY(&pool, newton_point, problem->count),
				  .points = points,
				  .posed = posed,
				  .jacobians = jacobians,
				  .fates = fates,
				  .is_first = 1};
	snw_status status = pool.failed ? SNW_ERROR_MEMORY : SNW_OK;
	if (status == SNW_OK) {
		snw_batch_each(&own.batch, plan_all, &own);
		own.is_first = 0;
		snw_batch_keep(&own.batch, fates);
	}
	while (status == SNW_OK && own.batch.alive > 0 && own.batch.calls < problem->call_limit) {
		snw_batch_each(&own.batch, ask_all, &own);
		status = snw_batch_deform(&own.batch);
		if (status == SNW_OK) {
			snw_batch_each(&own.batch, judge_all, &own);
			snw_batch_keep(&own.batch, fates);
		}
	}
	if (status == SNW_OK) {
		snw_batch_close(&own.batch, posed, fates, result);
	}
	snw_pool_release(&pool);
	return status;
}
