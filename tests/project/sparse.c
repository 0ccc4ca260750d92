/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sculpts that keep only the points that were edited, and files from before there were any.
 */
#include "dump.h"
#include "scene/fixture.h"

#include "pose/pose.h"
#include "project/project.h"
#include "sample/sample.h"

static snw_error error;

static void replace_example(snw_scene *scene, snw_example example) {
	snw_example *examples = (snw_example *)(uintptr_t)scene->examples;
	examples[0] = example;
}

/* The fixture, whose first sculpt edits two points of eight. */
static snw_scene *sparse_scene(void) {
	snw_scene *scene = fixture_scene();
	snw_example example = scene->examples[0];
	example.edited = FIXTURE_COPY(scene->arena, (uint32_t[]){1, 5});
	example.edited_count = 2;
	replace_example(scene, example);
	return scene;
}

static snw_scene *read_back(const char *path) {
	snw_project *project = NULL;
	snw_scene *scene = NULL;
	check_ok(snw_project_open(path, true, &project, &error), error);
	check_ok(snw_project_scene(project, &scene, &error), error);
	snw_project_close(project);
	return scene;
}

static void sculpt_keeps_its_edited_points_alone(void **state) {
	(void)state;
	const char *path = check_scratch("sparse.sinew");
	snw_scene *scene = sparse_scene();
	check_ok(snw_project_write(path, scene, "test", &error), error);
	assert_int_equal(
		dump_integer(path, "SELECT length(bytes) FROM example JOIN array ON array.id = points_posed WHERE name = 'bend'"), 48);
	snw_scene *back = read_back(path);
	const snw_example *was = &scene->examples[0], *is = &back->examples[0];
	assert_int_equal(is->edited_count, 2);
	assert_int_equal(is->edited[1], 5);
	double below[24];
	snw_blend_points(back, 0, snw_pose_view_make(back, &back->poses[is->pose], back->arena), below);
	for (uint32_t i = 0; i < 24; i++) {
		check_near(is->points_posed[i], i / 3 == 1 || i / 3 == 5 ? was->points_posed[i] : below[i], 0);
	}
	assert_null(back->examples[1].edited);
	snw_scene_destroy(back);
	snw_scene_destroy(scene);
	unlink(path);
}

static void sculpt_of_no_points_is_no_sculpt_of_all(void **state) {
	(void)state;
	const char *path = check_scratch("none.sinew");
	snw_scene *scene = sparse_scene();
	snw_example example = scene->examples[0];
	example.edited_count = 0;
	replace_example(scene, example);
	check_ok(snw_project_write(path, scene, "test", &error), error);
	snw_scene *back = read_back(path);
	assert_non_null(back->examples[0].edited);
	assert_int_equal(back->examples[0].edited_count, 0);
	snw_scene_destroy(back);
	snw_scene_destroy(scene);
	unlink(path);
}

static void edited_points_that_cannot_be_are_refused(void **state) {
	(void)state;
	static const char *const damages[] = {"x'0100000009000000'", "x'0500000001000000'", "x'01000000'", "x'0100'"};
	for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
		const char *path = check_scratch("damaged.sinew");
		snw_scene *scene = sparse_scene(), *back = NULL;
		snw_project *project = NULL;
		char sql[200];
		check_ok(snw_project_write(path, scene, "test", &error), error);
		snprintf(sql, sizeof sql, "UPDATE array SET bytes = %s WHERE id = (SELECT edited FROM example WHERE name = 'bend')",
				 damages[i]);
		dump_execute(path, sql);
		check_ok(snw_project_open(path, true, &project, &error), error);
		assert_int_equal(snw_project_scene(project, &back, &error), SNW_ERROR_DATA);
		assert_non_null(strstr(error.text, "example"));
		snw_project_close(project);
		snw_scene_destroy(scene);
		unlink(path);
	}
}

/* A small file whose examples, of no edited point each, would fill gigabytes. */
static void examples_that_would_fill_far_more_than_the_file_are_refused(void **state) {
	(void)state;
	const char *path = check_scratch("tiny.sinew");
	snw_scene *scene = snw_limb_make(40000), *back = NULL;
	snw_project *project = NULL;
	check_ok(snw_project_write(path, scene, "test", &error), error);
	dump_execute(path, "INSERT INTO array(id, bytes) VALUES (1, x''); "
					   "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6000) INSERT INTO "
					   "example(name, pose, mesh, points_posed, edited) SELECT 'e' || i, (SELECT min(id) FROM pose), "
					   "(SELECT min(id) FROM mesh), 1, 1 FROM n");
	check_ok(snw_project_open(path, true, &project, &error), error);
	assert_int_equal(snw_project_scene(project, &back, &error), SNW_ERROR_DATA);
	assert_non_null(strstr(error.text, "more points than the file"));
	snw_project_close(project);
	dump_execute(path, "DELETE FROM example WHERE id % 100 <> 0"); /* sixty such are an honest project */
	check_ok(snw_project_open(path, true, &project, &error), error);
	check_ok(snw_project_scene(project, &back, &error), error);
	assert_int_equal(back->example_count, 60);
	assert_int_equal(back->examples[7].edited_count, 0);
	snw_scene_destroy(back);
	snw_project_close(project);
	snw_scene_destroy(scene);
	unlink(path);
}

static void put_example_writes_and_undoes_its_edited_points(void **state) {
	(void)state;
	const char *path = check_scratch("command.sinew");
	snw_scene *made = sparse_scene(), *scene = NULL;
	snw_project *project = NULL;
	check_ok(snw_project_write(path, made, "test", &error), error);
	check_ok(snw_project_open(path, false, &project, &error), error);
	check_ok(snw_project_scene(project, &scene, &error), error);
	snw_example example = scene->examples[0];
	example.edited = (uint32_t[]){0, 1, 2};
	example.edited_count = 3;
	check_ok(snw_project_begin(project, "edit", &error), error);
	check_ok(snw_project_put_example(project, &example, scene->poses[1].id, scene->meshes[0].id, 8, NULL, &error), error);
	check_ok(snw_project_commit(project, &error), error);
	assert_int_equal(
		dump_integer(path, "SELECT length(bytes) FROM example JOIN array ON array.id = edited WHERE name = 'bend'"), 12);
	check_ok(snw_project_undo(project, NULL, &error), error);
	assert_int_equal(
		dump_integer(path, "SELECT length(bytes) FROM example JOIN array ON array.id = edited WHERE name = 'bend'"), 8);
	example.edited = (uint32_t[]){2, 1, 3};
	check_ok(snw_project_begin(project, "edit", &error), error);
	assert_int_equal(snw_project_put_example(project, &example, scene->poses[1].id, scene->meshes[0].id, 8, NULL, &error),
					 SNW_ERROR_DATA);
	snw_project_rollback(project);
	snw_scene_destroy(scene);
	snw_project_close(project);
	snw_scene_destroy(made);
	unlink(path);
}

TEST_GROUP(sparse) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sculpt_keeps_its_edited_points_alone),
		cmocka_unit_test(sculpt_of_no_points_is_no_sculpt_of_all),
		cmocka_unit_test(edited_points_that_cannot_be_are_refused),
		cmocka_unit_test(examples_that_would_fill_far_more_than_the_file_are_refused),
		cmocka_unit_test(put_example_writes_and_undoes_its_edited_points),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
