/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fitting a palette under linear blend at one moment: the transforms of proxy joints that bring the points of a rest nearest to
 * where they should be, each joint a rotation and a translation, or any affine matrix.
 *
 * With v̂ = (x − c_j, 1), G_jk = Σ w_j w_k v̂_j v̂_kᵀ and D_j = Σ w_j v' v̂_jᵀ the sum of squares is tr(A G Aᵀ) − 2 tr(A Dᵀ) + const
 * over all joints' A_j, whatever the number of points. Affine A come from conjugate gradients; rotations from one
 * joint after another, each at its best while the others stand (the orthogonal Procrustes problem, solved by Horn's quaternion).
 */
#ifndef SINEW_HOST_EXPORT_PLAN_PALETTE_FIT_H
#define SINEW_HOST_EXPORT_PLAN_PALETTE_FIT_H

#include <stdbool.h>

#include "base/arena.h"
#include "sinew/view.h"

/* The influences that are written: [point_count][width], weight 0 where there are fewer; slots are places among the joints. */
typedef struct snw_palette_skin {
	uint32_t point_count, joint_count, width;
	const uint32_t *slots;
	const float *weights;
	double *centres;          /* [joint_count][3]: where each joint stands at rest */
	uint32_t *offsets, *near; /* [joint_count + 1]; joints that share points with each, itself among them, rising */
} snw_palette_skin;

/* Finds centres and neighbours from slots, weights and the rest. */
void snw_palette_skin_finish(snw_palette_skin *skin, const double *points_rest, snw_arena *arena);

/* One moment. */
typedef struct snw_palette_fit {
	const snw_palette_skin *skin;
	bool affine;               /* joints are affine; else they are rigid */
	const double *points_rest; /* [point_count][3], displaced as at that moment */
	const double *points;      /* [point_count][3]: where they should be */
	double *
		matrices; /* [joint_count][12], in: rest → posed, where to start; out where `affine`: from each joint's centre → posed */
	snw_transform *joints; /* [joint_count], out where rigid: the node of each joint, which stands at its centre at rest */
} snw_palette_fit;

/* Any number of moments at once, on as many threads. */
void snw_palette_fit_solve(snw_palette_fit *moment);

#endif
