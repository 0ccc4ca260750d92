/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * bounds CHARACTER: how many times as large as the exact box two kinds of bounds are, over random poses: a plain box of each joint's
 * points, and the boxes of joints and pairs of joints that the export writes. CHARACTER is "arm" or a file. Prints JSON.
 */
#include "stack/bounds.h"
#include "import/import.h"
#include "program/bounds/slot_boxes.h"
#include "program/random_pose.h"
#include "sample/sample.h"
#include "stack/stack.h"

enum { POSES = 100 };
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

static void measure(const snw_scene *scene, snw_stack *stack, snw_arena *arena) {
	uint64_t random = 1;
	const snw_mesh *mesh = &scene->meshes[0];
	const snw_box *plain = plain_boxes(mesh, scene->slot_count, arena);
	const snw_slot_boxes boxes =
		snw_slot_boxes_make(snw_stack_segment(stack, 0, 0).program, &(snw_coefficient_samples){0}, arena);
	snw_evaluation *evaluation = snw_evaluation_create_reference(stack);
	double *posed = SNW_NEW_ARRAY(arena, double, 3 * (size_t)mesh->point_count), sums[2] = {0};
	for (int i = 0; i < POSES; i++) {
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
		const snw_box by_joints = snw_slot_boxes_posed(&boxes, view->palette);
		sums[0] += volume(&whole) / volume(&exact);
		sums[1] += volume(&by_joints) / volume(&exact);
		snw_arena_destroy(scratch);
	}
	printf("{\"plain\": %.4f, \"joints\": %.4f}\n", sums[0] / POSES, sums[1] / POSES);
	snw_evaluation_destroy(evaluation);
}

int main(int count, char **arguments) {
	const char *character = count > 1 ? arguments[1] : "arm";
	const snw_import_request request = {.file = character};
	const snw_stack_options options = {.method = "linear-blend"};
	snw_scene *scene = NULL;
	snw_stack *stack = NULL;
	snw_registry *registry = snw_registry_open();
	snw_arena *arena = snw_arena_create();
	const bool is_file = strchr(character, '.') != NULL;
	const snw_status status = is_file ? snw_import(&request, NULL, &scene, &fault) : snw_sample_make(character, &scene, &fault);
	if (snw_failed(status) || snw_failed(snw_stack_build(scene, registry, &options, NULL, &stack, &fault))) {
		fprintf(stderr, "%s\n", fault.text);
		return 1;
	}
	measure(scene, stack, arena);
	snw_stack_destroy(stack);
	snw_registry_close(registry);
	snw_arena_destroy(arena);
	snw_scene_destroy(scene);
	return 0;
}
