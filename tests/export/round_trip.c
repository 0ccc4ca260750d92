/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Import, export, import: motion, appearance and names are preserved. Written files are kept for the validator in a folder
 * (SINEW_EXPORTS), if it is set.
 */
#include "fixture.h"
#include "import/import.h"

typedef struct trip {
	snw_registry *registry;
	snw_scene *before, *after;
	snw_stack *stack_before, *stack_after;
	snw_export_report report;
} trip;

static snw_scene *import(const char *path) {
	const snw_import_request request = {.file = path};
	snw_scene *scene = NULL;
	snw_error error = {0};
	check_ok(snw_import(&request, NULL, &scene, &error), error);
	return scene;
}

static trip go(const char *name, const char *written) {
	const char *original = check_data(name);
	trip t = {.registry = kept_registry(), .before = import(original)};
	snw_error error = {0};
	check_ok(snw_stack_build(t.before, t.registry, NULL, NULL, &t.stack_before, &error), error);
	const char *path = place(written);
	const snw_export_request request = {.path = path, .mesh = SNW_NONE, .clip = SNW_NONE, .influences = 4};
	check_ok(snw_export(t.before, t.stack_before, &request, NULL, &t.report, &error), error);
	t.after = import(path);
	check_ok(snw_stack_build(t.after, t.registry, NULL, NULL, &t.stack_after, &error), error);
	return t;
}

static void end_trip(trip *t) {
	snw_stack_destroy(t->stack_before);
	snw_stack_destroy(t->stack_after);
	snw_scene_destroy(t->before);
	snw_scene_destroy(t->after);
}

/* The mesh that was mesh m: by name, for meshes stand in the order of the nodes they hang on. A file without names has its
 * meshes called after their nodes when it comes back. */
static uint32_t find_after(const trip *t, uint32_t m) {
	const uint32_t found = snw_scene_find_mesh(t->after, t->before->meshes[m].name);
	if (found == SNW_NONE) {
		assert_int_equal(strncmp(t->before->meshes[m].name, "mesh-", 5), 0);
		return m;
	}
	return found;
}

/* ---- motion --------------------------------------------------------------------------------------------------------- */

static double *points_at(const snw_scene *scene, const snw_stack *stack, const snw_pose *pose, uint32_t mesh,
						 snw_arena *arena) {
	snw_error error = {0};
	snw_evaluation *evaluation = snw_evaluation_create(stack);
	double *points = SNW_NEW_ARRAY(arena, double, 3 * (size_t)scene->meshes[mesh].point_count);
	check_ok(snw_stack_drive(stack, snw_pose_view_make(scene, pose, arena), evaluation, &error), error);
	check_ok(snw_stack_reference(stack, evaluation, mesh, NULL, points, &error), error);
	snw_evaluation_destroy(evaluation);
	return points;
}

static const snw_pose *standing(const snw_scene *scene, snw_arena *arena) {
	const uint32_t found = snw_scene_find_pose(scene, "default");
	return found == SNW_NONE ? snw_pose_rest(scene, arena) : &scene->poses[found];
}

static double compare_trip(const trip *t, const snw_pose *before, const snw_pose *after, snw_arena *arena) {
	double worst = 0;
	for (uint32_t m = 0; m < t->before->mesh_count; m++) {
		const uint32_t count = t->before->meshes[m].point_count;
		const double *a = points_at(t->before, t->stack_before, before, m, arena);
		const double *b = points_at(t->after, t->stack_after, after, find_after(t, m), arena);
		const double diagonal = snw_scene_diagonal(t->before, m);
		for (uint32_t p = 0; p < count; p++) {
			double gap[3];
			for (size_t c = 0; c < 3; c++) {
				gap[c] = a[3 * (size_t)p + c] - b[3 * (size_t)p + c];
			}
			worst = fmax(worst, snw_length3(gap) / diagonal);
		}
	}
	return worst;
}

/* The largest distance as a part of the diagonal, at five times of up to `most` clips and at the file's own pose. */
static double compare_motion(const trip *t, uint32_t most) {
	snw_arena *arena = snw_arena_create();
	double worst = compare_trip(t, standing(t->before, arena), standing(t->after, arena), arena);
	const uint32_t clips = t->before->clip_count < most ? t->before->clip_count : most;
	for (uint32_t c = 0; c < clips; c++) {
		for (int i = 0; i < 5; i++) {
			const double seconds = t->before->clips[c].duration_seconds * (i + 0.37) / 5;
			worst = fmax(worst, compare_trip(t, snw_pose_sample(t->before, c, seconds, arena),
											 snw_pose_sample(t->after, c, seconds, arena), arena));
		}
	}
	snw_arena_destroy(arena);
	return worst;
}

/* ---- what it is made of ----------------------------------------------------------------------------------------------- */

static void same_text(const char *a, const char *b) {
	assert_string_equal(a ? a : "", b ? b : "");
}

static void compare_meshes(const trip *t) {
	assert_int_equal(t->before->mesh_count, t->after->mesh_count);
	for (uint32_t m = 0; m < t->before->mesh_count; m++) {
		const snw_mesh *a = &t->before->meshes[m], *b = &t->after->meshes[find_after(t, m)];
		assert_int_equal(a->point_count, b->point_count);
		assert_int_equal(a->face_count, b->face_count);
		assert_int_equal(!a->corner_uvs, !b->corner_uvs);
		assert_int_equal(!a->corner_colors, !b->corner_colors);
		assert_int_equal(a->morph_count, b->morph_count);
		for (uint32_t k = 0; k < a->morph_count; k++) {
			same_text(a->morphs[k].name, b->morphs[k].name);
		}
	}
}

static void compare_joints(const trip *t) {
	const snw_skeleton *a = &t->before->skeleton, *b = &t->after->skeleton;
	assert_int_equal(a->joint_count, b->joint_count);
	for (uint32_t j = 0; j < a->joint_count; j++) {
		const uint32_t other = snw_scene_find_joint(t->after, a->names[j]);
		assert_int_not_equal(other, SNW_NONE);
		assert_int_equal(a->parents[j] == SNW_NONE, b->parents[other] == SNW_NONE);
		if (a->parents[j] != SNW_NONE) {
			same_text(a->names[a->parents[j]], b->names[b->parents[other]]);
		}
	}
}

static uint32_t count_interpolation(const snw_clip *clip, int32_t interpolation) {
	uint32_t count = 0;
	for (uint32_t i = 0; i < clip->track_count; i++) {
		count += clip->tracks[i].interpolation == interpolation;
	}
	return count;
}

static void compare_clips(const trip *t) {
	assert_int_equal(t->before->clip_count, t->after->clip_count);
	for (uint32_t c = 0; c < t->before->clip_count; c++) {
		const snw_clip *a = &t->before->clips[c], *b = &t->after->clips[c];
		same_text(a->name, b->name);
		check_near(a->duration_seconds, b->duration_seconds, 1e-6 * (1 + a->duration_seconds));
		for (int32_t i = SNW_STEP; i <= SNW_CUBIC; i++) {
			assert_int_equal(count_interpolation(a, i), count_interpolation(b, i));
		}
	}
}

static void same_image(const trip *t, uint32_t a, uint32_t b) {
	assert_int_equal(a == SNW_NONE, b == SNW_NONE);
	if (a != SNW_NONE) {
		const snw_image *x = &t->before->images[a], *y = &t->after->images[b];
		same_text(x->media, y->media);
		assert_int_equal(x->byte_count, y->byte_count);
		assert_memory_equal(x->bytes, y->bytes, x->byte_count);
	}
}

static void compare_looks(const trip *t) {
	for (uint32_t m = 0; m < t->before->mesh_count; m++) {
		const snw_mesh *x = &t->before->meshes[m], *y = &t->after->meshes[find_after(t, m)];
		if (!x->face_materials || x->face_materials[0] == SNW_NONE) {
			assert_true(!y->face_materials || y->face_materials[0] == SNW_NONE);
			continue;
		}
		const snw_material *a = &t->before->materials[x->face_materials[0]];
		const snw_material *b = &t->after->materials[y->face_materials[0]];
		same_text(a->name, b->name);
		for (int i = 0; i < 4; i++) {
			check_near(a->base_color[i], b->base_color[i], 1e-9);
		}
		check_near(a->metallic, b->metallic, 1e-9);
		check_near(a->roughness, b->roughness, 1e-9);
		assert_int_equal(a->double_sided, b->double_sided);
		assert_int_equal(a->alpha, b->alpha);
		same_image(t, a->base_color_image, b->base_color_image);
		same_image(t, a->metallic_roughness_image, b->metallic_roughness_image);
		same_image(t, a->normal_image, b->normal_image);
		same_image(t, a->emissive_image, b->emissive_image);
	}
}

static void round_trip(const char *name, const char *written, uint32_t most_clips) {
	trip t = go(name, written);
	compare_meshes(&t);
	compare_joints(&t);
	compare_clips(&t);
	compare_looks(&t);
	const double worst = compare_motion(&t, most_clips);
	print_message("%s: %.2g of the diagonal; playback %.2g %%, %u influences dropped, %u skins\n", name, worst,
				  t.report.playback_max_percent, t.report.dropped_influences, t.report.skin_count);
	check_near(worst, 0, 1e-4);
	check_near(t.report.playback_max_percent, 0, 1e-2);
	end_trip(&t);
}

#define ROUND_TRIP(test, file, written, clips)                                                                                 \
	static void test##_survives_the_round_trip(void **state) {                                                                 \
		(void)state;                                                                                                           \
		round_trip(file, written, clips);                                                                                      \
	}

ROUND_TRIP(small_tentacle, "small/tentacle.glb", "tentacle.glb", 9)
ROUND_TRIP(small_leaf, "small/leaf.gltf", "leaf.gltf", 9)
ROUND_TRIP(small_pair, "small/pair.glb", "pair.glb", 9)
ROUND_TRIP(animated_morph_cube, "characters/AnimatedMorphCube.glb", "AnimatedMorphCube.glb", 9)
ROUND_TRIP(cesium_man, "characters/CesiumMan.glb", "CesiumMan.glb", 9)
ROUND_TRIP(fox, "characters/Fox.glb", "Fox.gltf", 9)
ROUND_TRIP(knight, "characters/Knight.glb", "Knight.glb", 6)
ROUND_TRIP(morph_stress_test, "characters/MorphStressTest.glb", "MorphStressTest.glb", 9)
ROUND_TRIP(recursive_skeletons, "characters/RecursiveSkeletons.glb", "RecursiveSkeletons.glb", 1)
ROUND_TRIP(rigged_figure, "characters/RiggedFigure.glb", "RiggedFigure.glb", 9)
ROUND_TRIP(rigged_simple, "characters/RiggedSimple.glb", "RiggedSimple.glb", 9)
ROUND_TRIP(simple_morph, "characters/SimpleMorph.gltf", "SimpleMorph.gltf", 9)
ROUND_TRIP(simple_skin, "characters/SimpleSkin.gltf", "SimpleSkin.gltf", 9)
ROUND_TRIP(robot, "characters/robot.glb", "robot.glb", 4)
ROUND_TRIP(human, "human-rig/human.glb", "human.glb", 2)

TEST_GROUP(round_trip) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(small_tentacle_survives_the_round_trip), cmocka_unit_test(small_leaf_survives_the_round_trip),
		cmocka_unit_test(small_pair_survives_the_round_trip),     cmocka_unit_test(animated_morph_cube_survives_the_round_trip),
		cmocka_unit_test(cesium_man_survives_the_round_trip),     cmocka_unit_test(fox_survives_the_round_trip),
		cmocka_unit_test(rigged_figure_survives_the_round_trip),  cmocka_unit_test(rigged_simple_survives_the_round_trip),
		cmocka_unit_test(simple_morph_survives_the_round_trip),   cmocka_unit_test(simple_skin_survives_the_round_trip),
	};
	/* The last two take most of the time: 76 clips, and 84 skins. */
	const struct CMUnitTest long_tests[] = {
		cmocka_unit_test(morph_stress_test_survives_the_round_trip),
		cmocka_unit_test(robot_survives_the_round_trip),
		cmocka_unit_test(human_survives_the_round_trip),
		cmocka_unit_test(knight_survives_the_round_trip),
		cmocka_unit_test(recursive_skeletons_survives_the_round_trip),
	};
	return argc > 1 && strcmp(argv[1], "long") == 0 ? cmocka_run_group_tests(long_tests, NULL, NULL)
													: cmocka_run_group_tests(tests, NULL, NULL);
}
