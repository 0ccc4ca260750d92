/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sculpt/counterpart.h"

#include <math.h>

#include "base/box.h"
#include "sculpt/seams/joined.h"
#include "sinew/algebra.h"

static const double COUNTERPART_TOLERANCE = 1e-3; /* of the mesh's diagonal, as of the map */
static const double SYMMETRIC_SHARE = 0.5;        /* of its points have partners on the mesh itself: it is symmetric */
static const double PAIRED_SHARE = 0.9;           /* of its points have partners on the counterpart */
static const double LARGEST_OFFSET = 0.01;        /* of the character's diagonal: how far it may lie beside the reflection */

static snw_box box_of(const snw_mesh *mesh) {
	snw_box box = snw_box_empty();
	snw_box_add_points(&box, mesh->points_rest, mesh->point_count);
	return box;
}

/* From where the reflection of a box lies to where another one does, if they have the same size. */
static bool find_shift(const snw_box *one, const snw_box *other, const snw_mirror_plane *plane, double tolerance,
					   double shift[3]) {
	bool are_alike = true;
	for (uint32_t c = 0; c < 3; c++) {
		const bool is_reflected = c == plane->axis;
		const double lower = is_reflected ? snw_mirror_coordinate(plane, one->upper[c]) : one->lower[c];
		const double upper = is_reflected ? snw_mirror_coordinate(plane, one->lower[c]) : one->upper[c];
		shift[c] = (other->lower[c] + other->upper[c] - lower - upper) / 2;
		are_alike = are_alike && fabs((other->upper[c] - other->lower[c]) - (upper - lower)) < 2 * tolerance;
	}
	return are_alike;
}

static bool is_symmetric(const snw_mesh *mesh, const snw_mirror_plane *plane, snw_arena *scratch) {
	snw_mirror_map map;
	return !snw_failed(snw_mirror_map_build(mesh, &(snw_mirror_options){.plane = *plane}, scratch, &map, NULL)) &&
		   2.0 * map.pair_count + map.middle_count > SYMMETRIC_SHARE * mesh->point_count;
}

/* Whether most of the first points have partners among the others. */
static bool pairs_across(const snw_mirror_map *map, uint32_t count) {
	uint32_t across = 0;
	for (uint32_t i = 0; i < count; i++) {
		across += map->partners[i] != SNW_NONE && map->partners[i] >= count;
	}
	return across >= PAIRED_SHARE * count;
}

/* Whether most points of a mesh have partners on another one, if the two are taken as one. */
static bool are_counterparts(const snw_scene *scene, uint32_t mesh, uint32_t other, const snw_mirror_plane *plane,
							 double tolerance, snw_arena *scratch) {
	const uint32_t meshes[2] = {mesh, other};
	const snw_mirror_options options = {.method = SNW_MIRROR_POSITION, .plane = *plane, .tolerance = tolerance};
	const uint32_t count = scene->meshes[mesh].point_count;
	const snw_mesh *joined = snw_join_meshes(scene, 2, meshes, scratch);
	snw_mirror_map map;
	return !snw_failed(snw_mirror_map_build(snw_counterpart_align(scene, mesh, other, plane, joined, count, scratch), &options,
											scratch, &map, NULL)) &&
		   pairs_across(&map, count);
}

const snw_mesh *snw_counterpart_align(const snw_scene *scene, uint32_t mesh, uint32_t counterpart,
									  const snw_mirror_plane *plane, const snw_mesh *joined, uint32_t first, snw_arena *arena) {
	const snw_box box = box_of(&scene->meshes[mesh]), other = box_of(&scene->meshes[counterpart]);
	const uint32_t count = scene->meshes[counterpart].point_count;
	double *points = snw_arena_copy(arena, joined->points_rest, 3 * (size_t)joined->point_count * sizeof *points), shift[3];
	snw_mesh *aligned = SNW_NEW(arena, snw_mesh);
	(void)find_shift(&box, &other, plane, 0, shift);
	for (size_t i = first; i < (size_t)first + count; i++) {
		for (size_t c = 0; c < 3; c++) {
			points[3 * i + c] -= shift[c];
		}
	}
	*aligned = *joined;
	aligned->points_rest = points;
	return aligned;
}

static double diagonal_of_character(const snw_scene *scene) {
	snw_box whole = snw_box_empty();
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		const snw_box box = box_of(&scene->meshes[m]);
		snw_box_add_box(&whole, &box);
	}
	return snw_box_diagonal(&whole);
}

uint32_t snw_counterpart_of(const snw_scene *scene, uint32_t mesh, const snw_mirror_plane *plane, const bool *takes_part) {
	const snw_box box = box_of(&scene->meshes[mesh]);
	if (snw_box_is_empty(&box)) {
		return SNW_NONE;
	}
	const double tolerance = COUNTERPART_TOLERANCE * snw_box_diagonal(&box);
	double least = LARGEST_OFFSET * diagonal_of_character(scene), shift[3];
	snw_arena *scratch = snw_arena_create();
	uint32_t found = SNW_NONE;
	bool may = true;
	for (uint32_t m = 0; m < scene->mesh_count && may; m++) {
		const snw_box other = m == mesh || !takes_part[m] ? snw_box_empty() : box_of(&scene->meshes[m]);
		if (!snw_box_is_empty(&other) && find_shift(&box, &other, plane, tolerance, shift) && snw_length3(shift) < least) {
			may = !is_symmetric(&scene->meshes[mesh], plane, scratch);
			if (may && are_counterparts(scene, mesh, m, plane, tolerance, scratch)) {
				found = m;
				least = snw_length3(shift);
			}
		}
	}
	snw_arena_destroy(scratch);
	return found;
}
