/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Seams of a mesh, and of meshes that meet, as one surface.
 */
#include "sculpt/sculpt.h"

#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "mesh/mesh.h"
#include "sinew/algebra.h"

/* ---- points in one place ------------------------------------------------------------------------------------------------- */

/* Border points that lie in the same place: of a split mesh, or of several meshes. */

typedef struct snw_border_point {
	double height; /* by which they are sorted */
	const double *place;
	uint32_t owner; /* what is found to be together: a point, or a mesh */
} snw_border_point;

/* Points are sorted along this direction, of length 1, in which few points of a mesh lie at the same height. */
static const double DIRECTION[3] = {0.4823, 0.6271, 0.6116};

/* Others near a point that are looked at: of a heap of points at one place, those next to each other in order unite them
 * all. */
enum { MOST_COMPARED = 256 };

static int compare_border_points(const void *a, const void *b) {
	const snw_border_point *one = a, *other = b;
	return one->height != other->height ? (one->height > other->height) - (one->height < other->height)
										: (one->owner > other->owner) - (one->owner < other->owner);
}

/* Lists the border points of a mesh at rest, each as its own owner or, if `owner` is not SNW_NONE, as that one. `points` has
 * room for all points. Returns their number. */
static uint32_t border_points(const snw_mesh *mesh, const snw_adjacency *around, uint32_t owner, snw_border_point *points) {
	uint32_t count = 0;
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		if (around->on_border[i]) {
			const double *place = mesh->points_rest + 3 * (size_t)i;
			points[count++] = (snw_border_point){snw_dot3(place, DIRECTION), place, owner == SNW_NONE ? i : owner};
		}
	}
	return count;
}

static uint32_t first_of(uint32_t *first, uint32_t owner) {
	while (first[owner] != owner) {
		owner = first[owner] = first[first[owner]];
	}
	return owner;
}

/* Unites owners that have points at most `most` apart and that `accepts` (NULL: all) takes: first[owner] becomes the lowest
 * of a set or leads to it (first_of). Initially each owner is its own first. Sorts `points`. Returns whether any were
 * united. */
static bool unite_places(snw_border_point *points, uint32_t count, double most,
						 bool (*accepts)(const void *data, uint32_t one, uint32_t other), const void *data, uint32_t *first) {
	bool any = false;
	qsort(points, count, sizeof *points, compare_border_points);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t compared = 0;
		for (uint32_t k = i + 1; k < count && compared < MOST_COMPARED && points[k].height - points[i].height <= 1.01 * most;
			 k++) {
			const uint32_t a = points[i].owner, b = points[k].owner;
			const bool are_near = snw_squared_distance3(points[i].place, points[k].place) <= most * most;
			compared += are_near;
			if (a != b && are_near && (!accepts || accepts(data, a, b))) {
				const uint32_t one = first_of(first, a), other = first_of(first, b);
				first[one < other ? other : one] = one < other ? one : other;
				any = true;
			}
		}
	}
	return any;
}

/* ---- meshes that meet ---------------------------------------------------------------------------------------------------- */

/* Of the character's diagonal: what counts as the same place. */
static const double SAME_PLACE = 1e-6;

/* ---- seams --------------------------------------------------------------------------------------------------------------- */

uint32_t snw_seam_meshes(const snw_scene *scene, uint32_t mesh, const bool *takes_part, snw_arena *arena, uint32_t **meshes) {
	uint32_t *found = SNW_NEW_ARRAY(arena, uint32_t, scene->mesh_count), count = 1, others = 0, border_count = 0;
	size_t point_count = 0;
	found[0] = mesh;
	*meshes = found;
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		const bool is_in = m == mesh || takes_part[m];
		others += is_in && m != mesh;
		point_count += is_in ? scene->meshes[m].point_count : 0;
	}
	if (others == 0) {
		return count;
	}
	snw_arena *scratch = snw_arena_create();
	uint32_t *first = SNW_NEW_ARRAY(scratch, uint32_t, scene->mesh_count);
	snw_border_point *points = SNW_NEW_ARRAY(scratch, snw_border_point, point_count);
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		first[m] = m;
		if (m == mesh || takes_part[m]) {
			const snw_adjacency around = snw_adjacency_make(&scene->meshes[m], NULL, scratch);
			border_count += border_points(&scene->meshes[m], &around, m, points + border_count);
		}
	}
	(void)unite_places(points, border_count, SAME_PLACE * snw_scene_diagonal(scene, SNW_NONE), NULL, NULL, first);
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		if (m != mesh && takes_part[m] && first_of(first, m) == first_of(first, mesh)) {
			found[count++] = m;
		}
	}
	snw_arena_destroy(scratch);
	return count;
}

/* ---- one mesh ------------------------------------------------------------------------------------------------------------ */

snw_mesh *snw_join_meshes(const snw_scene *scene, uint32_t count, const uint32_t *meshes, snw_arena *arena) {
	size_t points = 0, faces = 0, corners = 0;
	for (uint32_t i = 0; i < count; i++) {
		const snw_mesh *mesh = &scene->meshes[meshes[i]];
		points += mesh->point_count;
		faces += mesh->face_count;
		corners += mesh->face_offsets[mesh->face_count];
	}
	double *places = SNW_NEW_ARRAY(arena, double, 3 * points);
	uint32_t *offsets = SNW_NEW_ARRAY(arena, uint32_t, faces + 1), *face_points = SNW_NEW_ARRAY(arena, uint32_t, corners);
	uint32_t first_point = 0, first_face = 0, first_corner = 0;
	for (uint32_t i = 0; i < count; i++) {
		const snw_mesh *mesh = &scene->meshes[meshes[i]];
		const uint32_t corner_count = mesh->face_offsets[mesh->face_count];
		memcpy(places + 3 * (size_t)first_point, mesh->points_rest, 3 * (size_t)mesh->point_count * sizeof *places);
		for (uint32_t f = 0; f <= mesh->face_count; f++) {
			offsets[first_face + f] = first_corner + mesh->face_offsets[f];
		}
		for (uint32_t c = 0; c < corner_count; c++) {
			face_points[first_corner + c] = first_point + mesh->face_points[c];
		}
		first_point += mesh->point_count;
		first_face += mesh->face_count;
		first_corner += corner_count;
	}
	snw_mesh *joined = SNW_NEW(arena, snw_mesh);
	*joined = (snw_mesh){.name = snw_arena_text(arena, scene->meshes[meshes[0]].name),
						 .point_count = first_point,
						 .points_rest = places,
						 .face_count = first_face,
						 .face_offsets = offsets,
						 .face_points = face_points};
	return joined;
}

/* ---- welding ------------------------------------------------------------------------------------------------------------- */

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
		first[i] = first_of(first, i);
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
	const uint32_t border_count = border_points(mesh, around, SNW_NONE, border);
	const double diagonal = snw_points_diagonal(mesh->points_rest, mesh->point_count);
	const posed_skin skin = {points_posed, SAME_POSED * diagonal};
	if (unite_places(border, border_count, SAME_REST * diagonal, are_near, &skin, first) &&
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
