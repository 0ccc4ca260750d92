/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One point over all frames: its error under each joint alone, and products of such columns.
 */
#ifndef SINEW_DEFORMERS_MOTION_KERNELS_POINT_COLUMNS_H
#define SINEW_DEFORMERS_MOTION_KERNELS_POINT_COLUMNS_H

#include "motion/kernels/dual_quaternions.h"

/* 1 in the lanes of a block that are frames, otherwise 0. */
LANE_INLINE snk_lanes frame_mask(const snk_motion *motion, uint32_t block) {
	snk_lanes mask;
	const uint32_t count = snk_motion_lanes(motion, block);
	for (uint32_t lane = 0; lane < SNK_LANES; lane++) {
		mask[lane] = lane < count;
	}
	return mask;
}

static void linear_columns(const snk_motion *motion, const snk_lanes *transforms, uint32_t joint_count, uint32_t point,
						   uint32_t count, const uint32_t *joints, snk_lanes *columns) {
	const double *rest = motion->points_rest + 3 * (size_t)point;
	const size_t length = 3 * (size_t)motion->block_count;
	for (uint32_t block = 0; block < motion->block_count; block++) {
		const snk_lanes *matrices = transforms + (size_t)12 * joint_count * block, mask = frame_mask(motion, block);
		snk_lanes posed[3];
		lane_point(snk_motion_point(motion, block, point), posed);
		for (uint32_t k = 0; k < count; k++) {
			const snk_lanes *m = matrices + (size_t)12 * (joints ? joints[k] : k);
			for (uint32_t r = 0; r < 3; r++) {
				columns[k * length + 3 * block + r] =
					mask * (m[4 * r] * rest[0] + m[4 * r + 1] * rest[1] + m[4 * r + 2] * rest[2] + m[4 * r + 3] - posed[r]);
			}
		}
	}
}

/* With the blend's q₀ fixed: Σ w column is the gap for the weights of `current`. */
static void dual_columns(const snk_motion *motion, const snk_influences *current, const snk_lanes *transforms,
						 uint32_t joint_count, uint32_t point, uint32_t count, const uint32_t *joints, snk_lanes *columns) {
	const double *rest = motion->points_rest + 3 * (size_t)point;
	const size_t length = 3 * (size_t)motion->block_count;
	for (uint32_t block = 0; block < motion->block_count; block++) {
		const snk_lane_dual_quaternion *all = (const snk_lane_dual_quaternion *)(transforms + (size_t)8 * joint_count * block);
		snk_lanes posed[3];
		dual_point at;
		lane_point(snk_motion_point(motion, block, point), posed);
		blend_point(current, point, all, rest, posed, &at);
		const snk_lanes scale = at.inverse * frame_mask(motion, block);
		for (uint32_t k = 0; k < count; k++) {
			const snk_lanes *q = all[joints ? joints[k] : k];
			snk_lanes e[4], half[4], product[4];
			const snk_lanes wide[4] = {posed[0], posed[1], posed[2], posed[0] * 0};
			lane_multiply(wide, q, e);
			lane_multiply_point(q, rest, half);
			for (int i = 0; i < 4; i++) {
				e[i] -= half[i] + 2 * q[4 + i];
			}
			lane_multiply_conjugate(e, at.q, product);
			for (uint32_t r = 0; r < 3; r++) {
				columns[k * length + 3 * block + r] = scale * product[r];
			}
		}
	}
}

LANE_INLINE double lane_sum(snk_lanes x) {
	return ((x[0] + x[4]) + (x[2] + x[6])) + ((x[1] + x[5]) + (x[3] + x[7]));
}

static void column_gram(size_t length, uint32_t count, const snk_lanes *columns, const uint32_t *chosen, double *gram) {
	for (uint32_t a = 0; a < count; a++) {
		const snk_lanes *x = columns + length * (chosen ? chosen[a] : a);
		for (uint32_t b = 0; b <= a; b++) {
			const snk_lanes *y = columns + length * (chosen ? chosen[b] : b);
			snk_lanes sum = {0};
			for (size_t i = 0; i < length; i++) {
				sum += x[i] * y[i];
			}
			gram[a * count + b] = gram[b * count + a] = lane_sum(sum);
		}
	}
}

static void column_slopes(size_t length, uint32_t count, const snk_lanes *columns, uint32_t member_count,
						  const uint32_t *members, const double *weights, snk_lanes *mixed, double *slopes, double *squares) {
	for (size_t i = 0; i < length; i++) {
		snk_lanes sum = {0};
		for (uint32_t k = 0; k < member_count; k++) {
			sum += weights[k] * columns[members[k] * length + i];
		}
		mixed[i] = sum;
	}
	for (uint32_t j = 0; j < count; j++) {
		const snk_lanes *x = columns + length * j;
		snk_lanes product = {0}, squared = {0};
		for (size_t i = 0; i < length; i++) {
			product += x[i] * mixed[i];
			squared += x[i] * x[i];
		}
		slopes[j] = lane_sum(product);
		squares[j] = lane_sum(squared);
	}
}

#endif
