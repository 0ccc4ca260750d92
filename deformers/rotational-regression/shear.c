/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The regression of what the rotations of a predictor leave (section 3.3), by ridge regression. The ridge is the one whose fits
 * predict held-out samples best. What is held out are samples of this regression: the joints and their rotations are fitted to
 * all samples, so that the errors are somewhat small.
 */
#include <math.h>
#include <string.h>

#include "rotational-regression/course.h"
#include "sinew/algebra.h"
#include "sinew/kit/numerics/cholesky.h"

enum { ENTRIES = 9, RIDGES = 5, ALL = FOLDS };

static const double ridges[RIDGES] = {1e-6, 1e-5, 1e-4, 1e-3, 1e-2};

/* Where nothing can be held out. */
static const double usual_ridge = 1e-3;

/* What the samples say: sums by fold, the last over all of them. */
typedef struct regression {
	uint32_t count; /* of the columns that the predictor uses */
	uint32_t columns[SHEAR_COLUMNS];
	double grams[FOLDS + 1][SHEAR_COLUMNS * SHEAR_COLUMNS]; /* [count][count] each */
	double rights[FOLDS + 1][ENTRIES][SHEAR_COLUMNS];
	double (*features)[SHEAR_COLUMNS]; /* [sample_count] */
	double (*targets)[ENTRIES];        /* [sample_count] */
} regression;

/* ---- what the samples say ------------------------------------------------------------------------------------------------ */

/* The columns of the joints that the predictor has, and the last. */
static void list_columns(const course *c, const predictor *p, regression *r) {
	const mesh_fit *f = c->f;
	const uint32_t entries = f->model->features == FEATURES_VECTORS ? 3 : 9;
	const uint32_t joints = f->model->features == FEATURES_VECTORS && p->joint_count > 0 ? 1 : p->joint_count;
	const uint32_t parent = p->joint_count > 0 ? f->model->joints[p->joints[0]].parent : SNW_NONE;
	for (uint32_t k = 0; k <= MOST_JOINTS; k++) {
		const int is_used = k == MOST_JOINTS ? parent != SNW_NONE : k < joints && p->joints[k] != parent;
		for (uint32_t i = 0; is_used && i < entries; i++) {
			r->columns[r->count++] = 9 * k + i;
		}
	}
	r->columns[r->count++] = SHEAR_COLUMNS - 1;
}

/* The predicted rotation, as a matrix. */
static void rotation_matrix(const course *c, const predictor *p, uint32_t sample, double matrix[12]) {
	const uint32_t parent = p->joint_count > 0 ? c->f->model->joints[p->joints[0]].parent : SNW_NONE;
	double rotation[4];
	predict_rotation(joints_at(c->f, sample), p, rotation);
	if (parent != SNW_NONE) {
		snw_quat_multiply(rotation_at(c->f, sample, parent), rotation, rotation);
	}
	snw_quat_to_mat34(rotation, matrix);
}

/* What the gradient is beside the predicted rotation, less the identity. */
static void read_target(const course *c, const predictor *p, uint32_t sample, double target[ENTRIES]) {
	const double *d = c->gradients[sample];
	double m[12];
	rotation_matrix(c, p, sample, m);
	for (int i = 0; i < ENTRIES; i++) {
		const int r = i / 3, k = i % 3;
		target[i] = m[r] * d[k] + m[4 + r] * d[3 + k] + m[8 + r] * d[6 + k] - (r == k);
	}
}

static void add_sample(uint32_t sample, uint32_t fold, regression *r) {
	const double *features = r->features[sample];
	for (size_t a = 0; a < r->count; a++) {
		for (size_t b = 0; b <= a; b++) {
			r->grams[fold][a * r->count + b] += features[a] * features[b];
		}
		for (int i = 0; i < ENTRIES; i++) {
			r->rights[fold][i][a] += features[a] * r->targets[sample][i];
		}
	}
}

static void read_samples(const course *c, const predictor *p, regression *r) {
	const mesh_fit *f = c->f;
	list_columns(c, p, r);
	for (uint32_t s = 0; s < f->sample_count; s++) {
		float features[SHEAR_COLUMNS];
		shear_features(f->model->features, f->model->joints, joints_at(f, s), p, features);
		for (uint32_t k = 0; k < r->count; k++) {
			r->features[s][k] = (double)features[r->columns[k]];
		}
		read_target(c, p, s, r->targets[s]);
		add_sample(s, f->folds[s], r);
	}
	r->grams[ALL][(size_t)r->count * r->count - 1] = 1; /* the rest is known: nothing but the last column, and nothing left */
	for (uint32_t fold = 0; fold < f->fold_count; fold++) {
		for (size_t i = 0; i < (size_t)r->count * r->count; i++) {
			r->grams[ALL][i] += r->grams[fold][i];
		}
		for (size_t i = 0; i < (size_t)ENTRIES * SHEAR_COLUMNS; i++) {
			r->rights[ALL][i / SHEAR_COLUMNS][i % SHEAR_COLUMNS] += r->rights[fold][i / SHEAR_COLUMNS][i % SHEAR_COLUMNS];
		}
	}
}

/* ---- fits ---------------------------------------------------------------------------------------------------------------- */

/* A fit to all samples but those of a fold; ALL leaves none out. */
static void solve_without(const course *c, const regression *r, uint32_t fold, double ridge,
						  double solution[ENTRIES][SHEAR_COLUMNS]) {
	const size_t n = r->count;
	const uint32_t samples = c->f->sample_count - (fold == ALL ? 0 : c->f->fold_sizes[fold]);
	double matrix[SHEAR_COLUMNS * SHEAR_COLUMNS];
	memcpy(matrix, r->grams[ALL], n * n * sizeof *matrix);
	for (size_t i = 0; fold != ALL && i < n * n; i++) {
		matrix[i] -= r->grams[fold][i];
	}
	for (size_t k = 0; k < n; k++) {
		matrix[k * n + k] += ridge * samples;
	}
	snk_cholesky_factor(r->count, matrix);
	for (int i = 0; i < ENTRIES; i++) {
		for (size_t k = 0; k < n; k++) {
			solution[i][k] = r->rights[ALL][i][k] - (fold == ALL ? 0 : r->rights[fold][i][k]);
		}
		snk_cholesky_solve(r->count, matrix, 1, solution[i]);
	}
}

static void predict_target(const regression *r, uint32_t sample, const double solution[ENTRIES][SHEAR_COLUMNS],
						   double target[ENTRIES]) {
	for (int i = 0; i < ENTRIES; i++) {
		target[i] = 0;
		for (uint32_t k = 0; k < r->count; k++) {
			target[i] += solution[i][k] * r->features[sample][k];
		}
	}
}

/* Adds the squared errors of a fit over the samples of a fold, or of ALL. `predicted` [sample_count] or NULL. */
static double error_over(const course *c, const regression *r, uint32_t fold, const double solution[ENTRIES][SHEAR_COLUMNS],
						 double (*predicted)[ENTRIES]) {
	double sum = 0;
	for (uint32_t s = 0; s < c->f->sample_count; s++) {
		double target[ENTRIES];
		if (fold != ALL && c->f->folds[s] != fold) {
			continue;
		}
		predict_target(r, s, solution, target);
		for (int i = 0; i < ENTRIES; i++) {
			sum += (target[i] - r->targets[s][i]) * (target[i] - r->targets[s][i]);
		}
		if (predicted) {
			memcpy(predicted[s], target, sizeof target);
		}
	}
	return sum;
}

/* The squared error over all samples, each predicted by a fit without its fold; with a single fold, by the fit to it. */
static double validate(const course *c, const regression *r, double ridge, double (*predicted)[ENTRIES]) {
	const uint32_t first = c->f->fold_count > 1 ? 0 : ALL, end = c->f->fold_count > 1 ? c->f->fold_count : ALL + 1;
	double solution[ENTRIES][SHEAR_COLUMNS], error = 0;
	for (uint32_t fold = first; fold < end; fold++) {
		solve_without(c, r, fold, ridge, solution);
		error += error_over(c, r, fold, (const double(*)[SHEAR_COLUMNS])solution, predicted);
	}
	return error;
}

/* The ridge that was set, or the best of the table. */
static double choose_ridge(const course *c, const regression *r) {
	const double given = c->f->input->values[RIDGE].numbers[0];
	if (given > 0 || c->f->fold_count < 2) {
		return given > 0 ? given : usual_ridge;
	}
	double best = usual_ridge, least = INFINITY;
	for (int i = 0; i < RIDGES; i++) {
		const double error = validate(c, r, ridges[i], NULL);
		best = error < least ? ridges[i] : best;
		least = fmin(error, least);
	}
	return best;
}

static void write_shear(const course *c, const regression *r, double ridge, predictor *p) {
	double solution[ENTRIES][SHEAR_COLUMNS];
	solve_without(c, r, ALL, ridge, solution);
	memset(p->shear, 0, sizeof p->shear);
	for (uint32_t k = 0; k < r->count; k++) {
		for (int i = 0; i < ENTRIES; i++) {
			p->shear[r->columns[k]][i] = (float)solution[i][k];
		}
	}
}

/* Gradients from what was predicted to be beside their rotations. */
static void write_held_out(const course *c, const predictor *p, const double (*predicted)[ENTRIES]) {
	for (uint32_t s = 0; s < c->f->sample_count; s++) {
		double m[12];
		rotation_matrix(c, p, s, m);
		for (int i = 0; i < ENTRIES; i++) {
			double sum = m[4 * (i / 3) + i % 3];
			for (int k = 0; k < 3; k++) {
				sum += m[4 * (i / 3) + k] * predicted[s][3 * k + i % 3];
			}
			c->held_out[s][i] = sum;
		}
	}
}

double fit_shear(const course *c, predictor *p) {
	snw_pool pool = snw_pool_open(c->f->host);
	regression *r = SNW_POOL_ARRAY(&pool, regression, 1);
	double(*predicted)[ENTRIES] = snw_pool_acquire(&pool, c->f->sample_count, sizeof *predicted), error = -1;
	if (r) {
		r->features = snw_pool_acquire(&pool, c->f->sample_count, sizeof *r->features);
		r->targets = snw_pool_acquire(&pool, c->f->sample_count, sizeof *r->targets);
	}
	if (!pool.failed) {
		read_samples(c, p, r);
		const double ridge = choose_ridge(c, r);
		error = validate(c, r, ridge, predicted);
		write_shear(c, r, ridge, p);
		if (c->held_out) {
			write_held_out(c, p, (const double(*)[ENTRIES])predicted);
		}
	}
	snw_pool_release(&pool);
	return error;
}
