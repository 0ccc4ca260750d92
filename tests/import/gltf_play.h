/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What an imported scene looks like in a pose, by the definition: rest, morph displacements, slots and weights.
 */
#ifndef SINEW_TESTS_GLTF_PLAY_H
#define SINEW_TESTS_GLTF_PLAY_H

#include "import/import.h"
#include "pose/pose.h"
#include "sinew/algebra.h"

static inline snw_scene *play_import(const char *path, bool keep_points) {
	const snw_import_request request = {.file = path, .keep_points = keep_points};
	snw_scene *scene = NULL;
	snw_error error = {0};
	check_ok(snw_import(&request, NULL, &scene, &error), error);
	return scene;
}

static inline void play_points(const snw_mesh *mesh, const snw_pose_view *pose, snw_arena *arena, double **points) {
	double *rest = snw_arena_copy(arena, mesh->points_rest, 3 * sizeof(double) * mesh->point_count);
	double *posed = SNW_NEW_ARRAY(arena, double, 3 * (size_t)mesh->point_count);
	for (uint32_t m = 0; m < mesh->morph_count; m++) {
		const snw_morph *morph = &mesh->morphs[m];
		for (uint32_t i = 0; i < 3 * morph->count; i++) {
			rest[3 * morph->points[i / 3] + i % 3] += pose->channels[morph->channel] * morph->vectors[i];
		}
	}
	for (uint32_t p = 0; p < mesh->point_count; p++) {
		for (uint32_t i = mesh->influence_offsets[p]; i < mesh->influence_offsets[p + 1]; i++) {
			double transformed[3];
			snw_mat34_point(pose->palette + 12 * (size_t)mesh->influence_slots[i], rest + 3 * (size_t)p, transformed);
			for (int c = 0; c < 3; c++) {
				posed[3 * p + (uint32_t)c] += mesh->influence_weights[i] * transformed[c];
			}
		}
	}
	*points = posed;
}

#endif
