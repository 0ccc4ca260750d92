/* SPDX-License-Identifier: MIT
 *
 * Powell's method of direction sets, all points in lockstep (M. J. D. Powell, An efficient method for finding the minimum of a
 * function of several variables without calculating derivatives, 1964; for inverse skinning Xiao et al.).
 *
 * A sweep searches the lines along three directions, one after the other, from x₀ to x₃. With f₁ and f₂ the values there, f₃
 * that at 2 x₃ − x₀, and Δ the largest decrease along one line, the direction of Δ gives way to x₃ − x₀ where
 *
 *     f₃ < f₁  and  2 (f₁ − 2 f₂ + f₃) (f₁ − f₂ − Δ)² < Δ (f₁ − f₃)²,
 *
 * that is where there is more to be had along it, and Δ was neither most of the sweep's decrease nor a valley's floor. Second
 * derivatives along the directions are remembered, as Powell does. Sweeps that gain little start again with fresh axes.
 *
 * The function is ‖target − S(x)‖²; further from the start than `longest` allows it is infinite.
 */
#include <math.h>
#include <string.h>

#include "kit/inversion/batch.h"
#include "sinew/algebra.h"

/* ---- a line -------------------------------------------------------------------------------------------------------------- */

/* Minimises a function along a line, one evaluation at a time, so that many lines can be searched in lockstep. It uses
 * parabolas through the three samples around the lowest. If the lowest is at an end, or the parabola opens downward, the
 * search walks on; a sample that is not finite is a wall to back off from. Exact for parabolas. */

typedef struct line_search {
	double t[4], f[4]; /* [count], by rising t; the fourth only while one is being placed */
	int count;
	int evaluated;    /* evaluations done */
	double trial;     /* where the function must be evaluated next */
	double predicted; /* the parabola's value there; NAN without a parabola */
	double lowest_t, lowest_f;
	double curvature; /* f's second derivative along the line; 0 if not known */
} line_search;

enum { MOST_EVALUATIONS = 10 };

/* The search ends when the parabola predicted the value to within this part of the gain, or promises less than this part of
 * the lowest value. */
#define TRUE_ENOUGH 0.1
#define WORTH_EVALUATING 1e-9

/* How far a step may go beyond the samples, in units of their width. */
#define FURTHEST 4.0

/* At t = 0 the function is f; the first trial is `step`. curvature is 0 if not known. */
static void line_search_start(line_search *line, double f, double step, double curvature) {
	*line = (line_search){.t = {0}, .f = {f}, .count = 1, .trial = step, .lowest_f = f, .curvature = curvature};
	line->predicted = NAN;
}

/* Adds a known sample. */
static void line_search_add(line_search *line, double t, double f) {
	int place = line->count++;
	for (; place > 0 && line->t[place - 1] > t; place--) {
		line->t[place] = line->t[place - 1];
		line->f[place] = line->f[place - 1];
	}
	line->t[place] = t;
	line->f[place] = f;
	if (f < line->lowest_f) {
		line->lowest_t = t;
		line->lowest_f = f;
	}
	if (line->count == 4) {
		/* Keeps three: the lowest and its neighbours. */
		line->count = 3;
		if (line->t[1] < line->lowest_t) {
			for (int k = 0; k < 3; k++) {
				line->t[k] = line->t[k + 1];
				line->f[k] = line->f[k + 1];
			}
		}
	}
}

/* Toward the lowest sample from the nearest one that is not finite; 0 if all are finite. */
static int back_off(line_search *line) {
	for (int k = 0; k < line->count; k++) {
		if (!isfinite(line->f[k])) {
			line->trial = line->lowest_t + 0.25 * (line->t[k] - line->lowest_t);
			line->t[k] = line->t[line->count - 1];
			line->f[k] = line->f[line->count - 1];
			line->count--;
			/* At most two samples, perhaps in the wrong order. */
			if (line->count == 2 && line->t[0] > line->t[1]) {
				const double t = line->t[0], f = line->f[0];
				line->t[0] = line->t[1];
				line->f[0] = line->f[1];
				line->t[1] = t;
				line->f[1] = f;
			}
			line->predicted = NAN;
			return 1;
		}
	}
	return 0;
}

/* Of the parabola through all samples: slope at t[0] and half the second derivative. With two, by the curvature known. */
static void parabola(const line_search *line, double *slope, double *half) {
	const double *t = line->t, *f = line->f;
	const double first = (f[1] - f[0]) / (t[1] - t[0]);
	*half = line->count == 3 ? ((f[2] - f[1]) / (t[2] - t[1]) - first) / (t[2] - t[0]) : line->curvature / 2;
	*slope = first - *half * (t[1] - t[0]);
}

/* The next trial from the existing samples, without a new value. Returns as line_search_answer does. */
static int line_search_next(line_search *line) {
	if (line->evaluated >= MOST_EVALUATIONS) {
		return 0;
	}
	if (back_off(line)) {
		return 1;
	}
	const int last = line->count - 1;
	const double width = line->t[last] - line->t[0];
	const int at_left = line->lowest_t <= line->t[0], at_right = line->lowest_t >= line->t[last];
	double slope, half;
	parabola(line, &slope, &half);
	if (!(half > 0)) {
		/* The curvature is unknown or negative: walk downhill. */
		line->trial = at_left ? line->t[0] - width : line->t[last] + width;
		line->predicted = NAN;
		return at_left || at_right;
	}
	line->curvature = 2 * half;
	const double vertex = line->t[0] - slope / (2 * half);
	const double trial = fmin(fmax(vertex, line->t[0] - FURTHEST * width), line->t[last] + FURTHEST * width);
	const double from = trial - line->t[0];
	line->predicted = line->f[0] + slope * from + half * from * from;
	line->trial = trial;
	return line->lowest_f - line->predicted > WORTH_EVALUATING * fabs(line->lowest_f) && trial != line->lowest_t;
}

/* Receives the value at the trial. Returns 1 with the next trial, or 0 when the search is over. */
static int line_search_answer(line_search *line, double f) {
	const double before = line->lowest_f;
	const int is_predicted = fabs(f - line->predicted) <= TRUE_ENOUGH * (before - line->predicted);
	line->evaluated++;
	line_search_add(line, line->trial, f);
	return !is_predicted && line_search_next(line);
}

/* ---- sweeps -------------------------------------------------------------------------------------------------------------- */

/* A sweep must reduce the function below this part of its value; the number of sweeps in a row that may fail to before the
 * axes are reset, and the number of resets. */
#define GOOD_SWEEP 0.9
enum { POOR_SWEEPS = 6, RESTARTS = 2 };

/* The state of a point: searching along direction 0, 1 or 2, evaluating at 2 x₃ − x₀, or searching along x₃ − x₀. */
enum { EXTRAPOLATING = 3, CONJUGATE = 4 };

typedef struct powell_point {
	double x[3], f;          /* the start of the current line */
	double from[3], from_f;  /* the start of the sweep */
	double directions[3][3]; /* of unit length */
	double curvatures[3];    /* along them; 0 if not known */
	double along[3];         /* of the current line */
	double start[3], reach;  /* the point's start, and how far from it the point may go */
	double decrease;         /* the largest of this sweep */
	line_search line;
	unsigned char stage, best, poor, restarts;
} powell_point;

typedef struct powell {
	snk_batch batch;
	powell_point *states; /* [count] */
	double *points, *posed;
	unsigned char *fates;
} powell;

static double squared_gap(const powell *state, uint32_t i, const double posed[3]) {
	const double *target = state->batch.problem->targets + 3 * (size_t)i;
	const double gap[3] = {target[0] - posed[0], target[1] - posed[1], target[2] - posed[2]};
	return snw_dot3(gap, gap);
}

static double goal_of(const powell *state) {
	return state->batch.problem->tolerance * state->batch.problem->size;
}

static void trial_point(const powell_point *state, double x[3]) {
	for (int c = 0; c < 3; c++) {
		x[c] = state->stage == EXTRAPOLATING ? 2 * state->x[c] - state->from[c]
											 : state->x[c] + state->line.trial * state->along[c];
	}
}

/* Three perpendicular axes, in a different orientation each time. */
static void fresh_axes(powell_point *state) {
	double rotation[4] = {0.37 * state->restarts, 0.61 * state->restarts, -0.23 * state->restarts, 1}, matrix[12];
	snw_quat_normalize(rotation);
	snw_quat_to_mat34(rotation, matrix);
	for (int r = 0; r < 3; r++) {
		memcpy(state->directions[r], matrix + 4 * (size_t)r, sizeof state->directions[r]);
		state->curvatures[r] = 0;
	}
	state->poor = 0;
}

/* The first step is as far along as the function is deep, going by the curvature where it is known. */
static void start_line(powell_point *state, unsigned char direction) {
	const double curvature = state->curvatures[direction];
	const double step = sqrt(state->f) / (curvature > 0 ? fmax(sqrt(curvature / 2), 0.05) : 1);
	state->stage = direction;
	memcpy(state->along, state->directions[direction], sizeof state->along);
	line_search_start(&state->line, state->f, step, curvature);
}

static void start_sweep(powell_point *state) {
	memcpy(state->from, state->x, sizeof state->from);
	state->from_f = state->f;
	state->decrease = 0;
	state->best = 0;
	start_line(state, 0);
}

/* After a sweep: new axes, the end, or the evaluation at 2 x₃ − x₀. Returns 0 at the end. */
static int end_sweep(powell_point *state) {
	state->poor = state->f > GOOD_SWEEP * state->from_f ? (unsigned char)(state->poor + 1) : 0;
	if (state->poor >= POOR_SWEEPS || !(state->f < state->from_f)) {
		if (state->restarts >= RESTARTS) {
			return 0;
		}
		state->restarts++;
		fresh_axes(state);
		start_sweep(state);
	} else {
		state->stage = EXTRAPOLATING;
	}
	return 1;
}

/* Powell's test, and the line along x₃ − x₀ where it passes: three values on that line are known already. */
static void take_extrapolated(powell_point *state, double f3) {
	const double f1 = state->from_f, f2 = state->f, rest = f1 - f2 - state->decrease;
	if (f3 < f1 && 2 * (f1 - 2 * f2 + f3) * rest * rest < state->decrease * (f1 - f3) * (f1 - f3)) {
		double length;
		for (int c = 0; c < 3; c++) {
			state->along[c] = state->x[c] - state->from[c];
		}
		length = snw_length3(state->along);
		snw_normalize3(state->along);
		state->stage = CONJUGATE;
		line_search_start(&state->line, f2, 0, 0);
		line_search_add(&state->line, -length, f1);
		line_search_add(&state->line, length, f3);
	} else {
		start_sweep(state);
	}
}

/* The new direction becomes the last, and the last replaces the discarded one. */
static void replace_direction(powell_point *state) {
	memcpy(state->directions[state->best], state->directions[2], sizeof state->along);
	state->curvatures[state->best] = state->curvatures[2];
	memcpy(state->directions[2], state->along, sizeof state->along);
	state->curvatures[2] = state->line.curvature;
}

/* Ends the current line and begins the next. Returns 0 if there is none. */
static int end_line(powell_point *state) {
	const double decrease = state->f - state->line.lowest_f;
	for (int c = 0; c < 3; c++) {
		state->x[c] += state->line.lowest_t * state->along[c];
	}
	state->f = state->line.lowest_f;
	if (state->stage == CONJUGATE) {
		replace_direction(state);
		start_sweep(state);
		return 1;
	}
	state->curvatures[state->stage] = state->line.curvature;
	if (decrease > state->decrease) {
		state->decrease = decrease;
		state->best = state->stage;
	}
	if (state->stage < 2) {
		start_line(state, (unsigned char)(state->stage + 1));
		return 1;
	}
	return end_sweep(state);
}

static void assess(const powell *solver, uint32_t i, const double trial[3], const double answer[3]) {
	powell_point *state = &solver->states[i];
	double *best = solver->points + 3 * (size_t)i, *posed = solver->posed + 3 * (size_t)i;
	const double squared = squared_gap(solver, i, answer);
	const double offset[3] = {trial[0] - state->start[0], trial[1] - state->start[1], trial[2] - state->start[2]};
	const double value = isfinite(squared) && snw_length3(offset) <= state->reach ? squared : (double)INFINITY;
	const double lowest = state->stage == EXTRAPOLATING ? state->f : state->line.lowest_f;
	if (value < lowest) {
		memcpy(best, trial, 3 * sizeof *best);
		memcpy(posed, answer, 3 * sizeof *posed);
	}
	if (sqrt(squared) <= goal_of(solver) && value < lowest) {
		solver->fates[i] = SNK_LOCKSTEP_SOLVED;
		return;
	}
	int is_open = 1;
	if (state->stage == EXTRAPOLATING) {
		take_extrapolated(state, value);
		if (state->stage == CONJUGATE) {
			is_open = line_search_next(&state->line) || end_line(state);
		}
	} else if (!line_search_answer(&state->line, value)) {
		is_open = end_line(state);
	}
	solver->fates[i] = is_open ? SNK_BATCH_OPEN : SNK_LOCKSTEP_UNSOLVED;
}

static void SNW_CALL assess_all(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const powell *state = argument;
	for (uint32_t n = begin; n < end; n++) {
		assess(state, state->batch.points[n], state->batch.rest + 3 * (size_t)n, state->batch.posed + 3 * (size_t)n);
	}
}

static void SNW_CALL propose_all(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const powell *state = argument;
	for (uint32_t n = begin; n < end; n++) {
		trial_point(&state->states[state->batch.points[n]], state->batch.rest + 3 * (size_t)n);
	}
}

static void SNW_CALL open_all(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const powell *solver = argument;
	for (uint32_t i = begin; i < end; i++) {
		powell_point *state = &solver->states[i];
		memcpy(state->x, solver->points + 3 * (size_t)i, sizeof state->x);
		memcpy(state->start, state->x, sizeof state->start);
		state->f = squared_gap(solver, i, solver->posed + 3 * (size_t)i);
		state->reach = solver->batch.problem->longest * sqrt(state->f);
		fresh_axes(state);
		start_sweep(state);
		solver->fates[i] = sqrt(state->f) <= goal_of(solver) ? SNK_LOCKSTEP_SOLVED : SNK_BATCH_OPEN;
	}
}

snw_status snk_lockstep_powell(const snk_lockstep *problem, double *points, double *posed, unsigned char *fates,
							   snk_lockstep_result *result) {
	snw_pool pool = snw_pool_open(problem->host);
	powell state = {.batch = snk_batch_open(problem, &pool),
					.states = SNW_POOL_ARRAY(&pool, powell_point, problem->count),
					.points = points,
					.posed = posed,
					.fates = fates};
	static const snk_batch_steps steps = {.open = open_all, .propose = propose_all, .assess = assess_all};
	const snw_status status =
		pool.failed ? SNW_ERROR_MEMORY : snk_batch_run(&state.batch, &steps, &state, posed, fates, result);
	snw_pool_release(&pool);
	return status;
}
