/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Commands, and the journal that takes them back: every kind of command is undone and redone to the same bytes in every row.
 */
#include <sys/stat.h>
#include <sys/wait.h>

#include "project/commands.h"
#include "project/dump.h"

static void run_command(project_test *test, const struct command *command) {
	check_ok(snw_project_begin(test->project, command->name, &error), error);
	const snw_status status = command->run(test);
	if (snw_failed(status)) {
		fail_msg("%s: %s", command->name, error.text);
	}
	check_ok(snw_project_commit(test->project, &error), error);
}

static void check_scene_loads(project_test *test) {
	snw_scene *scene = NULL;
	check_ok(snw_project_scene(test->project, &scene, &error), error);
	snw_scene_destroy(scene);
}

static void check_dump(const project_test *test, const char *wanted, const char *subject) {
	char *found = dump_scene(test->path);
	if (strcmp(found, wanted) != 0) {
		fail_msg("%s: the rows are not what they were", subject);
	}
	free(found);
}

/* ---- the tests ----------------------------------------------------------------------------------------------------------- */

static void command_of_every_kind_is_undone_and_redone_exactly(void **state) {
	project_test *test = *state;
	char *before = dump_scene(test->path);
	for (size_t c = 0; c < COMMAND_COUNT; c++) {
		const char *name = commands[c].name, *label = NULL;
		run_command(test, &commands[c]);
		check_scene_loads(test);
		char *after = dump_scene(test->path);
		if (strcmp(before, after) == 0) {
			fail_msg("%s changed nothing", name);
		}
		check_ok(snw_project_undo(test->project, &label, &error), error);
		assert_string_equal(label, name);
		check_dump(test, before, name);
		check_scene_loads(test);
		check_ok(snw_project_redo(test->project, &label, &error), error);
		assert_string_equal(label, name);
		check_dump(test, after, name);
		reopen(test);
		check_ok(snw_project_undo(test->project, NULL, &error), error);
		check_dump(test, before, name);
		free(after);
	}
	free(before);
}

/* Also if it has failed. A part that is kept follows: a new pose. */
static void part_that_is_taken_back_leaves_no_trace(void **state) {
	project_test *test = *state;
	char *before = dump_scene(test->path);
	for (size_t c = 1; c < COMMAND_COUNT; c += 5) {
		snw_scene *scene = NULL;
		check_ok(snw_project_begin(test->project, "parts", &error), error);
		check_ok(snw_project_begin_part(test->project, &error), error);
		check_ok(commands[c].run(test), error);
		assert_int_equal(snw_project_remove(test->project, SNW_PROJECT_POSE, 999, &error), SNW_ERROR_MISSING);
		check_ok(snw_project_end_part(test->project, false, &error), error);
		check_ok(snw_project_begin_part(test->project, &error), error);
		check_ok(add_pose(test), error);
		check_ok(snw_project_end_part(test->project, true, &error), error);
		check_ok(snw_project_commit(test->project, &error), error);
		check_ok(snw_project_scene(test->project, &scene, &error), error);
		assert_int_equal(scene->pose_count, test->scene->pose_count + 1);
		assert_int_not_equal(snw_scene_find_pose(scene, "new pose"), SNW_NONE);
		snw_scene_destroy(scene);
		check_ok(snw_project_undo(test->project, NULL, &error), error);
		check_dump(test, before, commands[c].name);
	}
	free(before);
}

/* Commands that can follow one another. */
static const size_t sequence[] = {0, 3, 7, 10, 13, 16, 19, 22, 24, 26, 27};
enum { STEPS = sizeof sequence / sizeof *sequence };

static void history_is_walked_back_and_forth_across_reopening(void **state) {
	project_test *test = *state;
	char *dumps[STEPS + 1];
	dumps[0] = dump_scene(test->path);
	for (size_t s = 0; s < STEPS; s++) {
		run_command(test, &commands[sequence[s]]);
		dumps[s + 1] = dump_scene(test->path);
	}
	for (size_t s = STEPS; s > 0; s--) {
		if (s % 3 == 0) {
			reopen(test);
		}
		check_ok(snw_project_undo(test->project, NULL, &error), error);
		check_dump(test, dumps[s - 1], commands[sequence[s - 1]].name);
	}
	assert_int_equal(snw_project_undo(test->project, NULL, &error), SNW_ERROR_MISSING);
	for (size_t s = 0; s < STEPS; s++) {
		check_ok(snw_project_redo(test->project, NULL, &error), error);
		if (s % 3 == 0 || s + 1 == STEPS) {
			check_dump(test, dumps[s + 1], commands[sequence[s]].name);
		}
	}
	assert_int_equal(snw_project_redo(test->project, NULL, &error), SNW_ERROR_MISSING);
	for (size_t s = 0; s <= STEPS; s++) {
		free(dumps[s]);
	}
}

static void new_command_drops_undone_commands(void **state) {
	project_test *test = *state;
	snw_arena *arena = snw_arena_create();
	snw_history_entry *entries = NULL;
	uint32_t count = 0;
	run_command(test, &commands[0]);
	run_command(test, &commands[3]);
	check_ok(snw_project_undo(test->project, NULL, &error), error);
	check_ok(snw_project_history(test->project, arena, &entries, &count, &error), error);
	assert_int_equal(count, 3);
	assert_string_equal(entries[0].label, "import thing.glb");
	assert_int_equal(strlen(entries[0].time), strlen("2000-01-01T00:00:00Z"));
	assert_false(entries[1].undone);
	assert_true(entries[2].undone);
	run_command(test, &commands[10]);
	assert_int_equal(snw_project_redo(test->project, NULL, &error), SNW_ERROR_MISSING);
	check_ok(snw_project_history(test->project, arena, &entries, &count, &error), error);
	assert_int_equal(count, 3);
	assert_string_equal(entries[2].label, commands[10].name);
	/* They take room until the next one. */
	run_command(test, &commands[13]);
	assert_int_equal(dump_integer(test->path, "SELECT count(DISTINCT journal) FROM journal_change"), 3);
	snw_arena_destroy(arena);
}

static void what_could_be_redone_can_be_again_after_a_command_is_taken_back(void **state) {
	project_test *test = *state;
	run_command(test, &commands[0]);
	run_command(test, &commands[3]);
	char *both = dump_scene(test->path);
	check_ok(snw_project_undo(test->project, NULL, &error), error);
	check_ok(snw_project_undo(test->project, NULL, &error), error);
	run_command(test, &commands[10]);
	assert_int_equal(snw_project_redo(test->project, NULL, &error), SNW_ERROR_MISSING);
	check_ok(snw_project_take_back(test->project, &error), error);
	check_ok(snw_project_redo(test->project, NULL, &error), error);
	check_ok(snw_project_redo(test->project, NULL, &error), error);
	check_dump(test, both, "redone");
	/* Undone itself, it is what can be redone, alone. */
	check_ok(snw_project_undo(test->project, NULL, &error), error);
	run_command(test, &commands[10]);
	char *third = dump_scene(test->path);
	check_ok(snw_project_undo(test->project, NULL, &error), error);
	check_ok(snw_project_redo(test->project, NULL, &error), error);
	check_dump(test, third, "redone alone");
	assert_int_equal(snw_project_redo(test->project, NULL, &error), SNW_ERROR_MISSING);
	free(both);
	free(third);
}

static void parts_that_cancel_each_other_leave_no_entry(void **state) {
	project_test *test = *state;
	char *before = dump_scene(test->path);
	check_ok(snw_project_begin(test->project, "there and back", &error), error);
	check_ok(add_pose(test), error);
	check_ok(snw_project_commit(test->project, &error), error);
	assert_true(snw_project_has_changed(test->project));
	check_ok(snw_project_begin_amend(test->project, &error), error);
	check_ok(snw_project_commit(test->project, &error), error);
	assert_false(snw_project_has_changed(test->project));
	snw_scene *scene = NULL;
	check_ok(snw_project_scene(test->project, &scene, &error), error);
	check_ok(snw_project_begin_amend(test->project, &error), error);
	const int64_t id = scene->poses[snw_scene_find_pose(scene, "new pose")].id;
	check_ok(snw_project_remove(test->project, SNW_PROJECT_POSE, id, &error), error);
	check_ok(snw_project_commit(test->project, &error), error);
	assert_int_equal(dump_integer(test->path, "SELECT count(*) FROM journal"), 1);
	assert_int_equal(snw_project_begin_amend(test->project, &error), SNW_ERROR_MISSING);
	check_dump(test, before, "cancelled");
	snw_scene_destroy(scene);
	free(before);
}

static void checkpoint_marks_the_present_entry(void **state) {
	project_test *test = *state;
	snw_arena *arena = snw_arena_create();
	snw_history_entry *entries = NULL;
	uint32_t count = 0;
	run_command(test, &commands[0]);
	check_ok(snw_project_checkpoint(test->project, &error), error);
	run_command(test, &commands[3]);
	reopen(test);
	check_ok(snw_project_history(test->project, arena, &entries, &count, &error), error);
	assert_int_equal(count, 3);
	assert_false(entries[0].checkpoint);
	assert_true(entries[1].checkpoint);
	assert_false(entries[2].checkpoint);
	snw_arena_destroy(arena);
}

static void command_that_changes_nothing_leaves_no_entry(void **state) {
	project_test *test = *state;
	check_ok(snw_project_begin(test->project, "the same again", &error), error);
	check_ok(snw_project_put_pose(test->project, &test->scene->poses[1], NULL, &error), error);
	check_ok(snw_project_commit(test->project, &error), error);
	assert_int_equal(dump_integer(test->path, "SELECT count(*) FROM journal"), 1);
}

static void command_rolled_back_or_left_open_never_was(void **state) {
	project_test *test = *state;
	char *before = dump_scene(test->path);
	check_ok(snw_project_begin(test->project, "nothing", &error), error);
	check_ok(add_pose(test), error);
	snw_project_rollback(test->project);
	check_dump(test, before, "rollback");
	check_ok(snw_project_begin(test->project, "nothing", &error), error);
	check_ok(add_pose(test), error);
	reopen(test);
	check_dump(test, before, "close");
	assert_int_equal(dump_integer(test->path, "SELECT count(*) FROM journal"), 1);
	free(before);
}

static void command_that_failed_in_part_cannot_be_committed(void **state) {
	project_test *test = *state;
	char *before = dump_scene(test->path);
	check_ok(snw_project_begin(test->project, "half", &error), error);
	check_ok(add_pose(test), error);
	assert_int_equal(snw_project_remove(test->project, SNW_PROJECT_POSE, 999, &error), SNW_ERROR_MISSING);
	assert_int_equal(add_example(test), SNW_ERROR_CONFLICT);
	assert_int_equal(snw_project_commit(test->project, &error), SNW_ERROR_CONFLICT);
	assert_non_null(strstr(error.text, "half"));
	check_dump(test, before, "a command that failed");
	run_command(test, &commands[0]); /* the project continues to work */
	free(before);
}

static void skeleton_that_leaves_others_misfitting_is_refused_as_a_whole(void **state) {
	project_test *test = *state;
	char *before = dump_scene(test->path);
	check_ok(snw_project_begin(test->project, "skeleton", &error), error);
	snw_scene *scene = fixture_scene();
	scene->slot_count = 2; /* the body's skin names three */
	check_ok(snw_project_put_skeleton(test->project, scene, &error), error);
	snw_scene_destroy(scene);
	assert_int_equal(snw_project_commit(test->project, &error), SNW_ERROR_DATA);
	assert_non_null(strstr(error.text, "slot 2 of 2"));
	check_dump(test, before, "a skeleton refused");
	free(before);
}

static void joint_in_use_cannot_go_with_a_new_skeleton(void **state) {
	project_test *test = *state;
	check_ok(snw_project_begin(test->project, "skeleton", &error), error);
	snw_scene *scene = fixture_scene();
	scene->skeleton.names[3] = "renamed";
	assert_int_equal(snw_project_put_skeleton(test->project, scene, &error), SNW_ERROR_CONFLICT);
	assert_non_null(strstr(error.text, "'other root' cannot be removed: 'left', 'walk' use it"));
	snw_scene_destroy(scene);
	snw_project_rollback(test->project);
}

static void row_in_use_is_kept_and_its_users_named(void **state) {
	project_test *test = *state;
	const struct {
		snw_project_kind kind;
		int64_t id;
		const char *words;
	} refused[] = {
		{SNW_PROJECT_POSE, test->scene->poses[1].id, "pose 'bent' is used by 'bend'"},
		{SNW_PROJECT_POSE, test->scene->poses[0].id, "rest pose"},
		{SNW_PROJECT_FIELD, test->scene->fields[0].id, "field 'mask' is used by 'left'"},
		{SNW_PROJECT_CLIP, test->scene->clips[0].id, "clip 'walk' is used by 'walked', 'bent'"},
		{SNW_PROJECT_MODEL, test->scene->models[0].id, "model 'psd' is used by 'psd'"},
	};
	for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
		check_ok(snw_project_begin(test->project, "remove", &error), error);
		assert_int_equal(snw_project_remove(test->project, refused[i].kind, refused[i].id, &error), SNW_ERROR_CONFLICT);
		if (!strstr(error.text, refused[i].words)) {
			fail_msg("'%s' does not say '%s'", error.text, refused[i].words);
		}
		snw_project_rollback(test->project);
	}
}

static void command_on_a_scene_that_another_program_has_changed_is_refused(void **state) {
	project_test *test = *state;
	snw_project *other = NULL;
	snw_scene *scene = NULL;
	const snw_pose pose = changed_pose(test, "theirs");
	check_ok(snw_project_open(test->path, false, &other, &error), error);
	check_ok(snw_project_begin(other, "theirs", &error), error);
	check_ok(snw_project_put_pose(other, &pose, NULL, &error), error);
	check_ok(snw_project_commit(other, &error), error);
	assert_int_equal(snw_project_begin(test->project, "ours", &error), SNW_ERROR_CONFLICT);
	assert_non_null(strstr(error.text, "another program has changed the project"));
	/* No lock is held: the other program can continue, and so can this one after reading. */
	check_ok(snw_project_undo(other, NULL, &error), error);
	check_ok(snw_project_scene(test->project, &scene, &error), error);
	check_ok(snw_project_begin(test->project, "ours", &error), error);
	check_ok(add_pose(test), error);
	check_ok(snw_project_commit(test->project, &error), error);
	check_ok(snw_project_begin(test->project, "ours again", &error), error);
	snw_project_rollback(test->project);
	snw_scene_destroy(scene);
	snw_project_close(other);
}

/* The command of another program is not undone in its place. */
static void command_that_is_not_the_newest_is_not_taken_back(void **state) {
	project_test *test = *state;
	char *before = dump_scene(test->path);
	run_command(test, &commands[0]);
	check_ok(snw_project_take_back(test->project, &error), error);
	check_dump(test, before, "taken back");
	assert_int_equal(snw_project_redo(test->project, NULL, &error), SNW_ERROR_MISSING);
	check_ok(snw_project_take_back(test->project, &error), error); /* there is none */
	check_dump(test, before, "taken back twice");
	run_command(test, &commands[0]);
	snw_project *other = NULL;
	const snw_pose pose = changed_pose(test, "theirs");
	check_ok(snw_project_open(test->path, false, &other, &error), error);
	check_ok(snw_project_begin(other, "theirs", &error), error);
	check_ok(snw_project_put_pose(other, &pose, NULL, &error), error);
	check_ok(snw_project_commit(other, &error), error);
	char *both = dump_scene(test->path);
	assert_int_equal(snw_project_take_back(test->project, &error), SNW_ERROR_MISSING);
	check_dump(test, both, "another program's command");
	snw_project_close(other);
	free(both);
	free(before);
}

static void finish_pose(project_test *test) {
	check_ok(snw_project_begin(test->project, "finished", &error), error);
	check_ok(add_pose(test), error);
	check_ok(snw_project_finish(test->project, &error), error);
	assert_true(snw_project_is_unstored(test->project) && snw_project_has_changed(test->project));
}

static uint32_t count_poses(project_test *test) {
	snw_scene *scene = NULL;
	check_ok(snw_project_scene(test->project, &scene, &error), error);
	const uint32_t count = scene->pose_count;
	snw_scene_destroy(scene);
	return count;
}

static void finished_command_is_in_the_file_once_it_is_stored(void **state) {
	project_test *test = *state;
	const uint32_t before = test->scene->pose_count;
	finish_pose(test);
	assert_int_equal(count_poses(test), before + 1);
	assert_int_equal(dump_integer(test->path, "SELECT count(*) FROM pose"), before);
	assert_int_equal(dump_integer(test->path, "SELECT count(*) FROM journal"), 1);
	assert_int_equal(snw_project_begin(test->project, "next", &error), SNW_ERROR_ARGUMENT);
	assert_int_equal(snw_project_undo(test->project, NULL, &error), SNW_ERROR_ARGUMENT);
	check_ok(snw_project_store(test->project, &error), error);
	assert_false(snw_project_is_unstored(test->project));
	check_ok(snw_project_store(test->project, &error), error); /* there is nothing */
	assert_int_equal(dump_integer(test->path, "SELECT count(*) FROM pose"), before + 1);
	check_ok(snw_project_undo(test->project, NULL, &error), error);
	assert_int_equal(count_poses(test), before);
	finish_pose(test);
	snw_project_rollback(test->project);
	assert_int_equal(count_poses(test), before);
	finish_pose(test);
	reopen(test); /* which closes it first */
	assert_int_equal(count_poses(test), before + 1);
}

static void finished_command_of_a_process_that_ends_never_was(void **state) {
	project_test *test = *state;
	char *before = dump_scene(test->path);
	snw_project_close(test->project);
	const pid_t child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		if (!snw_failed(snw_project_open(test->path, false, &test->project, &error))) {
			finish_pose(test);
		}
		_exit(7);
	}
	int how = 0;
	waitpid(child, &how, 0);
	assert_true(WIFEXITED(how) && WEXITSTATUS(how) == 7);
	check_ok(snw_project_open(test->path, false, &test->project, &error), error);
	check_dump(test, before, "a process that ended");
	run_command(test, &commands[0]);
	free(before);
}

static void name_of_another_row_is_refused(void **state) {
	project_test *test = *state;
	snw_pose pose = test->scene->poses[1];
	pose.name = test->scene->poses[2].name;
	check_ok(snw_project_begin(test->project, "rename", &error), error);
	assert_int_equal(snw_project_put_pose(test->project, &pose, NULL, &error), SNW_ERROR_CONFLICT);
	snw_project_rollback(test->project);
}

static void put_of_an_invalid_object_is_refused(void **state) {
	project_test *test = *state;
	snw_pose pose = changed_pose(test, "broken");
	pose.seconds = NAN;
	const snw_field field = {
		.name = "short", .domain = SNW_DOMAIN_POINTS, .components = 1, .count = 7, .values = (double[7]){0}};
	check_ok(snw_project_begin(test->project, "a", &error), error);
	assert_int_equal(snw_project_put_pose(test->project, &pose, NULL, &error), SNW_ERROR_DATA);
	snw_project_rollback(test->project);
	check_ok(snw_project_begin(test->project, "b", &error), error);
	assert_int_equal(snw_project_put_field(test->project, &field, test->scene->meshes[0].id, NULL, &error), SNW_ERROR_DATA);
	snw_project_rollback(test->project);
	check_ok(snw_project_begin(test->project, "c", &error), error);
	assert_int_equal(snw_project_put_skin(test->project, test->scene->meshes[1].id, 3, (uint32_t[]){0, 1, 2, 3},
										  (uint32_t[]){0, 0, 9}, (double[]){1, 1, 1}, &error),
					 SNW_ERROR_DATA);
	snw_project_rollback(test->project);
	check_scene_loads(test);
}

static void layers_and_members_keep_their_order(void **state) {
	project_test *test = *state;
	static const struct {
		const char *command, *order;
	} orders[] = {{"add_layer_at_the_bottom", "twist base smooth psd "}, {"move_layer_up", "twist smooth base psd "}};
	for (size_t i = 0; i < 2; i++) {
		for (size_t c = 0; c < COMMAND_COUNT; c++) {
			if (strcmp(commands[c].name, orders[i].command) == 0) {
				run_command(test, &commands[c]);
			}
		}
		snw_scene *scene = NULL;
		check_ok(snw_project_scene(test->project, &scene, &error), error);
		char names[200] = "";
		for (uint32_t l = 0; l < scene->layer_count; l++) {
			snprintf(names + strlen(names), sizeof names - strlen(names), "%s ", scene->layers[l].name);
		}
		assert_string_equal(names, orders[i].order);
		snw_scene_destroy(scene);
	}
}

static void removed_example_leaves_no_gap_in_its_group(void **state) {
	project_test *test = *state;
	const struct command remove = {"remove", remove_first_member};
	run_command(test, &remove);
	assert_int_equal(dump_integer(test->path, "SELECT count(*) FROM group_member WHERE corrective_group = 1"), 1);
	assert_int_equal(dump_integer(test->path, "SELECT position FROM group_member WHERE corrective_group = 1"), 0);
	assert_int_equal(dump_integer(test->path, "SELECT count(*) FROM corrective_group"), 2);
}

static void pose_follows_its_joints_into_a_new_skeleton(void **state) {
	project_test *test = *state;
	run_command(test, &(struct command){"put_skeleton", put_skeleton});
	snw_scene *scene = NULL;
	check_ok(snw_project_scene(test->project, &scene, &error), error);
	assert_int_equal(scene->skeleton.joint_count, 5);
	const uint32_t arm = snw_scene_find_joint(scene, "arm"), tail = snw_scene_find_joint(scene, "tail");
	const snw_pose *bent = &scene->poses[snw_scene_find_pose(scene, "bent")], *rest = &scene->poses[0];
	assert_memory_equal(&bent->local[arm], &test->scene->poses[1].local[2], sizeof(snw_transform));
	assert_memory_equal(&bent->local[tail], &scene->skeleton.rest_local[tail], sizeof(snw_transform));
	assert_memory_equal(rest->local, scene->skeleton.rest_local, 5 * sizeof(snw_transform));
	assert_int_equal(scene->groups[0].joints[0], 3); /* "other root", by name */
	snw_scene_destroy(scene);
}

static void reading_project_does_not_change(void **state) {
	project_test *test = *state;
	snw_project *reader = NULL;
	check_ok(snw_project_open(test->path, true, &reader, &error), error);
	assert_int_equal(snw_project_begin(reader, "write", &error), SNW_ERROR_ARGUMENT);
	assert_int_equal(snw_project_undo(reader, NULL, &error), SNW_ERROR_ARGUMENT);
	assert_int_equal(snw_project_checkpoint(reader, &error), SNW_ERROR_ARGUMENT);
	snw_project_close(reader);
}

#define PROJECT_TEST(name) cmocka_unit_test_setup_teardown(name, open_test, close_test)

/* How many of the changes made can be taken back. */
static int undo_all(project_test *test) {
	int count = 0;
	while (!snw_failed(snw_project_undo(test->project, NULL, &error))) {
		count++;
	}
	return count;
}

enum { LARGE_BYTES = 1 << 20 };

/* A change of more than LARGE_BYTES. */
static void put_large_model(project_test *test, int content) {
	unsigned char *bytes = malloc(LARGE_BYTES);
	memset(bytes, content, LARGE_BYTES);
	const snw_saved_model model = {
		.name = "large", .deformer = "org.example", .deformer_version = "1", .bytes = bytes, .byte_count = LARGE_BYTES};
	int64_t id;
	check_ok(snw_project_begin(test->project, "fit again", &error), error);
	check_ok(snw_project_put_model(test->project, &model, &id, &error), error);
	check_ok(snw_project_commit(test->project, &error), error);
	free(bytes);
}

/* A small project keeps no gigabyte of changes: here sixteen MiB. */
static void history_of_a_small_project_stays_small(void **state) {
	project_test *test = *state;
	enum { CHANGES = 38 };
	for (int i = 0; i < CHANGES; i++) {
		put_large_model(test, i);
	}
	struct stat file;
	assert_int_equal(stat(test->path, &file), 0);
	assert_in_range(file.st_size, 8 * LARGE_BYTES, 48 * LARGE_BYTES);
	const int undone = undo_all(test);
	assert_in_range(undone, 8, 30);
	check_scene_loads(test);
}

/* A change that was taken back stays until the next, since that can be taken back too. */
static void what_was_taken_back_pushes_nothing_out_of_the_history(void **state) {
	project_test *test = *state;
	enum { BEFORE = 3 };
	for (size_t s = 0; s < BEFORE; s++) {
		run_command(test, &commands[sequence[s]]);
	}
	put_large_model(test, 1);
	check_ok(snw_project_undo(test->project, NULL, &error), error);
	snw_project_limit_history(test->project, LARGE_BYTES);
	run_command(test, &commands[sequence[BEFORE]]);
	assert_int_equal(undo_all(test), BEFORE + 1);
}

static void history_beyond_its_bytes_loses_the_oldest_alone(void **state) {
	project_test *test = *state;
	enum { LIMITED = 5 };
	for (size_t s = 0; s < LIMITED; s++) {
		run_command(test, &commands[sequence[s]]);
	}
	char *middle = dump_scene(test->path);
	/* From here on there is no room: every commit keeps only its own change. */
	snw_project_limit_history(test->project, 1);
	run_command(test, &commands[sequence[LIMITED]]);
	char *last = dump_scene(test->path);
	assert_int_equal(undo_all(test), 1);
	check_dump(test, middle, "the change that was kept");
	check_ok(snw_project_redo(test->project, NULL, &error), error);
	check_dump(test, last, "the change that was kept, again");
	/* With room again, changes gather on the oldest that is left. */
	snw_project_limit_history(test->project, UINT64_MAX);
	for (size_t s = LIMITED + 1; s < STEPS; s++) {
		run_command(test, &commands[sequence[s]]);
	}
	reopen(test);
	assert_int_equal(undo_all(test), STEPS - LIMITED);
	check_dump(test, middle, "the oldest state that is known");
	check_scene_loads(test);
	free(middle);
	free(last);
}

static void forgetting_keeps_the_scene_and_makes_the_file_small(void **state) {
	project_test *test = *state;
	for (size_t s = 0; s < STEPS - 1; s++) {
		run_command(test, &commands[sequence[s]]);
	}
	check_ok(snw_project_undo(test->project, NULL, &error), error);
	char *scene = dump_scene(test->path);
	struct stat before, after;
	assert_int_equal(stat(test->path, &before), 0);
	check_ok(snw_project_forget(test->project, &error), error);
	assert_int_equal(stat(test->path, &after), 0);
	assert_true(after.st_size < before.st_size);
	check_dump(test, scene, "the scene");
	assert_int_equal(undo_all(test), 0);
	assert_int_equal(snw_project_redo(test->project, NULL, &error), SNW_ERROR_MISSING);
	run_command(test, &commands[sequence[STEPS - 1]]);
	reopen(test);
	assert_int_equal(undo_all(test), 1);
	check_dump(test, scene, "the scene after a change taken back");
	free(scene);
}

TEST_GROUP(journal) {
	const struct CMUnitTest tests[] = {
		PROJECT_TEST(command_of_every_kind_is_undone_and_redone_exactly),
		PROJECT_TEST(part_that_is_taken_back_leaves_no_trace),
		PROJECT_TEST(history_is_walked_back_and_forth_across_reopening),
		PROJECT_TEST(new_command_drops_undone_commands),
		PROJECT_TEST(checkpoint_marks_the_present_entry),
		PROJECT_TEST(what_could_be_redone_can_be_again_after_a_command_is_taken_back),
		PROJECT_TEST(parts_that_cancel_each_other_leave_no_entry),
		PROJECT_TEST(command_that_changes_nothing_leaves_no_entry),
		PROJECT_TEST(command_rolled_back_or_left_open_never_was),
		PROJECT_TEST(command_that_failed_in_part_cannot_be_committed),
		PROJECT_TEST(skeleton_that_leaves_others_misfitting_is_refused_as_a_whole),
		PROJECT_TEST(joint_in_use_cannot_go_with_a_new_skeleton),
		PROJECT_TEST(row_in_use_is_kept_and_its_users_named),
		PROJECT_TEST(command_on_a_scene_that_another_program_has_changed_is_refused),
		PROJECT_TEST(command_that_is_not_the_newest_is_not_taken_back),
		PROJECT_TEST(finished_command_is_in_the_file_once_it_is_stored),
		PROJECT_TEST(finished_command_of_a_process_that_ends_never_was),
		PROJECT_TEST(name_of_another_row_is_refused),
		PROJECT_TEST(put_of_an_invalid_object_is_refused),
		PROJECT_TEST(layers_and_members_keep_their_order),
		PROJECT_TEST(removed_example_leaves_no_gap_in_its_group),
		PROJECT_TEST(pose_follows_its_joints_into_a_new_skeleton),
		PROJECT_TEST(reading_project_does_not_change),
		PROJECT_TEST(history_of_a_small_project_stays_small),
		PROJECT_TEST(what_was_taken_back_pushes_nothing_out_of_the_history),
		PROJECT_TEST(history_beyond_its_bytes_loses_the_oldest_alone),
		PROJECT_TEST(forgetting_keeps_the_scene_and_makes_the_file_small),
	};
	return cmocka_run_group_tests_name("journal", tests, NULL, NULL);
}
