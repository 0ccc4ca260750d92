/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * multi-weight: weights planted for each element of the matrices are found again, a strong ridge is the linear blend, and the
 * model moves and rotates with the character.
 */
#include "arms/shared_arm.h"
#include "learned.h"

#include "random.h"
#include "scene/scene.h"

static const char method[] = "multi-weight";

/* Where twelve random weights an influence take a point; those of translations sum to 1 in each row. The arm's root stays at
 * rest. */
static void pose_planted(const snw_mesh *mesh, uint32_t point, const snw_pose_view *pose, float dest[3]) {
	const double *rest = mesh->points_rest + 3 * (size_t)point;
	const uint32_t first = mesh->influence_offsets[point], end = mesh->influence_offsets[point + 1];
	uint64_t random = 77 + point;
	for (size_t r = 0; r < 3; r++) {
		double sum = 0, remaining = 1;
		for (uint32_t k = first; k < end; k++) {
			const double *row = pose->palette + 12 * (size_t)mesh->influence_slots[k] + 4 * r;
			const double w = k + 1 < end ? random_between(&random, 0.1, 0.6) : remaining;
			remaining -= w;
			for (size_t c = 0; c < 3; c++) {
				sum += row[c] * (w + random_between(&random, -0.2, 0.2)) * rest[c];
			}
			sum += row[3] * w;
		}
		dest[r] = (float)sum;
	}
}

static void plant_weights(snw_scene *scene) {
	const snw_mesh *mesh = &scene->meshes[0];
	snw_target *target = (snw_target *)(uintptr_t)&scene->targets[2];
	float *frames = SNW_NEW_ARRAY(scene->arena, float, (size_t)3 * mesh->point_count * target->frame_count);
	for (uint32_t f = 0; f < target->frame_count; f++) {
		const snw_pose *pose = snw_pose_sample(scene, target->clip, target->seconds[f], scene->arena);
		const snw_pose_view *view = snw_pose_view_make(scene, pose, scene->arena);
		for (uint32_t i = 0; i < mesh->point_count; i++) {
			pose_planted(mesh, i, view, frames + 3 * ((size_t)mesh->point_count * f + i));
		}
	}
	target->points_posed = frames;
	scene->targets = target;
	scene->target_count = 1;
	scene->example_count = scene->group_count = 0;
}

static void planted_weights_are_found_again(void **state) {
	(void)state;
	snw_scene *scene = snw_scene_copy(arm);
	plant_weights(scene);
	const double diagonal = snw_scene_diagonal(scene, 0);
	snw_scene *fitted = must_fit(scene, method, "ridge=1e-9");
	assert_true(distances_to(&scene->targets[0], fitted, "linear-blend").most > 0.05 * diagonal);
	assert_true(distances_to(&scene->targets[0], fitted, NULL).most < 1e-5 * diagonal);
	snw_scene_destroy(fitted);
	snw_scene_destroy(scene);
}

static void a_strong_ridge_is_the_linear_blend(void **state) {
	(void)state;
	snw_scene *fitted = must_fit(arm, method, "ridge=1e6");
	const distances kept = distances_to(&arm->targets[2], fitted, NULL),
					blended = distances_to(&arm->targets[2], fitted, "linear-blend");
	check_near(kept.most, blended.most, 1e-6);
	check_near(kept.rms, blended.rms, 1e-6);
	snw_scene_destroy(fitted);
}

/* The middle of the bend clip, with the root moved rigidly beside it. */
static snw_pose *bent_pose(snw_scene *scene, const snw_transform *rigid) {
	snw_pose *pose = (snw_pose *)(uintptr_t)snw_pose_sample(scene, scene->targets[0].clip, 0.4, scene->arena);
	if (rigid) {
		const uint32_t root = scene->skeleton.order[0];
		memcpy(pose->local[root].translation, rigid->translation, sizeof rigid->translation);
		snw_quat_multiply(rigid->rotation, pose->local[root].rotation, pose->local[root].rotation);
	}
	return pose;
}

static void model_moves_and_turns_with_the_character(void **state) {
	(void)state;
	snw_scene *fitted = must_fit(arm, method, "");
	const uint32_t count = fitted->meshes[0].point_count;
	double *still = malloc(sizeof *still * 3 * count), *posed_points = malloc(sizeof *posed_points * 3 * count);
	snw_transform rigid = {.translation = {3, -2, 5}};
	double matrix[12];
	snw_quat_from_rotation_vector((const double[3]){0.7, -1.1, 0.4}, rigid.rotation);
	snw_quat_to_mat34(rigid.rotation, matrix);
	fitting_stack stack = fitting_stack_of(fitted, registry, NULL);
	fitting_truth(&stack, snw_pose_view_make(fitted, bent_pose(fitted, NULL), fitted->arena), 0, still);
	fitting_truth(&stack, snw_pose_view_make(fitted, bent_pose(fitted, &rigid), fitted->arena), 0, posed_points);
	for (size_t c = 0; c < 3; c++) {
		matrix[4 * c + 3] = rigid.translation[c];
	}
	for (uint32_t i = 0; i < count; i++) {
		double expected[3];
		snw_mat34_point(matrix, still + 3 * (size_t)i, expected);
		assert_true(sqrt(snw_squared_distance3(expected, posed_points + 3 * (size_t)i)) < 1e-10);
	}
	free(still);
	free(posed_points);
	fitting_stack_drop(&stack);
	snw_scene_destroy(fitted);
}

static void threads_do_not_change_a_bit(void **state) {
	(void)state;
	check_threads(arm, method, "");
}

static void without_samples_the_line_names_what_adds_them(void **state) {
	(void)state;
	must_name_the_command_for_samples(arm, method);
}

static void over_a_black_box_it_is_refused_by_name(void **state) {
	(void)state;
	must_refuse_a_black_box(arm, method);
}

static void morphs_in_samples_are_reported(void **state) {
	(void)state;
	must_report_morphs(arm, method);
}

static void fits_stop_at_every_step(void **state) {
	(void)state;
	must_stop_at(arm, method, "", "summing samples");
	must_stop_at(arm, method, "", "fitting weights");
}

TEST_GROUP(multi_weight) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(planted_weights_are_found_again),
		cmocka_unit_test(a_strong_ridge_is_the_linear_blend),
		cmocka_unit_test(model_moves_and_turns_with_the_character),
		cmocka_unit_test(threads_do_not_change_a_bit),
		cmocka_unit_test(without_samples_the_line_names_what_adds_them),
		cmocka_unit_test(over_a_black_box_it_is_refused_by_name),
		cmocka_unit_test(morphs_in_samples_are_reported),
		cmocka_unit_test(fits_stop_at_every_step),
	};
	return cmocka_run_group_tests(tests, open_arm, close_arm);
}
