/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the camera should frame: the character where it is, or everywhere that a clip takes it.
 */
#include "window/studio.h"

enum { MOST_POINTS = 4000, MOMENTS = 7 }; /* of a mesh at one moment; of a clip */

/* Points of all meshes at one pose, thinned out, into `points`; bones where there is no mesh. Returns how many. */
static size_t add_pose(const snw_studio *studio, const snw_stack *stack, snw_stack_frame *frame, const snw_pose *pose,
					   snw_arena *scratch, double *points) {
	const snw_scene *scene = studio->scene;
	const snw_pose_view *view = snw_pose_view_make(scene, pose, scratch);
	const bool driven = frame && snw_stack_drive(stack, view, frame, NULL) >= 0;
	size_t count = 0;
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		const uint32_t total = scene->meshes[m].point_count, skip = total / MOST_POINTS + 1;
		const bool posed = driven && snw_stack_run(stack, frame, m, studio->points, NULL) >= 0;
		for (uint32_t p = 0; p < total; p += skip, count++) {
			for (size_t c = 0; c < 3; c++) {
				const size_t at = 3 * (size_t)p + c;
				points[3 * count + c] = posed ? (double)studio->points[at] : scene->meshes[m].points_rest[at];
			}
		}
	}
	for (uint32_t j = 0; scene->mesh_count == 0 && j < scene->skeleton.joint_count; j++, count++) {
		for (size_t c = 0; c < 3; c++) {
			points[3 * count + c] = view->global[12 * (size_t)j + 4 * c + 3];
		}
	}
	return count;
}

size_t snw_studio_points(const snw_studio *studio, const snw_view_state *state, snw_arena *arena, double **points) {
	const snw_scene *scene = studio->scene;
	const snw_clip_reel *reel = &studio->reel;
	const snw_stack *stack = snw_studio_stack(studio, state);
	const uint32_t moments = reel->arena && !studio->hand ? (reel->count < MOMENTS ? reel->count : MOMENTS) : 1;
	const size_t most = (size_t)scene->mesh_count * MOST_POINTS + scene->skeleton.joint_count;
	snw_stack_frame *frame = stack ? snw_stack_frame_create(stack) : NULL;
	const snw_pose *rest = snw_pose_rest(scene, arena);
	size_t count = 0;
	*points = SNW_NEW_ARRAY(arena, double, 3 * most * moments);
	for (uint32_t i = 0; i < moments; i++) {
		const uint32_t at = moments > 1 ? (uint32_t)((uint64_t)i * (reel->count - 1) / (moments - 1)) : 0;
		const snw_pose *shown = moments > 1 ? snw_clip_reel_pose_at(reel, at) : snw_studio_pose(studio, state);
		const snw_pose *pose = shown ? shown : rest;
		count += add_pose(studio, stack, frame, pose, arena, *points + 3 * count);
	}
	if (frame) {
		snw_stack_frame_destroy(frame);
	}
	return count;
}
