/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Migration by the rows of tables and columns, as a later version will have a new one: the file becomes what this version
 * writes, its history still undoes, and a file that cannot be migrated stays as it was.
 */
#include "project/database/database.h"
#include "project/dump.h"
#include "written.h"

/* A project with a change in its history, as if two versions of the schema had not been yet: the table of examples has no
 * column 'has_chosen_driver', and there is no table of kept nodes. */
static const char *make_older(char **original, char **changed) {
	const char *path = make_project("older.sinew");
	snw_project *project = NULL;
	*original = dump_scene(path);
	check_ok(snw_project_open(path, false, &project, &error), error);
	check_ok(add_pose(project, "more"), error);
	snw_project_close(project);
	*changed = dump_scene(path);
	dump_execute(path, "ALTER TABLE example DROP COLUMN has_chosen_driver; DROP TABLE kept_node");
	return path;
}

/* The tables as if that column were new in the next version, and that table in the one after it. */
static const snw_table *newer_tables(void) {
	static snw_table tables[SNW_TABLE_COUNT];
	static snw_column columns[32];
	memcpy(tables, snw_tables, sizeof tables);
	tables[SNW_TABLE_KEPT_NODE].since = SNW_FIRST_SCHEMA + 2;
	snw_table *example = &tables[SNW_TABLE_EXAMPLE];
	assert_true(example->column_count <= sizeof columns / sizeof *columns);
	memcpy(columns, example->columns, example->column_count * sizeof *columns);
	for (uint32_t c = 0; c < example->column_count; c++) {
		columns[c].since = strcmp(columns[c].name, "has_chosen_driver") == 0 ? SNW_FIRST_SCHEMA + 1 : 0;
	}
	example->columns = columns;
	return tables;
}

static int64_t version_of(const char *path) {
	return dump_integer(path, "SELECT schema_version FROM project");
}

static snw_status open_and_migrate(const char *path, bool read_only, snw_project **project) {
	check_ok(snw_database_open(path, read_only, project, &error), error);
	return snw_migrate(*project, newer_tables(), SNW_FIRST_SCHEMA, &error);
}

static void file_is_migrated_and_keeps_its_history(void **state) {
	(void)state;
	char *original, *changed;
	const char *path = make_older(&original, &changed);
	snw_project *project = NULL;
	check_ok(open_and_migrate(path, false, &project), error);
	snw_project_close(project);
	char *migrated = dump_scene(path);
	assert_string_equal(changed, migrated);
	assert_int_equal(version_of(path), SNW_FIRST_SCHEMA + 2);
	dump_execute(path, "UPDATE project SET schema_version = 19"); /* it has that version's tables */
	check_ok(snw_project_open(path, false, &project, &error), error);
	check_ok(snw_project_undo(project, NULL, &error), error);
	char *undone = dump_scene(path);
	assert_string_equal(original, undone);
	snw_project_close(project);
	free(original);
	free(changed);
	free(migrated);
	free(undone);
	unlink(path);
}

static void file_that_is_read_is_migrated_in_memory(void **state) {
	(void)state;
	char *original, *changed;
	const char *path = make_older(&original, &changed);
	snw_project *project = NULL;
	snw_scene *scene = NULL;
	check_ok(open_and_migrate(path, true, &project), error);
	check_ok(snw_project_scene(project, &scene, &error), error);
	assert_int_equal(scene->example_count, 2);
	snw_scene_destroy(scene);
	snw_project_close(project);
	assert_int_equal(version_of(path), SNW_FIRST_SCHEMA);
	free(original);
	free(changed);
	unlink(path);
}

static void migration_that_fails_leaves_the_file_as_it_was(void **state) {
	(void)state;
	char *original, *changed;
	const char *path = make_older(&original, &changed);
	dump_execute(path, "ALTER TABLE joint RENAME COLUMN position TO place");
	char *before = dump_scene(path);
	snw_project *project = NULL;
	assert_int_equal(open_and_migrate(path, false, &project), SNW_ERROR_DATA);
	assert_non_null(strstr(error.text, "table 'joint' does not match the schema"));
	snw_project_close(project);
	char *after = dump_scene(path);
	assert_string_equal(before, after);
	assert_int_equal(version_of(path), SNW_FIRST_SCHEMA);
	free(original);
	free(changed);
	free(before);
	free(after);
	unlink(path);
}

/* What is new is so since a version after the first, from which files are migrated. Rows of older files get columns that were
 * added, and changes in their history count columns. */
static void columns_that_were_added_have_defaults_and_are_last(void **state) {
	(void)state;
	assert_int_equal(snw_schema_version(snw_tables), 19);
	for (size_t t = 0; t < SNW_TABLE_COUNT; t++) {
		assert_true(snw_tables[t].since == 0 || snw_tables[t].since > SNW_FIRST_SCHEMA);
		for (uint32_t c = 1; c < snw_tables[t].column_count; c++) {
			const snw_column *column = &snw_tables[t].columns[c];
			assert_true(column->since == 0 || column->since > SNW_FIRST_SCHEMA);
			assert_true(column->since == 0 || column->optional || column->initial);
			assert_true(column->since >= column[-1].since);
		}
	}
}

TEST_GROUP(migrate) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(file_is_migrated_and_keeps_its_history),
		cmocka_unit_test(file_that_is_read_is_migrated_in_memory),
		cmocka_unit_test(migration_that_fails_leaves_the_file_as_it_was),
		cmocka_unit_test(columns_that_were_added_have_defaults_and_are_last),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
