/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Normals of points from the faces around them, in eight frames at once, and blends of their separate transforms: linear maps
 * [9], or rotations [4], quaternions of any length.
 */
#ifndef SINEW_DEFORMERS_MOTION_KERNELS_NORMALS_H
#define SINEW_DEFORMERS_MOTION_KERNELS_NORMALS_H

#include "motion/kernels/point_columns.h"

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

#endif
