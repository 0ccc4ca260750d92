/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bounds of programs: they contain every point, and are not much larger than the exact bounding box.
 */
#include "program/bounds/bounds.h"
#include "fit/fit.h"
#include "kept_registry.h"
#include "pose/pose.h"
#include "random_pose.h"
#include "sample/sample.h"
#include "stack/stack.h"

#define MOST_TIMES 1.6   /* the exact box's volume, in the mean */
#define MOST_TIMES_ALL 3 /* the volume of the box that all shuffled poses together reach */

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

/* Returns the ratio of their volumes. */
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

/* The boxes of a program at its input; NULL where it has none. */
static snw_box *boxes_of(const fixture *f, uint32_t *count) {
	const snw_program_bounds *bounds = snw_program_bounds_make(&f->program, f->arena);
	*count = snw_program_bounds_cluster_count(bounds);
	snw_box *boxes = SNW_NEW_ARRAY(f->arena, snw_box, *count);
	snw_program_bounds_scratch *scratch = snw_program_bounds_scratch_make(bounds, f->arena);
	return snw_program_bounds_posed(bounds, &f->input, NULL, scratch, boxes) ? boxes : NULL;
}

static fixture_options options_of(uint32_t round) {
	return (fixture_options){.point_count = 80,
							 .slot_count = 9,
							 .least_influences = round % 8 == 5 ? 0 : 1,
							 .most_influences = 1 + round % 5,
							 .largest_angle = round % 3 ? 3 : 0.5,
							 .scale = round % 2 ? 0.5 : 0,
							 .distance = round % 4 == 3 ? 5 : 0,
							 .loose_weights = round % 7 == 0,
							 .rest_displacements = 4,
							 .posed_displacements = 3};
}

static void every_point_of_a_random_program_is_inside(void **state) {
	(void)state;
	const uint64_t seed = random_seed();
	for (uint32_t round = 0; round < 160; round++) {
		fixture_options o = options_of(round);
		o.blend = (int32_t)(round % 4);
		uint32_t count;
		fixture f = fixture_make(seed + round, &o);
		double *matrices = (double *)f.input.matrices;
		for (size_t s = 0; s < 3 && round % 5 == 1; s++) { /* some joints mirror */
			for (size_t r = 0; r < 3; r++) {
				matrices[12 * s + 4 * r] *= -1;
			}
		}
		const snw_box *boxes = boxes_of(&f, &count);
		assert_non_null(boxes);
		check_inside(boxes, count, fixture_truth(&f), o.point_count);
		fixture_destroy(&f);
	}
}

static bool is_inside(const snw_box *box, const double point[3], double rounding) {
	bool inside = true;
	for (int c = 0; c < 3; c++) {
		inside = inside && point[c] >= box->lower[c] - rounding && point[c] <= box->upper[c] + rounding;
	}
	return inside;
}

/* Clusters of many points, whose weights differ: each is in the box of a cluster, not only in that of all. */
static void every_point_is_in_the_box_of_a_cluster(void **state) {
	(void)state;
	uint64_t random = random_seed();
	for (uint32_t round = 0; round < 160; round++) {
		fixture_options o = options_of(round);
		o.blend = (int32_t)(round % 4);
		o.point_count = 600;
		o.clump_count = 3;
		o.slot_count = 3;
		o.most_influences = 1 + round % 3;
		o.dual_quaternion_palette = o.blend == SNW_BLEND_DUAL_QUATERNION && round % 8 == 3;
		uint32_t count;
		fixture f = fixture_make(random_next(&random), &o);
		const snw_box *boxes = boxes_of(&f, &count);
		const double *points = fixture_truth(&f);
		assert_non_null(boxes);
		assert_true(count < o.point_count / 2);
		for (uint32_t p = 0; p < o.point_count; p++) {
			bool inside = false;
			for (uint32_t i = 0; i < count && !inside; i++) {
				inside = is_inside(&boxes[i], points + 3 * (size_t)p, 1e-12 * (1 + o.distance));
			}
			assert_true(inside);
		}
		fixture_destroy(&f);
	}
}

/* A program over another starts from points of which only a box is known. */
static void points_from_below_stay_inside(void **state) {
	(void)state;
	uint64_t random = random_seed();
	for (uint32_t round = 0; round < 40; round++) {
		fixture_options o = options_of(round);
		o.blend = (int32_t)(round % 4);
		fixture f = fixture_make(random_next(&random), &o);
		const size_t numbers = 3 * (size_t)o.point_count;
		double *below = SNW_NEW_ARRAY(f.arena, double, numbers), *posed = SNW_NEW_ARRAY(f.arena, double, numbers);
		snw_box in = snw_box_empty();
		for (size_t i = 0; i < numbers; i++) {
			below[i] = f.program.points_rest[i] + random_between(&random, -0.5, 2);
		}
		for (size_t p = 0; p < o.point_count; p++) {
			snw_box_add(&in, below + 3 * p);
		}
		const snw_program_bounds *bounds = snw_program_bounds_make(&f.program, f.arena);
		const uint32_t count = snw_program_bounds_cluster_count(bounds);
		snw_box *boxes = SNW_NEW_ARRAY(f.arena, snw_box, count);
		snw_program_bounds_scratch *scratch = snw_program_bounds_scratch_make(bounds, f.arena);
		assert_true(snw_program_bounds_posed(bounds, &f.input, &in, scratch, boxes));
		snw_program_reference(&f.program, &f.input, below, posed);
		check_inside(boxes, count, posed, o.point_count);
		fixture_destroy(&f);
	}
}

/* Fitted ones need not be unit, nor their dual parts perpendicular to the real ones; as given they may cancel each other, and
 * then there are no bounds. */
static void every_point_of_given_dual_quaternions_is_inside(void **state) {
	(void)state;
	enum { ROUNDS = 200 };
	uint64_t random = random_seed();
	uint32_t bounded = 0, count;
	for (uint32_t round = 0; round < ROUNDS; round++) {
		fixture_options o = options_of(round);
		o.blend = SNW_BLEND_DUAL_QUATERNION;
		o.dual_quaternion_palette = true;
		o.sign_rule = round % 2 ? SNW_SIGN_AS_GIVEN : SNW_SIGN_SHORTEST;
		o.largest_angle = o.sign_rule == SNW_SIGN_AS_GIVEN && round % 10 < 9 ? 1 : 3;
		fixture f = fixture_make(random_next(&random), &o);
		double *palette = (double *)f.input.dual_quaternions;
		for (size_t i = 0; i < 8 * (size_t)o.slot_count && round % 3 == 0; i++) {
			palette[i] += i % 8 < 4 ? 0 : random_between(&random, -0.2, 0.2);
		}
		const snw_box *boxes = boxes_of(&f, &count);
		bounded += boxes != NULL;
		if (boxes) {
			check_inside(boxes, count, fixture_truth(&f), o.point_count);
		}
		fixture_destroy(&f);
	}
	print_message("%u of %u programs of given dual quaternions are bounded\n", bounded, ROUNDS);
	assert_true(bounded > ROUNDS * 3 / 4);
}

static void dual_quaternions_that_cancel_each_other_have_no_bounds(void **state) {
	(void)state;
	static const double rest[3] = {1, 2, 3}, weights[2] = {0.5, 0.5}, palette[16] = {0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, -1};
	static const uint32_t offsets[2] = {0, 2}, slots[2] = {0, 1};
	fixture f = {.arena = snw_arena_create(),
				 .program = {.point_count = 1,
							 .blend = SNW_BLEND_DUAL_QUATERNION,
							 .sign_rule = SNW_SIGN_AS_GIVEN,
							 .dual_quaternion_palette = true,
							 .slot_count = 2,
							 .points_rest = rest,
							 .influence_offsets = offsets,
							 .influence_slots = slots,
							 .influence_weights = weights},
				 .input = {.dual_quaternions = palette}};
	uint32_t count;
	assert_null(boxes_of(&f, &count));
	f.program.sign_rule = SNW_SIGN_SHORTEST;
	const snw_box *box = boxes_of(&f, &count);
	assert_non_null(box);
	check_inside(box, count, fixture_truth(&f), 1);
	assert_true(snw_box_diagonal(box) < 1e-12);
	fixture_destroy(&f);
}

static void mesh_without_points_has_no_boxes(void **state) {
	(void)state;
	snw_arena *arena = snw_arena_create();
	const uint32_t offsets[1] = {0};
	const snw_program program = {.blend = SNW_BLEND_LINEAR, .influence_offsets = offsets};
	const fixture f = {.arena = arena, .program = program};
	uint32_t count;
	assert_non_null(boxes_of(&f, &count));
	assert_int_equal(count, 0);
	snw_arena_destroy(arena);
}

/* A character of many meshes has many slots, of which a mesh knows few: memory and time would grow with the square. */
static void slots_that_move_no_point_are_not_read(void **state) {
	(void)state;
	const double rest[6] = {0, 0, 0, 1, 1, 1}, weights[2] = {1, 1};
	const double matrix[12] = {1, 0, 0, 5, 0, 1, 0, 6, 0, 0, 1, 7};
	const uint32_t offsets[3] = {0, 1, 2}, slots[2] = {0, 0};
	const snw_program program = {.blend = SNW_BLEND_LINEAR,
								 .point_count = 2,
								 .points_rest = rest,
								 .slot_count = UINT32_MAX,
								 .influence_offsets = offsets,
								 .influence_slots = slots,
								 .influence_weights = weights};
	const snw_program_input input = {.matrices = matrix}; /* of the first slot alone */
	snw_arena *arena = snw_arena_create();
	const snw_program_bounds *bounds = snw_program_bounds_make(&program, arena);
	snw_box boxes[2];
	assert_in_range(snw_program_bounds_cluster_count(bounds), 1, 2);
	assert_true(snw_program_bounds_posed(bounds, &input, NULL, snw_program_bounds_scratch_make(bounds, arena), boxes));
	const snw_box whole = whole_of(boxes, snw_program_bounds_cluster_count(bounds));
	for (int c = 0; c < 3; c++) {
		check_near(whole.lower[c], 5 + c, 1e-12);
		check_near(whole.upper[c], 6 + c, 1e-12);
	}
	snw_arena_destroy(arena);
}

/* A stack over a character, in poses where every joint rotates by up to two radians. Returns the mean of how many times as
 * large the boxes are. */
static double check_poses(const snw_scene *scene, const snw_stack *stack, uint32_t pose_count, bool are_whole) {
	uint64_t random = random_seed();
	double sum = 0;
	snw_evaluation *evaluation = snw_evaluation_create_reference(stack);
	const uint32_t points = scene->meshes[0].point_count;
	double *posed = calloc(3 * (size_t)points, sizeof *posed);
	for (uint32_t i = 0; i < pose_count; i++) {
		snw_arena *scratch = snw_arena_create();
		const snw_pose_view *view = snw_pose_view_make(scene, random_pose(&random, scene, 2, scratch), scratch);
		check_ok(snw_stack_drive(stack, view, evaluation, &fault), fault);
		check_ok(snw_stack_reference(stack, evaluation, 0, NULL, posed, &fault), fault);
		const snw_stack_bounds bounds = snw_stack_bounds_posed(evaluation, 0);
		assert_int_equal(bounds.are_whole, are_whole);
		sum += are_whole ? check_inside(bounds.boxes, bounds.count, posed, points) : 0;
		snw_arena_destroy(scratch);
	}
	free(posed);
	snw_evaluation_destroy(evaluation);
	return sum / pose_count;
}

/* A scene with a fitted corrective, so that displacements count. */
static snw_scene *fitted_sample(const char *name, const snw_registry *registry) {
	const snw_fit_request request = {.method = "inverse-psd", .left_out_example = SNW_NONE};
	snw_fit_outcome outcome = {.arena = snw_arena_create()};
	snw_scene *scene = NULL, *fitted = NULL;
	check_ok(snw_sample_make(name, &scene, &fault), fault);
	assert_true(!snw_failed(snw_fit_run(scene, registry, &request, NULL, &outcome, &fault)));
	check_ok(snw_fit_apply(scene, &outcome, &fitted, &fault), fault);
	snw_arena_destroy(outcome.arena);
	snw_scene_destroy(scene);
	return fitted;
}

static void check_character(const char *name, const char *method, bool are_whole) {
	snw_scene *scene = NULL;
	snw_registry *registry = kept_registry();
	snw_stack *stack = NULL;
	const snw_stack_options options = {.method = method};
	if (strcmp(method, "inverse-psd") == 0) {
		scene = fitted_sample(name, registry);
	} else {
		check_ok(snw_sample_make(name, &scene, &fault), fault);
	}
	check_ok(snw_stack_build(scene, registry, &options, NULL, &stack, &fault), fault);
	const double times = check_poses(scene, stack, 60, are_whole);
	print_message("%s, %s: %.3f times the exact box\n", name, method, times);
	assert_true(times <= MOST_TIMES);
	snw_stack_destroy(stack);
	snw_scene_destroy(scene);
}

static void characters_in_random_poses_stay_inside_and_fill_their_bounds(void **state) {
	(void)state;
	check_character("arm", "linear-blend", true);
	check_character("arm", "dual-quaternion", true);
	check_character("arm", "smooth", false); /* a black box */
	check_character("small-arm", "linear-blend", true);
	check_character("small-arm", "dual-quaternion", true);
	check_character("small-arm", "inverse-psd", true); /* displaced by the pose */
}

/* ---- boxes of joints ----------------------------------------------------------------------------------------------- */

static void boxes_of_slots_contain_a_random_linear_blend_and_refuse_others(void **state) {
	(void)state;
	const uint64_t seed = random_seed();
	for (uint32_t round = 0; round < 60; round++) {
		fixture_options o = options_of(round);
		o.blend = round % 4 == 3 ? SNW_BLEND_AFFINE : SNW_BLEND_LINEAR;
		o.least_influences = 1;
		o.most_influences += round % 4 == 2;
		o.loose_weights = round % 4 == 2;
		o.posed_displacements = 0;
		fixture f = fixture_make(seed + round, &o);
		snw_interval *ranges = SNW_NEW_ARRAY(f.arena, snw_interval, f.program.d_count);
		for (uint32_t k = 0; k < f.program.d_count; k++) {
			ranges[k] = k % 2 ? (snw_interval){-1, 1} : snw_interval_empty();
		}
		const snw_coefficient_samples samples = {1, f.input.d, ranges};
		const snw_slot_boxes boxes = snw_slot_boxes_make(&f.program, &samples, f.arena);
		const snw_box box = snw_slot_boxes_posed(&boxes, f.input.matrices, f.input.d);
		const snw_box widest = snw_slot_boxes_posed(&boxes, f.input.matrices, NULL);
		if (round % 4 < 2) {
			check_inside(&box, 1, fixture_truth(&f), o.point_count);
			check_inside(&widest, 1, fixture_truth(&f), o.point_count);
		} else {
			assert_int_equal(boxes.count, 0);
		}
		fixture_destroy(&f);
	}
}

/* Returns the mean of how many times as large as the exact box the boxes at a pose's coefficients are. */
static double check_joint_boxes(const char *name, const char *method, bool has_displacements) {
	const uint32_t pose_count = getenv("BOUNDS_POSES") ? (uint32_t)atoi(getenv("BOUNDS_POSES")) : 100;
	uint64_t random = random_seed();
	snw_registry *registry = kept_registry();
	snw_scene *scene = fitted_sample(name, registry);
	snw_stack *stack = NULL;
	snw_motion_bounds clips;
	const snw_stack_options options = {.method = method};
	check_ok(snw_stack_build(scene, registry, &options, NULL, &stack, &fault), fault);
	snw_arena *arena = snw_arena_create();
	check_ok(snw_motion_bounds_make(scene, stack, SNW_NONE, NULL, arena, &clips, &fault), fault);
	const snw_program *program = snw_stack_segment(stack, 0, 0).program;
	const snw_coefficient_samples samples = {clips.sample_count, clips.d, clips.ranges};
	const snw_slot_boxes boxes = snw_slot_boxes_make(program, &samples, arena);
	const snw_box all = clips.poses[0];
	snw_evaluation *evaluation = snw_evaluation_create_reference(stack);
	double *posed = SNW_NEW_ARRAY(arena, double, 3 * (size_t)program->point_count), sum = 0;
	snw_box reached = snw_box_empty();
	assert_true(boxes.count > 0 && clips.are_whole[0] && (program->rest.count > 0) == has_displacements);
	for (uint32_t i = 0; i < pose_count; i++) {
		snw_arena *scratch = snw_arena_create();
		const snw_pose_view *view = snw_pose_view_make(scene, random_pose(&random, scene, 3, scratch), scratch);
		check_ok(snw_stack_drive(stack, view, evaluation, &fault), fault);
		check_ok(snw_stack_reference(stack, evaluation, 0, NULL, posed, &fault), fault);
		const snw_box box = snw_slot_boxes_posed(&boxes, view->palette, snw_stack_program_input(evaluation, 0, 0)->d);
		sum += check_inside(&box, 1, posed, program->point_count);
		view = snw_pose_view_make(scene, shuffled_pose(&random, scene, scratch), scratch);
		check_ok(snw_stack_drive(stack, view, evaluation, &fault), fault);
		check_ok(snw_stack_reference(stack, evaluation, 0, NULL, posed, &fault), fault);
		const snw_box widest = snw_slot_boxes_posed(&boxes, view->palette, NULL);
		check_inside(&widest, 1, posed, program->point_count);
		check_inside(&all, 1, posed, program->point_count);
		snw_box_add_points(&reached, posed, program->point_count);
		snw_arena_destroy(scratch);
	}
	print_message("boxes of joints, %s, %s: %.3f times the exact box, in %u poses; of all poses %.3f times what they reached\n",
				  name, method, sum / pose_count, pose_count, volume(&all) / volume(&reached));
	assert_true(volume(&all) <= MOST_TIMES_ALL * volume(&reached));
	snw_evaluation_destroy(evaluation);
	snw_stack_destroy(stack);
	snw_arena_destroy(arena);
	snw_scene_destroy(scene);
	return sum / pose_count;
}

static void shuffled_poses_stay_in_the_boxes_of_joints_and_of_all_poses(void **state) {
	(void)state;
	assert_true(check_joint_boxes("small-arm", "linear-blend", false) <= MOST_TIMES);
	assert_true(check_joint_boxes("small-arm", "inverse-psd", true) <= MOST_TIMES); /* its wrist is sculpted at 150° */
	assert_true(check_joint_boxes("arm", "inverse-psd", true) <= MOST_TIMES);
}

TEST_GROUP(bounds) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(boxes_of_slots_contain_a_random_linear_blend_and_refuse_others),
		cmocka_unit_test(shuffled_poses_stay_in_the_boxes_of_joints_and_of_all_poses),
		cmocka_unit_test(every_point_of_a_random_program_is_inside),
		cmocka_unit_test(slots_that_move_no_point_are_not_read),
		cmocka_unit_test(every_point_is_in_the_box_of_a_cluster),
		cmocka_unit_test(points_from_below_stay_inside),
		cmocka_unit_test(every_point_of_given_dual_quaternions_is_inside),
		cmocka_unit_test(dual_quaternions_that_cancel_each_other_have_no_bounds),
		cmocka_unit_test(mesh_without_points_has_no_boxes),
		cmocka_unit_test(characters_in_random_poses_stay_inside_and_fill_their_bounds),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
