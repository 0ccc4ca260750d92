/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Affine blends in glTF: one that is a linear blend over another rest is reproduced exactly; any other is approximated with
 * the reported error, which is smaller than that of the base skin; correctives above it are played back.
 */
#include "fixture.h"

#include "export/plan/passes.h"

static fixture affine_arm(const char *key, bool has_corrective) {
	fixture f = sample_arm();
	kept_registry_with("test-affine", TEST_AFFINE);
	f.scene->layer_count = 0;
	add_layer(f.scene, "affine", "org.sinew.test.affine", key, 1);
	if (has_corrective) {
		add_layer(f.scene, "corrective", "org.sinew.test.corrective", NULL, 0);
	}
	build_stack(&f);
	return f;
}

static void write_glb(fixture *f, const char *name) {
	snw_error error = {0};
	check_ok(export_to(f, place(name), 4, NULL, &error), error);
	assert_int_equal(f->report.refined_count, f->scene->meshes[0].point_count);
}

/* One mesh at a pose, as a stack makes it. */
static const double *truth_at(const fixture *f, const snw_pose *pose, snw_arena *arena) {
	snw_error error = {0};
	double *points = SNW_NEW_ARRAY(arena, double, 3 * (size_t)f->scene->meshes[0].point_count);
	snw_evaluation *evaluation = snw_evaluation_create(f->stack);
	check_ok(snw_stack_drive(f->stack, snw_pose_view_make(f->scene, pose, arena), evaluation, &error), error);
	check_ok(snw_stack_reference(f->stack, evaluation, 0, NULL, points, &error), error);
	snw_evaluation_destroy(evaluation);
	return points;
}

/* The error of the base skin over all clips, as the report counts it: erms. */
static double base_skin_erms(const fixture *f) {
	enum { MOMENTS = 9 };
	fixture base = sample_arm();
	build_stack(&base);
	snw_arena *arena = snw_arena_create();
	const size_t numbers = 3 * (size_t)f->scene->meshes[0].point_count;
	double squares = 0;
	for (uint32_t c = 0; c < f->scene->clip_count; c++) {
		for (int i = 0; i < MOMENTS; i++) {
			const double seconds = f->scene->clips[c].duration_seconds * i / (MOMENTS - 1);
			const snw_pose *pose = snw_pose_sample(f->scene, c, seconds, arena);
			const double *affine = truth_at(f, pose, arena), *linear = truth_at(&base, pose, arena);
			for (size_t n = 0; n < numbers; n++) {
				squares += (affine[n] - linear[n]) * (affine[n] - linear[n]);
			}
		}
	}
	const double mean = squares / ((double)numbers * f->scene->clip_count * MOMENTS);
	const double erms = 1000 * sqrt(mean) / (0.5 * snw_scene_diagonal(f->scene, 0));
	snw_arena_destroy(arena);
	end(&base);
	return erms;
}

static void a_linear_blend_in_affine_rows_is_exported_exactly(void **state) {
	(void)state;
	fixture f = affine_arm(NULL, false);
	write_glb(&f, "affine-exact.glb");
	assert_true(f.report.playback_max_percent < 1e-4);
	assert_true(compare(&f, 5) < 1e-6);
	assert_true(base_skin_erms(&f) > 1);
	end(&f);
}

static void general_affine_rows_have_the_reported_error_below_the_base_skins(void **state) {
	(void)state;
	fixture f = affine_arm("general", false);
	write_glb(&f, "affine-general.glb");
	const double reported = f.report.playback_max_percent / 100, played = compare(&f, 7);
	assert_true(reported > 1e-5);
	assert_true(played <= 1.05 * reported);
	assert_true(f.report.playback_erms < 0.25 * base_skin_erms(&f));
	end(&f);
}

static void correctives_play_over_a_refined_rest(void **state) {
	(void)state;
	fixture f = affine_arm(NULL, true);
	write_glb(&f, "affine-exact-corrective.glb");
	assert_true(f.report.morph_count >= 2);
	assert_true(compare(&f, 5) < 1e-4);
	end(&f);
	f = affine_arm("general", true);
	write_glb(&f, "affine-general-corrective.glb");
	const double reported = f.report.playback_max_percent / 100, played = compare(&f, 7);
	assert_true(played <= 1.05 * reported);
	assert_true(f.report.playback_erms < 0.25 * base_skin_erms(&f));
	end(&f);
}

/* Each goes through the inverse of what the file plays: the linear blend of the proxy joints, not the rows' fourth numbers. */
static void displacements_after_a_general_blend_fold_through_what_the_file_plays(void **state) {
	(void)state;
	fixture f = sample_arm();
	kept_registry_with("test-affine", TEST_AFFINE);
	f.scene->layer_count = 0;
	add_layer(f.scene, "affine", "org.sinew.test.affine", NULL, 0);
	snw_layer *affine = (snw_layer *)(uintptr_t)f.scene->layers;
	affine->settings = (const snw_setting[]){{"general", SNW_VALUE(1)}, {"palette", SNW_VALUE(1)}};
	affine->setting_count = 2;
	add_layer(f.scene, "corrective", "org.sinew.test.corrective", "posed", 1);
	build_stack(&f);
	write_glb(&f, "affine-folded.glb");
	assert_true(f.report.proxy_count > 0);
	assert_int_equal(f.report.folded_count, 1);
	assert_true(f.report.playback_erms < 4.17); /* through the rows' fourth numbers it is 4.20 */
	end(&f);
}

static void a_palette_that_is_not_the_joints_gets_joints_too(void **state) {
	(void)state;
	fixture f = affine_arm("palette", false);
	write_glb(&f, "affine-palette.glb");
	assert_true(f.report.proxy_count > 0);
	assert_true(f.report.playback_erms < 0.02 * base_skin_erms(&f));
	end(&f);
}

/* A pose named "default" is that of the nodes. */
static void without_a_clip_the_joints_of_a_palette_are_where_the_default_pose_has_them(void **state) {
	(void)state;
	fixture f = affine_arm("palette", false);
	write_glb(&f, "affine-at-rest.glb");
	const double at_rest = compare(&f, 3);
	((snw_pose *)(uintptr_t)&f.scene->poses[f.scene->pose_count - 1])->name = "default";
	write_glb(&f, "affine-default-pose.glb");
	assert_true(compare(&f, 3) < 2 * at_rest + 1e-4);
	assert_true(f.report.playback_max_percent < 0.1);
	end(&f);
}

static void a_matrix_without_values_becomes_nodes_of_size_one(void **state) {
	(void)state;
	const double none = (double)NAN, matrix[12] = {none, 0, 0, 1, 0, none, 0, 2, 0, 0, none, 3};
	snw_affine_nodes nodes;
	snw_affine_nodes_make(matrix, NULL, &nodes);
	for (int c = 0; c < 3; c++) {
		check_near(nodes.outer.scale[c], 1, 1e-12);
		check_near(nodes.outer.translation[c], 1 + c, 0);
	}
}

static void a_mirroring_matrix_has_a_negative_scale(void **state) {
	(void)state;
	snw_affine_nodes before;
	for (int i = 0; i <= 20; i++) {
		/* Bent, and pressed through itself: the last scale goes from 1 to -1. */
		const double z = 1 - 0.1 * i, a = 0.02 * i,
					 matrix[12] = {cos(a), -sin(a), 0.2 * z, 1, sin(a), cos(a), 0, 2, 0.1, 0, z, 3};
		snw_affine_nodes nodes;
		double made[12];
		snw_affine_nodes_make(matrix, i > 0 ? &before : NULL, &nodes);
		snw_affine_nodes_matrix(&nodes, made);
		const double *scale = nodes.outer.scale;
		assert_true(scale[0] * scale[1] * scale[2] * snw_mat34_determinant(matrix) >= 0);
		for (int c = 0; c < 12; c++) {
			check_near(made[c], matrix[c], 2e-4); /* a scale is never 0 */
		}
		assert_true(i == 0 || fabs(snw_quat_dot(nodes.outer.rotation, before.outer.rotation)) > 0.99);
		assert_true(i == 0 || fabs(snw_quat_dot(nodes.inner, before.inner)) > 0.95);
		before = nodes;
	}
}

/* A bulge that two joints move, of which one presses it flat and through itself. Where the other holds the larger share, the
 * blend of the two stays on its side. Returns the sum of squares; `mirrored`: the determinant of that joint's matrix. */
static double press_a_bulge(double share, double *mirrored) {
	enum { SIDE = 9, COUNT = SIDE * SIDE };
	uint32_t slots[2 * COUNT];
	float weights[2 * COUNT], normals_rest[3 * COUNT], normals[3 * COUNT];
	double rest[3 * COUNT], posed[3 * COUNT],
		matrices[24] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
	snw_arena *arena = snw_arena_create();
	for (uint32_t i = 0; i < COUNT; i++) {
		const uint32_t row = i / SIDE;
		const double x = (i % SIDE) / 4.0 - 1, y = row / 4.0 - 1, w = share + 0.05 * x * y + 0.04 * x - 0.03 * y;
		const double z = 1 - 0.5 * (x * x + y * y), pressed = 1 - 2 * (double)(float)w;
		memcpy(rest + 3 * (size_t)i, (double[]){x, y, z}, sizeof(double[3]));
		memcpy(posed + 3 * (size_t)i, (double[]){x, y, pressed * z}, sizeof(double[3]));
		memcpy(normals_rest + 3 * (size_t)i, (float[]){(float)x, (float)y, 1}, sizeof(float[3]));
		memcpy(normals + 3 * (size_t)i, (float[]){(float)(pressed * x), (float)(pressed * y), 1}, sizeof(float[3]));
		for (uint32_t k = 0; k < 2; k++) {
			slots[2 * i + k] = k;
			weights[2 * i + k] = k == 0 ? (float)w : 1 - (float)w;
		}
	}
	snw_palette_skin skin = {.point_count = COUNT, .joint_count = 2, .width = 2, .slots = slots, .weights = weights};
	snw_palette_skin_finish(&skin, rest, arena);
	snw_palette_fit fit = {.skin = &skin,
						   .affine = true,
						   .points_rest = rest,
						   .points = posed,
						   .normals_rest = normals_rest,
						   .normals = normals,
						   .matrices = matrices};
	snw_palette_fit_solve(&fit);
	*mirrored = snw_mat34_determinant(matrices);
	const double squares = snw_palette_fit_residual(&fit);
	snw_arena_destroy(arena);
	return squares;
}

static void a_mirrored_joint_stays_where_its_blends_show_the_right_side(void **state) {
	(void)state;
	double mirrored;
	const double blended = press_a_bulge(0.3, &mirrored);
	print_message("blended: squares %.3g, determinant %.3g\n", blended, mirrored);
	assert_true(blended < 1e-8 && mirrored < -0.9);
	const double alone = press_a_bulge(0.8, &mirrored);
	print_message("almost alone: squares %.3g, determinant %.3g\n", alone, mirrored);
	assert_true(alone > 1e-3 && mirrored > 0);
}

TEST_GROUP(affine) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_linear_blend_in_affine_rows_is_exported_exactly),
		cmocka_unit_test(general_affine_rows_have_the_reported_error_below_the_base_skins),
		cmocka_unit_test(correctives_play_over_a_refined_rest),
		cmocka_unit_test(displacements_after_a_general_blend_fold_through_what_the_file_plays),
		cmocka_unit_test(a_palette_that_is_not_the_joints_gets_joints_too),
		cmocka_unit_test(without_a_clip_the_joints_of_a_palette_are_where_the_default_pose_has_them),
		cmocka_unit_test(a_matrix_without_values_becomes_nodes_of_size_one),
		cmocka_unit_test(a_mirroring_matrix_has_a_negative_scale),
		cmocka_unit_test(a_mirrored_joint_stays_where_its_blends_show_the_right_side),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
