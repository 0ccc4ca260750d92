/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * UVs of a human, made from one clip and measured in all frames of another, are within the figures that docs/uv.md has.
 */
#include "check.h"

#include "import/import.h"
#include "one_registry.h"
#include "sinew/field.h"
#include "unwrap/unwrap.h"

/* The charts of a mesh as a field. */
static void keep_charts(snw_scene *scene, const double *charts) {
	snw_field *field = SNW_NEW(scene->arena, snw_field);
	*field = (snw_field){
		.name = "charts", .domain = SNW_DOMAIN_FACES, .components = 1, .count = scene->meshes[0].face_count, .values = charts};
	scene->fields = field;
	scene->field_count = 1;
}

static void uvs_of_a_human_are_within_their_goals_in_a_clip_that_they_were_not_made_from(void **state) {
	(void)state;
	const snw_import_request file = {.file = check_data("human-rig/human.glb")};
	snw_scene *scene;
	snw_error error = {0};
	check_ok(snw_import(&file, NULL, &scene, &error), error);
	snw_arena *arena = snw_arena_create();
	const uint32_t rom = snw_scene_find_clip(scene, "rom"), dance = snw_scene_find_clip(scene, "dance");
	snw_unwrap_request request = {
		.mesh = SNW_NONE, .charts = SNW_CHARTS_AUTO, .padding = SNW_UNWRAP_PADDING, .clip_count = 1, .clips = &rom};
	snw_unwrapped made, at_rest;
	double stretch, stretch_at_rest;
	check_ok(snw_unwrap(scene, registry, &request, NULL, arena, &made, &error), error);
	check_ok(snw_unwrap_measure(scene, registry, 0, made.meshes[0].corner_uvs, dance, NULL, &stretch, &error), error);
	keep_charts(scene, made.meshes[0].charts);
	request.charts = SNW_CHARTS_FIELD;
	request.field = "charts";
	request.at_rest = true;
	check_ok(snw_unwrap(scene, registry, &request, NULL, arena, &at_rest, &error), error);
	check_ok(snw_unwrap_measure(scene, registry, 0, at_rest.meshes[0].corner_uvs, dance, NULL, &stretch_at_rest, &error),
			 error);
	print_message("%u charts: %.4f, flattened at rest %.4f; %.3f of the square\n", made.chart_count, stretch, stretch_at_rest,
				  made.used);
	assert_true(made.chart_count <= 60 && stretch <= 1.03 && made.used >= 0.65);
	assert_true(stretch - 1 <= 0.75 * (stretch_at_rest - 1));
	snw_arena_destroy(arena);
	snw_scene_destroy(scene);
}

TEST_GROUP(unwrap_figures) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(uvs_of_a_human_are_within_their_goals_in_a_clip_that_they_were_not_made_from),
	};
	(void)argc;
	(void)argv;
	return cmocka_run_group_tests(tests, open_registry, close_registry);
}
