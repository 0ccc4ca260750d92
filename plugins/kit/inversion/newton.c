/* SPDX-License-Identifier: MIT
 *
 * Newton steps in lockstep, with Broyden's rank-one updates (C. G. Broyden, A class of methods for solving nonlinear
 * simultaneous equations, 1965) of a Jacobian that was found once by differences. Each point takes a part of its step: the
 * part shrinks when a step is refused, and grows again when one is taken.
 *
 * A step is taken if it brings the point nearer to its target, or nearer to the solution that the Jacobian predicts (P.
 * Deuflhard, A modified Newton method for the solution of ill-conditioned systems of nonlinear equations, 1974: the natural
 * level function). The second criterion is needed where the deformation nearly flattens space: the long step for a small gap
 * there bends sideways, which increases the distance, and the next step corrects it.
 *
 * If too many steps gain too little, the point gets a new Jacobian by differences, during the steps of the others; if that
 * does not help either, the point stays unsolved.
 */
#include <math.h>
#include <string.h>

#include "kit/inversion/batch.h"
#include "sinew/algebra.h"
#include "sinew/kit/numerics/eigen.h"

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
