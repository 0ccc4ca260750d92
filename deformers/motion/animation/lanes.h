/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Vectors of eight frames. All frames are fitted separately with the same steps, so each number becomes a vector of that number
 * in eight frames, and results have the same bits with every instruction set.
 */
#ifndef SINEW_DEFORMERS_MOTION_ANIMATION_LANES_H
#define SINEW_DEFORMERS_MOTION_ANIMATION_LANES_H

#include <stdint.h>

#define SNK_LANES 8

typedef double snk_lanes __attribute__((vector_size(SNK_LANES * sizeof(double))));
typedef float snk_float_lanes __attribute__((vector_size(SNK_LANES * sizeof(float))));

/* The largest number of influences of a point in a fit. */
#define SNK_FIT_INFLUENCES 12

/* Influences of points: those of point i are [offsets[i], offsets[i + 1]), each joint once, with weights that sum to 1. */
typedef struct snk_influences {
	uint32_t point_count;
	uint32_t joint_count;
	const uint32_t *offsets; /* [point_count + 1] */
	const uint32_t *joints;
	const double *weights;
} snk_influences;

#endif
