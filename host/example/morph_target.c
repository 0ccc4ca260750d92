/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "example/morph_target.h"

#include <math.h>
#include <string.h>

#include "sinew/algebra.h"

/* A weight nearer to 0 would magnify every stroke. */
static const double LEAST_WEIGHT = 0.05;
/* A point that a shape moves by less, as a share of the mesh's diagonal, is not part of it. */
static const double STILL = 1e-9;
static const double AT_REST = 1e-6; /* radians, metres, scale */

uint32_t snw_mesh_shape(const snw_mesh *mesh, uint32_t channel) {
	for (uint32_t i = 0; i < mesh->morph_count; i++) {
		if (mesh->morphs[i].channel == channel) {
			return i;
		}
	}
	return SNW_NONE;
}

snw_status snw_project_put_shape_sculpt(snw_project *project, const snw_scene *scene, uint32_t index, uint32_t channel,
										double weight, const double *wanted, const double *shown, uint32_t *count,
										snw_error *error) {
	const snw_mesh *mesh = &scene->meshes[index];
	const uint32_t at = snw_mesh_shape(mesh, channel);
	if (at == SNW_NONE) {
		return snw_fail(error, SNW_ERROR_MISSING, "mesh %s has no morph target %s", mesh->name, scene->channels[channel].name);
	}
	if (!(fabs(weight) >= LEAST_WEIGHT)) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "%s: its weight is %g; set it to 1 to edit the shape",
						scene->channels[channel].name, weight);
	}
	snw_arena *scratch = snw_arena_create();
	const snw_morph *old = &mesh->morphs[at];
	double *vectors = snw_arena_array(scratch, mesh->point_count, 3 * sizeof *vectors);
	uint32_t *points = SNW_NEW_ARRAY(scratch, uint32_t, mesh->point_count);
	memset(vectors, 0, 3 * (size_t)mesh->point_count * sizeof *vectors);
	for (uint32_t k = 0; k < old->count; k++) {
		memcpy(vectors + 3 * (size_t)old->points[k], old->vectors + 3 * (size_t)k, 3 * sizeof *vectors);
	}
	const double least = STILL * snw_scene_diagonal(scene, index);
	snw_morph morph = *old;
	morph.count = 0;
	for (size_t i = 0; i < mesh->point_count; i++) {
		double vector[3];
		for (size_t c = 0; c < 3; c++) {
			vector[c] = vectors[3 * i + c] + (wanted[3 * i + c] - shown[3 * i + c]) / weight;
		}
		if (snw_length3(vector) > least) {
			memcpy(vectors + 3 * (size_t)morph.count, vector, sizeof vector);
			points[morph.count++] = (uint32_t)i;
		}
	}
	morph.points = points;
	morph.vectors = vectors;
	if (count) {
		*count = morph.count;
	}
	const snw_status status = snw_project_put_morph(project, mesh->id, mesh->point_count, at, &morph, error);
	snw_arena_destroy(scratch);
	return status;
}

bool snw_pose_has_joints_at_rest(const snw_scene *scene, const snw_pose *pose) {
	bool is_at_rest = true;
	for (uint32_t j = 0; j < scene->skeleton.joint_count && is_at_rest; j++) {
		const snw_transform *local = &pose->local[j], *rest = &scene->skeleton.rest_local[j];
		for (size_t c = 0; c < 3; c++) {
			is_at_rest = is_at_rest && fabs(pose->rotation_vectors[3 * (size_t)j + c]) <= AT_REST &&
						 fabs(local->translation[c] - rest->translation[c]) <= AT_REST &&
						 fabs(local->scale[c] - rest->scale[c]) <= AT_REST;
		}
	}
	return is_at_rest;
}
