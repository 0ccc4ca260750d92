/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How far a posed scene reaches, from the boxes that it was posed with: nothing is read back.
 */
#include <math.h>

#include "render/draw/renderer.h"

#define BARE_JOINT 0.1    /* metres around a joint where there is no mesh */
#define FAR_FROM_REST 0.1 /* of the rest's diagonal: a pose that ends so far from the ground of the rest has its own */

static void add_joint_extent(const snw_skeleton *skeleton, const double *global, double margin, snw_box *box) {
	for (size_t j = 0; j < skeleton->joint_count; j++) {
		for (int side = -1; side <= 1; side += 2) {
			const double corner[3] = {global[12 * j + 3] + side * margin, global[12 * j + 7] + side * margin,
									  global[12 * j + 11] + side * margin};
			snw_box_add(box, corner);
		}
	}
}

static const double *joint_matrices(const snw_view *view) {
	return view->pose ? view->pose->global : view->scene->skeleton.rest_global;
}

static snw_box rest_of(const snw_gpu_scene *gpu_scene) {
	snw_box rest = snw_gpu_scene_rest_box(gpu_scene);
	if (snw_box_is_empty(&rest)) {
		add_joint_extent(&gpu_scene->scene->skeleton, gpu_scene->scene->skeleton.rest_global, BARE_JOINT, &rest);
	}
	return rest;
}

snw_extent snw_extent_of_viewport(const snw_gpu_scene *gpu_scene, const snw_view *view) {
	snw_extent extent = {.box = snw_gpu_scene_posed_box(gpu_scene)};
	if (gpu_scene->scene->mesh_count == 0) {
		add_joint_extent(&gpu_scene->scene->skeleton, joint_matrices(view), BARE_JOINT, &extent.box);
	}
	const snw_box rest = rest_of(gpu_scene);
	snw_box under = rest;
	for (int c = 0; c < 3 && !snw_box_is_empty(&extent.box); c += 2) {
		const double half = fmax(under.upper[c] - under.lower[c], extent.box.upper[c] - extent.box.lower[c]) / 2;
		const double middle = (extent.box.lower[c] + extent.box.upper[c]) / 2;
		under.lower[c] = middle - half;
		under.upper[c] = middle + half;
	}
	const snw_ground_place at_rest = snw_ground_place_under(&rest);
	extent.ground = snw_ground_place_under(&under);
	extent.ground.middle[1] = at_rest.middle[1];
	extent.ground.grid_step = at_rest.grid_step;
	extent.ground.reach = at_rest.reach;
	return extent;
}

snw_extent snw_extent_of_picture(const snw_gpu_scene *gpu_scene, const snw_view *view) {
	snw_extent extent = snw_extent_of_viewport(gpu_scene, view);
	const snw_box rest = rest_of(gpu_scene);
	const snw_ground_place under = snw_ground_place_under(&extent.box);
	if (fabs(extent.box.lower[1] - rest.lower[1]) > FAR_FROM_REST * snw_box_diagonal(&rest)) {
		extent.ground.middle[1] = under.middle[1];
	}
	if (view->flags & SNW_VIEW_SKELETON) {
		add_joint_extent(&gpu_scene->scene->skeleton, joint_matrices(view), 0, &extent.box);
	}
	return extent;
}
