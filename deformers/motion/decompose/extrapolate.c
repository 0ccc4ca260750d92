/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Extrapolates transforms in the direction in which the last iteration changed them.
 */
#include <string.h>

#include "motion/decompose/decompose_state.h"
#include "sinew/kit/numerics/svd3.h"

/* Replaces the linear part by the nearest rotation; the joint's posed centre is unchanged. */
static void make_rigid(const double centre[3], uint32_t lane, snk_lanes *matrix) {
	double linear[9], rotation[9];
	for (int r = 0; r < 3; r++) {
		for (int c = 0; c < 3; c++) {
			linear[3 * r + c] = matrix[4 * r + c][lane];
		}
	}
	snk_nearest_rotation(linear, rotation);
	for (int r = 0; r < 3; r++) {
		for (int c = 0; c < 3; c++) {
			matrix[4 * r + 3][lane] += (linear[3 * r + c] - rotation[3 * r + c]) * centre[c];
			matrix[4 * r + c][lane] = rotation[3 * r + c];
		}
	}
}

void decompose_extrapolate(decomposition *d, const snk_blend_graph *graph) {
	const size_t joints = d->transforms.joint_count, width = snk_transform_width(d->transforms.kind);
	const size_t count = joints * width * d->transforms.block_count;
	snk_lanes *values = d->transforms.values;
	memcpy(d->plain, values, count * sizeof *values);
	if (d->has_previous && d->reach > 0) {
		for (size_t i = 0; i < count; i++) {
			values[i] += d->reach * (values[i] - d->previous[i]);
		}
		for (size_t n = 0; d->transforms.kind == SNK_TRANSFORMS_RIGID && n < joints * d->transforms.block_count; n++) {
			const int is_locked = d->options->locked && d->options->locked[n % joints];
			for (uint32_t lane = 0; lane < SNK_LANES && !is_locked; lane++) {
				make_rigid(graph->centres[n % joints], lane, values + 12 * n);
			}
		}
	}
	memcpy(d->previous, d->plain, count * sizeof *values);
	d->has_previous = 1;
}
