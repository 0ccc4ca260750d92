/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The transforms of joints over a mesh animation, fitted frame by frame to given weights (L. Kavan et al., Skinning arbitrary
 * deformations, 2007, section 4):
 *   affine           4.1: one matrix for all frames and coordinates, from the rest points alone
 *   rigid            rotations and translations under linear blend, by Gauss-Newton steps on the moments
 *   dual quaternion  4.2 with its conjugates: v' q₀ − q₀ v − 2 q_ε = 0, four equations for each point, relative to the rigid
 *                    motion Q of each joint's points (q = x Q), so that half rotations and tumbles are handled like other
 *                    motions; the lengths are fixed. Then steps on the distance itself, which the linear system does not
 *                    minimise, regularised by the steps from Q in the neighbouring frames (dual_quaternions.c). Signs are
 *                    consistent over time, so that the mix of two frames is the mix of their blends.
 *
 * If a joint's points do not determine its motion (they are few, on a line or in a plane), it is held to a rigid motion that
 * its neighbours share.
 */
#ifndef SINEW_DEFORMERS_MOTION_TRANSFORMS_H
#define SINEW_DEFORMERS_MOTION_TRANSFORMS_H

#include "motion/animation.h"
#include "motion/kernels.h"
#include "sinew/algebra.h"

typedef enum snk_transform_kind {
	SNK_TRANSFORMS_AFFINE = 0,
	SNK_TRANSFORMS_RIGID = 1,
	SNK_TRANSFORMS_DUAL_QUATERNION = 2,
} snk_transform_kind;

/* The transforms of all joints in all frames, for points relative to the motion's centre. */
typedef struct snk_transforms {
	snk_transform_kind kind;
	uint32_t joint_count;
	uint32_t block_count;
	snk_lanes *values; /* [block_count][joint_count][12], or [8] for dual quaternions */
	double squares;    /* the squared error over all frames of the last fit */
} snk_transforms;

/* The directions of a joint's motion that its points do not determine: in these it is held to its neighbours, with a
 * strength. */
typedef struct snk_joint_rank {
	double metric[16]; /* 4 × 4 of v̂: Σ (T − rigid) metric (T − rigid)ᵀ is added to the squared error */
	double size;       /* mean squared spread of its points, by squared weights */
	int flat;          /* its points are few, collinear or coplanar */
	int collinear;     /* its points are few or collinear: even a rigid motion is not determined */
} snk_joint_rank;

typedef struct snk_transform_fit {
	const snw_host *host;
	const snk_motion *motion;
	const snk_blend_graph *graph;
	uint32_t rounds;           /* of steps on the distance, at most */
	double enough;             /* stop if a step reduces the squared error by less than this fraction */
	int linear_only;           /* dual quaternions: no steps on the distance */
	int warm;                  /* start from the current transforms: rigid and dual quaternion */
	const unsigned char *cold; /* [joint_count]: joints that start at their local motion even so; NULL for none */
	/* [joint_count]: joints that keep the matrices they have on entry, to the last bit; NULL for none. Under linear blend. */
	const unsigned char *locked;
	snk_steps steps; /* called between steps on the distance of dual quaternions; stopping them is not an error */
} snk_transform_fit;

uint32_t snk_transform_width(snk_transform_kind kind);

/* SNW_ERROR_MEMORY if memory runs out. */
snw_status snk_transforms_make(snw_pool *pool, snk_transform_kind kind, uint32_t joint_count, const snk_motion *motion,
							   snk_transforms *transforms);

/* The ranks of all joints of a graph [joint_count]; returns the number of flat joints. */
uint32_t snk_joint_ranks(const snk_blend_graph *graph, snk_joint_rank *ranks);

/* Fits every frame. SNW_ERROR_MEMORY if memory runs out. */
snw_status snk_transforms_fit(const snk_transform_fit *fit, snk_transforms *transforms);

static inline snk_lanes *snk_transforms_block(const snk_transforms *transforms, uint32_t block) {
	return transforms->values + (size_t)block * transforms->joint_count * snk_transform_width(transforms->kind);
}

#endif
