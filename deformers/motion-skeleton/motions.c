/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The motions of bones in all frames, with the tree and the weights held; and pivots with the rotations held.
 */
#include <math.h>
#include <string.h>

#include "motion-skeleton/motion-skeleton.h"
#include "sinew/algebra.h"
#include "sinew/kit/numerics/eigen.h"
#include "sinew/kit/numerics/systems.h"
#include "sinew/kit/status.h"

/* This part of the largest diagonal entry is added to all, so that undetermined unknowns stay 0. */
static const double floor_damping = 1e-12;

/* x with (A + damping · diagonal of A) x = b, A [n][n] symmetric, of which the lower half is read; 0 where it is not positive
 * definite. `factor` [n][n] is scratch. */
static int solve_damped(uint32_t n, const double *a, const double *b, double damping, double *factor, double *x) {
	double largest = 0;
	for (size_t i = 0; i < n; i++) {
		largest = fmax(largest, a[i * n + i]);
	}
	for (size_t i = 0; i < n; i++) {
		memcpy(factor + i * n, a + i * n, (i + 1) * sizeof *factor);
		factor[i * n + i] += damping * a[i * n + i] + floor_damping * largest;
	}
	snk_cholesky_factor(n, factor);
	for (size_t i = 0; i < n; i++) {
		if (!(factor[i * n + i] > SNK_CHOLESKY_LEAST)) {
			return 0;
		}
	}
	memcpy(x, b, n * sizeof *x);
	snk_cholesky_solve(n, factor, 1, x);
	return 1;
}

/* ---- moments ------------------------------------------------------------------------------------------------------------- */

/* Sums over the points, and the motions of bones that follow from them. */

static void homogeneous(const double v[3], double dest[4]) {
	memcpy(dest, v, 3 * sizeof *v);
	dest[3] = 1;
}

static void gather_rest(const skeleton_fit *f) {
	const size_t count = f->bone_count;
	memset(f->moments.rest, 0, count * count * sizeof *f->moments.rest);
	for (uint32_t i = 0; i < f->motion.point_count; i++) {
		const influence_set *set = &f->weights[i];
		double v[4];
		homogeneous(f->motion.points_rest + 3 * (size_t)i, v);
		for (uint32_t a = 0; a < set->count; a++) {
			for (uint32_t b = 0; b < set->count; b++) {
				double *sum = f->moments.rest[set->bones[a] * count + set->bones[b]];
				const double weight = set->weights[a] * set->weights[b];
				for (int k = 0; k < 16; k++) {
					sum[k] += weight * v[k / 4] * v[k % 4];
				}
			}
		}
	}
}

static void SNW_CALL gather_posed(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const skeleton_fit *f = argument;
	for (uint32_t frame = begin; frame < end; frame++) {
		double(*posed)[12] = f->moments.posed + (size_t)frame * f->bone_count;
		memset(posed, 0, f->bone_count * sizeof *posed);
		f->moments.squares[frame] = 0;
		for (uint32_t i = 0; i < f->motion.point_count; i++) {
			const influence_set *set = &f->weights[i];
			double v[4], target[3];
			homogeneous(f->motion.points_rest + 3 * (size_t)i, v);
			frame_point(f, frame, i, target);
			f->moments.squares[frame] += snw_dot3(target, target);
			for (uint32_t a = 0; a < set->count; a++) {
				for (int k = 0; k < 12; k++) {
					posed[set->bones[a]][k] += set->weights[a] * target[k / 4] * v[k % 4];
				}
			}
		}
	}
}

snw_status gather_moments(skeleton_fit *f) {
	gather_rest(f);
	return run_in_slabs(f, f->frame_count, 1, gather_posed, f);
}

/* ---- the error ----------------------------------------------------------------------------------------------------------- */

void add_moment(const rigid *t, const double moment[16], double dest[12]) {
	for (int r = 0; r < 3; r++) {
		for (int c = 0; c < 4; c++) {
			for (int k = 0; k < 4; k++) {
				dest[4 * r + c] += t->m[4 * r + k] * moment[4 * k + c];
			}
		}
	}
}

/* Whether two bones move a point together. */
static int share_points(const skeleton_fit *f, uint32_t a, uint32_t b) {
	return f->moments.rest[(size_t)a * f->bone_count + b][15] > 0;
}

/* The squared error of a frame with these motions [bone_count], and Σ_i w_ij r_i v̂ᵀ for each bone j, with the residuals r. */
static double blend_errors(const skeleton_fit *f, uint32_t frame, const rigid *motions, double (*errors)[12]) {
	const uint32_t count = f->bone_count;
	double squares = f->moments.squares[frame];
	for (uint32_t a = 0; a < count; a++) {
		const double *posed = f->moments.posed[(size_t)frame * count + a];
		memset(errors[a], 0, sizeof errors[a]);
		for (uint32_t b = 0; b < count; b++) {
			if (share_points(f, a, b)) {
				add_moment(&motions[b], f->moments.rest[(size_t)a * count + b], errors[a]);
			}
		}
		for (int k = 0; k < 12; k++) {
			squares += motions[a].m[k] * (errors[a][k] - 2 * posed[k]);
			errors[a][k] -= posed[k];
		}
	}
	return fmax(squares, 0);
}

/* ---- initial motions ----------------------------------------------------------------------------------------------------- */

void nearest_rigid(const double rest[16], const double posed[12], rigid *dest) {
	double covariance[9], rotation[9];
	const double mass = rest[15];
	for (int r = 0; r < 3; r++) {
		for (int c = 0; c < 3; c++) {
			covariance[3 * r + c] = posed[4 * r + c] - posed[4 * r + 3] * rest[4 * c + 3] / mass;
		}
	}
	snk_nearest_rotation(covariance, rotation);
	for (int r = 0; r < 3; r++) {
		dest->m[4 * r + 3] = posed[4 * r + 3] / mass;
		for (int c = 0; c < 3; c++) {
			dest->m[4 * r + c] = rotation[3 * r + c];
			dest->m[4 * r + 3] -= rotation[3 * r + c] * rest[4 * c + 3] / mass;
		}
	}
}

/* The motion of all points together: weights sum to 1, so the bones' sums add up to those of all points. */
static void move_body(const skeleton_fit *f, uint32_t frame) {
	const size_t count = f->bone_count;
	double rest[16] = {0}, posed[12] = {0};
	for (size_t a = 0; a < count; a++) {
		for (size_t b = 0; b < count; b++) {
			for (int k = 0; k < 16; k++) {
				rest[k] += f->moments.rest[a * count + b][k];
			}
		}
		for (int k = 0; k < 12; k++) {
			posed[k] += f->moments.posed[frame * count + a][k];
		}
	}
	nearest_rigid(rest, posed, &f->bodies[frame]);
}

/* Takes a bone's pivot to where the parent has it; its rotation stays. */
static void place_bone(const bone_tree *tree, uint32_t bone, const rigid *parent, rigid *motion) {
	double place[3], from[3];
	snw_mat34_point(parent->m, tree->pivots[bone], place);
	snw_mat34_vector(motion->m, tree->pivots[bone], from);
	for (int r = 0; r < 3; r++) {
		motion->m[4 * r + 3] = place[r] - from[r];
	}
}

void start_motions(skeleton_fit *f) {
	const bone_tree *tree = &f->tree;
	for (uint32_t frame = 0; frame < f->frame_count; frame++) {
		rigid *motions = f->motions + (size_t)frame * f->bone_count;
		memcpy(motions, f->parts + (size_t)frame * f->bone_count, f->bone_count * sizeof *motions);
		for (uint32_t n = 1; n < f->bone_count; n++) {
			place_bone(tree, tree->order[n], &motions[tree->parents[tree->order[n]]], &motions[tree->order[n]]);
		}
		move_body(f, frame);
	}
}

/* ---- rotations ----------------------------------------------------------------------------------------------------------- */

/* The rotations of all bones in a frame at once, by Gauss-Newton steps with the damping of K. Levenberg and D. Marquardt:
 *
 *     Σ_i |Σ_j w_ij T_j v̂_i − v'_i|²,    T_j(x) = R_j (x − h_j) + T_parent(h_j)
 *
 * over R and the position of the base. A step is a twist of each bone's branch about its pivot. The system of a frame follows
 * from the moments, so its cost does not depend on the size of the mesh. */

enum { MOST_STEPS = 20 };
static const double enough = 1e-7; /* the last step is the one that lowers the error by less than this part of it */

/* Memory for one frame, of n bones and 3 n + 3 unknowns: three for each bone, then the shift of the base. */
typedef struct frame_steps {
	const skeleton_fit *f;
	uint32_t frame;
	rigid *motions;          /* [n] */
	rigid *tried;            /* [n] */
	double (*errors)[12];    /* [n]: Σ_i w_ij r_i v̂ᵀ */
	double (*gradients)[6];  /* [n]: of the twists of whole branches */
	double (*twists)[36];    /* [n][n]: the same of their products */
	double *matrix, *factor; /* [unknowns][unknowns] */
	double *right, *step;    /* [unknowns] */
} frame_steps;

static uint32_t unknown_count(const skeleton_fit *f) {
	return 3 * f->bone_count + 3;
}

/* ---- twists -------------------------------------------------------------------------------------------------------------- */

/* The derivative of the error by a twist (rotation about the origin, translation) of one bone. */
static void bone_gradient(const rigid *t, const double error[12], double gradient[6]) {
	double product[3][3];
	for (int r = 0; r < 3; r++) {
		for (int c = 0; c < 3; c++) {
			product[r][c] = 0;
			for (int k = 0; k < 4; k++) {
				product[r][c] += error[4 * r + k] * t->m[4 * c + k];
			}
		}
		gradient[3 + r] = error[4 * r + 3];
	}
	gradient[0] = product[2][1] - product[1][2];
	gradient[1] = product[0][2] - product[2][0];
	gradient[2] = product[1][0] - product[0][1];
}

/* matrix (6×6, at row, column) = ± [v]×. */
static void put_cross(const double v[3], double sign, int row, int column, double matrix[36]) {
	const double cross[9] = {0, -v[2], v[1], v[2], 0, -v[0], -v[1], v[0], 0};
	for (int r = 0; r < 3; r++) {
		for (int c = 0; c < 3; c++) {
			matrix[6 * (row + r) + column + c] = sign * cross[3 * r + c];
		}
	}
}

/* Σ w_j w_k of the products of the derivatives of points by twists of two bones: x_j = T_j v, d x = ω × x + τ. */
static void twist_products(const rigid *a, const rigid *b, const double moment[16], double dest[36]) {
	double product[12] = {0}, first[3], second[3], sum[3][3];
	add_moment(a, moment, product);
	for (int r = 0; r < 3; r++) {
		for (int c = 0; c < 3; c++) {
			sum[r][c] = 0;
			for (int k = 0; k < 4; k++) {
				sum[r][c] += product[4 * r + k] * b->m[4 * c + k];
			}
		}
		first[r] = product[4 * r + 3];
		second[r] =
			b->m[4 * r] * moment[3] + b->m[4 * r + 1] * moment[7] + b->m[4 * r + 2] * moment[11] + b->m[4 * r + 3] * moment[15];
	}
	const double trace = sum[0][0] + sum[1][1] + sum[2][2];
	memset(dest, 0, 36 * sizeof *dest);
	for (int r = 0; r < 3; r++) {
		for (int c = 0; c < 3; c++) {
			dest[6 * r + c] = (r == c ? trace : 0) - sum[c][r];
		}
		dest[6 * (3 + r) + 3 + r] = moment[15];
	}
	put_cross(first, 1, 0, 3, dest);
	put_cross(second, -1, 3, 0, dest);
}

static void add(const double *from, int count, double *dest) {
	for (int k = 0; k < count; k++) {
		dest[k] += from[k];
	}
}

/* gradients and twists of branches: each bone with all below it. */
static void gather_branches(const frame_steps *s) {
	const skeleton_fit *f = s->f;
	const uint32_t count = f->bone_count;
	for (uint32_t a = 0; a < count; a++) {
		bone_gradient(&s->motions[a], s->errors[a], s->gradients[a]);
		for (uint32_t b = 0; b < count; b++) {
			double *dest = s->twists[(size_t)a * count + b];
			if (share_points(f, a, b)) {
				twist_products(&s->motions[a], &s->motions[b], f->moments.rest[(size_t)a * count + b], dest);
			} else {
				memset(dest, 0, sizeof *s->twists);
			}
		}
	}
	for (uint32_t n = count; n-- > 1;) {
		const uint32_t child = f->tree.order[n], parent = f->tree.parents[child];
		add(s->gradients[child], 6, s->gradients[parent]);
		for (uint32_t b = 0; b < count; b++) {
			add(s->twists[(size_t)child * count + b], 36, s->twists[(size_t)parent * count + b]);
		}
	}
	for (uint32_t n = count; n-- > 1;) {
		const uint32_t child = f->tree.order[n], parent = f->tree.parents[child];
		for (uint32_t a = 0; a < count; a++) {
			add(s->twists[(size_t)a * count + child], 36, s->twists[(size_t)a * count + parent]);
		}
	}
}

/* ---- the system ---------------------------------------------------------------------------------------------------------- */

/* The twist of a rotation about a posed pivot q: (ω, q × ω); for the unknowns behind the bones', a shift of the base. */
static void twist_basis(const double q[3], int is_shift, double basis[18]) {
	memset(basis, 0, 18 * sizeof *basis);
	for (int i = 0; i < 3; i++) {
		basis[3 * (is_shift ? 3 + i : i) + i] = 1;
	}
	if (!is_shift) {
		const double cross[9] = {0, -q[2], q[1], q[2], 0, -q[0], -q[1], q[0], 0};
		memcpy(basis + 9, cross, sizeof cross);
	}
}

/* The bone that the unknowns [3 group, 3 group + 3) move, and its twists. */
static uint32_t basis_of(const frame_steps *s, uint32_t group, double basis[18]) {
	const bone_tree *tree = &s->f->tree;
	const int is_shift = group == s->f->bone_count;
	const uint32_t bone = is_shift ? tree->order[0] : group;
	double q[3];
	snw_mat34_point(s->motions[bone].m, tree->pivots[bone], q);
	twist_basis(q, is_shift, basis);
	return bone;
}

static void build_system(const frame_steps *s) {
	const uint32_t count = s->f->bone_count, unknowns = unknown_count(s->f);
	for (uint32_t a = 0; a <= count; a++) {
		double rows[18], columns[18], half[18];
		const uint32_t bone = basis_of(s, a, rows);
		for (uint32_t i = 0; i < 3; i++) {
			s->right[3 * a + i] = 0;
			for (int k = 0; k < 6; k++) {
				s->right[3 * a + i] -= rows[3 * k + i] * s->gradients[bone][k];
			}
		}
		for (uint32_t b = 0; b <= a; b++) {
			const double *twists = s->twists[(size_t)bone * count + basis_of(s, b, columns)];
			memset(half, 0, sizeof half);
			for (int r = 0; r < 6; r++) {
				for (int k = 0; k < 6; k++) {
					for (int c = 0; c < 3; c++) {
						half[3 * r + c] += twists[6 * r + k] * columns[3 * k + c];
					}
				}
			}
			for (uint32_t i = 0; i < 3; i++) {
				for (uint32_t j = 0; j < 3; j++) {
					double sum = 0;
					for (uint32_t r = 0; r < 6; r++) {
						sum += rows[3 * r + i] * half[3 * r + j];
					}
					s->matrix[(size_t)(3 * a + i) * unknowns + 3 * b + j] = sum;
				}
			}
		}
	}
}

/* The motions after a step. */
static void take_step(const frame_steps *s) {
	const bone_tree *tree = &s->f->tree;
	for (uint32_t n = 0; n < s->f->bone_count; n++) {
		const uint32_t bone = tree->order[n], parent = tree->parents[bone];
		double quaternion[4], local[12], inverse[12] = {0}; /* motions are rigid, so they have inverses */
		snw_quat_from_rotation_vector(s->step + 3 * (size_t)bone, quaternion);
		snw_quat_to_mat34(quaternion, local);
		snw_mat34_multiply(local, s->motions[bone].m, s->tried[bone].m);
		if (n == 0) {
			double q[3], from[3];
			snw_mat34_point(s->motions[bone].m, tree->pivots[bone], q);
			snw_mat34_vector(s->tried[bone].m, tree->pivots[bone], from);
			for (uint32_t r = 0; r < 3; r++) {
				s->tried[bone].m[4 * r + 3] = q[r] + s->step[3 * (size_t)s->f->bone_count + r] - from[r];
			}
			continue;
		}
		snw_mat34_invert(s->motions[parent].m, inverse);
		snw_mat34_multiply(inverse, s->tried[bone].m, local);
		snw_mat34_multiply(s->tried[parent].m, local, s->tried[bone].m);
		place_bone(tree, bone, &s->tried[parent], &s->tried[bone]);
	}
}

/* ---- steps --------------------------------------------------------------------------------------------------------------- */

/* Returns the remaining squared error. */
static double step_until_done(const frame_steps *s) {
	const size_t bytes = s->f->bone_count * sizeof(rigid);
	double squares = blend_errors(s->f, s->frame, s->motions, s->errors), damping = 1e-6;
	for (uint32_t n = 0; n < MOST_STEPS; n++) {
		gather_branches(s);
		build_system(s);
		double after = INFINITY;
		for (; damping < 1e3; damping *= 30) {
			if (solve_damped(unknown_count(s->f), s->matrix, s->right, damping, s->factor, s->step)) {
				take_step(s);
				after = blend_errors(s->f, s->frame, s->tried, s->errors);
			}
			if (after <= squares) {
				break;
			}
		}
		if (!(after <= squares)) {
			blend_errors(s->f, s->frame, s->motions, s->errors);
			break;
		}
		memcpy(s->motions, s->tried, bytes);
		const int last = squares - after <= enough * squares;
		squares = after;
		damping = fmax(damping / 10, 1e-9);
		if (last) {
			break;
		}
	}
	return squares;
}

static void SNW_CALL fit_frames(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const skeleton_fit *f = argument;
	const size_t count = f->bone_count, unknowns = unknown_count(f);
	snw_pool pool = snw_pool_open(f->host);
	frame_steps s = {.f = f,
					 .tried = SNW_POOL_ARRAY(&pool, rigid, count),
					 .errors = snw_pool_acquire(&pool, count, sizeof *s.errors),
					 .gradients = snw_pool_acquire(&pool, count, sizeof *s.gradients),
					 .twists = snw_pool_acquire(&pool, count * count, sizeof *s.twists),
					 .matrix = SNW_POOL_ARRAY(&pool, double, unknowns *unknowns),
					 .factor = SNW_POOL_ARRAY(&pool, double, unknowns *unknowns),
					 .right = SNW_POOL_ARRAY(&pool, double, unknowns),
					 .step = SNW_POOL_ARRAY(&pool, double, unknowns)};
	for (uint32_t frame = begin; frame < end; frame++) {
		s.frame = frame;
		s.motions = f->motions + (size_t)frame * count;
		f->squares[frame] = pool.failed ? -1 : step_until_done(&s);
	}
	snw_pool_release(&pool);
}

snw_status fit_rotations(skeleton_fit *f) {
	snw_status status = run_in_slabs(f, f->frame_count, 1, fit_frames, f);
	for (uint32_t frame = 0; !snk_failed(status) && frame < f->frame_count; frame++) {
		status = f->squares[frame] < 0 ? SNW_ERROR_MEMORY : SNW_OK;
	}
	return status;
}

/* ---- pivots -------------------------------------------------------------------------------------------------------------- */

/* The positions of all joints at once, with the rotations of all frames fixed. The problem is linear: dT_k / dh_j = R_parent −
 * R_j for every bone k of j's branch. */

typedef struct pivot_system {
	skeleton_fit *f;
	double (*errors)[12];    /* [n] */
	double (*residuals)[3];  /* [n]: Σ_i w_ij r_i, of branches */
	double *masses;          /* [n][n]: Σ_i w_ij w_ik, of branches */
	double (*levers)[9];     /* [n]: R_parent − R_bone */
	double *matrix, *factor; /* [3 n][3 n] */
	double *right, *step;    /* [3 n] */
} pivot_system;

/* masses of branches. */
static void gather_masses(const pivot_system *s) {
	const bone_tree *tree = &s->f->tree;
	const uint32_t count = s->f->bone_count;
	for (size_t k = 0; k < (size_t)count * count; k++) {
		s->masses[k] = s->f->moments.rest[k][15];
	}
	for (uint32_t n = count; n-- > 1;) {
		const size_t child = tree->order[n], parent = tree->parents[child];
		for (size_t b = 0; b < count; b++) {
			s->masses[parent * count + b] += s->masses[child * count + b];
		}
	}
	for (uint32_t n = count; n-- > 1;) {
		const size_t child = tree->order[n], parent = tree->parents[child];
		for (size_t a = 0; a < count; a++) {
			s->masses[a * count + parent] += s->masses[a * count + child];
		}
	}
}

static void find_levers(const pivot_system *s, const rigid *motions) {
	const bone_tree *tree = &s->f->tree;
	for (uint32_t b = 0; b < s->f->bone_count; b++) {
		const uint32_t parent = tree->parents[b];
		for (int k = 0; k < 9; k++) {
			const int at = 4 * (k / 3) + k % 3;
			s->levers[b][k] = parent == SNW_NONE ? 0 : motions[parent].m[at] - motions[b].m[at];
		}
	}
}

static void find_residuals(const pivot_system *s, uint32_t frame, const rigid *motions) {
	const bone_tree *tree = &s->f->tree;
	blend_errors(s->f, frame, motions, s->errors);
	for (uint32_t n = s->f->bone_count; n-- > 0;) {
		const uint32_t b = tree->order[n];
		for (int r = 0; r < 3; r++) {
			s->residuals[b][r] = s->errors[b][4 * r + 3];
		}
	}
	for (uint32_t n = s->f->bone_count; n-- > 1;) {
		const uint32_t b = tree->order[n];
		for (int r = 0; r < 3; r++) {
			s->residuals[tree->parents[b]][r] += s->residuals[b][r];
		}
	}
}

static void add_frame(const pivot_system *s, uint32_t frame) {
	const uint32_t count = s->f->bone_count;
	const rigid *motions = s->f->motions + (size_t)frame * count;
	find_levers(s, motions);
	find_residuals(s, frame, motions);
	for (size_t a = 0; a < count; a++) {
		for (size_t i = 0; i < 3; i++) {
			for (size_t r = 0; r < 3; r++) {
				s->right[3 * a + i] -= s->levers[a][3 * r + i] * s->residuals[a][r];
			}
			for (size_t b = 0; b <= a; b++) {
				const double mass = s->masses[a * count + b];
				for (size_t j = 0; j < 3; j++) {
					double product = 0;
					for (size_t r = 0; r < 3; r++) {
						product += s->levers[a][3 * r + i] * s->levers[b][3 * r + j];
					}
					s->matrix[(3 * a + i) * 3 * count + 3 * b + j] += mass * product;
				}
			}
		}
	}
}

static snw_status add_frames(const pivot_system *s) {
	gather_masses(s);
	for (uint32_t frame = 0; frame < s->f->frame_count; frame++) {
		if (!may_go_on(s->f)) {
			return SNW_CANCELLED;
		}
		add_frame(s, frame);
	}
	return SNW_OK;
}

static void add_ridge(const pivot_system *s) {
	const bone_tree *tree = &s->f->tree;
	const size_t count = s->f->bone_count;
	for (size_t b = 0; b < count; b++) {
		for (size_t i = 0; i < 3; i++) {
			const double strength = tree->holds[b] * s->f->frame_count * s->masses[b * count + b];
			s->matrix[(3 * b + i) * (3 * count + 1)] += strength;
			s->right[3 * b + i] += tree->parents[b] == SNW_NONE ? 0 : strength * (tree->borders[b][i] - tree->pivots[b][i]);
		}
	}
}

/* Moves the bones with their pivots; rotations stay. */
static void move_pivots(const pivot_system *s) {
	const bone_tree *tree = &s->f->tree;
	const uint32_t count = s->f->bone_count;
	for (uint32_t b = 0; b < count; b++) {
		for (int i = 0; i < 3; i++) {
			tree->pivots[b][i] += s->step[3 * b + i];
		}
	}
	for (uint32_t frame = 0; frame < s->f->frame_count; frame++) {
		rigid *motions = s->f->motions + (size_t)frame * count;
		for (uint32_t n = 1; n < count; n++) {
			place_bone(tree, tree->order[n], &motions[tree->parents[tree->order[n]]], &motions[tree->order[n]]);
		}
	}
}

snw_status fit_pivots(skeleton_fit *f) {
	const size_t count = f->bone_count, unknowns = 3 * count;
	snw_pool pool = snw_pool_open(f->host);
	pivot_system s = {.f = f,
					  .errors = snw_pool_acquire(&pool, count, sizeof *s.errors),
					  .residuals = snw_pool_acquire(&pool, count, sizeof *s.residuals),
					  .masses = SNW_POOL_ARRAY(&pool, double, count *count),
					  .levers = snw_pool_acquire(&pool, count, sizeof *s.levers),
					  .matrix = SNW_POOL_ARRAY(&pool, double, unknowns *unknowns),
					  .factor = SNW_POOL_ARRAY(&pool, double, unknowns *unknowns),
					  .right = SNW_POOL_ARRAY(&pool, double, unknowns),
					  .step = SNW_POOL_ARRAY(&pool, double, unknowns)};
	snw_status status = pool.failed ? SNW_ERROR_MEMORY : add_frames(&s);
	if (!snk_failed(status)) {
		add_ridge(&s);
		if (solve_damped((uint32_t)unknowns, s.matrix, s.right, 0, s.factor, s.step)) {
			move_pivots(&s);
		}
	}
	snw_pool_release(&pool);
	return status;
}
