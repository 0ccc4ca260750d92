/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One block of frames while its transforms are fitted: shared by transforms.c, transforms_dual.c, dual_signs.c and local_motion.c
 * alone.
 */
#ifndef SINEW_DEFORMERS_MATH_TRANSFORM_BLOCK_H
#define SINEW_DEFORMERS_MATH_TRANSFORM_BLOCK_H

#include "math/transforms.h"
#include "sinew/algebra.h"

typedef struct transform_job {
	const snw_transform_fit *fit;
	snw_transform_kind kind;
	const snw_lane_kernels *kernels;
	const snw_transforms *transforms;
	snw_joint_hold *holds;
	snw_lanes *affine;     /* the factor, for affine ones */
	double *squares;       /* [block_count] */
	unsigned char *failed; /* [block_count]: out of memory */
} transform_job;

typedef struct transform_block {
	snw_pool pool;
	snw_lanes squares; /* Σ |v'|² */
	snw_lane_matrix *targets;
	snw_lane_matrix *matrices; /* acting on v̂; first what the points near a joint say */
	snw_lane_matrix *tried;
	snw_lanes *blocks;
	snw_lanes *right;
} transform_block;

/* The rigid motion of each joint by itself: of its own points, and a little of its neighbours' and of all. Into matrices. */
void find_local_motions(const transform_job *job, transform_block *own);

/* Whether a joint starts at its local motion, not at the transforms as they are. */
int starts_anew(const snw_transform_fit *fit, uint32_t joint);

/* From the matrices, for those joints that start anew. */
void start_dual_block(const transform_job *job, const transform_block *own, snw_lane_dual_quaternion *q);

/* The signs of those joints that start anew, over all frames. SNW_ERROR_MEMORY where there is none. */
snw_status settle_signs(const snw_transform_fit *fit, const snw_transforms *transforms);

void fit_dual_block(const transform_job *job, uint32_t block, transform_block *own, snw_lane_dual_quaternion *q);

/* Frames of the block that are the animation's own. */
void store_squares(const transform_job *job, uint32_t block, const snw_lanes *squares);

/* Keeps what was tried in the lanes where it is better; adapts the damping. Returns whether another step is worth it. */
int accept_lanes(const transform_job *job, size_t count, const snw_lanes *tried, snw_lanes *kept,
				 const snw_lanes *tried_squares, snw_lanes *squares, snw_lanes *strength);

#endif
