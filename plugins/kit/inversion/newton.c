/* SPDX-License-Identifier: MIT
 *
 * Inversions by Newton's steps: of points by themselves, and of a mesh whose points depend on their neighbours.
 */
#include <math.h>
#include <string.h>

#include "kit/inversion/batch.h"
#include "sinew/algebra.h"
#include "sinew/kit/numerics/eigen.h"
#include "sinew/kit/numerics/systems.h"
#include "sinew/kit/status.h"

/* ---- points by themselves ------------------------------------------------------------------------------------------------ */

/* Newton steps in lockstep, with Broyden's rank-one updates (C. G. Broyden, A class of methods for solving nonlinear
 * simultaneous equations, 1965) of a Jacobian that was found once by differences. Each point takes a part of its step: the
 * part shrinks when a step is refused, and grows again when one is taken.
 *
 * A step is taken if it brings the point nearer to its target, or nearer to the solution that the Jacobian predicts (P.
 * Deuflhard, A modified Newton method for the solution of ill-conditioned systems of nonlinear equations, 1974: the natural
 * level function). The second criterion is needed where the deformation nearly flattens space: the long step for a small gap
 * there bends sideways, which increases the distance, and the next step corrects it.
 *
 * If too many steps gain too little, the point gets a new Jacobian by differences, during the steps of the others; if that
 * does not help either, the point stays unsolved. */

/* A step must reduce the distance below this part of the best so far, or it counts as poor. The limits of poor steps with
 * one Jacobian, and of further Jacobians. */
#define GOOD_STEP 0.5
enum { POOR_STEPS = 3, FLAT_STEPS = 1, RESTARTS = 2 };

/* The axis of the current difference, or a step. */
enum { STEPPING = 3 };

/* Directions that the deformation shortens below this many times the ratio count as flat at the start, where its behaviour
 * farther on is not known yet; once a point has been there, those below the ratio itself. */
#define FLAT 10

typedef struct newton_point {
	double start[3];
	double x[3], y[3]; /* the current point, and its image */
	double step[3];
	double first;    /* distance from the target at the start */
	double distance; /* of the current point */
	double best;     /* the smallest so far */
	double part;     /* of the whole step, at most 1 */
	int axis;
	int poor; /* steps by this Jacobian */
	int restarts;
	int is_fresh; /* the Jacobian is from differences: updates know it only along the steps */
	int flat;     /* by the last Jacobian from differences, the deformation flattens space here */
	int last;     /* the current step goes as far as the deformation allows */
} newton_point;

typedef struct newton {
	snk_batch batch;
	newton_point *states;   /* [count] */
	double *points, *posed; /* the best so far */
	double *jacobians;
	unsigned char *fates;
	double reach; /* how far a point may go from its start, metres: see find_reach */
} newton;

static double goal_of(const newton *state) {
	return state->batch.problem->tolerance * state->batch.problem->size;
}

static double gap_of(const newton *state, uint32_t i, const double posed[3], double gap[3]) {
	for (int c = 0; c < 3; c++) {
		gap[c] = state->batch.problem->targets[3 * (size_t)i + c] - posed[c];
	}
	return snw_length3(gap);
}

/* How far a point may go from its start. If the deformation flattens space around a point, a small gap asks for a step of
 * any length, and a deformation that folds may have a solution there: on another branch. So the distance is bounded by the
 * largest gap of a point, and by the mean stretch of the deformation. */
static double find_reach(const snk_lockstep *problem, const double *posed, const double *jacobians) {
	double stretch = 0, furthest = 0;
	for (size_t i = 0; i < problem->count; i++) {
		double squared = 0, gap[3];
		for (size_t c = 0; c < 9; c++) {
			squared += jacobians[9 * i + c] * jacobians[9 * i + c];
		}
		for (size_t c = 0; c < 3; c++) {
			gap[c] = problem->targets[3 * i + c] - posed[3 * i + c];
		}
		stretch += sqrt(squared / 3) / problem->count;
		furthest = fmax(furthest, snw_length3(gap));
	}
	return stretch > 0 ? problem->longest * furthest / stretch : (double)INFINITY;
}

/* Whether the current step stays within the reach. */
static int stays_near(const newton *solver, uint32_t i) {
	const newton_point *state = &solver->states[i];
	double offset[3];
	for (int c = 0; c < 3; c++) {
		offset[c] = state->x[c] + state->step[c] - state->start[c];
	}
	return snw_length3(offset) <= solver->reach;
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

/* The whole step for a gap, by the Jacobian; 0 if it is nearly singular. */
static int solve(const newton *state, uint32_t i, const double gap[3], double step[3]) {
	const snk_lockstep *problem = state->batch.problem;
	double inverse[9];
	if (!snk_svd3_inverse(state->jacobians + 9 * (size_t)i, problem->ratio, problem->longest, inverse)) {
		return 0;
	}
	for (int r = 0; r < 3; r++) {
		step[r] = snw_dot3(inverse + 3 * (size_t)r, gap);
	}
	return 1;
}

/* The same if it is nearly singular. */
static void solve_carefully(const newton *solver, uint32_t i, const double gap[3], snk_svd3 *svd, double step[3]) {
	const snk_lockstep *problem = solver->batch.problem;
	const newton_point *state = &solver->states[i];
	snk_svd3_compute(solver->jacobians + 9 * (size_t)i, svd);
	snk_svd3_solve(svd, problem->ratio, problem->longest * state->first / state->distance, gap, step);
}

/* The next step if the Jacobian is nearly singular. */
static void plan_carefully(const newton *solver, uint32_t i, const double gap[3]) {
	const snk_lockstep *problem = solver->batch.problem;
	newton_point *state = &solver->states[i];
	const double *jacobian = solver->jacobians + 9 * (size_t)i;
	double reached[3];
	snk_svd3 svd;
	solve_carefully(solver, i, gap, &svd, state->step);
	for (int r = 0; r < 3; r++) {
		reached[r] = gap[r] - snw_dot3(jacobian + 3 * (size_t)r, state->step);
	}
	if (state->is_fresh) {
		state->flat = svd.s[2] < (solver->batch.calls == 0 ? FLAT : 1) * problem->ratio * svd.s[0];
	}
	/* The regularised step would leave much of the gap even if the deformation were affine. */
	state->last = solver->batch.calls == 0 && snw_length3(reached) > 0.5 * goal_of(solver) &&
				  snw_length3(reached) > 0.1 * state->distance;
}

/* The next step from the current point. */
static void plan(const newton *solver, uint32_t i) {
	newton_point *state = &solver->states[i];
	double gap[3];
	gap_of(solver, i, state->y, gap);
	state->last = 0;
	if (!solve(solver, i, gap, state->step)) {
		plan_carefully(solver, i, gap);
	}
	state->is_fresh = 0;
	for (int c = 0; c < 3; c++) {
		state->step[c] *= state->part;
	}
}

/* Whether the current step, after which `gap` remains, leads nearer to the solution that the Jacobian predicts. */
static int leads_on(const newton *solver, uint32_t i, const double gap[3]) {
	const newton_point *state = &solver->states[i];
	double next[3];
	snk_svd3 svd;
	if (!solve(solver, i, gap, next)) {
		solve_carefully(solver, i, gap, &svd, next);
	}
	return snw_length3(next) < (1 - state->part / 2) * snw_length3(state->step) / state->part;
}

/* Begins the differences at the current point, from the first axis on. */
static void start_differences(newton_point *state) {
	state->axis = 0;
	state->poor = 0;
	state->part = 1;
	state->restarts++;
}

/* Finishes the difference along one axis, dividing by the step as rounded. */
static void assess_difference(const newton *solver, uint32_t n) {
	const uint32_t i = solver->batch.points[n];
	newton_point *state = &solver->states[i];
	const int axis = state->axis++;
	const double taken = solver->batch.rest[3 * (size_t)n + axis] - state->x[axis];
	int is_finite = 1;
	for (int r = 0; r < 3; r++) {
		const double slope = (solver->batch.posed[3 * (size_t)n + r] - state->y[r]) / taken;
		solver->jacobians[9 * (size_t)i + 3 * r + axis] = slope;
		is_finite = is_finite && isfinite(slope);
	}
	if (!is_finite) {
		solver->fates[i] = SNK_LOCKSTEP_UNSOLVED;
	} else if (state->axis == STEPPING) {
		state->is_fresh = 1;
		plan(solver, i);
	}
}

/* Decides how a point that is not solved continues. */
static void go_on_from(const newton *solver, uint32_t i) {
	newton_point *state = &solver->states[i];
	const int is_stuck = state->poor > (state->flat ? FLAT_STEPS : POOR_STEPS);
	if (state->last || (is_stuck && state->flat)) {
		solver->fates[i] = SNK_LOCKSTEP_SINGULAR;
	} else if (is_stuck && state->restarts == RESTARTS) {
		solver->fates[i] = SNK_LOCKSTEP_UNSOLVED;
	} else if (is_stuck) {
		start_differences(state);
	} else {
		plan(solver, i);
	}
}

/* Accepts the step. */
static void take_step(const newton *solver, uint32_t i, const double answer[3], double distance) {
	newton_point *state = &solver->states[i];
	for (int c = 0; c < 3; c++) {
		state->x[c] += state->step[c];
		state->y[c] = answer[c];
	}
	state->distance = distance;
	if (distance < state->best) {
		state->best = distance;
		memcpy(solver->points + 3 * (size_t)i, state->x, sizeof state->x);
		memcpy(solver->posed + 3 * (size_t)i, state->y, sizeof state->y);
	}
}

static void assess_step(const newton *solver, uint32_t n) {
	const uint32_t i = solver->batch.points[n];
	const double *answer = solver->batch.posed + 3 * (size_t)n;
	newton_point *state = &solver->states[i];
	double gap[3], dy[3];
	const double distance = gap_of(solver, i, answer, gap), goal = goal_of(solver);
	const int is_near = stays_near(solver, i);
	const int is_taken = is_near && (distance < state->distance || (isfinite(distance) && leads_on(solver, i, gap)));
	if (isfinite(distance) && snw_length3(state->step) > goal) {
		for (int c = 0; c < 3; c++) {
			dy[c] = answer[c] - state->y[c];
		}
		update(solver->jacobians + 9 * (size_t)i, state->step, dy);
	}
	state->poor += !(is_near && distance < GOOD_STEP * state->best);
	if (is_taken) {
		take_step(solver, i, answer, distance);
		state->part = fmin(1, 2 * state->part);
	} else {
		state->part *= 0.25;
	}
	if (state->best <= goal) {
		solver->fates[i] = SNK_LOCKSTEP_SOLVED;
	} else {
		go_on_from(solver, i);
	}
}

static void SNW_CALL assess_all(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const newton *state = argument;
	for (uint32_t n = begin; n < end; n++) {
		(state->states[state->batch.points[n]].axis == STEPPING ? assess_step : assess_difference)(state, n);
	}
}

static void SNW_CALL plan_all(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const newton *solver = argument;
	for (uint32_t i = begin; i < end; i++) {
		newton_point *state = &solver->states[i];
		double gap[3];
		memcpy(state->x, solver->points + 3 * (size_t)i, sizeof state->x);
		memcpy(state->start, state->x, sizeof state->start);
		memcpy(state->y, solver->posed + 3 * (size_t)i, sizeof state->y);
		state->first = state->distance = state->best = gap_of(solver, i, state->y, gap);
		state->part = 1;
		state->axis = STEPPING;
		state->is_fresh = 1;
		const int solved = state->best <= goal_of(solver);
		solver->fates[i] = solved ? SNK_LOCKSTEP_SOLVED : SNK_BATCH_OPEN;
		if (!solved) {
			plan(solver, i);
		}
	}
}

static void SNW_CALL propose_all(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const newton *solver = argument;
	const double difference = snk_batch_difference(solver->batch.problem);
	for (uint32_t n = begin; n < end; n++) {
		const uint32_t i = solver->batch.points[n];
		const newton_point *state = &solver->states[i];
		for (int c = 0; c < 3; c++) {
			const double step = state->axis == STEPPING ? state->step[c] : c == state->axis ? difference : 0;
			solver->batch.rest[3 * (size_t)n + c] = state->x[c] + step;
		}
	}
}

snw_status snk_lockstep_newton(const snk_lockstep *problem, double *points, double *posed, double *jacobians,
							   unsigned char *fates, snk_lockstep_result *result) {
	snw_pool pool = snw_pool_open(problem->host);
	newton state = {.batch = snk_batch_open(problem, &pool),
					.states = SNW_POOL_ARRAY(&pool, newton_point, problem->count),
					.points = points,
					.posed = posed,
					.jacobians = jacobians,
					.fates = fates,
					.reach = find_reach(problem, posed, jacobians)};
	static const snk_batch_steps steps = {.open = plan_all, .propose = propose_all, .assess = assess_all};
	const snw_status status =
		pool.failed ? SNW_ERROR_MEMORY : snk_batch_run(&state.batch, &steps, &state, posed, fates, result);
	snw_pool_release(&pool);
	return status;
}

/* ---- coupled points ------------------------------------------------------------------------------------------------------ */

/* The inversion of a deformation in which points depend on their neighbours: the whole mesh is one unknown.
 *
 * The plain step is x ← x + J⁻¹ (target − S(x)), with J the response of a point if all points around it move alike. If the
 * deformation keeps the part F of a detail, the step leaves (1 − F) of its error: it converges fast for detail wider than
 * the deformation's reach, and hardly at all for narrower detail. The step is accelerated by Anderson's method (D. G.
 * Anderson, Iterative procedures for nonlinear integral equations, 1965), with the differences of past steps kept
 * orthogonal, and restarted when there are enough of them. */

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
static void plan_coupled(coupled *state) {
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
		plan_coupled(state);
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
