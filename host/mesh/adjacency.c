/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "mesh/mesh.h"

#include <string.h>

#include "sinew/kit/mesh/mesh.h"

/* ---- adjacency ----------------------------------------------------------------------------------------------------------- */

static snk_faces faces_of(const snw_mesh *mesh) {
	return (snk_faces){mesh->point_count, mesh->face_count, mesh->face_offsets, mesh->face_points};
}

uint32_t *snw_corner_faces(const snw_mesh *mesh, snw_arena *arena) {
	if (mesh->face_count == 0) {
		return NULL;
	}
	uint32_t *faces = SNW_NEW_ARRAY(arena, uint32_t, mesh->face_offsets[mesh->face_count]);
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		for (uint32_t c = mesh->face_offsets[f]; c < mesh->face_offsets[f + 1]; c++) {
			faces[c] = f;
		}
	}
	return faces;
}

snw_point_corners snw_point_corners_make(const snw_mesh *mesh, snw_arena *arena) {
	const snk_faces faces = faces_of(mesh);
	const uint32_t corner_count = snk_faces_corner_count(&faces);
	const snw_point_corners at = {.starts = SNW_NEW_ARRAY(arena, uint32_t, (size_t)mesh->point_count + 1),
								  .corners = SNW_NEW_ARRAY(arena, uint32_t, corner_count),
								  .faces = SNW_NEW_ARRAY(arena, uint32_t, corner_count)};
	snk_point_corners(&faces, at.starts, at.corners, at.faces);
	return at;
}

/* Lists each face once. The faces of a point's corners are ascending, so repeats are consecutive. */
static void find_faces(const snw_mesh *mesh, snw_adjacency *around, snw_arena *arena) {
	snw_arena *scratch = snw_arena_create();
	const snw_point_corners at = snw_point_corners_make(mesh, scratch);
	uint32_t *starts = around->face_starts = SNW_NEW_ARRAY(arena, uint32_t, (size_t)mesh->point_count + 1);
	around->faces = SNW_NEW_ARRAY(arena, uint32_t, at.starts[mesh->point_count]);
	uint32_t count = 0;
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		for (uint32_t k = at.starts[i]; k < at.starts[i + 1]; k++) {
			if (k == at.starts[i] || at.faces[k] != at.faces[k - 1]) {
				around->faces[count++] = at.faces[k];
			}
		}
		starts[i + 1] = count;
	}
	snw_arena_destroy(scratch);
}

/* Rows are counted first, then filled. */
static void find_wedges(const snw_mesh *mesh, snw_adjacency *around, snw_arena *arena) {
	snw_arena *scratch = snw_arena_create();
	uint32_t *next = SNW_NEW_ARRAY(scratch, uint32_t, mesh->point_count);
	uint32_t *starts = around->wedge_starts = SNW_NEW_ARRAY(arena, uint32_t, (size_t)mesh->point_count + 1);
	for (int filling = 0; filling < 2; filling++) {
		for (uint32_t f = 0; f < mesh->face_count; f++) {
			const uint32_t *points = mesh->face_points + mesh->face_offsets[f];
			const uint32_t count = mesh->face_offsets[f + 1] - mesh->face_offsets[f];
			for (uint32_t c = 1; c + 1 < count; c++) {
				const uint32_t corners[3] = {points[0], points[c], points[c + 1]};
				if (corners[0] == corners[1] || corners[1] == corners[2] || corners[2] == corners[0]) {
					continue;
				}
				for (int k = 0; k < 3; k++) {
					if (filling) {
						around->wedges[next[corners[k]]++] = (snw_wedge){corners[(k + 1) % 3], corners[(k + 2) % 3]};
					} else {
						starts[corners[k] + 1]++;
					}
				}
			}
		}
		if (!filling) {
			for (uint32_t i = 0; i < mesh->point_count; i++) {
				starts[i + 1] += starts[i];
			}
			around->wedges = SNW_NEW_ARRAY(arena, snw_wedge, starts[mesh->point_count]);
			memcpy(next, starts, mesh->point_count * sizeof *next);
		}
	}
	snw_arena_destroy(scratch);
}

static void find_neighbours(const snw_mesh *mesh, const uint32_t *partners, snw_adjacency *around, snw_arena *arena) {
	const snk_faces faces = faces_of(mesh);
	const size_t most = 2 * (size_t)snk_faces_corner_count(&faces);
	snw_arena *scratch = snw_arena_create();
	uint32_t *starts = around->neighbour_starts = SNW_NEW_ARRAY(arena, uint32_t, (size_t)mesh->point_count + 1);
	uint32_t *neighbours = SNW_NEW_ARRAY(scratch, uint32_t, most), *sides = SNW_NEW_ARRAY(scratch, uint32_t, most);
	snk_neighbours(&faces, partners, SNW_NEW_ARRAY(scratch, uint64_t, most), starts, neighbours, sides);
	around->neighbours = snw_arena_copy(arena, neighbours, starts[mesh->point_count] * sizeof *neighbours);
	around->on_border = SNW_NEW_ARRAY(arena, bool, mesh->point_count);
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		for (uint32_t k = starts[i]; k < starts[i + 1]; k++) {
			around->on_border[i] |= sides[k] == 1;
		}
	}
	snw_arena_destroy(scratch);
}

snw_adjacency snw_adjacency_make(const snw_mesh *mesh, const uint32_t *partners, snw_arena *arena) {
	snw_adjacency around = {0};
	find_faces(mesh, &around, arena);
	find_wedges(mesh, &around, arena);
	find_neighbours(mesh, partners, &around, arena);
	return around;
}

/* ---- element set --------------------------------------------------------------------------------------------------------- */

/* Unused blocks are skipped, eight at a time. */

enum { STRIDE = 8 };

snw_set snw_set_make(uint32_t count, snw_arena *arena) {
	const uint32_t blocks = count / SNW_SET_BLOCK + 1;
	return (snw_set){
		.block_count = (blocks + STRIDE - 1) / STRIDE * STRIDE,
		.has = SNW_NEW_ARRAY(arena, unsigned char, (size_t)blocks *SNW_SET_BLOCK),
		.is_used = SNW_NEW_ARRAY(arena, unsigned char, (blocks + STRIDE - 1) / STRIDE * STRIDE),
	};
}

/* The first used block from `block` on; block_count if there is none. */
static uint32_t next_used(const snw_set *set, uint32_t block) {
	while (block < set->block_count) {
		uint64_t eight;
		memcpy(&eight, set->is_used + block / STRIDE * STRIDE, sizeof eight);
		if (eight == 0) {
			block = (block / STRIDE + 1) * STRIDE;
		} else if (!set->is_used[block]) {
			block++;
		} else {
			break;
		}
	}
	return block;
}

void snw_set_clear(snw_set *set) {
	for (uint32_t b = next_used(set, 0); b < set->block_count; b = next_used(set, b + 1)) {
		memset(set->has + (size_t)b * SNW_SET_BLOCK, 0, SNW_SET_BLOCK);
		set->is_used[b] = 0;
	}
}

void snw_set_join(snw_set *set, const snw_set *other) {
	for (uint32_t b = next_used(other, 0); b < other->block_count; b = next_used(other, b + 1)) {
		for (uint32_t k = b * SNW_SET_BLOCK; k < (b + 1) * SNW_SET_BLOCK; k++) {
			set->has[k] |= other->has[k];
		}
		set->is_used[b] = 1;
	}
}

uint32_t snw_set_list(const snw_set *set, uint32_t *items) {
	uint32_t count = 0;
	for (uint32_t b = next_used(set, 0); b < set->block_count; b = next_used(set, b + 1)) {
		for (uint32_t k = b * SNW_SET_BLOCK; k < (b + 1) * SNW_SET_BLOCK; k++) {
			items[count] = k; /* branchless: the next item overwrites it if k is not in the set */
			count += set->has[k];
		}
	}
	return count;
}
