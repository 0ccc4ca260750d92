/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Untrusted projects: files beside them and their history must not touch other files, run code, or loop forever.
 */
#include <sys/stat.h>

#include "files.h"
#include "mutate.h"
#include "project/dump.h"
#include "written.h"

/* A project with a change in its history. */
static const char *make_changed_project(const char *name) {
	const char *path = make_project(name);
	snw_project *project = NULL;
	check_ok(snw_project_open(path, false, &project, &error), error);
	check_ok(add_pose(project, "more"), error);
	snw_project_close(project);
	return path;
}

static void refuse_to_open(const char *path, const char *words) {
	for (int read_only = 0; read_only < 2; read_only++) {
		refuse(path, read_only, SNW_ERROR_DATA, words);
	}
}

/* ---- files beside the project -------------------------------------------------------------------------------------------- */

static void put_u32(unsigned char *at, uint32_t value) { /* big endian, as SQLite's journals are */
	for (int i = 0; i < 4; i++) {
		at[i] = (unsigned char)(value >> (24 - 8 * i));
	}
}

/* A journal of no pages that refers to another file, which SQLite takes for one that waits to be rolled back. */
static void plant_journal(const char *path, const char *journal, const char *victim) {
	static const unsigned char magic[8] = {0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7};
	unsigned char bytes[2048] = {0};
	const size_t length = strlen(victim);
	uint32_t sum = 0;
	memcpy(bytes, magic, sizeof magic);
	const uint32_t page_size = (uint32_t)dump_integer(path, "PRAGMA page_size");
	put_u32(bytes + 16, (uint32_t)dump_integer(path, "PRAGMA page_count"));
	put_u32(bytes + 20, 512); /* the size of a sector */
	put_u32(bytes + 24, page_size);
	unsigned char *name = bytes + 516;
	put_u32(bytes + 512, 0x40000000 / page_size + 1);
	memcpy(name, victim, length);
	for (size_t i = 0; i < length; i++) {
		sum += (uint32_t)(signed char)name[i];
	}
	put_u32(name + length, (uint32_t)length);
	put_u32(name + length + 4, sum);
	memcpy(name + length + 8, magic, sizeof magic);
	file_write(journal, bytes, 516 + length + 16);
}

static void journal_that_names_another_file_does_not_delete_it(void **state) {
	(void)state;
	const char *path = make_changed_project("planted.sinew");
	char journal[1100], victim[1100];
	snprintf(journal, sizeof journal, "%s-journal", path);
	snprintf(victim, sizeof victim, "%s", file_of_text("victim.txt", "work of years"));
	char *before = dump_scene(path);
	plant_journal(path, journal, victim);
	refuse_to_open(path, "refers to another file");
	assert_int_equal(access(victim, F_OK), 0);
	assert_int_equal(access(journal, F_OK), 0);
	/* What the test is about: SQLite alone deletes it. */
	assert_true(dump_integer(path, "SELECT count(*) FROM pose") > 0);
	assert_int_not_equal(access(victim, F_OK), 0);
	char *after = dump_scene(path);
	assert_string_equal(before, after);
	free(before);
	free(after);
	unlink(path);
}

static void journal_that_is_a_link_is_not_followed(void **state) {
	(void)state;
	const char *path = make_changed_project("linked.sinew");
	char journal[1100], victim[1100];
	snprintf(journal, sizeof journal, "%s-journal", path);
	snprintf(victim, sizeof victim, "%s", file_of_text("victim.txt", "work of years"));
	assert_int_equal(symlink(victim, journal), 0);
	refuse_to_open(path, "not a regular file");
	/* A new project replaces it, and the link. */
	snw_scene *scene = fixture_scene();
	check_ok(snw_project_write(path, scene, "made", &error), error);
	snw_scene_destroy(scene);
	struct stat info;
	assert_int_not_equal(lstat(journal, &info), 0);
	size_t count = 0;
	char *text = (char *)file_bytes(victim, &count);
	assert_string_equal(text, "work of years");
	free(text);
	unlink(victim);
	unlink(path);
}

/* ---- the history --------------------------------------------------------------------------------------------------------- */

static void put_changeset(const char *path, const void *bytes, size_t count) {
	sqlite3 *database = dump_open(path);
	sqlite3_stmt *statement = NULL;
	dump_check(database, sqlite3_prepare_v2(database, "UPDATE journal_change SET changeset = ?1", -1, &statement, NULL),
			   SQLITE_OK);
	sqlite3_bind_blob64(statement, 1, count ? bytes : "", count, SQLITE_STATIC);
	dump_check(database, sqlite3_step(statement), SQLITE_DONE);
	sqlite3_finalize(statement);
	sqlite3_close(database);
}

/* Undoes the last change, if possible: SNW_OK, or one line that says that nothing was changed. */
static snw_status undo(const char *path) {
	snw_project *project = NULL;
	check_ok(snw_project_open(path, false, &project, &error), error);
	char *before = dump_scene(path);
	const snw_status status = snw_project_undo(project, NULL, &error);
	snw_project_close(project);
	if (snw_failed(status)) {
		char *after = dump_scene(path);
		assert_string_equal(before, after);
		free(after);
		if (strchr(error.text, '\n') || !strstr(error.text, "nothing was changed")) {
			fail_msg("'%s' does not say in one line that nothing was changed", error.text);
		}
	}
	free(before);
	return status;
}

static void history_of_a_few_wrong_bytes_is_refused(void **state) {
	(void)state;
	static const struct {
		const char *bytes;
		size_t count;
	} wrong[] = {
		{"T", 1},                                        /* no columns */
		{"T\0", 2},                                      /* none of them */
		{"T\1\1", 3},                                    /* no name */
		{"T\1\1\0", 4},                                  /* an empty one */
		{"T\1\0pose\0", 8},                              /* no key */
		{"T\1\1pose", 7},                                /* a name without an end */
		{"T\1\1pose\0\x12", 9},                          /* an operation alone */
		{"T\1\1pose\0\x12\0\1\0\0", 13},                 /* half a number */
		{"T\1\1pose\0\x12\0\3\x81", 12},                 /* half a length */
		{"T\1\1pose\0\x12\0\3\xff\xff\xff\xff\x7f", 16}, /* a length beyond everything */
		{"T\1\1pose\0\x12\0\0", 11},                     /* an insert of nothing */
		{"T\1\1pose\0\x07\0", 10},                       /* an unknown operation */
		{"\x12\0\5", 3},                                 /* a change of no table */
		{"P\1\1pose\0", 8},                              /* a patchset */
		{"T\xff\xff\xff\xff\x7f", 6},                    /* two thousand million columns */
	};
	const char *path = make_changed_project("history.sinew");
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		put_changeset(path, wrong[i].bytes, wrong[i].count);
		if (undo(path) != SNW_ERROR_DATA || !strstr(error.text, "history is damaged")) {
			fail_msg("changeset %zu: '%s'", i, error.text);
		}
	}
	unlink(path);
}

/* Without the walk it would hang: SQLite's reader loops over some of them. */
static void damaged_history_never_hangs(void **state) {
	(void)state;
	const char *path = make_changed_project("mutated.sinew"), *bytes_path = check_scratch("copy.sinew");
	size_t count = 0, file_count = 0;
	sqlite3 *database = dump_open(path);
	sqlite3_stmt *row = NULL;
	dump_check(database, sqlite3_prepare_v2(database, "SELECT changeset FROM journal_change", -1, &row, NULL), SQLITE_OK);
	dump_check(database, sqlite3_step(row), SQLITE_ROW);
	count = (size_t)sqlite3_column_bytes(row, 0);
	unsigned char *changeset = malloc(count);
	assert_non_null(changeset);
	memcpy(changeset, sqlite3_column_blob(row, 0), count);
	sqlite3_finalize(row);
	sqlite3_close(database);
	unsigned char *whole = file_bytes(path, &file_count);
	uint64_t random = random_seed();
	for (int round = 0; round < 60; round++) {
		size_t mutated_count = 0;
		unsigned char *mutated = mutate_copy(changeset, count, random_next(&random), &mutated_count);
		assert_non_null(mutated);
		file_write(bytes_path, whole, file_count);
		put_changeset(bytes_path, mutated, mutated_count);
		(void)undo(bytes_path);
		free(mutated);
	}
	free(whole);
	free(changeset);
	unlink(bytes_path);
	unlink(path);
}

/* SQLite takes an index on POSE for one on pose. */
static void index_under_another_case_of_its_table_is_refused(void **state) {
	(void)state;
	const char *path = make_changed_project("case.sinew");
	dump_execute(path, "CREATE INDEX sly ON pose (name); PRAGMA writable_schema = ON;"
					   "UPDATE sqlite_schema SET tbl_name = 'POSE' WHERE name = 'sly'");
	refuse_to_open(path, "extra index 'sly'");
	unlink(path);
}

TEST_GROUP(untrusted) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(journal_that_names_another_file_does_not_delete_it),
		cmocka_unit_test(journal_that_is_a_link_is_not_followed),
		cmocka_unit_test(history_of_a_few_wrong_bytes_is_refused),
		cmocka_unit_test(damaged_history_never_hangs),
		cmocka_unit_test(index_under_another_case_of_its_table_is_refused),
	};
	return cmocka_run_group_tests_name("untrusted projects", tests, NULL, NULL);
}
