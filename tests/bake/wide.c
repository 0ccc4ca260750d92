/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A bake counts the joints of any blend that a plug-in fits, whatever palette that has.
 */
#include "check.h"

#include "bake/bake.h"
#include "sample/sample.h"
#include "tiny_arm.h"

static void joints_of_a_palette_larger_than_the_skeleton_are_counted(void **state) {
	(void)state;
	char path[3000];
	snw_scene *scene;
	snw_error error = {0};
	snw_baked baked;
	const char *old = getenv("SINEW_PLUGIN_PATH");
	snprintf(path, sizeof path, "%s:%s", old ? old : "", TEST_WIDE_BLEND);
	setenv("SINEW_PLUGIN_PATH", path, 1);
	snw_registry *registry = snw_registry_open();
	snw_arena *arena = snw_arena_create();
	check_ok(make_tiny_arm(&scene, &error), error);
	const uint32_t clip = snw_scene_find_clip(scene, "bend");
	snw_bake_request request = {.clip_count = 1, .clips = &clip};
	check_ok(snw_budget_parse("influences=1", &request.budget, &error), error);
	/* Its joints are none of the rig's, so they are beyond the budget. */
	assert_int_equal(snw_bake_run(scene, registry, &request, NULL, arena, &baked, &error), SNW_ERROR_LIMIT);
	assert_int_equal(baked.variant_count, 1);
	assert_string_equal(baked.variants[0].outcomes[0].model.deformer, "org.sinew.test.wide-blend");
	assert_int_equal(baked.variants[0].helper_count, baked.rig_joints);
	assert_int_equal(baked.variants[0].joint_count, baked.rig_joints);
	check_near(baked.variants[0].errors.stack.all.erms, baked.plain.stack.all.erms, 1e-3);
	snw_scene_destroy(scene);
	snw_registry_close(registry);
	snw_arena_destroy(arena);
}

TEST_GROUP(wide) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(joints_of_a_palette_larger_than_the_skeleton_are_counted),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
