/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The fit of one block of frames. Private to this folder.
 */
#ifndef SINEW_DEFORMERS_MOTION_TRANSFORM_BLOCK_H
#define SINEW_DEFORMERS_MOTION_TRANSFORM_BLOCK_H

#include "motion/transforms.h"
#include "sinew/algebra.h"

typedef struct transform_job {
	const snk_transform_fit *fit;
	snk_transform_kind kind;
	const snk_lane_kernels *kernels;
	const snk_transforms *transforms;
	snk_joint_rank *ranks;
	snk_lanes *affine;      /* the factored matrix, for affine transforms */
	snk_lanes *locals;      /* [block_count][joint_count][8]: local motions as dual quaternions, with the joints' signs */
	snk_lanes *local_steps; /* [block_count][joint_count][8]: the joints' steps from them, rotated back to rest */
	snk_lanes *strengths;   /* [block_count]: of the damping */
	double *squares;        /* [block_count] */
	unsigned char *failed;  /* [block_count]: out of memory */
} transform_job;

typedef struct transform_block {
	snw_pool pool;
	snk_lanes squares; /* Σ |v'|² */
	snk_lane_matrix *targets;
	snk_lane_matrix *matrices; /* acting on v̂; initially the local motions */
	snk_lane_matrix *tried;
	snk_lane_matrix *given, *stored; /* of locked joints: acting on v̂, and as they were; NULL without any */
	snk_lanes *blocks;
	snk_lanes *right;
} transform_block;

/* Sets `matrices` to the rigid motion of each joint: of its points, and with small weights of its neighbours' and of all. */
void find_local_motions(const transform_job *job, transform_block *block);

/* Whether a joint starts at its local motion instead of its current transforms. */
int starts_at_local_motion(const snk_transform_fit *fit, uint32_t joint);

/* Allocates the arrays of a block; block->pool.failed if memory runs out. */
void open_transform_block(const transform_job *job, transform_block *block);

/* Runs the whole fit for dual quaternions. */
snw_status fit_dual_quaternions(transform_job *job, snw_pool *pool);

/* Adds the squares of the block's frames to job->squares. */
void store_squares(const transform_job *job, uint32_t block, const snk_lanes *squares);

/* Accepts the tried values in the lanes where they are better, and adapts the damping. Returns whether another step is
 * useful. */
int accept_lanes(const transform_job *job, size_t count, const snk_lanes *tried, snk_lanes *best,
				 const snk_lanes *tried_squares, snk_lanes *squares, snk_lanes *strength);

#endif
