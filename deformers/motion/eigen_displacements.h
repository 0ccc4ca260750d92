/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Eigen-displacements (P. Kry, D. James, D. Pai, EigenSkin, 2002; L. Kavan et al. 2007, section 5): the residuals of a blend at
 * each point, mapped back to rest space, as a few displacements of the whole mesh, each with a course over time. They are the
 * first terms of the singular value decomposition of these residuals E, computed in the subspace spanned by a random block of
 * courses and two applications of EᵀE to it (N. Halko, P. Martinsson, J. Tropp, Finding structure with randomness, 2011; C.
 * Musco and C. Musco, Randomized block Krylov methods, 2015). The passes over the points need no matrix of the size of E. If
 * there are few frames, the subspace is the whole space and the decomposition is exact. If the maps from rest space are not
 * rotations, the smallest residuals in rest space are not the smallest posed ones; then each point's displacements are fitted
 * to the posed residuals for these courses.
 */
#ifndef SINEW_DEFORMERS_MOTION_EIGEN_DISPLACEMENTS_H
#define SINEW_DEFORMERS_MOTION_EIGEN_DISPLACEMENTS_H

#include "motion/animation.h"
#include "motion/transforms.h"

typedef struct snk_eigen_details {
	uint32_t count;
	snk_lanes *courses; /* [count][block_count]: unit vectors over the frames, 0 after the last */
	double *vectors;    /* [count][point_count][3], in rest space: the singular vector times its singular value */
	double *squares;    /* [count]: squared singular values, descending */
} snk_eigen_details;

/* The residuals to approximate: gaps of points in all frames. */
typedef struct snk_error_source {
	uint32_t point_count, frame_count;
	/* For the points [begin, end): gaps [end − begin][block_count][3], 0 after the last frame, and the linear maps from rest
	 * space, [end − begin][block_count][9]. Called from several threads. */
	void (*gaps)(const void *context, uint32_t begin, uint32_t end, snk_lanes *gaps, snk_lanes *linear);
	int are_rotations; /* the maps are rotations, which keep the length of residuals */
	const void *context;
} snk_error_source;

/* Finds the first `wanted`, or as many as there are frames. Arrays are in the pool. SNW_CANCELLED, with a count of 0, if
 * `steps` stop it. */
snw_status snk_eigen_details_find(const snw_host *host, const snk_error_source *source, uint32_t wanted, const snk_steps *steps,
								  snw_pool *pool, snk_eigen_details *details);

/* For the residuals of points. */
snw_status snk_eigen_details_of_points(const snw_host *host, const snk_motion *motion, const snk_influences *influences,
									   const snk_transforms *transforms, uint32_t wanted, const snk_steps *steps,
									   snw_pool *pool, snk_eigen_details *details);

#endif
