/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Framing a scene before it is drawn, on the CPU.
 */
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

snw_camera snw_camera_frame(const snw_scene *scene, const snw_stack *stack, const snw_pose_view *pose, double yaw,
							double pitch) {
	snw_arena *scratch = snw_arena_create();
	snw_stack_frame *frame = stack && pose ? snw_stack_frame_create(stack) : NULL;
	if (frame && snw_stack_drive(stack, pose, frame, NULL) < 0) {
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
	snw_camera camera = {.yaw = yaw, .pitch = pitch};
	snw_camera_fit(&camera, points, count, 1);
	if (frame) {
		snw_stack_frame_destroy(frame);
	}
	snw_arena_destroy(scratch);
	return camera;
}
