/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The motions of helpers: the Gauss–Newton step of each in each sample, with the weights and all other motions held; then these
 * steps regressed on the drivers.
 */
#include <math.h>
#include <string.h>

#include "helper-joints/helper-joints.h"
#include "sinew/algebra.h"
#include "sinew/kit/fit/fit.h"
#include "sinew/kit/fit/samples.h"
#include "sinew/kit/numerics/systems.h"
#include "sinew/kit/status.h"

/* The factors of a helper for the motions that are best in each sample, in the metric of `matrix`, the normal matrix of one
 * sample; `candidates` may drive it. SNW_ERROR_MEMORY. */
typedef struct joint_list {
	uint32_t count;
	uint32_t joints[16];
} joint_list;

/* ---- regression on the drivers ------------------------------------------------------------------------------------------- */

/* The factors B of a helper by ridge regression, and the joints that drive it: one after another, the one that leaves least
 * comes next. Motions y are measured by yᵀ Q y, the squared distance that they move the helper's points: with Q = L Lᵀ, that is
 * the length of Lᵀ y. */

/* A joint is chosen only if it explains this part of what the joints before it leave. */
static const double least_driver_gain = 0.005;

/* Of the largest sum of squares of a feature: without a ridge, features that depend on each other get no factors as large as
 * rounding allows. */
static const double least_ridge = 1e-12;

/* Features are clamped this part of their range beyond the samples. */
static const double margin = 0.25;

typedef struct regression {
	const mesh_fit *f;
	const joint_list *candidates;
	snk_ridge sums; /* of the features of all candidates, and the motions Lᵀ y */
	double ridge;
} regression;

/* The features of some candidates. */
typedef struct column_list {
	uint32_t count;
	uint32_t columns[MOST_FEATURES];
} column_list;

static column_list columns_of(uint32_t count, const uint32_t *chosen) {
	column_list list = {.count = 0};
	for (uint32_t k = 0; k < count; k++) {
		for (uint32_t i = 0; i < JOINT_FEATURES; i++) {
			list.columns[list.count++] = JOINT_FEATURES * chosen[k] + i;
		}
	}
	return list;
}

/* What the regression on these candidates leaves; `solution` [columns][MOTIONS]. */
static double solve(const regression *r, uint32_t count, const uint32_t *chosen, double solution[MOST_FEATURES * MOTIONS]) {
	const column_list list = columns_of(count, chosen);
	double scratch[MOST_FEATURES * MOST_FEATURES];
	return snk_ridge_solve(&r->sums, r->ridge, list.count, list.columns, scratch, solution);
}

static double SNW_CALL residual_with(void *context, uint32_t count, const uint32_t *chosen) {
	double solution[MOST_FEATURES * MOTIONS];
	return solve(context, count, chosen, solution);
}

static uint32_t choose_drivers(regression *r, uint32_t wanted, uint32_t chosen[MOST_DRIVERS]) {
	const snk_forward_choice choice = {.candidate_count = r->candidates->count,
									   .most = wanted,
									   .before = r->sums.square,
									   .least_gain = least_driver_gain,
									   .residual = residual_with,
									   .context = r};
	return snk_choose_forward(&choice, chosen);
}

/* ---- sums over samples --------------------------------------------------------------------------------------------------- */

static const double *features_of(const regression *r, uint32_t sample, uint32_t candidate) {
	return r->f->features + JOINT_FEATURES * ((size_t)sample * r->f->model->joint_count + r->candidates->joints[candidate]);
}

static void add_sample(regression *r, uint32_t sample, const double measured[MOTIONS], double *row) {
	for (uint32_t k = 0; k < r->candidates->count; k++) {
		memcpy(row + (size_t)JOINT_FEATURES * k, features_of(r, sample, k), JOINT_FEATURES * sizeof *row);
	}
	snk_ridge_add(&r->sums, row, measured);
}

/* Lᵀ y. */
static void measure(const double factor[MOTIONS * MOTIONS], const double motion[MOTIONS], double measured[MOTIONS]) {
	for (int m = 0; m < MOTIONS; m++) {
		measured[m] = 0;
		for (int k = m; k < MOTIONS; k++) {
			measured[m] += factor[MOTIONS * k + m] * motion[k];
		}
	}
}

static void write_ranges(const regression *r, uint32_t candidate, double *lowest, double *highest) {
	for (int i = 0; i < JOINT_FEATURES; i++) {
		lowest[i] = highest[i] = 0; /* at rest */
		for (uint32_t s = 0; s < r->f->sample_count; s++) {
			lowest[i] = fmin(lowest[i], features_of(r, s, candidate)[i]);
			highest[i] = fmax(highest[i], features_of(r, s, candidate)[i]);
		}
		const double more = margin * (highest[i] - lowest[i]);
		lowest[i] -= more;
		highest[i] += more;
	}
}

static void write_helper(const regression *r, const double factor[MOTIONS * MOTIONS], uint32_t count, const uint32_t *chosen,
						 helper *one) {
	double solution[MOST_FEATURES * MOTIONS];
	solve(r, count, chosen, solution);
	one->driver_count = count;
	for (uint32_t k = 0; k < count; k++) {
		one->drivers[k] = r->candidates->joints[chosen[k]];
		write_ranges(r, chosen[k], one->lowest + (size_t)JOINT_FEATURES * k, one->highest + (size_t)JOINT_FEATURES * k);
	}
	for (uint32_t a = 0; a < JOINT_FEATURES * count; a++) {
		double *motion = solution + (size_t)MOTIONS * a;
		snk_cholesky_solve_transposed(MOTIONS, factor, 1, motion);
		for (int m = 0; m < MOTIONS; m++) {
			one->factors[m][a] = motion[m];
		}
	}
}

static snw_status regress_motions(const mesh_fit *f, const helper_sample *best, const double matrix[MOTIONS * MOTIONS],
								  const joint_list *candidates, helper *one) {
	snw_pool scratch = snw_pool_open(f->host);
	const uint32_t n = JOINT_FEATURES * candidates->count;
	regression r = {.f = f, .candidates = candidates, .sums = snk_ridge_open(&scratch, n, MOTIONS)};
	double *row = SNW_POOL_ARRAY(&scratch, double, n), factor[MOTIONS * MOTIONS], measured[MOTIONS];
	r.ridge = f->input->values[RIDGE].numbers[0] * f->sample_count;
	if (!scratch.failed) {
		memcpy(factor, matrix, sizeof factor);
		snk_cholesky_factor(MOTIONS, factor);
		for (uint32_t s = 0; s < f->sample_count; s++) {
			measure(factor, best[s].motion, measured);
			add_sample(&r, s, measured, row);
		}
		for (size_t a = 0; a < n; a++) {
			r.ridge = fmax(r.ridge, least_ridge * r.sums.gram[a * n + a]);
		}
		uint32_t chosen[MOST_DRIVERS] = {0};
		const uint32_t count = choose_drivers(&r, (uint32_t)f->input->values[DRIVERS].numbers[0], chosen);
		write_helper(&r, factor, count, chosen, one);
	}
	const snw_status status = scratch.failed ? SNW_ERROR_MEMORY : SNW_OK;
	snw_pool_release(&scratch);
	return status;
}

/* ---- the best motion in each sample -------------------------------------------------------------------------------------- */

/* The motions of helpers: the Gauss–Newton step of each in each sample, with the weights and all other motions held. */

enum { GRAIN = 4 };

/* Of the mean of the diagonal: keeps what the points do not determine. */
static const double damping = 1e-4, stretch_damping = 1e-3;

/* A lever is (rest − place, 1) of a point, in rest space. */
enum { LEVER = 4 };

/* A helper that is being moved, with its points. */
typedef struct move {
	const mesh_fit *f;
	uint32_t index;
	uint32_t point_count;
	const uint32_t *points;
	const double *weights;         /* [point_count]: of the helper */
	double squares[LEVER * LEVER]; /* of the levers of the points: sum_squares */
	helper_sample *best;           /* [sample_count] */
} move;

static void posed_point(const mesh_fit *f, uint32_t sample, uint32_t point, double posed[3]) {
	const double *palette = f->palettes + 12 * (size_t)sample * f->wide.slot_count;
	snk_blend_point(f->skin.offsets, f->skin.slots, f->skin.weights, palette, point, f->mesh->points_rest + 3 * (size_t)point,
					posed);
}

/* How a motion moves a point, in the axes of S_h: linear in its lever. */
typedef struct lever_map {
	double at[3][MOTIONS][LEVER];
} lever_map;

/* With exp(ρ) `rotation` and D `stretched`: −q× for q = exp(ρ) D l, the identity, and exp(ρ) a (a · l) for each axis a. */
static lever_map make_map(const move *m, const double rotation[12], const double stretched[9]) {
	const double *axes = m->f->model->axes + 9 * (size_t)m->f->helpers[m->index].parent;
	lever_map map = {{{{0}}}};
	for (int l = 0; l < 3; l++) {
		double q[3] = {stretched[l], stretched[3 + l], stretched[6 + l]};
		snw_mat34_vector(rotation, q, q);
		map.at[0][1][l] = q[2];
		map.at[0][2][l] = -q[1];
		map.at[1][0][l] = -q[2];
		map.at[1][2][l] = q[0];
		map.at[2][0][l] = q[1];
		map.at[2][1][l] = -q[0];
	}
	for (int k = 0; k < 3; k++) {
		const double axis[3] = {axes[k], axes[3 + k], axes[6 + k]};
		double rotated[3];
		snw_mat34_vector(rotation, axis, rotated);
		for (int r = 0; r < 3; r++) {
			map.at[r][3 + k][3] = r == k;
			for (int l = 0; l < 3; l++) {
				map.at[r][6 + k][l] = rotated[r] * axis[l];
			}
		}
	}
	return map;
}

/* The lower triangle of Σ w² JᵀJ over the points, with `squares` [LEVER][LEVER] the sum of w² l lᵀ. */
static void sum_matrix(const lever_map *map, const double squares[LEVER * LEVER], double matrix[MOTIONS * MOTIONS]) {
	memset(matrix, 0, MOTIONS * MOTIONS * sizeof *matrix);
	for (int a = 0; a < MOTIONS; a++) {
		for (int r = 0; r < 3; r++) {
			double row[LEVER] = {0};
			for (int k = 0; k < LEVER * LEVER; k++) {
				row[k % LEVER] += map->at[r][a][k / LEVER] * squares[k];
			}
			for (int b = 0; b <= a; b++) {
				for (int l = 0; l < LEVER; l++) {
					matrix[MOTIONS * a + b] += row[l] * map->at[r][b][l];
				}
			}
		}
	}
}

/* Σ w Jᵀ e, with `errors` [3][LEVER] the sum of w e lᵀ. */
static void sum_right(const lever_map *map, const double errors[3 * LEVER], double right[MOTIONS]) {
	memset(right, 0, MOTIONS * sizeof *right);
	for (int a = 0; a < MOTIONS; a++) {
		for (int k = 0; k < 3 * LEVER; k++) {
			right[a] += map->at[k / LEVER][a][k % LEVER] * errors[k];
		}
	}
}

static void lever_of(const move *m, uint32_t n, double lever[LEVER]) {
	const double *rest = m->f->mesh->points_rest + 3 * (size_t)m->points[n], *place = m->f->helpers[m->index].place;
	for (int c = 0; c < 3; c++) {
		lever[c] = rest[c] - place[c];
	}
	lever[3] = 1;
}

static void sum_squares(const move *m, double squares[LEVER * LEVER]) {
	memset(squares, 0, LEVER * LEVER * sizeof *squares);
	for (uint32_t n = 0; n < m->point_count; n++) {
		double lever[LEVER];
		lever_of(m, n, lever);
		for (int k = 0; k < LEVER * LEVER; k++) {
			squares[k] += m->weights[n] * m->weights[n] * lever[k / LEVER] * lever[k % LEVER];
		}
	}
}

/* What the points lack in a sample, in the axes of S_h; `back` leads there from posed space. */
static void sum_errors(const move *m, uint32_t sample, const double back[12], double errors[3 * LEVER]) {
	double sums[LEVER][3] = {{0}};
	for (uint32_t n = 0; n < m->point_count; n++) {
		double lever[LEVER], posed[3], error[3];
		lever_of(m, n, lever);
		snk_sample_point(&m->f->samples[sample], m->points[n], error);
		posed_point(m->f, sample, m->points[n], posed);
		for (int c = 0; c < 3; c++) {
			error[c] = m->weights[n] * (error[c] - posed[c]);
			for (int l = 0; l < LEVER; l++) {
				sums[l][c] += error[c] * lever[l];
			}
		}
	}
	for (int l = 0; l < LEVER; l++) {
		snw_mat34_vector(back, sums[l], sums[l]);
		for (int c = 0; c < 3; c++) {
			errors[LEVER * c + l] = sums[l][c];
		}
	}
}

static void dampen(double matrix[MOTIONS * MOTIONS]) {
	for (int part = 0; part < MOTIONS / 3; part++) {
		const double strength = part == 2 ? stretch_damping : damping;
		double mean = 0;
		for (int a = 3 * part; a < 3 * part + 3; a++) {
			mean += matrix[(MOTIONS + 1) * a] / 3;
		}
		for (int a = 3 * part; a < 3 * part + 3; a++) {
			matrix[(MOTIONS + 1) * a] += strength * mean + 1e-300;
		}
	}
}

static void step_sample(const move *m, uint32_t sample) {
	const mesh_fit *f = m->f;
	const helper *one = &f->helpers[m->index];
	const helper_sample *from = &f->motions[(size_t)m->index * f->sample_count + sample];
	double matrix[MOTIONS * MOTIONS], step[MOTIONS], errors[3 * LEVER], base[12], back[12], rotation[12], quaternion[4],
		stretched[9];
	helper_base(f->model, one, f->samples[sample].pose, base);
	snw_mat34_identity(back);
	snw_mat34_invert(base, back);
	snw_quat_from_rotation_vector(from->motion, quaternion);
	snw_quat_to_mat34(quaternion, rotation);
	helper_stretch(f->model, one, from->motion, stretched);
	const lever_map map = make_map(m, rotation, stretched);
	sum_matrix(&map, m->squares, matrix);
	sum_errors(m, sample, back, errors);
	sum_right(&map, errors, step);
	dampen(matrix);
	snk_cholesky_factor(MOTIONS, matrix);
	snk_cholesky_solve(MOTIONS, matrix, 1, step);
	helper_sample *best = &m->best[sample];
	double rotated[4];
	snw_quat_from_rotation_vector(step, rotated);
	snw_quat_multiply(rotated, quaternion, rotated);
	snw_quat_to_rotation_vector(rotated, best->motion);
	for (int c = 3; c < MOTIONS; c++) {
		best->motion[c] = from->motion[c] + step[c];
	}
}

static void SNW_CALL step_samples(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	for (uint32_t s = begin; s < end; s++) {
		step_sample(argument, s);
	}
}

/* ---- one helper ---------------------------------------------------------------------------------------------------------- */

static void find_points(const mesh_fit *f, uint32_t index, uint32_t *points, double *weights, uint32_t *count) {
	const uint32_t slot = f->input->character->slot_count + index;
	*count = 0;
	for (uint32_t i = 0; i < f->mesh->point_count; i++) {
		for (uint32_t k = f->skin.offsets[i]; k < f->skin.offsets[i + 1]; k++) {
			if (f->skin.slots[k] == slot && f->skin.weights[k] > 0) {
				points[*count] = i;
				weights[(*count)++] = f->skin.weights[k];
			}
		}
	}
}

static void add_joint(const mesh_fit *f, uint32_t joint, joint_list *list) {
	uint32_t at = 0;
	while (at < list->count && list->joints[at] != joint) {
		at++;
	}
	if (at == list->count && at < sizeof list->joints / sizeof *list->joints && joint != SNW_NONE && f->bends[joint]) {
		list->joints[list->count++] = joint;
	}
}

static void add_near_joints(const mesh_fit *f, uint32_t joint, joint_list *list) {
	const uint32_t *parents = f->input->character->skeleton->parents;
	add_joint(f, joint, list);
	add_joint(f, parents[joint], list);
	for (uint32_t j = 0; j < f->model->joint_count; j++) {
		if (parents[j] == joint) {
			add_joint(f, j, list);
		}
	}
}

/* The parent and the joints beside it, and likewise of the joint that it moves toward; then the joints that move the points
 * most, and those beside them. `sums` [joint_count]. */
static joint_list find_candidates(const move *m, double *sums) {
	const mesh_fit *f = m->f;
	joint_list list = {.count = 0};
	memset(sums, 0, f->model->joint_count * sizeof *sums);
	for (uint32_t n = 0; n < m->point_count; n++) {
		for (uint32_t k = f->skin.offsets[m->points[n]]; k < f->skin.offsets[m->points[n] + 1]; k++) {
			sums[f->wide.slot_joints[f->skin.slots[k]]] += f->skin.weights[k] * m->weights[n];
		}
	}
	add_near_joints(f, f->helpers[m->index].parent, &list);
	if (f->helpers[m->index].toward != SNW_NONE) {
		add_near_joints(f, f->helpers[m->index].toward, &list);
	}
	for (int rank = 0; rank < 3; rank++) {
		uint32_t most = 0;
		for (uint32_t j = 1; j < f->model->joint_count; j++) {
			most = sums[j] > sums[most] ? j : most;
		}
		if (sums[most] > 0) {
			add_near_joints(f, most, &list);
		}
		sums[most] = 0;
	}
	return list;
}

/* The normal matrix at rest. */
static void rest_matrix(const move *m, double matrix[MOTIONS * MOTIONS]) {
	static const double plain[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
	double unrotated[12];
	snw_mat34_identity(unrotated);
	const lever_map map = make_map(m, unrotated, plain);
	sum_matrix(&map, m->squares, matrix);
	dampen(matrix);
}

static void pose_helper(const mesh_fit *f, uint32_t index) {
	const size_t slot = (size_t)f->input->character->slot_count + index;
	for (uint32_t s = 0; s < f->sample_count; s++) {
		helper_sample *at = &f->motions[(size_t)index * f->sample_count + s];
		helper_motion(f->model, &f->helpers[index], f->samples[s].pose, at->motion);
		helper_matrix(f->model, &f->helpers[index], f->samples[s].pose, at->motion,
					  f->palettes + 12 * ((size_t)s * f->wide.slot_count + slot));
	}
}

/* Drives a helper to `best`, and poses it. */
static snw_status drive_to_best(mesh_fit *f, move *m, double *sums) {
	double matrix[MOTIONS * MOTIONS];
	const joint_list candidates = find_candidates(m, sums);
	rest_matrix(m, matrix);
	const snw_status status = regress_motions(f, m->best, matrix, &candidates, &f->helpers[m->index]);
	if (!snk_failed(status)) {
		pose_helper(f, m->index);
	}
	return status;
}

static snw_status move_helper(mesh_fit *f, move *m, double *sums) {
	snk_ranges_run(f->host, f->sample_count, GRAIN, step_samples, m);
	return drive_to_best(f, m, sums);
}

/* The motion in the middle that is nearest to H: its rotation, its stretch along the axes, and where it takes the helper's
 * place. */
static void slide_sample(const move *m, uint32_t sample) {
	const mesh_fit *f = m->f;
	const helper *one = &f->helpers[m->index];
	const double *axes = f->model->axes + 9 * (size_t)one->parent;
	double first[12], second[12], base[12], back[12], matrix[12], rotation[9], as_matrix[12] = {0}, quaternion[4];
	double *motion = m->best[sample].motion;
	helper_ends(f->model, one, f->samples[sample].pose, first, second);
	helper_base(f->model, one, f->samples[sample].pose, base);
	slide_matrix(first, second, f->slides[m->index], matrix);
	snw_mat34_identity(back);
	snw_mat34_invert(base, back);
	snw_mat34_multiply(back, matrix, matrix);
	snw_mat34_rotation(matrix, rotation);
	for (int i = 0; i < 9; i++) {
		as_matrix[4 * (i / 3) + i % 3] = rotation[i];
	}
	snw_quat_from_mat34(as_matrix, quaternion);
	snw_quat_to_rotation_vector(quaternion, motion);
	snw_mat34_point(matrix, one->place, motion + 3);
	for (int k = 0; k < 3; k++) {
		const double axis[3] = {axes[k], axes[3 + k], axes[6 + k]};
		double stretched[3], rotated[3];
		snw_mat34_vector(matrix, axis, stretched);
		snw_mat34_vector(as_matrix, axis, rotated);
		motion[3 + k] -= one->place[k];
		motion[6 + k] = snw_dot3(stretched, rotated) - 1;
	}
}

static void SNW_CALL slide_samples(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	for (uint32_t s = begin; s < end; s++) {
		slide_sample(argument, s);
	}
}

static snw_status slide_helper(mesh_fit *f, move *m, double *sums) {
	if (snw_length3(f->slides[m->index]) == 0) {
		return SNW_OK;
	}
	snk_ranges_run(f->host, f->sample_count, GRAIN, slide_samples, m);
	return drive_to_best(f, m, sums);
}

/* So many times each helper that moves points, in turn. */
static snw_status for_helpers(mesh_fit *f, uint32_t times, snw_status (*act)(mesh_fit *f, move *m, double *sums)) {
	snw_pool scratch = snw_pool_open(f->host);
	uint32_t *points = SNW_POOL_ARRAY(&scratch, uint32_t, f->mesh->point_count);
	double *weights = SNW_POOL_ARRAY(&scratch, double, f->mesh->point_count);
	double *sums = SNW_POOL_ARRAY(&scratch, double, f->model->joint_count);
	helper_sample *best = SNW_POOL_ARRAY(&scratch, helper_sample, f->sample_count);
	snw_status status = scratch.failed ? SNW_ERROR_MEMORY : SNW_OK;
	for (uint32_t n = 0; n < times * f->helper_count && !snk_failed(status); n++) {
		move m = {.f = f, .index = n % f->helper_count, .points = points, .weights = weights, .best = best};
		find_points(f, m.index, points, weights, &m.point_count);
		sum_squares(&m, m.squares);
		status = m.point_count > 0 ? act(f, &m, sums) : SNW_OK;
	}
	snw_pool_release(&scratch);
	return status;
}

snw_status start_slides(mesh_fit *f) {
	return for_helpers(f, 1, slide_helper);
}

snw_status move_helpers(mesh_fit *f, uint32_t sweeps) {
	return for_helpers(f, sweeps, move_helper);
}
