/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Eight frames at a time: what the fits of a mesh animation compute in. Each frame is fitted by itself with the same steps, so a
 * number becomes a vector of that number in eight frames, and the results are the same bits on every instruction set.
 */
#ifndef SINEW_DEFORMERS_MOTION_ANIMATION_LANES_H
#define SINEW_DEFORMERS_MOTION_ANIMATION_LANES_H

#include <stdint.h>

#define SNK_LANES 8

typedef double snk_lanes __attribute__((vector_size(SNK_LANES * sizeof(double))));
typedef float snk_float_lanes __attribute__((vector_size(SNK_LANES * sizeof(float))));

/* How many influences of a point the fits take. */
#define SNK_FIT_INFLUENCES 12

/* Influences of points: those of point i are [offsets[i], offsets[i + 1]), joints each once, weights summing to 1. */
typedef struct snk_influences {
	uint32_t point_count;
	uint32_t joint_count;
	const uint32_t *offsets; /* [point_count + 1] */
	const uint32_t *joints;
	const double *weights;
} snk_influences;

#endif
