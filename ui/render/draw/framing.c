/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Frames views before they are drawn, on the CPU.
 */
#include <string.h>

#include "render/overlay/legend.h"
#include "render/render.h"
#include "stack/bounds.h"

#define LEAST_PART 0.5 /* a point with this weight or more counts as inside a mask */

/* The points to frame, over all meshes and views: corners of boxes, points of a part, joints. */
typedef struct gathering {
	snw_arena *arena;
	double *points; /* [room][3] */
	size_t count, room;
	/* Bounds are computed once for a stack: views often share one. */
	uint32_t stack_count;
	const snw_stack **stacks;
	snw_stack_bounds **bounds;
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

static const snw_stack_bounds *bounds_of(gathering *all, const snw_view *view) {
	uint32_t i = 0;
	while (i < all->stack_count && all->stacks[i] != view->stack) {
		i++;
	}
	if (i == all->stack_count) {
		all->stacks[all->stack_count++] = view->stack;
		all->bounds[i] = snw_stack_bounds_make(view->scene, view->stack, all->arena);
	}
	return all->bounds[i];
}

static void add_bounds(gathering *all, const snw_view *view, snw_evaluation *evaluation, uint32_t mesh) {
	snw_arena *scratch = snw_arena_create();
	snw_box *boxes;
	const uint32_t count = snw_stack_bounds_posed(bounds_of(all, view), evaluation, mesh, scratch, &boxes);
	for (uint32_t i = 0; i < count; i++) {
		for (int corner = 0; corner < 8 && !snw_box_is_empty(&boxes[i]); corner++) {
			double point[3];
			snw_box_corner(&boxes[i], corner, point);
			add_point(all, point);
		}
	}
	snw_arena_destroy(scratch);
}

/* Single points of a mesh: those given by the view, or those of the part, posed if the stack can be evaluated, else at rest. */
static void add_points(gathering *all, const snw_view *view, snw_evaluation *evaluation, uint32_t mesh, const double *part) {
	const snw_mesh *m = &view->scene->meshes[mesh];
	snw_arena *scratch = snw_arena_create();
	const float *given = view->points ? view->points[mesh] : NULL;
	float *posed = SNW_NEW_ARRAY(scratch, float, 3 * (size_t)m->point_count);
	if (!given && evaluation && !snw_failed(snw_stack_run(view->stack, evaluation, mesh, posed, NULL))) {
		given = posed;
	}
	for (size_t i = 0; i < m->point_count; i++) {
		if (part && !(part[i] >= LEAST_PART)) {
			continue;
		}
		double point[3];
		for (size_t c = 0; c < 3; c++) {
			point[c] = given ? (double)given[3 * i + c] : m->points_rest[3 * i + c];
		}
		add_point(all, point);
	}
	snw_arena_destroy(scratch);
}

static void add_mesh(gathering *all, const snw_view *view, snw_evaluation *evaluation, uint32_t mesh, const double *part) {
	if (part || (view->points && view->points[mesh])) {
		add_points(all, view, evaluation, mesh, part);
	} else {
		add_bounds(all, view, evaluation, mesh);
	}
}

static void add_joints(gathering *all, const snw_view *view) {
	const snw_skeleton *skeleton = &view->scene->skeleton;
	const double *global = view->pose ? view->pose->global : skeleton->rest_global;
	for (size_t j = 0; j < skeleton->joint_count; j++) {
		const double place[3] = {global[12 * j + 3], global[12 * j + 7], global[12 * j + 11]};
		add_point(all, place);
	}
}

static void add_view(gathering *all, const snw_view *view, const double *const *part) {
	const snw_scene *scene = view->scene;
	snw_evaluation *evaluation = view->stack && view->pose ? snw_evaluation_create(view->stack) : NULL;
	const bool is_driven = evaluation && !snw_failed(snw_stack_drive(view->stack, view->pose, evaluation, NULL));
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		if (!part || part[m]) {
			add_mesh(all, view, is_driven ? evaluation : NULL, m, part ? part[m] : NULL);
		}
	}
	if (scene->mesh_count == 0) {
		add_joints(all, view);
	}
	if (evaluation) {
		snw_evaluation_destroy(evaluation);
	}
}

snw_camera snw_camera_frame_all(const snw_view *views, size_t count, const double *const *part, uint32_t width,
								uint32_t height) {
	snw_arena *scratch = snw_arena_create();
	bool has_label = false, has_scale = false;
	for (size_t i = 0; i < count; i++) {
		has_label = has_label || views[i].flags & SNW_VIEW_SCALE_BAR;
		has_scale = has_scale || (views[i].flags & SNW_VIEW_SCALE_BAR && !views[i].heat_is_color);
	}
	gathering all = {.arena = scratch,
					 .stacks = SNW_NEW_ARRAY(scratch, const snw_stack *, count),
					 .bounds = SNW_NEW_ARRAY(scratch, snw_stack_bounds *, count)};
	for (size_t i = 0; i < count; i++) {
		add_view(&all, &views[i], part);
	}
	const snw_camera_margins margins = snw_legend_margins(width, height, has_label, has_scale);
	snw_camera camera = views[0].camera;
	snw_camera_fit_within(&camera, all.points, all.count, (double)width / height, &margins);
	snw_arena_destroy(scratch);
	return camera;
}

snw_camera snw_camera_frame(const snw_view *view, uint32_t width, uint32_t height) {
	return snw_camera_frame_all(view, 1, NULL, width, height);
}
