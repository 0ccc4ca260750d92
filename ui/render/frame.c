/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Framing a scene before it is drawn, on the CPU.
 */
#include "render/legend.h"
#include "render/render.h"

/* The points of one mesh: posed where the stack can, else the rest. */
static void mesh_points(const snw_scene *scene, const snw_stack *stack, snw_stack_frame *frame, uint32_t mesh, double *points) {
	const size_t count = 3 * (size_t)scene->meshes[mesh].point_count;
	snw_arena *scratch = snw_arena_create();
	float *posed = SNW_NEW_ARRAY(scratch, float, count);
	const bool is_posed = frame && snw_stack_run(stack, frame, mesh, posed, NULL) >= 0;
	for (size_t i = 0; i < count; i++) {
		points[i] = is_posed ? (double)posed[i] : scene->meshes[mesh].points_rest[i];
	}
	snw_arena_destroy(scratch);
}

snw_camera snw_camera_frame(const snw_view *view, uint32_t width, uint32_t height) {
	const snw_scene *scene = view->scene;
	const snw_stack *stack = view->stack;
	snw_arena *scratch = snw_arena_create();
	snw_stack_frame *frame = stack && view->pose ? snw_stack_frame_create(stack) : NULL;
	if (frame && snw_stack_drive(stack, view->pose, frame, NULL) < 0) {
		snw_stack_frame_destroy(frame);
		frame = NULL;
	}
	size_t count = 0;
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		count += scene->meshes[m].point_count;
	}
	double *points = SNW_NEW_ARRAY(scratch, double, 3 * count);
	count = 0;
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		mesh_points(scene, stack, frame, m, points + 3 * count);
		count += scene->meshes[m].point_count;
	}
	const snw_camera_margins margins = snw_legend_margins(width, height, view->flags & SNW_VIEW_SCALE_BAR);
	snw_camera camera = view->camera;
	snw_camera_fit_within(&camera, points, count, (double)width / height, &margins);
	if (frame) {
		snw_stack_frame_destroy(frame);
	}
	snw_arena_destroy(scratch);
	return camera;
}
