/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sample/grid.h"

void snw_grid_faces(uint32_t columns, uint32_t rows, snw_arena *arena, snw_mesh *mesh) {
	static const uint32_t order[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
	const uint32_t quads = (columns - 1) * (rows - 1);
	uint32_t *offsets = SNW_NEW_ARRAY(arena, uint32_t, (size_t)quads + 1);
	uint32_t *points = SNW_NEW_ARRAY(arena, uint32_t, (size_t)4 * quads);
	float *uvs = SNW_NEW_ARRAY(arena, float, (size_t)8 * quads);
	uint32_t corner = 0;
	for (uint32_t face = 0; face < quads; face++) {
		for (int c = 0; c < 4; c++, corner++) {
			const uint32_t column = face % (columns - 1) + order[c][0], row = face / (columns - 1) + order[c][1];
			points[corner] = row * columns + column;
			uvs[(size_t)2 * corner] = (float)column / (float)(columns - 1);
			uvs[(size_t)2 * corner + 1] = (float)row / (float)(rows - 1);
		}
		offsets[face + 1] = corner;
	}
	mesh->face_count = quads;
	mesh->face_offsets = offsets;
	mesh->face_points = points;
	mesh->corner_uvs = uvs;
}
