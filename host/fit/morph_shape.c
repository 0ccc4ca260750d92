/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fit/morph_shape.h"

#include <string.h>

#include "fit/sculpt_reference.h"
#include "pose/pose.h"
#include "sinew/algebra.h"

/* The blended matrix of a point; the identity for a point that no joint moves. `palette` NULL: the rest. */
static void find_morph_matrix(const snw_mesh *mesh, uint32_t point, const double *palette, double matrix[12]) {
	const bool is_moved =
		palette && mesh->influence_offsets && mesh->influence_offsets[point] < mesh->influence_offsets[point + 1];
	snw_mat34_identity(matrix);
	if (!is_moved) {
		return;
	}
	memset(matrix, 0, 12 * sizeof *matrix);
	for (uint32_t i = mesh->influence_offsets[point]; i < mesh->influence_offsets[point + 1]; i++) {
		const double *slot = palette + 12 * (size_t)mesh->influence_slots[i];
		for (int k = 0; k < 12; k++) {
			matrix[k] += mesh->influence_weights[i] * slot[k];
		}
	}
}

static const double *find_morph_palette(const snw_scene *scene, const snw_pose *pose, snw_arena *arena) {
	return pose ? snw_pose_view_make(scene, pose, arena)->palette : NULL;
}

static void morph_to_rest(const snw_mesh *mesh, const double *palette, double *points) {
	for (uint32_t p = 0; p < mesh->point_count; p++) {
		double matrix[12];
		find_morph_matrix(mesh, p, palette, matrix);
		snw_mat34_point(matrix, mesh->points_rest + 3 * (size_t)p, points + 3 * (size_t)p);
	}
}

/* From one pose to another: R' Rᵀ v. */
static void rotate_between_poses(const double from[9], const double to[9], const double vector[3], double dest[3]) {
	double at_rest[3];
	for (int r = 0; r < 3; r++) {
		at_rest[r] = from[r] * vector[0] + from[3 + r] * vector[1] + from[6 + r] * vector[2];
	}
	for (int r = 0; r < 3; r++) {
		dest[r] = snw_dot3(to + 3 * (size_t)r, at_rest);
	}
}

static snw_status morph_to_example(const snw_scene *scene, const snw_registry *registry, uint32_t example,
								   const double *palette, snw_arena *arena, double *points, snw_error *error) {
	const snw_example *source = &scene->examples[example];
	const snw_mesh *mesh = &scene->meshes[source->mesh];
	const snw_pose *pose = &scene->poses[source->pose];
	const double *example_palette = find_morph_palette(scene, pose, arena);
	double *sculpted, *below;
	const snw_status status = snw_sculpt_points(scene, registry, source->mesh, pose, example,
												snw_reference_layer(scene, registry), arena, &sculpted, &below, error);
	for (uint32_t p = 0; p < mesh->point_count && !snw_failed(status); p++) {
		double displacement[3], rotated[3], matrix[12], from[9], to[9];
		bool is_sculpted = false;
		for (size_t c = 0; c < 3; c++) {
			displacement[c] = sculpted[3 * (size_t)p + c] - below[3 * (size_t)p + c];
			is_sculpted = is_sculpted || displacement[c] != 0;
		}
		if (!is_sculpted) {
			continue;
		}
		find_morph_matrix(mesh, p, example_palette, matrix);
		snw_mat34_rotation(matrix, from);
		find_morph_matrix(mesh, p, palette, matrix);
		snw_mat34_rotation(matrix, to);
		rotate_between_poses(from, to, displacement, rotated);
		for (size_t c = 0; c < 3; c++) {
			points[3 * (size_t)p + c] += rotated[c];
		}
	}
	return status;
}

snw_status snw_morph_shape(const snw_scene *scene, const snw_registry *registry, uint32_t mesh, const snw_pose *pose,
						   snw_morph_kind kind, uint32_t example, const double *below, snw_arena *arena, double **points,
						   snw_error *error) {
	const double *palette = find_morph_palette(scene, pose, arena);
	*points = snw_arena_copy(arena, below, 3 * (size_t)scene->meshes[mesh].point_count * sizeof *below);
	if (kind == SNW_MORPH_REST) {
		morph_to_rest(&scene->meshes[mesh], palette, *points);
	} else if (kind == SNW_MORPH_EXAMPLE && example < scene->example_count && scene->examples[example].mesh == mesh) {
		return morph_to_example(scene, registry, example, palette, arena, *points, error);
	}
	return SNW_OK;
}
