/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "pose/base_blend.h"

#include "sinew/algebra.h"

static void add_morphs(const snw_mesh *mesh, const snw_pose_view *pose, double *points) {
	for (uint32_t m = 0; m < mesh->morph_count; m++) {
		const snw_morph *morph = &mesh->morphs[m];
		const double amount = pose->channels[morph->channel];
		for (uint32_t i = 0; i < morph->count; i++) {
			for (uint32_t k = 0; k < 3; k++) {
				points[3 * (size_t)morph->points[i] + k] += amount * morph->vectors[3 * (size_t)i + k];
			}
		}
	}
}

static void blend_point(const snw_mesh *mesh, const snw_pose_view *pose, uint32_t point, double p[3]) {
	double sum[3] = {0};
	for (uint32_t i = mesh->influence_offsets[point]; i < mesh->influence_offsets[point + 1]; i++) {
		double posed[3];
		snw_mat34_point(pose->palette + 12 * (size_t)mesh->influence_slots[i], p, posed);
		for (int k = 0; k < 3; k++) {
			sum[k] += mesh->influence_weights[i] * posed[k];
		}
	}
	memcpy(p, sum, sizeof sum);
}

void snw_blend_points(const snw_scene *scene, uint32_t mesh_index, const snw_pose_view *pose, double *points) {
	const snw_mesh *mesh = &scene->meshes[mesh_index];
	memcpy(points, mesh->points_rest, 3 * (size_t)mesh->point_count * sizeof *points);
	add_morphs(mesh, pose, points);
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		double *p = points + 3 * (size_t)i;
		if (mesh->influence_offsets) {
			blend_point(mesh, pose, i, p);
		}
		if (!isfinite(p[0]) || !isfinite(p[1]) || !isfinite(p[2])) {
			memcpy(p, mesh->points_rest + 3 * (size_t)i, 3 * sizeof *p);
		}
	}
}

void snw_example_apply_edited(const snw_example *example, uint32_t point_count, double *points) {
	if (!example->edited) {
		memcpy(points, example->points_posed, 3 * (size_t)point_count * sizeof *points);
	}
	for (uint32_t i = 0; i < example->edited_count; i++) {
		const size_t at = 3 * (size_t)example->edited[i];
		memcpy(points + at, example->points_posed + at, 3 * sizeof *points);
	}
}
