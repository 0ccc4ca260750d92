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
		lane_turn(at.q, 2 * at.inverse, linear);
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

static void blend_gaps(const snw_motion *motion, const snw_influences *all, uint32_t width, const snw_lanes *transforms,
					   uint32_t begin, uint32_t end, snw_lanes *gaps, snw_lanes *linear) {
	for (uint32_t block = 0; block < motion->block_count; block++) {
		const snw_lanes *values = transforms + (size_t)width * all->joint_count * block, frames = frames_of(motion, block);
		for (uint32_t i = begin; i < end; i++) {
			const size_t at = (size_t)motion->block_count * (i - begin) + block;
			find_gap(motion, all, width, values, block, i, gaps + 3 * at, linear + 9 * at);
			for (size_t c = 0; c < 3; c++) {
				gaps[3 * at + c] *= frames;
			}
		}
	}
}

static void rest_errors(size_t count, const snw_lanes *linear, double ridge, const snw_lanes *gaps, snw_lanes *errors) {
	memcpy(errors, gaps, 3 * count * sizeof *errors);
	for (size_t i = 0; i < count; i++) {
		lane_divide(linear + 9 * i, ridge, errors + 3 * i);
	}
}

static void along_courses(uint32_t blocks, uint32_t count, const snw_lanes *courses, const snw_lanes *errors,
						  snw_lanes *products, double (*along)[3]) {
	for (uint32_t k = 0; k < count; k++) {
		const snw_lanes *course = courses + (size_t)blocks * k;
		snw_lanes sums[3] = {{0}, {0}, {0}};
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
LANE_INLINE void take_off(uint32_t blocks, const snw_lanes *linear, const snw_lanes *course, const double vector[3],
						  snw_lanes *gaps) {
	for (uint32_t block = 0; block < blocks; block++) {
		const snw_lanes *a = linear + (size_t)9 * block;
		for (uint32_t r = 0; r < 3; r++) {
			gaps[3 * block + r] -= course[block] * (a[3 * r] * vector[0] + a[3 * r + 1] * vector[1] + a[3 * r + 2] * vector[2]);
		}
	}
}

LANE_INLINE double squares_of(uint32_t count, const snw_lanes *values) {
	snw_lanes sum = {0};
	for (uint32_t i = 0; i < count; i++) {
		sum += values[i] * values[i];
	}
	return lane_sum(sum);
}

/* The vector that takes most off the gaps along one course: (Σ course² AᵀA)⁻¹ Σ course Aᵀ gap. */
LANE_INLINE void best_vector(uint32_t blocks, const snw_lanes *linear, const snw_lanes *course, const snw_lanes *gaps,
							 double vector[3]) {
	snw_lanes h[9], b[3], solved[3];
	memset(h, 0, sizeof h);
	memset(b, 0, sizeof b);
	for (uint32_t block = 0; block < blocks; block++) {
		const snw_lanes *a = linear + (size_t)9 * block, *gap = gaps + (size_t)3 * block;
		const snw_lanes square = course[block] * course[block];
		for (int r = 0; r < 3; r++) {
			for (int c = 0; c <= r; c++) {
				h[3 * r + c] += square * (a[r] * a[c] + a[3 + r] * a[3 + c] + a[6 + r] * a[6 + c]);
			}
			b[r] += course[block] * (a[r] * gap[0] + a[3 + r] * gap[1] + a[6 + r] * gap[2]);
		}
	}
	double m[6] = {lane_sum(h[0]), lane_sum(h[3]), lane_sum(h[4]), lane_sum(h[6]), lane_sum(h[7]), lane_sum(h[8])};
	const double added = (m[0] + m[2] + m[5]) * 1e-9 + 1e-30;
	const snw_lanes zero = {0}, full[6] = {zero + (m[0] + added), zero + m[1], zero + (m[2] + added),
										   zero + m[3],           zero + m[4], zero + (m[5] + added)};
	for (int c = 0; c < 3; c++) {
		solved[c] = zero + lane_sum(b[c]);
	}
	lane_solve3(full, solved);
	for (int c = 0; c < 3; c++) {
		vector[c] = solved[c][0];
	}
}

static void fit_details(uint32_t blocks, const snw_lanes *linear, uint32_t count, const snw_lanes *courses, snw_lanes *gaps,
						double (*vectors)[3]) {
	enum { SWEEPS = 4 };
	const double before = squares_of(3 * blocks, gaps);
	for (uint32_t k = 0; k < count; k++) {
		take_off(blocks, linear, courses + (size_t)blocks * k, vectors[k], gaps);
	}
	if (!(squares_of(3 * blocks, gaps) < before)) {
		for (uint32_t k = 0; k < count; k++) {
			const double back[3] = {-vectors[k][0], -vectors[k][1], -vectors[k][2]};
			take_off(blocks, linear, courses + (size_t)blocks * k, back, gaps);
			memset(vectors[k], 0, sizeof vectors[k]);
		}
	}
	for (int sweep = 0; sweep < SWEEPS; sweep++) {
		for (uint32_t k = 0; k < count; k++) {
			double more[3];
			best_vector(blocks, linear, courses + (size_t)blocks * k, gaps, more);
			take_off(blocks, linear, courses + (size_t)blocks * k, more, gaps);
			for (int c = 0; c < 3; c++) {
				vectors[k][c] += more[c];
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
