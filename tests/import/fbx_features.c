/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A small FBX file for each thing that readers get wrong (tests/data/fbx): all points at five moments of every clip are
 * where the definitions of FBX put them (make.py), within 0.01 % of the diagonal. And the same from binary files of the same
 * nodes.
 */
#include "check.h"

#include "fbx_binary.h"
#include "gltf_play.h"

static const char *const features[] = {
	"pivots",
	"orders",
	"ignored-rotations",
	"geometric",
	"skin-geometric",
	"segment-scale",
	"scale-after-rotation",
	"scaled-root",
	"inches-z-up",
	"left-handed",
	"curves",
	"steps-and-slopes",
	"late-takes",
	"skin-bind",
	"skin-many",
	"skin-two-meshes",
	"dual-quaternions",
	"layers",
	"shapes",
	"cycles",
	"blended-skin",
	"sheared",
	"surface",
};
enum { FEATURE_COUNT = sizeof features / sizeof *features };

static double extent_of(const double *points, uint32_t count) {
	double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
	for (uint32_t i = 0; i < 3 * count; i++) {
		low[i % 3] = fmin(low[i % 3], points[i]);
		high[i % 3] = fmax(high[i % 3], points[i]);
	}
	return hypot(hypot(high[0] - low[0], high[1] - low[1]), high[2] - low[2]);
}

/* One line of a truth: "clip seconds mesh x y z …". Returns the largest distance, relative to the mesh's diagonal. */
static double measure_line(const snw_scene *scene, char *line, snw_arena *arena) {
	char *rest = NULL;
	const char *clip = strtok_r(line, " ", &rest), *seconds = strtok_r(NULL, " ", &rest), *name = strtok_r(NULL, " ", &rest);
	const uint32_t m = snw_scene_find_mesh(scene, name), c = snw_scene_find_clip(scene, clip);
	const uint32_t initial = snw_scene_find_pose(scene, "default");
	assert_true(m != SNW_NONE && (c != SNW_NONE || strcmp(clip, "-") == 0));
	const snw_pose *pose = c != SNW_NONE         ? snw_pose_sample(scene, c, strtod(seconds, NULL), arena)
						   : initial != SNW_NONE ? &scene->poses[initial]
												 : snw_pose_rest(scene, arena);
	const snw_mesh *mesh = &scene->meshes[m];
	double *points, farthest = 0;
	play_points(mesh, snw_pose_view_make(scene, pose, arena), arena, &points);
	for (uint32_t p = 0; p < mesh->point_count; p++) {
		double right[3];
		for (int i = 0; i < 3; i++) {
			const char *number = strtok_r(NULL, " ", &rest);
			assert_non_null(number);
			right[i] = strtod(number, NULL);
		}
		farthest = fmax(farthest, sqrt(snw_squared_distance3(right, points + 3 * (size_t)p)));
	}
	assert_null(strtok_r(NULL, " ", &rest));
	return fmax(farthest - 1e-6, 0) / extent_of(points, mesh->point_count); /* the truth has six digits */
}

static void check_truth(const snw_scene *scene, const char *name) {
	char path[100], line[4000], text[4000];
	snprintf(path, sizeof path, "fbx/%s.txt", name);
	FILE *truth = fopen(check_data(path), "r");
	assert_non_null(truth);
	int lines = 0;
	while (fgets(line, sizeof line, truth)) {
		snw_arena *arena = snw_arena_create();
		line[strcspn(line, "\n")] = '\0';
		memcpy(text, line, sizeof text);
		const double distance = measure_line(scene, text, arena);
		if (!(distance <= 1e-4)) {
			fail_msg("%s: %.40s: %g of the diagonal", name, line, distance);
		}
		snw_arena_destroy(arena);
		lines++;
	}
	fclose(truth);
	assert_true(lines > 0);
}

static snw_scene *import_feature(const char *name) {
	char path[100];
	snprintf(path, sizeof path, "fbx/%s.fbx", name);
	return play_import(check_data(path), true);
}

static void text_files_play_as_fbx_says(void **state) {
	(void)state;
	for (int i = 0; i < FEATURE_COUNT; i++) {
		snw_scene *scene = import_feature(features[i]);
		check_truth(scene, features[i]);
		snw_scene_destroy(scene);
	}
}

static void binary_files_play_as_text_files(void **state) {
	(void)state;
	for (int i = 0; i < FEATURE_COUNT; i++) {
		char from[100];
		snprintf(from, sizeof from, "fbx/%s.fbx", features[i]);
		const char *path = check_scratch("binary.fbx");
		fbx_binary_write(check_data(from), path, i % 2 ? 7400 : 7500, i % 3 > 0);
		snw_scene *scene = play_import(path, true);
		check_truth(scene, features[i]);
		snw_scene_destroy(scene);
	}
}

static void skin_of_dual_quaternions_gets_their_layer(void **state) {
	(void)state;
	snw_scene *dual = import_feature("dual-quaternions"), *linear = import_feature("skin-bind");
	assert_string_equal(dual->layers[0].name, "dual-quaternion");
	assert_string_equal(linear->layers[0].name, "linear-blend");
	snw_scene_destroy(dual);
	snw_scene_destroy(linear);
}

static void joint_whose_scale_is_not_inherited_is_two(void **state) {
	(void)state;
	snw_scene *scene = import_feature("segment-scale");
	const uint32_t joint = snw_scene_find_joint(scene, "bone0"), scaled = snw_scene_find_joint(scene, "bone0-scale");
	assert_true(joint != SNW_NONE && scaled != SNW_NONE);
	assert_int_equal(scene->skeleton.parents[scaled], joint);
	snw_scene_destroy(scene);
}

static void curves_that_a_clip_can_hold_keep_their_keys(void **state) {
	(void)state;
	snw_scene *scene = import_feature("curves");
	for (uint32_t t = 0; t < scene->clips[0].track_count; t++) {
		const snw_track *track = &scene->clips[0].tracks[t];
		const char *name = scene->skeleton.names[track->target];
		const bool is_other = strcmp(name, "weighted") == 0 || strcmp(name, "mixed") == 0 || strcmp(name, "next") == 0;
		if (!is_other && track->key_count != 5) {
			fail_msg("%s: %u keys", name, track->key_count);
		}
	}
	snw_scene_destroy(scene);
}

/* ---- what is told -------------------------------------------------------------------------------------------------------- */

static char notices[2000];

static void keep_notice(void *context, snw_log_level level, const char *line) {
	(void)context;
	(void)level;
	snprintf(notices + strlen(notices), sizeof notices - strlen(notices), "%s\n", line);
}

static snw_scene *import_with_notices(const char *name) {
	char path[100];
	snw_error error = {0};
	snw_scene *scene = NULL;
	snprintf(path, sizeof path, "fbx/%s.fbx", name);
	const snw_import_request request = {.file = check_data(path)};
	const snw_task task = {.notice = keep_notice};
	notices[0] = '\0';
	check_ok(snw_import(&request, &task, &scene, &error), error);
	return scene;
}

/* At 120 degrees, dual quaternions hold the middle ring of the mesh at its distance from the joint's axis, where linear blend
 * brings it to half of that. The point with a share of 0.4 is the farthest off. */
static void skin_between_both_blends_gets_the_nearer_one_and_its_error(void **state) {
	(void)state;
	snw_scene *scene = import_with_notices("blended-skin");
	assert_string_equal(scene->layers[0].name, "linear-blend");
	const char *number = strstr(notices, "up to ");
	assert_non_null(number);
	const double reported = strtod(number + 6, NULL) / 100 * snw_scene_diagonal(scene, SNW_NONE);
	/* The ring's points are 1 cm from the axis in z: half of it is lost. */
	check_near(reported, 0.4 * 0.5 * 0.01, 0.1 * reported);
	snw_scene_destroy(scene);
}

static void child_of_a_sheared_parent_is_reported(void **state) {
	(void)state;
	snw_scene_destroy(import_with_notices("sheared"));
	assert_non_null(
		strstr(notices, "1 models leave out a parent's scale below one that is scaled unevenly: child below group"));
	snw_scene_destroy(import_with_notices("segment-scale"));
	assert_null(strstr(notices, "unevenly"));
}

/* ---- surfaces ------------------------------------------------------------------------------------------------------------ */

static bool are_alike(const float *a, const float *b) {
	return fabsf(a[0] - b[0]) + fabsf(a[1] - b[1]) + fabsf(a[2] - b[2]) < 1e-5F;
}

static void surface_arrives_with_edges_colors_materials_and_texture(void **state) {
	(void)state;
	snw_scene *scene = import_with_notices("surface");
	assert_string_equal(notices, "left out: 1 custom property, such as 'owner' of roof\n");
	const snw_mesh *mesh = &scene->meshes[0];
	assert_int_equal(mesh->attribute_count, 1);
	assert_true(mesh->attributes[0].is_uv);
	assert_int_equal(mesh->face_count, 3);
	/* Points 2 and 3 are on the smooth ridge, 0 and 1 on the hard edge to the floor, 4 and 5 on a smooth one. */
	assert_true(are_alike(mesh->corner_normals + 3 * 2, mesh->corner_normals + 3 * 5));
	assert_false(are_alike(mesh->corner_normals, mesh->corner_normals + 3 * 8));
	assert_true(are_alike(mesh->corner_normals + 3 * 6, mesh->corner_normals + 3 * 10));
	/* The texture of the last face lies on the second set, which is shown there. */
	check_near((double)mesh->corner_uvs[2 * 8], 0.5, 1e-6);
	check_near((double)mesh->corner_uvs[2 * 8 + 1], 0.75, 1e-6);
	check_near((double)mesh->attributes[0].values[2 * 8 + 1], 1, 1e-6);
	check_near((double)mesh->attributes[0].values[2 * 7], 0.5, 1e-6);
	check_near((double)mesh->corner_uvs[2 * 2], 1, 1e-6);
	check_near((double)mesh->corner_uvs[2 * 2 + 1], 0, 1e-6);
	check_near((double)mesh->corner_colors[4 * 7], 1, 1e-6); /* point 5 */
	check_near((double)mesh->corner_colors[4 * 7 + 3], 0.5, 1e-6);
	const snw_material *tiles = &scene->materials[mesh->face_materials[0]], *wood = &scene->materials[mesh->face_materials[2]];
	assert_string_equal(tiles->name, "tiles");
	assert_string_equal(wood->name, "wood");
	check_near(tiles->base_color[1], 0.25, 1e-9);
	check_near(tiles->roughness, 0.5, 1e-9);
	assert_int_equal(tiles->base_color_image, SNW_NONE);
	assert_string_equal(scene->images[wood->base_color_image].media, "image/png");
	assert_string_equal(scene->images[wood->base_color_image].name, "wall.png");
	snw_scene_destroy(scene);
}

TEST_GROUP(fbx_features) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_files_play_as_fbx_says),
		cmocka_unit_test(binary_files_play_as_text_files),
		cmocka_unit_test(skin_of_dual_quaternions_gets_their_layer),
		cmocka_unit_test(joint_whose_scale_is_not_inherited_is_two),
		cmocka_unit_test(curves_that_a_clip_can_hold_keep_their_keys),
		cmocka_unit_test(skin_between_both_blends_gets_the_nearer_one_and_its_error),
		cmocka_unit_test(child_of_a_sheared_parent_is_reported),
		cmocka_unit_test(surface_arrives_with_edges_colors_materials_and_texture),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
