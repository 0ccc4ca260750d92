/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * plugins/kit/numerics/nnls: known answers, the conditions of optimality, brute force over all supports, degenerate Gram
 * matrices.
 */
#include "check.h"

#include "random.h"
#include "sinew/kit/numerics/nnls.h"

enum { MOST = SNK_NNLS_CANDIDATES };

/* G = uᵀu of `rows` residual rows. */
static void make_gram(uint32_t rows, uint32_t count, const double *u, double *gram) {
	for (uint32_t a = 0; a < count; a++) {
		for (uint32_t b = 0; b < count; b++) {
			double sum = 0;
			for (uint32_t r = 0; r < rows; r++) {
				sum += u[r * count + a] * u[r * count + b];
			}
			gram[a * count + b] = sum;
		}
	}
}

static double largest_diagonal(const snk_nnls_problem *p) {
	double scale = 0;
	for (uint32_t j = 0; j < p->count; j++) {
		scale = fmax(scale, p->gram[j * p->count + j]);
	}
	return scale;
}

static void check_feasible(const snk_nnls_solution *solution, uint32_t most) {
	double sum = 0;
	assert_in_range(solution->count, 1, most);
	for (uint32_t i = 0; i < solution->count; i++) {
		assert_true(solution->weights[i] > 0);
		assert_true(i == 0 || solution->support[i] > solution->support[i - 1]);
		sum += solution->weights[i];
	}
	check_near(sum, 1, 1e-14);
}

/* All passive members share one slope, and no other among those allowed has a lower one. */
static void check_optimal(const snk_nnls_problem *p, uint32_t count, const uint32_t *among, const snk_nnls_solution *s) {
	const double tolerance = 2e-11 * largest_diagonal(p);
	double slope[MOST], lowest = INFINITY;
	for (uint32_t a = 0; a < count; a++) {
		const uint32_t j = among[a];
		slope[j] = p->right ? -p->right[j] : 0;
		for (uint32_t i = 0; i < s->count; i++) {
			slope[j] += p->gram[j * p->count + s->support[i]] * s->weights[i];
		}
		lowest = fmin(lowest, slope[j]);
	}
	for (uint32_t i = 0; i < s->count; i++) {
		check_near(slope[s->support[i]], lowest, tolerance);
	}
}

static void random_problem(uint64_t *random, uint32_t count, uint32_t rows, double *gram, double *right,
						   snk_nnls_problem *problem) {
	static double u[64 * MOST];
	for (uint32_t i = 0; i < rows * count; i++) {
		u[i] = random_between(random, -1, 1);
	}
	if (count > 2 && random_below(random, 3) == 0) { /* a twin */
		for (uint32_t r = 0; r < rows; r++) {
			u[r * count + count - 1] = u[r * count];
		}
	}
	make_gram(rows, count, u, gram);
	const int with_right = random_below(random, 2) == 0;
	for (uint32_t j = 0; j < count; j++) {
		right[j] = random_between(random, -1, 1);
	}
	*problem = (snk_nnls_problem){.count = count, .gram = gram, .right = with_right ? right : NULL};
}

static void solve_known_problems_gives_their_answers(void **state) {
	(void)state;
	snk_nnls_solution s;
	/* The point of a segment, and of a triangle, nearest to the origin. */
	const double segment[2 * 2] = {1, 1, -1, 3};
	double gram[9];
	make_gram(2, 2, segment, gram);
	snk_nnls_solve(&(snk_nnls_problem){.count = 2, .gram = gram}, 0, NULL, &s);
	check_feasible(&s, 2);
	check_near(s.weights[0], 0.75, 1e-10);
	check_near(s.cost, 1, 1e-10);
	const double triangle[2 * 3] = {1, 2, 5, -1, 1, 1};
	make_gram(2, 3, triangle, gram);
	snk_nnls_solve(&(snk_nnls_problem){.count = 3, .gram = gram}, 0, NULL, &s);
	assert_int_equal(s.count, 2);
	assert_int_equal(s.support[1], 1);
	check_near(s.weights[0], 0.8, 1e-10);
	/* The identity with a right side: the projection of h onto the simplex. */
	const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, right[3] = {0.9, 0.5, -4};
	snk_nnls_solve(&(snk_nnls_problem){.count = 3, .gram = identity, .right = right}, 0, NULL, &s);
	assert_int_equal(s.count, 2);
	check_near(s.weights[0], 0.7, 1e-10);
	check_near(s.weights[1], 0.3, 1e-10);
	/* Restricted to two of them. */
	const uint32_t among[2] = {1, 2};
	snk_nnls_solve(&(snk_nnls_problem){.count = 3, .gram = identity, .right = right}, 2, among, &s);
	assert_int_equal(s.count, 1);
	assert_int_equal(s.support[0], 1);
	check_near(s.weights[0], 1, 0);
}

static void solve_exact_mixture_gives_it_back(void **state) {
	(void)state;
	uint64_t random = random_seed();
	for (int n = 0; n < 300; n++) {
		/* Columns whose combination by w is 0: the residual is zero. */
		enum { COUNT = 6, ROWS = 30 };
		double u[ROWS * COUNT], gram[COUNT * COUNT], w[COUNT] = {0, 0.5, 0, 0.3, 0.2, 0};
		for (int r = 0; r < ROWS; r++) {
			double sum = 0;
			for (int j = 0; j < COUNT; j++) {
				u[r * COUNT + j] = random_between(&random, -1, 1);
				sum += w[j] * u[r * COUNT + j];
			}
			for (int j = 0; j < COUNT; j++) {
				u[r * COUNT + j] -= sum;
			}
		}
		make_gram(ROWS, COUNT, u, gram);
		snk_nnls_solution s;
		snk_nnls_search(&(snk_nnls_problem){.count = COUNT, .gram = gram}, 3, 0, NULL, &s);
		check_feasible(&s, 3);
		for (uint32_t i = 0; i < s.count; i++) {
			check_near(s.weights[i], w[s.support[i]], 1e-9);
		}
		assert_int_equal(s.count, 3);
	}
}

static void solve_random_problems_meets_the_conditions_of_optimality(void **state) {
	(void)state;
	uint64_t random = random_seed();
	static double gram[MOST * MOST], right[MOST];
	for (int n = 0; n < 3000; n++) {
		const uint32_t count = 1 + random_below(&random, n % 100 == 0 ? MOST : 16);
		snk_nnls_problem problem;
		random_problem(&random, count, 1 + random_below(&random, 40), gram, right, &problem);
		uint32_t among[MOST], some = 0;
		for (uint32_t j = 0; j < count; j++) {
			among[some] = j;
			some += n % 2 == 0 || random_below(&random, 3) > 0 || (some == 0 && j + 1 == count);
		}
		snk_nnls_solution s;
		snk_nnls_solve(&problem, some, n % 2 == 0 ? NULL : among, &s);
		check_feasible(&s, some);
		check_optimal(&problem, some, among, &s);
	}
}

/* The least cost over all supports of at most `most`. */
static double brute_force(const snk_nnls_problem *problem, uint32_t most) {
	double least = INFINITY;
	for (uint32_t bits = 1; bits < 1u << problem->count; bits++) {
		uint32_t among[MOST], count = 0;
		for (uint32_t j = 0; j < problem->count; j++) {
			among[count] = j;
			count += bits >> j & 1;
		}
		snk_nnls_solution s;
		if (count <= most) {
			snk_nnls_solve(problem, count, among, &s);
			least = fmin(least, s.cost);
		}
	}
	return least;
}

static void search_small_problems_equals_brute_force(void **state) {
	(void)state;
	uint64_t random = random_seed();
	double gram[8 * 8], right[8];
	uint32_t found = 0, total = 0;
	for (int n = 0; n < 400; n++) {
		snk_nnls_problem problem;
		const uint32_t count = 1 + random_below(&random, 8), most = 1 + random_below(&random, 4);
		random_problem(&random, count, 1 + random_below(&random, 12), gram, right, &problem);
		const double least = brute_force(&problem, most), tolerance = 1e-10 * fmax(1, largest_diagonal(&problem));
		snk_nnls_solution s;
		snk_nnls_search(&problem, most, 0, NULL, &s);
		check_feasible(&s, most);
		assert_true(s.cost >= least - tolerance);
		check_optimal(&problem, s.count, s.support, &s);
		found += s.cost <= least + tolerance;
		total++;
		assert_true(most > 1 || s.cost <= least + tolerance);
	}
	print_message("the best support in %u of %u\n", found, total);
	/* A search by exchanges is no proof; on problems as small as these it may miss a few in a hundred. */
	assert_true(found >= total * 95 / 100);
}

static void search_from_a_start_is_never_worse_than_it(void **state) {
	(void)state;
	uint64_t random = random_seed();
	static double gram[20 * 20], right[20];
	for (int n = 0; n < 300; n++) {
		snk_nnls_problem problem;
		random_problem(&random, 20, 30, gram, right, &problem);
		snk_nnls_support start = {.count = 4};
		for (uint32_t i = 0; i < 4; i++) {
			start.candidates[i] = 5 * i + random_below(&random, 5);
		}
		snk_nnls_solution alone, found;
		snk_nnls_solve(&problem, 4, start.candidates, &alone);
		snk_nnls_search(&problem, 4, 1, &start, &found);
		assert_true(found.cost <= alone.cost + 1e-12 * largest_diagonal(&problem));
		snk_nnls_solution again;
		snk_nnls_search(&problem, 4, 1, &start, &again);
		assert_int_equal(again.count, found.count);
		assert_memory_equal(again.weights, found.weights, found.count * sizeof *found.weights);
	}
}

static void search_degenerate_problems_gives_weights(void **state) {
	(void)state;
	static const double nothing[MOST * MOST];
	snk_nnls_solution s;
	snk_nnls_search(&(snk_nnls_problem){.count = MOST, .gram = nothing}, 4, 0, NULL, &s);
	check_feasible(&s, 4);
	double same[5 * 5];
	for (int i = 0; i < 25; i++) {
		same[i] = 2;
	}
	snk_nnls_solve(&(snk_nnls_problem){.count = 5, .gram = same}, 0, NULL, &s);
	check_feasible(&s, 5);
	check_near(s.cost, 2, 1e-10);
	snk_nnls_search(&(snk_nnls_problem){.count = 5, .gram = same}, 1, 0, NULL, &s);
	assert_int_equal(s.count, 1);
	/* Twins: together they get the weight of one alone. */
	const double u[3 * 3] = {1, 1, -1, 2, 2, 0, 0, 0, 1};
	double twins[9];
	make_gram(3, 3, u, twins);
	snk_nnls_search(&(snk_nnls_problem){.count = 3, .gram = twins}, 2, 0, NULL, &s);
	check_feasible(&s, 2);
	const uint32_t one[2] = {0, 2};
	snk_nnls_solution alone;
	snk_nnls_solve(&(snk_nnls_problem){.count = 3, .gram = twins}, 2, one, &alone);
	check_near(s.cost, alone.cost, 1e-10);
	/* Tiny and huge units. */
	for (int e = -200; e <= 200; e += 100) {
		double scaled[9];
		for (int i = 0; i < 9; i++) {
			scaled[i] = twins[i] * pow(10, e);
		}
		snk_nnls_solve(&(snk_nnls_problem){.count = 3, .gram = scaled}, 2, one, &s);
		assert_int_equal(s.count, alone.count);
		check_near(s.weights[0], alone.weights[0], 1e-9);
	}
}

TEST_GROUP(nnls) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(solve_known_problems_gives_their_answers),
		cmocka_unit_test(solve_exact_mixture_gives_it_back),
		cmocka_unit_test(solve_random_problems_meets_the_conditions_of_optimality),
		cmocka_unit_test(search_small_problems_equals_brute_force),
		cmocka_unit_test(search_from_a_start_is_never_worse_than_it),
		cmocka_unit_test(search_degenerate_problems_gives_weights),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
