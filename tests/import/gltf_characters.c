/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * glTF characters, three small ones of the tests and real ones: they are imported, are upright at rest, and play back as a
 * second implementation of the format says.
 */
#include "check.h"

#include "gltf_truth.h"

#include "gltf_play.h"
#include "import/import.h"
#include "stack/stack.h"

/* A list of files that ends with NULL. */
static const char *const small_characters[] = {"small/tentacle.glb", "small/leaf.gltf", "small/pair.glb", NULL};
static const char *const real_characters[] = {
	"characters/AnimatedMorphCube.glb",
	"characters/CesiumMan.glb",
	"characters/Fox.glb",
	"characters/Knight.glb",
	"characters/MorphStressTest.glb",
	"characters/RecursiveSkeletons.glb",
	"characters/RiggedFigure.glb",
	"characters/RiggedSimple.glb",
	"characters/SimpleMorph.gltf",
	"characters/SimpleSkin.gltf",
	"characters/robot.glb",
	"human-rig/human.glb",
	NULL,
};
enum { TIME_COUNT = 4 };

/* Of the size of the character. Ten times closer than what is asked for: what floats in the file leave. */
static const double TOLERANCE = 1e-5;

/* The same check as two tests: of the small characters, which are always there, and of the real ones. */
#define PAIR(check, name)                                                                                                      \
	static void small_characters_##name(void **state) {                                                                        \
		(void)state;                                                                                                           \
		check(small_characters);                                                                                               \
	}                                                                                                                          \
	static void real_characters_##name(void **state) {                                                                         \
		(void)state;                                                                                                           \
		check(real_characters);                                                                                                \
	}

/* ---- playing as glTF says ------------------------------------------------------------------------------------------------ */

static void check_joints(const truth *t, const snw_scene *scene, const snw_pose_view *pose, const char *file) {
	const double size = snw_scene_diagonal(scene, SNW_NONE);
	for (int s = 0; s < t->skins.count; s++) {
		const cJSON *joints = truth_get(t->skins.items[s], "joints");
		for (const cJSON *joint = joints->child; joint; joint = joint->next) {
			const int node = (int)joint->valuedouble;
			const char *name = cJSON_GetStringValue(truth_get(t->nodes.items[node], "name"));
			char numbered[32];
			snprintf(numbered, sizeof numbered, "node-%d", node);
			const uint32_t found = snw_scene_find_joint(scene, name ? name : numbered);
			assert_int_not_equal(found, SNW_NONE);
			for (int i = 0; i < 12; i++) {
				const double want = t->global[node][4 * (i % 4) + i / 4], have = pose->global[12 * found + (uint32_t)i];
				const double scale = i % 4 == 3 ? size : fmax(fabs(want), 1);
				if (!(fabs(want - have) <= TOLERANCE * scale)) {
					fail_msg("%s: joint %d (%s): matrix element %d is %g, should be %g", file, node, name ? name : numbered, i,
							 have, want);
				}
			}
		}
	}
}

static double check_meshes(const truth *t, const snw_scene *scene, const snw_pose_view *pose, const char *file) {
	const double size = snw_scene_diagonal(scene, SNW_NONE);
	double farthest = 0;
	uint32_t m = 0;
	snw_arena *arena = snw_arena_create();
	for (int n = 0; n < t->nodes.count; n++) {
		if (!truth_get(t->nodes.items[n], "mesh")) {
			continue;
		}
		const snw_mesh *mesh = &scene->meshes[m++];
		assert_int_equal(mesh->point_count, truth_point_count(t, n));
		double *want = SNW_NEW_ARRAY(arena, double, 3 * (size_t)mesh->point_count), *have;
		truth_points(t, n, want);
		play_points(mesh, pose, arena, &have);
		for (size_t i = 0; i < 3 * (size_t)mesh->point_count; i++) {
			farthest = fmax(farthest, fabs(want[i] - have[i]) / size);
		}
		if (!(farthest <= TOLERANCE)) {
			fail_msg("%s: mesh %s at %g s lies %g of the size away", file, mesh->name, pose->seconds, farthest);
		}
	}
	assert_int_equal(m, scene->mesh_count);
	snw_arena_destroy(arena);
	return farthest;
}

/* The same through the layers that the import gave the character: what a user sees. */
static void check_stack(const truth *t, const snw_stack *stack, snw_evaluation *evaluation, const snw_scene *scene,
						const snw_pose_view *pose, const char *file) {
	const double size = snw_scene_diagonal(scene, SNW_NONE);
	snw_arena *arena = snw_arena_create();
	snw_error error = {0};
	uint32_t m = 0;
	check_ok(snw_stack_drive(stack, pose, evaluation, &error), error);
	for (int n = 0; n < t->nodes.count; n++) {
		if (!truth_get(t->nodes.items[n], "mesh")) {
			continue;
		}
		const size_t numbers = 3 * (size_t)scene->meshes[m].point_count;
		double *want = SNW_NEW_ARRAY(arena, double, numbers);
		float *have = SNW_NEW_ARRAY(arena, float, numbers);
		truth_points(t, n, want);
		check_ok(snw_stack_run(stack, evaluation, m, have, &error), error);
		for (size_t i = 0; i < numbers; i++) {
			if (!(fabs(want[i] - (double)have[i]) <= 2 * TOLERANCE * size)) {
				fail_msg("%s: the stack moves mesh %s at %g s elsewhere", file, scene->meshes[m].name, pose->seconds);
			}
		}
		m++;
	}
	snw_arena_destroy(arena);
}

static void check_character(const char *file) {
	const char *path = check_data(file);
	truth *t = truth_open(path);
	snw_scene *scene = play_import(path, true);
	snw_registry *registry = snw_registry_open();
	snw_stack *stack = NULL;
	snw_error error = {0};
	check_ok(snw_stack_build(scene, registry, NULL, NULL, &stack, &error), error);
	snw_evaluation *evaluation = snw_evaluation_create(stack);
	double farthest = 0;
	assert_int_equal(scene->clip_count, t->animations.count);
	for (int a = 0; a < t->animations.count; a++) {
		for (int k = 0; k < TIME_COUNT; k++) {
			snw_arena *arena = snw_arena_create();
			const double seconds = scene->clips[a].duration_seconds * (k + 0.3) / (TIME_COUNT - 0.5);
			const snw_pose *pose = snw_pose_sample(scene, (uint32_t)a, seconds, arena);
			const snw_pose_view *view = snw_pose_view_make(scene, pose, arena);
			truth_pose(t, a, seconds);
			check_joints(t, scene, view, file);
			farthest = fmax(farthest, check_meshes(t, scene, view, file));
			check_stack(t, stack, evaluation, scene, view, file);
			snw_arena_destroy(arena);
		}
	}
	print_message("%s: %d clips at %d times each, farthest %.2g of the size\n", file, t->animations.count, TIME_COUNT,
				  farthest);
	snw_evaluation_destroy(evaluation);
	snw_stack_destroy(stack);
	snw_registry_close(registry);
	snw_scene_destroy(scene);
	truth_close(t);
}

static void check_playing(const char *const *files) {
	for (; *files; files++) {
		check_character(*files);
	}
}

PAIR(check_playing, played_at_four_times_agree_with_a_second_reading)

static void check_default_poses(const char *const *files) {
	for (; *files; files++) {
		const char *path = check_data(*files);
		truth *t = truth_open(path);
		snw_scene *scene = play_import(path, true);
		snw_arena *arena = snw_arena_create();
		const uint32_t found = snw_scene_find_pose(scene, "default");
		const snw_pose_view *view = snw_pose_view_make(scene, &scene->poses[found == SNW_NONE ? 0 : found], arena);
		truth_pose(t, -1, 0);
		check_meshes(t, scene, view, *files);
		snw_arena_destroy(arena);
		snw_scene_destroy(scene);
		truth_close(t);
	}
}

PAIR(check_default_poses, stand_by_default_as_the_file_says)

/* ---- the rest ------------------------------------------------------------------------------------------------------------ */

static void check_rest_palettes(const char *const *files) {
	for (; *files; files++) {
		snw_scene *scene = play_import(check_data(*files), false);
		snw_arena *arena = snw_arena_create();
		assert_string_equal(scene->poses[0].name, "rest");
		const snw_pose_view *rest = snw_pose_view_make(scene, &scene->poses[0], arena);
		for (uint32_t s = 0; s < scene->slot_count; s++) {
			for (int c = 0; c < 12; c++) {
				check_near(rest->palette[12 * s + (uint32_t)c], c % 5 == 0,
						   1e-9 * fmax(1, snw_scene_diagonal(scene, SNW_NONE)));
			}
		}
		snw_arena_destroy(arena);
		snw_scene_destroy(scene);
	}
}

PAIR(check_rest_palettes, have_a_rest_palette_of_identities)

static void measure(const snw_scene *scene, double low[3], double high[3]) {
	for (int c = 0; c < 3; c++) {
		low[c] = HUGE_VAL;
		high[c] = -HUGE_VAL;
	}
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		for (uint32_t i = 0; i < 3 * scene->meshes[m].point_count; i++) {
			low[i % 3] = fmin(low[i % 3], scene->meshes[m].points_rest[i]);
			high[i % 3] = fmax(high[i % 3], scene->meshes[m].points_rest[i]);
		}
	}
}

/* The feet are on the ground, and what is up in the file is up here. */
static void check_upright(const char *file, double height, double foot) {
	snw_scene *scene = play_import(check_data(file), false);
	double low[3], high[3];
	measure(scene, low, high);
	print_message("%s: from %.4g to %.4g\n", file, low[1], high[1]);
	check_near(low[1], foot, 0.005 * height);
	check_near(high[1] - low[1], height, 0.01 * height);
	snw_scene_destroy(scene);
}

static void rests_of_small_characters_stand_upright(void **state) {
	(void)state;
	check_upright("small/tentacle.glb", 1, 0);
	check_upright("small/leaf.gltf", 1, 0);
	check_upright("small/pair.glb", 1.2, 0.1);
}

static void rests_of_real_characters_stand_upright(void **state) {
	(void)state;
	check_upright("characters/CesiumMan.glb", 1.507, 0);
	check_upright("characters/RiggedFigure.glb", 1.45, 0);
	check_upright("characters/RiggedSimple.glb", 9.15, -4.575);
	check_upright("characters/Fox.glb", 79.03, -0.122);
	check_upright("human-rig/human.glb", 1.666, 0.0015);
	check_upright("characters/Knight.glb", 2.467, 0);
	check_upright("characters/robot.glb", 4.559, -0.0203);
}

/* ---- what else came in --------------------------------------------------------------------------------------------------- */

static void small_pair_keeps_its_skins(void **state) {
	(void)state;
	snw_scene *scene = play_import(check_data("small/pair.glb"), false);
	assert_int_equal(scene->mesh_count, 2);
	assert_int_equal(scene->slot_count, 4);
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		const snw_mesh *mesh = &scene->meshes[m];
		for (uint32_t i = 0; i < mesh->influence_offsets[mesh->point_count]; i++) {
			assert_int_equal(mesh->influence_slots[i] / 2, m); /* two joints a skin, none shared */
		}
	}
	snw_scene_destroy(scene);
}

static void small_leaf_starts_at_its_weights(void **state) {
	(void)state;
	snw_scene *scene = play_import(check_data("small/leaf.gltf"), false);
	assert_int_equal(scene->channel_count, 2);
	check_near(scene->channels[0].initial, 0.5, 0);
	check_near(scene->poses[0].channels[1], 0.5, 0);
	snw_scene_destroy(scene);
}

static void small_tentacle_keeps_its_material_and_picture(void **state) {
	(void)state;
	snw_scene *scene = play_import(check_data("small/tentacle.glb"), false);
	assert_int_equal(scene->material_count, 1);
	assert_int_equal(scene->image_count, 1);
	assert_string_equal(scene->images[0].media, "image/png");
	assert_int_equal(scene->materials[0].base_color_image, 0);
	check_near(scene->materials[0].roughness, 0.6, 1e-6);
	assert_true(scene->materials[0].double_sided);
	snw_scene_destroy(scene);
}

static void recursive_skeletons_keep_their_skins(void **state) {
	(void)state;
	snw_scene *scene = play_import(check_data("characters/RecursiveSkeletons.glb"), false);
	assert_int_equal(scene->mesh_count, 84);
	assert_int_equal(scene->slot_count, 840);
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		const snw_mesh *mesh = &scene->meshes[m];
		for (uint32_t i = 0; i < mesh->influence_offsets[mesh->point_count]; i++) {
			assert_int_equal(mesh->influence_slots[i] / 10, m); /* ten joints a skin, none shared */
		}
	}
	snw_scene_destroy(scene);
}

static void morph_channels_start_at_the_files_weights(void **state) {
	(void)state;
	snw_scene *scene = play_import(check_data("characters/SimpleMorph.gltf"), false);
	assert_int_equal(scene->channel_count, 2);
	check_near(scene->channels[0].initial, 0.5, 0);
	check_near(scene->poses[0].channels[1], 0.5, 0);
	assert_int_equal(scene->meshes[0].morph_count, 2);
	snw_scene_destroy(scene);
}

static void materials_and_images_survive(void **state) {
	(void)state;
	snw_scene *scene = play_import(check_data("characters/CesiumMan.glb"), false);
	assert_int_equal(scene->material_count, 1);
	assert_int_equal(scene->image_count, 1);
	assert_string_equal(scene->images[0].media, "image/jpeg");
	assert_int_equal(scene->materials[0].base_color_image, 0);
	check_near(scene->materials[0].metallic, 0, 0);
	snw_scene_destroy(scene);
	scene = play_import(check_data("characters/robot.glb"), false);
	assert_int_equal(scene->material_count, 3);
	check_near(scene->materials[0].base_color[0], 0.7379105, 1e-6);
	assert_true(scene->materials[0].double_sided);
	snw_scene_destroy(scene);
}

static void skins_get_the_linear_blend_layer(void **state) {
	(void)state;
	snw_scene *scene = play_import(check_data("small/tentacle.glb"), false);
	assert_int_equal(scene->layer_count, 1);
	assert_string_equal(scene->layers[0].name, "linear-blend");
	assert_string_equal(scene->layers[0].deformer, "org.sinew.linear-blend");
	assert_string_equal(scene->layers[0].deformer_version, "1.0");
	assert_int_equal(scene->layers[0].model, SNW_NONE);
	snw_scene_destroy(scene);
}

/* Every vertex of the file has a point that stands where it does, at rest and in a pose, and no point is of another place. */
static void check_merged_points(const char *file) {
	snw_scene *whole = play_import(check_data(file), true), *merged = play_import(check_data(file), false);
	snw_arena *arena = snw_arena_create();
	const snw_mesh *a = &whole->meshes[0], *b = &merged->meshes[0];
	const double seconds = 0.37 * whole->clips[0].duration_seconds;
	double *pa, *pb;
	play_points(a, snw_pose_view_make(whole, snw_pose_sample(whole, 0, seconds, arena), arena), arena, &pa);
	play_points(b, snw_pose_view_make(merged, snw_pose_sample(merged, 0, seconds, arena), arena), arena, &pb);
	assert_true(b->point_count < a->point_count);
	assert_int_equal(a->face_count, b->face_count);
	uint32_t *point_of = SNW_NEW_ARRAY(arena, uint32_t, a->point_count), next = 0;
	for (uint32_t c = 0; c < 3 * a->face_count; c++) {
		const uint32_t p = a->face_points[c], q = b->face_points[c];
		assert_memory_equal(a->points_rest + 3 * p, b->points_rest + 3 * q, 3 * sizeof(double));
		assert_memory_equal(pa + 3 * p, pb + 3 * q, 3 * sizeof(double));
		point_of[p] = q;
	}
	for (uint32_t p = 0; p < a->point_count; p++) { /* every vertex of these files is drawn */
		assert_true(point_of[p] <= next);
		next += point_of[p] == next;
	}
	assert_int_equal(next, b->point_count);
	if (a->corner_uvs) {
		assert_memory_equal(a->corner_uvs, b->corner_uvs, 6 * a->face_count * sizeof(float));
	}
	print_message("%s: %u vertices, %u points\n", file, a->point_count, b->point_count);
	snw_arena_destroy(arena);
	snw_scene_destroy(whole);
	snw_scene_destroy(merged);
}

static void merged_points_of_the_small_tentacle_play_like_its_vertices(void **state) {
	(void)state;
	check_merged_points("small/tentacle.glb");
}

static void merged_points_of_real_characters_play_like_their_vertices(void **state) {
	(void)state;
	check_merged_points("characters/Fox.glb");
	check_merged_points("characters/CesiumMan.glb");
	check_merged_points("characters/MorphStressTest.glb");
}

/* ---- a real rig, against what Blender made of it ------------------------------------------------------------------------- */

static void check_cache(const snw_scene *scene, const char *clip, const char *cache) {
	const double size = snw_scene_diagonal(scene, SNW_NONE);
	const snw_mesh *mesh = &scene->meshes[0];
	snw_arena *arena = snw_arena_create();
	snw_point_frames frames;
	snw_error error = {0};
	check_ok(snw_import_frames(check_data(cache), mesh->point_count, 24, arena, NULL, &frames, &error), error);
	const uint32_t index = snw_scene_find_clip(scene, clip);
	assert_int_not_equal(index, SNW_NONE);
	double farthest = 0;
	for (uint32_t f = 0; f < frames.frame_count; f += 5) {
		snw_arena *frame_arena = snw_arena_create();
		double *points;
		const snw_pose *pose = snw_pose_sample(scene, index, f / 24.0, frame_arena);
		play_points(mesh, snw_pose_view_make(scene, pose, frame_arena), frame_arena, &points);
		for (size_t i = 0; i < 3 * (size_t)mesh->point_count; i++) {
			farthest = fmax(farthest, fabs(points[i] - (double)frames.points[3 * (size_t)mesh->point_count * f + i]) / size);
		}
		snw_arena_destroy(frame_arena);
	}
	print_message("%s: every fifth of %u frames, farthest %.2g of the size\n", cache, frames.frame_count, farthest);
	assert_true(farthest <= TOLERANCE);
	snw_arena_destroy(arena);
}

static void human_plays_as_in_blender(void **state) {
	(void)state;
	snw_scene *scene = play_import(check_data("human-rig/human.glb"), false);
	assert_int_equal(scene->meshes[0].point_count, 13380); /* nothing is merged: there are no seams */
	check_cache(scene, "rom", "human-rig/linear-rom.pc2");
	check_cache(scene, "dance", "human-rig/linear-dance.pc2");
	snw_scene_destroy(scene);
}

TEST_GROUP(gltf_characters) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(small_characters_played_at_four_times_agree_with_a_second_reading),
		cmocka_unit_test(real_characters_played_at_four_times_agree_with_a_second_reading),
		cmocka_unit_test(small_characters_stand_by_default_as_the_file_says),
		cmocka_unit_test(small_characters_have_a_rest_palette_of_identities),
		cmocka_unit_test(rests_of_small_characters_stand_upright),
		cmocka_unit_test(small_pair_keeps_its_skins),
		cmocka_unit_test(small_leaf_starts_at_its_weights),
		cmocka_unit_test(small_tentacle_keeps_its_material_and_picture),
		cmocka_unit_test(recursive_skeletons_keep_their_skins),
		cmocka_unit_test(morph_channels_start_at_the_files_weights),
		cmocka_unit_test(materials_and_images_survive),
		cmocka_unit_test(skins_get_the_linear_blend_layer),
		cmocka_unit_test(merged_points_of_the_small_tentacle_play_like_its_vertices),
	};
	/* What the small characters are asked too. */
	const struct CMUnitTest long_tests[] = {
		cmocka_unit_test(real_characters_stand_by_default_as_the_file_says),
		cmocka_unit_test(real_characters_have_a_rest_palette_of_identities),
		cmocka_unit_test(rests_of_real_characters_stand_upright),
		cmocka_unit_test(merged_points_of_real_characters_play_like_their_vertices),
		cmocka_unit_test(human_plays_as_in_blender),
	};
	return argc > 1 && strcmp(argv[1], "long") == 0 ? cmocka_run_group_tests(long_tests, NULL, NULL)
													: cmocka_run_group_tests(tests, NULL, NULL);
}
