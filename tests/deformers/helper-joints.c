/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * helper-joints: a helper that was planted is found again, two stand in for dual quaternions, no helper moves at rest, fits
 * have the same bits on any number of threads, and a fit that is stopped leaves nothing.
 */
#include "arms/shared_arm.h"
#include "learned.h"
#include "thinned.h"

#include "scene/scene.h"

#include "sinew/algebra.h"

static const char method[] = "helper-joints";

/* How much of a point a planted helper moves: one by the elbow. */
static double share_of(const snw_mesh *mesh, uint32_t point, const double place[3]) {
	const double square = snw_squared_distance3(mesh->points_rest + 3 * (size_t)point, place);
	return 0.8 * exp(-square / (0.06 * 0.06));
}

/* The elbow's motion from rest, after a shift that grows with its bend, as 1 − cos. */
static void helper_in_pose(const snw_scene *scene, uint32_t elbow, const snw_pose_view *view, double matrix[12]) {
	double back[12], shift[12];
	snw_mat34_identity(back);
	snw_mat34_invert(scene->skeleton.rest_global + 12 * (size_t)elbow, back);
	snw_mat34_multiply(view->global + 12 * (size_t)elbow, back, matrix);
	snw_mat34_identity(shift);
	shift[7] = 0.03 * (1 - cos(snw_length3(view->rotation_vectors + 3 * (size_t)elbow)));
	snw_mat34_multiply(matrix, shift, matrix);
}

static void plant_frame(const snw_scene *scene, uint32_t elbow, const snw_pose_view *view, float *frame) {
	const snw_mesh *mesh = &scene->meshes[0];
	double helper[12], place[3];
	helper_in_pose(scene, elbow, view, helper);
	for (int c = 0; c < 3; c++) {
		place[c] = scene->skeleton.rest_global[12 * (size_t)elbow + 4 * (size_t)c + 3];
	}
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		const double *rest = mesh->points_rest + 3 * (size_t)i, share = share_of(mesh, i, place);
		double posed[3], by_slot[3];
		snw_mat34_point(helper, rest, posed);
		for (int c = 0; c < 3; c++) {
			posed[c] *= share;
		}
		for (uint32_t k = mesh->influence_offsets[i]; k < mesh->influence_offsets[i + 1]; k++) {
			snw_mat34_point(view->palette + 12 * (size_t)mesh->influence_slots[k], rest, by_slot);
			for (int c = 0; c < 3; c++) {
				posed[c] += (1 - share) * mesh->influence_weights[k] * by_slot[c];
			}
		}
		for (size_t c = 0; c < 3; c++) {
			frame[3 * (size_t)i + c] = (float)posed[c];
		}
	}
}

static void plant_by_helper(const snw_scene *scene, const snw_pose_view *view, float *frame) {
	plant_frame(scene, snw_scene_find_joint(scene, "elbow"), view, frame);
}

static void plant_by_method(const snw_scene *scene, const char *of, const snw_pose_view *view, float *frame) {
	const size_t numbers = 3 * (size_t)scene->meshes[0].point_count;
	fitting_stack stack = fitting_stack_of(scene, registry, of);
	double *points = malloc(numbers * sizeof *points);
	fitting_truth(&stack, view, 0, points);
	for (size_t c = 0; c < numbers; c++) {
		frame[c] = (float)points[c];
	}
	free(points);
	fitting_stack_drop(&stack);
}

static void plant_by_dual_quaternions(const snw_scene *scene, const snw_pose_view *view, float *frame) {
	plant_by_method(scene, "dual-quaternion", view, frame);
}

static void plant_by_smoothing(const snw_scene *scene, const snw_pose_view *view, float *frame) {
	plant_by_method(scene, "smooth", view, frame);
}

/* The last target's frames become the motion of the arm by another skin, and the only samples. */
static snw_scene *planted(void (*plant)(const snw_scene *scene, const snw_pose_view *view, float *frame)) {
	snw_scene *scene = snw_scene_copy(arm);
	const uint32_t points = scene->meshes[0].point_count;
	snw_target *target = SNW_NEW(scene->arena, snw_target);
	*target = scene->targets[scene->target_count - 1];
	target->frame_count /= 2; /* as much is found in half of them */
	float *frames = SNW_NEW_ARRAY(scene->arena, float, (size_t)3 * points * target->frame_count);
	double *seconds = SNW_NEW_ARRAY(scene->arena, double, target->frame_count);
	for (uint32_t f = 0; f < target->frame_count; f++) {
		seconds[f] = target->seconds[2 * f];
		const snw_pose *pose = snw_pose_sample(scene, target->clip, seconds[f], scene->arena);
		plant(scene, snw_pose_view_make(scene, pose, scene->arena), frames + 3 * (size_t)points * f);
	}
	target->points_posed = frames;
	target->seconds = seconds;
	scene->targets = target;
	scene->target_count = 1;
	scene->example_count = scene->group_count = 0;
	return scene;
}

static void planted_helper_is_found_again_by_any_number_of_threads(void **state) {
	(void)state;
	static const char settings[] = "helpers=1 ridge=1e-6";
	snw_scene *scene = planted(plant_by_helper);
	snw_scene *blended = must_fit(scene, "linear-blend-fit", ""), *fitted = must_fit(scene, method, settings);
	const distances before = distances_to(&scene->targets[0], blended, NULL),
					after = distances_to(&scene->targets[0], fitted, NULL);
	print_message("learned weights: %.3g mm, %.3g mm at most; with a helper: %.3g mm, %.3g mm at most\n", 1e3 * before.rms,
				  1e3 * before.most, 1e3 * after.rms, 1e3 * after.most);
	assert_true(after.rms < 0.15 * before.rms && after.most < 0.25 * before.most);
	snw_parallel_threads(3);
	snw_scene *again = must_fit(scene, method, settings);
	snw_parallel_threads(0);
	must_have_one_model(fitted, again);
	snw_scene_destroy(again);
	snw_scene_destroy(fitted);
	snw_scene_destroy(blended);
	snw_scene_destroy(scene);
}

/* Two helpers, one at the elbow and one at the wrist, leave at most this share of what learned weights leave. */
static void must_stand_in(void (*plant)(const snw_scene *scene, const snw_pose_view *view, float *frame), double share) {
	snw_scene *scene = planted(plant);
	snw_scene *blended = must_fit(scene, "linear-blend-fit", ""), *fitted = must_fit(scene, method, "helpers=2");
	const distances before = distances_to(&scene->targets[0], blended, NULL),
					after = distances_to(&scene->targets[0], fitted, NULL);
	print_message("learned weights: %.3g mm, %.3g mm at most; with two helpers: %.3g mm, %.3g mm at most\n", 1e3 * before.rms,
				  1e3 * before.most, 1e3 * after.rms, 1e3 * after.most);
	assert_true(after.rms < share * before.rms && after.most < 1.3 * share * before.most);
	snw_scene_destroy(fitted);
	snw_scene_destroy(blended);
	snw_scene_destroy(scene);
}

/* A joint has two chords in place of one, and each is stretched to both sides of the arc. */
static void two_helpers_stand_in_for_dual_quaternions(void **state) {
	(void)state;
	must_stand_in(plant_by_dual_quaternions, 0.15);
}

/* Each joint of a smoothed skin takes other places of the mesh along: a helper in the middle slides by that. */
static void two_helpers_that_slide_stand_in_for_smoothing(void **state) {
	(void)state;
	must_stand_in(plant_by_smoothing, 0.09);
}

/* And at rest, where a file is bound, they move no point. */
static void helpers_come_nearer_to_another_rig(void **state) {
	(void)state;
	snw_scene *blended = must_fit(arm, "linear-blend-fit", ""), *fitted = must_fit(arm, method, "helpers=2");
	const double before = distance_to_targets(blended), after = distance_to_targets(fitted);
	print_message("%.3g mm without helpers, %.3g mm with two\n", 1e3 * before, 1e3 * after);
	assert_true(after < 0.3 * before);
	const uint32_t count = fitted->meshes[0].point_count;
	double *points = malloc(3 * (size_t)count * sizeof *points);
	fitting_stack stack = fitting_stack_of(fitted, registry, NULL);
	fitting_truth(&stack, snw_pose_view_make(fitted, snw_pose_rest(fitted, fitted->arena), fitted->arena), 0, points);
	assert_true(fitting_distance(count, points, fitted->meshes[0].points_rest) < 1e-9);
	fitting_stack_drop(&stack);
	free(points);
	snw_scene_destroy(fitted);
	snw_scene_destroy(blended);
}

static void no_samples_names_the_command(void **state) {
	(void)state;
	must_name_the_command_for_samples(arm, method);
}

static void stopped_fit_leaves_nothing(void **state) {
	(void)state;
	must_stop_at(arm, method, "", "fitting weights");
	must_stop_at(arm, method, "", "fitting helper joints");
}

/* The features of a joint that bends about one axis alone depend on each other, and those of one that never rotates are 0 in
 * all samples: without a ridge, factors of 1e281 once took the points away in other poses. */
static void no_ridge_leaves_points_near_the_blend_in_other_poses(void **state) {
	(void)state;
	snw_scene *fitted = must_fit(arm, method, "helpers=4 ridge=0");
	const uint32_t count = arm->meshes[0].point_count;
	double *blended = malloc(3 * (size_t)count * sizeof *blended), *points = malloc(3 * (size_t)count * sizeof *points);
	snw_pose *pose = snw_pose_rest(fitted, fitted->arena);
	for (uint32_t j = 0; j < fitted->skeleton.joint_count; j++) {
		static const double vector[3] = {0.5, -0.4, 0.3};
		memcpy(pose->rotation_vectors + 3 * (size_t)j, vector, sizeof vector);
		snw_quat_from_rotation_vector(vector, pose->local[j].rotation);
	}
	const snw_pose_view *view = snw_pose_view_make(fitted, pose, fitted->arena);
	fitting_stack with = fitting_stack_of(fitted, registry, NULL), without = fitting_stack_of(fitted, registry, "linear-blend");
	fitting_truth(&with, view, 0, points);
	fitting_truth(&without, view, 0, blended);
	const double apart = fitting_distance(count, points, blended) / snw_scene_diagonal(arm, 0);
	print_message("%.3g of the box from the linear blend\n", apart);
	assert_true(apart < 0.075);
	fitting_stack_drop(&with);
	fitting_stack_drop(&without);
	free(points);
	free(blended);
	snw_scene_destroy(fitted);
}

/* Three frames of one clip say little; what they leave open must not be worse than the rig in the others. */
static void few_samples_do_no_harm_in_other_clips(void **state) {
	(void)state;
	snw_scene *few = snw_scene_copy(arm);
	few->target_count = 1;
	thin_targets(few, 12);
	snw_scene *fitted = must_fit(few, method, "helpers=6");
	assert_true(fitting_logged("shrunk towards the layers below"));
	assert_true(distance_to_targets(fitted) < distance_to_targets(few));
	fitted->targets = few->targets = arm->targets;
	fitted->target_count = few->target_count = arm->target_count;
	const double before = distance_to_targets(few), after = distance_to_targets(fitted);
	print_message("%.4g mm from all clips, linear blend %.4g mm\n", 1e3 * after, 1e3 * before);
	assert_true(after < before);
	snw_scene_destroy(fitted);
	snw_scene_destroy(few);
}

TEST_GROUP(helper_joints) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(planted_helper_is_found_again_by_any_number_of_threads),
		cmocka_unit_test(two_helpers_stand_in_for_dual_quaternions),
		cmocka_unit_test(two_helpers_that_slide_stand_in_for_smoothing),
		cmocka_unit_test(helpers_come_nearer_to_another_rig),
		cmocka_unit_test(no_ridge_leaves_points_near_the_blend_in_other_poses),
		cmocka_unit_test(few_samples_do_no_harm_in_other_clips),
		cmocka_unit_test(no_samples_names_the_command),
		cmocka_unit_test(stopped_fit_leaves_nothing),
	};
	return cmocka_run_group_tests(tests, open_arm, close_arm);
}
