/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "export/plan/affine/affine_fit.h"
#include "sinew/algebra.h"

enum { MOST_ROUNDS = 100, MOST_TRANSFERS = 400 };
/* The strength of the pull towards the initial solution, which decides if the moments do not. */
static const double ANCHOR = 1e-10;
/* The smallest gain of a round, relative to the loss; and the loss that is rounding error, relative to the motion. */
static const double LEAST_GAIN = 1e-4, ROUNDING = 1e-15;

snw_affine_point snw_affine_point_make(const snw_plan_mesh *mesh, const snw_affine_sums *sums, snw_arena *arena) {
	snw_affine_point point = {.sums = sums, .list = snw_affine_candidates_make(mesh, arena)};
	const size_t most = point.list.capacity;
	point.goal = SNW_NEW_ARRAY(arena, double, 4 * most);
	point.matrix = SNW_NEW_ARRAY(arena, double, most *most);
	point.right = SNW_NEW_ARRAY(arena, double, most);
	point.begin = SNW_NEW_ARRAY(arena, double, most);
	point.gradients = SNW_NEW_ARRAY(arena, double, most);
	point.is_open = SNW_NEW_ARRAY(arena, bool, most);
	return point;
}

static const double *block_of(const snw_affine_point *f, uint32_t a, uint32_t b) {
	const snw_affine_sums *sums = f->sums;
	return sums->blocks + 16 * (size_t)sums->pairs[(size_t)f->list.slots[a] * sums->slot_count + f->list.slots[b]];
}

static double product4(const double a[4], const double block[16], const double b[4]) {
	double sum = 0;
	for (int r = 0; r < 4; r++) {
		for (int c = 0; c < 4; c++) {
			sum += a[r] * block[4 * r + c] * b[c];
		}
	}
	return sum;
}

static void find_goal(snw_affine_point *f) {
	f->energy = 0;
	memset(f->goal, 0, 4 * (size_t)f->list.count * sizeof *f->goal);
	for (uint32_t a = 0; a < f->list.count; a++) {
		for (uint32_t b = 0; b < f->list.count; b++) {
			const double *block = block_of(f, a, b), *row = f->list.rows + 4 * (size_t)b;
			for (size_t r = 0; r < 4; r++) {
				for (size_t c = 0; c < 4; c++) {
					f->goal[4 * a + r] += block[4 * r + c] * row[c];
				}
			}
		}
		for (size_t c = 0; c < 4; c++) {
			f->energy += f->list.rows[4 * a + c] * f->goal[4 * a + c];
		}
	}
}

/* The quadratic form of the weights for a rest point; returns the mean of its diagonal. */
static double make_system(snw_affine_point *f, const double rest[3]) {
	const double x[4] = {rest[0], rest[1], rest[2], 1};
	const uint32_t count = f->list.count;
	double trace = 0;
	for (uint32_t a = 0; a < count; a++) {
		for (uint32_t b = 0; b < count; b++) {
			f->matrix[(size_t)a * count + b] = product4(x, block_of(f, a, b), x);
		}
		f->right[a] = f->goal[4 * (size_t)a] * x[0] + f->goal[4 * (size_t)a + 1] * x[1] + f->goal[4 * (size_t)a + 2] * x[2] +
					  f->goal[4 * (size_t)a + 3];
		trace += f->matrix[(size_t)a * count + a];
	}
	return trace / count;
}

static double find_loss(const snw_affine_point *f, const double *weights) {
	double loss = f->energy;
	for (uint32_t a = 0; a < f->list.count; a++) {
		double product = 0;
		for (uint32_t b = 0; b < f->list.count; b++) {
			product += f->matrix[(size_t)a * f->list.count + b] * weights[b];
		}
		loss += weights[a] * (product - 2 * f->right[a]);
	}
	return fmax(0, loss);
}

/* Moves weight from the candidate with the largest gradient to the one with the smallest, by the best amount for the two, until
 * that gains nothing. So the weights stay non-negative, and their sum stays 1. */
static void solve_weights(snw_affine_point *f, double anchor, double *weights) {
	const uint32_t count = f->list.count;
	const double *m = f->matrix;
	for (uint32_t a = 0; a < count; a++) {
		f->gradients[a] = anchor * (weights[a] - f->begin[a]) - f->right[a];
		for (uint32_t b = 0; b < count; b++) {
			f->gradients[a] += m[(size_t)a * count + b] * weights[b];
		}
	}
	for (int i = 0; i < MOST_TRANSFERS; i++) {
		uint32_t from = SNW_NONE, to = SNW_NONE;
		for (uint32_t a = 0; a < count; a++) {
			to = f->is_open[a] && (to == SNW_NONE || f->gradients[a] < f->gradients[to]) ? a : to;
			from = weights[a] > 0 && (from == SNW_NONE || f->gradients[a] > f->gradients[from]) ? a : from;
		}
		if (to == SNW_NONE || from == SNW_NONE) {
			return;
		}
		const double gain = f->gradients[from] - f->gradients[to];
		const double curve =
			m[(size_t)from * count + from] + m[(size_t)to * count + to] - 2 * m[(size_t)from * count + to] + 2 * anchor;
		if (!(gain > ROUNDING * f->energy) || !(curve > 0)) {
			return;
		}
		const double amount = fmin(weights[from], gain / curve);
		weights[to] += amount;
		weights[from] -= amount;
		for (uint32_t a = 0; a < count; a++) {
			f->gradients[a] += amount * (m[(size_t)a * count + to] - m[(size_t)a * count + from]);
		}
		f->gradients[to] += anchor * amount;
		f->gradients[from] -= anchor * amount;
	}
}

/* The best rest point for these weights, held near its current position as weakly as they are. */
static void solve_rest(const snw_affine_point *f, const double *weights, double rest[3]) {
	double m[16] = {0}, normal[12] = {0}, inverse[12], right[3], best[3];
	for (uint32_t a = 0; a < f->list.count; a++) {
		for (uint32_t b = 0; b < f->list.count && weights[a] > 0; b++) {
			const double *block = block_of(f, a, b), both = weights[a] * weights[b];
			for (int i = 0; i < 16 && both > 0; i++) {
				m[i] += both * block[i];
			}
		}
	}
	const double anchor = ANCHOR * (m[0] + m[5] + m[10]) / 3;
	for (int r = 0; r < 3; r++) {
		right[r] = anchor * rest[r] - m[4 * r + 3];
		for (uint32_t a = 0; a < f->list.count; a++) {
			right[r] += weights[a] * f->goal[4 * (size_t)a + (size_t)r];
		}
		for (int c = 0; c < 3; c++) {
			normal[4 * r + c] = m[4 * r + c] + (r == c ? anchor : 0);
		}
	}
	if (snw_mat34_invert(normal, inverse)) {
		snw_mat34_vector(inverse, right, best);
		memcpy(rest, best, sizeof best);
	}
}

/* Alternates between weights and rest point until a round gains nothing. */
static void alternate(snw_affine_point *f, snw_affine_solution *s) {
	memcpy(f->begin, s->weights, f->list.count * sizeof *f->begin);
	make_system(f, s->rest);
	s->loss = find_loss(f, s->weights);
	for (int round = 0; round < MOST_ROUNDS && s->loss > ROUNDING * f->energy; round++) {
		const double before = s->loss;
		double rest[3];
		solve_weights(f, ANCHOR * make_system(f, s->rest), s->weights);
		memcpy(rest, s->rest, sizeof rest);
		solve_rest(f, s->weights, rest);
		make_system(f, rest);
		const double loss = find_loss(f, s->weights);
		if (!(loss < before)) {
			break;
		}
		memcpy(s->rest, rest, sizeof rest);
		s->loss = loss;
		if (before - loss < LEAST_GAIN * loss) {
			break;
		}
	}
}

static uint32_t count_positive(const double *weights, uint32_t count) {
	uint32_t positive = 0;
	for (uint32_t a = 0; a < count; a++) {
		positive += weights[a] > 0;
	}
	return positive;
}

/* Keeps the largest `most` weights, and excludes all others. */
static void keep_largest(snw_affine_point *f, uint32_t most, double *weights) {
	const uint32_t count = f->list.count;
	for (uint32_t positive = count_positive(weights, count); positive > most; positive--) {
		uint32_t least = SNW_NONE;
		for (uint32_t a = 0; a < count; a++) {
			least = weights[a] > 0 && (least == SNW_NONE || weights[a] < weights[least]) ? a : least;
		}
		weights[least] = 0;
	}
	double sum = 0;
	for (uint32_t a = 0; a < count; a++) {
		f->is_open[a] = weights[a] > 0;
		sum += weights[a];
	}
	for (uint32_t a = 0; a < count; a++) {
		weights[a] /= sum;
	}
}

/* Makes weights non-negative with a sum of 1; false if none is positive. */
static bool normalise(const double *from, size_t stride, uint32_t count, double *weights) {
	double sum = 0;
	for (uint32_t a = 0; a < count; a++) {
		weights[a] = fmax(0, from[a * stride]);
		sum += weights[a];
	}
	for (uint32_t a = 0; a < count && sum > 0; a++) {
		weights[a] /= sum;
	}
	return sum > 0;
}

static void fit_from(snw_affine_point *f, uint32_t most, snw_affine_solution *s) {
	for (uint32_t a = 0; a < f->list.count; a++) {
		f->is_open[a] = true;
	}
	alternate(f, s);
	if (count_positive(s->weights, f->list.count) > most) {
		keep_largest(f, most, s->weights);
		alternate(f, s);
	}
}

void snw_affine_fit_point(snw_affine_point *f, const double points_rest[3], uint32_t most, snw_affine_solution *best,
						  snw_affine_solution *other) {
	const uint32_t count = f->list.count;
	double sums[4] = {0};
	for (uint32_t a = 0; a < count; a++) {
		for (size_t c = 0; c < 4; c++) {
			sums[c] += f->list.rows[4 * a + c];
		}
	}
	find_goal(f);
	if (!normalise(f->list.rows + 3, 4, count, best->weights) && !normalise(f->list.base_weight, 1, count, best->weights)) {
		best->weights[0] = 1;
	}
	for (size_t c = 0; c < 3; c++) {
		best->rest[c] = fabs(sums[3]) > 1e-3 ? sums[c] / sums[3] : points_rest[c];
	}
	fit_from(f, most, best);
	if (best->loss > ROUNDING * f->energy && normalise(f->list.base_weight, 1, count, other->weights)) {
		memcpy(other->rest, points_rest, sizeof other->rest);
		fit_from(f, most, other);
		if (other->loss < best->loss) {
			best->loss = other->loss;
			memcpy(best->rest, other->rest, sizeof best->rest);
			memcpy(best->weights, other->weights, count * sizeof *best->weights);
		}
	}
}

void snw_affine_displacement_map(const snw_affine_point *f, const double *weights, double map[9]) {
	double normal[12] = {0}, goal[9] = {0}, inverse[12];
	for (uint32_t a = 0; a < f->list.count; a++) {
		for (uint32_t b = 0; b < f->list.count && weights[a] > 0; b++) {
			const double *block = block_of(f, a, b), fitted = weights[a] * weights[b];
			const double affine = weights[a] * f->list.rows[4 * (size_t)b + 3];
			for (int r = 0; r < 3; r++) {
				for (int c = 0; c < 3; c++) {
					normal[4 * r + c] += fitted * block[4 * r + c];
					goal[3 * r + c] += affine * block[4 * r + c];
				}
			}
		}
	}
	memset(map, 0, 9 * sizeof *map);
	map[0] = map[4] = map[8] = 1;
	if (!snw_mat34_invert(normal, inverse)) {
		return;
	}
	for (int c = 0; c < 3; c++) {
		const double column[3] = {goal[c], goal[3 + c], goal[6 + c]};
		double dest[3];
		snw_mat34_vector(inverse, column, dest);
		for (int r = 0; r < 3; r++) {
			map[3 * r + c] = dest[r];
		}
	}
}
