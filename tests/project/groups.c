/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Editing corrective groups: their order, their names, their settings; muted examples; and files from before either was
 * stored.
 */
#include "dump.h"
#include "scene/fixture.h"

#include <stdlib.h>

#include "example/groups.h"

static snw_error error;

typedef struct groups_fixture {
	const char *path;
	snw_project *project;
	snw_registry *registry;
	snw_scene *scene;
} groups_fixture;

static void read_scene(groups_fixture *d) {
	snw_scene_destroy(d->scene);
	check_ok(snw_project_scene(d->project, &d->scene, &error), error);
}

static groups_fixture open_fixture(const char *name) {
	groups_fixture d = {.path = check_scratch(name)};
	snw_scene *made = fixture_scene();
	check_ok(snw_project_write(d.path, made, "test", &error), error);
	snw_scene_destroy(made);
	check_ok(snw_project_open(d.path, false, &d.project, &error), error);
	d.registry = snw_registry_open_empty();
	read_scene(&d);
	return d;
}

static void close_fixture(groups_fixture *d) {
	snw_scene_destroy(d->scene);
	snw_project_close(d->project);
	snw_registry_close(d->registry);
	unlink(d->path);
}

static void begin(const groups_fixture *d) {
	check_ok(snw_project_begin(d->project, "test", &error), error);
}

static void commit(groups_fixture *d) {
	check_ok(snw_project_commit(d->project, &error), error);
	read_scene(d);
}

static void expect_order(const groups_fixture *d, const char *first, const char *second, const char *third) {
	const char *names[] = {first, second, third};
	assert_int_equal(d->scene->group_count, third ? 3 : 2);
	for (uint32_t i = 0; i < d->scene->group_count; i++) {
		assert_string_equal(d->scene->groups[i].name, names[i]);
	}
}

static void groups_act_in_their_order(void **state) {
	(void)state;
	groups_fixture d = open_fixture("order.sinew");
	char *a = strdup(d.scene->groups[0].name), *b = strdup(d.scene->groups[1].name);
	const snw_group more = {.name = "more"};
	begin(&d);
	check_ok(snw_project_put_group_of(d.project, d.scene, &more, NULL, &error), error);
	commit(&d);
	expect_order(&d, a, b, "more");
	const uint32_t moves[][2] = {{2, 0}, {0, 1}, {0, 2}, {1, 0}};
	const char *orders[][3] = {{"more", a, b}, {a, "more", b}, {"more", b, a}, {b, "more", a}};
	for (size_t i = 0; i < 4; i++) {
		begin(&d);
		check_ok(snw_project_move_group(d.project, d.scene, moves[i][0], moves[i][1], &error), error);
		commit(&d);
		expect_order(&d, orders[i][0], orders[i][1], orders[i][2]);
	}
	/* A group that is written again stays in its place; the places of those that are gone close. */
	begin(&d);
	check_ok(snw_project_put_group_of(d.project, d.scene, &d.scene->groups[1], NULL, &error), error);
	check_ok(snw_project_drop_group(d.project, d.scene, d.registry, 0, &error), error);
	commit(&d);
	expect_order(&d, "more", a, NULL);
	assert_int_equal(dump_integer(d.path, "SELECT max(position) FROM corrective_group"), 1);
	for (int i = 0; i < 6; i++) {
		check_ok(snw_project_undo(d.project, NULL, &error), error);
	}
	read_scene(&d);
	expect_order(&d, a, b, NULL);
	free(a);
	free(b);
	close_fixture(&d);
}

static void member_joins_and_leaves_a_copy(void **state) {
	(void)state;
	groups_fixture d = open_fixture("members.sinew");
	snw_arena *arena = snw_arena_create();
	snw_group group = snw_group_copy(d.scene, 0, arena);
	assert_int_equal(snw_group_member(&group, 1), 0);
	snw_group_leave(&group, 0);
	assert_int_equal(snw_group_member(&group, 1), SNW_NONE);
	begin(&d);
	check_ok(snw_project_put_group_of(d.project, d.scene, &group, NULL, &error), error);
	commit(&d);
	assert_int_equal(d.scene->groups[0].member_count, 1);
	assert_int_equal(d.scene->groups[0].members[0].example, 0);
	assert_int_equal(d.scene->groups[0].members[0].mask, 0);
	snw_arena_destroy(arena);
	close_fixture(&d);
}

/* A command that waits in a queue may be run when the scene that it was made from is gone. */
static void copy_of_a_group_outlives_its_scene(void **state) {
	(void)state;
	groups_fixture d = open_fixture("copied.sinew");
	snw_arena *arena = snw_arena_create(), *gone = d.scene->arena;
	const uint32_t joint_count = d.scene->groups[0].joint_count, member_count = d.scene->groups[0].member_count;
	const char *name = snw_arena_text(arena, d.scene->groups[0].name);
	const uint32_t *joints = snw_arena_copy(arena, d.scene->groups[0].joints, joint_count * sizeof *joints);
	const snw_member *members = snw_arena_copy(arena, d.scene->groups[0].members, member_count * sizeof *members);
	const snw_group copy = snw_group_copy(d.scene, 0, arena);
	snw_arena_overwrite(gone, 0xDB);
	assert_string_equal(copy.name, name);
	assert_memory_equal(copy.joints, joints, joint_count * sizeof *joints);
	assert_memory_equal(copy.members, members, member_count * sizeof *members);
	snw_arena_destroy(gone);
	d.scene = NULL;
	snw_arena_destroy(arena);
	close_fixture(&d);
}

static void muted_example_is_kept_and_undone(void **state) {
	(void)state;
	groups_fixture d = open_fixture("muted.sinew");
	snw_example example = d.scene->examples[1];
	assert_int_equal(snw_scene_active_example_count(d.scene), 2);
	example.muted = true;
	begin(&d);
	check_ok(snw_project_put_example(d.project, &example, d.scene->poses[example.pose].id, d.scene->meshes[example.mesh].id,
									 d.scene->meshes[example.mesh].point_count, NULL, &error),
			 error);
	commit(&d);
	assert_true(d.scene->examples[1].muted && !d.scene->examples[0].muted);
	assert_int_equal(snw_scene_active_example_count(d.scene), 1);
	check_ok(snw_project_undo(d.project, NULL, &error), error);
	read_scene(&d);
	assert_false(d.scene->examples[1].muted);
	close_fixture(&d);
}

static void chosen_driver_is_kept_and_undone(void **state) {
	(void)state;
	groups_fixture d = open_fixture("chosen.sinew");
	begin(&d);
	check_ok(snw_project_keep_driver(d.project, d.scene, 1, &error), error);
	commit(&d);
	assert_true(d.scene->examples[1].has_chosen_driver && !d.scene->examples[0].has_chosen_driver);
	begin(&d);
	check_ok(snw_project_keep_drivers(d.project, d.scene, &d.scene->groups[0], &error), error);
	commit(&d);
	assert_true(d.scene->examples[1].has_chosen_driver && d.scene->examples[0].has_chosen_driver);
	for (int i = 0; i < 2; i++) {
		check_ok(snw_project_undo(d.project, NULL, &error), error);
	}
	read_scene(&d);
	assert_false(d.scene->examples[1].has_chosen_driver || d.scene->examples[0].has_chosen_driver);
	close_fixture(&d);
}

TEST_GROUP(groups) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(groups_act_in_their_order),          cmocka_unit_test(member_joins_and_leaves_a_copy),
		cmocka_unit_test(copy_of_a_group_outlives_its_scene), cmocka_unit_test(muted_example_is_kept_and_undone),
		cmocka_unit_test(chosen_driver_is_kept_and_undone),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
