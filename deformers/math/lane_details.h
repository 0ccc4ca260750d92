/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a blend leaves of a point, taken back to the rest, in eight frames at once; and its parts along given courses over time.
 */
#ifndef SINEW_DEFORMERS_MATH_LANE_DETAILS_H
#define SINEW_DEFORMERS_MATH_LANE_DETAILS_H

#include "math/lane_columns.h"

/* v' − blend, and the linear part of the blend there. */
LANE_INLINE void find_gap(const snw_motion *motion, const snw_influences *all, uint32_t width, const snw_lanes *values,
						  uint32_t block, uint32_t point, snw_lanes gap[3], snw_lanes linear[9]) {
	const double *rest = motion->points_rest + 3 * (size_t)point;
	lane_point(snw_motion_point(motion, block, point), gap);
	if (width == 8) {
		dual_point at;
		snw_lanes posed[3] = {gap[0], gap[1], gap[2]};
		blend_point(all, point, (const snw_lane_dual_quaternion *)values, rest, posed, &at);
		const snw_lanes x = at.q[0], y = at.q[1], z = at.q[2], w = at.q[3], two = 2 * at.inverse;
		linear[0] = 1 - two * (y * y + z * z);
		linear[1] = two * (x * y - z * w);
		linear[2] = two * (x * z + y * w);
		linear[3] = two * (x * y + z * w);
		linear[4] = 1 - two * (x * x + z * z);
		linear[5] = two * (y * z - x * w);
		linear[6] = two * (x * z - y * w);
		linear[7] = two * (y * z + x * w);
		linear[8] = 1 - two * (x * x + y * y);
		memcpy(gap, at.gap, sizeof at.gap);
		return;
	}
	memset(linear, 0, 9 * sizeof *linear);
	for (uint32_t k = all->offsets[point]; k < all->offsets[point + 1]; k++) {
		const snw_lanes *m = values + (size_t)12 * all->joints[k];
		const double weight = all->weights[k];
		for (int r = 0; r < 3; r++) {
			for (int c = 0; c < 3; c++) {
				linear[3 * r + c] += m[4 * r + c] * weight;
			}
			gap[r] -= m[4 * r + 3] * weight;
		}
	}
	for (int r = 0; r < 3; r++) {
		gap[r] -= linear[3 * r] * rest[0] + linear[3 * r + 1] * rest[1] + linear[3 * r + 2] * rest[2];
	}
}

/* gap ← A⁻¹ gap, by (AᵀA + 1e-9 of its trace)⁻¹ Aᵀ, which stays short where A is nearly singular. */
LANE_INLINE void take_to_rest(const snw_lanes a[9], snw_lanes gap[3]) {
	snw_lanes g[9], b[3];
	for (int r = 0; r < 3; r++) {
		for (int c = 0; c < 3; c++) {
			g[3 * r + c] = a[r] * a[c] + a[3 + r] * a[3 + c] + a[6 + r] * a[6 + c];
		}
		b[r] = a[r] * gap[0] + a[3 + r] * gap[1] + a[6 + r] * gap[2];
	}
	const snw_lanes ridge = (g[0] + g[4] + g[8]) * 1e-9 + 1e-30;
	g[0] += ridge;
	g[4] += ridge;
	g[8] += ridge;
	const snw_lanes c0 = g[4] * g[8] - g[5] * g[7], c1 = g[5] * g[6] - g[3] * g[8], c2 = g[3] * g[7] - g[4] * g[6];
	const snw_lanes inverse = 1.0 / (g[0] * c0 + g[1] * c1 + g[2] * c2);
	gap[0] = inverse * (c0 * b[0] + (g[2] * g[7] - g[1] * g[8]) * b[1] + (g[1] * g[5] - g[2] * g[4]) * b[2]);
	gap[1] = inverse * (c1 * b[0] + (g[0] * g[8] - g[2] * g[6]) * b[1] + (g[2] * g[3] - g[0] * g[5]) * b[2]);
	gap[2] = inverse * (c2 * b[0] + (g[1] * g[6] - g[0] * g[7]) * b[1] + (g[0] * g[4] - g[1] * g[3]) * b[2]);
}

static void detail_pass(const snw_motion *motion, const snw_influences *all, uint32_t width, const snw_lanes *transforms,
						uint32_t begin, uint32_t end, uint32_t count, const snw_lanes *courses, snw_lanes *errors,
						snw_lanes *products, double *details) {
	const uint32_t blocks = motion->block_count;
	for (uint32_t i = begin; i < end; i++) {
		for (uint32_t block = 0; block < blocks; block++) {
			snw_lanes linear[9], *gap = errors + (size_t)3 * block;
			find_gap(motion, all, width, transforms + (size_t)width * all->joint_count * block, block, i, gap, linear);
			take_to_rest(linear, gap);
			for (int c = 0; c < 3; c++) {
				gap[c] *= frames_of(motion, block);
			}
		}
		for (uint32_t k = 0; k < count; k++) {
			const snw_lanes *course = courses + (size_t)blocks * k;
			snw_lanes sums[3] = {{0}, {0}, {0}};
			for (uint32_t block = 0; block < blocks; block++) {
				for (uint32_t c = 0; c < 3; c++) {
					sums[c] += errors[3 * block + c] * course[block];
				}
			}
			const double along[3] = {lane_sum(sums[0]), lane_sum(sums[1]), lane_sum(sums[2])};
			for (uint32_t block = 0; products && block < blocks; block++) {
				products[(size_t)blocks * k + block] +=
					errors[3 * block] * along[0] + errors[3 * block + 1] * along[1] + errors[3 * block + 2] * along[2];
			}
			if (details) {
				memcpy(details + 3 * ((size_t)k * motion->point_count + i), along, sizeof along);
			}
		}
	}
}

static void detailed_distances(const snw_motion *motion, const snw_influences *all, uint32_t width, const snw_lanes *values,
							   uint32_t block, uint32_t begin, uint32_t end, uint32_t count, const snw_lanes *courses,
							   const double *details, snw_lanes *distances) {
	for (uint32_t i = begin; i < end; i++) {
		snw_lanes gap[3], linear[9], x[3] = {{0}, {0}, {0}};
		find_gap(motion, all, width, values, block, i, gap, linear);
		for (uint32_t k = 0; k < count; k++) {
			const double *detail = details + 3 * ((size_t)k * motion->point_count + i);
			for (int c = 0; c < 3; c++) {
				x[c] += courses[(size_t)motion->block_count * k + block] * detail[c];
			}
		}
		for (int r = 0; r < 3; r++) {
			gap[r] -= linear[3 * r] * x[0] + linear[3 * r + 1] * x[1] + linear[3 * r + 2] * x[2];
		}
		distances[i - begin] = lane_dot3(gap, gap);
	}
}

#endif
