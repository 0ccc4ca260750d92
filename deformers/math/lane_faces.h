/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Normals of points from the faces around them, in eight frames at once.
 */
#ifndef SINEW_DEFORMERS_MATH_LANE_FACES_H
#define SINEW_DEFORMERS_MATH_LANE_FACES_H

#include "math/lane_algebra.h"

static void point_normal(const snw_motion *motion, uint32_t block, uint32_t face_count, const uint32_t *faces,
						 const uint32_t *face_offsets, const uint32_t *face_points, snw_lanes normal[3]) {
	snw_lanes area[3] = {{0}, {0}, {0}};
	for (uint32_t f = 0; f < face_count; f++) {
		const uint32_t first = face_offsets[faces[f]], end = face_offsets[faces[f] + 1];
		snw_lanes origin[3], a[3] = {{0}, {0}, {0}}, b[3];
		lane_point(snw_motion_point(motion, block, face_points[first]), origin);
		for (uint32_t k = first + 1; k < end; k++) {
			lane_point(snw_motion_point(motion, block, face_points[k]), b);
			for (int c = 0; c < 3; c++) {
				b[c] -= origin[c];
			}
			area[0] += a[1] * b[2] - a[2] * b[1];
			area[1] += a[2] * b[0] - a[0] * b[2];
			area[2] += a[0] * b[1] - a[1] * b[0];
			memcpy(a, b, sizeof a);
		}
	}
	const snw_lanes length = lane_sqrt(lane_dot3(area, area)), scale = 1.0 / lane_max(length, length * 0 + 1e-200);
	for (int c = 0; c < 3; c++) {
		normal[c] = area[c] * scale;
	}
}

#endif
