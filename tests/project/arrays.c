/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Arrays that are rows of their own: a commit writes a new one once and no unchanged one again, undo and redo find them after
 * the file is opened again, and they go with the last row or change that needs them.
 */
#include "pose/pose.h"
#include "project/dump.h"
#include "project/project.h"
#include "sample/sample.h"
#include "scene/fixture.h"

static snw_error error;

enum { POINTS = 20000 };

typedef struct sculpted {
	const char *path;
	snw_project *project;
	snw_scene *scene;
	snw_example example; /* of all points but one */
} sculpted;

/* The limb with a sculpt. */
static int open_sculpted(void **state) {
	static sculpted test;
	snw_scene *scene = snw_limb_make(POINTS);
	test.path = check_scratch("arrays.sinew");
	check_ok(snw_project_write(test.path, scene, "made", &error), error);
	snw_scene_destroy(scene);
	check_ok(snw_project_open(test.path, false, &test.project, &error), error);
	check_ok(snw_project_scene(test.project, &test.scene, &error), error);
	const snw_mesh *mesh = &test.scene->meshes[0];
	uint32_t *edited = SNW_NEW_ARRAY(test.scene->arena, uint32_t, mesh->point_count);
	for (uint32_t i = 0; i + 1 < mesh->point_count; i++) {
		edited[i] = i;
	}
	test.example = (snw_example){.name = "sculpt", .edited = edited, .edited_count = mesh->point_count - 1};
	*state = &test;
	return 0;
}

static int close_sculpted(void **state) {
	sculpted *test = *state;
	snw_project_close(test->project);
	snw_scene_destroy(test->scene);
	unlink(test->path);
	return 0;
}

static void reopen(sculpted *test) {
	snw_project_close(test->project);
	check_ok(snw_project_open(test->path, false, &test->project, &error), error);
}

/* The points at rest, shifted. */
static void put(sculpted *test, double shift, bool muted) {
	const snw_mesh *mesh = &test->scene->meshes[0];
	double *points = SNW_NEW_ARRAY(test->scene->arena, double, 3 * (size_t)mesh->point_count);
	for (size_t i = 0; i < 3 * (size_t)mesh->point_count; i++) {
		points[i] = mesh->points_rest[i] + shift;
	}
	test->example.points_posed = points;
	test->example.muted = muted;
	check_ok(snw_project_put_example(test->project, &test->example, test->scene->poses[0].id, mesh->id, mesh->point_count, NULL,
									 &error),
			 error);
}

static void stroke(sculpted *test, double shift, bool muted) {
	check_ok(snw_project_begin(test->project, "stroke", &error), error);
	put(test, shift, muted);
	check_ok(snw_project_commit(test->project, &error), error);
}

static size_t point_bytes(const sculpted *test) {
	return 3 * sizeof(double) * test->example.edited_count;
}

static int64_t arrays(const sculpted *test) {
	return dump_integer(test->path, "SELECT count(*) FROM array");
}

/* The bytes that this process has given to the system to write. */
static size_t bytes_written(void) {
	FILE *file = fopen("/proc/self/io", "r");
	size_t bytes = 0;
	if (!file || fscanf(file, "rchar: %*u wchar: %zu", &bytes) != 1) {
		fail_msg("the system does not count bytes");
	}
	fclose(file);
	return bytes;
}

static void commit_writes_a_new_array_once_and_no_old_one(void **state) {
	sculpted *test = *state;
	enum { PAGES = 1 << 17 };
	stroke(test, 0.1, false);
	assert_int_equal(arrays(test), 2);
	size_t before = bytes_written();
	stroke(test, 0.2, false); /* the same points as before were edited */
	const size_t written = bytes_written() - before;
	assert_in_range(written, point_bytes(test), point_bytes(test) + point_bytes(test) / 50 + PAGES);
	assert_int_equal(arrays(test), 3);
	before = bytes_written();
	stroke(test, 0.2, true);
	assert_true(bytes_written() - before < PAGES);
	assert_int_equal(arrays(test), 3);
	assert_true(dump_integer(test->path, "SELECT max(length(changeset)) FROM journal_change") < 1000);
}

static void undo_and_redo_find_the_arrays_of_a_file_that_is_opened_again(void **state) {
	sculpted *test = *state;
	enum { STROKES = 4 };
	char *dumps[STROKES + 1];
	dumps[0] = dump_scene(test->path);
	for (int s = 0; s < STROKES; s++) {
		stroke(test, 0.1 + s, s == 2);
		dumps[s + 1] = dump_scene(test->path);
	}
	for (int s = STROKES; s > 0; s--) {
		reopen(test);
		check_ok(snw_project_undo(test->project, NULL, &error), error);
		char *found = dump_scene(test->path);
		assert_string_equal(found, dumps[s - 1]);
		free(found);
	}
	for (int s = 0; s < STROKES; s++) {
		reopen(test);
		check_ok(snw_project_redo(test->project, NULL, &error), error);
		char *found = dump_scene(test->path);
		assert_string_equal(found, dumps[s + 1]);
		free(found);
	}
	for (int s = 0; s <= STROKES; s++) {
		free(dumps[s]);
	}
}

/* Also of changes that were undone, taken back, put over in the same command, or joined. */
static void array_that_nothing_needs_is_deleted(void **state) {
	sculpted *test = *state;
	stroke(test, 0.1, false);
	stroke(test, 0.2, false);
	assert_int_equal(arrays(test), 3);
	check_ok(snw_project_take_back(test->project, &error), error);
	assert_int_equal(arrays(test), 2);
	check_ok(snw_project_begin(test->project, "twice", &error), error);
	put(test, 0.3, false);
	put(test, 0.4, false);
	check_ok(snw_project_commit(test->project, &error), error);
	assert_int_equal(arrays(test), 3);
	check_ok(snw_project_begin_amend(test->project, &error), error);
	put(test, 0.5, false);
	check_ok(snw_project_commit(test->project, &error), error);
	assert_int_equal(arrays(test), 3);
	check_ok(snw_project_undo(test->project, NULL, &error), error);
	assert_int_equal(arrays(test), 3); /* it can be redone */
	stroke(test, 0.6, false);
	stroke(test, 0.7, false);
	assert_int_equal(arrays(test), 4); /* not any more */
	check_ok(snw_project_undo(test->project, NULL, &error), error);
	check_ok(snw_project_undo(test->project, NULL, &error), error);
	snw_scene *scene = NULL;
	check_ok(snw_project_scene(test->project, &scene, &error), error);
	check_near(scene->examples[0].points_posed[0], scene->meshes[0].points_rest[0] + 0.1, 1e-15);
	snw_scene_destroy(scene);
}

static void history_that_is_trimmed_frees_its_arrays(void **state) {
	sculpted *test = *state;
	enum { STROKES = 12 };
	/* Of four changes, beside the pages of the tables. */
	snw_project_limit_history(test->project, 4 * point_bytes(test) + 5000);
	for (int s = 0; s < STROKES; s++) {
		stroke(test, s, false);
	}
	assert_int_equal(arrays(test), 1 + 1 + 4); /* the edited points, what is shown, and what four changes replaced */
	const int64_t free_pages = dump_integer(test->path, "PRAGMA freelist_count");
	stroke(test, 0.5, false);
	assert_true(dump_integer(test->path, "PRAGMA freelist_count") <= free_pages + 2);
	int undone = 0;
	while (!snw_failed(snw_project_undo(test->project, NULL, &error))) {
		undone++;
	}
	assert_int_equal(undone, 4);
	check_ok(snw_project_forget(test->project, &error), error);
	assert_int_equal(arrays(test), 2);
	assert_int_equal(dump_integer(test->path, "SELECT count(*) FROM journal_array"), 0);
	reopen(test);
	stroke(test, 0.25, false);
	check_ok(snw_project_undo(test->project, NULL, &error), error);
}

static void refuse_scene(const char *path, const char *words) {
	snw_project *project = NULL;
	snw_scene *scene = NULL;
	check_ok(snw_project_open(path, false, &project, &error), error);
	assert_int_equal(snw_project_scene(project, &scene, &error), SNW_ERROR_DATA);
	if (!strstr(error.text, words) || strchr(error.text, '\n')) {
		fail_msg("'%s' does not say '%s' in one line", error.text, words);
	}
	snw_project_close(project);
}

static void array_that_is_missing_or_of_the_wrong_size_gives_one_line(void **state) {
	sculpted *test = *state;
	stroke(test, 0.1, false);
	stroke(test, 0.2, false);
	snw_project_close(test->project);
	/* What a change needs: nothing is undone. */
	char *before = dump_scene(test->path);
	dump_execute(test->path,
				 "CREATE TABLE kept AS SELECT * FROM array; "
				 "DELETE FROM array WHERE id NOT IN (SELECT points_posed FROM example UNION SELECT edited FROM example)");
	check_ok(snw_project_open(test->path, false, &test->project, &error), error);
	assert_int_equal(snw_project_undo(test->project, NULL, &error), SNW_ERROR_DATA);
	assert_non_null(strstr(error.text, "its journal does not match its contents"));
	snw_project_close(test->project);
	char *after = dump_scene(test->path);
	assert_string_equal(before, after);
	free(before);
	free(after);
	static const struct {
		const char *sql, *words;
	} damages[] = {
		{"DELETE FROM array WHERE id = (SELECT points_posed FROM example)",
		 "the table 'example' is damaged: its column 'points_posed' refers to an array that is missing"},
		{"DELETE FROM array WHERE id = (SELECT edited FROM example)", "'edited' refers to an array that is missing"},
		{"UPDATE array SET bytes = substr(bytes, 9) WHERE id = (SELECT points_posed FROM example)", "'points_posed' has"},
		{"UPDATE array SET bytes = substr(bytes, 4) WHERE id = (SELECT edited FROM example)", "'edited' has"},
		{"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 99) INSERT INTO example (name, pose, mesh, "
		 "points_posed, edited) SELECT 'e' || i, pose, mesh, points_posed, edited FROM example, n",
		 "more bytes than the file can hold"},
	};
	for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
		dump_execute(test->path, damages[i].sql);
		refuse_scene(test->path, damages[i].words);
		dump_execute(test->path, "INSERT OR REPLACE INTO array SELECT * FROM kept");
	}
	check_ok(snw_project_open(test->path, true, &test->project, &error), error);
}

TEST_GROUP(arrays) {
#define ARRAYS_TEST(name) cmocka_unit_test_setup_teardown(name, open_sculpted, close_sculpted)
	const struct CMUnitTest tests[] = {
		ARRAYS_TEST(commit_writes_a_new_array_once_and_no_old_one),
		ARRAYS_TEST(undo_and_redo_find_the_arrays_of_a_file_that_is_opened_again),
		ARRAYS_TEST(array_that_nothing_needs_is_deleted),
		ARRAYS_TEST(history_that_is_trimmed_frees_its_arrays),
		ARRAYS_TEST(array_that_is_missing_or_of_the_wrong_size_gives_one_line),
	};
	return cmocka_run_group_tests_name("arrays", tests, NULL, NULL);
}
