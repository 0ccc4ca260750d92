/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * SAD: a blend of known transforms is recovered, tumbling motions are handled like any other, at frames and between them,
 * and details only reduce the error.
 */
#include "motion/decompose.h" /* has parameters called motion, which the next header makes a type */

#include "sad_scenes.h"

#include "fit/samples.h"
#include "mesh/mesh.h"
#include "scene/scene.h"

/* ---- known answers ------------------------------------------------------------------------------------------------------- */

static void affine_blend_over_a_rig_is_found_again(void **state) {
	(void)state;
	snw_scene *scene = rigged(blend_affine);
	const double distance = fit_distance(scene, "joints=auto transforms=affine");
	assert_true(fitting_logged("3 joints"));
	assert_true(distance < 1e-5);
	snw_scene_destroy(scene);
}

static void rigid_blend_over_a_rig_is_found_again(void **state) {
	(void)state;
	snw_scene *scene = rigged(blend_rigid);
	assert_true(fit_distance(scene, "joints=auto transforms=rigid blend=linear") < 1e-4);
	snw_scene_destroy(scene);
}

static void target_of_a_clip_is_fitted_like_a_sequence(void **state) {
	(void)state;
	snw_scene *scene = rigged(blend_rigid);
	snw_target *target = (snw_target *)(uintptr_t)scene->targets;
	target->clip = 0;
	assert_true(fit_distance(scene, "joints=auto blend=linear") < 1e-4);
	snw_scene_destroy(scene);
}

static void tumble_is_reproduced_under_every_blend(void **state) {
	(void)state;
	snw_scene *scene = animate(POINTS, FRAMES, put_grid, tumble);
	assert_true(fit_distance(scene, "joints=9 blend=dual-quaternion") < 2e-6);
	assert_true(fit_distance(scene, "joints=9 blend=linear") < 2e-6);
	assert_true(fit_distance(scene, "joints=9 transforms=affine blend=linear") < 2e-6);
	assert_true(fit_distance(scene, "joints=1 blend=dual-quaternion") < 2e-6);
	snw_scene_destroy(scene);
}

static void parts_that_move_alone_are_found_by_refining(void **state) {
	(void)state;
	snw_scene *scene = animate(POINTS, FRAMES, put_grid, quarters);
	const double plain = fit_distance(scene, "joints=4 blend=linear");
	const double refined = fit_distance(scene, "joints=4 blend=linear refine=auto");
	print_message("four rigid parts: %.3g m by proxy joints, %.3g refined\n", plain, refined);
	assert_true(plain > 0.05);
	assert_true(refined < 1e-3);
	snw_scene_destroy(scene);
}

/* ---- between frames ------------------------------------------------------------------------------------------------------ */

/* Two bodies on a hinge that tumble by 40 degrees a frame; the ground truth is known at any time. */
static void tumble_on_hinge(const double *rest, double moment, double *posed) {
	const double axis[3] = {0.6, 0, 0.8}, hinge[3] = {0, 1, 0};
	double p[3] = {rest[0] - 0.5, rest[1], rest[2]};
	if (p[0] > 0) {
		rotate_about(hinge, 0.8 * sin(0.3 * moment), p, p);
	}
	rotate_about(axis, moment * 2 * M_PI / 9, p, posed);
	posed[0] += 0.2 * moment;
}

static void hinged(uint32_t i, const double *rest, uint32_t f, double *posed) {
	(void)i;
	tumble_on_hinge(rest, f, posed);
}

static void jitter(uint32_t i, const double *rest, uint32_t f, double *posed) {
	uint64_t state = (uint64_t)f * POINTS + i + 1;
	for (int c = 0; c < 3; c++) {
		state = state * 6364136223846793005U + 1442695040888963407U;
		state ^= state >> 29;
		posed[c] = rest[c] + 0.2 * ((double)(state >> 11) / 9007199254740992.0 - 0.5);
	}
}

/* The model's points midway between frame f and the next. */
static void pose_midway(fitting_stack *stack, const snw_scene *scene, uint32_t f, double *posed) {
	const double *seconds = scene->targets[0].seconds;
	const snw_pose *pose = snw_pose_sample(scene, 0, 0.5 * (seconds[f] + seconds[f + 1]), scene->arena);
	fitting_truth(stack, snw_pose_view_make(scene, pose, scene->arena), 0, posed);
}

static double farthest_from_hinged(const char *settings) {
	snw_scene *scene = animate(POINTS, FRAMES, put_grid, hinged), *fitted = fit_sad(scene, settings);
	fitting_stack stack = fitting_stack_of(fitted, registry, "sad");
	double farthest = 0, posed[3 * POINTS], truth[3 * POINTS];
	for (uint32_t f = 0; f + 1 < FRAMES; f++) {
		pose_midway(&stack, fitted, f, posed);
		for (uint32_t i = 0; i < POINTS; i++) {
			tumble_on_hinge(fitted->meshes[0].points_rest + (size_t)3 * i, f + 0.5, truth + (size_t)3 * i);
		}
		farthest = fmax(farthest, fitting_distance(POINTS, posed, truth));
	}
	fitting_stack_drop(&stack);
	snw_scene_destroy(fitted);
	snw_scene_destroy(scene);
	return farthest;
}

static void tumbling_bodies_stay_rigid_between_frames(void **state) {
	(void)state;
	const double plain = farthest_from_hinged("joints=8 blend=dual-quaternion"),
				 refined = farthest_from_hinged("joints=2 refine=auto blend=dual-quaternion"),
				 linear = farthest_from_hinged("joints=2 refine=auto blend=linear"),
				 affine = farthest_from_hinged("joints=2 refine=auto transforms=affine");
	print_message(
		"farthest from the truth between frames: %.3g m by proxy joints, %.3g refined, %.3g by matrices, %.3g affine\n", plain,
		refined, linear, affine);
	assert_true(plain < 0.2);
	assert_true(refined < 0.1);
	assert_true(linear < 0.06 && affine < 0.06); /* matrices mixed number by number shrink the bodies: 0.078 */
}

static void noise_stays_in_its_box_between_frames(void **state) {
	(void)state;
	static const char *const settings[] = {"joints=3 blend=dual-quaternion", "joints=6 blend=dual-quaternion"};
	snw_scene *scene = animate(POINTS, FRAMES, put_grid, jitter);
	for (size_t s = 0; s < sizeof settings / sizeof settings[0]; s++) {
		snw_scene *fitted = fit_sad(scene, settings[s]);
		fitting_stack stack = fitting_stack_of(fitted, registry, "sad");
		double farthest = 0, posed[3 * POINTS];
		for (uint32_t f = 0; f + 1 < FRAMES; f++) {
			pose_midway(&stack, fitted, f, posed);
			farthest = fmax(farthest, fitting_distance(POINTS, posed, fitted->meshes[0].points_rest));
		}
		fitting_stack_drop(&stack);
		snw_scene_destroy(fitted);
		print_message("%s: noise of 0.1 m is %.3g m from the rest between frames\n", settings[s], farthest);
		assert_true(farthest < 0.3);
	}
	snw_scene_destroy(scene);
}

/* ---- properties ---------------------------------------------------------------------------------------------------------- */

static void cover_holds_every_point_and_shrinks(void **state) {
	(void)state;
	double rest[3 * POINTS], radii[20], scratch[POINTS];
	uint32_t centres[20], fewer[5];
	for (uint32_t i = 0; i < POINTS; i++) {
		put_grid(i, rest + (size_t)3 * i);
	}
	assert_int_equal(snk_p_centre(POINTS, rest, 20, centres, radii, scratch), 20);
	for (uint32_t i = 0; i < POINTS; i++) {
		double nearest = INFINITY;
		for (uint32_t j = 0; j < 20; j++) {
			const double *a = rest + (size_t)3 * i, *b = rest + (size_t)3 * centres[j];
			const double gap[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
			nearest = fmin(nearest, snw_length3(gap));
		}
		assert_true(nearest <= radii[19] + 1e-12);
	}
	for (uint32_t j = 1; j < 20; j++) {
		assert_true(radii[j] <= radii[j - 1]);
	}
	snk_p_centre(POINTS, rest, 5, fewer, NULL, scratch);
	assert_memory_equal(fewer, centres, sizeof fewer);
}

static void more_details_leave_less(void **state) {
	(void)state;
	snw_scene *scene = animate(POINTS, FRAMES, put_grid, wave);
	double last = INFINITY;
	for (uint32_t count = 0; count <= 8; count += 2) {
		char settings[80];
		snprintf(settings, sizeof settings, "joints=8 eigen=%u blend=dual-quaternion", count);
		const double current = fit_distance(scene, settings);
		assert_true(current < last);
		last = current;
	}
	assert_true(fit_distance(scene, "joints=8 eigen=200 blend=dual-quaternion") < 1e-6);
	assert_true(fit_distance(scene, "joints=8 transforms=affine eigen=200 blend=linear") < 1e-4);
	snw_scene_destroy(scene);
}

static void automatic_count_is_the_first_to_meet_the_error(void **state) {
	(void)state;
	snw_scene *scene = animate(POINTS, FRAMES, put_grid, wave);
	snw_scene *fitted = fit_sad(scene, "joints=auto error=10 transforms=affine blend=linear");
	fitting_stack stack = fitting_stack_of(fitted, registry, "sad");
	const uint32_t count = snw_stack_segment(stack.stack, 0, 0).program->slot_count;
	char settings[80];
	snprintf(settings, sizeof settings, "joints=%u transforms=affine blend=linear", count - 1);
	assert_true(fit_distance(scene, settings) > distance_of(fitted));
	fitting_stack_drop(&stack);
	snw_scene_destroy(fitted);
	snw_scene_destroy(scene);
}

static void fields_say_where_and_when_the_error_is(void **state) {
	(void)state;
	snw_scene *scene = animate(POINTS, FRAMES, put_grid, wave), *fitted = fit_sad(scene, "joints=8 blend=dual-quaternion");
	const double distance = distance_of(fitted);
	const uint32_t residual = snw_scene_find_field(fitted, 0, "sad.residual"),
				   over_time = snw_scene_find_field(fitted, SNW_NONE, "sad.error-over-time");
	assert_true(residual != SNW_NONE && over_time != SNW_NONE);
	double by_point = 0, by_frame = 0;
	for (uint32_t i = 0; i < POINTS; i++) {
		by_point += pow(fitted->fields[residual].values[i], 2) / POINTS;
	}
	assert_int_equal(fitted->fields[over_time].domain, SNW_DOMAIN_FRAMES);
	assert_int_equal(fitted->fields[over_time].count, FRAMES);
	for (uint32_t f = 0; f < FRAMES; f++) {
		by_frame += pow(fitted->fields[over_time].values[f], 2) / FRAMES;
	}
	check_near(sqrt(by_point), distance, 1e-6);
	check_near(sqrt(by_frame), distance, 1e-6);
	snw_scene_destroy(fitted);
	snw_scene_destroy(scene);
}

/* The first target is the second mesh's, and the second one is shorter. */
static void errors_of_frames_are_in_the_order_of_the_targets(void **state) {
	(void)state;
	snw_scene *scene = animate(POINTS, FRAMES, put_grid, wave);
	double_mesh(scene);
	snw_target *targets = (snw_target *)(uintptr_t)scene->targets;
	targets[0].mesh = 1;
	targets[1].mesh = 0;
	targets[1].frame_count = FRAMES / 3;
	snw_scene *fitted = fit_sad(scene, "joints=4 blend=dual-quaternion");
	const snw_field *field = &fitted->fields[snw_scene_find_field(fitted, SNW_NONE, "sad.error-over-time")];
	assert_int_equal(field->count, FRAMES + FRAMES / 3);
	assert_string_equal(field->unit, "m");
	for (uint32_t t = 0; t < 2; t++) {
		const uint32_t first = snw_samples_first_frame(fitted, field, t), count = fitted->targets[t].frame_count;
		double square = 0;
		for (uint32_t f = 0; f < count; f++) {
			square += pow(field->values[first + f], 2) / count;
		}
		check_near(sqrt(square), distances_to(&fitted->targets[t], fitted, NULL).rms, 1e-6);
	}
	snw_scene_destroy(fitted);
	snw_scene_destroy(scene);
}

static void outside_its_clips_the_model_rests(void **state) {
	(void)state;
	snw_scene *scene = animate(POINTS, FRAMES, put_grid, wave),
			  *fitted = fit_sad(scene, "joints=8 eigen=2 blend=dual-quaternion");
	fitting_stack stack = fitting_stack_of(fitted, registry, "sad");
	double posed[3 * POINTS];
	const snw_pose *pose = snw_pose_rest(fitted, fitted->arena);
	fitting_truth(&stack, snw_pose_view_make(fitted, pose, fitted->arena), 0, posed);
	assert_true(fitting_distance(POINTS, posed, fitted->meshes[0].points_rest) < 1e-12);
	fitting_stack_drop(&stack);
	snw_scene_destroy(fitted);
	snw_scene_destroy(scene);
}

static void threads_do_not_change_a_bit(void **state) {
	(void)state;
	static const char *const settings[] = {
		"joints=8 eigen=3 normals=on blend=dual-quaternion", "joints=8 blend=linear refine=7 eigen=2",
		"joints=8 blend=linear transforms=affine normals=quaternions", "joints=6 refine=3 blend=dual-quaternion",
		"joints=auto error=5 transforms=affine eigen=1 blend=linear"};
	snw_scene *scene = animate(POINTS, FRAMES, put_grid, wave);
	add_faces(scene);
	for (size_t s = 0; s < sizeof settings / sizeof *settings; s++) {
		check_threads(scene, "sad", settings[s]);
	}
	snw_scene_destroy(scene);
}

/* The smallest cosine between the model's normals and those of the frames' faces. */
static double worst_normal(motion *move, const char *settings) {
	snw_scene *scene = animate(POINTS, FRAMES, put_grid, move);
	add_faces(scene);
	snw_scene *fitted = fit_sad(scene, settings);
	fitting_stack stack = fitting_stack_of(fitted, registry, "sad");
	snw_normal_plan *plan = snw_normal_plan_create(&fitted->meshes[0]);
	double worst = 1, posed[3 * POINTS];
	float normals[3 * POINTS], wanted[3 * POINTS];
	for (uint32_t f = 0; f < FRAMES; f++) {
		const snw_pose *pose = snw_pose_sample(fitted, 0, fitted->targets[0].seconds[f], fitted->arena);
		fitting_truth(&stack, snw_pose_view_make(fitted, pose, fitted->arena), 0, posed);
		if (!snw_stack_normals(stack.stack, stack.evaluation, 0, normals)) {
			float floats[3 * POINTS];
			for (size_t i = 0; i < 3 * POINTS; i++) {
				floats[i] = (float)posed[i];
			}
			snw_normals_of_points(plan, floats, normals);
		}
		snw_normals_of_points(plan, fitted->targets[0].points_posed + (size_t)3 * POINTS * f, wanted);
		for (size_t i = 0; i < POINTS; i++) {
			double dot = 0;
			for (size_t c = 0; c < 3; c++) {
				dot += (double)normals[3 * i + c] * (double)wanted[3 * i + c];
			}
			worst = fmin(worst, dot);
		}
	}
	snw_normal_plan_destroy(plan);
	fitting_stack_drop(&stack);
	snw_scene_destroy(fitted);
	snw_scene_destroy(scene);
	return worst;
}

static void normals_follow_by_separate_transforms(void **state) {
	(void)state;
	assert_true(worst_normal(tumble, "joints=6 normals=on blend=dual-quaternion") > 1 - 1e-5);
	assert_true(worst_normal(tumble, "joints=6 normals=on transforms=affine blend=linear") > 1 - 1e-5);
	assert_true(worst_normal(tumble, "joints=6 normals=quaternions transforms=affine blend=linear") > 1 - 1e-5);
	const double of_rigid = worst_normal(wave, "joints=30 normals=on blend=dual-quaternion"),
				 of_affine = worst_normal(wave, "joints=30 normals=on transforms=affine blend=linear"),
				 of_both = worst_normal(wave, "joints=30 normals=quaternions transforms=affine blend=linear");
	print_message("least cosine of normals: rotations %.4f, linear maps %.4f, rotations of affine joints %.4f\n", of_rigid,
				  of_affine, of_both);
	assert_true(of_rigid > 0.85 && of_affine > 0.85 && of_both > 0.85 && of_both != of_affine);
}

/* Separate normals are an option: without them the faces' own are shown, and nearer to the frames. */
static void normals_are_those_of_the_faces_by_default(void **state) {
	(void)state;
	static const char *const kinds[] = {"joints=30 blend=dual-quaternion", "joints=30 transforms=affine blend=linear"};
	for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
		char settings[80];
		snprintf(settings, sizeof settings, "%s normals=on", kinds[k]);
		const double of_faces = worst_normal(wave, kinds[k]), apart = worst_normal(wave, settings);
		print_message("least cosine of normals, %s: faces %.4f, separate %.4f\n", kinds[k], of_faces, apart);
		assert_true(of_faces > apart);
	}
}

static void details_of_normals_bring_them_back(void **state) {
	(void)state;
	static const char *const kinds[] = {"blend=dual-quaternion", "blend=linear transforms=affine"};
	for (int k = 0; k < 2; k++) {
		double last = -1;
		for (int count = 0; count <= 200; count = count == 0 ? 4 : 50 * count) {
			char settings[80];
			snprintf(settings, sizeof settings, "joints=8 normals=on eigen=%d %s", count, kinds[k]);
			const double current = worst_normal(wave, settings);
			print_message("least cosine of normals, %s: %.6f\n", settings, current);
			assert_true(current > last);
			last = current;
		}
		assert_true(last > 1 - 1e-5);
	}
}

TEST_GROUP(sad) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(affine_blend_over_a_rig_is_found_again),
		cmocka_unit_test(rigid_blend_over_a_rig_is_found_again),
		cmocka_unit_test(target_of_a_clip_is_fitted_like_a_sequence),
		cmocka_unit_test(tumble_is_reproduced_under_every_blend),
		cmocka_unit_test(parts_that_move_alone_are_found_by_refining),
		cmocka_unit_test(tumbling_bodies_stay_rigid_between_frames),
		cmocka_unit_test(noise_stays_in_its_box_between_frames),
		cmocka_unit_test(cover_holds_every_point_and_shrinks),
		cmocka_unit_test(more_details_leave_less),
		cmocka_unit_test(automatic_count_is_the_first_to_meet_the_error),
		cmocka_unit_test(fields_say_where_and_when_the_error_is),
		cmocka_unit_test(errors_of_frames_are_in_the_order_of_the_targets),
		cmocka_unit_test(outside_its_clips_the_model_rests),
		cmocka_unit_test(normals_follow_by_separate_transforms),
		cmocka_unit_test(normals_are_those_of_the_faces_by_default),
		cmocka_unit_test(details_of_normals_bring_them_back),
		cmocka_unit_test(threads_do_not_change_a_bit),
	};
	return cmocka_run_group_tests(tests, open_registry, close_registry);
}
