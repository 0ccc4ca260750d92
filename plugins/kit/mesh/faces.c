/* SPDX-License-Identifier: MIT */
#include "sinew/kit/mesh/faces.h"

#include <string.h>

#include "sinew/algebra.h"

void snk_face_area(const snk_faces *faces, const double *positions, uint32_t face, double area[3]) {
	const uint32_t first = faces->offsets[face], end = faces->offsets[face + 1];
	const double *origin = positions + (size_t)3 * faces->points[first];
	memset(area, 0, 3 * sizeof *area);
	for (uint32_t k = first + 1; k + 1 < end; k++) {
		const double *p = positions + (size_t)3 * faces->points[k];
		const double *q = positions + (size_t)3 * faces->points[k + 1];
		double a[3], b[3], cross[3];
		for (int c = 0; c < 3; c++) {
			a[c] = p[c] - origin[c];
			b[c] = q[c] - origin[c];
		}
		snw_cross3(a, b, cross);
		for (int c = 0; c < 3; c++) {
			area[c] += cross[c];
		}
	}
}

void snk_point_normals(const snk_faces *faces, const double *positions, double *normals) {
	memset(normals, 0, 3 * (size_t)faces->point_count * sizeof *normals);
	for (uint32_t face = 0; face < faces->face_count; face++) {
		double area[3];
		snk_face_area(faces, positions, face, area);
		for (uint32_t k = faces->offsets[face]; k < faces->offsets[face + 1]; k++) {
			for (size_t c = 0; c < 3; c++) {
				normals[(size_t)3 * faces->points[k] + c] += area[c];
			}
		}
	}
	for (size_t i = 0; i < faces->point_count; i++) {
		snw_normalize3(normals + 3 * i);
	}
}

snw_status snk_triangulate(const snk_faces *faces, snw_pool *pool, snk_faces *triangles) {
	size_t count = 0;
	for (uint32_t face = 0; face < faces->face_count; face++) {
		const uint32_t corners = faces->offsets[face + 1] - faces->offsets[face];
		count += corners > 2 ? corners - 2 : 0;
	}
	if (count > UINT32_MAX / 3) {
		return SNW_ERROR_LIMIT;
	}
	uint32_t *offsets = SNW_POOL_ARRAY(pool, uint32_t, count + 1), *points = SNW_POOL_ARRAY(pool, uint32_t, 3 * count);
	if (pool->failed) {
		return SNW_ERROR_MEMORY;
	}
	uint32_t at = 0;
	for (uint32_t face = 0; face < faces->face_count; face++) {
		const uint32_t first = faces->offsets[face], end = faces->offsets[face + 1];
		for (uint32_t k = first + 1; k + 1 < end; k++) {
			points[3 * at] = faces->points[first];
			points[3 * at + 1] = faces->points[k];
			points[3 * at + 2] = faces->points[k + 1];
			offsets[at + 1] = 3 * (at + 1);
			at++;
		}
	}
	*triangles = (snk_faces){faces->point_count, at, offsets, points};
	return SNW_OK;
}
