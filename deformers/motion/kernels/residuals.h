/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The residuals of a blend at a point, mapped to rest space, in eight frames at once; and their components along given courses
 * over time.
 */
#ifndef SINEW_DEFORMERS_MOTION_KERNELS_RESIDUALS_H
#define SINEW_DEFORMERS_MOTION_KERNELS_RESIDUALS_H

#include "motion/kernels/point_columns.h"

/* v' − blend, and the linear part of the blend there. */
LANE_INLINE void find_gap(const snk_motion *motion, const snk_influences *all, uint32_t width, const snk_lanes *values,
						  uint32_t block, uint32_t point, snk_lanes gap[3], snk_lanes linear[9]) {
	const double *rest = motion->points_rest + 3 * (size_t)point;
	lane_point(snk_motion_point(motion, block, point), gap);
	if (width == 8) {
		dual_point at;
		snk_lanes posed[3] = {gap[0], gap[1], gap[2]};
		blend_point(all, point, (const snk_lane_dual_quaternion *)values, rest, posed, &at);
		lane_rotation(at.q, 2 * at.inverse, linear);
		memcpy(gap, at.gap, sizeof at.gap);
		return;
	}
	memset(linear, 0, 9 * sizeof *linear);
	for (uint32_t k = all->offsets[point]; k < all->offsets[point + 1]; k++) {
		const snk_lanes *m = values + (size_t)12 * all->joints[k];
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

static void blend_gaps(const snk_motion *motion, const snk_influences *all, uint32_t width, const snk_lanes *transforms,
					   uint32_t begin, uint32_t end, snk_lanes *gaps, snk_lanes *linear) {
	for (uint32_t block = 0; block < motion->block_count; block++) {
		const snk_lanes *values = transforms + (size_t)width * all->joint_count * block, frames = frame_mask(motion, block);
		for (uint32_t i = begin; i < end; i++) {
			const size_t at = (size_t)motion->block_count * (i - begin) + block;
			find_gap(motion, all, width, values, block, i, gaps + 3 * at, linear + 9 * at);
			for (size_t c = 0; c < 3; c++) {
				gaps[3 * at + c] *= frames;
			}
		}
	}
}

static void rest_errors(size_t count, const snk_lanes *linear, double ridge, const snk_lanes *gaps, snk_lanes *errors) {
	memcpy(errors, gaps, 3 * count * sizeof *errors);
	for (size_t i = 0; i < count; i++) {
		lane_divide(linear + 9 * i, ridge, errors + 3 * i);
	}
}

static void along_courses(uint32_t blocks, uint32_t count, const snk_lanes *courses, const snk_lanes *errors,
						  snk_lanes *products, double (*along)[3]) {
	for (uint32_t k = 0; k < count; k++) {
		const snk_lanes *course = courses + (size_t)blocks * k;
		snk_lanes sums[3] = {{0}, {0}, {0}};
		for (uint32_t block = 0; block < blocks; block++) {
			for (uint32_t c = 0; c < 3; c++) {
				sums[c] += errors[3 * block + c] * course[block];
			}
		}
		for (uint32_t c = 0; c < 3; c++) {
			along[k][c] = lane_sum(sums[c]);
		}
		for (uint32_t block = 0; products && block < blocks; block++) {
			products[(size_t)blocks * k + block] +=
				errors[3 * block] * along[k][0] + errors[3 * block + 1] * along[k][1] + errors[3 * block + 2] * along[k][2];
		}
	}
}

/* gaps −= linear · course · vector */
LANE_INLINE void subtract_displacement(uint32_t blocks, const snk_lanes *linear, const snk_lanes *course,
									   const double vector[3], snk_lanes *gaps) {
	for (uint32_t block = 0; block < blocks; block++) {
		const snk_lanes *a = linear + (size_t)9 * block;
		for (uint32_t r = 0; r < 3; r++) {
			gaps[3 * block + r] -= course[block] * (a[3 * r] * vector[0] + a[3 * r + 1] * vector[1] + a[3 * r + 2] * vector[2]);
		}
	}
}

LANE_INLINE double squares_of(uint32_t count, const snk_lanes *values) {
	snk_lanes sum = {0};
	for (uint32_t i = 0; i < count; i++) {
		sum += values[i] * values[i];
	}
	return lane_sum(sum);
}

/* Fills scratch [blocks][9]: AᵀA of each block, 00, 10, 11, 20, 21, 22, then Aᵀ gap. */
LANE_INLINE void find_normal_equations(uint32_t blocks, const snk_lanes *linear, const snk_lanes *gaps, snk_lanes *scratch) {
	for (uint32_t block = 0; block < blocks; block++) {
		const snk_lanes *a = linear + (size_t)9 * block, *gap = gaps + (size_t)3 * block;
		snk_lanes *lanes = scratch + (size_t)9 * block;
		for (int r = 0, at = 0; r < 3; r++) {
			for (int c = 0; c <= r; c++) {
				lanes[at++] = a[r] * a[c] + a[3 + r] * a[3 + c] + a[6 + r] * a[6 + c];
			}
			lanes[6 + r] = a[r] * gap[0] + a[3 + r] * gap[1] + a[6 + r] * gap[2];
		}
	}
}

/* Adds to the vector what reduces the gaps most along one course, (Σ course² AᵀA)⁻¹ Σ course Aᵀ gap, and subtracts it from Aᵀ
 * gap. */
LANE_INLINE void improve_vector(uint32_t blocks, const snk_lanes *course, snk_lanes *scratch, double vector[3]) {
	snk_lanes sums[9], h[6], x[3];
	memset(sums, 0, sizeof sums);
	for (uint32_t block = 0; block < blocks; block++) {
		const snk_lanes *lanes = scratch + (size_t)9 * block, squared = course[block] * course[block];
		for (int i = 0; i < 6; i++) {
			sums[i] += squared * lanes[i];
		}
		for (int i = 6; i < 9; i++) {
			sums[i] += course[block] * lanes[i];
		}
	}
	const snk_lanes zero = {0};
	for (int i = 0; i < 6; i++) {
		h[i] = zero + lane_sum(sums[i]);
	}
	const snk_lanes added = (h[0] + h[2] + h[5]) * 1e-9 + 1e-30;
	h[0] += added;
	h[2] += added;
	h[5] += added;
	for (int c = 0; c < 3; c++) {
		x[c] = zero + lane_sum(sums[6 + c]);
	}
	lane_solve3(h, x);
	for (uint32_t block = 0; block < blocks; block++) {
		snk_lanes *lanes = scratch + (size_t)9 * block;
		lanes[6] -= course[block] * (lanes[0] * x[0] + lanes[1] * x[1] + lanes[3] * x[2]);
		lanes[7] -= course[block] * (lanes[1] * x[0] + lanes[2] * x[1] + lanes[4] * x[2]);
		lanes[8] -= course[block] * (lanes[3] * x[0] + lanes[4] * x[1] + lanes[5] * x[2]);
	}
	for (int c = 0; c < 3; c++) {
		vector[c] += x[c][0];
	}
}

static void fit_details(uint32_t blocks, const snk_lanes *linear, uint32_t count, const snk_lanes *courses,
						const snk_lanes *gaps, snk_lanes *scratch, double (*vectors)[3]) {
	enum { SWEEPS = 4 };
	snk_lanes *remaining = scratch + (size_t)9 * blocks;
	memcpy(remaining, gaps, (size_t)3 * blocks * sizeof *remaining);
	for (uint32_t k = 0; k < count; k++) {
		subtract_displacement(blocks, linear, courses + (size_t)blocks * k, vectors[k], remaining);
	}
	if (!(squares_of(3 * blocks, remaining) < squares_of(3 * blocks, gaps))) {
		memset(vectors, 0, count * sizeof *vectors);
		memcpy(remaining, gaps, (size_t)3 * blocks * sizeof *remaining);
	}
	find_normal_equations(blocks, linear, remaining, scratch);
	for (int sweep = 0; sweep < SWEEPS; sweep++) {
		for (uint32_t k = 0; k < count; k++) {
			improve_vector(blocks, courses + (size_t)blocks * k, scratch, vectors[k]);
		}
	}
}

static void detailed_distances(const snk_motion *motion, const snk_influences *all, uint32_t width, const snk_lanes *values,
							   uint32_t block, uint32_t begin, uint32_t end, uint32_t count, const snk_lanes *courses,
							   const double *details, snk_lanes *distances) {
	for (uint32_t i = begin; i < end; i++) {
		snk_lanes gap[3], linear[9], x[3] = {{0}, {0}, {0}};
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
