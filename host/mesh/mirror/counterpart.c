/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "mesh/mirror/counterpart.h"

#include <math.h>
#include <string.h>

#include "base/box.h"

static const double TOLERANCE = 1e-3;   /* of the mesh's diagonal, as of the map */
static const double OWN_SHARE = 0.5;    /* of its points have partners on the mesh itself: it is symmetric */
static const double PAIRED_SHARE = 0.9; /* of its points have partners on the counterpart */

static snw_box box_of(const snw_mesh *mesh) {
	snw_box box = snw_box_empty();
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		snw_box_add(&box, mesh->points_rest + 3 * (size_t)i);
	}
	return box;
}

static bool are_reflected(const snw_box *one, const snw_box *other, double tolerance) {
	bool are = fabs(one->lower[0] + other->upper[0]) < tolerance && fabs(one->upper[0] + other->lower[0]) < tolerance;
	for (int c = 1; c < 3; c++) {
		are = are && fabs(one->lower[c] - other->lower[c]) < tolerance && fabs(one->upper[c] - other->upper[c]) < tolerance;
	}
	return are;
}

static bool is_symmetric(const snw_mesh *mesh, snw_arena *scratch) {
	snw_mirror_map map;
	return !snw_failed(snw_mirror_map_build(mesh, &(snw_mirror_options){0}, scratch, &map, NULL)) &&
		   2.0 * map.pair_count + map.middle_count > OWN_SHARE * mesh->point_count;
}

static const snw_mesh *join(const snw_mesh *one, const snw_mesh *other, snw_arena *arena) {
	const snw_mesh *const parts[2] = {one, other};
	const size_t points = (size_t)one->point_count + other->point_count, faces = (size_t)one->face_count + other->face_count;
	const size_t corners = (size_t)one->face_offsets[one->face_count] + other->face_offsets[other->face_count];
	double *points_rest = SNW_NEW_ARRAY(arena, double, 3 * points);
	uint32_t *face_offsets = SNW_NEW_ARRAY(arena, uint32_t, faces + 1);
	uint32_t *face_points = SNW_NEW_ARRAY(arena, uint32_t, corners);
	uint32_t first_point = 0, first_face = 0, first_corner = 0;
	for (int i = 0; i < 2; i++) {
		const snw_mesh *part = parts[i];
		const uint32_t part_corners = part->face_offsets[part->face_count];
		memcpy(points_rest + 3 * (size_t)first_point, part->points_rest, 3 * (size_t)part->point_count * sizeof(double));
		for (uint32_t f = 0; f <= part->face_count; f++) {
			face_offsets[first_face + f] = first_corner + part->face_offsets[f];
		}
		for (uint32_t c = 0; c < part_corners; c++) {
			face_points[first_corner + c] = first_point + part->face_points[c];
		}
		first_point += part->point_count;
		first_face += part->face_count;
		first_corner += part_corners;
	}
	snw_mesh *joined = SNW_NEW(arena, snw_mesh);
	*joined = (snw_mesh){.name = snw_arena_text(arena, one->name),
						 .point_count = first_point,
						 .points_rest = points_rest,
						 .face_count = first_face,
						 .face_offsets = face_offsets,
						 .face_points = face_points};
	return joined;
}

/* Whether most of the first points have partners among the others. */
static bool pairs_across(const snw_mirror_map *map, uint32_t count) {
	uint32_t across = 0;
	for (uint32_t i = 0; i < count; i++) {
		across += map->partners[i] != SNW_NONE && map->partners[i] >= count;
	}
	return across >= PAIRED_SHARE * count;
}

bool snw_counterpart_find(const snw_scene *scene, uint32_t index, snw_arena *arena, snw_counterpart *counterpart) {
	const snw_mesh *mesh = &scene->meshes[index];
	const snw_box box = box_of(mesh);
	const double tolerance = TOLERANCE * snw_box_diagonal(&box);
	snw_arena *scratch = snw_arena_create();
	bool found = false, may = mesh->point_count > 0;
	for (uint32_t m = 0; m < scene->mesh_count && !found && may; m++) {
		const snw_mesh *other = &scene->meshes[m];
		const snw_box other_box = box_of(other);
		if (m == index || snw_box_is_empty(&other_box) || !are_reflected(&box, &other_box, tolerance)) {
			continue;
		}
		may = !is_symmetric(mesh, scratch);
		const snw_mirror_options options = {.method = SNW_MIRROR_POSITION, .tolerance = tolerance};
		const snw_mesh *joined = may ? join(mesh, other, arena) : NULL;
		found = may && !snw_failed(snw_mirror_map_build(joined, &options, arena, &counterpart->map, NULL)) &&
				pairs_across(&counterpart->map, mesh->point_count);
		counterpart->mesh = m;
		counterpart->joined = joined;
	}
	snw_arena_destroy(scratch);
	return found;
}
