/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bounds of programs: they hold every point, and are not much larger than the box that holds them exactly.
 */
#include "program/bounds.h"
#include "fixture.h"
#include "pose/pose.h"
#include "sample/sample.h"
#include "stack/bounds.h"

#define MOST_TIMES 1.2 /* the exact box's volume, in the mean */

static snw_error fault;

static double volume(const snw_box *box) {
	double sides = 1;
	for (int c = 0; c < 3; c++) {
		sides *= box->upper[c] - box->lower[c];
	}
	return sides;
}

static snw_box whole_of(const snw_box *boxes, uint32_t count) {
	snw_box whole = snw_box_empty();
	for (uint32_t i = 0; i < count; i++) {
		snw_box_add(&whole, boxes[i].lower);
		snw_box_add(&whole, boxes[i].upper);
	}
	return whole;
}

/* Returns how many times as large the boxes are together. */
static double check_inside(const snw_box *boxes, uint32_t count, const double *points, uint32_t point_count) {
	const snw_box whole = whole_of(boxes, count);
	snw_box exact = snw_box_empty();
	for (uint32_t p = 0; p < point_count; p++) {
		snw_box_add(&exact, points + 3 * (size_t)p);
	}
	const double rounding = 1e-12 * (1 + snw_box_diagonal(&exact));
	for (int c = 0; c < 3; c++) {
		assert_true(whole.lower[c] <= exact.lower[c] + rounding && whole.upper[c] >= exact.upper[c] - rounding);
	}
	return volume(&whole) / volume(&exact);
}

static void every_point_of_a_random_program_is_inside(void **state) {
	(void)state;
	const uint64_t seed = random_seed();
	for (uint32_t round = 0; round < 120; round++) {
		const fixture_options o = {.point_count = 80,
								   .slot_count = 9,
								   .least_influences = 1,
								   .most_influences = 1 + round % 5,
								   .blend = (int32_t)(round % 3), /* none, linear, affine */
								   .largest_turn = 3,
								   .scale = round % 2 ? 0.5 : 0,
								   .distance = round % 4 == 3 ? 5 : 0,
								   .loose_weights = round % 7 == 0,
								   .rest_displacements = 4,
								   .posed_displacements = 3};
		fixture f = fixture_make(seed + round, &o);
		snw_program_bounds *bounds = snw_program_bounds_make(&f.program, f.arena);
		const uint32_t count = snw_program_bounds_group_count(bounds);
		snw_box *boxes = SNW_NEW_ARRAY(f.arena, snw_box, count);
		snw_program_bounds_posed(bounds, &f.input, f.arena, boxes);
		check_inside(boxes, count, fixture_truth(&f), o.point_count);
		fixture_destroy(&f);
	}
}

/* Every joint turned at random, up to `most` radians. */
static snw_pose *random_pose(uint64_t *random, const snw_scene *scene, double most, snw_arena *arena) {
	snw_pose *pose = snw_pose_copy(scene, snw_pose_rest(scene, arena), arena);
	for (uint32_t j = 0; j < scene->skeleton.joint_count; j++) {
		double axis[3], q[4];
		random_direction(random, axis);
		const double angle = random_between(random, 0, most);
		for (size_t c = 0; c < 3; c++) {
			axis[c] *= angle;
			pose->rotation_vectors[3 * (size_t)j + c] = axis[c];
		}
		snw_quat_from_rotation_vector(axis, q);
		snw_quat_multiply(scene->skeleton.rest_local[j].rotation, q, pose->local[j].rotation);
	}
	return pose;
}

static void check_character(const char *name, const char *method) {
	enum { POSES = 60 };
	uint64_t random = random_seed();
	snw_scene *scene = NULL;
	snw_registry *registry = snw_registry_open();
	snw_stack *stack = NULL;
	const snw_stack_options options = {.method = method};
	double sum = 0;
	check_ok(snw_sample_make(name, &scene, &fault), fault);
	check_ok(snw_stack_build(scene, registry, &options, NULL, &stack, &fault), fault);
	snw_arena *arena = snw_arena_create();
	const snw_stack_bounds *bounds = snw_stack_bounds_make(scene, stack, arena);
	snw_evaluation *evaluation = snw_evaluation_create_reference(stack);
	const uint32_t points = scene->meshes[0].point_count;
	for (int i = 0; i < POSES; i++) {
		snw_arena *scratch = snw_arena_create();
		snw_box *boxes;
		double *posed = SNW_NEW_ARRAY(scratch, double, 3 * (size_t)points);
		const snw_pose_view *view = snw_pose_view_make(scene, random_pose(&random, scene, 2, scratch), scratch);
		check_ok(snw_stack_drive(stack, view, evaluation, &fault), fault);
		check_ok(snw_stack_reference(stack, evaluation, 0, NULL, posed, &fault), fault);
		sum += check_inside(boxes, snw_stack_bounds_posed(bounds, evaluation, 0, scratch, &boxes), posed, points);
		snw_arena_destroy(scratch);
	}
	print_message("%s, %s: %.3f times the exact box\n", name, method, sum / POSES);
	assert_true(sum / POSES <= MOST_TIMES);
	snw_evaluation_destroy(evaluation);
	snw_arena_destroy(arena);
	snw_stack_destroy(stack);
	snw_registry_close(registry);
	snw_scene_destroy(scene);
}

static void characters_in_random_poses_stay_inside_and_fill_their_bounds(void **state) {
	(void)state;
	static const char *const methods[] = {"linear-blend", "dual-quaternion", "smooth"};
	for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
		check_character("arm", methods[i]);
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_point_of_a_random_program_is_inside),
		cmocka_unit_test(characters_in_random_poses_stay_inside_and_fill_their_bounds),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
