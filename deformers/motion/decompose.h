/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Decomposes a mesh animation into joints, weights and transforms: few non-negative weights for each point, and rigid or affine
 * transforms under linear blend or dual quaternions, alternating (as in D. James and C. Twigg, Skinning mesh animations, 2005,
 * and B. Le and Z. Deng, Smooth skinning decomposition with rigid bones, 2012). Beyond these papers, the transforms of all
 * joints are solved together, supports are searched by exchanges, and joints of little use are moved to the largest errors.
 * Weights of neighbouring points can be held together, and the largest distance can be bounded (decompose_weights.c).
 * Starts from given weights or from clusters of points under rigid motion.
 */
#ifndef SINEW_DEFORMERS_MOTION_DECOMPOSE_H
#define SINEW_DEFORMERS_MOTION_DECOMPOSE_H

#include <stdint.h>

#include "motion/animation.h"
#include "motion/transforms.h"
#include "sinew/kit/mesh/mesh.h"
#include "sinew/pool.h"

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

/* ---- clusters ------------------------------------------------------------------------------------------------------------ */

/* Points that belong together: what a decomposition starts from. */

/* ---- proxy joints -------------------------------------------------------------------------------------------------------- */

/* Proxy joints for a mesh without a rig (L. Kavan et al., Skinning arbitrary deformations, 2007, section 3): the greedy
 * p-centre of its rest points (T. Gonzalez, Clustering to minimize the maximum intercluster distance, 1985), with at most twice
 * the optimal radius, and weights that decrease linearly around each. A cover of p joints begins with the cover of p − 1. */

/* Chooses up to `wanted` points, each the furthest from all before it; the first is the furthest from the mean. Returns their
 * number, which is smaller if there are fewer distinct rest points. `centres` [wanted]: points; `radii` [wanted] (may be NULL):
 * the cover's radius with that many centres. On return, `scratch` [point_count] has the distances to the nearest centre. */
uint32_t snk_p_centre(uint32_t point_count, const double *points_rest, uint32_t wanted, uint32_t *centres, double *radii,
					  double *scratch);

/* Weights 1 − distance / (spread · radius), at most `most` (1 to SNK_FIT_INFLUENCES) for a point, the largest, normalised. A
 * point out of reach of all joints follows the nearest one. */
snw_status snk_proxy_weights(snw_pool *pool, uint32_t point_count, const double *points_rest, uint32_t joint_count,
							 const uint32_t *centres, double radius, double spread, uint32_t most, snk_influences *influences);

/* ---- nearest points ------------------------------------------------------------------------------------------------------ */

/* The points nearest to a given point. */

/* At most this many. */
enum { SNK_NEAREST = 24 };

/* Fills `nearest`, nearest first, `from` included; only with points of the same cluster if `clusters` [point_count] is not
 * NULL. Of equally near points the lower index comes first. Returns the number of points. */
uint32_t snk_nearest_points(uint32_t point_count, const double *points_rest, const uint32_t *clusters, uint32_t from,
							uint32_t nearest[SNK_NEAREST]);

/* ---- dense decompositions ------------------------------------------------------------------------------------------------ */

/* Decomposes a mesh animation into affine transforms and dense weights: every joint moves every point, by weights of either
 * sign that sum to 1. It is the class of S. Liu, J. Tan, Z. Deng and Y. Gingold, Hyperspectral inverse skinning, 2020. The
 * errors of such a blend are the least that any linear blend of so many joints can have; no engine plays it.
 *
 * The sum of squares is least in the weights of each point for given transforms, and in all transforms for given weights; both
 * are small linear systems. Alternating between them converges slowly, so the transforms of the next iteration are extrapolated
 * from the last ones (D. G. Anderson, Iterative procedures for nonlinear integral equations, 1965). Where that makes the error
 * larger, it goes on from the transforms before. */

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

/* ---- eigen-displacements ------------------------------------------------------------------------------------------------- */

/* Eigen-displacements (P. Kry, D. James, D. Pai, EigenSkin, 2002; L. Kavan et al. 2007, section 5): the residuals of a blend at
 * each point, mapped back to rest space, as a few displacements of the whole mesh, each with a course over time. They are the
 * first terms of the singular value decomposition of these residuals E, computed in the subspace spanned by a random block of
 * courses and two applications of EᵀE to it (N. Halko, P. Martinsson, J. Tropp, Finding structure with randomness, 2011; C.
 * Musco and C. Musco, Randomized block Krylov methods, 2015). The passes over the points need no matrix of the size of E. If
 * there are few frames, the subspace is the whole space and the decomposition is exact. If the maps from rest space are not
 * rotations, the smallest residuals in rest space are not the smallest posed ones; then each point's displacements are fitted
 * to the posed residuals for these courses. */

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
