/* SPDX-License-Identifier: MIT
 *
 * Non-negative least squares: the active set for a given support, and the search for a support.
 */
#include "sinew/kit/numerics/nnls.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { MOST = SNK_NNLS_CANDIDATES };

/* Relative to the largest diagonal: too small to show in a weight, but larger than the rounding of a Cholesky factor. */
static const double ridge_ratio = 1e-12;
/* Of the same: a slope that is not steeper than this is rounding. */
static const double slope_ratio = 1e-13;

/* A problem on some of its candidates, including the ridge. */
typedef struct reduced {
	uint32_t count;
	double scale;
	double gram[MOST][MOST];
	double right[MOST];
} reduced;

static double scale_of(const snk_nnls_problem *problem) {
	double scale = 0;
	for (uint32_t j = 0; j < problem->count; j++) {
		scale = fmax(scale, problem->gram[(size_t)j * problem->count + j]);
	}
	return scale > 0 ? scale : 1;
}

static void gather(const snk_nnls_problem *problem, double scale, uint32_t count, const uint32_t *among, reduced *s) {
	s->count = count;
	s->scale = scale;
	for (uint32_t a = 0; a < count; a++) {
		const double *row = problem->gram + (size_t)among[a] * problem->count;
		for (uint32_t b = 0; b < count; b++) {
			s->gram[a][b] = row[among[b]];
		}
		s->gram[a][a] += ridge_ratio * scale;
		s->right[a] = problem->right ? problem->right[among[a]] : 0;
	}
}

/* ---- a given support ----------------------------------------------------------------------------------------------------- */

/* In place: the lower triangle becomes its Cholesky factor. A pivot that rounding made 0 is raised to `floor`. */
static void factor(uint32_t n, double floor, double (*matrix)[MOST]) {
	for (uint32_t i = 0; i < n; i++) {
		for (uint32_t j = 0; j <= i; j++) {
			double sum = matrix[i][j];
			for (uint32_t k = 0; k < j; k++) {
				sum -= matrix[i][k] * matrix[j][k];
			}
			matrix[i][j] = i == j ? sqrt(fmax(sum, floor)) : sum / matrix[j][j];
		}
	}
}

static void substitute(uint32_t n, double (*triangle)[MOST], double *x) {
	for (uint32_t i = 0; i < n; i++) {
		for (uint32_t k = 0; k < i; k++) {
			x[i] -= triangle[i][k] * x[k];
		}
		x[i] /= triangle[i][i];
	}
	for (uint32_t i = n; i-- > 0;) {
		for (uint32_t k = i + 1; k < n; k++) {
			x[i] -= triangle[k][i] * x[k];
		}
		x[i] /= triangle[i][i];
	}
}

/* The optimum on the n passive members, ignoring signs: the last weight is 1 minus the others, which leaves a regular system
 * of differences to it. */
static void solve_passive(const reduced *s, uint32_t n, const uint32_t *passive, double *weights) {
	double matrix[MOST][MOST];
	const uint32_t last = passive[n - 1];
	const double corner = s->gram[last][last];
	for (uint32_t i = 0; i + 1 < n; i++) {
		const double *row = s->gram[passive[i]];
		for (uint32_t k = 0; k <= i; k++) {
			matrix[i][k] = row[passive[k]] - row[last] - s->gram[last][passive[k]] + corner;
		}
		weights[i] = s->right[passive[i]] - s->right[last] - row[last] + corner;
	}
	factor(n - 1, ridge_ratio * s->scale, matrix);
	substitute(n - 1, matrix, weights);
	weights[n - 1] = 1;
	for (uint32_t i = 0; i + 1 < n; i++) {
		weights[n - 1] -= weights[i];
	}
}

static int all_positive(uint32_t n, const double *weights) {
	for (uint32_t i = 0; i < n; i++) {
		if (!(weights[i] > 0)) {
			return 0;
		}
	}
	return 1;
}

/* The state of the active set: the passive members, ascending, and the weights of all. */
typedef struct active_set {
	uint32_t count;
	uint32_t passive[MOST];
	double weights[MOST];
} active_set;

static void admit(active_set *set, uint32_t member) {
	uint32_t at = set->count++;
	for (; at > 0 && set->passive[at - 1] > member; at--) {
		set->passive[at] = set->passive[at - 1];
	}
	set->passive[at] = member;
}

static void dismiss(active_set *set, uint32_t member) {
	uint32_t count = 0;
	for (uint32_t i = 0; i < set->count; i++) {
		set->passive[count] = set->passive[i];
		count += set->passive[i] != member;
	}
	set->count = count;
	set->weights[member] = 0;
}

/* Half the slope of f at one member. */
static double slope_at(const reduced *s, const active_set *set, uint32_t member) {
	double slope = -s->right[member];
	for (uint32_t i = 0; i < set->count; i++) {
		slope += s->gram[member][set->passive[i]] * set->weights[set->passive[i]];
	}
	return slope;
}

static int is_passive(const active_set *set, uint32_t member) {
	return set->weights[member] > 0;
}

/* The inactive member along which f falls most steeply, relative to the slope shared by all passive ones; MOST for none. */
static uint32_t steepest(const reduced *s, const active_set *set) {
	double shared = 0;
	for (uint32_t i = 0; i < set->count; i++) {
		shared += set->weights[set->passive[i]] * slope_at(s, set, set->passive[i]);
	}
	double lowest = shared - slope_ratio * s->scale;
	uint32_t best = MOST;
	for (uint32_t j = 0; j < s->count; j++) {
		const double slope = is_passive(set, j) ? (double)INFINITY : slope_at(s, set, j);
		if (slope < lowest) {
			lowest = slope;
			best = j;
		}
	}
	return best;
}

/* Moves to the optimum on the passive members, dropping those whose weight reaches 0 on the way. */
static void settle(const reduced *s, active_set *set) {
	double wanted[MOST];
	for (;;) {
		solve_passive(s, set->count, set->passive, wanted);
		double step = 1;
		uint32_t first = MOST;
		for (uint32_t i = 0; i < set->count; i++) {
			const double weight = set->weights[set->passive[i]];
			if (!(wanted[i] > 0) && (first == MOST || weight < step * (weight - wanted[i]))) {
				step = weight > 0 ? weight / (weight - wanted[i]) : 0;
				first = set->passive[i];
			}
		}
		for (uint32_t i = 0; i < set->count; i++) {
			double *weight = &set->weights[set->passive[i]];
			*weight = first == MOST ? wanted[i] : *weight + step * (wanted[i] - *weight);
		}
		if (first == MOST) {
			return;
		}
		dismiss(set, first);
	}
}

static void start_at_best_member(const reduced *s, active_set *set) {
	uint32_t best = 0;
	for (uint32_t j = 1; j < s->count; j++) {
		if (s->gram[j][j] - 2 * s->right[j] < s->gram[best][best] - 2 * s->right[best]) {
			best = j;
		}
	}
	memset(set->weights, 0, s->count * sizeof *set->weights);
	set->count = 1;
	set->passive[0] = best;
	set->weights[best] = 1;
}

static double cost_of(const reduced *s, const active_set *set) {
	double cost = 0;
	for (uint32_t i = 0; i < set->count; i++) {
		const uint32_t member = set->passive[i];
		cost += set->weights[member] * (slope_at(s, set, member) - s->right[member]);
	}
	return cost;
}

/* The whole set may be the optimum; if it is small, it mostly is. */
static int solve_at_once(const reduced *s, active_set *set) {
	set->count = s->count;
	for (uint32_t j = 0; j < s->count; j++) {
		set->passive[j] = j;
	}
	solve_passive(s, set->count, set->passive, set->weights);
	return all_positive(set->count, set->weights);
}

static void run_active_set(const reduced *s, active_set *set) {
	if (s->count <= SNK_NNLS_INFLUENCES && solve_at_once(s, set)) {
		return;
	}
	start_at_best_member(s, set);
	/* Each step lowers f, so no support comes twice; rounding could break that, so the number of steps is limited. */
	for (uint32_t step = 0; step < 3 * s->count; step++) {
		const uint32_t entering = steepest(s, set);
		if (entering == MOST) {
			return;
		}
		admit(set, entering);
		settle(s, set);
		if (!is_passive(set, entering)) {
			return;
		}
	}
}

static void solve_among(const snk_nnls_problem *problem, double scale, uint32_t count, const uint32_t *among,
						snk_nnls_solution *solution) {
	reduced s;
	active_set set = {0};
	gather(problem, scale, count, among, &s);
	run_active_set(&s, &set);
	solution->count = set.count;
	solution->cost = cost_of(&s, &set);
	for (uint32_t i = 0; i < set.count; i++) {
		solution->support[i] = among[set.passive[i]];
		solution->weights[i] = set.weights[set.passive[i]];
	}
}

static void solve_all(const snk_nnls_problem *problem, double scale, snk_nnls_solution *solution) {
	uint32_t among[MOST];
	for (uint32_t j = 0; j < problem->count; j++) {
		among[j] = j;
	}
	solve_among(problem, scale, problem->count, among, solution);
}

void snk_nnls_solve(const snk_nnls_problem *problem, uint32_t count, const uint32_t *among, snk_nnls_solution *solution) {
	assert(problem->count > 0 && problem->count <= MOST);
	if (among) {
		solve_among(problem, scale_of(problem), count, among, solution);
	} else {
		solve_all(problem, scale_of(problem), solution);
	}
}

/* ---- the search for a support -------------------------------------------------------------------------------------------- */

typedef struct search {
	const snk_nnls_problem *problem;
	double scale;
	uint32_t most;
	snk_nnls_solution best;
} search;

static int better(const search *at, const snk_nnls_solution *one, const snk_nnls_solution *other) {
	return one->cost < other->cost - slope_ratio * at->scale;
}

/* The candidates that lower f when added to a solved support: by convexity, those with a slope below its own. */
static uint32_t find_promising(const search *at, const snk_nnls_solution *from, uint32_t *promising) {
	const snk_nnls_problem *problem = at->problem;
	double slopes[MOST], shared = 0;
	for (uint32_t j = 0; j < problem->count; j++) {
		slopes[j] = problem->right ? -problem->right[j] : 0;
		for (uint32_t i = 0; i < from->count; i++) {
			slopes[j] += problem->gram[(size_t)from->support[i] * problem->count + j] * from->weights[i];
		}
	}
	for (uint32_t i = 0; i < from->count; i++) {
		shared += from->weights[i] * (slopes[from->support[i]] + ridge_ratio * at->scale * from->weights[i]);
	}
	uint32_t count = 0, member = 0;
	for (uint32_t j = 0; j < problem->count; j++) {
		if (member < from->count && from->support[member] == j) {
			member++;
		} else if (slopes[j] < shared - slope_ratio * at->scale) {
			promising[count++] = j;
		}
	}
	return count;
}

/* The best solution on a support plus one candidate; `from` itself if none helps. */
static void add_best(const search *at, const snk_nnls_solution *from, snk_nnls_solution *best) {
	uint32_t promising[MOST];
	const uint32_t count = find_promising(at, from, promising);
	*best = *from;
	for (uint32_t p = 0; p < count; p++) {
		uint32_t among[SNK_NNLS_INFLUENCES + 1], n = 0;
		while (n < from->count && from->support[n] < promising[p]) {
			among[n] = from->support[n];
			n++;
		}
		among[n] = promising[p];
		memcpy(among + n + 1, from->support + n, (from->count - n) * sizeof *among);
		snk_nnls_solution tried;
		solve_among(at->problem, at->scale, from->count + 1, among, &tried);
		if (better(at, &tried, best)) {
			*best = tried;
		}
	}
}

static void grow(const search *at, snk_nnls_solution *solution) {
	while (solution->count < at->most) {
		snk_nnls_solution grown;
		add_best(at, solution, &grown);
		if (!better(at, &grown, solution)) {
			return;
		}
		*solution = grown;
	}
}

/* Exchanges one member for the best other, as long as that helps. */
static void exchange(search *at) {
	for (uint32_t member = 0, unchanged = 0; unchanged < at->best.count;) {
		uint32_t among[SNK_NNLS_INFLUENCES], n = 0;
		for (uint32_t i = 0; i < at->best.count; i++) {
			among[n] = at->best.support[i];
			n += i != member;
		}
		if (n == 0) {
			return;
		}
		snk_nnls_solution exchanged;
		solve_among(at->problem, at->scale, n, among, &exchanged);
		grow(at, &exchanged);
		if (better(at, &exchanged, &at->best)) {
			at->best = exchanged;
			unchanged = 0;
			member = 0;
		} else {
			unchanged++;
			member++;
		}
	}
}

static void consider(search *at, const snk_nnls_solution *tried) {
	if (better(at, tried, &at->best)) {
		at->best = *tried;
	}
}

/* The unrestricted optimum's largest weights, solved anew. */
static void cut_down(const search *at, const snk_nnls_solution *whole, snk_nnls_solution *cut) {
	uint32_t among[SNK_NNLS_INFLUENCES], count = 0;
	for (uint32_t i = 0; i < whole->count; i++) {
		uint32_t larger = 0;
		for (uint32_t k = 0; k < whole->count; k++) {
			larger += whole->weights[k] > whole->weights[i] || (whole->weights[k] == whole->weights[i] && k < i);
		}
		if (larger < at->most) {
			among[count++] = whole->support[i];
		}
	}
	solve_among(at->problem, at->scale, count, among, cut);
}

static void try_start(search *at, const snk_nnls_support *start) {
	uint32_t among[SNK_NNLS_INFLUENCES], count = 0;
	for (uint32_t j = 0; j < at->problem->count; j++) {
		for (uint32_t i = 0; i < start->count; i++) {
			if (start->candidates[i] == j) {
				among[count++] = j;
				break;
			}
		}
	}
	snk_nnls_solution tried;
	if (count > 0) {
		solve_among(at->problem, at->scale, count, among, &tried);
		consider(at, &tried);
	}
}

void snk_nnls_search(const snk_nnls_problem *problem, uint32_t most, uint32_t start_count, const snk_nnls_support *starts,
					 snk_nnls_solution *solution) {
	assert(problem->count > 0 && problem->count <= MOST && most > 0 && most <= SNK_NNLS_INFLUENCES);
	search at = {.problem = problem, .scale = scale_of(problem), .most = most};
	snk_nnls_solution tried;
	solve_all(problem, at.scale, &at.best);
	if (at.best.count <= most) {
		*solution = at.best;
		return;
	}
	cut_down(&at, &at.best, &tried);
	at.best = tried;
	for (uint32_t i = 0; i < start_count; i++) {
		if (starts[i].count <= most) {
			try_start(&at, &starts[i]);
		}
	}
	uint32_t single = 0;
	for (uint32_t j = 1; j < problem->count; j++) {
		const double *gram = problem->gram, *right = problem->right;
		const size_t stride = (size_t)problem->count + 1;
		if (gram[j * stride] - (right ? 2 * right[j] : 0) < gram[single * stride] - (right ? 2 * right[single] : 0)) {
			single = j;
		}
	}
	solve_among(problem, at.scale, 1, &single, &tried);
	grow(&at, &tried);
	consider(&at, &tried);
	exchange(&at);
	*solution = at.best;
}
