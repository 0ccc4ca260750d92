/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * SAD with a mask and with locked joints: what is held stays to the last bit, and the rest of the error falls.
 */
#include "sad_scenes.h"

#include "scene/scene.h"
#include "tiny_arm.h"

/* ---- masks --------------------------------------------------------------------------------------------------------------- */

/* The left half of the grid is painted. */
static bool is_painted(uint32_t point) {
	return point % SIDE < SIDE / 2;
}

static void paint_half(snw_scene *scene) {
	const uint32_t points = scene->meshes[0].point_count;
	snw_field *field = SNW_NEW(scene->arena, snw_field);
	double *values = SNW_NEW_ARRAY(scene->arena, double, points);
	for (uint32_t i = 0; i < points; i++) {
		values[i] = is_painted(i);
	}
	*field = (snw_field){
		.id = 900, .name = "part", .unit = "", .domain = SNW_DOMAIN_POINTS, .components = 1, .count = points, .values = values};
	scene->fields = field;
	scene->field_count = 1;
}

/* Root of the mean squared distance over frames, of the painted points or the others. */
static double distance_in(const snw_scene *scene, bool painted) {
	const snw_target *target = &scene->targets[0];
	const uint32_t points = scene->meshes[0].point_count;
	double *posed = malloc(sizeof *posed * 3 * points), sum = 0;
	uint32_t count = 0;
	fitting_stack stack = fitting_stack_of(scene, registry, NULL);
	for (uint32_t f = 0; f < target->frame_count; f++) {
		const snw_pose *pose = snw_pose_sample(scene, 0, target->seconds[f], scene->arena);
		fitting_truth(&stack, snw_pose_view_make(scene, pose, scene->arena), 0, posed);
		for (uint32_t i = 0; i < points; i++) {
			for (uint32_t c = 0; c < 3 && is_painted(i) == painted; c++) {
				const double away = posed[3 * i + c] - (double)target->points_posed[3 * ((size_t)f * points + i) + c];
				sum += away * away;
				count += c == 0;
			}
		}
	}
	fitting_stack_drop(&stack);
	free(posed);
	return sqrt(sum / count);
}

/* Weights that the motion was not made with: those of the next point. */
static void spoil_weights(snw_scene *scene) {
	snw_mesh *mesh = (snw_mesh *)(uintptr_t)scene->meshes;
	double *weights = SNW_NEW_ARRAY(scene->arena, double, mesh->influence_offsets[POINTS]);
	for (uint32_t i = 0; i < POINTS; i++) {
		double sum = 0;
		for (uint32_t k = mesh->influence_offsets[i]; k < mesh->influence_offsets[i + 1]; k++) {
			weights[k] = 0.2 + blend_weight(i + 1, mesh->influence_slots[k]);
			sum += weights[k];
		}
		for (uint32_t k = mesh->influence_offsets[i]; k < mesh->influence_offsets[i + 1]; k++) {
			weights[k] /= sum;
		}
	}
	mesh->influence_weights = weights;
}

static void points_outside_a_mask_keep_the_weights_of_the_rig(void **state) {
	(void)state;
	snw_scene *scene = rigged(blend_rigid);
	paint_half(scene);
	spoil_weights(scene);
	snw_scene *before = fit_sad(scene, "joints=auto blend=linear refine=0 normals=off");
	snw_scene *fitted = fit_sad(scene, "joints=auto refine=60 mask=part normals=off");
	fitting_stack stack = fitting_stack_of(fitted, registry, NULL);
	const snw_program *program = snw_stack_segment(stack.stack, 0, 0).program;
	const snw_mesh *mesh = &scene->meshes[0];
	uint32_t changed = 0;
	for (uint32_t i = 0; i < POINTS; i++) {
		const uint32_t at = program->influence_offsets[i], first = mesh->influence_offsets[i];
		const uint32_t count = mesh->influence_offsets[i + 1] - first;
		const bool same = program->influence_offsets[i + 1] - at == count;
		double most = same ? 0 : 1;
		for (uint32_t k = 0; k < count && same; k++) { /* the largest first */
			double nearest = 1;
			for (uint32_t other = 0; other < count; other++) {
				nearest = fmin(nearest, fabs(program->influence_weights[at + k] - mesh->influence_weights[first + other]));
			}
			most = fmax(most, nearest);
		}
		assert_true(is_painted(i) || most == 0);
		changed += most > 0;
	}
	assert_true(changed > POINTS / 4);
	const double painted = distance_in(fitted, true), was = distance_in(before, true);
	print_message("painted points: %.4g mm, with the rig's weights %.4g mm; the others %.4g mm, %.4g mm\n", 1e3 * painted,
				  1e3 * was, 1e3 * distance_in(fitted, false), 1e3 * distance_in(before, false));
	assert_true(painted < 0.5 * was);
	fitting_stack_drop(&stack);
	snw_scene_destroy(fitted);
	snw_scene_destroy(before);
	snw_scene_destroy(scene);
}

static bool is_at_rest(const snw_scene *scene, const double *posed, uint32_t point) {
	const double *rest = scene->meshes[0].points_rest + 3 * (size_t)point, *at = posed + 3 * (size_t)point;
	return at[0] == rest[0] && at[1] == rest[1] && at[2] == rest[2];
}

/* Also after joints were moved about, and under affine ones. */
static void points_outside_a_mask_stay_at_rest_under_proxy_joints(void **state) {
	(void)state;
	static const char *const settings[] = {"joints=2 refine=auto mask=part normals=off",
										   "joints=6 refine=40 transforms=affine mask=part"};
	for (int s = 0; s < 2; s++) {
		snw_scene *scene = animate(POINTS, FRAMES, put_grid, quarters);
		paint_half(scene);
		snw_scene *fitted = fit_sad(scene, settings[s]);
		fitting_stack stack = fitting_stack_of(fitted, registry, NULL);
		double posed[3 * POINTS];
		for (uint32_t f = 0; f < FRAMES; f++) {
			const snw_pose *pose = snw_pose_sample(fitted, 0, fitted->targets[0].seconds[f], fitted->arena);
			fitting_truth(&stack, snw_pose_view_make(fitted, pose, fitted->arena), 0, posed);
			for (uint32_t i = 0; i < POINTS; i++) {
				assert_true(is_painted(i) ||
							memcmp(posed + 3 * i, scene->meshes[0].points_rest + 3 * i, 3 * sizeof *posed) == 0);
			}
		}
		fitting_stack_drop(&stack);
		const double painted = distance_in(fitted, true), others = distance_in(fitted, false);
		print_message("%s: painted %.3g m, others %.3g m\n", settings[s], painted, others);
		assert_true(others > 0.1);
		assert_true(painted < 0.02 * others);
		snw_scene_destroy(fitted);
		snw_scene_destroy(scene);
	}
}

static void mesh_of_which_nothing_is_painted_stands_still(void **state) {
	(void)state;
	snw_scene *scene = animate(POINTS, FRAMES, put_grid, quarters);
	paint_half(scene);
	snw_field *field = (snw_field *)(uintptr_t)scene->fields;
	double *values = SNW_NEW_ARRAY(scene->arena, double, POINTS);
	field->values = values;
	snw_scene *still = fit_sad(scene, "joints=4 refine=5 mask=part normals=off");
	fitting_stack stack = fitting_stack_of(still, registry, NULL);
	double posed[3 * POINTS];
	const snw_pose *pose = snw_pose_sample(still, 0, still->targets[0].seconds[FRAMES - 1], still->arena);
	fitting_truth(&stack, snw_pose_view_make(still, pose, still->arena), 0, posed);
	for (uint32_t i = 0; i < POINTS; i++) {
		assert_true(is_at_rest(scene, posed, i));
	}
	fitting_stack_drop(&stack);
	snw_scene_destroy(still);
	snw_scene_destroy(scene);
}

/* ---- locked joints ------------------------------------------------------------------------------------------------------- */

/* The sample arm with one target, whose joints an independent fit would move elsewhere. */
static snw_scene *arm_with_target(void) {
	snw_scene *scene = NULL;
	snw_error error;
	check_ok(make_tiny_arm(&scene, &error), error);
	scene->example_count = scene->group_count = 0;
	snw_target *last = snw_arena_copy(scene->arena, &scene->targets[scene->target_count - 1], sizeof *last);
	scene->targets = last;
	scene->target_count = 1;
	snw_clip *clips = snw_arena_copy(scene->arena, scene->clips, scene->clip_count * sizeof *clips);
	for (uint32_t c = 0; c < scene->clip_count; c++) {
		clips[c].id = c + 1;
	}
	scene->clips = clips;
	return scene;
}

static snw_scene *fit_locked(const snw_scene *scene, const char *lock, const char *transforms, double refine) {
	snw_error error;
	const snw_setting settings[] = {{"joints", SNW_VALUE(0)},      {"normals", SNW_VALUE(0)},
									{"refine", SNW_VALUE(refine)}, {"transforms", SNW_VALUE(strcmp(transforms, "affine") == 0)},
									{"blend", SNW_VALUE(2)},       {lock, SNW_VALUE(1)}};
	snw_scene *fitted = fitting_try(scene, registry, "sad", lock ? 6 : 5, settings, &error);
	if (!fitted) {
		fail_msg("%s", error.text);
	}
	return fitted;
}

/* How far the nearest joint of the fit is from the pose's transform of a slot, at the worst frame. */
static double distance_from_pose(const snw_scene *fitted, uint32_t slot) {
	fitting_stack stack = fitting_stack_of(fitted, registry, NULL);
	const snw_target *target = &fitted->targets[0];
	double most = 0;
	for (uint32_t f = 0; f < target->frame_count; f++) {
		const snw_pose *pose = snw_pose_sample(fitted, target->clip, target->seconds[f], fitted->arena);
		const snw_pose_view *view = snw_pose_view_make(fitted, pose, fitted->arena);
		double *posed = malloc(sizeof *posed * 3 * fitted->meshes[0].point_count), nearest = INFINITY;
		fitting_truth(&stack, view, 0, posed);
		const snw_program_input *input = snw_stack_program_input(stack.evaluation, 0, 0);
		for (uint32_t j = 0; j < snw_stack_segment(stack.stack, 0, 0).program->slot_count; j++) {
			double away = 0;
			for (uint32_t i = 0; i < 12; i++) {
				away = fmax(away, fabs(input->matrices[12 * j + i] - view->palette[12 * slot + i]));
			}
			nearest = fmin(nearest, away);
		}
		free(posed);
		most = fmax(most, nearest);
	}
	fitting_stack_drop(&stack);
	return most;
}

static void locked_joint_moves_as_the_clip_has_it(void **state) {
	(void)state;
	static const char *const kinds[] = {"rigid", "affine"};
	snw_scene *scene = arm_with_target();
	const double blend = distances_to(&scene->targets[0], scene, NULL).rms;
	char lock[100];
	snprintf(lock, sizeof lock, "lock@%s", scene->skeleton.names[scene->slot_joints[1]]);
	for (int k = 0; k < 2; k++) {
		for (int refine = 0; refine <= 30; refine += 30) {
			snw_scene *fitted = fit_locked(scene, lock, kinds[k], refine),
					  *unlocked = fit_locked(scene, NULL, kinds[k], refine);
			const double away = distance_from_pose(fitted, 1), else_away = distance_from_pose(unlocked, 1);
			const double error = distances_to(&scene->targets[0], fitted, NULL).rms;
			const double unlocked_error = distances_to(&scene->targets[0], unlocked, NULL).rms;
			print_message(
				"%s, refine=%d: locked joint off by %.2g, unlocked %.2g; %.4g mm, unlocked %.4g mm, linear blend %.4g mm\n",
				kinds[k], refine, away, else_away, 1e3 * error, 1e3 * unlocked_error, 1e3 * blend);
			assert_true(away < 1e-12);
			assert_true(else_away > 1e-3);
			assert_true(error < (refine > 0 ? 0.95 : 1) * blend);
			assert_true(unlocked_error < error);
			snw_scene_destroy(unlocked);
			snw_scene_destroy(fitted);
		}
	}
	snw_scene_destroy(scene);
}

static void must_refuse(const snw_scene *scene, uint32_t count, const snw_setting *settings, const char *words) {
	snw_error error;
	assert_null(fitting_try(scene, registry, "sad", count, settings, &error));
	if (!strstr(error.text, words)) {
		fail_msg("%s", error.text);
	}
}

static void what_cannot_be_held_is_refused(void **state) {
	(void)state;
	snw_scene *scene = rigged(blend_rigid);
	paint_half(scene);
	char lock[100];
	snprintf(lock, sizeof lock, "lock@%s", scene->skeleton.names[scene->slot_joints[0]]);
	const snw_setting mask = {"mask", SNW_TEXT("part")}, locked = {lock, SNW_VALUE(1)}, proxies = {"joints", SNW_VALUE(0)};
	must_refuse(scene, 2, (const snw_setting[]){mask, {"blend", SNW_VALUE(1)}}, "a mask needs linear blend");
	must_refuse(scene, 2, (const snw_setting[]){mask, {"eigen", SNW_VALUE(3)}}, "eigen");
	must_refuse(scene, 1, (const snw_setting[]){locked}, "set joints=auto");
	must_refuse(scene, 2, (const snw_setting[]){locked, proxies}, "have no poses");
	snw_scene_destroy(scene);
}

static void threads_do_not_change_a_held_fit(void **state) {
	(void)state;
	snw_scene *scene = animate(POINTS, FRAMES, put_grid, quarters);
	paint_half(scene);
	check_threads(scene, "sad", "joints=4 refine=10 mask=part");
	snw_scene_destroy(scene);
}

TEST_GROUP(sad_held) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(points_outside_a_mask_keep_the_weights_of_the_rig),
		cmocka_unit_test(points_outside_a_mask_stay_at_rest_under_proxy_joints),
		cmocka_unit_test(mesh_of_which_nothing_is_painted_stands_still),
		cmocka_unit_test(locked_joint_moves_as_the_clip_has_it),
		cmocka_unit_test(what_cannot_be_held_is_refused),
		cmocka_unit_test(threads_do_not_change_a_held_fit),
	};
	return cmocka_run_group_tests(tests, open_registry, close_registry);
}
