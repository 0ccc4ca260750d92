/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Eigen-displacements (P. Kry, D. James, D. Pai, EigenSkin, 2002; L. Kavan et al. 2007, section 5): what a blend leaves of each
 * point, taken back to the rest, as a few displacements of the whole mesh and a course over time for each. The first of the
 * singular value decomposition of those errors E; found in the subspace that a random block of courses and two applications of
 * EᵀE to it span (N. Halko, P. Martinsson, J. Tropp, Finding structure with randomness, 2011; C. Musco and C. Musco, Randomized
 * block Krylov methods, 2015), in passes over the points that keep no matrix of the size of E; where frames are few the
 * subspace is the whole and the decomposition is exact. Where the maps from the rest are no rotations, the shortest errors in
 * the rest are not those that one sees: there each point's displacements are then fitted to what is seen, over the courses
 * found.
 */
#ifndef SINEW_DEFORMERS_MOTION_DECOMPOSE_EIGEN_DISPLACEMENTS_H
#define SINEW_DEFORMERS_MOTION_DECOMPOSE_EIGEN_DISPLACEMENTS_H

#include "motion/animation/progress.h"
#include "motion/transforms/transforms.h"

typedef struct snk_eigen_details {
	uint32_t count;
	snk_lanes *courses; /* [count][block_count]: unit vectors over the frames, 0 behind them */
	double *vectors;    /* [count][point_count][3], in the rest: the course times its singular value's vector */
	double *squares;    /* [count]: squared singular values, falling */
} snk_eigen_details;

/* What there is to say in a few displacements: gaps of points in all frames. */
typedef struct snk_error_source {
	uint32_t point_count, frame_count;
	/* Of the points [begin, end), gaps [end − begin][block_count][3], 0 behind the frames, and the linear map from the rest
	 * there, [end − begin][block_count][9]. Called from any thread at once. */
	void (*gaps)(const void *context, uint32_t begin, uint32_t end, snk_lanes *gaps, snk_lanes *linear);
	int are_rotations; /* the maps are rotations: errors are as long in the rest */
	const void *context;
} snk_error_source;

/* The first `wanted`, or as many as there are frames. Arrays are the pool's. SNW_CANCELLED where the steps end it: there are
 * none. */
snw_status snk_eigen_details_find(const snw_host *host, const snk_error_source *source, uint32_t wanted, const snk_steps *steps,
								  snw_pool *pool, snk_eigen_details *details);

/* Of the points themselves. */
snw_status snk_eigen_details_of_points(const snw_host *host, const snk_motion *motion, const snk_influences *influences,
									   const snk_transforms *transforms, uint32_t wanted, const snk_steps *steps,
									   snw_pool *pool, snk_eigen_details *details);

#endif
