/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A decomposition under way: shared by decompose.c, weights.c and extrapolate.c alone.
 */
#ifndef SINEW_DEFORMERS_MOTION_DECOMPOSE_DECOMPOSE_STATE_H
#define SINEW_DEFORMERS_MOTION_DECOMPOSE_DECOMPOSE_STATE_H

#include "motion/decompose/decompose.h"

typedef struct decomposition {
	const snk_decompose_options *options;
	const snk_lane_kernels *kernels;
	/* `influences` places for each point, the first counts[i] in use. */
	uint32_t *counts, *joints, *next_joints;
	double *weights, *next_weights;
	/* The same without gaps, as the transforms read it. */
	uint32_t *packed_offsets, *packed_joints;
	double *packed_weights;
	snk_influences influences;
	snk_transforms transforms;
	unsigned char *cold; /* [joint_count]: joints whose transforms start anew */
	double *errors;      /* [point_count]: squared, over all frames */
	double *costs;       /* [joint_count]: what leaving a joint out would add, as the last search found */
	double squares;
	/* Extrapolation: the transforms of the last iteration, those of this one before extrapolation, and its factor. */
	snk_lanes *previous, *plain;
	int has_previous;
	double reach;
} decomposition;

/* Extrapolates the transforms by `reach` times what changed since the last iteration. */
void decompose_extrapolate(decomposition *d, const snk_blend_graph *graph);

/* New weights for the transforms as they are; `search`: and supports. */
snw_status decompose_weigh(decomposition *d, int search);

/* next_… become the weights. */
void decompose_pack(decomposition *d);

#endif
