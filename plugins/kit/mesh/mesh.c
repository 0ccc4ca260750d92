/* SPDX-License-Identifier: MIT
 *
 * Rows of points are counted first, then filled.
 */
#include <stdlib.h>
#include <string.h>

#include "sinew/algebra.h"
#include "sinew/kit/mesh/mesh.h"

/* ---- neighbours ---------------------------------------------------------------------------------------------------------- */

enum { FEW = 32 };

/* Converts counts to the rows' beginnings: on entry, offsets[i + 1] is the count of row i. While rows are filled, offsets[i] is
 * where the next of row i goes. */
static void begin_rows(uint32_t *offsets, uint32_t count) {
	for (uint32_t i = 0; i < count; i++) {
		offsets[i + 1] += offsets[i];
	}
}

/* Each row ends where the next one begins. */
static void end_rows(uint32_t *offsets, uint32_t count) {
	memmove(offsets + 1, offsets, count * sizeof *offsets);
	offsets[0] = 0;
}

void snk_point_corners(const snk_faces *faces, uint32_t *offsets, uint32_t *corners, uint32_t *corner_faces) {
	const uint32_t corner_count = snk_faces_corner_count(faces);
	memset(offsets, 0, ((size_t)faces->point_count + 1) * sizeof *offsets);
	for (uint32_t k = 0; k < corner_count; k++) {
		offsets[faces->points[k] + 1]++;
	}
	begin_rows(offsets, faces->point_count);
	for (uint32_t face = 0; face < faces->face_count; face++) {
		for (uint32_t k = faces->offsets[face]; k < faces->offsets[face + 1]; k++) {
			const uint32_t at = offsets[faces->points[k]]++;
			corners[at] = k;
			corner_faces[at] = face;
		}
	}
	end_rows(offsets, faces->point_count);
}

/* What a neighbour is sorted by, with the neighbour in the lower half: a point and its partner share the upper half. */
static uint64_t key_of(uint32_t point, const uint32_t *partners) {
	const uint32_t partner = partners ? partners[point] : SNW_NONE;
	return (uint64_t)(partner < point ? partner : point) << 32 | point;
}

/* Adds both ends of each edge of each face to the rows of its points; counts them where `keys` is NULL. */
static void add_edges(const snk_faces *faces, const uint32_t *partners, uint32_t *offsets, uint64_t *keys) {
	for (uint32_t face = 0; face < faces->face_count; face++) {
		const uint32_t first = faces->offsets[face], end = faces->offsets[face + 1];
		for (uint32_t k = first; k < end; k++) {
			const uint32_t a = faces->points[k], b = faces->points[k + 1 < end ? k + 1 : first];
			if (a != b && keys) {
				keys[offsets[a]++] = key_of(b, partners);
				keys[offsets[b]++] = key_of(a, partners);
			} else if (a != b) {
				offsets[a + 1]++;
				offsets[b + 1]++;
			}
		}
	}
}

static int by_key(const void *a, const void *b) {
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x > y) - (x < y);
}

/* Insertion sort, since most points have few neighbours. */
static void sort_keys(uint64_t *keys, uint32_t count) {
	if (count > FEW) {
		qsort(keys, count, sizeof *keys, by_key);
		return;
	}
	for (uint32_t i = 1; i < count; i++) {
		const uint64_t key = keys[i];
		uint32_t place = i;
		for (; place > 0 && keys[place - 1] > key; place--) {
			keys[place] = keys[place - 1];
		}
		keys[place] = key;
	}
}

void snk_neighbours(const snk_faces *faces, const uint32_t *partners, uint64_t *scratch, uint32_t *offsets,
					uint32_t *neighbours, uint32_t *sides) {
	uint32_t count = 0, begin = 0;
	memset(offsets, 0, ((size_t)faces->point_count + 1) * sizeof *offsets);
	add_edges(faces, partners, offsets, NULL);
	begin_rows(offsets, faces->point_count);
	add_edges(faces, partners, offsets, scratch);
	end_rows(offsets, faces->point_count);
	for (uint32_t i = 0; i < faces->point_count; i++) {
		const uint32_t end = offsets[i + 1];
		sort_keys(scratch + begin, end - begin);
		for (uint32_t k = begin; k < end; k++) {
			if (k == begin || scratch[k] != scratch[k - 1]) {
				sides[count] = 0;
				neighbours[count++] = (uint32_t)scratch[k];
			}
			sides[count - 1]++;
		}
		begin = end;
		offsets[i + 1] = count;
	}
}

snw_status snk_adjacency_find(const snk_faces *faces, snw_pool *pool, snk_adjacency *adjacency) {
	const uint32_t points = faces->point_count, corner_count = snk_faces_corner_count(faces);
	if (corner_count > UINT32_MAX / 2) {
		return SNW_ERROR_LIMIT;
	}
	snw_pool scratch = snw_pool_open(pool->host);
	uint32_t *face_offsets = SNW_POOL_ARRAY(pool, uint32_t, (size_t)points + 1);
	uint32_t *around = SNW_POOL_ARRAY(pool, uint32_t, corner_count);
	uint32_t *offsets = SNW_POOL_ARRAY(pool, uint32_t, (size_t)points + 1);
	uint32_t *neighbours = SNW_POOL_ARRAY(pool, uint32_t, (size_t)2 * corner_count);
	uint32_t *sides = SNW_POOL_ARRAY(pool, uint32_t, (size_t)2 * corner_count);
	uint32_t *corners = SNW_POOL_ARRAY(&scratch, uint32_t, corner_count);
	uint64_t *keys = SNW_POOL_ARRAY(&scratch, uint64_t, (size_t)2 * corner_count);
	const snw_status status = pool->failed || scratch.failed ? SNW_ERROR_MEMORY : SNW_OK;
	if (status == SNW_OK) {
		*adjacency = (snk_adjacency){points, offsets, neighbours, sides, face_offsets, around};
		snk_point_corners(faces, face_offsets, corners, around);
		snk_neighbours(faces, NULL, keys, offsets, neighbours, sides);
	}
	snw_pool_release(&scratch);
	return status;
}

uint32_t snk_smoothing_neighbours(const snk_adjacency *adjacency, uint32_t point, uint32_t *neighbours) {
	const uint32_t first = adjacency->offsets[point], end = adjacency->offsets[point + 1];
	uint32_t count = 0, border_count = 0;
	for (int inside = 0; inside < 2; inside++) {
		for (uint32_t k = first; k < end; k++) {
			if ((adjacency->sides[k] == 2) == inside) {
				neighbours[count++] = adjacency->neighbours[k];
			}
		}
		border_count = inside ? border_count : count;
	}
	return border_count > 0 ? border_count : count;
}

/* ---- cotangent weights --------------------------------------------------------------------------------------------------- */

/* Adds to the weight of the edge from `point` to `other`, at that end alone. */
static void add_weight(const snk_adjacency *adjacency, uint32_t point, uint32_t other, double weight, double *weights) {
	for (uint32_t k = adjacency->offsets[point]; k < adjacency->offsets[point + 1]; k++) {
		if (adjacency->neighbours[k] == other) {
			weights[k] += weight;
			return;
		}
	}
}

/* The cotangent at corner a of the triangle a b c, for the edge that it faces. */
static double cotangent(const double *a, const double *b, const double *c, double twice_area) {
	double ab[3], ac[3];
	for (int i = 0; i < 3; i++) {
		ab[i] = b[i] - a[i];
		ac[i] = c[i] - a[i];
	}
	return snw_dot3(ab, ac) / twice_area;
}

snw_status snk_cotangent_weights(const snk_adjacency *adjacency, const snk_faces *triangles, const double *positions,
								 double *weights, double *areas) {
	memset(weights, 0, adjacency->offsets[adjacency->point_count] * sizeof *weights);
	if (areas) {
		memset(areas, 0, adjacency->point_count * sizeof *areas);
	}
	for (uint32_t face = 0; face < triangles->face_count; face++) {
		const uint32_t *corners = triangles->points + triangles->offsets[face];
		if (triangles->offsets[face + 1] - triangles->offsets[face] != 3) {
			return SNW_ERROR_UNSUPPORTED;
		}
		double area[3];
		snk_face_area(positions, corners, 3, area);
		const double twice_area = snw_length3(area);
		for (int k = 0; twice_area > 0 && k < 3; k++) {
			const uint32_t a = corners[k], b = corners[(k + 1) % 3], c = corners[(k + 2) % 3];
			const double half =
				cotangent(positions + 3 * (size_t)a, positions + 3 * (size_t)b, positions + 3 * (size_t)c, twice_area) / 2;
			add_weight(adjacency, b, c, half, weights);
			add_weight(adjacency, c, b, half, weights);
			if (areas) {
				areas[a] += twice_area / 6;
			}
		}
	}
	return SNW_OK;
}

/* ---- faces --------------------------------------------------------------------------------------------------------------- */

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
