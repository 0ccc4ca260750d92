/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The transforms of joints over a mesh animation, fitted frame by frame to given weights (L. Kavan et al., Skinning arbitrary
 * deformations, 2007, section 4):
 *
 *   affine           4.1: one matrix, of the rest alone, for all frames and coordinates
 *   rigid            rotations and shifts under linear blend, by Gauss and Newton's steps on the moments
 *   dual quaternion  4.2 with its conjugates in place: v' q₀ − q₀ v − 2 q_ε = 0, four equations a point, relative to what each
 *                    joint's own points say (q = x Q, Q rigid), so that half turns and tumbles are like any other motion; the
 *                    lengths stay. Then steps on the distance itself, which is not what the linear system makes small,
 *                    leaning on what joints do beyond Q in the frames beside (leaning.c). Signs hold together over time: the mix of two
 *                    frames is the mix of their blends.
 *
 * A joint whose points do not say how it moves (few, on a line, in a plane) is held to a rigid motion that its neighbours
 * share.
 */
#ifndef SINEW_DEFORMERS_MOTION_TRANSFORMS_TRANSFORMS_H
#define SINEW_DEFORMERS_MOTION_TRANSFORMS_TRANSFORMS_H

#include "motion/animation/progress.h"
#include "motion/kernels/kernels.h"

typedef enum snk_transform_kind {
	SNK_TRANSFORMS_AFFINE = 0,
	SNK_TRANSFORMS_RIGID = 1,
	SNK_TRANSFORMS_DUAL_QUATERNION = 2,
} snk_transform_kind;

/* Of all joints in all frames, acting on points without the motion's centre. */
typedef struct snk_transforms {
	snk_transform_kind kind;
	uint32_t joint_count;
	uint32_t block_count;
	snk_lanes *values; /* [block_count][joint_count][12], or [8] for dual quaternions */
	double squares;    /* the squared error over all frames, as the last fit left it */
} snk_transforms;

/* What a joint's own points leave open: the joint is held to its neighbours with the strength given, in these directions. */
typedef struct snk_joint_rank {
	double metric[16]; /* 4 × 4 of v̂: Σ (T − rigid) metric (T − rigid)ᵀ is added to the squared error */
	double size;       /* mean squared spread of its points, by squared weights */
	int flat;          /* few, collinear or coplanar */
	int collinear;     /* or few: a rigid motion is not determined either */
} snk_joint_rank;

typedef struct snk_transform_fit {
	const snw_host *host;
	const snk_motion *motion;
	const snk_blend_graph *graph;
	uint32_t rounds;           /* of steps on the distance, at most */
	double enough;             /* stop where a step lowers the squared error by less than this part of it */
	int linear_only;           /* dual quaternions: no steps on the distance */
	int warm;                  /* start from the transforms as they are: rigid and dual quaternion */
	const unsigned char *cold; /* [joint_count]: joints that do not, though; NULL for none */
	snk_steps steps;           /* asked between steps on the distance of dual quaternions; where it ends, they do: no error */
} snk_transform_fit;

uint32_t snk_transform_width(snk_transform_kind kind);

/* SNW_ERROR_MEMORY where there is none. */
snw_status snk_transforms_make(snw_pool *pool, snk_transform_kind kind, uint32_t joint_count, const snk_motion *motion,
							   snk_transforms *transforms);

/* The ranks of all joints of a graph [joint_count]; returns how many joints are flat. */
uint32_t snk_joint_ranks(const snk_blend_graph *graph, snk_joint_rank *ranks);

/* Fits every frame. SNW_ERROR_MEMORY where there is none. */
snw_status snk_transforms_fit(const snk_transform_fit *fit, snk_transforms *transforms);

static inline snk_lanes *snk_transforms_block(const snk_transforms *transforms, uint32_t block) {
	return transforms->values + (size_t)block * transforms->joint_count * snk_transform_width(transforms->kind);
}

#endif
