/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * rotational-regression: points follow predicted gradients, in full and reduced to proxies; sculpts on top are exact; rigid
 * motions stay rigid; faults of samples are named.
 */
#include "arms/shared_arm.h"
#include "learned.h"
#include "thinned.h"

#include "scene/scene.h"
#include "sinew/algebra.h"

static const char method[] = "rotational-regression";

static snw_scene *sculpted, *full, *reduced; /* the arm with its sculpts, and without them fitted on three threads */

static int open_all(void **state) {
	open_arm(state);
	thin_targets(arm, 4);
	sculpted = snw_scene_copy(arm);
	arm->example_count = arm->group_count = 0;
	snw_parallel_threads(3);
	full = must_fit(arm, method, "proxies=0");
	reduced = must_fit(arm, method, "proxies=20");
	snw_parallel_threads(0);
	return 0;
}

static int close_all(void **state) {
	snw_scene_destroy(reduced);
	snw_scene_destroy(full);
	snw_scene_destroy(sculpted);
	return close_arm(state);
}

/* The program that a fitted scene lowers to; NULL for a black box. */
static uint32_t proxy_count(const snw_scene *scene) {
	fitting_stack stack = fitting_stack_of(scene, registry, NULL);
	assert_int_equal(snw_stack_segment_count(stack.stack, 0), 1);
	const snw_program *program = snw_stack_segment(stack.stack, 0, 0).program;
	const uint32_t count = program ? program->slot_count : 0;
	fitting_stack_drop(&stack);
	return count;
}

static void both_models_come_near_the_samples(void **state) {
	(void)state;
	snw_scene *blend = must_fit(arm, "linear-blend-fit", "");
	const double before = distance_to_targets(blend), whole = distance_to_targets(full), few = distance_to_targets(reduced);
	print_message("%.4g m learned blend, %.4g m full, %.4g m with 20 proxies\n", before, whole, few);
	assert_true(whole < 0.15 * before);
	assert_true(few < 0.5 * whole); /* it is fitted to the samples, the full model's points follow from gradients alone */
	assert_int_equal(proxy_count(full), 0);
	assert_true(proxy_count(reduced) > 10 && proxy_count(reduced) <= 20); /* fewer do as well */
	snw_scene_destroy(blend);
}

/* The root mean square distance between two skins over the frames of all targets. */
static double distance_between(const snw_scene *one, const snw_scene *other) {
	const uint32_t count = one->meshes[0].point_count;
	double *points = malloc(6 * (size_t)count * sizeof *points), squares = 0;
	fitting_stack stacks[2] = {fitting_stack_of(one, registry, NULL), fitting_stack_of(other, registry, NULL)};
	uint32_t frames = 0;
	for (uint32_t t = 0; t < arm->target_count; t++) {
		for (uint32_t f = 0; f < arm->targets[t].frame_count; f++, frames++) {
			const snw_pose *pose = snw_pose_sample(arm, arm->targets[t].clip, arm->targets[t].seconds[f], arm->arena);
			for (int i = 0; i < 2; i++) {
				fitting_truth(&stacks[i], snw_pose_view_make(arm, pose, arm->arena), 0, points + 3 * (size_t)count * (size_t)i);
			}
			for (size_t i = 0; i < count; i++) {
				squares += snw_squared_distance3(points + 3 * i, points + 3 * (count + i));
			}
		}
	}
	fitting_stack_drop(&stacks[0]);
	fitting_stack_drop(&stacks[1]);
	free(points);
	return sqrt(squares / count / frames);
}

/* With fixed anchors it is not fitted to the samples afterwards: it solves the full model's equation with fewer numbers. */
static void the_reduced_model_comes_near_the_full_one(void **state) {
	(void)state;
	static const char *const ways[] = {"proxies=10 anchors=fixed", "proxies=40 anchors=fixed", "proxies=160 anchors=fixed"};
	snw_scene *truth = must_fit(arm, method, "proxies=0 anchors=fixed"), *blend = must_fit(arm, "linear-blend-fit", "");
	double last = distance_between(blend, truth);
	print_message("%.3g m linear blend\n", last);
	for (int i = 0; i < 3; i++) {
		snw_scene *few = must_fit(arm, method, ways[i]);
		const double distance = distance_between(few, truth);
		print_message("%s: %.3g m\n", ways[i], distance);
		assert_true(distance < 0.6 * last);
		last = distance;
		snw_scene_destroy(few);
	}
	snw_scene_destroy(blend);
	snw_scene_destroy(truth);
}

static void the_papers_way_comes_near_them_too(void **state) {
	(void)state;
	snw_scene *blend = must_fit(arm, "linear-blend-fit", "");
	const double before = distance_to_targets(blend);
	static const char *const ways[] = {"proxies=0 anchors=fixed features=vectors", "proxies=40 anchors=fixed features=vectors"};
	for (int i = 0; i < 2; i++) {
		snw_scene *fitted = must_fit(arm, method, ways[i]);
		const double after = distance_to_targets(fitted);
		print_message("%s: %.4g m, before %.4g m\n", ways[i], after, before);
		assert_true(after < before);
		snw_scene_destroy(fitted);
	}
	snw_scene_destroy(blend);
}

static void the_fewest_proxies_below_an_error_are_taken(void **state) {
	(void)state;
	snw_scene *fine = must_fit(arm, method, "error=0.5"), *coarse = must_fit(arm, method, "error=4");
	print_message("%u and %u proxies\n", proxy_count(fine), proxy_count(coarse));
	assert_true(proxy_count(coarse) > 1);
	assert_true(proxy_count(coarse) < proxy_count(fine));
	snw_scene_destroy(coarse);
	snw_scene_destroy(fine);
}

static void sculpts_on_top_are_exact(void **state) {
	(void)state;
	must_reproduce_sculpts_above(sculpted, method, "proxies=10");
	must_reproduce_sculpts_above(sculpted, method, "proxies=0");
}

/* How far a fit to the clips that bend and that twist is from the clip that does both. */
static double distance_to_unseen(const char *settings) {
	snw_scene *seen = snw_scene_copy(arm);
	assert_int_equal(seen->target_count, 3);
	seen->target_count = 2;
	snw_scene *fitted = must_fit(seen, method, settings), *unseen = snw_scene_copy(fitted);
	unseen->targets = &arm->targets[2];
	unseen->target_count = 1;
	const double distance = distance_to_targets(unseen);
	print_message("%s: %.4g m from the unseen clip\n", settings, distance);
	snw_scene_destroy(unseen);
	snw_scene_destroy(fitted);
	snw_scene_destroy(seen);
	return distance;
}

static void the_pull_that_is_chosen_predicts_an_unseen_clip(void **state) {
	(void)state;
	const double chosen = distance_to_unseen("proxies=0");
	assert_true(chosen < 0.5 * distance_to_unseen("proxies=0 pull=3"));
	assert_true(chosen < 0.5 * distance_to_unseen("proxies=0 pull=0.1"));
}

/* Points in a pose, with the root joint, which moves the arm as a whole, as it is or elsewhere. Its global transform is
 * copied. */
static void pose_points(const snw_scene *scene, int is_moved, double *points, double root_global[12]) {
	fitting_stack stack = fitting_stack_of(scene, registry, NULL);
	snw_pose pose = scene->poses[0];
	const uint32_t joints = scene->skeleton.joint_count;
	uint32_t root = 0;
	while (scene->skeleton.parents[root] != SNW_NONE) {
		root++;
	}
	pose.rotation_vectors = SNW_NEW_ARRAY(scene->arena, double, (size_t)3 * joints);
	pose.local = SNW_NEW_ARRAY(scene->arena, snw_transform, joints);
	memcpy(pose.local, scene->poses[0].local, joints * sizeof *pose.local);
	memcpy(pose.rotation_vectors, scene->poses[0].rotation_vectors, 3 * (size_t)joints * sizeof(double));
	if (is_moved) {
		double quaternion[4];
		const double vector[3] = {0.4, -1.1, 0.6};
		memcpy(pose.rotation_vectors + 3 * (size_t)root, vector, sizeof vector);
		snw_quat_from_rotation_vector(vector, quaternion);
		snw_quat_multiply(scene->skeleton.rest_local[root].rotation, quaternion, pose.local[root].rotation);
		pose.local[root].translation[1] += 0.5;
	}
	const snw_pose_view *view = snw_pose_view_make(scene, &pose, scene->arena);
	memcpy(root_global, view->global + 12 * (size_t)root, 12 * sizeof *root_global);
	fitting_truth(&stack, view, 0, points);
	fitting_stack_drop(&stack);
}

static void the_whole_follows_its_root_rigidly(void **state) {
	(void)state;
	for (int is_reduced = 0; is_reduced < 2; is_reduced++) {
		const snw_scene *fitted = is_reduced ? reduced : full;
		const uint32_t count = fitted->meshes[0].point_count;
		double *before = malloc(3 * (size_t)count * sizeof *before), *after = malloc(3 * (size_t)count * sizeof *after);
		double from[12], to[12], inverse[12] = {0}, rigid[12];
		pose_points(fitted, 0, before, from);
		pose_points(fitted, 1, after, to);
		assert_true(snw_mat34_invert(from, inverse));
		snw_mat34_multiply(to, inverse, rigid);
		for (size_t i = 0; i < count; i++) {
			double expected[3];
			snw_mat34_point(rigid, before + 3 * i, expected);
			assert_true(snw_squared_distance3(expected, after + 3 * i) < (is_reduced ? 1e-16 : 1e-11));
		}
		free(before);
		free(after);
	}
}

/* ---- faults of samples --------------------------------------------------------------------------------------------------- */

/* The arm with one target of `count` frames, whose points may be changed. */
static snw_scene *with_frames(uint32_t count, float **points) {
	snw_scene *scene = snw_scene_copy(arm);
	snw_target *target = SNW_NEW(scene->arena, snw_target);
	*target = arm->targets[0];
	target->frame_count = count;
	const size_t numbers = (size_t)3 * scene->meshes[0].point_count * count;
	*points = SNW_NEW_ARRAY(scene->arena, float, numbers);
	memcpy(*points, target->points_posed, numbers * sizeof **points);
	target->points_posed = *points;
	scene->targets = target;
	scene->target_count = 1;
	return scene;
}

static void must_warn(const snw_scene *scene, const char *words) {
	snw_scene *fitted = must_fit(scene, method, "proxies=4");
	if (!fitting_logged(words)) {
		fail_msg("no line says '%s'", words);
	}
	assert_true(isfinite(distance_to_targets(fitted)));
	snw_scene_destroy(fitted);
}

static void targets_beside_their_skeleton_are_named(void **state) {
	(void)state;
	float *points;
	snw_scene *scene = with_frames(6, &points);
	for (size_t i = 0; i < (size_t)6 * scene->meshes[0].point_count; i++) {
		points[3 * i] += 0.3F;
	}
	must_warn(scene, "6 of 6 samples are beside their skeleton");
	snw_scene_destroy(scene);
}

static void mirrored_targets_are_named(void **state) {
	(void)state;
	float *points;
	snw_scene *scene = with_frames(6, &points);
	for (size_t i = 0; i < (size_t)6 * scene->meshes[0].point_count; i++) {
		points[3 * i + 2] = -points[3 * i + 2];
	}
	must_warn(scene, "triangles are inverted");
	snw_scene_destroy(scene);
}

static void collapsed_triangles_are_named(void **state) {
	(void)state;
	float *points;
	snw_scene *scene = with_frames(6, &points);
	const uint32_t *corners = scene->meshes[0].face_points;
	for (size_t k = 1; k < scene->meshes[0].face_offsets[1]; k++) {
		memcpy(points + 3 * (size_t)corners[k], points + 3 * (size_t)corners[0], 3 * sizeof *points);
	}
	must_warn(scene, "triangles have no area in samples");
	snw_scene_destroy(scene);
}

static void triangles_without_area_at_rest_are_named(void **state) {
	(void)state;
	float *points;
	snw_scene *scene = with_frames(6, &points);
	snw_mesh *mesh = SNW_NEW(scene->arena, snw_mesh);
	*mesh = scene->meshes[0];
	double *rest = SNW_NEW_ARRAY(scene->arena, double, (size_t)3 * mesh->point_count);
	memcpy(rest, mesh->points_rest, (size_t)3 * mesh->point_count * sizeof *rest);
	memcpy(rest + 3 * (size_t)mesh->face_points[1], rest + 3 * (size_t)mesh->face_points[0], 3 * sizeof *rest);
	mesh->points_rest = rest;
	scene->meshes = mesh;
	must_warn(scene, "have no area at rest");
	snw_scene_destroy(scene);
}

/* Frames at the same moment with other points. */
static void contradictory_poses_are_named(void **state) {
	(void)state;
	float *points;
	snw_scene *scene = with_frames(6, &points);
	snw_target *target = SNW_NEW(scene->arena, snw_target);
	*target = scene->targets[0];
	double *seconds = SNW_NEW_ARRAY(scene->arena, double, 6);
	for (uint32_t f = 0; f < 6; f++) {
		seconds[f] = target->seconds[0] + 1e-7 * f;
	}
	target->seconds = seconds;
	scene->targets = target;
	must_warn(scene, "have the same pose and other points");
	snw_scene_destroy(scene);
}

/* In the second clip the wrist alone rotates. */
static void joints_that_never_move_are_named(void **state) {
	(void)state;
	snw_scene *twisted = snw_scene_copy(arm);
	twisted->targets = &arm->targets[1];
	twisted->target_count = 1;
	must_warn(twisted, "never move in the samples ('elbow'");
	snw_scene_destroy(twisted);
}

static uint32_t joint_named(const snw_scene *scene, const char *name) {
	uint32_t joint = 0;
	while (strcmp(scene->skeleton.names[joint], name) != 0) {
		joint++;
	}
	return joint;
}

/* The largest distance between the skins of two scenes with one joint rotated about an axis of its own. */
static double distance_at(const snw_scene *one, const snw_scene *other, const char *joint, double radians) {
	const uint32_t count = one->meshes[0].point_count, at = joint_named(one, joint);
	double *points = malloc(6 * (size_t)count * sizeof *points), quaternion[4], most = 0;
	const snw_scene *scenes[2] = {one, other};
	for (size_t i = 0; i < 2; i++) {
		fitting_stack stack = fitting_stack_of(scenes[i], registry, NULL);
		snw_pose *pose = snw_pose_rest(scenes[i], scenes[i]->arena);
		const double vector[3] = {0, 0, radians};
		memcpy(pose->rotation_vectors + 3 * (size_t)at, vector, sizeof vector);
		snw_quat_from_rotation_vector(vector, quaternion);
		snw_quat_multiply(scenes[i]->skeleton.rest_local[at].rotation, quaternion, pose->local[at].rotation);
		fitting_truth(&stack, snw_pose_view_make(scenes[i], pose, scenes[i]->arena), 0, points + 3 * i * count);
		fitting_stack_drop(&stack);
	}
	for (size_t i = 0; i < count; i++) {
		most = fmax(most, sqrt(snw_squared_distance3(points + 3 * i, points + 3 * (count + i))));
	}
	free(points);
	return most;
}

/* Proxies are learned, and nothing was of the elbow: a reduction must not decide that it stays straight. */
static void joints_that_never_move_bend_as_in_the_rig(void **state) {
	(void)state;
	static const char *const joints[] = {"wrist", "elbow"}; /* the first clip bends the elbow, the second the wrist */
	for (uint32_t t = 0; t < 2; t++) {
		snw_scene *one = snw_scene_copy(arm);
		one->targets = &arm->targets[t];
		one->target_count = 1;
		snw_scene *fitted = must_fit(one, method, "proxies=20");
		const double distance = distance_at(arm, fitted, joints[t], 1);
		print_message("%s: %.3g of the diagonal from linear blend\n", joints[t], distance / snw_scene_diagonal(arm, 0));
		assert_true(distance < 1e-3 * snw_scene_diagonal(arm, 0));
		print_message("%.3g m from the samples, linear blend %.3g m\n", distance_to_targets(fitted), distance_to_targets(one));
		assert_true(distance_to_targets(fitted) < 0.1 * distance_to_targets(one));
		snw_scene_destroy(fitted);
		snw_scene_destroy(one);
	}
}

static void scaled_joints_are_named(void **state) {
	(void)state;
	snw_scene *scene = snw_scene_copy(arm);
	double *binds = SNW_NEW_ARRAY(scene->arena, double, (size_t)12 * scene->slot_count);
	for (uint32_t i = 0; i < 12 * scene->slot_count; i++) {
		binds[i] = 1.1 * arm->slot_inverse_binds[i];
	}
	scene->slot_inverse_binds = binds;
	must_warn(scene, "joints are scaled or sheared");
	snw_scene_destroy(scene);
}

static void threads_do_not_change_a_bit(void **state) {
	(void)state;
	snw_parallel_threads(1);
	snw_scene *whole = must_fit(arm, method, "proxies=0"), *few = must_fit(arm, method, "proxies=20");
	snw_parallel_threads(0);
	must_have_one_model(full, whole);
	must_have_one_model(reduced, few);
	snw_scene_destroy(few);
	snw_scene_destroy(whole);
}

static void without_samples_the_line_names_what_adds_them(void **state) {
	(void)state;
	must_name_the_command_for_samples(arm, method);
}

static void cancelled_fit_leaves_nothing(void **state) {
	(void)state;
	static const char *const activities[] = {"fitting weights",       "joining points",           "fitting proxies",
											 "fitting key gradients", "predicting key gradients", "fitting proxies to samples",
											 "comparing with samples"};
	for (size_t i = 0; i < sizeof activities / sizeof *activities; i++) {
		must_stop_at(arm, method, "proxies=10", activities[i]);
	}
	must_stop_at(arm, method, "proxies=0", "fitting the gradients");
	must_stop_at(arm, method, "proxies=0", "comparing with samples");
}

TEST_GROUP(rotational_regression) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_models_come_near_the_samples),
		cmocka_unit_test(the_reduced_model_comes_near_the_full_one),
		cmocka_unit_test(the_papers_way_comes_near_them_too),
		cmocka_unit_test(the_fewest_proxies_below_an_error_are_taken),
		cmocka_unit_test(sculpts_on_top_are_exact),
		cmocka_unit_test(the_pull_that_is_chosen_predicts_an_unseen_clip),
		cmocka_unit_test(the_whole_follows_its_root_rigidly),
		cmocka_unit_test(targets_beside_their_skeleton_are_named),
		cmocka_unit_test(mirrored_targets_are_named),
		cmocka_unit_test(collapsed_triangles_are_named),
		cmocka_unit_test(triangles_without_area_at_rest_are_named),
		cmocka_unit_test(contradictory_poses_are_named),
		cmocka_unit_test(joints_that_never_move_are_named),
		cmocka_unit_test(joints_that_never_move_bend_as_in_the_rig),
		cmocka_unit_test(scaled_joints_are_named),
		cmocka_unit_test(threads_do_not_change_a_bit),
		cmocka_unit_test(without_samples_the_line_names_what_adds_them),
		cmocka_unit_test(cancelled_fit_leaves_nothing),
	};
	return cmocka_run_group_tests(tests, open_all, close_all);
}
