/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sculpt/seams/joined.h"

#include <string.h>

#include "sculpt/seams/same_places.h"

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
			border_count += snw_border_points(&scene->meshes[m], &around, m, points + border_count);
		}
	}
	(void)snw_unite_places(points, border_count, SAME_PLACE * snw_scene_diagonal(scene, SNW_NONE), NULL, NULL, first);
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		if (m != mesh && takes_part[m] && snw_first_of(first, m) == snw_first_of(first, mesh)) {
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
