/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "rotational-regression/fit.h"
#include "sinew/algebra.h"
#include "sinew/kit/fit/fit.h"
#include "sinew/kit/numerics/eigen.h"
#include "sinew/kit/numerics/systems.h"
#include "sinew/kit/status.h"

/* ---- courses ------------------------------------------------------------------------------------------------------------- */

/* A course of gradients over the samples, while its predictor is fitted: first its rotations, then what they leave. */

/* Arrays are [sample_count]. */
typedef struct course {
	const mesh_fit *f;
	const double (*gradients)[9];
	const joint_candidates *candidates;
	double (*rotations)[4]; /* of the gradients */
	double (*targets)[4];   /* what a joint is to explain */
	double (*held_out)[9];  /* receives each gradient as fits to the other folds predict it; or NULL */
} course;

static inline const double *rotation_at(const mesh_fit *f, uint32_t sample, uint32_t joint) {
	return f->rotations[(size_t)sample * f->model->joint_count + joint];
}

static inline const posed_joint *joints_at(const mesh_fit *f, uint32_t sample) {
	return f->posed + (size_t)sample * f->model->joint_count;
}

/* ---- the regression of the rest ------------------------------------------------------------------------------------------ */

/* The regression of what the rotations of a predictor leave (section 3.3), by ridge regression. The ridge is the one whose fits
 * predict held-out samples best. What is held out are samples of this regression: the joints and their rotations are fitted to
 * all samples, so that the errors are somewhat small. */

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

/* Fits the predictor's scale and shear; its joints are known. Returns the sum over samples of the squared distances between
 * each gradient and what fits to the other folds predict, or, with a single sample, what is left of it; negative if memory ran
 * out. */
static double fit_shear(const course *c, predictor *p) {
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

/* ---- predictors ---------------------------------------------------------------------------------------------------------- */

/* The predictor of a course of gradients: for each joint nearby a number u and a rotation W that take the joint's rotation
 * vectors to those of the gradients (section 3.2), the best joint kept, and others for what it leaves. The best is the one
 * whose fits predict held-out samples best. The regression of the rest (3.3) is above. */

/* ---- candidates ---------------------------------------------------------------------------------------------------------- */

void add_weights(const mesh_fit *f, uint32_t point, double *weights) {
	const snk_base_skin_mesh *skin = &f->dest->skin;
	for (uint32_t i = skin->offsets[point]; i < skin->offsets[point + 1]; i++) {
		weights[f->input->character->slot_joints[skin->slots[i]]] += skin->weights[i];
	}
}

static void add_candidate(const mesh_fit *f, uint32_t part, uint32_t joint, joint_candidates *list) {
	uint32_t at = 0;
	while (at < list->count && list->joints[at] != joint) {
		at++;
	}
	if (joint != SNW_NONE && at == list->count && at < MOST_CANDIDATES && part_of_joint(f, joint) == part) {
		list->joints[list->count++] = joint;
	}
}

/* The joint of most weight, and of the least number among equals. */
static uint32_t heaviest(const double *weights, uint32_t count) {
	uint32_t found = 0;
	for (uint32_t j = 1; j < count; j++) {
		found = weights[j] > weights[found] ? j : found;
	}
	return found;
}

void choose_candidates(const mesh_fit *f, uint32_t part, double *weights, joint_candidates *list) {
	const uint32_t joints = f->model->joint_count;
	list->count = 0;
	for (uint32_t joint = heaviest(weights, joints); weights[joint] > 0; joint = heaviest(weights, joints)) {
		add_candidate(f, part, joint, list);
		weights[joint] = 0;
	}
	const uint32_t influencing = list->count;
	for (uint32_t k = 0; k < influencing; k++) {
		add_candidate(f, part, f->model->joints[list->joints[k]].parent, list);
	}
	for (uint32_t k = 0; k < influencing; k++) {
		for (uint32_t j = 0; j < joints; j++) {
			if (f->model->joints[j].parent == list->joints[k]) {
				add_candidate(f, part, j, list);
			}
		}
	}
}

/* ---- a predictor --------------------------------------------------------------------------------------------------------- */

enum { ROUNDS = 3 };

static const double pi = 3.14159265358979323846;

/* Radians: the axis of a smaller angle is noise. */
static const double no_axis = 1e-4;

/* Against u, per sample, in squared radians; and against W being other than the identity, by what the joint rotates. */
static const double against_scale = 1e-4, against_offset = 0.02;

/* Another joint has to explain this part of what the ones before it leave. */
static const double least_gain = 0.02;

/* How one joint's rotation vectors explain the targets. */
typedef struct explanation {
	uint32_t joint;
	double rotation[9]; /* u W */
	double error;       /* squared, over the samples, each explained by a fit without its fold */
} explanation;

/* dest = a⁻¹ b */
static void relative(const double a[4], const double b[4], double dest[4]) {
	double inverse[4];
	snw_quat_conjugate(a, inverse);
	snw_quat_multiply(inverse, b, dest);
}

void quaternion_of(const double rotation[9], double quaternion[4]) {
	double matrix[12] = {0};
	for (int i = 0; i < 9; i++) {
		matrix[4 * (i / 3) + i % 3] = rotation[i];
	}
	snw_quat_from_mat34(matrix, quaternion);
}

/* ---- rotations ----------------------------------------------------------------------------------------------------------- */

/* The rotation vector of a rotation, on the branch nearest to another vector. After whole turns a rotation has no axis of its
 * own: it takes the other's. */
static void unwind(const double quaternion[4], const double near[3], double vector[3]) {
	snw_quat_to_rotation_vector(quaternion, vector);
	const double angle = snw_length3(vector);
	const int has_axis = angle > no_axis;
	double axis[3];
	memcpy(axis, has_axis ? vector : near, sizeof axis);
	snw_normalize3(axis);
	const double windings = round((snw_dot3(near, axis) - (has_axis ? angle : 0)) / (2 * pi));
	for (int c = 0; c < 3; c++) {
		vector[c] += windings * 2 * pi * axis[c];
	}
}

/* Sums over samples of how a joint's vectors go with the targets'. */
typedef struct vector_sums {
	double products[9], of_joint, of_target;
	uint32_t samples;
} vector_sums;

static void add_sums(const vector_sums *from, double sign, vector_sums *dest) {
	for (int i = 0; i < 9; i++) {
		dest->products[i] += sign * from->products[i];
	}
	dest->of_joint += sign * from->of_joint;
	dest->of_target += sign * from->of_target;
	dest->samples += sign > 0 ? from->samples : 0 - from->samples;
}

/* Where to look for the branch of a target. u is from 0 to 1 for most of them, so it is at half the joint's vector or, in a
 * clip, half of the joint's change from the target before. Both are right where the vector, or the change, is shorter than a
 * full turn. A fit may read distant frames of a clip: where the joint changed by more than half a turn, the shorter of the two
 * decides. */
static void expect_target(const double vector[3], const double *last_vector, const double last_target[3], double near[3]) {
	const int continues = last_vector && snw_squared_distance3(vector, last_vector) < fmax(snw_dot3(vector, vector), pi * pi);
	for (int c = 0; c < 3; c++) {
		near[c] = continues ? last_target[c] + (vector[c] - last_vector[c]) / 2 : vector[c] / 2;
	}
}

/* By fold, the last over all of them. */
static void sum_vectors(const course *c, uint32_t joint, vector_sums sums[FOLDS + 1]) {
	const mesh_fit *f = c->f;
	double target[3] = {0};
	memset(sums, 0, (FOLDS + 1) * sizeof *sums);
	for (uint32_t s = 0; s < f->sample_count; s++) {
		const double *vector = joints_at(f, s)[joint].vector;
		double near[3];
		expect_target(vector, f->samples[s].continues ? joints_at(f, s - 1)[joint].vector : NULL, target, near);
		unwind(c->targets[s], near, target);
		vector_sums one = {.of_joint = snw_dot3(vector, vector), .of_target = snw_dot3(target, target), .samples = 1};
		for (size_t i = 0; i < 9; i++) {
			one.products[i] = target[i / 3] * vector[i % 3];
		}
		add_sums(&one, 1, &sums[f->folds[s]]);
		add_sums(&one, 1, &sums[ALL]);
	}
}

/* Coordinate descent: W from u by Procrustes, then u from W. With the pull of W toward the identity it takes a few rounds.
 * Returns u, and u W. */
static double fit_rotation(const vector_sums *sums, double rotation[9]) {
	double u = 1;
	for (int round = 0; round < ROUNDS; round++) {
		double pulled[9], along = 0;
		for (int i = 0; i < 9; i++) {
			pulled[i] = u * sums->products[i] + (i % 4 == 0 ? against_offset * sums->of_joint + 1e-12 : 0);
		}
		snk_nearest_rotation(pulled, rotation);
		for (int i = 0; i < 9; i++) {
			along += rotation[i] * sums->products[i];
		}
		u = along / (sums->of_joint + against_scale * sums->samples);
	}
	for (int i = 0; i < 9; i++) {
		rotation[i] *= u;
	}
	return u;
}

static double squared_error(const vector_sums *sums, double u, const double rotation[9]) {
	double along = 0;
	for (int i = 0; i < 9; i++) {
		along += rotation[i] * sums->products[i];
	}
	return fmax(sums->of_target - 2 * along + u * u * sums->of_joint, 0);
}

/* What follows a joint above all of the skin follows it rigidly: such a joint moves the character as a whole. So does what is
 * below a joint that no sample moves. */
static explanation explain(const course *c, uint32_t joint) {
	vector_sums sums[FOLDS + 1];
	explanation found = {.joint = joint, .rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
	sum_vectors(c, joint, sums);
	if (!c->f->model->joints[joint].bends || !c->f->is_moved[joint]) {
		found.error = squared_error(&sums[ALL], 1, found.rotation);
		return found;
	}
	const double u = fit_rotation(&sums[ALL], found.rotation);
	if (c->f->fold_count < 2) {
		found.error = squared_error(&sums[ALL], u, found.rotation);
		return found;
	}
	for (uint32_t fold = 0; fold < c->f->fold_count; fold++) {
		vector_sums others = sums[ALL];
		double rotation[9];
		add_sums(&sums[fold], -1, &others);
		const double without = fit_rotation(&others, rotation);
		found.error += squared_error(&sums[fold], without, rotation);
	}
	return found;
}

static int is_above(const regressed_joint *joints, uint32_t joint, uint32_t other) {
	while (other != SNW_NONE && other != joint) {
		other = joints[other].parent;
	}
	return other == joint;
}

static double sum_squares(const course *c) {
	double sum = 0;
	for (uint32_t s = 0; s < c->f->sample_count; s++) {
		double vector[3];
		snw_quat_to_rotation_vector(c->targets[s], vector);
		sum += snw_dot3(vector, vector);
	}
	return sum;
}

/* targets = the rotations relative to the joint's parent. */
static void relate_to_parent(const course *c, uint32_t joint) {
	const uint32_t parent = c->f->model->joints[joint].parent;
	for (uint32_t s = 0; s < c->f->sample_count; s++) {
		memcpy(c->targets[s], c->rotations[s], sizeof *c->targets);
		if (parent != SNW_NONE) {
			relative(rotation_at(c->f, s, parent), c->rotations[s], c->targets[s]);
		}
	}
}

/* targets = what the predictor leaves of the rotations relative to its first joint's parent: before its factors, or after
 * them. */
static void find_remainders(const course *c, const predictor *p, int before) {
	relate_to_parent(c, p->joints[0]);
	for (uint32_t s = 0; s < c->f->sample_count; s++) {
		double product[4], inverse[4];
		predict_rotation(joints_at(c->f, s), p, product);
		snw_quat_conjugate(product, inverse);
		snw_quat_multiply(before ? c->targets[s] : inverse, before ? inverse : c->targets[s], c->targets[s]);
	}
}

static void add_joint(const explanation *from, uint32_t is_above, predictor *p) {
	p->joints[p->joint_count] = from->joint;
	p->is_above[p->joint_count] = is_above;
	for (int i = 0; i < 9; i++) {
		p->rotations[i][p->joint_count] = (float)from->rotation[i];
	}
	p->joint_count++;
}

static int is_taken(const predictor *p, uint32_t joint) {
	int taken = 0;
	for (uint32_t k = 0; k < p->joint_count; k++) {
		taken |= p->joints[k] == joint;
	}
	return taken;
}

/* The joint that explains most of what the others leave. Returns whether one was added. */
static int add_next(const course *c, predictor *p) {
	const regressed_joint *joints = c->f->model->joints;
	explanation best = {.joint = SNW_NONE};
	for (int above = 0; above < 2; above++) {
		find_remainders(c, p, above);
		best.error = above ? best.error : (1 - least_gain) * sum_squares(c);
		for (uint32_t k = 0; k < c->candidates->count; k++) {
			const uint32_t joint = c->candidates->joints[k];
			if (joints[joint].bends && !is_taken(p, joint) && is_above(joints, joint, p->joints[0]) == above) {
				const explanation found = explain(c, joint);
				best = found.error < best.error ? found : best;
			}
		}
	}
	if (best.joint != SNW_NONE) {
		add_joint(&best, (uint32_t)is_above(joints, best.joint, p->joints[0]), p);
	}
	return best.joint != SNW_NONE;
}

static void fit_rotations(const course *c, predictor *p) {
	const uint32_t most = (uint32_t)c->f->input->values[JOINTS].numbers[0];
	explanation best = {.joint = SNW_NONE, .error = INFINITY};
	for (uint32_t k = 0; k < c->candidates->count; k++) {
		relate_to_parent(c, c->candidates->joints[k]);
		const explanation found = explain(c, c->candidates->joints[k]);
		best = found.error < best.error ? found : best;
	}
	if (best.joint != SNW_NONE) {
		add_joint(&best, 0, p);
		while (p->joint_count < most && add_next(c, p)) {
		}
	}
}

static void read_rotations(const course *c) {
	for (uint32_t s = 0; s < c->f->sample_count; s++) {
		double rotation[9];
		snk_nearest_rotation(c->gradients[s], rotation);
		quaternion_of(rotation, c->rotations[s]);
	}
}

double fit_predictor(const mesh_fit *f, const double (*gradients)[9], const joint_candidates *candidates, predictor *made,
					 double (*held_out)[9]) {
	snw_pool pool = snw_pool_open(f->host);
	const course c = {.f = f,
					  .gradients = gradients,
					  .candidates = candidates,
					  .rotations = snw_pool_acquire(&pool, f->sample_count, sizeof *c.rotations),
					  .targets = snw_pool_acquire(&pool, f->sample_count, sizeof *c.targets),
					  .held_out = held_out};
	double squares = -1;
	*made = (predictor){.joint_count = 0};
	if (!pool.failed) {
		read_rotations(&c);
		fit_rotations(&c, made);
		squares = fit_shear(&c, made);
	}
	snw_pool_release(&pool);
	return squares < 0 ? -1 : sqrt(squares / f->sample_count);
}

/* ---- the predictors of all triangles ------------------------------------------------------------------------------------- */

enum { GRAIN = 32 };

snw_status open_validated(mesh_fit *f, snw_pool *pool) {
	f->validated_count = f->sample_count < VALIDATED ? f->sample_count : VALIDATED;
	f->held_out = snw_pool_acquire(pool, (size_t)f->triangles.face_count * f->validated_count, sizeof *f->held_out);
	for (size_t n = 0; f->held_out && n < (size_t)f->triangles.face_count * f->validated_count; n++) {
		for (int i = 0; i < 9; i += 4) {
			f->held_out[n][i] = 1; /* triangles without area have no other gradients */
		}
	}
	return f->held_out ? SNW_OK : SNW_ERROR_MEMORY;
}

void store_validated(const mesh_fit *f, uint32_t triangle, const double (*gradients)[9]) {
	for (uint32_t n = 0; n < f->validated_count; n++) {
		for (int i = 0; i < 9; i++) {
			f->held_out[triangle * (size_t)f->validated_count + n][i] = (float)gradients[validated_sample(f, n)][i];
		}
	}
}

typedef struct triangle_work {
	const mesh_fit *f;
	predictor *predictors;
	double *errors;
} triangle_work;

static void SNW_CALL fit_range(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const triangle_work *work = argument;
	const mesh_fit *f = work->f;
	snw_pool pool = snw_pool_open(f->host);
	double(*gradients)[9] = snw_pool_acquire(&pool, f->sample_count, sizeof *gradients);
	double(*held_out)[9] = snw_pool_acquire(&pool, f->sample_count, sizeof *held_out);
	double *weights = SNW_POOL_ARRAY(&pool, double, f->model->joint_count);
	for (uint32_t t = begin; t < end; t++) {
		work->predictors[t] = (predictor){.joint_count = 0};
		work->errors[t] = pool.failed ? -1 : 0;
		if (!pool.failed && find_gradients(f, t, gradients)) {
			joint_candidates candidates;
			for (int k = 0; k < 3; k++) {
				add_weights(f, f->triangles.points[3 * (size_t)t + k], weights);
			}
			choose_candidates(f, f->parts[f->triangles.points[3 * (size_t)t]], weights, &candidates);
			work->errors[t] = fit_predictor(f, (const double(*)[9])gradients, &candidates, &work->predictors[t], held_out);
			store_validated(f, t, (const double(*)[9])held_out);
		}
	}
	snw_pool_release(&pool);
}

snw_status fit_triangles(mesh_fit *f, snk_stretch stretch, snw_pool *model_pool) {
	const uint32_t count = f->triangles.face_count;
	snw_pool scratch = snw_pool_open(f->host);
	const triangle_work work = {
		.f = f, .predictors = SNW_POOL_ARRAY(&scratch, predictor, count), .errors = SNW_POOL_ARRAY(&scratch, double, count)};
	snw_status status = scratch.failed ? SNW_ERROR_MEMORY : SNW_OK;
	if (!snk_failed(status)) {
		status = snk_ranges_run_reported(f->host, count, GRAIN, fit_range, (void *)&work, &stretch);
	}
	for (uint32_t t = 0; !snk_failed(status) && t < count; t++) {
		status = work.errors[t] >= 0 ? SNW_OK : SNW_ERROR_MEMORY;
		f->gradient_squares[t] = work.errors[t] * work.errors[t];
	}
	if (!snk_failed(status)) {
		f->dest->groups = group_predictors(f->model, count, work.predictors, model_pool);
		f->dest->predictor_count = count;
		status = f->dest->groups ? SNW_OK : SNW_ERROR_MEMORY;
	}
	snw_pool_release(&scratch);
	return status;
}
