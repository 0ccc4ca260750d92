/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A dense decomposition in progress: its two linear fits (dense_steps.c), the extrapolation
 * (extrapolation.c), and the joints of the result (basis.c).
 */
#ifndef SINEW_DEFORMERS_MOTION_DENSE_STATE_H
#define SINEW_DEFORMERS_MOTION_DENSE_STATE_H

#include "motion/dense/dense.h"

typedef struct dense_fit {
	const snk_dense_options *options;
	const snk_motion *motion;
	const snk_lane_kernels *kernels;
	uint32_t joints;
	double *weights;           /* [point_count][joints] */
	snk_lanes *values;         /* [block_count][joints][12] */
	double *squares;           /* [point_count] */
	double *matrix;            /* [4 joints][4 joints]: Σ w w v̂ v̂ᵀ */
	double *rights;            /* [3 frames][4 joints] */
	double squares_sum;        /* of the last weights; HUGE_VAL if it is not finite */
	unsigned char *has_failed; /* [parts] */
} dense_fit;

/* How many numbers the transforms have. */
static inline size_t dense_value_count(const dense_fit *d) {
	return (size_t)12 * SNK_LANES * d->joints * d->motion->block_count;
}

/* The weights of all points for the current transforms, and the squared error. */
snw_status dense_fit_weights(dense_fit *d);

/* The transforms of all frames for the current weights. */
snw_status dense_fit_transforms(dense_fit *d);

/* ---- basis.c ---- */

/* Replaces weights and transforms by others of the same blend. */
snw_status dense_choose_basis(dense_fit *d);

/* ---- extrapolation.c ---- */

enum { DENSE_MEMORY = 8 };

/* The transforms that iterations began with and ended with, the last ones. */
typedef struct extrapolation {
	size_t length;
	uint32_t count, next;                            /* stored, at most DENSE_MEMORY; the place of the next */
	double *ends[DENSE_MEMORY], *gaps[DENSE_MEMORY]; /* [length]: ends, and ends − beginnings */
} extrapolation;

snw_status extrapolation_open(size_t length, snw_pool *pool, extrapolation *e);
void extrapolation_forget(extrapolation *e);

/* Stores an iteration, and replaces `values` by the combination of ends whose gap is least. */
void extrapolation_add(extrapolation *e, const double *begin, const double *end, double *values);

#endif
