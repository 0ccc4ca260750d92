/* SPDX-License-Identifier: MIT
 *
 * Points that are joined, as trees: each point has a parent, a piece's lowest point is its own. Nothing allocates; one tree,
 * one thread at a time.
 */
#ifndef SINEW_KIT_MESH_PIECES_H
#define SINEW_KIT_MESH_PIECES_H

#include "sinew/kit/mesh/faces.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The lowest point of a point's piece. The path to it is halved, so that later searches are short. */
static inline uint32_t snk_piece_of(uint32_t *parents, uint32_t point) {
	while (parents[point] != point) {
		parents[point] = parents[parents[point]];
		point = parents[point];
	}
	return point;
}

/* Makes one piece of those of two points. Begin with parents[i] = i. */
static inline void snk_pieces_join(uint32_t *parents, uint32_t a, uint32_t b) {
	const uint32_t of_a = snk_piece_of(parents, a), of_b = snk_piece_of(parents, b);
	parents[of_a > of_b ? of_a : of_b] = of_a > of_b ? of_b : of_a;
}

/* The pieces of a surface, whose points are joined by faces: pieces[i] is the lowest point of point i's, [point_count]. */
static inline void snk_pieces_find(const snk_faces *faces, uint32_t *pieces) {
	for (uint32_t i = 0; i < faces->point_count; i++) {
		pieces[i] = i;
	}
	for (uint32_t face = 0; face < faces->face_count; face++) {
		for (uint32_t k = faces->offsets[face] + 1; k < faces->offsets[face + 1]; k++) {
			snk_pieces_join(pieces, faces->points[k - 1], faces->points[k]);
		}
	}
	for (uint32_t i = 0; i < faces->point_count; i++) {
		pieces[i] = snk_piece_of(pieces, i);
	}
}

#ifdef __cplusplus
}
#endif

#endif
