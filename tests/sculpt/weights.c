/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Painting weights: painted values are stored, sums stay 1, proportions and untouched points are kept, and it can be undone.
 */
#include "meshes.h"

#include "sample/sample.h"
#include "weights/weights.h"

static double sum_at(const snw_mesh *mesh, uint32_t point) {
	double sum = 0;
	for (uint32_t k = mesh->influence_offsets[point]; k < mesh->influence_offsets[point + 1]; k++) {
		sum += mesh->influence_weights[k];
	}
	return sum;
}

static void weights_painted_are_stored_and_sum_to_one(void **state) {
	(void)state;
	snw_scene *scene = snw_limb_make(2000);
	const snw_mesh *mesh = &scene->meshes[0];
	snw_arena *arena = snw_arena_create();
	double *painted = SNW_NEW_ARRAY(arena, double, mesh->point_count), *after = SNW_NEW_ARRAY(arena, double, mesh->point_count);
	snw_error error = {0};
	snw_painted_skin *room = NULL;
	uint64_t seed = 17;
	snw_sculpt_weights(scene, 0, 1, painted);
	for (uint32_t i = 0; i < mesh->point_count; i += 2) {
		painted[i] = 1.4 * random_between(&seed, 0, 1) - 0.2; /* outside the range of weights */
	}
	check_ok(snw_painted_skin_make(scene, 0, 1, NULL, arena, &room, &error), error);
	(void)snw_painted_skin_apply(room, after); /* an earlier stroke of the same painting leaves nothing behind */
	snw_mesh skin = *snw_painted_skin_apply(room, painted);
	snw_scene changed = *scene;
	changed.meshes = &skin;
	snw_sculpt_weights(&changed, 0, 1, after);
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		check_near(after[i], fmin(1, fmax(0, painted[i])), 1e-12);
		check_near(sum_at(&skin, i), 1, 1e-12);
		if (i % 2) {
			const uint32_t first = mesh->influence_offsets[i], count = mesh->influence_offsets[i + 1] - first;
			assert_int_equal(skin.influence_offsets[i + 1] - skin.influence_offsets[i], count);
			assert_memory_equal(skin.influence_weights + skin.influence_offsets[i], mesh->influence_weights + first,
								count * sizeof(double));
		}
	}
	check_ok(snw_scene_check(&changed, &error), error);
	snw_arena_destroy(arena);
	snw_scene_destroy(scene);
}

static void single_root_keeps_the_rest_of_the_weight(void **state) {
	(void)state;
	snw_scene *scene = snw_limb_make(2000);
	snw_arena *arena = snw_arena_create();
	double *nothing = SNW_NEW_ARRAY(arena, double, scene->meshes[0].point_count),
		   *after = SNW_NEW_ARRAY(arena, double, scene->meshes[0].point_count);
	snw_error error = {0};
	snw_painted_skin *room = NULL;
	check_ok(snw_painted_skin_make(scene, 0, 0, NULL, arena, &room, &error), error);
	snw_mesh skin = *snw_painted_skin_apply(room, nothing);
	snw_scene changed = *scene;
	changed.meshes = &skin;
	snw_sculpt_weights(&changed, 0, 0, after);
	uint32_t unchanged = 0, given = 0;
	for (uint32_t i = 0; i < skin.point_count; i++) {
		const double old = scene->meshes[0].influence_weights[scene->meshes[0].influence_offsets[i]];
		const bool alone = scene->meshes[0].influence_offsets[i + 1] - scene->meshes[0].influence_offsets[i] == 1 &&
						   scene->meshes[0].influence_slots[scene->meshes[0].influence_offsets[i]] == 0 && old == 1;
		assert_true(after[i] == (alone ? 1 : 0));
		check_near(sum_at(&skin, i), 1, 1e-12);
		unchanged += alone;
		given += !alone;
	}
	assert_true(unchanged > 100 && given > 100);
	snw_arena_destroy(arena);
	snw_scene_destroy(scene);
}

/* The weights of every joint at each point, [joint_count][point_count]. */
static double *weights_of_all(const snw_scene *scene, const snw_mesh *mesh, snw_arena *arena) {
	snw_scene shown = *scene;
	snw_mesh copy = *mesh;
	shown.meshes = &copy;
	double *weights = SNW_NEW_ARRAY(arena, double, scene->skeleton.joint_count *(size_t)mesh->point_count);
	for (uint32_t j = 0; j < scene->skeleton.joint_count; j++) {
		snw_sculpt_weights(&shown, 0, j, weights + j * (size_t)mesh->point_count);
	}
	return weights;
}

static void locked_joints_keep_their_weights_and_bound_the_painted_ones(void **state) {
	(void)state;
	snw_scene *scene = snw_limb_make(2000);
	const snw_mesh *mesh = &scene->meshes[0];
	const size_t count = mesh->point_count;
	snw_arena *arena = snw_arena_create();
	bool *locked = SNW_NEW_ARRAY(arena, bool, scene->skeleton.joint_count);
	double *ones = SNW_NEW_ARRAY(arena, double, count), *before = weights_of_all(scene, mesh, arena);
	for (size_t i = 0; i < count; i++) {
		ones[i] = 1;
	}
	snw_painted_skin *room = NULL;
	snw_error error = {0};
	locked[0] = true;
	check_ok(snw_painted_skin_make(scene, 0, 1, locked, arena, &room, &error), error);
	const snw_mesh *skin = snw_painted_skin_apply(room, ones);
	const double *after = weights_of_all(scene, skin, arena);
	uint32_t bounded = 0;
	for (uint32_t i = 0; i < count; i++) {
		assert_true(after[i] == before[i]); /* the locked joint's */
		check_near(sum_at(skin, i), 1, 1e-12);
		check_near(after[count + i], 1 - before[i], 1e-12);
		bounded += before[i] > 0.01;
	}
	for (uint32_t k = 0; k < skin->influence_offsets[count]; k++) {
		assert_true(skin->influence_weights[k] > 1e-12); /* no rounding is left as an influence of another joint */
	}
	assert_true(bounded > 100);
	locked[1] = true;
	assert_int_equal(snw_painted_skin_make(scene, 0, 1, locked, arena, &room, &error), SNW_ERROR_CONFLICT);
	snw_arena_destroy(arena);
	snw_scene_destroy(scene);
}

static void weights_kept_are_undone(void **state) {
	(void)state;
	snw_error error = {0};
	snw_scene *scene = snw_limb_make(2000), *after = NULL;
	const char *path = check_scratch("weights.sinew");
	snw_project *project = NULL;
	check_ok(snw_project_write(path, scene, "made", &error), error);
	check_ok(snw_project_open(path, false, &project, &error), error);
	snw_scene_destroy(scene);
	check_ok(snw_project_scene(project, &scene, &error), error);
	const uint32_t count = scene->meshes[0].point_count;
	double *values = calloc(3 * (size_t)count, sizeof *values), *before = values + count, *values_after = before + count;
	for (uint32_t i = 0; i < count; i++) {
		values[i] = 0.25;
	}
	snw_sculpt_weights(scene, 0, 1, before);
	const snw_painted_mesh painting = {.mesh = 0, .joint = 1, .values = values};
	check_ok(snw_sculpt_commit_weights(project, scene, "paint weights", NULL, 1, &painting, &error), error);
	check_ok(snw_project_scene(project, &after, &error), error);
	snw_sculpt_weights(after, 0, 1, values_after);
	for (uint32_t i = 0; i < count; i++) {
		check_near(values_after[i], 0.25, 1e-12);
	}
	snw_scene_destroy(after);
	check_ok(snw_project_undo(project, NULL, &error), error);
	check_ok(snw_project_scene(project, &after, &error), error);
	snw_sculpt_weights(after, 0, 1, values_after);
	assert_memory_equal(values_after, before, count * sizeof *values_after);
	snw_scene_destroy(after);
	snw_scene_destroy(scene);
	snw_project_close(project);
	free(values);
	remove(path);
}

static void mesh_without_skin_says_so(void **state) {
	(void)state;
	snw_scene *scene = snw_limb_make(2000);
	snw_arena *arena = snw_arena_create();
	snw_mesh bare = scene->meshes[0];
	snw_painted_skin *room = NULL;
	snw_error error = {0};
	bare.influence_offsets = NULL;
	snw_scene changed = *scene;
	changed.meshes = &bare;
	assert_int_equal(snw_painted_skin_make(&changed, 0, 1, NULL, arena, &room, &error), SNW_ERROR_MISSING);
	assert_non_null(strstr(error.text, "limb"));
	snw_arena_destroy(arena);
	snw_scene_destroy(scene);
}

TEST_GROUP(weights) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(weights_painted_are_stored_and_sum_to_one),
		cmocka_unit_test(single_root_keeps_the_rest_of_the_weight),
		cmocka_unit_test(locked_joints_keep_their_weights_and_bound_the_painted_ones),
		cmocka_unit_test(weights_kept_are_undone),
		cmocka_unit_test(mesh_without_skin_says_so),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
