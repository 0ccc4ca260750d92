/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Commands, and the journal that takes them back: every kind of command is undone and redone to the same bytes in every row.
 */
#include "project/dump.h"
#include "project/project.h"
#include "scene/fixture.h"

static snw_error error;

/* A project with the fixture's scene in it, open for writing; `scene` is what it holds. */
typedef struct project_test {
	const char *path;
	snw_project *project;
	snw_scene *scene;
} project_test;

static int open_test(void **state) {
	static project_test test;
	snw_scene *scene = fixture_scene();
	test.path = check_scratch("journal.sinew");
	check_ok(snw_project_write(test.path, scene, "import thing.glb", &error), error);
	snw_scene_destroy(scene);
	check_ok(snw_project_open(test.path, false, &test.project, &error), error);
	check_ok(snw_project_scene(test.project, &test.scene, &error), error);
	*state = &test;
	return 0;
}

static int close_test(void **state) {
	project_test *test = *state;
	snw_project_close(test->project);
	snw_scene_destroy(test->scene);
	unlink(test->path);
	return 0;
}

static void reopen(project_test *test) {
	snw_project_close(test->project);
	check_ok(snw_project_open(test->path, false, &test->project, &error), error);
}

/* ---- one of every kind of command -------------------------------------------------------------------------------------- */

static snw_pose changed_pose(const project_test *test, const char *name) {
	snw_pose pose = test->scene->poses[1];
	pose.id = 0;
	pose.name = name;
	pose.seconds += 1;
	return pose;
}

static snw_status add_pose(project_test *test) {
	const snw_pose pose = changed_pose(test, "new pose");
	int64_t id = 0;
	const snw_status status = snw_project_put_pose(test->project, &pose, &id, &error);
	assert_true(id > test->scene->poses[2].id);
	return status;
}

static snw_status replace_pose_by_name(project_test *test) {
	const snw_pose pose = changed_pose(test, "bent");
	int64_t id = 0;
	const snw_status status = snw_project_put_pose(test->project, &pose, &id, &error);
	assert_int_equal(id, test->scene->poses[1].id);
	return status;
}

static snw_status rename_pose_by_id(project_test *test) {
	snw_pose pose = changed_pose(test, "bent further");
	pose.id = test->scene->poses[1].id;
	return snw_project_put_pose(test->project, &pose, NULL, &error);
}

static snw_status put_example(project_test *test, const char *name, double shift) {
	double points[24];
	for (int i = 0; i < 24; i++) {
		points[i] = test->scene->examples[0].points_posed[i] + shift;
	}
	const snw_example example = {.name = name, .points_posed = points};
	return snw_project_put_example(test->project, &example, test->scene->poses[2].id, test->scene->meshes[0].id, 8, NULL,
								   &error);
}

static snw_status add_example(project_test *test) {
	return put_example(test, "another", 0.5);
}

static snw_status replace_example(project_test *test) {
	return put_example(test, "bend", 0.25);
}

static snw_status remove_example_with_its_group(project_test *test) {
	return snw_project_remove(test->project, SNW_PROJECT_EXAMPLE, test->scene->examples[0].id, &error);
}

static snw_status remove_first_member(project_test *test) {
	return snw_project_remove(test->project, SNW_PROJECT_EXAMPLE, test->scene->examples[1].id, &error);
}

static snw_status remove_example_then_its_pose(project_test *test) {
	const snw_status status = remove_first_member(test);
	return status ? status : snw_project_remove(test->project, SNW_PROJECT_POSE, test->scene->poses[2].id, &error);
}

static snw_status put_group(project_test *test, const char *name) {
	const snw_group group = {.name = name, .joint_count = 1, .joints = (uint32_t[]){2}, .member_count = 2};
	const snw_example *examples = test->scene->examples;
	return snw_project_put_group(test->project, &group, (int64_t[]){examples[0].id, examples[1].id},
								 (int64_t[]){test->scene->fields[0].id, 0}, NULL, &error);
}

static snw_status add_group(project_test *test) {
	return put_group(test, "both");
}

static snw_status reorder_group(project_test *test) {
	return put_group(test, "left");
}

static snw_status remove_group(project_test *test) {
	return snw_project_remove(test->project, SNW_PROJECT_GROUP, test->scene->groups[0].id, &error);
}

static snw_status put_field(project_test *test, const char *name) {
	const snw_field field = {
		.name = name, .domain = SNW_DOMAIN_POINTS, .components = 1, .count = 8, .values = (double[8]){0, 1, 0, 1, 0, 1, 0, 1}};
	return snw_project_put_field(test->project, &field, test->scene->meshes[0].id, NULL, &error);
}

static snw_status add_field(project_test *test) {
	return put_field(test, "painted");
}

static snw_status replace_field(project_test *test) {
	return put_field(test, "mask");
}

static snw_status remove_field(project_test *test) {
	return snw_project_remove(test->project, SNW_PROJECT_FIELD, test->scene->fields[3].id, &error);
}

/* So many frames that the change takes several pieces of the journal. */
static snw_status put_target(project_test *test, const char *name, uint32_t frame_count) {
	float *points = calloc(24 * (size_t)frame_count, sizeof *points);
	double *seconds = calloc(frame_count, sizeof *seconds);
	for (uint32_t f = 0; f < frame_count; f++) {
		seconds[f] = f;
		points[24 * f] = (float)f;
	}
	const snw_target target = {.name = name, .frame_count = frame_count, .seconds = seconds, .points_posed = points};
	const snw_status status =
		snw_project_put_target(test->project, &target, test->scene->meshes[0].id, 8, test->scene->clips[1].id, NULL, &error);
	free(points);
	free(seconds);
	return status;
}

static snw_status add_large_target(project_test *test) {
	return put_target(test, "dance", 12000);
}

static snw_status replace_target(project_test *test) {
	return put_target(test, "walked", 5);
}

static snw_status remove_target(project_test *test) {
	return snw_project_remove(test->project, SNW_PROJECT_TARGET, test->scene->targets[0].id, &error);
}

static snw_status put_clip(project_test *test, const char *name) {
	snw_clip clip = test->scene->clips[0];
	clip.id = 0;
	clip.name = name;
	clip.tracks++;
	clip.track_count = 2;
	return snw_project_put_clip(test->project, &clip, NULL, &error);
}

static snw_status add_clip(project_test *test) {
	return put_clip(test, "tracked");
}

static snw_status replace_clip(project_test *test) {
	return put_clip(test, "walk");
}

static snw_status remove_clip(project_test *test) {
	return snw_project_remove(test->project, SNW_PROJECT_CLIP, test->scene->clips[1].id, &error);
}

static snw_status put_model(project_test *test, const char *name) {
	const snw_saved_model model = {.name = name,
								   .deformer = "org.sinew.psd",
								   .deformer_version = "2",
								   .bytes = (const unsigned char *)"\0\0model",
								   .byte_count = 7};
	return snw_project_put_model(test->project, &model, NULL, &error);
}

static snw_status add_model(project_test *test) {
	return put_model(test, "fresh");
}

static snw_status replace_model(project_test *test) {
	return put_model(test, "psd");
}

static snw_status remove_model(project_test *test) {
	return snw_project_remove(test->project, SNW_PROJECT_MODEL, test->scene->models[1].id, &error);
}

static snw_status add_layer_at_the_bottom(project_test *test) {
	const snw_layer layer = {.name = "twist",
							 .deformer = "org.sinew.twist",
							 .deformer_version = "1",
							 .setting_count = 1,
							 .settings = &(snw_setting){"k", 2}};
	return snw_project_put_layer(test->project, &layer, 0, 0, NULL, &error);
}

static snw_status move_layer_up(project_test *test) {
	return snw_project_put_layer(test->project, &test->scene->layers[0], 0, 2, NULL, &error);
}

static snw_status mute_layer(project_test *test) {
	snw_layer layer = test->scene->layers[2];
	layer.muted = true;
	return snw_project_put_layer(test->project, &layer, test->scene->models[0].id, -1, NULL, &error);
}

static snw_status remove_layer_with_its_model(project_test *test) {
	return snw_project_remove(test->project, SNW_PROJECT_LAYER, test->scene->layers[2].id, &error);
}

static snw_status put_skin(project_test *test) {
	return snw_project_put_skin(test->project, test->scene->meshes[1].id, 3, (uint32_t[]){0, 1, 2, 4}, (uint32_t[]){0, 1, 0, 2},
								(double[]){1, 1, 0.5, 0.5}, &error);
}

/* One joint gets a new name, another moves, one is new; the slots are others. */
static snw_status put_skeleton(project_test *test) {
	snw_scene *scene = snw_scene_create();
	snw_skeleton *skeleton = &scene->skeleton;
	skeleton->joint_count = 5;
	skeleton->names = FIXTURE_COPY(scene->arena, (const char *[]){"root", "arm", "hand", "other root", "tail"});
	skeleton->parents = FIXTURE_COPY(scene->arena, (uint32_t[]){SNW_NONE, 0, 1, 4, 0});
	skeleton->rest_local = SNW_NEW_ARRAY(scene->arena, snw_transform, 5);
	for (int j = 0; j < 5; j++) {
		skeleton->rest_local[j] = (snw_transform){.translation = {j, 0, 0}, .rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
	}
	check_ok(snw_skeleton_finish(skeleton, scene->arena, &error), error);
	scene->slot_count = 3;
	scene->slot_joints = FIXTURE_COPY(scene->arena, (uint32_t[]){0, 1, 4});
	scene->slot_inverse_binds = SNW_NEW_ARRAY(scene->arena, double, 36);
	snw_status status = snw_project_put_skeleton(test->project, scene, &error);
	snw_scene_destroy(scene);
	/* What was counted by joints has to follow. */
	const snw_field field = {.id = test->scene->fields[2].id,
							 .name = "stiff",
							 .domain = SNW_DOMAIN_JOINTS,
							 .components = 1,
							 .count = 5,
							 .values = (double[5]){0}};
	return status ? status : snw_project_put_field(test->project, &field, 0, NULL, &error);
}

static snw_status many_things_at_once(project_test *test) {
	snw_status status = add_pose(test);
	status = status ? status : remove_example_with_its_group(test);
	status = status ? status : add_example(test);
	status = status ? status : move_layer_up(test);
	return status ? status : add_layer_at_the_bottom(test);
}

static const struct command {
	const char *name;
	snw_status (*run)(project_test *test);
} commands[] = {
#define COMMAND(name)                                                                                                          \
	{ #name, name }
	COMMAND(add_pose),
	COMMAND(replace_pose_by_name),
	COMMAND(rename_pose_by_id),
	COMMAND(add_example),
	COMMAND(replace_example),
	COMMAND(remove_example_with_its_group),
	COMMAND(remove_first_member),
	COMMAND(add_group),
	COMMAND(reorder_group),
	COMMAND(remove_group),
	COMMAND(add_field),
	COMMAND(replace_field),
	COMMAND(remove_field),
	COMMAND(add_large_target),
	COMMAND(replace_target),
	COMMAND(remove_target),
	COMMAND(add_clip),
	COMMAND(replace_clip),
	COMMAND(remove_clip),
	COMMAND(add_model),
	COMMAND(replace_model),
	COMMAND(remove_model),
	COMMAND(add_layer_at_the_bottom),
	COMMAND(move_layer_up),
	COMMAND(mute_layer),
	COMMAND(remove_layer_with_its_model),
	COMMAND(put_skin),
	COMMAND(put_skeleton),
	COMMAND(remove_example_then_its_pose),
	COMMAND(many_things_at_once),
#undef COMMAND
};
enum { COMMAND_COUNT = sizeof commands / sizeof *commands };

static void run_command(project_test *test, const struct command *command) {
	check_ok(snw_project_begin(test->project, command->name, &error), error);
	const snw_status status = command->run(test);
	if (status != SNW_OK) {
		fail_msg("%s: %s", command->name, error.text);
	}
	check_ok(snw_project_commit(test->project, &error), error);
}

static void check_scene_loads(project_test *test) {
	snw_scene *scene = NULL;
	check_ok(snw_project_scene(test->project, &scene, &error), error);
	snw_scene_destroy(scene);
}

static void check_dump(const project_test *test, const char *wanted, const char *what) {
	char *found = dump_scene(test->path);
	if (strcmp(found, wanted) != 0) {
		fail_msg("%s: the rows are not what they were", what);
	}
	free(found);
}

/* ---- the tests ------------------------------------------------------------------------------------------------------------ */

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

static void history_is_walked_back_and_forth_across_reopening(void **state) {
	project_test *test = *state;
	static const size_t sequence[] = {0, 3, 7, 10, 13, 16, 19, 22, 24, 26, 27};
	enum { STEPS = sizeof sequence / sizeof *sequence };
	char *dumps[STEPS + 1];
	dumps[0] = dump_scene(test->path);
	for (size_t s = 0; s < STEPS; s++) {
		run_command(test, &commands[sequence[s]]);
		dumps[s + 1] = dump_scene(test->path);
	}
	for (size_t s = STEPS; s > 0; s--) {
		reopen(test);
		check_ok(snw_project_undo(test->project, NULL, &error), error);
		check_dump(test, dumps[s - 1], commands[sequence[s - 1]].name);
	}
	assert_int_equal(snw_project_undo(test->project, NULL, &error), SNW_ERROR_MISSING);
	for (size_t s = 0; s < STEPS; s++) {
		check_ok(snw_project_redo(test->project, NULL, &error), error);
		check_dump(test, dumps[s + 1], commands[sequence[s]].name);
	}
	assert_int_equal(snw_project_redo(test->project, NULL, &error), SNW_ERROR_MISSING);
	for (size_t s = 0; s <= STEPS; s++) {
		free(dumps[s]);
	}
}

static void new_command_drops_what_was_undone(void **state) {
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
	assert_int_equal(dump_integer(test->path, "SELECT count(DISTINCT journal) FROM journal_change"), 2);
	snw_arena_destroy(arena);
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
	run_command(test, &commands[0]); /* the project goes on working */
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
	assert_non_null(strstr(error.text, "'other root' would go, but 'left', 'walk' use it"));
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

static void name_of_another_row_is_refused(void **state) {
	project_test *test = *state;
	snw_pose pose = test->scene->poses[1];
	pose.name = test->scene->poses[2].name;
	check_ok(snw_project_begin(test->project, "rename", &error), error);
	assert_int_equal(snw_project_put_pose(test->project, &pose, NULL, &error), SNW_ERROR_CONFLICT);
	snw_project_rollback(test->project);
}

static void put_of_what_would_not_load_is_refused(void **state) {
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

static void example_that_goes_leaves_no_gap_in_its_group(void **state) {
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

int main(void) {
	const struct CMUnitTest tests[] = {
		PROJECT_TEST(command_of_every_kind_is_undone_and_redone_exactly),
		PROJECT_TEST(history_is_walked_back_and_forth_across_reopening),
		PROJECT_TEST(new_command_drops_what_was_undone),
		PROJECT_TEST(checkpoint_marks_the_present_entry),
		PROJECT_TEST(command_that_changes_nothing_leaves_no_entry),
		PROJECT_TEST(command_rolled_back_or_left_open_never_was),
		PROJECT_TEST(command_that_failed_in_part_cannot_be_committed),
		PROJECT_TEST(skeleton_that_leaves_others_misfitting_is_refused_as_a_whole),
		PROJECT_TEST(joint_in_use_cannot_go_with_a_new_skeleton),
		PROJECT_TEST(row_in_use_is_kept_and_its_users_named),
		PROJECT_TEST(name_of_another_row_is_refused),
		PROJECT_TEST(put_of_what_would_not_load_is_refused),
		PROJECT_TEST(layers_and_members_keep_their_order),
		PROJECT_TEST(example_that_goes_leaves_no_gap_in_its_group),
		PROJECT_TEST(pose_follows_its_joints_into_a_new_skeleton),
		PROJECT_TEST(reading_project_does_not_change),
	};
	return cmocka_run_group_tests_name("journal", tests, NULL, NULL);
}
