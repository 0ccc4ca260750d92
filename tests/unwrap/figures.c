/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * UVs of a human, made from one clip and measured in all frames of another, are within the figures that docs/uv.md has; a
 * chart of a million triangles is flattened.
 */
#include "check.h"

#include "import/import.h"
#include "one_registry.h"
#include "operate.h"
#include "project/project.h"
#include "sheets.h"
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

/* ---- a million triangles ------------------------------------------------------------------------------------------------- */

enum { RIBBON_COLUMNS = 51, RIBBON_ROWS = 10001, RIBBON_FACES = 2 * (RIBBON_COLUMNS - 1) * (RIBBON_ROWS - 1) };

/* A ribbon with waves across and along, in triangles. */
static snw_scene *make_ribbon(void) {
	const size_t count = (size_t)RIBBON_COLUMNS * RIBBON_ROWS;
	double *points = malloc(3 * count * sizeof *points);
	uint32_t *corners = malloc(3 * (size_t)RIBBON_FACES * sizeof *corners), *at = corners;
	for (size_t i = 0; i < count; i++) {
		const size_t row = i / RIBBON_COLUMNS;
		const double x = (double)(i % RIBBON_COLUMNS), y = (double)row;
		points[3 * i] = 0.01 * x;
		points[3 * i + 1] = 0.01 * y;
		points[3 * i + 2] = 0.1 * sin(0.2 * x) * sin(0.05 * y);
	}
	for (uint32_t y = 0; y + 1 < RIBBON_ROWS; y++) {
		for (uint32_t x = 0; x + 1 < RIBBON_COLUMNS; x++, at += 6) {
			const uint32_t a = y * RIBBON_COLUMNS + x, b = a + RIBBON_COLUMNS, quad[6] = {a, a + 1, b + 1, a, b + 1, b};
			memcpy(at, quad, sizeof quad);
		}
	}
	snw_scene *scene = scene_of((uint32_t)count, points, RIBBON_FACES, corners);
	free(points);
	free(corners);
	return scene;
}

static void a_chart_of_a_million_triangles_takes_fewer_steps_and_says_so(void **state) {
	(void)state;
	const char *path = check_scratch("ribbon.sinew");
	snw_arena *arena = snw_arena_create();
	snw_scene *scene = make_ribbon();
	snw_project *project;
	snw_operator_report report;
	snw_error error = {0};
	check_ok(snw_project_write(path, scene, "ribbon", &error), error);
	snw_scene_destroy(scene);
	check_ok(snw_project_open(path, false, &project, &error), error);
	check_ok(snw_project_scene(project, &scene, &error), error);
	const snw_operator_context context = {
		.project = project, .path = path, .scene = scene, .registry = registry, .arena = arena};
	check_ok(operate("unwrap", &context, &report, &error), error);
	snw_scene_destroy(scene);
	bool is_said = false;
	for (uint32_t i = 0; i < report.warnings.count; i++) {
		is_said = is_said || strstr(report.warnings.list[i], "mesh sheet: 1 chart has not reached its least stretch, which "
															 "would take too long; with --charts auto, or seams, charts are");
	}
	assert_true(is_said);
	assert_true(reported_number(&report, "charts") == 1 && reported_number(&report, "stretch_rest") < 1.1);
	check_ok(snw_project_scene(project, &scene, &error), error);
	for (size_t f = 0; f < RIBBON_FACES; f++) { /* v is down: seen from the front it is not mirrored */
		const float *uv = scene->meshes[0].corner_uvs + 6 * f;
		assert_true(((double)uv[2] - (double)uv[0]) * ((double)uv[5] - (double)uv[1]) <
					((double)uv[3] - (double)uv[1]) * ((double)uv[4] - (double)uv[0]));
	}
	snw_scene_destroy(scene);
	snw_project_close(project);
	snw_arena_destroy(arena);
}

TEST_GROUP(unwrap_figures) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(uvs_of_a_human_are_within_their_goals_in_a_clip_that_they_were_not_made_from),
		cmocka_unit_test(a_chart_of_a_million_triangles_takes_fewer_steps_and_says_so),
	};
	(void)argc;
	(void)argv;
	return cmocka_run_group_tests(tests, open_registry, close_registry);
}
