/* SPDX-License-Identifier: MIT */
#include "sinew/kit/mesh/faces.h"

#include <string.h>

#include "sinew/algebra.h"
#include "sinew/kit/mesh/face_area.h"

void snk_point_normals(const snk_faces *faces, const double *positions, double *normals) {
	memset(normals, 0, 3 * (size_t)faces->point_count * sizeof *normals);
	for (uint32_t face = 0; face < faces->face_count; face++) {
		const uint32_t *corners = faces->points + faces->offsets[face], count = faces->offsets[face + 1] - faces->offsets[face];
		double area[3];
		snk_face_area(positions, corners, count, area);
		for (uint32_t k = 0; k < count; k++) {
			for (size_t c = 0; c < 3; c++) {
				normals[(size_t)3 * corners[k] + c] += area[c];
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
