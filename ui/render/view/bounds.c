/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A point that follows a joint stays as far from it as it was at rest, times the joint's scale.
 */
#include "render/view/bounds.h"

#include <math.h>

#include "sinew/algebra.h"

#define LEAST_SHARE 0.2 /* of a point's weight, for it to count as the joint's own */
#define MARGIN 1.08

static void origin_of(const double *matrix, double origin[3]) {
	for (size_t c = 0; c < 3; c++) {
		origin[c] = matrix[4 * c + 3];
	}
}

/* `squares` [slot_count]: of the largest distance from each slot's joint at rest; `origins` [slot_count][3]: where that is. */
static void add_mesh(snw_bounds *bounds, const snw_mesh *mesh, const double (*origins)[3], double *squared_radii) {
	for (uint32_t p = 0; p < mesh->point_count; p++) {
		const double *point = mesh->points_rest + 3 * (size_t)p;
		snw_box_add(&bounds->rest, point);
		if (!mesh->influence_offsets) {
			snw_box_add(&bounds->still, point);
			continue;
		}
		for (uint32_t i = mesh->influence_offsets[p]; i < mesh->influence_offsets[p + 1]; i++) {
			const uint32_t slot = mesh->influence_slots[i];
			const double *origin = origins[slot];
			const double away[3] = {point[0] - origin[0], point[1] - origin[1], point[2] - origin[2]};
			const double squared = snw_dot3(away, away);
			if (mesh->influence_weights[i] >= LEAST_SHARE && squared > squared_radii[slot]) {
				squared_radii[slot] = squared;
			}
		}
	}
}

snw_bounds snw_bounds_make(const snw_scene *scene, snw_arena *arena) {
	snw_bounds bounds = {.joint_count = scene->skeleton.joint_count, .still = snw_box_empty(), .rest = snw_box_empty()};
	bounds.radii = SNW_NEW_ARRAY(arena, double, bounds.joint_count);
	double(*origins)[3] = snw_arena_array(arena, scene->slot_count, sizeof *origins);
	double *squared_radii = SNW_NEW_ARRAY(arena, double, scene->slot_count);
	for (uint32_t s = 0; s < scene->slot_count; s++) {
		origin_of(scene->skeleton.rest_global + 12 * (size_t)scene->slot_joints[s], origins[s]);
	}
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		add_mesh(&bounds, &scene->meshes[m], (const double(*)[3])origins, squared_radii);
	}
	for (uint32_t s = 0; s < scene->slot_count; s++) {
		const uint32_t joint = scene->slot_joints[s];
		bounds.radii[joint] = fmax(bounds.radii[joint], sqrt(squared_radii[s]));
	}
	for (uint32_t j = 0; j < bounds.joint_count && snw_box_is_empty(&bounds.rest); j++) {
		bounds.radii[j] = 0.1; /* bones alone */
	}
	return bounds;
}

/* The longest side of a joint's axes. */
static double scale_of(const double *matrix) {
	double scale = 0;
	for (size_t c = 0; c < 3; c++) {
		const double axis[3] = {matrix[c], matrix[4 + c], matrix[8 + c]};
		scale = fmax(scale, snw_length3(axis));
	}
	return scale;
}

snw_box snw_bounds_posed(const snw_bounds *bounds, const double *global) {
	snw_box box = bounds->still;
	for (uint32_t j = 0; j < bounds->joint_count; j++) {
		const double *matrix = global + 12 * (size_t)j;
		const double radius = MARGIN * bounds->radii[j] * scale_of(matrix);
		double origin[3];
		origin_of(matrix, origin);
		for (int side = -1; side <= 1 && radius > 0; side += 2) {
			const double corner[3] = {origin[0] + side * radius, origin[1] + side * radius, origin[2] + side * radius};
			snw_box_add(&box, corner);
		}
	}
	return snw_box_is_empty(&box) ? bounds->rest : box;
}
