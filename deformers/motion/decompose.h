/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Decomposes a mesh animation into joints, weights and transforms: few non-negative weights for each point, and rigid or affine
 * transforms under linear blend or dual quaternions, alternating (as in D. James and C. Twigg, Skinning mesh animations, 2005,
 * and B. Le and Z. Deng, Smooth skinning decomposition with rigid bones, 2012). Beyond these papers, the transforms of all
 * joints are solved together, supports are searched by exchanges, and joints of little use are moved to the largest errors.
 * Weights of neighbouring points can be held together, and the largest distance can be bounded (bound_largest.c).
 * Starts from given weights or from clusters of points under rigid motion.
 */
#ifndef SINEW_DEFORMERS_MOTION_DECOMPOSE_H
#define SINEW_DEFORMERS_MOTION_DECOMPOSE_H

#include "motion/animation.h"
#include "motion/transforms.h"
#include "sinew/kit/mesh/adjacency.h"

typedef struct snk_decompose_options {
	const snw_host *host;
	const snk_motion *motion;
	snk_transform_kind kind;
	uint32_t joint_count;
	uint32_t influences; /* for each point, at most SNK_FIT_INFLUENCES */
	uint32_t iterations; /* 0: until the fit stalls */
	/* Squared metres: this times Σ |w − w'|² over the edges of the mesh is added to the squared error. 0 for none. */
	double smoothness;
	const snk_adjacency *adjacency; /* of the points; NULL without smoothness */
	double largest;                 /* metres: the distance that no point is to exceed in any frame; 0 for none */
	/* What stays: the weights of the starts at held points [point_count], and the transforms [block_count][joint_count][12] of
	 * locked joints [joint_count]. NULL for none; not of dual quaternions. Joints that held points have keep their place. */
	const unsigned char *held, *locked;
	const snk_lanes *given;
	snk_steps steps; /* if they stop the fit, the best result so far is returned */
} snk_decompose_options;

/* The best result; its arrays are in the pool. */
typedef struct snk_decomposition {
	snk_influences influences;
	snk_transforms transforms;
	double squares;      /* Σ |v' − blend|² over points and frames, and the part for smoothness */
	uint32_t iterations; /* done */
	int stopped;         /* by `steps` */
} snk_decomposition;

/* Clusters of points under rigid motion: `clusters` [point_count]. k-means, with clusters split at the largest errors until
 * there are `joint_count`; none is empty if there are enough points. SNW_CANCELLED if `steps` stop it. */
snw_status snk_motion_clusters(const snw_host *host, const snk_motion *motion, uint32_t joint_count, const snk_steps *steps,
							   uint32_t *clusters);

/* Runs a few iterations from each of `starts` [start_count], at least one, which have the requested joint count; continues from
 * the one with the smallest error. */
snw_status snk_decompose(const snk_decompose_options *options, uint32_t start_count, const snk_influences *starts,
						 snw_pool *pool, snk_decomposition *result);

/* Influences of weight 1 for the cluster of each point. */
snw_status snk_cluster_influences(snw_pool *pool, uint32_t point_count, uint32_t joint_count, const uint32_t *clusters,
								  snk_influences *influences);

#endif
