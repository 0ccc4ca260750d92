/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Morph targets whose weights leave 0 to 1, for an engine that clamps them: a side of a morph target is written if it shows.
 */
#include "check.h"

#include "export/plan/passes.h"

enum { TARGETS = 4, SAMPLES = 3 };

static void side_of_rounding_size_is_not_written(void **state) {
	(void)state;
	/* Both sides; above, and a little below; below, and a little above; both of rounding size. */
	static double weights[SAMPLES][TARGETS] = {{1.5, 1.5, -0.5, 1e-9}, {-0.5, -1e-9, 1e-9, -1e-9}, {0.25, 0.5, -0.25, 0}};
	snw_arena *arena = snw_arena_create();
	const snw_mesh mesh = {.name = "mesh", .point_count = 1};
	snw_plan_morph morphs[TARGETS];
	for (uint32_t t = 0; t < TARGETS; t++) {
		morphs[t] = (snw_plan_morph){.name = "target", .model_name = "target", .channel = SNW_NONE, .d = t, .e = SNW_NONE};
	}
	snw_plan_mesh meshes[] = {{.mesh = &mesh, .morph_count = TARGETS, .morphs = morphs}};
	snw_plan_samples samples = {.count = SAMPLES, .weights = weights[0]};
	const snw_export_request request = {.engine = snw_engine_find("unity")};
	const snw_scene scene = {.mesh_count = 1, .meshes = &mesh};
	snw_plan plan = {.request = &request,
					 .scene = &scene,
					 .arena = arena,
					 .mesh_count = 1,
					 .meshes = meshes,
					 .weight_count = TARGETS,
					 .rest_weights = weights[2],
					 .clip_count = 1,
					 .samples = &samples};
	snw_plan_choose_shapes(&plan);
	static const struct {
		uint32_t morph;
		double reach;
		bool is_side;
	} expected[] = {{0, 1.5, true}, {0, -0.5, true}, {1, 1.5, true}, {2, -0.5, true}, {3, 1, false}};
	assert_int_equal(plan.report.morph_count, 5);
	for (uint32_t s = 0; s < 5; s++) {
		const snw_plan_shape *shape = &meshes[0].shapes[s];
		assert_int_equal(shape->morph, expected[s].morph);
		check_near(shape->reach, expected[s].reach, 0);
		assert_int_equal(shape->is_side, expected[s].is_side);
	}
	snw_arena_destroy(arena);
}

TEST_GROUP(sides) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(side_of_rounding_size_is_not_written),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
