/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Migration by the rows of tables and columns, as a later version will have a new one: the file becomes what this version
 * writes, its history still undoes, and a file that cannot be migrated stays as it was.
 */
#include "project/database/database.h"
#include "project/dump.h"
#include "written.h"

/* A project with a change in its history, as if the table of examples had no column 'has_chosen_driver' yet. */
static const char *make_older(char **original, char **changed) {
	const char *path = make_project("older.sinew");
	snw_project *project = NULL;
	*original = dump_scene(path);
	check_ok(snw_project_open(path, false, &project, &error), error);
	check_ok(add_pose(project, "more"), error);
	snw_project_close(project);
	*changed = dump_scene(path);
	dump_execute(path, "ALTER TABLE example DROP COLUMN has_chosen_driver; UPDATE project SET schema_version = 13");
	return path;
}

/* The tables as if that column were new in the next version. */
static const snw_table *newer_tables(void) {
	static snw_table tables[SNW_TABLE_COUNT];
	static snw_column columns[32];
	memcpy(tables, snw_tables, sizeof tables);
	snw_table *example = &tables[SNW_TABLE_EXAMPLE];
	assert_true(example->column_count <= sizeof columns / sizeof *columns);
	memcpy(columns, example->columns, example->column_count * sizeof *columns);
	for (uint32_t c = 0; c < example->column_count; c++) {
		columns[c].since = strcmp(columns[c].name, "has_chosen_driver") == 0 ? snw_schema_version() + 1 : columns[c].since;
	}
	example->columns = columns;
	return tables;
}

static void file_is_migrated_and_keeps_its_history(void **state) {
	(void)state;
	char *original, *changed;
	const char *path = make_older(&original, &changed);
	snw_project *project = NULL;
	check_ok(snw_database_open(path, false, &project, &error), error);
	check_ok(snw_migrate(project, newer_tables(), snw_schema_version(), &error), error);
	snw_project_close(project);
	char *migrated = dump_scene(path);
	assert_string_equal(changed, migrated);
	assert_int_equal(dump_integer(path, "SELECT schema_version FROM project"), snw_schema_version());
	check_ok(snw_project_open(path, false, &project, &error), error); /* its tables are those of this version */
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
	check_ok(snw_database_open(path, true, &project, &error), error);
	check_ok(snw_migrate(project, newer_tables(), snw_schema_version(), &error), error);
	check_ok(snw_project_scene(project, &scene, &error), error);
	assert_int_equal(scene->example_count, 2);
	snw_scene_destroy(scene);
	snw_project_close(project);
	assert_int_equal(dump_integer(path, "SELECT schema_version FROM project"), 13);
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
	check_ok(snw_database_open(path, false, &project, &error), error);
	assert_int_equal(snw_migrate(project, newer_tables(), snw_schema_version(), &error), SNW_ERROR_DATA);
	assert_non_null(strstr(error.text, "table 'joint' does not match the schema"));
	snw_project_close(project);
	char *after = dump_scene(path);
	assert_string_equal(before, after);
	assert_int_equal(dump_integer(path, "SELECT schema_version FROM project"), 13);
	free(original);
	free(changed);
	free(before);
	free(after);
	unlink(path);
}

/* As they were before version 19. */
static void put_arrays_into_rows(const char *path) {
	static const char *const tables[] = {"field", "example", "sculpt_layer", "model"};
	for (size_t t = 0; t < sizeof tables / sizeof *tables; t++) {
		sqlite3 *database = dump_open(path);
		char sql[1000], *select = dump_select(database, tables[t]);
		sqlite3_close(database);
		snprintf(sql, sizeof sql, "CREATE TABLE older AS %s; DROP TABLE %s; ALTER TABLE older RENAME TO %s", select, tables[t],
				 tables[t]);
		dump_execute(path, sql);
		free(select);
	}
	dump_execute(path, "DROP TABLE array; DROP TABLE journal_array");
}

static void file_without_attributes_and_in_betweens_gets_none(void **state) {
	(void)state;
	const char *path = make_project("fifteen.sinew");
	snw_project *project = NULL;
	snw_scene *scene = NULL;
	put_arrays_into_rows(path);
	dump_execute(path, "DROP TABLE attribute; DROP TABLE kept_node; ALTER TABLE channel DROP COLUMN in_between_percent;"
					   "UPDATE project SET schema_version = 15");
	check_ok(snw_project_open(path, false, &project, &error), error);
	check_ok(snw_project_scene(project, &scene, &error), error);
	assert_int_equal(scene->meshes[0].attribute_count, 0);
	assert_int_equal(scene->kept_node_count, 0);
	assert_true(scene->channels[0].in_between_percent == 0 && scene->channels[0].initial == 0.25);
	snw_scene_destroy(scene);
	snw_project_close(project);
	assert_int_equal(dump_integer(path, "SELECT schema_version FROM project"), snw_schema_version());
	unlink(path);
}

/* Levels before version 17 had no tangents. */
static void levels_of_a_file_without_tangents_stay(void **state) {
	(void)state;
	const char *path = make_project("sixteen.sinew");
	snw_project *project = NULL;
	snw_scene *scene = NULL;
	check_ok(snw_project_open(path, false, &project, &error), error);
	check_ok(snw_project_scene(project, &scene, &error), error);
	const uint32_t count = scene->meshes[0].point_count;
	uint32_t *offsets = SNW_NEW_ARRAY(scene->arena, uint32_t, count + 1);
	double *weights = SNW_NEW_ARRAY(scene->arena, double, count);
	for (uint32_t i = 0; i < count; i++) {
		offsets[i + 1] = i + 1;
		weights[i] = 1;
	}
	const snw_level level = {.number = 1,
							 .request = "triangles=25%",
							 .shape = scene->meshes[0],
							 .slot_count = scene->slot_count,
							 .stencil_offsets = offsets,
							 .stencil_points = offsets,
							 .stencil_weights = weights,
							 .rms_percent = 0.125,
							 .worst_pose = "rest"};
	check_ok(snw_project_begin(project, "level", &error), error);
	check_ok(snw_project_put_level(project, scene, &level, scene->meshes[0].id, &error), error);
	check_ok(snw_project_commit(project, &error), error);
	snw_scene_destroy(scene);
	snw_project_close(project);
	put_arrays_into_rows(path);
	dump_execute(path, "DROP TABLE kept_node; ALTER TABLE level RENAME COLUMN corner_tangents TO gone; UPDATE project SET "
					   "schema_version = 16");
	check_ok(snw_project_open(path, false, &project, &error), error);
	check_ok(snw_project_scene(project, &scene, &error), error);
	assert_int_equal(scene->level_count, 1);
	assert_true(scene->levels[0].rms_percent == 0.125 && !scene->levels[0].shape.corner_tangents);
	assert_int_equal(scene->levels[0].shape.face_count, scene->meshes[0].face_count);
	snw_scene_destroy(scene);
	snw_project_close(project);
	assert_int_equal(dump_integer(path, "SELECT schema_version FROM project"), snw_schema_version());
	unlink(path);
}

static void arrays_of_a_file_move_out_of_their_rows(void **state) {
	(void)state;
	const char *path = make_project("eighteen.sinew");
	snw_project *project = NULL;
	char *before = dump_scene(path);
	check_ok(snw_project_open(path, false, &project, &error), error);
	check_ok(add_pose(project, "more"), error);
	check_ok(snw_project_undo(project, NULL, &error), error);
	snw_project_close(project);
	const int64_t count = dump_integer(path, "SELECT count(*) FROM array");
	put_arrays_into_rows(path);
	dump_execute(path, "UPDATE project SET schema_version = 18");
	check_ok(snw_project_open(path, false, &project, &error), error);
	char *after = dump_scene(path);
	assert_string_equal(before, after);
	assert_int_equal(dump_integer(path, "SELECT count(*) FROM array WHERE typeof(bytes) = 'blob'"), count);
	assert_int_equal(dump_integer(path, "SELECT count(*) FROM pragma_foreign_key_check"), 0);
	assert_int_equal(snw_project_undo(project, NULL, &error), SNW_ERROR_MISSING);
	assert_int_equal(snw_project_redo(project, NULL, &error), SNW_ERROR_MISSING);
	check_ok(add_pose(project, "more"), error);
	check_ok(snw_project_undo(project, NULL, &error), error);
	snw_project_close(project);
	free(before);
	free(after);
	unlink(path);
}

/* Rows of older files get them, and changes in their history count columns. */
static void columns_that_were_added_have_defaults_and_are_last(void **state) {
	(void)state;
	assert_true(snw_schema_version() >= 19);
	for (size_t t = 0; t < SNW_TABLE_COUNT; t++) {
		for (uint32_t c = 1; c < snw_tables[t].column_count; c++) {
			const snw_column *column = &snw_tables[t].columns[c];
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
		cmocka_unit_test(file_without_attributes_and_in_betweens_gets_none),
		cmocka_unit_test(levels_of_a_file_without_tangents_stay),
		cmocka_unit_test(arrays_of_a_file_move_out_of_their_rows),
		cmocka_unit_test(columns_that_were_added_have_defaults_and_are_last),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
