/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fits a palette under linear blend at one moment: the transforms of proxy joints that move rest points nearest to given
 * positions. Each joint is rigid or affine.
 *
 * With v̂ = (x − c_j, 1), G_jk = Σ w_j w_k v̂_j v̂_kᵀ and D_j = Σ w_j v' v̂_jᵀ, the sum of squares is tr(A G Aᵀ) − 2 tr(A Dᵀ) +
 * const over all joints' A_j, independent of the number of points. Affine A are solved by conjugate gradients; rotations one
 * joint after the other, each optimal with the others fixed (the orthogonal Procrustes problem).
 */
#ifndef SINEW_HOST_EXPORT_PLAN_PALETTE_FIT_H
#define SINEW_HOST_EXPORT_PLAN_PALETTE_FIT_H

#include <stdbool.h>

#include "base/arena.h"
#include "sinew/view.h"

/* The exported influences, [point_count][width]; unused ones have weight 0. Slots index the joints. */
typedef struct snw_palette_skin {
	uint32_t point_count, joint_count, width;
	const uint32_t *slots;
	const float *weights;
	double *centres;          /* [joint_count][3]: the joints' rest positions */
	uint32_t *offsets, *near; /* [joint_count + 1]; the joints that share points with each, itself included, ascending */
} snw_palette_skin;

/* Computes centres and neighbours from slots, weights and rest points. */
void snw_palette_skin_finish(snw_palette_skin *skin, const double *points_rest, snw_arena *arena);

/* One moment. */
typedef struct snw_palette_fit {
	const snw_palette_skin *skin;
	bool affine;               /* joints are affine; otherwise they are rigid */
	const double *points_rest; /* [point_count][3], displaced as at that moment */
	const double *points;      /* [point_count][3]: the given positions */
	/* [point_count][3]: the normals of the faces for each, for affine joints; NULL for a mesh without faces. */
	const float *normals_rest, *normals;
	/* [joint_count][12]: on entry, initial matrices from rest to posed space. On return if `affine`: from the joints'
	 * centres. */
	double *matrices;
	snw_transform *joints; /* [joint_count], set if rigid: the transform of each joint, whose rest position is its centre */
} snw_palette_fit;

/* Can be called for several moments at the same time. */
void snw_palette_fit_solve(snw_palette_fit *moment);
/* The sum of the squared distances of the points from the given positions, once it is solved. */
double snw_palette_fit_residual(const snw_palette_fit *moment);

#endif
