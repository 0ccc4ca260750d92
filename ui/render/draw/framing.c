/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Frames views before they are drawn, on the CPU.
 */
#include <math.h>
#include <string.h>

#include "render/draw/renderer.h"
#include "render/overlay/canvas.h"
#include "stack/stack.h"

/* ---- framing ------------------------------------------------------------------------------------------------------------- */

#define LEAST_PART 0.5 /* a point with this weight or more counts as inside a mask */

/* The points to frame, over all meshes and views: corners of boxes, points of a part, joints. */
typedef struct gathering {
	snw_arena *arena;
	double *points; /* [room][3] */
	size_t count, room;
} gathering;

static void add_point(gathering *all, const double point[3]) {
	if (all->count == all->room) {
		const double *full = all->points;
		all->room = 2 * all->room + 1024;
		all->points = SNW_NEW_ARRAY(all->arena, double, 3 * all->room);
		memcpy(all->points, full ? full : all->points, 3 * all->count * sizeof *full);
	}
	memcpy(all->points + 3 * all->count++, point, 3 * sizeof *point);
}

static void add_box(gathering *all, const snw_box *box) {
	for (int corner = 0; corner < 8 && !snw_box_is_empty(box); corner++) {
		double point[3];
		snw_box_corner(box, corner, point);
		add_point(all, point);
	}
}

/* `evaluation` NULL: at rest. */
static void add_bounds(gathering *all, const snw_view *view, const snw_evaluation *evaluation, uint32_t mesh) {
	snw_arena *scratch = snw_arena_create();
	const snw_stack_bounds bounds =
		evaluation ? snw_stack_bounds_posed(evaluation, mesh) : snw_stack_bounds_rest(&view->scene->meshes[mesh], scratch);
	for (uint32_t i = 0; i < bounds.count; i++) {
		add_box(all, &bounds.boxes[i]);
	}
	snw_arena_destroy(scratch);
}

/* The points of a part; NULL: all. Returns how many. */
static uint32_t list_part(const double *part, uint32_t point_count, uint32_t *points) {
	uint32_t count = 0;
	for (uint32_t i = 0; i < point_count; i++) {
		if (!part || part[i] >= LEAST_PART) {
			points[count++] = i;
		}
	}
	return count;
}

/* Single points of a mesh: those given by the view, or those of the part, posed if the stack can be evaluated, else at rest. */
static void add_points(gathering *all, const snw_view *view, const snw_evaluation *evaluation, uint32_t mesh,
					   const double *part) {
	const snw_mesh *m = &view->scene->meshes[mesh];
	snw_arena *scratch = snw_arena_create();
	const float *given = view->points ? view->points[mesh] : NULL;
	uint32_t *points = SNW_NEW_ARRAY(scratch, uint32_t, m->point_count);
	const uint32_t count = list_part(part, m->point_count, points);
	double *posed = SNW_NEW_ARRAY(scratch, double, 3 * (size_t)count);
	if (!given && evaluation) {
		snw_stack_programs_at(view->stack, evaluation, mesh, count, points, posed);
	}
	for (size_t i = 0; i < count; i++) {
		const size_t at = 3 * (size_t)points[i];
		for (size_t c = 0; c < 3 && (given || !evaluation); c++) {
			posed[3 * i + c] = given ? (double)given[at + c] : m->points_rest[at + c];
		}
		add_point(all, posed + 3 * i);
	}
	snw_arena_destroy(scratch);
}

static void add_mesh(gathering *all, const snw_view *view, const snw_evaluation *evaluation, uint32_t mesh,
					 const double *part) {
	if (part || (view->points && view->points[mesh])) {
		add_points(all, view, evaluation, mesh, part);
	} else {
		add_bounds(all, view, evaluation, mesh);
	}
}

static void add_framed_joints(gathering *all, const snw_view *view) {
	const snw_skeleton *skeleton = &view->scene->skeleton;
	const double *global = view->pose ? view->pose->global : skeleton->rest_global;
	for (size_t j = 0; j < skeleton->joint_count; j++) {
		const double place[3] = {global[12 * j + 3], global[12 * j + 7], global[12 * j + 11]};
		add_point(all, place);
	}
}

/* `evaluation` is driven at the view's pose; NULL: the rest. */
static void add_view(gathering *all, const snw_view *view, const snw_evaluation *evaluation, const double *const *part) {
	const snw_scene *scene = view->scene;
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		if (!part || part[m]) {
			add_mesh(all, view, evaluation, m, part ? part[m] : NULL);
		}
	}
	if (scene->mesh_count == 0) {
		add_framed_joints(all, view);
	}
}

static bool has_black_box(const snw_stack *stack, uint32_t mesh) {
	bool has = false;
	for (uint32_t s = 0; s < snw_stack_segment_count(stack, mesh); s++) {
		has = has || !snw_stack_segment(stack, mesh, s).is_program;
	}
	return has;
}

void snw_view_run_black_boxes(snw_view *view, snw_arena *arena) {
	bool any = false;
	for (uint32_t m = 0; view->stack && view->pose && !view->points && m < view->scene->mesh_count; m++) {
		any = any || has_black_box(view->stack, m);
	}
	if (!any) {
		return;
	}
	snw_evaluation *evaluation = snw_evaluation_create(view->stack);
	const float **points = SNW_NEW_ARRAY(arena, const float *, view->scene->mesh_count);
	snw_status status = snw_stack_drive(view->stack, view->pose, evaluation, NULL);
	for (uint32_t m = 0; m < view->scene->mesh_count && !snw_failed(status); m++) {
		if (has_black_box(view->stack, m)) {
			float *posed = SNW_NEW_ARRAY(arena, float, 3 * (size_t)view->scene->meshes[m].point_count);
			status = snw_stack_run(view->stack, evaluation, m, posed, NULL);
			points[m] = posed;
		}
	}
	snw_evaluation_destroy(evaluation);
	view->points = snw_failed(status) ? NULL : points;
}

static void drive_and_add_view(gathering *all, const snw_view *view, const double *const *part) {
	snw_evaluation *evaluation = view->stack && view->pose ? snw_evaluation_create_reference(view->stack) : NULL;
	const bool is_driven = evaluation && !snw_failed(snw_stack_drive(view->stack, view->pose, evaluation, NULL));
	add_view(all, view, is_driven ? evaluation : NULL, part);
	snw_evaluation_destroy(evaluation);
}

static bool has_label(const snw_view *view) {
	return view->heat && view->flags & SNW_VIEW_SCALE_BAR;
}

snw_camera snw_camera_frame_posed(const snw_gpu_scene *gpu_scene, const snw_view *view, const snw_evaluation *evaluation,
								  uint32_t width, uint32_t height) {
	snw_arena *scratch = snw_arena_create();
	gathering all = {.arena = scratch};
	add_view(&all, view, evaluation, NULL);
	for (uint32_t m = 0; m < view->scene->mesh_count && view->stack; m++) {
		if (has_black_box(view->stack, m)) {
			add_box(&all, &gpu_scene->boxes[m]);
		}
	}
	if (view->flags & SNW_VIEW_SKELETON && view->scene->mesh_count > 0) {
		add_framed_joints(&all, view);
	}
	const snw_camera_margins margins =
		snw_legend_margins(width, height, has_label(view), has_label(view) && !view->heat_is_color);
	snw_camera camera = view->camera;
	snw_camera_fit_within(&camera, all.points, all.count, (double)width / height, &margins);
	snw_arena_destroy(scratch);
	return camera;
}

snw_camera snw_camera_frame_all(const snw_view *views, size_t count, const double *const *part, uint32_t width,
								uint32_t height) {
	snw_arena *scratch = snw_arena_create();
	bool any_label = false, any_scale = false;
	gathering all = {.arena = scratch};
	for (size_t i = 0; i < count; i++) {
		any_label = any_label || views[i].flags & SNW_VIEW_SCALE_BAR;
		any_scale = any_scale || (views[i].flags & SNW_VIEW_SCALE_BAR && !views[i].heat_is_color);
		drive_and_add_view(&all, &views[i], part);
	}
	const snw_camera_margins margins = snw_legend_margins(width, height, any_label, any_scale);
	snw_camera camera = views[0].camera;
	snw_camera_fit_within(&camera, all.points, all.count, (double)width / height, &margins);
	snw_arena_destroy(scratch);
	return camera;
}

snw_camera snw_camera_frame(const snw_view *view, uint32_t width, uint32_t height) {
	return snw_camera_frame_all(view, 1, NULL, width, height);
}

/* ---- extent -------------------------------------------------------------------------------------------------------------- */

/* How far a posed scene reaches, from the boxes that it was posed with: nothing is read back. */

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
