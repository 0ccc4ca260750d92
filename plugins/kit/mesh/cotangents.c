/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "sinew/algebra.h"
#include "sinew/kit/mesh/adjacency.h"
#include "sinew/kit/mesh/face_area.h"

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
