/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The area vector of a face: along its normal, of length twice its area. A face's corners are points[3 · corners[k]], k <
 * count.
 *
 * Triangles and quads directly (the sum over a quad's two triangles is the cross product of its diagonals), other polygons by a
 * fan from their first corner, which is also correct for polygons that are neither flat nor convex. Zero for fewer than three
 * corners.
 */
#ifndef SINEW_HOST_MESH_FACE_AREA_H
#define SINEW_HOST_MESH_FACE_AREA_H

#include <stdint.h>

#include "sinew/algebra.h"

static inline void snw_face_area(const double *points, const uint32_t *corners, uint32_t count, double area[3]) {
	const double *a = points + 3 * (size_t)corners[0];
	if (count == 4) {
		const double *b = points + 3 * (size_t)corners[1], *c = points + 3 * (size_t)corners[2];
		const double *d = points + 3 * (size_t)corners[3];
		snw_cross3((double[]){c[0] - a[0], c[1] - a[1], c[2] - a[2]}, (double[]){d[0] - b[0], d[1] - b[1], d[2] - b[2]}, area);
		return;
	}
	area[0] = area[1] = area[2] = 0;
	for (uint32_t k = 1; k + 1 < count; k++) {
		const double *b = points + 3 * (size_t)corners[k], *c = points + 3 * (size_t)corners[k + 1];
		double part[3];
		snw_cross3((double[]){b[0] - a[0], b[1] - a[1], b[2] - a[2]}, (double[]){c[0] - a[0], c[1] - a[1], c[2] - a[2]}, part);
		for (int i = 0; i < 3; i++) {
			area[i] += part[i];
		}
	}
}

/* ---- the same in floats -------------------------------------------------------------------------------------------------- */

/* dest = (b − a) × (d − c). */
static inline void snw_cross_edges_single(const float a[3], const float b[3], const float c[3], const float d[3],
										  float dest[3]) {
	const float u[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]}, v[3] = {d[0] - c[0], d[1] - c[1], d[2] - c[2]};
	dest[0] = u[1] * v[2] - u[2] * v[1];
	dest[1] = u[2] * v[0] - u[0] * v[2];
	dest[2] = u[0] * v[1] - u[1] * v[0];
}

static inline void snw_face_area_single(const float *points, const uint32_t *corners, uint32_t count, float area[3]) {
	const float *a = points + 3 * (size_t)corners[0];
	if (count == 3 || count == 4) {
		const float *b = points + 3 * (size_t)corners[1], *c = points + 3 * (size_t)corners[2];
		if (count == 3) {
			snw_cross_edges_single(a, b, a, c, area);
		} else {
			snw_cross_edges_single(a, c, b, points + 3 * (size_t)corners[3], area);
		}
		return;
	}
	area[0] = area[1] = area[2] = 0;
	for (uint32_t k = 1; k + 1 < count; k++) {
		float part[3];
		snw_cross_edges_single(a, points + 3 * (size_t)corners[k], a, points + 3 * (size_t)corners[k + 1], part);
		for (int i = 0; i < 3; i++) {
			area[i] += part[i];
		}
	}
}

#endif
