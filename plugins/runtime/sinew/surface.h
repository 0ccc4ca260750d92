/* SPDX-License-Identifier: MIT
 *
 * The surface of a mesh, for sums over points that stand for integrals.
 *
 * For plug-in authors: header only, optional, not part of the binary interface.
 */
#ifndef SINEW_SURFACE_H
#define SINEW_SURFACE_H

#include "sinew/algebra.h"
#include "sinew/view.h"

/* The area that belongs to each point at rest, square metres: a third of that of its triangles. Polygons are split into
 * fans. */
static inline void snw_point_areas(const snw_mesh_view *mesh, double *areas) {
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		areas[i] = 0;
	}
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		const uint32_t *face = mesh->face_points + mesh->face_offsets[f];
		for (uint32_t c = 1; c + 1 < mesh->face_offsets[f + 1] - mesh->face_offsets[f]; c++) {
			const uint32_t corners[3] = {face[0], face[c], face[c + 1]};
			double edges[6], normal[3];
			for (size_t i = 0; i < 6; i++) {
				edges[i] = mesh->points_rest[3 * (size_t)corners[1 + i / 3] + i % 3] -
						   mesh->points_rest[3 * (size_t)corners[0] + i % 3];
			}
			snw_cross3(edges, edges + 3, normal);
			for (size_t i = 0; i < 3; i++) {
				areas[corners[i]] += snw_length3(normal) / 6;
			}
		}
	}
}

#endif
