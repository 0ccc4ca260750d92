/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rotations of all bones in a frame at once, by Gauss-Newton steps with the damping of K. Levenberg and D. Marquardt:
 *
 *     Σ_i |Σ_j w_ij T_j v̂_i − v'_i|²,    T_j(x) = R_j (x − h_j) + T_parent(h_j)
 *
 * over R and the position of the base. A step is a twist of each bone's branch about its pivot. The system of a frame follows
 * from the moments, so its cost does not depend on the size of the mesh.
 */
#include <math.h>
#include <string.h>

#include "motion-skeleton/fit.h"
#include "sinew/algebra.h"
#include "sinew/kit/status.h"

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
