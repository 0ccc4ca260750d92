/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows are counted first, then filled.
 */
#include "mesh/adjacency.h"

#include <stdlib.h>
#include <string.h>

enum { FEW = 32 };

/* Converts counts to starts. On entry, starts[i + 1] is the count of row i. */
static void accumulate(uint32_t *starts, uint32_t count) {
	for (uint32_t i = 0; i < count; i++) {
		starts[i + 1] += starts[i];
	}
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
	const uint32_t corner_count = mesh->face_count > 0 ? mesh->face_offsets[mesh->face_count] : 0;
	const snw_point_corners at = {.starts = SNW_NEW_ARRAY(arena, uint32_t, (size_t)mesh->point_count + 1),
								  .corners = SNW_NEW_ARRAY(arena, uint32_t, corner_count),
								  .faces = SNW_NEW_ARRAY(arena, uint32_t, corner_count)};
	snw_arena *scratch = snw_arena_create();
	uint32_t *next = SNW_NEW_ARRAY(scratch, uint32_t, mesh->point_count);
	for (uint32_t c = 0; c < corner_count; c++) {
		at.starts[mesh->face_points[c] + 1]++;
	}
	accumulate(at.starts, mesh->point_count);
	memcpy(next, at.starts, mesh->point_count * sizeof *next);
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		for (uint32_t c = mesh->face_offsets[f]; c < mesh->face_offsets[f + 1]; c++) {
			const uint32_t place = next[mesh->face_points[c]]++;
			at.corners[place] = c;
			at.faces[place] = f;
		}
	}
	snw_arena_destroy(scratch);
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

static void find_wedges(const snw_mesh *mesh, snw_adjacency *around, snw_arena *arena, uint32_t *next) {
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
			accumulate(starts, mesh->point_count);
			around->wedges = SNW_NEW_ARRAY(arena, snw_wedge, starts[mesh->point_count]);
			memcpy(next, starts, mesh->point_count * sizeof *next);
		}
	}
}

/* A neighbour, and a sorting key that it shares with its mirror partner. */
typedef struct candidate {
	uint32_t key, point;
} candidate;

static int compare_candidates(const void *x, const void *y) {
	const candidate *a = x, *b = y;
	return a->key != b->key ? (a->key > b->key) - (a->key < b->key) : (a->point > b->point) - (a->point < b->point);
}

/* Insertion sort, since most points have few neighbours. */
static void insertion_sort(candidate *candidates, uint32_t count) {
	for (uint32_t i = 1; i < count; i++) {
		const candidate at = candidates[i];
		uint32_t place = i;
		for (; place > 0 && compare_candidates(&candidates[place - 1], &at) > 0; place--) {
			candidates[place] = candidates[place - 1];
		}
		candidates[place] = at;
	}
}

/* Sorts the candidates of one point and drops repeats. *on_border is set if an edge occurs only once. */
static uint32_t sort_candidates(candidate *candidates, uint32_t count, bool *on_border) {
	if (count <= FEW) {
		insertion_sort(candidates, count);
	} else {
		qsort(candidates, count, sizeof *candidates, compare_candidates);
	}
	uint32_t used = 0;
	*on_border = false;
	for (uint32_t i = 0, times; i < count; i += times) {
		for (times = 1; i + times < count && candidates[i + times].point == candidates[i].point; times++) {
		}
		candidates[used++] = candidates[i];
		*on_border |= times == 1;
	}
	return used;
}

static void find_neighbours(const snw_mesh *mesh, const uint32_t *partners, snw_adjacency *around, snw_arena *arena,
							uint32_t *next) {
	const uint32_t corner_count = mesh->face_count > 0 ? mesh->face_offsets[mesh->face_count] : 0;
	uint32_t *starts = around->neighbour_starts = SNW_NEW_ARRAY(arena, uint32_t, (size_t)mesh->point_count + 1);
	uint32_t *begins = SNW_NEW_ARRAY(arena, uint32_t, (size_t)mesh->point_count + 1);
	candidate *candidates = SNW_NEW_ARRAY(arena, candidate, 2 * (size_t)corner_count);
	for (uint32_t c = 0; c < corner_count; c++) {
		begins[mesh->face_points[c] + 1] += 2;
	}
	accumulate(begins, mesh->point_count);
	memcpy(next, begins, mesh->point_count * sizeof *next);
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		const uint32_t first = mesh->face_offsets[f], count = mesh->face_offsets[f + 1] - first;
		for (uint32_t c = 0; c < count; c++) {
			const uint32_t ends[2] = {mesh->face_points[first + c], mesh->face_points[first + (c + 1) % count]};
			for (int e = 0; e < 2 && ends[0] != ends[1]; e++) {
				const uint32_t other = ends[1 - e];
				const uint32_t partner = partners ? partners[other] : SNW_NONE;
				candidates[next[ends[e]]++] = (candidate){partner < other ? partner : other, other};
			}
		}
	}
	around->on_border = SNW_NEW_ARRAY(arena, bool, mesh->point_count);
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		starts[i + 1] = starts[i] + sort_candidates(candidates + begins[i], next[i] - begins[i], &around->on_border[i]);
	}
	around->neighbours = SNW_NEW_ARRAY(arena, uint32_t, starts[mesh->point_count]);
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		for (uint32_t k = starts[i]; k < starts[i + 1]; k++) {
			around->neighbours[k] = candidates[begins[i] + (k - starts[i])].point;
		}
	}
}

snw_adjacency snw_adjacency_make(const snw_mesh *mesh, const uint32_t *partners, snw_arena *arena) {
	snw_adjacency around = {0};
	uint32_t *next = SNW_NEW_ARRAY(arena, uint32_t, mesh->point_count);
	find_faces(mesh, &around, arena);
	find_wedges(mesh, &around, arena, next);
	find_neighbours(mesh, partners, &around, arena, next);
	return around;
}
