/* SPDX-License-Identifier: MIT
 *
 * The area vector of a face: along its normal, of length twice its area. A face's corners are positions[3 · corners[k]], k <
 * count; there is one at least.
 *
 * Triangles and quads directly (the sum over a quad's two triangles is the cross product of its diagonals), other polygons by a
 * fan from their first corner, which is also correct for polygons that are neither flat nor convex. Zero for fewer than three
 * corners. Nothing allocates; any thread.
 */
#ifndef SINEW_KIT_MESH_FACE_AREA_H
#define SINEW_KIT_MESH_FACE_AREA_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* dest = (b − a) × (d − c). */
static inline void snk_cross_edges(const double a[3], const double b[3], const double c[3], const double d[3], double dest[3]) {
	const double u[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]}, v[3] = {d[0] - c[0], d[1] - c[1], d[2] - c[2]};
	dest[0] = u[1] * v[2] - u[2] * v[1];
	dest[1] = u[2] * v[0] - u[0] * v[2];
	dest[2] = u[0] * v[1] - u[1] * v[0];
}

static inline void snk_face_area(const double *positions, const uint32_t *corners, uint32_t count, double area[3]) {
	const double *a = positions + 3 * (size_t)corners[0];
	if (count == 3 || count == 4) {
		const double *b = positions + 3 * (size_t)corners[1], *c = positions + 3 * (size_t)corners[2];
		if (count == 3) {
			snk_cross_edges(a, b, a, c, area);
		} else {
			snk_cross_edges(a, c, b, positions + 3 * (size_t)corners[3], area);
		}
		return;
	}
	area[0] = area[1] = area[2] = 0;
	for (uint32_t k = 1; k + 1 < count; k++) {
		double part[3];
		snk_cross_edges(a, positions + 3 * (size_t)corners[k], a, positions + 3 * (size_t)corners[k + 1], part);
		for (int i = 0; i < 3; i++) {
			area[i] += part[i];
		}
	}
}

/* ---- the same in floats -------------------------------------------------------------------------------------------------- */

static inline void snk_cross_edges_single(const float a[3], const float b[3], const float c[3], const float d[3],
										  float dest[3]) {
	const float u[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]}, v[3] = {d[0] - c[0], d[1] - c[1], d[2] - c[2]};
	dest[0] = u[1] * v[2] - u[2] * v[1];
	dest[1] = u[2] * v[0] - u[0] * v[2];
	dest[2] = u[0] * v[1] - u[1] * v[0];
}

static inline void snk_face_area_single(const float *positions, const uint32_t *corners, uint32_t count, float area[3]) {
	const float *a = positions + 3 * (size_t)corners[0];
	if (count == 3 || count == 4) {
		const float *b = positions + 3 * (size_t)corners[1], *c = positions + 3 * (size_t)corners[2];
		if (count == 3) {
			snk_cross_edges_single(a, b, a, c, area);
		} else {
			snk_cross_edges_single(a, c, b, positions + 3 * (size_t)corners[3], area);
		}
		return;
	}
	area[0] = area[1] = area[2] = 0;
	for (uint32_t k = 1; k + 1 < count; k++) {
		float part[3];
		snk_cross_edges_single(a, positions + 3 * (size_t)corners[k], a, positions + 3 * (size_t)corners[k + 1], part);
		for (int i = 0; i < 3; i++) {
			area[i] += part[i];
		}
	}
}

#ifdef __cplusplus
}
#endif

#endif
