/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Projects of older schemas: each is brought forward when it is opened, its history still undoes, and the file stays as it was where that
 * fails.
 */
#define SQLITE_ENABLE_SESSION
#define SQLITE_ENABLE_PREUPDATE_HOOK

#include "project/dump.h"
#include "scene/frames_hash.h"
#include "written.h"

/* Settings up to version 6. */
static const char settings_of_one_number[] = "UPDATE layer_setting SET y = 0, z = 0, text = NULL";
/* Meshes up to version 7. */
static const char no_tangents[] = "UPDATE mesh SET corner_tangents = NULL";

/* Converts a current project to version 0: without layer.muted. Its history is kept. */
static const char *make_version_0(void) {
	const char *path = make_project("older.sinew");
	snw_project *project = NULL;
	snw_scene *scene = NULL;
	dump_execute(path, "UPDATE layer SET muted = 0");
	dump_execute(path, settings_of_one_number);
	dump_execute(path, no_tangents);
	check_ok(snw_project_open(path, false, &project, &error), error);
	check_ok(snw_project_scene(project, &scene, &error), error);
	check_ok(snw_project_begin(project, "move", &error), error);
	check_ok(snw_project_put_layer(project, &scene->layers[0], 0, 2, NULL, &error), error);
	check_ok(snw_project_commit(project, &error), error);
	snw_scene_destroy(scene);
	snw_project_close(project);
	dump_name_as_version_7(path);
	dump_execute(path,
				 "PRAGMA legacy_alter_table = ON; ALTER TABLE layer RENAME TO older;"
				 "CREATE TABLE layer (id INTEGER PRIMARY KEY AUTOINCREMENT, position INTEGER NOT NULL, name TEXT NOT NULL,"
				 "deformer TEXT NOT NULL, deformer_version TEXT NOT NULL, model INTEGER REFERENCES model (id)) STRICT;"
				 "INSERT INTO layer SELECT id, position, name, deformer, deformer_version, model FROM older; DROP TABLE older;"
				 "DROP TABLE sculpt_layer; UPDATE project SET schema_version = 0");
	return path;
}

static void older_schema_is_migrated_and_keeps_its_history(void **state) {
	(void)state;
	const char *path = make_project("older.sinew");
	/* Its sequence has no clip, and gets one. */
	dump_execute(path, "UPDATE layer SET muted = 0; UPDATE model SET reads = NULL; UPDATE material SET emissive_image = NULL;"
					   "UPDATE field SET unit = '';"
					   "INSERT INTO clip (name, duration_seconds) SELECT name, (SELECT max(seconds) FROM target_frame WHERE "
					   "target = target.id) FROM target WHERE clip IS NULL");
	dump_execute(path, settings_of_one_number);
	dump_execute(path, no_tangents);
	assert_int_equal(dump_integer(path, "SELECT count(*) FROM target JOIN clip USING (name)"), 1);
	char *original = dump_scene(path), *migrated;
	unlink(path);
	path = make_version_0();
	snw_project *project = NULL;
	check_ok(snw_project_open(path, false, &project, &error), error);
	assert_int_equal(dump_integer(path, "SELECT schema_version FROM project"), 13);
	check_ok(snw_project_undo(project, NULL, &error), error); /* a change from before the migration */
	migrated = dump_scene(path);
	assert_string_equal(original, migrated);
	check_ok(snw_project_redo(project, NULL, &error), error);
	check_ok(add_pose(project, "after"), error);
	snw_project_close(project);
	check_ok(snw_project_open(path, true, &project, &error), error);
	snw_project_close(project);
	free(original);
	free(migrated);
	unlink(path);
}

/* Opening the file restores this scene in the current version. Frees `today`, and removes the file. */
static void expect_migrated(const char *path, char *today) {
	snw_project *project = NULL;
	check_ok(snw_project_open(path, false, &project, &error), error);
	snw_project_close(project);
	char *migrated = dump_scene(path);
	assert_string_equal(today, migrated);
	assert_int_equal(dump_integer(path, "SELECT schema_version FROM project"), 13);
	free(today);
	free(migrated);
	unlink(path);
}

/* A project without the data that `forget` removes becomes a file of an older version by `age`; opening it restores the same
 * scene in the current version. */
static void expect_brought_forward(const char *name, const char *forget, const char *age) {
	const char *path = make_project(name);
	dump_execute(path, settings_of_one_number);
	dump_execute(path, no_tangents);
	dump_execute(path, forget);
	char *today = dump_scene(path);
	dump_name_as_version_7(path);
	dump_execute(path, age);
	expect_migrated(path, today);
}

/* Version 3 had no pictures of what materials glow by. */
static void file_of_version_3_is_brought_forward(void **state) {
	(void)state;
	expect_brought_forward(
		"version3.sinew", "UPDATE material SET emissive_image = NULL; UPDATE field SET unit = ''",
		"PRAGMA legacy_alter_table = ON; ALTER TABLE material RENAME TO older;"
		"CREATE TABLE material AS SELECT * FROM older; DROP TABLE older;"
		"ALTER TABLE material DROP COLUMN emissive_image; DROP TABLE sculpt_layer; UPDATE project SET schema_version = 3");
}

/* Version 4 did not know what a field's numbers count. */
static void file_of_version_4_is_brought_forward(void **state) {
	(void)state;
	expect_brought_forward(
		"version4.sinew", "UPDATE field SET unit = ''",
		"ALTER TABLE field DROP COLUMN unit; DROP TABLE sculpt_layer; UPDATE project SET schema_version = 4");
}

/* Version 5 fitted to every target there was. */
static void file_of_version_5_is_brought_forward(void **state) {
	(void)state;
	expect_brought_forward(
		"version5.sinew", "UPDATE layer SET samples = NULL",
		"ALTER TABLE layer DROP COLUMN samples; DROP TABLE sculpt_layer; UPDATE project SET schema_version = 5");
}

/* Version 6 had settings of one number alone. */
static void file_of_version_6_is_brought_forward(void **state) {
	(void)state;
	expect_brought_forward(
		"version6.sinew", settings_of_one_number,
		"ALTER TABLE layer_setting DROP COLUMN y; ALTER TABLE layer_setting DROP COLUMN z;"
		"ALTER TABLE layer_setting DROP COLUMN text; DROP TABLE sculpt_layer; UPDATE project SET schema_version = 6");
}

/* Version 7 had another name for rotation vectors. */
static void file_of_version_7_is_brought_forward(void **state) {
	(void)state;
	expect_brought_forward("version7.sinew", "", "DROP TABLE sculpt_layer; UPDATE project SET schema_version = 7");
}

/* Version 8 had no tangents. */
static void file_of_version_8_is_brought_forward(void **state) {
	(void)state;
	const char *path = make_project("version8.sinew");
	dump_execute(path, no_tangents);
	char *today = dump_scene(path);
	dump_execute(
		path, "ALTER TABLE mesh DROP COLUMN corner_tangents; DROP TABLE sculpt_layer; UPDATE project SET schema_version = 8");
	expect_migrated(path, today);
}

/* Version 9 had no hashes of frames; a migration finds the same as a store. */
static void file_of_version_9_is_brought_forward(void **state) {
	(void)state;
	const char *path = make_project("version9.sinew");
	char *today = dump_scene(path);
	dump_execute(path,
				 "ALTER TABLE target DROP COLUMN frames_hash; DROP TABLE sculpt_layer; UPDATE project SET schema_version = 9");
	expect_migrated(path, today);
}

/* Version 10 had no sets of poses. */
static void file_of_version_10_is_brought_forward(void **state) {
	(void)state;
	const char *path = make_project("version10.sinew");
	char *today = dump_scene(path);
	dump_execute(path,
				 "ALTER TABLE target DROP COLUMN is_set; DROP TABLE sculpt_layer; UPDATE project SET schema_version = 10");
	expect_migrated(path, today);
}

/* Version 11 had no sculpt layers. */
static void file_of_version_11_is_brought_forward(void **state) {
	(void)state;
	const char *path = make_project("version11.sinew");
	char *today = dump_scene(path);
	dump_execute(path, "DROP TABLE sculpt_layer; UPDATE project SET schema_version = 11");
	expect_migrated(path, today);
}

/* Version 12 did not tell whether the user had chosen an example's driver. */
static void file_of_version_12_is_brought_forward(void **state) {
	(void)state;
	const char *path = make_project("version12.sinew");
	char *today = dump_scene(path);
	dump_execute(path, "ALTER TABLE example DROP COLUMN has_chosen_driver; UPDATE project SET schema_version = 12");
	expect_migrated(path, today);
}

/* Runs SQL as a command of the version that the file has. */
static void run_as_command(const char *path, const char *sql) {
	sqlite3 *database = dump_open(path);
	sqlite3_session *session = NULL;
	sqlite3_stmt *insert = NULL;
	void *changes = NULL;
	int count = 0;
	dump_check(database, sqlite3session_create(database, "main", &session), SQLITE_OK);
	dump_check(database, sqlite3session_attach(session, "target_frame"), SQLITE_OK);
	dump_check(database, sqlite3_exec(database, sql, NULL, NULL, NULL), SQLITE_OK);
	dump_check(database, sqlite3session_changeset(session, &count, &changes), SQLITE_OK);
	sqlite3session_delete(session);
	dump_check(
		database,
		sqlite3_exec(database, "INSERT INTO journal (time, label) VALUES ('2000-01-01T00:00:00Z', 'before')", NULL, NULL, NULL),
		SQLITE_OK);
	dump_check(database,
			   sqlite3_prepare_v2(database,
								  "INSERT INTO journal_change (journal, position, changeset) "
								  "VALUES ((SELECT max(id) FROM journal), 0, ?1)",
								  -1, &insert, NULL),
			   SQLITE_OK);
	dump_check(database, sqlite3_bind_blob(insert, 1, changes, count, SQLITE_STATIC), SQLITE_OK);
	dump_check(database, sqlite3_step(insert), SQLITE_DONE);
	sqlite3_finalize(insert);
	sqlite3_free(changes);
	sqlite3_close(database);
}

/* The hashes in the file are those of its frames. The first target's is returned. */
static uint64_t check_frames_hashes(snw_project *project) {
	snw_scene *scene = NULL;
	check_ok(snw_project_scene(project, &scene, &error), error);
	for (uint32_t t = 0; t < scene->target_count; t++) {
		const snw_target *target = &scene->targets[t];
		assert_true(target->frames_hash == snw_frames_hash(target, scene->meshes[target->mesh].point_count));
	}
	const uint64_t first = scene->targets[0].frames_hash;
	snw_scene_destroy(scene);
	return first;
}

static void drop_a_frame(snw_project *project) {
	snw_scene *scene = NULL;
	check_ok(snw_project_scene(project, &scene, &error), error);
	snw_target target = scene->targets[0];
	target.frame_count--;
	check_ok(snw_project_begin(project, "after", &error), error);
	check_ok(snw_project_put_target(project, &target, scene->meshes[target.mesh].id, scene->meshes[target.mesh].point_count,
									scene->clips[target.clip].id, NULL, &error),
			 error);
	check_ok(snw_project_commit(project, &error), error);
	snw_scene_destroy(scene);
}

/* A command of version 9 has changed frames, and no hash. */
static void undo_across_a_migration_renews_the_hashes_of_frames(void **state) {
	(void)state;
	const char *path = make_project("undo9.sinew");
	snw_project *project = NULL;
	dump_execute(path,
				 "ALTER TABLE target DROP COLUMN frames_hash; DROP TABLE sculpt_layer; UPDATE project SET schema_version = 9");
	run_as_command(path, "UPDATE target_frame SET seconds = seconds * 0.5");
	check_ok(snw_project_open(path, false, &project, &error), error);
	const uint64_t migrated = check_frames_hashes(project);
	drop_a_frame(project);
	const uint64_t last = check_frames_hashes(project);
	check_ok(snw_project_undo(project, NULL, &error), error);
	assert_true(check_frames_hashes(project) == migrated);
	check_ok(snw_project_undo(project, NULL, &error), error);
	assert_true(check_frames_hashes(project) != migrated);
	check_ok(snw_project_redo(project, NULL, &error), error);
	assert_true(check_frames_hashes(project) == migrated);
	check_ok(snw_project_redo(project, NULL, &error), error);
	assert_true(check_frames_hashes(project) == last);
	snw_project_close(project);
	unlink(path);
}

static void older_schema_is_read_without_a_change_to_the_file(void **state) {
	(void)state;
	const char *path = make_version_0();
	snw_project *project = NULL;
	snw_scene *scene = NULL;
	check_ok(snw_project_open(path, true, &project, &error), error);
	check_ok(snw_project_scene(project, &scene, &error), error);
	assert_int_equal(scene->layer_count, 3);
	assert_string_equal(scene->layers[2].name, "base");
	snw_scene_destroy(scene);
	snw_project_close(project);
	assert_int_equal(dump_integer(path, "SELECT schema_version FROM project"), 0);
	unlink(path);
}

static void migration_that_fails_leaves_the_file_as_it_was(void **state) {
	(void)state;
	const char *path = make_version_0();
	dump_execute(path, "ALTER TABLE joint RENAME COLUMN position TO place");
	refuse(path, false, SNW_ERROR_DATA, "table 'joint' does not match the schema");
	assert_int_equal(dump_integer(path, "SELECT schema_version FROM project"), 0);
	assert_int_equal(dump_integer(path, "SELECT count(*) FROM pragma_table_info('layer')"), 6);
	unlink(path);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(older_schema_is_migrated_and_keeps_its_history),
		cmocka_unit_test(file_of_version_3_is_brought_forward),
		cmocka_unit_test(file_of_version_4_is_brought_forward),
		cmocka_unit_test(file_of_version_5_is_brought_forward),
		cmocka_unit_test(file_of_version_6_is_brought_forward),
		cmocka_unit_test(file_of_version_7_is_brought_forward),
		cmocka_unit_test(file_of_version_8_is_brought_forward),
		cmocka_unit_test(file_of_version_9_is_brought_forward),
		cmocka_unit_test(file_of_version_10_is_brought_forward),
		cmocka_unit_test(file_of_version_11_is_brought_forward),
		cmocka_unit_test(file_of_version_12_is_brought_forward),
		cmocka_unit_test(undo_across_a_migration_renews_the_hashes_of_frames),
		cmocka_unit_test(older_schema_is_read_without_a_change_to_the_file),
		cmocka_unit_test(migration_that_fails_leaves_the_file_as_it_was),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
