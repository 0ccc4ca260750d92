/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One block of frames while its transforms are fitted: shared by the files of this folder alone.
 */
#ifndef SINEW_DEFORMERS_MOTION_TRANSFORMS_TRANSFORM_BLOCK_H
#define SINEW_DEFORMERS_MOTION_TRANSFORMS_TRANSFORM_BLOCK_H

#include "motion/transforms/transforms.h"
#include "sinew/algebra.h"

typedef struct transform_job {
	const snk_transform_fit *fit;
	snk_transform_kind kind;
	const snk_lane_kernels *kernels;
	const snk_transforms *transforms;
	snk_joint_rank *ranks;
	snk_lanes *affine;      /* the factor, for affine ones */
	snk_lanes *locals;      /* [block_count][joint_count][8]: local motions as dual quaternions, on the side of the joints */
	snk_lanes *local_steps; /* the same size: the joints' steps from them, rotated back to the rest */
	snk_lanes *strengths;   /* [block_count]: of the damping */
	double *squares;        /* [block_count] */
	unsigned char *failed;  /* [block_count]: out of memory */
} transform_job;

typedef struct transform_block {
	snw_pool pool;
	snk_lanes squares; /* Σ |v'|² */
	snk_lane_matrix *targets;
	snk_lane_matrix *matrices; /* acting on v̂; first what the points near a joint say */
	snk_lane_matrix *tried;
	snk_lanes *blocks;
	snk_lanes *right;
} transform_block;

/* The rigid motion of each joint by itself: of its own points, and a little of its neighbours' and of all. Into matrices. */
void find_local_motions(const transform_job *job, transform_block *block);

/* Whether a joint starts at its local motion, not at the transforms as they are. */
int starts_anew(const snk_transform_fit *fit, uint32_t joint);

/* Opens what a block needs; block->pool says whether it failed. */
void open_transform_block(const transform_job *job, transform_block *block);

/* The local motions in block->matrices, as dual quaternions of points without the motion's centre. */
void local_dual_quaternion(const transform_job *job, const transform_block *block, uint32_t joint, snk_lanes *q);

/* The signs of those joints that start anew, over all frames. SNW_ERROR_MEMORY where there is none. */
snw_status settle_signs(const snk_transform_fit *fit, const snk_transforms *transforms);

/* All of it, for dual quaternions. */
snw_status fit_dual_quaternions(transform_job *job, snw_pool *pool);

/* Where each joint takes its centre: steps rotate about it. */
void move_centres(const snk_blend_graph *graph, const snk_lane_dual_quaternion *q, snk_lane_vector *centres);

/* Fills `locals` and `local_steps` for one block, whose targets and matrices are found. */
void find_local_steps(const transform_job *job, uint32_t block, const transform_block *transforms,
					  const snk_lane_dual_quaternion *q, const snk_lane_vector *centres);

/* The steps that the joints of a block are pulled toward, [joint_count][8]: from `local_steps` of the frames beside. */
void find_expected_steps(const transform_job *job, uint32_t block, snk_lanes *expected_steps);

/* Adds the regularisation to the squares, and to the equations where these are not NULL. */
void add_regularisation(const transform_job *job, uint32_t block, const snk_lane_dual_quaternion *q,
						const snk_lane_vector *centres, const snk_lanes *expected_steps, snk_lanes *squares, snk_lanes *blocks,
						snk_lanes *right);

/* Adds the squares of the block's frames to job->squares. */
void store_squares(const transform_job *job, uint32_t block, const snk_lanes *squares);

/* Keeps what was tried in the lanes where it is better; adapts the damping. Returns whether another step is worth it. */
int accept_lanes(const transform_job *job, size_t count, const snk_lanes *tried, snk_lanes *best,
				 const snk_lanes *tried_squares, snk_lanes *squares, snk_lanes *strength);

#endif
