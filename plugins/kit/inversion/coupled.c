/* SPDX-License-Identifier: MIT
 *
 * The inversion of a deformation in which points depend on their neighbours: the whole mesh is one unknown.
 *
 * The plain step is x ← x + J⁻¹ (target − S(x)), with J the response of a point if all points around it move alike. If the
 * deformation keeps the part F of a detail, the step leaves (1 − F) of its error: it converges fast for detail wider than
 * the deformation's reach, and hardly at all for narrower detail. The step is accelerated by Anderson's method (D. G.
 * Anderson, Iterative procedures for nonlinear integral equations, 1965), with the differences of past steps kept
 * orthogonal, and restarted when there are enough of them.
 */
#include <math.h>
#include <string.h>

#include "kit/inversion/batch.h"
#include "sinew/algebra.h"
#include "sinew/kit/numerics/eigen.h"
#include "sinew/kit/numerics/systems.h"
#include "sinew/kit/status.h"

/* The number of past steps; and after how many calls without a decrease of the distances to GOOD of their value it restarts. */
enum { MEMORY = 6, PATIENCE = 6 };
#define GOOD 0.98

typedef struct coupled {
	snk_batch batch;
	const unsigned char *fixed;
	snk_svd3 *inverses;      /* [count] */
	double *gaps, *steps;    /* [count][3]: target − S(x), and J⁻¹ of it */
	double *last_steps;      /* of the previous iterate */
	double *moves;           /* the last change of x */
	double *best;            /* [count][3]: the best x */
	double *past[2][MEMORY]; /* [count][3]: changes of x, and the resulting changes of the step, orthonormal */
	uint32_t past_count;
	double gap_squared, worst; /* over points that are not fixed */
} coupled;

static int is_free(const coupled *state, size_t i) {
	return !state->fixed || !state->fixed[i];
}

static void open_inverses(coupled *state, const double *jacobians) {
	for (uint32_t i = 0; i < state->batch.problem->count; i++) {
		snk_svd3_compute(jacobians + 9 * (size_t)i, &state->inverses[i]);
	}
}

static void SNW_CALL find_steps(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	coupled *state = argument;
	const snk_lockstep *problem = state->batch.problem;
	for (size_t i = begin; i < end; i++) {
		for (size_t c = 3 * i; c < 3 * i + 3; c++) {
			state->gaps[c] = is_free(state, i) ? problem->targets[c] - state->batch.posed[c] : 0;
		}
		snk_svd3_solve(&state->inverses[i], problem->ratio, problem->longest, state->gaps + 3 * i, state->steps + 3 * i);
	}
}

/* Computes gaps and steps from the result of the deformation, and their size. */
static void take_answer(coupled *state) {
	snk_batch_each(&state->batch, find_steps, state);
	state->gap_squared = state->worst = 0;
	for (size_t i = 0; i < state->batch.problem->count; i++) {
		const double squared = snw_dot3(state->gaps + 3 * i, state->gaps + 3 * i);
		state->gap_squared += squared;
		state->worst = fmax(state->worst, squared);
	}
	state->worst = sqrt(state->worst);
}

static void add_scaled(size_t count, double *dest, double factor, const double *v) {
	for (size_t i = 0; i < count; i++) {
		dest[i] += factor * v[i];
	}
}

/* Adds the last change of x and of the step to the memory, orthogonal to its contents. */
static void remember(coupled *state) {
	const size_t numbers = 3 * (size_t)state->batch.problem->count;
	if (state->past_count == MEMORY) {
		state->past_count = 0;
	}
	double *move = state->past[0][state->past_count], *change = state->past[1][state->past_count];
	memcpy(move, state->moves, numbers * sizeof *move);
	for (size_t c = 0; c < numbers; c++) {
		change[c] = state->steps[c] - state->last_steps[c];
	}
	const double length = sqrt(snk_dot(numbers, change, change));
	for (uint32_t k = 0; k < state->past_count; k++) {
		const double along = snk_dot(numbers, state->past[1][k], change);
		add_scaled(numbers, change, -along, state->past[1][k]);
		add_scaled(numbers, move, -along, state->past[0][k]);
	}
	const double remainder = sqrt(snk_dot(numbers, change, change));
	if (remainder > 1e-8 * length) {
		for (size_t c = 0; c < numbers; c++) {
			change[c] /= remainder;
			move[c] /= remainder;
		}
		state->past_count++;
	}
}

/* The next change of x: the step, corrected by the remembered changes. */
static void plan(coupled *state) {
	const size_t numbers = 3 * (size_t)state->batch.problem->count;
	memcpy(state->moves, state->steps, numbers * sizeof *state->moves);
	for (uint32_t k = 0; k < state->past_count; k++) {
		const double along = snk_dot(numbers, state->past[1][k], state->steps);
		add_scaled(numbers, state->moves, -along, state->past[0][k]);
		add_scaled(numbers, state->moves, -along, state->past[1][k]);
	}
	memcpy(state->last_steps, state->steps, numbers * sizeof *state->steps);
}

/* Changes x, but moves no point farther than `limit` from the start: beyond it, detail is amplified that the deformation
 * hardly keeps. */
static void make_move(coupled *state, const double *start, double limit) {
	for (size_t i = 0; i < state->batch.problem->count; i++) {
		double offset[3];
		for (size_t c = 0; c < 3; c++) {
			offset[c] = state->batch.rest[3 * i + c] + state->moves[3 * i + c] - start[3 * i + c];
		}
		const double length = snw_length3(offset), part = length > limit ? limit / length : 1;
		for (size_t c = 0; c < 3; c++) {
			const double next = start[3 * i + c] + part * offset[c];
			state->moves[3 * i + c] = next - state->batch.rest[3 * i + c];
			state->batch.rest[3 * i + c] = next;
		}
	}
}

/* From the start in `points`, whose gaps are known, to the best in state->best and `posed`. */
static snw_status iterate(coupled *state, const double *points, double *posed) {
	const snk_lockstep *problem = state->batch.problem;
	const size_t numbers = 3 * (size_t)problem->count;
	const double goal = problem->tolerance * problem->size, limit = problem->longest * state->worst;
	double lowest = state->gap_squared, bar = lowest;
	int waited = 0;
	snw_status status = SNW_OK;
	while (!snk_failed(status) && state->worst > goal && waited < PATIENCE && state->batch.calls < problem->call_limit) {
		plan(state);
		make_move(state, points, limit);
		status = snk_batch_deform(&state->batch);
		if (snk_failed(status)) {
			break;
		}
		take_answer(state);
		if (state->gap_squared < lowest) {
			lowest = state->gap_squared;
			memcpy(state->best, state->batch.rest, numbers * sizeof *state->best);
			memcpy(posed, state->batch.posed, numbers * sizeof *posed);
		} else if (!isfinite(state->gap_squared)) {
			break;
		}
		waited = lowest < GOOD * GOOD * bar ? 0 : waited + 1;
		bar = waited == 0 ? lowest : bar;
		remember(state);
	}
	return status;
}

static void settle(const coupled *state, const double *posed, unsigned char *fates) {
	const snk_lockstep *problem = state->batch.problem;
	for (size_t i = 0; i < problem->count; i++) {
		double gap[3];
		for (size_t c = 0; c < 3; c++) {
			gap[c] = problem->targets[3 * i + c] - posed[3 * i + c];
		}
		const int is_near = snw_length3(gap) <= problem->tolerance * problem->size;
		fates[i] = is_near ? SNK_LOCKSTEP_SOLVED : is_free(state, i) ? SNK_LOCKSTEP_UNSOLVED : SNK_LOCKSTEP_SINGULAR;
	}
}

snw_status snk_lockstep_coupled(const snk_lockstep *problem, const unsigned char *fixed, double *points, double *posed,
								const double *jacobians, unsigned char *fates, snk_lockstep_result *result) {
	snw_pool pool = snw_pool_open(problem->host);
	const size_t numbers = 3 * (size_t)problem->count;
	coupled state = {.batch = snk_batch_open(problem, &pool),
					 .fixed = fixed,
					 .inverses = SNW_POOL_ARRAY(&pool, snk_svd3, problem->count),
					 .gaps = SNW_POOL_ARRAY(&pool, double, numbers),
					 .steps = SNW_POOL_ARRAY(&pool, double, numbers),
					 .last_steps = SNW_POOL_ARRAY(&pool, double, numbers),
					 .moves = SNW_POOL_ARRAY(&pool, double, numbers),
					 .best = SNW_POOL_ARRAY(&pool, double, numbers)};
	for (int k = 0; k < 2 * MEMORY; k++) {
		state.past[k / MEMORY][k % MEMORY] = SNW_POOL_ARRAY(&pool, double, numbers);
	}
	snw_status status = pool.failed ? SNW_ERROR_MEMORY : SNW_OK;
	if (!snk_failed(status)) {
		open_inverses(&state, jacobians);
		memcpy(state.batch.rest, points, numbers * sizeof *points);
		memcpy(state.best, points, numbers * sizeof *points);
		memcpy(state.batch.posed, posed, numbers * sizeof *posed);
		take_answer(&state);
		status = iterate(&state, points, posed);
	}
	if (!snk_failed(status)) {
		memcpy(points, state.best, numbers * sizeof *points);
		settle(&state, posed, fates);
		snk_batch_close(&state.batch, posed, fates, result);
	}
	snw_pool_release(&pool);
	return status;
}
