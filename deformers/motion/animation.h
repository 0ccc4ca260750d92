/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The working copy of a mesh animation for fits, in vectors of eight frames. All frames are fitted separately with the same
 * steps, so each number becomes a vector of that number in eight frames, and results have the same bits with every instruction
 * set.
 */
#ifndef SINEW_DEFORMERS_MOTION_ANIMATION_H
#define SINEW_DEFORMERS_MOTION_ANIMATION_H

#include <stdint.h>

#include "sinew/kit/fit/fit.h"
#include "sinew/kit/fit/samples.h"
#include "sinew/pool.h"

/* ---- lanes --------------------------------------------------------------------------------------------------------------- */

/* Vectors of eight frames. All frames are fitted separately with the same steps, so each number becomes a vector of that number
 * in eight frames, and results have the same bits with every instruction set. */

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

/* ---- progress ------------------------------------------------------------------------------------------------------------ */

/* Progress and cancellation of long work. */

/* `go_on` is called between steps, on the thread that started the work, with the fraction done, which never decreases. Work
 * stops if it returns 0. NULL: work is never stopped. */
typedef struct snk_steps {
	int (*go_on)(void *context, double done);
	void *context;
} snk_steps;

static inline int snk_steps_go_on(const snk_steps *steps, double done) {
	return !steps->go_on || steps->go_on(steps->context, done);
}

/* ---- animation ----------------------------------------------------------------------------------------------------------- */

/* The working copy of a mesh animation for fits, with eight frames side by side. */

typedef struct snk_motion {
	uint32_t point_count;
	uint32_t frame_count;
	uint32_t block_count; /* of SNK_LANES frames; the last block is filled by repeating the last frame */
	double centre[3];     /* of the rest points; subtracted from all points below, to avoid cancellation far from the origin */
	const double *points_rest;   /* [point_count][3] */
	const unsigned char *breaks; /* [frame_count]: 1 if a frame does not continue the previous one; NULL: all do */
	snk_float_lanes *posed;      /* [block_count][point_count][3] */
} snk_motion;

/* Copies `frames` [frame_count], each float[point_count][3]. SNW_ERROR_MEMORY if memory runs out. */
snw_status snk_motion_make(snw_pool *pool, uint32_t point_count, const double *points_rest, uint32_t frame_count,
						   const float *const *frames, snk_motion *motion);

/* The frames of a mesh, of all its sequences and targets in turn: *frames [frame_count of `motion`]. `motion` stays empty where
 * there are none. SNW_ERROR_MEMORY; SNW_ERROR_DATA or SNW_ERROR_LIMIT, with a message in the task, for frames that cannot be
 * read. */
snw_status snk_motion_gather(const snw_fit_input *input, uint32_t mesh, snw_pool *pool, snk_animations *animations,
							 const float ***frames, snk_motion *motion);

/* One coordinate of one point in a block. */
static inline const snk_float_lanes *snk_motion_point(const snk_motion *motion, uint32_t block, uint32_t point) {
	return motion->posed + 3 * ((size_t)block * motion->point_count + point);
}

/* The number of frames in a block that are not fillers. */
static inline uint32_t snk_motion_lanes(const snk_motion *motion, uint32_t block) {
	const uint32_t remaining = motion->frame_count - block * SNK_LANES;
	return remaining < SNK_LANES ? remaining : SNK_LANES;
}

#endif
