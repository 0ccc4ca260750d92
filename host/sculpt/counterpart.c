/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sculpt/counterpart.h"

#include <math.h>

#include "base/box.h"
#include "mesh/mirror/mirror.h"
#include "sculpt/seams/joined.h"

static const double TOLERANCE = 1e-3;      /* of the mesh's diagonal, as of the map */
static const double SYMMETRIC_SHARE = 0.5; /* of its points have partners on the mesh itself: it is symmetric */
static const double PAIRED_SHARE = 0.9;    /* of its points have partners on the counterpart */

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
static bool are_counterparts(const snw_scene *scene, uint32_t mesh, uint32_t other, double tolerance, snw_arena *scratch) {
	const uint32_t meshes[2] = {mesh, other};
	const snw_mirror_options options = {.method = SNW_MIRROR_POSITION, .tolerance = tolerance};
	snw_mirror_map map;
	return !snw_failed(snw_mirror_map_build(snw_join_meshes(scene, 2, meshes, scratch), &options, scratch, &map, NULL)) &&
		   pairs_across(&map, scene->meshes[mesh].point_count);
}

uint32_t snw_counterpart_of(const snw_scene *scene, uint32_t mesh, const bool *takes_part) {
	const snw_box box = box_of(&scene->meshes[mesh]);
	const double tolerance = TOLERANCE * snw_box_diagonal(&box);
	snw_arena *scratch = snw_arena_create();
	uint32_t found = SNW_NONE;
	bool may = !snw_box_is_empty(&box);
	for (uint32_t m = 0; m < scene->mesh_count && found == SNW_NONE && may; m++) {
		const snw_box other = m == mesh || !takes_part[m] ? snw_box_empty() : box_of(&scene->meshes[m]);
		if (!snw_box_is_empty(&other) && are_reflected(&box, &other, tolerance)) {
			may = !is_symmetric(&scene->meshes[mesh], scratch);
			found = may && are_counterparts(scene, mesh, m, tolerance, scratch) ? m : SNW_NONE;
		}
	}
	snw_arena_destroy(scratch);
	return found;
}
