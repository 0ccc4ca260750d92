/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a blend leaves over one block of frames: errors of points under single joints, gaps, distances, and the same of normals;
 * and the table of kernels. This file is compiled once for each instruction set, with different SNK_LANE_KERNELS and
 * SNK_LANE_KERNELS_NAME.
 */
#include "motion/kernel_equations.h"

/* ---- point columns ------------------------------------------------------------------------------------------------------- */

/* One point over all frames: its error under each joint alone, and products of such columns. */

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

/* ---- residuals ----------------------------------------------------------------------------------------------------------- */

/* The residuals of a blend at a point, mapped to rest space, in eight frames at once; and their components along given courses
 * over time. */

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

/* ---- normals ------------------------------------------------------------------------------------------------------------- */

/* Normals of points from the faces around them, in eight frames at once, and blends of their separate transforms: linear maps
 * [9], or rotations [4], quaternions of any length. */

/* The unit normal of a point from area-weighted faces; 0 if they have no area. */
LANE_INLINE void point_normal(const snk_motion *motion, const snk_mesh_normals *rings, uint32_t block, uint32_t point,
							  snk_lanes normal[3]) {
	snk_lanes area[3] = {{0}, {0}, {0}};
	for (uint32_t f = rings->offsets[point]; f < rings->offsets[point + 1]; f++) {
		const uint32_t first = rings->face_offsets[rings->faces[f]], end = rings->face_offsets[rings->faces[f] + 1];
		snk_lanes origin[3], a[3] = {{0}, {0}, {0}}, b[3];
		lane_point(snk_motion_point(motion, block, rings->face_points[first]), origin);
		for (uint32_t k = first + 1; k < end; k++) {
			lane_point(snk_motion_point(motion, block, rings->face_points[k]), b);
			for (int c = 0; c < 3; c++) {
				b[c] -= origin[c];
			}
			area[0] += a[1] * b[2] - a[2] * b[1];
			area[1] += a[2] * b[0] - a[0] * b[2];
			area[2] += a[0] * b[1] - a[1] * b[0];
			memcpy(a, b, sizeof a);
		}
	}
	const snk_lanes length = lane_sqrt(lane_dot3(area, area)), scale = 1.0 / lane_max(length, length * 0 + 1e-200);
	for (int c = 0; c < 3; c++) {
		normal[c] = area[c] * scale;
	}
}

/* ---- fitting ------------------------------------------------------------------------------------------------------------- */

static void normal_maps(const snk_motion *motion, const snk_mesh_normals *rings, const snk_blend_graph *graph, uint32_t block,
						snk_lanes *right) {
	const snk_influences *all = graph->influences;
	for (uint32_t i = 0; i < all->point_count; i++) {
		const double *rest = rings->normals_rest + (size_t)3 * i;
		snk_lanes posed[3];
		point_normal(motion, rings, block, i, posed);
		for (uint32_t k = all->offsets[i]; k < all->offsets[i + 1]; k++) {
			const size_t place = graph->places[all->joints[k]];
			for (size_t r = 0; r < 3; r++) {
				for (size_t c = 0; c < 3; c++) {
					right[(r * graph->joint_count + place) * 3 + c] += posed[r] * (all->weights[k] * rest[c]);
				}
			}
		}
	}
}

/* Rows of n' q − q n with (1 + a) q in place of q: their derivative by a, [4][3], and their value at a = 0, added up. */
LANE_INLINE void rotation_rows(const snk_lanes q[4], double w, const double rest[3], const snk_lanes posed[3], snk_lanes *rows,
							   snk_lanes value[4]) {
	snk_lanes half[4], rotated[4], weighted[4], product[4];
	lane_multiply_point(q, rest, half);
	lane_multiply_conjugate(half, q, rotated);
	const snk_lanes zero = posed[0] * 0;
	const snk_lanes gap[4] = {posed[0] - rotated[0], posed[1] - rotated[1], posed[2] - rotated[2], zero};
	const snk_lanes sum[3] = {posed[0] + rotated[0], posed[1] + rotated[1], posed[2] + rotated[2]};
	const snk_lanes columns[3][4] = {
		{zero, sum[2], -sum[1], -gap[0]}, {-sum[2], zero, sum[0], -gap[1]}, {sum[1], -sum[0], zero, -gap[2]}};
	for (int i = 0; i < 4; i++) {
		weighted[i] = q[i] * w;
	}
	lane_multiply(gap, weighted, product);
	for (int i = 0; i < 4; i++) {
		value[i] += product[i];
	}
	for (int c = 0; c < 3; c++) {
		lane_multiply(columns[c], weighted, product);
		for (int r = 0; r < 4; r++) {
			rows[3 * r + c] = product[r];
		}
	}
}

static void normal_rotations(const snk_motion *motion, const snk_mesh_normals *rings, const snk_blend_graph *graph,
							 uint32_t block, const snk_lanes *rotations, snk_lanes *blocks, snk_lanes *right) {
	const snk_influences *all = graph->influences;
	snk_lanes rows[SNK_FIT_INFLUENCES][12];
	for (uint32_t i = 0; i < all->point_count; i++) {
		const uint32_t first = all->offsets[i], end = all->offsets[i + 1];
		snk_lanes posed[3], value[4] = {{0}, {0}, {0}, {0}};
		point_normal(motion, rings, block, i, posed);
		for (uint32_t k = first; k < end; k++) {
			rotation_rows(rotations + (size_t)4 * all->joints[k], all->weights[k], rings->normals_rest + (size_t)3 * i, posed,
						  rows[k - first], value);
		}
		for (uint32_t a = first; a < end; a++) {
			const uint32_t place = graph->places[all->joints[a]];
			for (uint32_t c = 0; c < 3; c++) {
				for (uint32_t r = 0; r < 4; r++) {
					right[(size_t)3 * place + c] -= rows[a - first][3 * r + c] * value[r];
				}
			}
			for (uint32_t b = first; b < end; b++) {
				const uint32_t column = graph->places[all->joints[b]];
				if (column <= place) {
					lane_add_gram(4, 3, rows[a - first], rows[b - first],
								  blocks + (size_t)9 * graph->blocks[(size_t)place * graph->joint_count + column]);
				}
			}
		}
	}
}

/* ---- blended normals ----------------------------------------------------------------------------------------------------- */

/* The blend of the transforms at a point, as a linear map. */
LANE_INLINE void blend_map(const snk_influences *all, uint32_t width, const snk_lanes *values, uint32_t point,
						   snk_lanes map[9]) {
	snk_lanes sum[9];
	memset(sum, 0, sizeof sum);
	for (uint32_t k = all->offsets[point]; k < all->offsets[point + 1]; k++) {
		for (uint32_t i = 0; i < width; i++) {
			sum[i] += values[(size_t)width * all->joints[k] + i] * all->weights[k];
		}
	}
	if (width == 9) {
		memcpy(map, sum, sizeof sum);
	} else {
		const snk_lanes squared = lane_dot3(sum, sum) + sum[3] * sum[3];
		lane_rotation(sum, 2.0 / lane_max(squared, squared * 0 + 1e-200), map);
	}
}

/* 1 in the lanes that are positive, otherwise 0. */
LANE_INLINE snk_lanes lane_positive(snk_lanes x) {
	snk_lanes mask;
	for (int i = 0; i < SNK_LANES; i++) {
		mask[i] = x[i] > 0 ? 1 : 0;
	}
	return mask;
}

static void normal_gaps(const snk_motion *motion, const snk_mesh_normals *rings, const snk_influences *all, uint32_t width,
						const snk_lanes *values, uint32_t begin, uint32_t end, snk_lanes *gaps, snk_lanes *linear) {
	for (uint32_t block = 0; block < motion->block_count; block++) {
		const snk_lanes frames = frame_mask(motion, block);
		for (uint32_t i = begin; i < end; i++) {
			const size_t at = (size_t)motion->block_count * (i - begin) + block;
			const double *rest = rings->normals_rest + (size_t)3 * i;
			snk_lanes *map = linear + 9 * at, blended[3], target[3];
			blend_map(all, width, values + (size_t)width * all->joint_count * block, i, map);
			point_normal(motion, rings, block, i, target);
			for (int r = 0; r < 3; r++) {
				blended[r] = map[3 * r] * rest[0] + map[3 * r + 1] * rest[1] + map[3 * r + 2] * rest[2];
			}
			const snk_lanes length = lane_sqrt(lane_dot3(blended, blended)),
							has_target = frames * lane_positive(lane_dot3(target, target));
			for (uint32_t c = 0; c < 3; c++) {
				gaps[3 * at + c] = has_target * (length * target[c] - blended[c]);
			}
		}
	}
}

static void normal_cosines(const snk_motion *motion, const snk_mesh_normals *rings, const snk_influences *all, uint32_t width,
						   const snk_lanes *values, uint32_t block, uint32_t begin, uint32_t end, uint32_t count,
						   const snk_lanes *courses, const double *details, snk_lanes *cosines) {
	for (uint32_t i = begin; i < end; i++) {
		snk_lanes map[9], target[3], blended[3], n[3];
		for (size_t c = 0; c < 3; c++) {
			n[c] = (snk_lanes){0} + rings->normals_rest[(size_t)3 * i + c];
			for (size_t k = 0; k < count; k++) {
				n[c] += courses[motion->block_count * k + block] * details[3 * (k * motion->point_count + i) + c];
			}
		}
		blend_map(all, width, values + (size_t)width * all->joint_count * block, i, map);
		point_normal(motion, rings, block, i, target);
		for (size_t r = 0; r < 3; r++) {
			blended[r] = lane_dot3(map + 3 * r, n);
		}
		const snk_lanes length = lane_sqrt(lane_dot3(blended, blended)), has_target = lane_positive(lane_dot3(target, target));
		cosines[i - begin] = lane_dot3(target, blended) / lane_max(length, length * 0 + 1e-200) + (1 - has_target);
	}
}

/* ---- the table ----------------------------------------------------------------------------------------------------------- */

extern const snk_lane_kernels SNK_LANE_KERNELS;
const snk_lane_kernels SNK_LANE_KERNELS = {
	.name = SNK_LANE_KERNELS_NAME,
	.target_moments = target_moments,
	.factor = factor_blocks,
	.solve = solve_blocks,
	.rigid_equations = rigid_equations,
	.dual_linear_equations = dual_linear_equations,
	.dual_equations = dual_equations,
	.linear_distances = linear_distances,
	.dual_distances = dual_distances,
	.linear_columns = linear_columns,
	.dual_columns = dual_columns,
	.column_gram = column_gram,
	.column_slopes = column_slopes,
	.blend_gaps = blend_gaps,
	.rest_errors = rest_errors,
	.fit_details = fit_details,
	.along_courses = along_courses,
	.detailed_distances = detailed_distances,
	.normal_maps = normal_maps,
	.normal_rotations = normal_rotations,
	.normal_gaps = normal_gaps,
	.normal_cosines = normal_cosines,
};
