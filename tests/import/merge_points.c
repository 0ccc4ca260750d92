/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What importers share: points merged at seams, degenerate faces, names, influences.
 */
#include "check.h"

#include "import/common/reading.h"
#include "mesh/mesh.h"

/* Two triangles that meet in an edge, points 1 and 2 twice, told apart by UV. */
static snw_mesh seam(snw_arena *arena) {
	static const double points[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0, -0.0, 1, 0};
	static const uint32_t offsets[] = {0, 3, 6}, corners[] = {0, 1, 2, 3, 4, 5};
	float *uvs = SNW_NEW_ARRAY(arena, float, 12);
	for (int i = 6; i < 12; i++) {
		uvs[i] = 0.5f;
	}
	return (snw_mesh){.name = "seam",
					  .point_count = 6,
					  .points_rest = points,
					  .face_count = 2,
					  .face_offsets = offsets,
					  .face_points = corners,
					  .corner_uvs = uvs};
}

static void points_are_merged_in_order_of_first_appearance(void **state) {
	(void)state;
	snw_arena *arena = snw_arena_create();
	snw_mesh mesh = seam(arena);
	static const uint32_t corners[] = {0, 1, 2, 1, 3, 2};
	assert_int_equal(snw_mesh_merge_points(&mesh, false, arena), 2);
	assert_int_equal(mesh.point_count, 4);
	assert_memory_equal(mesh.face_points, corners, sizeof corners);
	check_near(mesh.points_rest[9], 1, 0);
	check_near(mesh.corner_uvs[6], 0.5, 0);
	snw_arena_destroy(arena);
}

static void points_of_different_skins_stay_apart(void **state) {
	(void)state;
	snw_arena *arena = snw_arena_create();
	snw_mesh mesh = seam(arena);
	snw_influence list[] = {{0, 0, 1}, {1, 0, 1}, {2, 0, 1}, {3, 0, 0.5}, {3, 1, 0.5}, {4, 0, 1}, {5, 0, 1}};
	snw_mesh_bind(&mesh, list, 7, 0, arena, NULL);
	assert_int_equal(snw_mesh_merge_points(&mesh, false, arena), 1); /* 2 and 5 only */
	static const uint32_t offsets[] = {0, 1, 2, 3, 5, 6};
	assert_memory_equal(mesh.influence_offsets, offsets, sizeof offsets);
	snw_arena_destroy(arena);
}

static void points_of_different_morphs_stay_apart(void **state) {
	(void)state;
	snw_arena *arena = snw_arena_create();
	snw_mesh mesh = seam(arena);
	static const uint32_t points[] = {1, 2, 5};
	static const double vectors[] = {0, 0, 1, 0, 0, 2, 0, 0, 2};
	const snw_morph morph = {.name = "m", .count = 3, .points = points, .vectors = vectors};
	mesh.morph_count = 1;
	mesh.morphs = &morph;
	assert_int_equal(snw_mesh_merge_points(&mesh, false, arena), 1);
	assert_int_equal(mesh.morphs[0].count, 2);
	assert_int_equal(mesh.morphs[0].points[1], 2);
	check_near(mesh.morphs[0].vectors[5], 2, 0);
	snw_arena_destroy(arena);
}

static void equal_corners_are_merged_only_on_demand(void **state) {
	(void)state;
	snw_arena *arena = snw_arena_create();
	snw_mesh mesh = seam(arena);
	mesh.corner_uvs = NULL;
	assert_int_equal(snw_mesh_merge_points(&mesh, false, arena), 0);
	assert_int_equal(snw_mesh_merge_points(&mesh, true, arena), 2);
	snw_arena_destroy(arena);
}

static void thin_faces_are_dropped_and_repeated_corners_removed(void **state) {
	(void)state;
	snw_arena *arena = snw_arena_create();
	static const double points[12] = {0};
	static const uint32_t offsets[] = {0, 3, 7, 10}, corners[] = {0, 1, 0, 0, 1, 1, 2, 1, 2, 3}, materials[] = {5, 6, 7};
	snw_mesh mesh = {.name = "m",
					 .point_count = 4,
					 .points_rest = points,
					 .face_count = 3,
					 .face_offsets = offsets,
					 .face_points = corners,
					 .face_materials = materials};
	static const uint32_t want[] = {0, 1, 2, 1, 2, 3};
	assert_int_equal(snw_mesh_drop_degenerate_faces(&mesh, arena), 1);
	assert_int_equal(mesh.face_count, 2);
	assert_memory_equal(mesh.face_points, want, sizeof want);
	assert_int_equal(mesh.face_materials[0], 6);
	assert_int_equal(mesh.face_offsets[2], 6);
	snw_arena_destroy(arena);
}

static void weights_that_are_none_count_as_zero(void **state) {
	(void)state;
	snw_arena *arena = snw_arena_create();
	snw_mesh mesh = {.name = "m", .point_count = 2};
	snw_influence list[] = {{1, 3, HUGE_VAL}, {0, 2, 0.5}, {0, 2, 0.25}, {0, 1, -4}, {0, 4, 0.25}, {1, 2, 0}};
	snw_mesh_bind(&mesh, list, 6, 7, arena, NULL);
	assert_int_equal(mesh.influence_offsets[1], 2);
	assert_int_equal(mesh.influence_slots[0], 2);
	check_near(mesh.influence_weights[0], 0.75, 0);
	assert_int_equal(mesh.influence_offsets[2], 3);
	assert_int_equal(mesh.influence_slots[2], 7);
	check_near(mesh.influence_weights[2], 1, 0);
	snw_arena_destroy(arena);
}

static void names_become_unique_and_readable(void **state) {
	(void)state;
	snw_arena *arena = snw_arena_create();
	const char *names[] = {"a", "a", NULL, "a-2", "joint-2", "a"};
	static const char *const want[] = {"a", "a-3", "joint-2-2", "a-2", "joint-2", "a-4"};
	snw_names_make_unique(arena, names, 6, "joint", NULL);
	for (int i = 0; i < 6; i++) {
		assert_string_equal(names[i], want[i]);
	}
	assert_null(snw_name_clean(arena, " \t", NULL));
	assert_null(snw_name_clean(arena, NULL, NULL));
	assert_string_equal(snw_name_clean(arena, "a\nb\xff\xc3\xa9\xc3", NULL), "a_b_\xc3\xa9_");
	snw_arena_destroy(arena);
}

TEST_GROUP(merge_points) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(points_are_merged_in_order_of_first_appearance),
		cmocka_unit_test(points_of_different_skins_stay_apart),
		cmocka_unit_test(points_of_different_morphs_stay_apart),
		cmocka_unit_test(equal_corners_are_merged_only_on_demand),
		cmocka_unit_test(thin_faces_are_dropped_and_repeated_corners_removed),
		cmocka_unit_test(weights_that_are_none_count_as_zero),
		cmocka_unit_test(names_become_unique_and_readable),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
