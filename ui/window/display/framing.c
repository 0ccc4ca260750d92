/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The boxes to frame: the character as posed, or during a whole clip; or the part that a joint moves.
 */
#include <string.h>

#include "sinew/algebra.h"
#include "stack/bounds.h"
#include "window/display/display.h"

#define MOSTLY 0.5    /* of a point's weight */
enum { MOMENTS = 7 }; /* sampled in a clip */

/* Points that grow by doubling, in an arena. */
typedef struct gathering {
	snw_arena *arena;
	double *points; /* [room][3] */
	size_t count, room;
} gathering;

static double *new_point(gathering *all) {
	if (all->count == all->room) {
		const double *full = all->points;
		all->room = 2 * all->room + 1024;
		all->points = SNW_NEW_ARRAY(all->arena, double, 3 * all->room);
		memcpy(all->points, full ? full : all->points, 3 * all->count * sizeof *full);
	}
	return all->points + 3 * all->count++;
}

static void add_box(gathering *all, const snw_box *box) {
	for (int corner = 0; corner < 8 && !snw_box_is_empty(box); corner++) {
		snw_box_corner(box, corner, new_point(all));
	}
}

/* Corners of the boxes of all meshes at one pose, or joints where there is no mesh. Of a black box only what is shown is known. */
static void add_pose(const snw_display *display, const snw_stack *stack, snw_evaluation *evaluation, const snw_pose *pose,
					 gathering *all) {
	const snw_scene *scene = display->scene;
	const snw_pose_view *view = snw_pose_view_make(scene, pose, all->arena);
	const bool is_driven = evaluation && !snw_failed(snw_stack_drive(stack, view, evaluation, NULL));
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		const snw_stack_bounds bounds =
			is_driven ? snw_stack_bounds_posed(evaluation, m) : snw_stack_bounds_rest(&scene->meshes[m], all->arena);
		for (uint32_t i = 0; i < bounds.count; i++) {
			add_box(all, &bounds.boxes[i]);
		}
		if (!bounds.are_whole && display->posed) {
			const snw_box shown = snw_viewport_box(display->viewport, m);
			add_box(all, &shown);
		}
	}
	for (uint32_t j = 0; scene->mesh_count == 0 && j < scene->skeleton.joint_count; j++) {
		double *point = new_point(all);
		for (size_t c = 0; c < 3; c++) {
			point[c] = view->global[12 * (size_t)j + 4 * c + 3];
		}
	}
}

size_t snw_display_points(const snw_display *display, const snw_view_state *state, snw_arena *arena, double **points) {
	const snw_sampled_clip *sampled = &display->sampled;
	const snw_stack *stack = snw_display_stack(display, state);
	const uint32_t moments =
		sampled->arena && !display->edited_pose ? (sampled->count < MOMENTS ? sampled->count : MOMENTS) : 1;
	snw_evaluation *evaluation = stack ? snw_evaluation_create_reference(stack) : NULL;
	const snw_pose *rest = snw_pose_rest(display->scene, arena);
	gathering all = {.arena = arena};
	for (uint32_t i = 0; i < moments; i++) {
		const uint32_t at = moments > 1 ? (uint32_t)((uint64_t)i * (sampled->count - 1) / (moments - 1)) : 0;
		const snw_pose *shown = moments > 1 ? snw_sampled_clip_pose_at(sampled, at) : snw_display_pose(display, state);
		add_pose(display, stack, evaluation, shown ? shown : rest, &all);
	}
	snw_evaluation_destroy(evaluation);
	*points = all.points;
	return all.count;
}

/* ---- a joint ------------------------------------------------------------------------------------------------------------- */

static void add_joint(const snw_display *display, uint32_t joint, double *points, size_t *count) {
	for (size_t c = 0; c < 3; c++) {
		points[3 * *count + c] = display->global[12 * (size_t)joint + 4 * c + 3];
	}
	*count += 1;
}

/* The weight of a joint at a point of a mesh; `slot` is one of the joint's slots if it is above 0. */
static double weight_of(const snw_scene *scene, const snw_mesh *mesh, uint32_t point, uint32_t joint, uint32_t *slot) {
	double weight = 0;
	for (uint32_t i = mesh->influence_offsets[point]; i < mesh->influence_offsets[point + 1]; i++) {
		if (scene->slot_joints[mesh->influence_slots[i]] == joint) {
			*slot = mesh->influence_slots[i];
			weight += mesh->influence_weights[i];
		}
	}
	return weight;
}

/* The skin that the joint mostly moves, transformed by the joint alone. */
static void add_skin(const snw_display *display, const snw_mesh *mesh, uint32_t joint, double *points, size_t *count) {
	uint32_t slot = SNW_NONE;
	for (uint32_t p = 0; mesh->influence_offsets && p < mesh->point_count; p++) {
		if (weight_of(display->scene, mesh, p, joint, &slot) >= MOSTLY) {
			snw_mat34_point(display->palette + 12 * (size_t)slot, mesh->points_rest + 3 * (size_t)p, points + 3 * *count);
			*count += 1;
		}
	}
}

size_t snw_display_joint_points(const snw_display *display, uint32_t joint, snw_arena *arena, double **points) {
	const snw_scene *scene = display->scene;
	const snw_skeleton *skeleton = &scene->skeleton;
	size_t most = (size_t)skeleton->joint_count + 1, count = 0;
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		most += scene->meshes[m].point_count;
	}
	*points = SNW_NEW_ARRAY(arena, double, 3 * most);
	add_joint(display, joint, *points, &count);
	for (uint32_t j = 0; j < skeleton->joint_count; j++) {
		if (skeleton->parents[j] == joint) {
			add_joint(display, j, *points, &count);
		}
	}
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		add_skin(display, &scene->meshes[m], joint, *points, &count);
	}
	if (count == 1 && skeleton->parents[joint] != SNW_NONE) { /* it moves no skin: the bone that ends here */
		add_joint(display, skeleton->parents[joint], *points, &count);
	}
	return count;
}
