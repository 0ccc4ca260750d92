/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Joints, weights and transforms of a mesh animation together: few non-negative weights a point, and rigid or affine transforms
 * under linear blend or dual quaternions, in turns, each for the other (in the line of D. James and C. Twigg, Skinning mesh
 * animations, 2005, and B. Le and Z. Deng, Smooth skinning decomposition with rigid bones, 2012; beyond them in that transforms
 * of all joints are found together, supports are searched by exchanges, and joints that do little are planted anew where the
 * error is). Starts from given weights or from clusters of points under rigid motion.
 */
#ifndef SINEW_DEFORMERS_MOTION_DECOMPOSE_DECOMPOSE_H
#define SINEW_DEFORMERS_MOTION_DECOMPOSE_DECOMPOSE_H

#include "motion/animation/progress.h"
#include "motion/transforms/transforms.h"

typedef struct snk_decompose_options {
	const snw_host *host;
	const snk_motion *motion;
	snk_transform_kind kind;
	uint32_t joint_count;
	uint32_t influences; /* of a point, at most SNK_FIT_INFLUENCES */
	uint32_t iterations; /* 0: until it stalls */
	snk_steps steps;     /* where they end it, the best so far is the result */
} snk_decompose_options;

/* The best so far; its arrays are the pool's. */
typedef struct snk_decomposition {
	snk_influences influences;
	snk_transforms transforms;
	double squares;      /* Σ |v' − blend|² over points and frames */
	uint32_t iterations; /* done */
	int stopped;         /* by the steps */
} snk_decomposition;

/* Clusters of points under rigid motion: `clusters` [point_count]. k-means, its clusters split where the error is until there
 * are `joint_count` of them; none is empty where there are as many points. SNW_CANCELLED where the steps end it. */
snw_status snk_motion_clusters(const snw_host *host, const snk_motion *motion, uint32_t joint_count, const snk_steps *steps,
							   uint32_t *clusters);

/* From `starts` [start_count], at least one, which have the joint count asked for: a few iterations from each, then on from
 * where least is left. */
snw_status snk_decompose(const snk_decompose_options *options, uint32_t start_count, const snk_influences *starts,
						 snw_pool *pool, snk_decomposition *result);

/* One cluster's points all with weight 1. */
snw_status snk_cluster_influences(snw_pool *pool, uint32_t point_count, uint32_t joint_count, const uint32_t *clusters,
								  snk_influences *influences);

#endif
