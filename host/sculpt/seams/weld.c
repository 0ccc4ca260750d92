/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sculpt/seams/weld.h"

#include <string.h>

#include "base/box.h"
#include "sculpt/seams/same_places.h"
#include "sinew/algebra.h"

/* Shares of the diagonal: what counts as the same place at rest, and how far skins may pull a seam apart. */
static const double SAME_REST = 1e-6, SAME_POSED = 1e-4;

/* More points at one place are no seam: each would get a copy of all faces there. */
enum { MOST_AT_A_PLACE = 256 };

/* A skin in a pose. */
typedef struct posed_skin {
	const double *points;
	double most; /* how far apart points of one place may be */
} posed_skin;

static bool are_near(const void *data, uint32_t a, uint32_t b) {
	const posed_skin *skin = data;
	return snw_squared_distance3(skin->points + 3 * (size_t)a, skin->points + 3 * (size_t)b) <= skin->most * skin->most;
}

/* Parts heaps of points, and returns whether any are still united. */
static bool part_heaps(uint32_t count, uint32_t *first, uint32_t *sizes) {
	bool any = false;
	for (uint32_t i = 0; i < count; i++) {
		first[i] = snw_first_of(first, i);
		sizes[first[i]]++;
	}
	for (uint32_t i = 0; i < count; i++) {
		const bool is_seam = sizes[first[i]] <= MOST_AT_A_PLACE;
		any = any || (is_seam && first[i] != i);
		first[i] = is_seam ? first[i] : i;
	}
	return any;
}

static void make_circles(uint32_t count, const uint32_t *first, uint32_t *next) {
	for (uint32_t i = 0; i < count; i++) {
		next[i] = i;
	}
	for (uint32_t i = 0; i < count; i++) {
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
	snw_box box = snw_box_empty();
	snw_box_add_points(&box, mesh->points_rest, mesh->point_count);
	return snw_box_diagonal(&box);
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
	snw_border_point *border = SNW_NEW_ARRAY(scratch, snw_border_point, count);
	uint32_t *first = SNW_NEW_ARRAY(scratch, uint32_t, count);
	for (uint32_t i = 0; i < count; i++) {
		first[i] = i;
	}
	const uint32_t border_count = snw_border_points(mesh, around, SNW_NONE, border);
	const double diagonal = diagonal_of(mesh);
	const posed_skin skin = {points_posed, SAME_POSED * diagonal};
	if (snw_unite_places(border, border_count, SAME_REST * diagonal, are_near, &skin, first) &&
		part_heaps(count, first, SNW_NEW_ARRAY(scratch, uint32_t, count))) {
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
