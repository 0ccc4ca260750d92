/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sculpt/weld.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sinew/algebra.h"

/* Shares of the diagonal: what counts as the same place at rest, and how far skins may pull a seam apart. */
static const double SAME_REST = 1e-6, SAME_POSED = 1e-4;

/* Border points are sorted along this direction, of length 1, in which few points of a mesh lie at the same height. */
static const double DIRECTION[3] = {0.4823, 0.6271, 0.6116};

typedef struct candidate {
	double height;
	uint32_t point;
} candidate;

static int compare_candidates(const void *a, const void *b) {
	const candidate *one = a, *other = b;
	return one->height != other->height ? (one->height > other->height) - (one->height < other->height)
										: (one->point > other->point) - (one->point < other->point);
}

static uint32_t list_border(const snw_mesh *mesh, const snw_adjacency *around, candidate *candidates) {
	uint32_t count = 0;
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		if (around->on_border[i]) {
			candidates[count++] = (candidate){snw_dot3(mesh->points_rest + 3 * (size_t)i, DIRECTION), i};
		}
	}
	qsort(candidates, count, sizeof *candidates, compare_candidates);
	return count;
}

static uint32_t first_of(uint32_t *first, uint32_t point) {
	while (first[point] != point) {
		point = first[point] = first[first[point]];
	}
	return point;
}

static bool are_near(const double *points, uint32_t a, uint32_t b, double most) {
	return snw_squared_distance3(points + 3 * (size_t)a, points + 3 * (size_t)b) <= most * most;
}

/* Returns whether there are any. */
static bool find_places(const snw_mesh *mesh, const double *points_posed, const candidate *candidates, uint32_t count,
						double diagonal, uint32_t *first) {
	bool any = false;
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		first[i] = i;
	}
	for (uint32_t i = 0; i < count; i++) {
		for (uint32_t k = i + 1; k < count && candidates[k].height - candidates[i].height <= 1.01 * SAME_REST * diagonal; k++) {
			const uint32_t a = candidates[i].point, b = candidates[k].point;
			if (are_near(mesh->points_rest, a, b, SAME_REST * diagonal) &&
				are_near(points_posed, a, b, SAME_POSED * diagonal)) {
				const uint32_t one = first_of(first, a), other = first_of(first, b);
				first[one < other ? other : one] = one < other ? one : other;
				any = true;
			}
		}
	}
	return any;
}

static void make_circles(uint32_t count, uint32_t *first, uint32_t *next) {
	for (uint32_t i = 0; i < count; i++) {
		next[i] = i;
	}
	for (uint32_t i = 0; i < count; i++) {
		first[i] = first_of(first, i);
		if (first[i] != i) {
			next[i] = next[first[i]];
			next[first[i]] = i;
		}
	}
}

/* Gives each point the row of the first of its place. */
static void *copy_rows(const uint32_t *first, uint32_t count, uint32_t **starts, const void *items, size_t size,
					   snw_arena *arena) {
	const uint32_t *old = *starts;
	uint32_t *made = SNW_NEW_ARRAY(arena, uint32_t, (size_t)count + 1);
	for (uint32_t i = 0; i < count; i++) {
		made[i + 1] = made[i] + old[first[i] + 1] - old[first[i]];
	}
	char *copied = snw_arena_array(arena, made[count] > 0 ? made[count] : 1, size);
	for (uint32_t i = 0; i < count; i++) {
		if (made[i + 1] > made[i]) {
			memcpy(copied + size * made[i], (const char *)items + size * old[first[i]], size * (made[i + 1] - made[i]));
		}
	}
	*starts = made;
	return copied;
}

static double diagonal_of(const snw_mesh *mesh) {
	double least[3] = {INFINITY, INFINITY, INFINITY}, most[3] = {-INFINITY, -INFINITY, -INFINITY};
	for (size_t i = 0; i < 3 * (size_t)mesh->point_count; i++) {
		least[i % 3] = fmin(least[i % 3], mesh->points_rest[i]);
		most[i % 3] = fmax(most[i % 3], mesh->points_rest[i]);
	}
	return sqrt(snw_squared_distance3(least, most));
}

/* Makes the adjacency again, for faces at first points alone. */
static void weld_adjacency(const snw_weld *weld, const uint32_t *partners, snw_adjacency *around, snw_arena *arena,
						   snw_arena *scratch) {
	const uint32_t *first = weld->first, count = weld->mesh.point_count;
	uint32_t *welded_partners = partners ? SNW_NEW_ARRAY(scratch, uint32_t, count) : NULL;
	for (uint32_t i = 0; i < count && partners; i++) {
		const uint32_t partner = partners[first[i]];
		welded_partners[i] = partner == SNW_NONE ? SNW_NONE : first[partner];
	}
	const snw_adjacency made = snw_adjacency_make(&weld->mesh, welded_partners, scratch);
	*around = made;
	around->faces = copy_rows(first, count, &around->face_starts, made.faces, sizeof *made.faces, arena);
	around->wedges = copy_rows(first, count, &around->wedge_starts, made.wedges, sizeof *made.wedges, arena);
	around->neighbours = copy_rows(first, count, &around->neighbour_starts, made.neighbours, sizeof *made.neighbours, arena);
	around->on_border = SNW_NEW_ARRAY(arena, bool, count);
	for (uint32_t i = 0; i < count; i++) {
		around->on_border[i] = made.on_border[first[i]];
	}
}

snw_weld snw_weld_make(const snw_mesh *mesh, const double *points_posed, const uint32_t *partners, snw_adjacency *around,
					   snw_arena *arena) {
	snw_weld weld = {.mesh = *mesh};
	const uint32_t count = mesh->point_count, corner_count = mesh->face_count > 0 ? mesh->face_offsets[mesh->face_count] : 0;
	snw_arena *scratch = snw_arena_create();
	candidate *candidates = SNW_NEW_ARRAY(scratch, candidate, count);
	uint32_t *first = SNW_NEW_ARRAY(scratch, uint32_t, count);
	const uint32_t border_count = list_border(mesh, around, candidates);
	if (find_places(mesh, points_posed, candidates, border_count, diagonal_of(mesh), first)) {
		weld.next = SNW_NEW_ARRAY(arena, uint32_t, count);
		make_circles(count, first, weld.next);
		weld.first = snw_arena_copy(arena, first, count * sizeof *first);
		uint32_t *corners = SNW_NEW_ARRAY(arena, uint32_t, corner_count);
		for (uint32_t c = 0; c < corner_count; c++) {
			corners[c] = first[mesh->face_points[c]];
		}
		weld.mesh.face_points = corners;
		weld_adjacency(&weld, partners, around, arena, scratch);
	}
	snw_arena_destroy(scratch);
	return weld;
}
