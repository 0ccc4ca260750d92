/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Converts an affine blend, v = Σ_s T_s p_s with a 4-vector for each influence, to a linear blend, v = Σ_s w_s T_s (r, 1), with
 * at most K non-negative weights that sum to 1, and a refined rest point r.
 *
 * With q_s = w_s (r, 1) and M_st = Σ_f T_sᵀ T_t over the exported moments, the sum of a point's squared distances is Σ_st (q_s
 * − p_s)ᵀ M_st (q_t − p_t), independent of the number of moments. So M is summed once (affine_sums), and each point is solved
 * separately (affine_point), alternating between the weights with r fixed (a small quadratic program) and r with the weights
 * fixed (three equations).
 *
 * The affine blend adds a rest displacement x to row s in proportion to its fourth number: a_s (x, 0). It becomes L x, with the
 * best L in the same sense.
 */
#ifndef SINEW_HOST_EXPORT_PLAN_AFFINE_AFFINE_FIT_H
#define SINEW_HOST_EXPORT_PLAN_AFFINE_AFFINE_FIT_H

#include "export/plan/passes.h"

/* ---- sums over all moments ----------------------------------------------------------------------------------------------- */

typedef struct snw_affine_sums {
	uint32_t slot_count, pair_count, moment_count;
	uint32_t *pairs;       /* [slot_count][slot_count]: into the blocks; SNW_NONE for slots that share no point */
	uint32_t *pair_slots;  /* [pair_count][2] */
	double *blocks;        /* [pair_count][16]: M_st */
	const double *palette; /* [slot_count][12]: of the current moment */
} snw_affine_sums;

/* The influences of one point that can have weight: those of its rows and, for a joint palette, those of the base skin. */
typedef struct snw_affine_candidates {
	uint32_t count, capacity;
	uint32_t *slots;     /* [count], each once */
	double *rows;        /* [count][4]: p_s, zero for influences of the base skin alone */
	double *base_weight; /* [count]: in the base skin */
} snw_affine_candidates;

/* Allocates the candidates of any point of a mesh. */
snw_affine_candidates snw_affine_candidates_make(const snw_plan_mesh *mesh, snw_arena *arena);
void snw_affine_gather(const snw_plan_mesh *mesh, uint32_t point, snw_affine_candidates *list);

/* Finds the pairs of slots that are candidates of one point, for `slot_count` slots. */
void snw_affine_find_pairs(const snw_plan_mesh *mesh, snw_affine_sums *sums, snw_arena *arena);
/* Adds the rest pose, the pose of the nodes, and the moments of all exported clips, or the scene's poses without clips. */
snw_status snw_affine_add_moments(const snw_plan *plan, const snw_plan_mesh *mesh, snw_affine_sums *sums, snw_error *error);

/* ---- one point ----------------------------------------------------------------------------------------------------------- */

/* A point's weights and rest position. */
typedef struct snw_affine_solution {
	double loss; /* Σ over moments of the squared distance */
	double rest[3];
	double *weights; /* [count] */
} snw_affine_solution;

typedef struct snw_affine_point {
	const snw_affine_sums *sums;
	snw_affine_candidates list;
	double *goal;      /* [count][4]: Σ_t M_st p_t */
	double energy;     /* Σ_st p_sᵀ M_st p_t */
	double *matrix;    /* [count][count]: of the weights with the rest point fixed */
	double *right;     /* [count] */
	double *begin;     /* [count]: the initial weights */
	double *gradients; /* [count] */
	bool *is_open;     /* [count]: may have weight */
} snw_affine_point;

/* Reused for all points of a mesh: gather the candidates of a point into `list`, then fit. */
snw_affine_point snw_affine_point_make(const snw_plan_mesh *mesh, const snw_affine_sums *sums, snw_arena *arena);
/* Fits at most `most` weights. Starts from the rows, which may be a linear blend already, and from the base skin over
 * `points_rest`; `best` is the better result. `other` is scratch. */
void snw_affine_fit_point(snw_affine_point *f, const double points_rest[3], uint32_t most, snw_affine_solution *best,
						  snw_affine_solution *other);
/* L, 3×3: maps a rest displacement so that it acts with these weights as it does with the rows. */
void snw_affine_displacement_map(const snw_affine_point *f, const double *weights, double map[9]);

#endif
