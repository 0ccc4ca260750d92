/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * pose-regression in poses that its samples lack: features are clamped, and a field shows where; few samples do no harm, and
 * leave the rest as it is.
 */
#include "arms/shared_arm.h"
#include "coefficient_change.h"
#include "learned.h"

#include "scene/scene.h"
#include "sinew/algebra.h"

static const char method[] = "pose-regression";

static snw_scene *with_frames(uint32_t count) {
	snw_scene *scene = snw_scene_copy(arm);
	snw_target *target = SNW_NEW(scene->arena, snw_target);
	*target = arm->targets[0];
	target->frame_count = count;
	scene->targets = target;
	scene->target_count = 1;
	return scene;
}

/* The least range of the joints that correct each point; 0 where nothing is corrected. */
static const snw_field *range_of(const snw_scene *fitted) {
	const uint32_t field = snw_scene_find_field(fitted, 0, "pose-regression.range");
	assert_int_not_equal(field, SNW_NONE);
	return &fitted->fields[field];
}

/* The angle of a joint at its largest in the targets. */
static double largest_angle(const snw_scene *scene, uint32_t joint) {
	double most = 0;
	for (uint32_t t = 0; t < scene->target_count; t++) {
		for (uint32_t f = 0; f < scene->targets[t].frame_count; f++) {
			const snw_pose *pose = snw_pose_sample(scene, scene->targets[t].clip, scene->targets[t].seconds[f], scene->arena);
			most = fmax(most, snw_length3(pose->rotation_vectors + 3 * (size_t)joint));
		}
	}
	return most;
}

static void a_field_shows_how_far_joints_rotate_in_the_samples(void **state) {
	(void)state;
	snw_scene *fitted = must_fit(arm, method, "");
	const snw_field *range = range_of(fitted);
	const uint32_t joints = fitted->skeleton.joint_count;
	double *angles = SNW_NEW_ARRAY(fitted->arena, double, joints);
	uint32_t corrected = 0;
	for (uint32_t j = 0; j < joints; j++) {
		angles[j] = largest_angle(fitted, j);
	}
	for (uint32_t i = 0; i < range->count; i++) {
		int is_known = range->values[i] == 0;
		for (uint32_t j = 0; j < joints; j++) {
			is_known |= fabs(range->values[i] - angles[j]) < 1e-9;
		}
		corrected += range->values[i] > 0;
		assert_true(is_known);
	}
	assert_true(corrected > range->count / 4);
	snw_scene_destroy(fitted);
}

/* Further joints only make it less. The elbow rotates less than the wrist. */
static void the_field_is_of_the_joint_that_rotates_least(void **state) {
	(void)state;
	snw_scene *one = must_fit(arm, method, "joints=1"), *several = must_fit(arm, method, "");
	const snw_field *of_one = range_of(one), *of_several = range_of(several);
	uint32_t less = 0;
	for (uint32_t i = 0; i < of_one->count; i++) {
		assert_true(of_several->values[i] <= of_one->values[i]);
		less += of_several->values[i] < of_one->values[i];
	}
	assert_true(less > 0);
	snw_scene_destroy(several);
	snw_scene_destroy(one);
}

/* The largest coefficient at a pose whose joints all rotate by an angle about all axes. */
static double largest_coefficient(const snw_scene *scene, double angle) {
	fitting_stack stack = fitting_stack_of(scene, registry, NULL);
	snw_pose pose = scene->poses[0];
	double *vectors = SNW_NEW_ARRAY(scene->arena, double, (size_t)3 * scene->skeleton.joint_count);
	for (uint32_t i = 0; i < 3 * scene->skeleton.joint_count; i++) {
		vectors[i] = angle;
	}
	pose.rotation_vectors = vectors;
	snw_error error;
	check_ok(snw_stack_drive(stack.stack, snw_pose_view_make(scene, &pose, scene->arena), stack.evaluation, &error), error);
	double most = 0;
	const snw_program_input *input = snw_stack_program_input(stack.evaluation, 0, 0);
	for (uint32_t k = 0; k < snw_stack_segment(stack.stack, 0, 0).program->d_count; k++) {
		most = fmax(most, fabs(input->d[k]));
	}
	fitting_stack_drop(&stack);
	return most;
}

static void features_are_clamped_to_the_range_of_the_samples(void **state) {
	(void)state;
	snw_scene *clamped = must_fit(arm, method, "features=vectors displacements=0");
	snw_scene *free_ones = must_fit(arm, method, "features=vectors displacements=0 clamp=off");
	assert_true(largest_coefficient(free_ones, 20) > 300);
	assert_true(largest_coefficient(clamped, 20) < 100);
	snw_scene_destroy(clamped);
	snw_scene_destroy(free_ones);
}

/* In four frames the elbow bends about z, and nothing else rotates. */
static void rotation_matrices_are_clamped_too(void **state) {
	(void)state;
	snw_scene *few = with_frames(4);
	snw_scene *clamped = must_fit(few, method, "displacements=0"),
			  *free_ones = must_fit(few, method, "displacements=0 clamp=off");
	const double most = largest_angle(few, snw_scene_find_joint(few, "elbow"));
	const double vectors[3][3] = {{0, 0, 0.9 * most}, {0, 0, 2}, {2, 0, 0}};
	for (int i = 0; i < 3; i++) {
		const double free_change = largest_coefficient_change(free_ones, "elbow", vectors[i]),
					 change = largest_coefficient_change(clamped, "elbow", vectors[i]);
		print_message("%.3g, clamped %.3g\n", free_change, change);
		assert_true(i == 0 ? fabs(change - free_change) < 1e-12 : change < 0.5 * free_change);
	}
	snw_scene_destroy(free_ones);
	snw_scene_destroy(clamped);
	snw_scene_destroy(few);
}

static void few_samples_do_no_harm(void **state) {
	(void)state;
	const double before = distance_to_targets(arm);
	for (uint32_t frames = 1; frames <= 3; frames += 2) {
		snw_scene *few = with_frames(frames), *fitted = must_fit(few, method, "");
		snw_scene *all = snw_scene_copy(fitted);
		assert_int_equal(fitting_logged("a single sample"), frames == 1);
		all->targets = arm->targets;
		all->target_count = arm->target_count;
		const double after = distance_to_targets(all);
		print_message("%u frames: %.3g m before, %.3g m after\n", frames, before, after);
		assert_true(after < 1.02 * before);
		snw_scene_destroy(all);
		snw_scene_destroy(fitted);
		snw_scene_destroy(few);
	}
}

/* Frames of the clip in which the elbow bends, from `first` on, every n-th. It is at rest in frame 0, and most bent in frame
 * 12. */
static snw_scene *with_bends(uint32_t first, uint32_t count, uint32_t step) {
	snw_scene *scene = with_frames(count);
	snw_target *target = snw_arena_copy(scene->arena, scene->targets, sizeof *target);
	const size_t numbers = 3 * (size_t)scene->meshes[0].point_count;
	double *seconds = SNW_NEW_ARRAY(scene->arena, double, count);
	float *points = SNW_NEW_ARRAY(scene->arena, float, count *numbers);
	for (size_t f = 0; f < count; f++) {
		seconds[f] = target->seconds[first + f * step];
		memcpy(points + f * numbers, target->points_posed + (first + f * step) * numbers, numbers * sizeof *points);
	}
	target->seconds = seconds;
	target->points_posed = points;
	scene->targets = target;
	return scene;
}

/* How far the fit is from the rest at rest. */
static double distance_at_rest(const snw_scene *fitted) {
	const uint32_t count = fitted->meshes[0].point_count;
	double *points = malloc(3 * (size_t)count * sizeof *points);
	fitting_stack stack = fitting_stack_of(fitted, registry, NULL);
	const snw_pose *rest = snw_pose_rest(fitted, fitted->arena);
	fitting_truth(&stack, snw_pose_view_make(fitted, rest, fitted->arena), 0, points);
	const double distance = fitting_distance(count, points, fitted->meshes[0].points_rest);
	fitting_stack_drop(&stack);
	free(points);
	return distance;
}

static double residual_of(const snw_scene *fitted) {
	const snw_field *residual = &fitted->fields[snw_scene_find_field(fitted, 0, "pose-regression.residual")];
	double squares = 0;
	for (uint32_t i = 0; i < residual->count; i++) {
		squares += residual->values[i] * residual->values[i];
	}
	return sqrt(squares / residual->count);
}

static void poses_without_the_rest_leave_it_as_it_is(void **state) {
	(void)state;
	static const char *const settings[] = {"", "features=vectors displacements=0"};
	for (uint32_t poses = 1; poses <= 4; poses += 3) {
		snw_scene *few = with_bends(6, poses, 2);
		const double sculpt = distances_to(&few->targets[0], few, NULL).most;
		for (int i = 0; i < 2; i++) {
			snw_scene *fitted = must_fit(few, method, settings[i]), *all = snw_scene_copy(fitted);
			const double at_rest = distance_at_rest(fitted), after = distances_to(&few->targets[0], fitted, NULL).most;
			all->targets = arm->targets;
			all->target_count = arm->target_count;
			print_message("%u poses: rest %.3g m off, a sculpt of %.3g m missed by %.3g m\n", poses, at_rest, sculpt, after);
			assert_true(at_rest < 0.01 * sculpt);
			assert_true(after < (poses == 1 ? 0.01 : 0.2) * sculpt);
			assert_true(distance_to_targets(all) < 1.02 * distance_to_targets(arm));
			/* The samples are missed by what the field says: the rest is none of them. */
			const double missed = distances_to(&few->targets[0], fitted, NULL).rms, by_field = residual_of(fitted);
			print_message("  root mean square: %.3g m, the field's %.3g m\n", missed, by_field);
			assert_true(by_field < (poses == 1 ? 1.3 : 1.6) * missed);
			snw_scene_destroy(all);
			snw_scene_destroy(fitted);
		}
		snw_scene_destroy(few);
	}
}

/* In the second half of the samples the arm is as far on the other side of its blend as in the first. */
static void regression_that_held_out_samples_refute_is_left_out(void **state) {
	(void)state;
	snw_scene *torn = with_bends(6, 12, 1);
	const size_t numbers = 3 * (size_t)torn->meshes[0].point_count;
	snw_target *target = snw_arena_copy(torn->arena, torn->targets, sizeof *target);
	float *points = SNW_NEW_ARRAY(torn->arena, float, 12 * numbers);
	for (size_t n = 0; n < 12 * numbers; n++) {
		points[n] = target->points_posed[n] + (n / numbers % 4 < 2 ? 0.05F : -0.05F) * (float)(n % 3 == 2);
	}
	target->points_posed = points;
	torn->targets = target;
	snw_scene *fitted = must_fit(torn, method, "ridge=1e-5");
	assert_true(fitting_logged("keeps the layers below"));
	assert_int_equal(displacement_count(fitted), 0);
	assert_true(distance_to_targets(fitted) == distance_to_targets(torn));
	snw_scene_destroy(fitted);
	snw_scene_destroy(torn);
}

TEST_GROUP(unseen_poses) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_field_shows_how_far_joints_rotate_in_the_samples),
		cmocka_unit_test(the_field_is_of_the_joint_that_rotates_least),
		cmocka_unit_test(features_are_clamped_to_the_range_of_the_samples),
		cmocka_unit_test(rotation_matrices_are_clamped_too),
		cmocka_unit_test(few_samples_do_no_harm),
		cmocka_unit_test(poses_without_the_rest_leave_it_as_it_is),
		cmocka_unit_test(regression_that_held_out_samples_refute_is_left_out),
	};
	return cmocka_run_group_tests(tests, open_arm_without_sculpts, close_arm);
}
