/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Decomposes a mesh animation into affine transforms and dense weights: every joint moves every point, by weights of either
 * sign that sum to 1. It is the class of S. Liu, J. Tan, Z. Deng and Y. Gingold, Hyperspectral inverse skinning, 2020. The
 * errors of such a blend are the least that any linear blend of so many joints can have; no engine plays it.
 *
 * The sum of squares is least in the weights of each point for given transforms, and in all transforms for given weights; both
 * are small linear systems. Alternating between them converges slowly, so the transforms of the next iteration are extrapolated
 * from the last ones (D. G. Anderson, Iterative procedures for nonlinear integral equations, 1965). Where that makes the error
 * larger, it goes on from the transforms before.
 */
#ifndef SINEW_DEFORMERS_MOTION_DENSE_H
#define SINEW_DEFORMERS_MOTION_DENSE_H

#include "motion/animation.h"
#include "motion/transforms.h"

enum { SNK_DENSE_JOINTS = 200 /* at most */ };

typedef struct snk_dense_options {
	const snw_host *host;
	const snk_motion *motion;
	uint32_t joint_count;
	uint32_t iterations; /* at most; 0: until the fit stalls */
	snk_steps steps;     /* if they stop the fit, the best result so far is returned */
} snk_dense_options;

typedef struct snk_dense_fit {
	snk_influences influences; /* each point's over all joints, in order */
	snk_transforms transforms;
	double squares; /* Σ |v' − blend|² over points and frames */
	uint32_t iterations;
	int stopped; /* by `steps` */
} snk_dense_fit;

/* Runs a few iterations from each of `starts`, at least one, which have the joint count; continues from the one with the
 * smallest error. The arrays are the pool's. Errors: SNW_ERROR_MEMORY, SNW_ERROR_LIMIT for more joints than SNK_DENSE_JOINTS,
 * SNW_ERROR_DATA if no squares are finite. */
snw_status snk_dense_decompose(const snk_dense_options *options, uint32_t start_count, const snk_influences *starts,
							   snw_pool *pool, snk_dense_fit *fit);

#endif
