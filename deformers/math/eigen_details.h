/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Eigen-displacements (P. Kry, D. James, D. Pai, EigenSkin, 2002; L. Kavan et al. 2007, section 5): what a blend leaves of each
 * point, taken back to the rest, as a few displacements of the whole mesh and a course over time for each. The first of the
 * singular value decomposition of those errors; found by subspace iteration from a random start (N. Halko, P. Martinsson,
 * J. Tropp, Finding structure with randomness, 2011), in which no matrix of that size is ever kept; where frames are few the
 * subspace is the whole and the decomposition is exact.
 */
#ifndef SINEW_DEFORMERS_MATH_EIGEN_DETAILS_H
#define SINEW_DEFORMERS_MATH_EIGEN_DETAILS_H

#include "math/transforms.h"

typedef struct snw_eigen_details {
	uint32_t count;
	snw_lanes *courses; /* [count][block_count]: unit vectors over the frames, 0 behind them */
	double *vectors;    /* [count][point_count][3], in the rest: the course times its singular value's vector */
	double *squares;    /* [count]: squared singular values, falling */
} snw_eigen_details;

/* The first `wanted`, or as many as there are frames. Arrays are the pool's. */
snw_status snw_eigen_details_find(const snw_host *host, const snw_motion *motion, const snw_influences *influences,
								  const snw_transforms *transforms, uint32_t wanted, snw_pool *pool,
								  snw_eigen_details *details);

#endif
