/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * In-betweens and combinations: what is said of a new example can be read when the scene that it was made from is gone, as in a
 * window, which shows the next document by then.
 */
#include "check.h"

#include <unistd.h>

#include "example/examples.h"
#include "example/groups.h"
#include "sample/sample.h"
#include "tiny_arm.h"

static snw_error error;

typedef struct fixture {
	const char *path;
	snw_registry *registry;
	snw_project *project;
	snw_scene *scene;
	snw_arena *arena;
	snw_new_example made;
} fixture;

static fixture open_fixture(void) {
	fixture f = {.path = check_scratch("new-examples.sinew"), .registry = snw_registry_open(), .arena = snw_arena_create()};
	check_ok(make_tiny_arm(&f.scene, &error), error);
	check_ok(snw_project_write(f.path, f.scene, "test", &error), error);
	snw_scene_destroy(f.scene);
	check_ok(snw_project_open(f.path, false, &f.project, &error), error);
	check_ok(snw_project_scene(f.project, &f.scene, &error), error);
	check_ok(snw_project_begin(f.project, "test", &error), error);
	return f;
}

/* Commits, and goes on with the scene that has the example. */
static void replace_scene(fixture *f) {
	snw_arena *gone = f->scene->arena;
	check_ok(snw_project_commit(f->project, &error), error);
	check_ok(snw_project_scene(f->project, &f->scene, &error), error);
	snw_arena_overwrite(gone, 0xDB);
	snw_arena_destroy(gone);
}

static void close_fixture(fixture *f) {
	snw_scene_destroy(f->scene);
	snw_project_close(f->project);
	snw_registry_close(f->registry);
	snw_arena_destroy(f->arena);
	unlink(f->path);
}

/* The example, its pose and its group are found by the names that were given. */
static void expect_found(const fixture *f) {
	const uint32_t example = snw_scene_find_example(f->scene, f->made.name), pose = snw_scene_find_pose(f->scene, f->made.pose);
	const uint32_t group = snw_scene_find_group(f->scene, f->made.group);
	assert_true(example != SNW_NONE && pose != SNW_NONE && group != SNW_NONE);
	assert_int_equal(f->scene->examples[example].pose, pose);
	assert_true(snw_group_member(&f->scene->groups[group], example) != SNW_NONE);
}

static void names_of_an_in_between_outlive_its_scene(void **state) {
	(void)state;
	fixture f = open_fixture();
	check_ok(snw_project_put_between(f.project, f.scene, f.registry, 0, 0.5, NULL, NULL, f.arena, &f.made, &error), error);
	replace_scene(&f);
	expect_found(&f);
	close_fixture(&f);
}

static void names_of_a_combination_outlive_its_scene(void **state) {
	(void)state;
	fixture f = open_fixture();
	const uint32_t groups[2] = {0, 1}, examples[2] = {SNW_NONE, SNW_NONE};
	const char *name = snw_arena_text(f.scene->arena, "elbow and wrist");
	check_ok(snw_project_put_combination(f.project, f.scene, f.registry, groups, examples, name, f.arena, &f.made, &error),
			 error);
	replace_scene(&f);
	expect_found(&f);
	close_fixture(&f);
}

TEST_GROUP(new_examples) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_of_an_in_between_outlive_its_scene),
		cmocka_unit_test(names_of_a_combination_outlive_its_scene),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
