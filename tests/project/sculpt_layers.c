/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sculpt layers in the project file: written, read, copied, undone and removed with their example; damaged ones are refused.
 */
#define SQLITE_ENABLE_SESSION
#define SQLITE_ENABLE_PREUPDATE_HOOK

#include "project/dump.h"
#include "scene/scene.h"
#include "written.h"

static const uint32_t few[] = {1, 4};
static const double vectors[] = {0.5, 0, -1, 0, 0.25, 0};
static const uint32_t other[] = {0, 1, 7};
static const double far[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
static const snw_sculpt_layer two[] = {
	{.name = "base", .opacity = 1, .count = 2, .points = few, .vectors = vectors},
	{.name = "wrinkles", .opacity = 0.25, .muted = true, .count = 3, .points = other, .vectors = far},
};

static snw_scene *read_scene(const char *path) {
	snw_project *project = NULL;
	snw_scene *scene = NULL;
	check_ok(snw_project_open(path, true, &project, &error), error);
	check_ok(snw_project_scene(project, &scene, &error), error);
	snw_project_close(project);
	return scene;
}

static void expect_two(const snw_example *example) {
	assert_int_equal(example->layer_count, 2);
	for (uint32_t i = 0; i < 2; i++) {
		const snw_sculpt_layer *layer = &example->layers[i];
		assert_string_equal(layer->name, two[i].name);
		assert_true(layer->opacity == two[i].opacity && layer->muted == two[i].muted && layer->id != 0);
		assert_int_equal(layer->count, two[i].count);
		assert_memory_equal(layer->points, two[i].points, two[i].count * sizeof *layer->points);
		assert_memory_equal(layer->vectors, two[i].vectors, 3 * (size_t)two[i].count * sizeof *layer->vectors);
	}
}

/* A file whose first example has the two layers, by a command. */
static const char *make_layered(const char *name) {
	const char *path = make_project(name);
	snw_project *project = NULL;
	snw_scene *scene = NULL;
	check_ok(snw_project_open(path, false, &project, &error), error);
	check_ok(snw_project_scene(project, &scene, &error), error);
	snw_example example = scene->examples[0];
	example.layers = two;
	example.layer_count = 2;
	check_ok(snw_project_begin(project, "layers", &error), error);
	check_ok(snw_project_put_example(project, &example, scene->poses[example.pose].id, scene->meshes[example.mesh].id,
									 scene->meshes[example.mesh].point_count, NULL, &error),
			 error);
	check_ok(snw_project_commit(project, &error), error);
	snw_scene_destroy(scene);
	snw_project_close(project);
	return path;
}

static void layers_are_written_read_and_copied(void **state) {
	(void)state;
	const char *path = make_layered("layered.sinew");
	snw_scene *scene = read_scene(path);
	expect_two(&scene->examples[0]);
	assert_int_equal(scene->examples[1].layer_count, 0);
	snw_scene *copy = snw_scene_copy(scene);
	const int64_t id = scene->examples[0].layers[0].id;
	snw_scene_destroy(scene);
	expect_two(&copy->examples[0]);
	const char *second = check_scratch("again.sinew");
	check_ok(snw_project_write(second, copy, "again", &error), error);
	snw_scene *again = read_scene(second);
	expect_two(&again->examples[0]);
	assert_true(id > 0);
	snw_scene_destroy(again);
	snw_scene_destroy(copy);
	unlink(second);
	unlink(path);
}

static void example_goes_with_its_layers_and_comes_back_with_them(void **state) {
	(void)state;
	const char *path = make_layered("gone.sinew");
	char *before = dump_scene(path);
	snw_project *project = NULL;
	snw_scene *scene = NULL;
	check_ok(snw_project_open(path, false, &project, &error), error);
	check_ok(snw_project_scene(project, &scene, &error), error);
	check_ok(snw_project_begin(project, "remove", &error), error);
	check_ok(snw_project_remove(project, SNW_PROJECT_EXAMPLE, scene->examples[0].id, &error), error);
	check_ok(snw_project_commit(project, &error), error);
	assert_int_equal(dump_integer(path, "SELECT count(*) FROM sculpt_layer"), 0);
	check_ok(snw_project_undo(project, NULL, &error), error);
	char *after = dump_scene(path);
	assert_string_equal(before, after);
	check_ok(snw_project_undo(project, NULL, &error), error); /* the layers themselves */
	assert_int_equal(dump_integer(path, "SELECT count(*) FROM sculpt_layer"), 0);
	snw_scene_destroy(scene);
	snw_project_close(project);
	free(before);
	free(after);
	unlink(path);
}

#define OF_LOWEST(column) " WHERE id = (SELECT " column " FROM sculpt_layer WHERE position = 0)"

static void damaged_layers_are_refused_with_one_line(void **state) {
	(void)state;
	static const char *const damages[] = {
		"UPDATE sculpt_layer SET opacity = 10.5 WHERE position = 0",
		"UPDATE sculpt_layer SET opacity = -11 WHERE position = 0",
		"UPDATE sculpt_layer SET name = 'wrinkles'",
		"UPDATE sculpt_layer SET name = ''",
		"UPDATE array SET bytes = x'0100000000000000'" OF_LOWEST("points"), /* descending */
		"UPDATE array SET bytes = x'01000000ffffffff'" OF_LOWEST("points"), /* out of range */
		"UPDATE array SET bytes = x'010000'" OF_LOWEST("points"),
		"UPDATE array SET bytes = x'00'" OF_LOWEST("vectors"),
	};
	for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
		const char *path = make_layered("damaged.sinew");
		snw_project *project = NULL;
		snw_scene *scene = NULL;
		sqlite3 *database = dump_open(path);
		const int result = sqlite3_exec(database, damages[i], NULL, NULL, NULL);
		sqlite3_close(database);
		if (result != SQLITE_OK) { /* the table is strict */
			unlink(path);
			continue;
		}
		snw_status status = snw_project_open(path, true, &project, &error);
		status = snw_failed(status) ? status : snw_project_scene(project, &scene, &error);
		if (status != SNW_ERROR_DATA || strchr(error.text, '\n')) {
			fail_msg("%s: status %d, '%s'", damages[i], status, error.text);
		}
		snw_project_close(project);
		unlink(path);
	}
}

TEST_GROUP(sculpt_layers) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(layers_are_written_read_and_copied),
		cmocka_unit_test(example_goes_with_its_layers_and_comes_back_with_them),
		cmocka_unit_test(damaged_layers_are_refused_with_one_line),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
