/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * FBX files that other readers play wrong (../shared/data/cases/fbx-*): each README has the boxes of the posed points, from an
 * independent evaluator of FBX.
 */
#include "check.h"

#include "gltf_play.h"

static void grow_box(const double *points, uint32_t count, double box[6]) {
	for (uint32_t i = 0; i < 3 * count; i++) {
		box[i % 3] = fmin(box[i % 3], points[i]);
		box[3 + i % 3] = fmax(box[3 + i % 3], points[i]);
	}
}

/* Compares the box of the scene in a pose with one line's. */
static void check_box(const snw_scene *scene, const snw_pose *pose, const char *line, snw_arena *arena) {
	const double tolerance = 5e-5 + 5e-4 * snw_scene_diagonal(scene, SNW_NONE); /* the README's digits, and 0.05 % */
	double box[6] = {INFINITY, INFINITY, INFINITY, -INFINITY, -INFINITY, -INFINITY}, right[6];
	const char *numbers = strchr(line, '[');
	assert_non_null(numbers);
	assert_int_equal(
		sscanf(numbers, "[%lf, %lf, %lf, %lf, %lf, %lf]", &right[0], &right[1], &right[2], &right[3], &right[4], &right[5]), 6);
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		double *points;
		play_points(&scene->meshes[m], snw_pose_view_make(scene, pose, arena), arena, &points);
		grow_box(points, scene->meshes[m].point_count, box);
	}
	for (int i = 0; i < 6; i++) {
		if (!(fabs(box[i] - right[i]) <= tolerance)) {
			fail_msg("%s: the box has %g, not %g", line, box[i], right[i]);
		}
	}
}

/* At most twice as many as the curves of the property that moves most in the file have together. */
static void check_keys(const snw_scene *scene, uint32_t curve_keys) {
	for (uint32_t c = 0; c < scene->clip_count; c++) {
		for (uint32_t t = 0; t < scene->clips[c].track_count; t++) {
			assert_in_range(scene->clips[c].tracks[t].key_count, 1, 2 * curve_keys);
		}
	}
}

/* Reads the lines "clip name seconds points [box]" and "rest points [box]" after "Right". */
static void check_case(const char *name, const char *file, uint32_t curve_keys) {
	char path[200], line[300], clip_name[100];
	double seconds;
	unsigned clip, points;
	bool is_right = false;
	int count = 0;
	snprintf(path, sizeof path, "cases/%s/README.txt", name);
	FILE *readme = fopen(check_data(path), "r");
	assert_non_null(readme);
	snprintf(path, sizeof path, "cases/%s/%s", name, file);
	snw_scene *scene = play_import(check_data(path), false);
	snw_arena *arena = snw_arena_create();
	while (fgets(line, sizeof line, readme) && strncmp(line, "Sinew:", 6) != 0) {
		line[strcspn(line, "\n")] = '\0';
		if (is_right && sscanf(line, "%u %99s %lf %u", &clip, clip_name, &seconds, &points) == 4) {
			assert_string_equal(scene->clips[clip].name, clip_name);
			check_box(scene, snw_pose_sample(scene, clip, seconds, arena), line, arena);
			count++;
		} else if (is_right && sscanf(line, "rest %*u %u", &points) == 1) {
			assert_int_equal(scene->meshes[0].point_count, points);
			check_box(scene, snw_pose_rest(scene, arena), line, arena);
			count++;
		}
		is_right |= strncmp(line, "Right", 5) == 0;
	}
	assert_int_equal(count, 6);
	check_keys(scene, curve_keys);
	fclose(readme);
	snw_arena_destroy(arena);
	snw_scene_destroy(scene);
}

static void cubic_keys_play_as_curves(void **state) {
	(void)state;
	check_case("fbx-cubic-keys", "c-cubic-keys.fbx", 8);
}

static void geometric_translation_moves_the_points_of_a_skin(void **state) {
	(void)state;
	check_case("fbx-geometric-translation-skin", "a-geometric-translation-skin.fbx", 4);
}

static void in_betweens_share_a_channel(void **state) {
	(void)state;
	check_case("fbx-in-between", "g-in-between.fbx", 2);
}

static void rotation_pivot_keeps_its_clip(void **state) {
	(void)state;
	check_case("fbx-rotation-pivot-clip-lost", "f-rotation-pivot.fbx", 6);
}

static void shape_without_normals_is_imported(void **state) {
	(void)state;
	check_case("fbx-shape-without-normals", "m-shape-without-normals.fbx", 2);
}

TEST_GROUP(fbx_cases) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cubic_keys_play_as_curves),         cmocka_unit_test(geometric_translation_moves_the_points_of_a_skin),
		cmocka_unit_test(in_betweens_share_a_channel),       cmocka_unit_test(rotation_pivot_keeps_its_clip),
		cmocka_unit_test(shape_without_normals_is_imported),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
