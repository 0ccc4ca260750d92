/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The positions of all joints at once, with the rotations of all frames fixed. The problem is linear: dT_k / dh_j = R_parent −
 * R_j for every bone k of j's branch.
 */
#include <string.h>

#include "motion-skeleton/fit.h"
#include "sinew/kit/status.h"

/* How strongly a pivot is held to the border of its bones, relative to the data of a rotation by one radian about each axis. */
static const double ridge = 1e-4;

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
			const double strength = ridge * s->f->frame_count * s->masses[b * count + b];
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
