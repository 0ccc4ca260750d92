/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * bounds CHARACTER: how many times as large as the exact box three kinds of bounds are, over random poses: a plain box of each
 * joint's points, the boxes of joints and pairs of joints that the export writes, and those of the window. CHARACTER is "arm"
 * or a file, by linear blend; or a project, by its whole stack. Prints JSON, also how many of as many shuffled poses leave the
 * box of all poses, and fails where a point leaves the boxes of joints. bounds CHARACTER POSES: in so many poses, not 100.
 */
#include "program/bounds/bounds.h"
#include "import/import.h"
#include "program/random_pose.h"
#include "project/project.h"
#include "sample/sample.h"
#include "stack/stack.h"

static const double MOST_RADIANS = 2;
static snw_error fault;

static double volume(const snw_box *box) {
	double sides = 1;
	for (int c = 0; c < 3; c++) {
		sides *= box->upper[c] - box->lower[c];
	}
	return sides;
}

/* Of each slot, the box at rest of the points that it moves. */
static snw_box *plain_boxes(const snw_mesh *mesh, uint32_t slot_count, snw_arena *arena) {
	snw_box *boxes = SNW_NEW_ARRAY(arena, snw_box, slot_count);
	for (uint32_t s = 0; s < slot_count; s++) {
		boxes[s] = snw_box_empty();
	}
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		for (uint32_t k = mesh->influence_offsets[i]; k < mesh->influence_offsets[i + 1]; k++) {
			if (mesh->influence_weights[k] > 0) {
				snw_box_add(&boxes[mesh->influence_slots[k]], mesh->points_rest + 3 * (size_t)i);
			}
		}
	}
	return boxes;
}

static void add_corners(const snw_box *box, const double *matrix, snw_box *whole) {
	for (int corner = 0; corner < 8 && box->lower[0] <= box->upper[0]; corner++) {
		double at[3], image[3];
		for (int c = 0; c < 3; c++) {
			at[c] = corner >> c & 1 ? box->upper[c] : box->lower[c];
		}
		snw_mat34_point(matrix, at, image);
		snw_box_add(whole, image);
	}
}

/* Whether all points are inside, but for rounding. */
static bool contains(const snw_box *box, const double *points, uint32_t count) {
	const double rounding = 1e-9 * snw_box_diagonal(box);
	bool all = true;
	for (size_t i = 0; i < 3 * (size_t)count; i++) {
		all = all && points[i] >= box->lower[i % 3] - rounding && points[i] <= box->upper[i % 3] + rounding;
	}
	return all;
}

/* False if a point leaves its boxes. */
static bool measure(const snw_scene *scene, snw_stack *stack, int poses, snw_arena *arena) {
	int outside = 0, left = 0;
	uint64_t random = 1;
	const snw_mesh *mesh = &scene->meshes[0];
	const snw_box *plain = plain_boxes(mesh, scene->slot_count, arena);
	snw_motion_bounds clips;
	check_ok(snw_motion_bounds_make(scene, stack, SNW_NONE, NULL, arena, &clips, &fault), fault);
	const snw_coefficient_samples samples = {clips.sample_count, clips.d, clips.ranges};
	const snw_slot_boxes boxes = snw_slot_boxes_make(snw_stack_segment(stack, 0, 0).program, &samples, arena);
	const snw_box all = clips.poses[0];
	snw_evaluation *evaluation = snw_evaluation_create_reference(stack);
	double *posed = SNW_NEW_ARRAY(arena, double, 3 * (size_t)mesh->point_count), sums[3] = {0};
	for (int i = 0; i < poses; i++) {
		snw_arena *scratch = snw_arena_create();
		const snw_pose_view *view = snw_pose_view_make(scene, random_pose(&random, scene, MOST_RADIANS, scratch), scratch);
		check_ok(snw_stack_drive(stack, view, evaluation, &fault), fault);
		check_ok(snw_stack_reference(stack, evaluation, 0, NULL, posed, &fault), fault);
		snw_box exact = snw_box_empty(), whole = snw_box_empty();
		for (uint32_t p = 0; p < mesh->point_count; p++) {
			snw_box_add(&exact, posed + 3 * (size_t)p);
		}
		for (uint32_t s = 0; s < scene->slot_count; s++) {
			add_corners(&plain[s], view->palette + 12 * (size_t)s, &whole);
		}
		const snw_box by_joints = snw_slot_boxes_posed(&boxes, view->palette, snw_stack_program_input(evaluation, 0, 0)->d);
		outside += !contains(&by_joints, posed, mesh->point_count);
		sums[0] += volume(&whole) / volume(&exact);
		const snw_stack_bounds bounds = snw_stack_bounds_posed(evaluation, 0);
		const snw_box shown = snw_stack_bounds_join(&bounds);
		sums[1] += volume(&by_joints) / volume(&exact);
		sums[2] += volume(&shown) / volume(&exact);
		view = snw_pose_view_make(scene, shuffled_pose(&random, scene, scratch), scratch);
		check_ok(snw_stack_drive(stack, view, evaluation, &fault), fault);
		check_ok(snw_stack_reference(stack, evaluation, 0, NULL, posed, &fault), fault);
		const snw_box widest = snw_slot_boxes_posed(&boxes, view->palette, NULL);
		outside += !contains(&widest, posed, mesh->point_count);
		left += !contains(&all, posed, mesh->point_count);
		snw_arena_destroy(scratch);
	}
	printf("{\"poses\": %d, \"plain\": %.4f, \"joints\": %.4f, \"shown\": %.4f, \"left\": %d, \"all_poses_left\": %d}\n", poses,
		   sums[0] / poses, sums[1] / poses, sums[2] / poses, outside, left);
	snw_evaluation_destroy(evaluation);
	return outside == 0;
}

static snw_status open_character(const char *name, snw_scene **scene) {
	const snw_import_request request = {.file = name};
	const size_t length = strlen(name);
	snw_project *project = NULL;
	if (length > 6 && strcmp(name + length - 6, ".sinew") == 0) {
		snw_status status = snw_project_open(name, true, &project, &fault);
		status = snw_failed(status) ? status : snw_project_scene(project, scene, &fault);
		snw_project_close(project);
		return status;
	}
	return strchr(name, '.') ? snw_import(&request, NULL, scene, &fault) : snw_sample_make(name, scene, &fault);
}

int main(int count, char **arguments) {
	const char *character = count > 1 ? arguments[1] : "arm";
	snw_scene *scene = NULL;
	snw_stack *stack = NULL;
	snw_registry *registry = snw_registry_open();
	snw_arena *arena = snw_arena_create();
	const snw_stack_options options = {.method = strstr(character, ".sinew") ? NULL : "linear-blend"};
	if (snw_failed(open_character(character, &scene)) ||
		snw_failed(snw_stack_build(scene, registry, &options, NULL, &stack, &fault))) {
		fprintf(stderr, "%s\n", fault.text);
		return 1;
	}
	const bool is_good = measure(scene, stack, count > 2 ? atoi(arguments[2]) : 100, arena);
	snw_stack_destroy(stack);
	snw_registry_close(registry);
	snw_arena_destroy(arena);
	snw_scene_destroy(scene);
	return is_good ? 0 : 1;
}
