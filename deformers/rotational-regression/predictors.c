/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The predictor of a course of gradients: for each joint nearby a number u and a rotation W that take the joint's rotation vectors to
 * those of the gradients (section 3.2), the best joint kept, others for what it leaves, and the regression of the rest (3.3).
 */
#include <math.h>
#include <string.h>

#include "rotational-regression/fit.h"
#include "sinew/algebra.h"
#include "sinew/kit/fit/ranges.h"
#include "sinew/kit/numerics/svd3.h"
#include "sinew/kit/status.h"

enum { GRAIN = 32, ENTRIES = 9, ROUNDS = 3 };

static const double pi = 3.14159265358979323846;

/* Against u, per sample, in squared radians; and against W being other than the identity, by what the joint rotates. */
static const double against_scale = 1e-4, against_offset = 0.02;

/* Another joint has to explain this part of what the ones before it leave. */
static const double least_gain = 0.02;

/* A course in progress: [sample_count] arrays. */
typedef struct course {
	const mesh_fit *f;
	const double (*gradients)[9];
	const joint_candidates *candidates;
	double (*rotations)[4];
	double (*targets)[4]; /* what a joint is to explain */
} course;

/* How one joint's rotation vectors explain the targets. */
typedef struct explanation {
	uint32_t joint;
	double rotation[9]; /* u W */
	double error;
} explanation;

static const posed_joint *joints_at(const mesh_fit *f, uint32_t sample) {
	return f->posed + (size_t)sample * f->model->joint_count;
}

/* dest = a⁻¹ b */
static void relative(const double a[4], const double b[4], double dest[4]) {
	double inverse[4];
	snw_quat_conjugate(a, inverse);
	snw_quat_multiply(inverse, b, dest);
}

/* ---- rotations -------------------------------------------------------------------------------------------------------------- */

/* The rotation vector of a rotation, on the branch nearest to another vector. */
static void unwind(const double quaternion[4], const double near[3], double vector[3]) {
	snw_quat_to_rotation_vector(quaternion, vector);
	const double angle = snw_length3(vector);
	if (angle > 1e-9) {
		const double windings = round((snw_dot3(near, vector) / angle - angle) / (2 * pi));
		for (int c = 0; c < 3; c++) {
			vector[c] *= 1 + windings * 2 * pi / angle;
		}
	}
}

/* Sums over the samples of how a joint's vectors go with the targets'. */
typedef struct vector_sums {
	double products[9], of_joint, of_target;
} vector_sums;

/* A clip's vectors continue each other. The first one, and those of examples, are nearest to half the joint's: u is then right from 0
 * to 1 for a joint that rotates by less than two half turns. */
static void sum_vectors(const course *c, uint32_t joint, vector_sums *sums) {
	const mesh_fit *f = c->f;
	double target[3] = {0};
	*sums = (vector_sums){.of_joint = 0};
	for (uint32_t s = 0; s < f->sample_count; s++) {
		const double *vector = joints_at(f, s)[joint].vector;
		const uint64_t clip = f->samples[s].pose->clip;
		const int continues = s > 0 && clip != 0 && clip == f->samples[s - 1].pose->clip;
		const double near[3] = {continues ? target[0] : vector[0] / 2, continues ? target[1] : vector[1] / 2,
								continues ? target[2] : vector[2] / 2};
		unwind(c->targets[s], near, target);
		for (size_t i = 0; i < 9; i++) {
			sums->products[i] += target[i / 3] * vector[i % 3];
		}
		sums->of_joint += snw_dot3(vector, vector);
		sums->of_target += snw_dot3(target, target);
	}
}

/* Coordinate descent: W from u by Procrustes, then u from W. With the pull of W toward the identity it takes a few rounds. What follows
 * a joint above all of the skin follows it rigidly: such a joint moves the character as a whole. */
static explanation explain(const course *c, uint32_t joint) {
	vector_sums sums;
	explanation found = {.joint = joint, .rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
	sum_vectors(c, joint, &sums);
	double u = 1, along = 0;
	if (!c->f->model->joints[joint].bends) {
		found.error = sums.of_target - 2 * (sums.products[0] + sums.products[4] + sums.products[8]) + sums.of_joint;
		return found;
	}
	for (int round = 0; round < ROUNDS; round++) {
		double pulled[9];
		snk_svd3 svd;
		along = 0;
		for (int i = 0; i < 9; i++) {
			pulled[i] = u * sums.products[i] + (i % 4 == 0 ? against_offset * sums.of_joint + 1e-12 : 0);
		}
		snk_svd3_compute(pulled, &svd);
		snk_svd3_rotation(&svd, found.rotation);
		for (int i = 0; i < 9; i++) {
			along += found.rotation[i] * sums.products[i];
		}
		u = along / (sums.of_joint + against_scale * c->f->sample_count);
	}
	for (int i = 0; i < 9; i++) {
		found.rotation[i] *= u;
	}
	found.error = fmax(sums.of_target - 2 * u * along + u * u * sums.of_joint, 0);
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
			relative(joints_at(c->f, s)[parent].rotation, c->rotations[s], c->targets[s]);
		}
	}
}

/* targets = what the predictor leaves of the rotations relative to its first joint's parent: before its factors, or after them. */
static void find_remainders(const course *c, const predictor *p, int before) {
	relate_to_parent(c, p->joints[0]);
	for (uint32_t s = 0; s < c->f->sample_count; s++) {
		const uint32_t parent = c->f->model->joints[p->joints[0]].parent;
		double product[4], inverse[4];
		predict_rotation(c->f->model->joints, joints_at(c->f, s), p, product);
		if (parent != SNW_NONE) {
			relative(joints_at(c->f, s)[parent].rotation, product, product);
		}
		snw_quat_conjugate(product, inverse);
		snw_quat_multiply(before ? c->targets[s] : inverse, before ? inverse : c->targets[s], c->targets[s]);
	}
}

static void add_joint(const explanation *from, uint32_t is_above, predictor *p) {
	p->joints[p->joint_count] = from->joint;
	p->is_above[p->joint_count] = is_above;
	for (int i = 0; i < 9; i++) {
		p->rotations[p->joint_count][i] = (float)from->rotation[i];
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

/* ---- what the rotations leave ----------------------------------------------------------------------------------------------- */

/* matrix = L of its Cholesky factorisation, with the ridge added. */
static void factor_normals(double ridge, double *matrix) {
	const size_t n = SHEAR_COLUMNS;
	for (size_t r = 0; r < n; r++) {
		matrix[r * n + r] += ridge;
		for (size_t c = 0; c <= r; c++) {
			double sum = matrix[r * n + c];
			for (size_t k = 0; k < c; k++) {
				sum -= matrix[r * n + k] * matrix[c * n + k];
			}
			matrix[r * n + c] = r == c ? sqrt(fmax(sum, 1e-12)) : sum / matrix[c * n + c];
		}
	}
}

/* With the factor L: x = (L Lᵀ)⁻¹ x. */
static void solve_normals(const double *lower, double *x) {
	const size_t n = SHEAR_COLUMNS;
	for (size_t r = 0; r < n; r++) {
		for (size_t k = 0; k < r; k++) {
			x[r] -= lower[r * n + k] * x[k];
		}
		x[r] /= lower[r * n + r];
	}
	for (size_t r = n; r-- > 0;) {
		for (size_t k = r + 1; k < n; k++) {
			x[r] -= lower[k * n + r] * x[k];
		}
		x[r] /= lower[r * n + r];
	}
}

/* What the gradient is beside the predicted rotation, less the identity. */
static void read_shear(const course *c, const predictor *p, uint32_t sample, double shear[ENTRIES]) {
	const double *d = c->gradients[sample];
	double rotation[4], m[12];
	predict_rotation(c->f->model->joints, joints_at(c->f, sample), p, rotation);
	snw_quat_to_mat34(rotation, m);
	for (int i = 0; i < ENTRIES; i++) {
		const int r = i / 3, k = i % 3;
		shear[i] = m[r] * d[k] + m[4 + r] * d[3 + k] + m[8 + r] * d[6 + k] - (r == k);
	}
}

/* Returns the squared error over the samples. */
static double fit_shear(const course *c, predictor *p) {
	const mesh_fit *f = c->f;
	double rights[ENTRIES][SHEAR_COLUMNS] = {{0}}, features[SHEAR_COLUMNS], shear[ENTRIES], error = 0;
	double normals[SHEAR_COLUMNS * SHEAR_COLUMNS] = {0};
	for (uint32_t s = 0; s < f->sample_count; s++) {
		shear_features(f->model->features, f->model->joints, joints_at(f, s), p, features);
		read_shear(c, p, s, shear);
		for (size_t r = 0; r < SHEAR_COLUMNS; r++) {
			for (size_t k = 0; k <= r; k++) {
				normals[r * SHEAR_COLUMNS + k] += features[r] * features[k];
			}
		}
		for (int i = 0; i < ENTRIES; i++) {
			error += shear[i] * shear[i];
			for (int k = 0; k < SHEAR_COLUMNS; k++) {
				rights[i][k] += shear[i] * features[k];
			}
		}
	}
	const double ridge = f->input->values[RIDGE].numbers[0] * f->sample_count;
	factor_normals(ridge, normals);
	for (int i = 0; i < ENTRIES; i++) {
		double solution[SHEAR_COLUMNS];
		memcpy(solution, rights[i], sizeof solution);
		solve_normals(normals, solution);
		for (int k = 0; k < SHEAR_COLUMNS; k++) { /* |Φx − s|² = |s|² − x·Φᵀs − ridge |x|² at the optimum */
			error -= solution[k] * rights[i][k] + ridge * solution[k] * solution[k];
			p->shear[i][k] = (float)solution[k];
		}
	}
	return fmax(error, 0);
}

double fit_predictor(const mesh_fit *f, const double (*gradients)[9], const joint_candidates *candidates, predictor *made) {
	snw_pool pool = snw_pool_open(f->host);
	const course c = {.f = f,
					  .gradients = gradients,
					  .candidates = candidates,
					  .rotations = snw_pool_acquire(&pool, f->sample_count, sizeof *c.rotations),
					  .targets = snw_pool_acquire(&pool, f->sample_count, sizeof *c.targets)};
	double error = -1;
	*made = (predictor){.joint_count = 0};
	if (!pool.failed) {
		for (uint32_t s = 0; s < f->sample_count; s++) {
			double rotation[9], matrix[12] = {0};
			snk_svd3 svd;
			snk_svd3_compute(gradients[s], &svd);
			snk_svd3_rotation(&svd, rotation);
			for (int i = 0; i < 9; i++) {
				matrix[4 * (i / 3) + i % 3] = rotation[i];
			}
			snw_quat_from_mat34(matrix, c.rotations[s]);
		}
		fit_rotations(&c, made);
		error = sqrt(fit_shear(&c, made) / f->sample_count);
	}
	snw_pool_release(&pool);
	return error;
}

/* ---- triangles -------------------------------------------------------------------------------------------------------------- */

static void add_candidate(uint32_t joint, joint_candidates *list) {
	uint32_t at = 0;
	while (at < list->count && list->joints[at] != joint) {
		at++;
	}
	if (joint != SNW_NONE && at == list->count && at < MOST_CANDIDATES) {
		list->joints[list->count++] = joint;
	}
}

void add_candidates(const mesh_fit *f, uint32_t point, joint_candidates *candidates) {
	const snk_base_skin_mesh *skin = &f->dest->skin;
	const uint32_t *slot_joints = f->input->character->slot_joints;
	for (uint32_t i = skin->offsets[point]; i < skin->offsets[point + 1]; i++) {
		if (skin->weights[i] > 0) {
			const uint32_t joint = slot_joints[skin->slots[i]];
			add_candidate(joint, candidates);
			add_candidate(f->model->joints[joint].parent, candidates);
			for (uint32_t j = 0; j < f->model->joint_count; j++) {
				if (f->model->joints[j].parent == joint) {
					add_candidate(j, candidates);
				}
			}
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
	for (uint32_t t = begin; t < end; t++) {
		joint_candidates candidates = {.count = 0};
		for (int k = 0; k < 3; k++) {
			add_candidates(f, f->triangles.points[3 * (size_t)t + k], &candidates);
		}
		work->predictors[t] = (predictor){.joint_count = 0};
		work->errors[t] = pool.failed ? -1 : 0;
		if (gradients && find_gradients(f, t, gradients)) {
			work->errors[t] = fit_predictor(f, (const double(*)[9])gradients, &candidates, &work->predictors[t]);
		}
	}
	snw_pool_release(&pool);
}

snw_status fit_triangles(mesh_fit *f, snw_pool *model_pool, double begin, double end) {
	const uint32_t count = f->triangles.face_count;
	snw_pool scratch = snw_pool_open(f->host);
	const triangle_work work = {
		.f = f, .predictors = SNW_POOL_ARRAY(model_pool, predictor, count), .errors = SNW_POOL_ARRAY(&scratch, double, count)};
	const snk_stretch stretch = {begin, end, "fitting the gradients"};
	snw_status status = model_pool->failed || scratch.failed ? SNW_ERROR_MEMORY : SNW_OK;
	if (!snk_failed(status)) {
		status = snk_ranges_run_reported(f->host, count, GRAIN, fit_range, (void *)&work, &stretch);
	}
	for (uint32_t t = 0; !snk_failed(status) && t < count; t++) {
		status = work.errors[t] >= 0 ? SNW_OK : SNW_ERROR_MEMORY;
		f->gradient_squares[t] = work.errors[t] * work.errors[t];
	}
	f->dest->predictors = work.predictors;
	f->dest->predictor_count = count;
	snw_pool_release(&scratch);
	return status;
}
