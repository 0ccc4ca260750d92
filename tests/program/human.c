/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From files to posed points: the human rig, its poses from JSON and from its clips, through kinematics and the skin
 * program, compared with Blender's result.
 */
#include "fixture.h"
#include "import/import.h"
#include "pose/pose.h"

static snw_scene *read_human(void) {
	const snw_import_request request = {.file = check_data("human-rig/human.glb")};
	snw_scene *scene;
	snw_error error;
	check_ok(snw_import(&request, NULL, &scene, &error), error);
	assert_int_equal(scene->mesh_count, 1);
	assert_int_equal(scene->meshes[0].point_count, 13380);
	return scene;
}

static snw_program skin_of(const snw_scene *scene, int32_t blend) {
	const snw_mesh *mesh = &scene->meshes[0];
	return (snw_program){.point_count = mesh->point_count,
						 .blend = blend,
						 .slot_count = scene->slot_count,
						 .points_rest = mesh->points_rest,
						 .influence_offsets = mesh->influence_offsets,
						 .influence_slots = mesh->influence_slots,
						 .influence_weights = mesh->influence_weights};
}

static double largest_distance(uint32_t point_count, const double *a, const double *b) {
	double most = 0;
	for (uint32_t i = 0; i < point_count; i++) {
		double difference[3];
		for (size_t c = 0; c < 3; c++) {
			difference[c] = a[3 * (size_t)i + c] - b[3 * (size_t)i + c];
		}
		most = fmax(most, snw_length3(difference));
	}
	return most;
}

static void poses_of_the_sculpts_give_the_linear_blend_of_blender(void **state) {
	(void)state;
	static const char *const names[] = {"elbow120", "elbow120_twist70", "hip90", "knee110", "neck60", "shoulder_up"};
	check_data("human-sculpts");
	snw_scene *scene = read_human();
	const snw_program program = skin_of(scene, SNW_BLEND_LINEAR);
	double *points = SNW_NEW_ARRAY(scene->arena, double, 3 * (size_t)program.point_count), most = 0;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		char json[64], obj[64];
		snprintf(json, sizeof json, "human-sculpts/%s.json", names[i]);
		snprintf(obj, sizeof obj, "human-sculpts/%s-linear.obj", names[i]);
		snw_pose *pose;
		snw_mesh expected;
		snw_error error;
		check_ok(snw_pose_read_json(scene, check_data(json), scene->arena, &pose, &error), error);
		check_ok(snw_import_obj_mesh(check_data(obj), scene->arena, &expected, &error), error);
		assert_int_equal(expected.point_count, program.point_count);
		const snw_program_input input = {.matrices = snw_pose_view_make(scene, pose, scene->arena)->palette};
		snw_program_reference(&program, &input, NULL, points);
		most = fmax(most, largest_distance(program.point_count, points, expected.points_rest));
	}
	print_message("largest distance %.3g m, diagonal %.3g m\n", most, snw_scene_diagonal(scene, 0));
	assert_true(most < 1e-5);
	snw_scene_destroy(scene);
}

static void clips_give_the_linear_blend_of_blender(void **state) {
	(void)state;
	snw_scene *scene = read_human();
	const snw_program program = skin_of(scene, SNW_BLEND_LINEAR);
	snw_packed_program *packed = snw_program_pack(&program);
	const size_t numbers = 3 * (size_t)program.point_count;
	double *points = SNW_NEW_ARRAY(scene->arena, double, numbers), *expected = SNW_NEW_ARRAY(scene->arena, double, numbers);
	float *fast = SNW_NEW_ARRAY(scene->arena, float, numbers);
	double *widened = SNW_NEW_ARRAY(scene->arena, double, numbers);
	static const char *const clips[] = {"rom", "dance"}, *const caches[] = {"human-rig/linear-rom.pc2",
																			"human-rig/linear-dance.pc2"};
	for (int c = 0; c < 2; c++) {
		snw_point_frames frames;
		snw_error error;
		check_ok(snw_import_frames(check_data(caches[c]), program.point_count, 24, scene->arena, NULL, &frames, &error), error);
		const uint32_t clip = snw_scene_find_clip(scene, clips[c]);
		assert_int_not_equal(clip, SNW_NONE);
		double *seconds = SNW_NEW_ARRAY(scene->arena, double, frames.frame_count), most = 0, most_fast = 0;
		snw_pose **poses = SNW_NEW_ARRAY(scene->arena, snw_pose *, frames.frame_count);
		for (uint32_t f = 0; f < frames.frame_count; f++) {
			seconds[f] = f / 24.0;
		}
		snw_pose_sample_series(scene, clip, frames.frame_count, seconds, scene->arena, poses);
		for (uint32_t f = 0; f < frames.frame_count; f++) {
			const snw_program_input input = {.matrices = snw_pose_view_make(scene, poses[f], scene->arena)->palette};
			snw_program_reference(&program, &input, NULL, points);
			snw_program_run(packed, &input, NULL, fast);
			for (size_t i = 0; i < numbers; i++) {
				expected[i] = (double)frames.points[f * numbers + i];
				widened[i] = (double)fast[i];
			}
			most = fmax(most, largest_distance(program.point_count, points, expected));
			most_fast = fmax(most_fast, largest_distance(program.point_count, points, widened));
		}
		print_message("%s: largest distance %.3g m, of the fast evaluator from the truth %.3g m\n", clips[c], most, most_fast);
		assert_true(most < 1e-5);
		assert_true(most_fast < 1e-5 * snw_scene_diagonal(scene, 0));
	}
	snw_packed_program_destroy(packed);
	snw_scene_destroy(scene);
}

TEST_GROUP(human) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(poses_of_the_sculpts_give_the_linear_blend_of_blender),
		cmocka_unit_test(clips_give_the_linear_blend_of_blender),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
