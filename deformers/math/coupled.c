/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The inversion of a box in which points depend on their neighbours: the whole mesh is one unknown.
 *
 * The plain step x ← x + J⁻¹ (target − box(x)), J being how a point answers when all around it move alike, leaves (1 − F) of a
 * detail of which the box keeps the part F: it is quick for what is wider than the box's reach, and never ends for what is
 * narrower. The step is accelerated by Anderson's method (D. G. Anderson, Iterative procedures for nonlinear integral equations,
 * 1965), with the differences of past steps kept orthogonal as they come, and begun anew when there are enough of them.
 */
#include <math.h>
#include <string.h>

#include "math/batch.h"
#include "math/svd3.h"
#include "sinew/algebra.h"

/* Past steps that are remembered; and how many calls may go by without the distances falling to GOOD of what they were. */
enum { MEMORY = 6, PATIENCE = 6 };
#define GOOD 0.98

typedef struct coupled {
	snw_batch batch;
	const unsigned char *fixed;
	snw_svd3 *inverses;      /* [count] */
	double *gaps, *steps;    /* [count][3]: target − box(x), and J⁻¹ of it */
	double *last_steps;      /* those of the iterate before */
	double *moves;           /* what was added to x since the iterate before */
	double *best;            /* [count][3]: the best x */
	double *past[2][MEMORY]; /* [count][3]: moves of x, and the changes of the step that came of them, orthonormal */
	uint32_t past_count;
	double gap_squared, worst; /* over points that are free */
} coupled;

static int is_free(const coupled *own, size_t i) {
	return !own->fixed || !own->fixed[i];
}

static void open_inverses(coupled *own, const double *jacobians) {
	for (uint32_t i = 0; i < own->batch.problem->count; i++) {
		snw_svd3_of(jacobians + 9 * (size_t)i, &own->inverses[i]);
	}
}

static void find_steps(void *argument, uint32_t begin, uint32_t end) {
	coupled *own = argument;
	const snw_lockstep *problem = own->batch.problem;
	for (size_t i = begin; i < end; i++) {
		for (size_t c = 3 * i; c < 3 * i + 3; c++) {
			own->gaps[c] = is_free(own, i) ? problem->targets[c] - own->batch.posed[c] : 0;
		}
		snw_svd3_solve(&own->inverses[i], problem->ratio, problem->longest, own->gaps + 3 * i, own->steps + 3 * i);
	}
}

/* The gaps and steps that the box's answer leaves, and how large they are. */
static void take_answer(coupled *own) {
	snw_batch_each(&own->batch, find_steps, own);
	own->gap_squared = own->worst = 0;
	for (size_t i = 0; i < own->batch.problem->count; i++) {
		const double squared = snw_dot3(own->gaps + 3 * i, own->gaps + 3 * i);
		own->gap_squared += squared;
		own->worst = fmax(own->worst, squared);
	}
	own->worst = sqrt(own->worst);
}

static double dot(size_t count, const double *a, const double *b) {
	double sum = 0;
	for (size_t i = 0; i < count; i++) {
		sum += a[i] * b[i];
	}
	return sum;
}

static void add_scaled(size_t count, double *dest, double factor, const double *v) {
	for (size_t i = 0; i < count; i++) {
		dest[i] += factor * v[i];
	}
}

/* The move just made and the change of the step that came of it join the memory, made orthogonal to what is there. */
static void remember(coupled *own) {
	const size_t numbers = 3 * (size_t)own->batch.problem->count;
	if (own->past_count == MEMORY) {
		own->past_count = 0;
	}
	double *move = own->past[0][own->past_count], *change = own->past[1][own->past_count];
	memcpy(move, own->moves, numbers * sizeof *move);
	for (size_t c = 0; c < numbers; c++) {
		change[c] = own->steps[c] - own->last_steps[c];
	}
	const double length = sqrt(dot(numbers, change, change));
	for (uint32_t k = 0; k < own->past_count; k++) {
		const double along = dot(numbers, own->past[1][k], change);
		add_scaled(numbers, change, -along, own->past[1][k]);
		add_scaled(numbers, move, -along, own->past[0][k]);
	}
	const double left = sqrt(dot(numbers, change, change));
	if (left > 1e-8 * length) {
		for (size_t c = 0; c < numbers; c++) {
			change[c] /= left;
			move[c] /= left;
		}
		own->past_count++;
	}
}

/* The next move: the step, less what the memory says would change nothing, and what it says would undo it. */
static void plan(coupled *own) {
	const size_t numbers = 3 * (size_t)own->batch.problem->count;
	memcpy(own->moves, own->steps, numbers * sizeof *own->moves);
	for (uint32_t k = 0; k < own->past_count; k++) {
		const double along = dot(numbers, own->past[1][k], own->steps);
		add_scaled(numbers, own->moves, -along, own->past[0][k]);
		add_scaled(numbers, own->moves, -along, own->past[1][k]);
	}
	memcpy(own->last_steps, own->steps, numbers * sizeof *own->steps);
}

/* Makes the move, but no point goes further than `limit` from the start: where it would, detail is being blown up that the box
 * hardly keeps. */
static void make_move(coupled *own, const double *start, double limit) {
	for (size_t i = 0; i < own->batch.problem->count; i++) {
		double moved[3];
		for (size_t c = 0; c < 3; c++) {
			moved[c] = own->batch.rest[3 * i + c] + own->moves[3 * i + c] - start[3 * i + c];
		}
		const double length = snw_length3(moved), part = length > limit ? limit / length : 1;
		for (size_t c = 0; c < 3; c++) {
			const double next = start[3 * i + c] + part * moved[c];
			own->moves[3 * i + c] = next - own->batch.rest[3 * i + c];
			own->batch.rest[3 * i + c] = next;
		}
	}
}

/* From the start in `points`, whose gaps are known, to the best in own->best and `posed`. */
static snw_status iterate(coupled *own, const double *points, double *posed) {
	const snw_lockstep *problem = own->batch.problem;
	const size_t numbers = 3 * (size_t)problem->count;
	const double goal = problem->tolerance * problem->size, limit = problem->longest * own->worst;
	double lowest = own->gap_squared, bar = lowest;
	int waited = 0;
	snw_status status = SNW_OK;
	while (status == SNW_OK && own->worst > goal && waited < PATIENCE && own->batch.calls < problem->call_limit) {
		plan(own);
		make_move(own, points, limit);
		status = snw_batch_deform(&own->batch);
		if (status != SNW_OK) {
			break;
		}
		take_answer(own);
		if (own->gap_squared < lowest) {
			lowest = own->gap_squared;
			memcpy(own->best, own->batch.rest, numbers * sizeof *own->best);
			memcpy(posed, own->batch.posed, numbers * sizeof *posed);
		} else if (!isfinite(own->gap_squared)) {
			break;
		}
		waited = lowest < GOOD * GOOD * bar ? 0 : waited + 1;
		bar = waited == 0 ? lowest : bar;
		remember(own);
	}
	return status;
}

static void settle(const coupled *own, const double *posed, unsigned char *fates) {
	const snw_lockstep *problem = own->batch.problem;
	for (size_t i = 0; i < problem->count; i++) {
		double gap[3];
		for (size_t c = 0; c < 3; c++) {
			gap[c] = problem->targets[3 * i + c] - posed[3 * i + c];
		}
		const int is_near = snw_length3(gap) <= problem->tolerance * problem->size;
		fates[i] = is_near ? SNW_LOCKSTEP_SOLVED : is_free(own, i) ? SNW_LOCKSTEP_LEFT : SNW_LOCKSTEP_SINGULAR;
	}
}

snw_status snw_lockstep_coupled(const snw_lockstep *problem, const unsigned char *fixed, double *points, double *posed,
								const double *jacobians, unsigned char *fates, snw_lockstep_result *result) {
	snw_pool pool = snw_pool_open(problem->host);
	const size_t numbers = 3 * (size_t)problem->count;
	coupled own = {.batch = snw_batch_open(problem, &pool),
				   .fixed = fixed,
				   .inverses = SNW_POOL_ARRAY(&pool, snw_svd3, problem->count),
				   .gaps = SNW_POOL_ARRAY(&pool, double, numbers),
				   .steps = SNW_POOL_ARRAY(&pool, double, numbers),
				   .last_steps = SNW_POOL_ARRAY(&pool, double, numbers),
				   .moves = SNW_POOL_ARRAY(&pool, double, numbers),
				   .best = SNW_POOL_ARRAY(&pool, double, numbers)};
	for (int k = 0; k < 2 * MEMORY; k++) {
		own.past[k / MEMORY][k % MEMORY] = SNW_POOL_ARRAY(&pool, double, numbers);
	}
	snw_status status = pool.failed ? SNW_ERROR_MEMORY : SNW_OK;
	if (status == SNW_OK) {
		open_inverses(&own, jacobians);
		memcpy(own.batch.rest, points, numbers * sizeof *points);
		memcpy(own.best, points, numbers * sizeof *points);
		memcpy(own.batch.posed, posed, numbers * sizeof *posed);
		take_answer(&own);
		status = iterate(&own, points, posed);
	}
	if (status == SNW_OK) {
		memcpy(points, own.best, numbers * sizeof *points);
		settle(&own, posed, fates);
		snw_batch_close(&own.batch, posed, fates, result);
	}
	snw_pool_release(&pool);
	return status;
}
