/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An affine blend, v = Σ_s T_s p_s with a 4-vector for each influence, as what engines play: v = Σ_s w_s T_s (r, 1), with
 * non-negative weights that sum to 1, at most K of them, and a refined rest r.
 *
 * With q_s = w_s (r, 1) and M_st = Σ_f T_sᵀ T_t over the moments that are exported, the sum of a point's squared distances is
 * Σ_st (q_s − p_s)ᵀ M_st (q_t − p_t), whatever the number of moments. So M is summed once (affine_sums), and each point is solved by
 * itself (affine_point): the weights while r stands (a small quadratic program), r while the weights stand (three equations), in turn.
 *
 * A rest displacement x, which the affine blend adds to row s by its fourth number, a_s (x, 0), becomes L x, with L best in the same
 * sense.
 */
#ifndef SINEW_HOST_EXPORT_PLAN_AFFINE_FIT_H
#define SINEW_HOST_EXPORT_PLAN_AFFINE_FIT_H

#include "export/plan/passes.h"

/* ---- what the palette does over all moments ----------------------------------------------------------------------------- */

typedef struct snw_affine_sums {
	uint32_t slot_count, pair_count, moment_count;
	uint32_t *pairs;       /* [slot_count][slot_count]: into the blocks; SNW_NONE for slots that share no point */
	uint32_t *pair_slots;  /* [pair_count][2] */
	double *blocks;        /* [pair_count][16]: M_st */
	const double *palette; /* [slot_count][12]: of the moment that is being added */
} snw_affine_sums;

/* The influences of one point that may get weight: those of its rows and, over joints, those of the base skin. */
typedef struct snw_affine_candidates {
	uint32_t count, capacity;
	uint32_t *slots;     /* [count], each once */
	double *rows;        /* [count][4]: p_s, zero where the blend has none */
	double *base_weight; /* [count]: in the base skin */
} snw_affine_candidates;

/* Room for the candidates of any point of a mesh. */
snw_affine_candidates snw_affine_candidates_make(const snw_plan_mesh *mesh, snw_arena *arena);
void snw_affine_gather(const snw_plan_mesh *mesh, uint32_t point, snw_affine_candidates *list);

/* Finds the pairs of slots that are candidates of one point, for `slot_count` slots. */
void snw_affine_find_pairs(const snw_plan_mesh *mesh, snw_affine_sums *sums, snw_arena *arena);
/* Adds the rest, the pose of the nodes, and the moments of all exported clips; without clips the scene's poses. */
snw_status snw_affine_add_moments(const snw_plan *plan, const snw_plan_mesh *mesh, snw_affine_sums *sums, snw_error *error);

/* ---- one point ------------------------------------------------------------------------------------------------------------ */

/* A point's weights and rest, over its candidates. */
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
	double *matrix;    /* [count][count]: of the weights while the rest stands */
	double *right;     /* [count] */
	double *begin;     /* [count]: weights to hold on to */
	double *gradients; /* [count] */
	bool *is_open;     /* [count]: may have weight */
} snw_affine_point;

/* For any point of a mesh, one after the other: gather its candidates into `list`, then fit. */
snw_affine_point snw_affine_point_make(const snw_plan_mesh *mesh, const snw_affine_sums *sums, snw_arena *arena);
/* At most `most` weights. Begins at the rows as they stand, which may be a linear blend already, and at the base skin over
 * `points_rest`; the better end is the `best`. `other` is room for one more. */
void snw_affine_fit_point(snw_affine_point *f, const double points_rest[3], uint32_t most, snw_affine_solution *best,
						  snw_affine_solution *other);
/* How a rest displacement acts on these weights as it does on the rows: L, 3×3. */
void snw_affine_displacement_map(const snw_affine_point *f, const double *weights, double map[9]);

#endif
