/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The state of a decomposition. Private to this folder.
 */
#ifndef SINEW_DEFORMERS_MOTION_DECOMPOSE_STATE_H
#define SINEW_DEFORMERS_MOTION_DECOMPOSE_STATE_H

#include "motion/decompose.h"

typedef struct decomposition {
	const snk_decompose_options *options;
	const snk_lane_kernels *kernels;
	/* `influences` entries for each point, of which the first counts[i] are used. */
	uint32_t *counts, *joints, *next_joints;
	double *weights, *next_weights;
	/* The same without gaps, for the transforms. */
	uint32_t *packed_offsets, *packed_joints;
	double *packed_weights;
	snk_influences influences;
	snk_transforms transforms;
	unsigned char *cold;         /* [joint_count]: joints whose transforms start at their local motion */
	double *errors;              /* [point_count]: squared, over all frames */
	unsigned char *pinned;       /* [joint_count]: joints that stay at their places */
	double *costs;               /* [joint_count]: the error that removing a joint would add, from the last search */
	double squares;              /* of all points, and the part for smoothness */
	snk_float_lanes *importance; /* [block_count][point_count]: factors of squared distances for the weights; NULL for 1 */
	/* Extrapolation: the transforms of the last iteration, those of this one before extrapolation, and its factor. */
	snk_lanes *previous, *plain;
	int has_previous;
	double reach;
} decomposition;

/* Fits weights to the current transforms; with `search`, supports too. */
snw_status decompose_fit_weights(decomposition *d, int search);

static inline int decompose_is_held(const decomposition *d, uint32_t point) {
	return d->options->held && d->options->held[point];
}

/* Makes next_joints and next_weights current. */
void decompose_pack(decomposition *d);

/* Reduces the largest distance to options->largest, or as far as it goes; keeps the state with the smallest. Its progress is
 * from `from` to 1. */
snw_status decompose_bound_largest(decomposition *d, double from);

/* Saved states of a decomposition. */
typedef struct decompose_snapshot {
	uint32_t *counts, *joints;
	double *weights;
	snk_lanes *transforms;
	double squares;
} decompose_snapshot;

/* Arrays from the pool, which fails if memory runs out. */
void decompose_snapshot_open(snw_pool *pool, const decomposition *d, decompose_snapshot *dest);
void decompose_save(const decomposition *d, decompose_snapshot *dest);
void decompose_restore(const decompose_snapshot *from, decomposition *d);

#endif
