/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Opening files that are not projects, cannot be written, are newer, or contain additions by others: one clear line each. And a
 * project leaves no files in its folder.
 */
#define SQLITE_ENABLE_SESSION
#define SQLITE_ENABLE_PREUPDATE_HOOK

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "files.h"
#include "project/dump.h"
#include "project/project.h"
#include "scene/fixture.h"
#include "written.h"

/* ---- what is not a project ----------------------------------------------------------------------------------------------- */

static void file_that_is_no_project_is_refused_with_a_message(void **state) {
	(void)state;
	const char *path = check_scratch("thing.sinew");
	refuse(path, false, SNW_ERROR_MISSING, "No such file");
	refuse(check_scratch(""), false, SNW_ERROR_IO, "not a regular file");
	file_write(path, "", 0);
	refuse(path, false, SNW_ERROR_DATA, "not a Sinew project");
	static const char other[] = "glTF or anything else, as long as it is longer than the hundred bytes that head a database of "
								"SQLite's, which this is not at all";
	file_write(path, other, sizeof other - 1);
	refuse(path, true, SNW_ERROR_DATA, "not a Sinew project");
	unlink(path);
	file_write(path, "", 0);
	dump_execute(path, "CREATE TABLE project (id INTEGER)");
	refuse(path, false, SNW_ERROR_DATA, "not a Sinew project");
	dump_execute(path, "PRAGMA application_id = 0x536e6577");
	refuse(path, false, SNW_ERROR_DATA, "schema_version");
	unlink(path);
}

/* At a place that loading does not read: the next write would access it. */
static void damaged_page_is_found_when_the_project_is_opened(void **state) {
	(void)state;
	const char *path = make_project("page.sinew");
	const long page = (long)dump_integer(path, "SELECT rootpage FROM sqlite_schema WHERE name = 'journal_change'");
	const long page_size = (long)dump_integer(path, "PRAGMA page_size");
	FILE *file = fopen(path, "r+b");
	assert_non_null(file);
	fseek(file, (page - 1) * page_size, SEEK_SET);
	fwrite("\0\0\0\0", 1, 4, file);
	fclose(file);
	refuse(path, false, SNW_ERROR_DATA, "the file is damaged");
	refuse(path, true, SNW_ERROR_DATA, "the file is damaged");
	unlink(path);
}

static void name_that_sqlite_would_read_otherwise_is_a_name(void **state) {
	(void)state;
	char folder[1100];
	assert_non_null(getcwd(folder, sizeof folder));
	const char *scratch = make_project("file:thing?mode=memory");
	assert_int_equal(chdir(check_scratch("")), 0);
	snw_project *project = NULL;
	check_ok(snw_project_open("file:thing?mode=memory", false, &project, &error), error);
	snw_project_close(project);
	refuse(":memory:", false, SNW_ERROR_MISSING, "No such file");
	assert_int_equal(chdir(folder), 0);
	unlink(scratch);
}

/* ---- newer and older ----------------------------------------------------------------------------------------------------- */

static void newer_schema_is_refused(void **state) {
	(void)state;
	const char *path = make_project("newer.sinew");
	dump_execute(path, "UPDATE project SET schema_version = 20");
	refuse(path, false, SNW_ERROR_UNSUPPORTED, "schema version is 20, and this program supports versions up to 19");
	unlink(path);
}

static void schema_from_before_the_first_release_is_refused(void **state) {
	(void)state;
	static const char *const versions[] = {"UPDATE project SET schema_version = -1", "UPDATE project SET schema_version = 18"};
	for (size_t i = 0; i < sizeof versions / sizeof *versions; i++) {
		const char *path = make_project("older.sinew");
		dump_execute(path, versions[i]);
		refuse(path, false, SNW_ERROR_UNSUPPORTED, "from before Sinew's first release");
		refuse(path, true, SNW_ERROR_UNSUPPORTED, "from before Sinew's first release");
		unlink(path);
	}
}

/* ---- what others have put into it ---------------------------------------------------------------------------------------- */

static void views_and_tables_of_others_are_left_alone(void **state) {
	(void)state;
	const char *path = make_project("notes.sinew");
	dump_execute(path, "CREATE TABLE notes (text); CREATE VIEW poses AS SELECT name FROM pose;"
					   "CREATE TRIGGER t INSTEAD OF INSERT ON poses BEGIN DELETE FROM pose; END");
	snw_project *project = NULL;
	check_ok(snw_project_open(path, false, &project, &error), error);
	check_ok(add_pose(project, "more"), error);
	snw_project_close(project);
	assert_int_equal(dump_integer(path, "SELECT count(*) FROM poses"), 4);
	unlink(path);
}

static void schema_that_would_run_something_is_refused(void **state) {
	(void)state;
	static const struct {
		const char *sql, *words;
	} schemas[] = {
		{"CREATE TRIGGER evil AFTER INSERT ON pose BEGIN DELETE FROM mesh; END", "an extra trigger 'evil' on the table 'pose'"},
		{"CREATE INDEX evil ON pose (length(name))", "an extra index 'evil' on the table 'pose'"},
		{"DROP TABLE layer_setting; CREATE VIEW layer_setting AS SELECT 1 AS layer, 0 AS position, 'k' AS key, 1.0 AS value",
		 "an extra view 'layer_setting'"},
		{"DROP TABLE layer_setting; CREATE TABLE layer_setting (layer, position, key, value AS (zeroblob(1000)))",
		 "table 'layer_setting' does not match the schema"},
		{"DROP TABLE layer_setting", "1 of its 29 tables are missing"},
		{"ALTER TABLE pose ADD COLUMN extra TEXT", "table 'pose' does not match the schema"},
	};
	for (size_t i = 0; i < sizeof schemas / sizeof *schemas; i++) {
		const char *path = make_project("evil.sinew");
		dump_execute(path, schemas[i].sql);
		refuse(path, false, SNW_ERROR_DATA, schemas[i].words);
		refuse(path, true, SNW_ERROR_DATA, schemas[i].words);
		unlink(path);
	}
}

static void journal_of_another_project_does_not_apply(void **state) {
	(void)state;
	const char *path = make_project("foreign.sinew");
	snw_project *project = NULL;
	check_ok(snw_project_open(path, false, &project, &error), error);
	check_ok(add_pose(project, "more"), error);
	dump_execute(path, "UPDATE pose SET name = 'other' WHERE name = 'more'");
	char *before = dump_scene(path);
	assert_int_equal(snw_project_undo(project, NULL, &error), SNW_ERROR_DATA);
	assert_non_null(strstr(error.text, "journal does not match"));
	char *after = dump_scene(path);
	assert_string_equal(before, after);
	free(before);
	free(after);
	snw_project_close(project);
	unlink(path);
}

/* ---- writing: permissions, locks, space ---------------------------------------------------------------------------------- */

/* Runs a function as a user that permissions apply to, and passes its failure on. */
static void run_as_nobody(const char *path, void (*function)(const char *path)) {
	fflush(NULL);
	const pid_t child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		if (geteuid() == 0 && setuid(65534) != 0) {
			_exit(2);
		}
		function(path);
		_exit(0);
	}
	int how = 0;
	waitpid(child, &how, 0);
	assert_true(WIFEXITED(how));
	assert_int_equal(WEXITSTATUS(how), 0);
}

static void child_expect(bool good) {
	if (!good) {
		fprintf(stderr, "child: '%s'\n", error.text);
		_exit(1);
	}
}

static void child_reads_but_cannot_write(const char *path) {
	snw_project *project = NULL;
	snw_scene *scene = NULL;
	child_expect(!snw_failed(snw_project_open(path, true, &project, &error)));
	child_expect(!snw_failed(snw_project_scene(project, &scene, &error)));
	snw_scene_destroy(scene);
	snw_project_close(project);
	snw_status status = snw_project_open(path, false, &project, &error);
	child_expect(status == SNW_ERROR_IO && strstr(error.text, "written"));
}

static void file_and_folder_that_cannot_be_written_are_named(void **state) {
	(void)state;
	const char *path = make_project("readonly.sinew");
	chmod(check_scratch(""), 0755);
	chmod(path, 0444);
	run_as_nobody(path, child_reads_but_cannot_write);
	chmod(path, 0666); /* the file may be written, its folder may not */
	run_as_nobody(path, child_reads_but_cannot_write);
	unlink(path);
}

/* How long a command would wait, in milliseconds, and by what that is divided. */
static int asked_wait, wait_divisor = 1;

int __real_sqlite3_busy_timeout(sqlite3 *database, int milliseconds);
int __wrap_sqlite3_busy_timeout(sqlite3 *database, int milliseconds);

int __wrap_sqlite3_busy_timeout(sqlite3 *database, int milliseconds) {
	asked_wait = milliseconds;
	return __real_sqlite3_busy_timeout(database, milliseconds / wait_divisor);
}

static void command_waits_for_another_and_says_so(void **state) {
	(void)state;
	const char *path = make_project("busy.sinew");
	snw_project *project = NULL;
	wait_divisor = 100;
	check_ok(snw_project_open(path, false, &project, &error), error);
	wait_divisor = 1;
	assert_int_equal(asked_wait, 30000);
	sqlite3 *other = dump_open(path);
	dump_check(other, sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
	assert_int_equal(snw_project_begin(project, "late", &error), SNW_ERROR_CONFLICT);
	assert_non_null(strstr(error.text, "another program is using the project"));
	snw_scene *scene = NULL;
	check_ok(snw_project_scene(project, &scene, &error), error); /* reading continues to work */
	snw_scene_destroy(scene);
	dump_check(other, sqlite3_exec(other, "ROLLBACK", NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(other);
	check_ok(add_pose(project, "now"), error);
	snw_project_close(project);
	unlink(path);
}

/* A limit on the size of files simulates a full disk. */
static void child_runs_out_of_space(const char *path) {
	struct stat info;
	stat(path, &info);
	const rlim_t room = (rlim_t)info.st_size + 20000;
	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &(struct rlimit){room, room});
	snw_project *project = NULL;
	child_expect(!snw_failed(snw_project_open(path, false, &project, &error)));
	static unsigned char bytes[200000];
	const snw_saved_model model = {
		.name = "large", .deformer = "org.sinew.large", .deformer_version = "1", .bytes = bytes, .byte_count = sizeof bytes};
	child_expect(!snw_failed(snw_project_begin(project, "large", &error)));
	snw_status status = snw_project_put_model(project, &model, NULL, &error);
	status = snw_failed(status) ? status : snw_project_commit(project, &error);
	child_expect(status == SNW_ERROR_IO && !strchr(error.text, '\n'));
	snw_project_close(project);
	snw_scene *scene = fixture_scene();
	const snw_saved_model *models = scene->models;
	scene->models = &model;
	scene->model_count = 1;
	scene->layer_count = 0;
	child_expect(snw_project_write(path, scene, "over", &error) == SNW_ERROR_IO && strstr(error.text, "full.sinew: "));
	scene->models = models;
	snw_scene_destroy(scene);
}

static void full_disk_leaves_the_project_as_it_was(void **state) {
	(void)state;
	const char *path = make_project("full.sinew");
	char *before = dump_scene(path);
	fflush(NULL);
	const pid_t child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		child_runs_out_of_space(path);
		_exit(0);
	}
	int how = 0;
	waitpid(child, &how, 0);
	assert_true(WIFEXITED(how));
	assert_int_equal(WEXITSTATUS(how), 0);
	char *after = dump_scene(path);
	assert_string_equal(before, after);
	snw_project *project = NULL;
	check_ok(snw_project_open(path, false, &project, &error), error);
	check_ok(add_pose(project, "there is room again"), error);
	snw_project_close(project);
	free(before);
	free(after);
	unlink(path);
}

/* ---- what is left behind ------------------------------------------------------------------------------------------------- */

static uint32_t count_files(const char *pattern) {
	char command[1200];
	snprintf(command, sizeof command, "ls -d %s* 2>/dev/null | wc -l", pattern);
	FILE *pipe = popen(command, "r");
	unsigned count = 99;
	assert_int_equal(fscanf(pipe, "%u", &count), 1);
	pclose(pipe);
	return count;
}

static void project_is_one_file(void **state) {
	(void)state;
	const char *path = make_project("one.sinew");
	assert_int_equal(count_files(path), 1);
	snw_project *project = NULL;
	check_ok(snw_project_open(path, false, &project, &error), error);
	check_ok(add_pose(project, "more"), error);
	snw_project_close(project);
	assert_int_equal(count_files(path), 1);
	dump_execute(path, "PRAGMA journal_mode = WAL"); /* somebody's tool did that */
	check_ok(snw_project_open(path, false, &project, &error), error);
	check_ok(add_pose(project, "and more"), error);
	snw_project_close(project);
	assert_int_equal(count_files(path), 1);
	unlink(path);
}

static void scene_that_is_not_good_is_not_written(void **state) {
	(void)state;
	const char *path = make_project("kept.sinew");
	char *before = dump_scene(path);
	snw_scene *scene = fixture_scene();
	scene->poses[1].rotation_vectors[0] = NAN;
	assert_int_equal(snw_project_write(path, scene, "bad", &error), SNW_ERROR_DATA);
	assert_non_null(strstr(error.text, "pose 'bent'"));
	snw_scene_destroy(scene);
	char *after = dump_scene(path);
	assert_string_equal(before, after);
	assert_int_equal(count_files(path), 1);
	free(before);
	free(after);
	unlink(path);
}

/* Kills a program with changed pages in the file and the old ones in its journal. */
static void cut_short(const char *path) {
	fflush(NULL);
	const pid_t child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		sqlite3 *database = dump_open(path);
		sqlite3_exec(database, "PRAGMA cache_size = 1; BEGIN; UPDATE mesh SET name = 'x'; DELETE FROM pose; DELETE FROM track",
					 NULL, NULL, NULL);
		sqlite3_db_cacheflush(database);
		_exit(0);
	}
	waitpid(child, NULL, 0);
	assert_int_equal(count_files(path), 2);
}

/* The journal of a killed program belongs to the file that is replaced, or that is gone; it must not be played into the new
 * one. */
static void write_beside_an_old_journal_is_complete(void **state) {
	(void)state;
	for (int gone = 0; gone < 2; gone++) {
		const char *path = make_project("cut.sinew");
		cut_short(path);
		if (gone) {
			unlink(path);
		}
		make_project("cut.sinew");
		assert_int_equal(count_files(path), 1);
		snw_project *project = NULL;
		snw_scene *scene = NULL;
		check_ok(snw_project_open(path, false, &project, &error), error);
		check_ok(snw_project_scene(project, &scene, &error), error);
		assert_string_equal(scene->meshes[0].name, "body");
		assert_int_equal(scene->pose_count, 3);
		snw_scene_destroy(scene);
		snw_project_close(project);
		unlink(path);
	}
}

/* Reading also rolls an unfinished command back. */
static void project_cut_short_is_read_as_it_was(void **state) {
	(void)state;
	const char *path = make_project("cut.sinew");
	cut_short(path);
	snw_project *project = NULL;
	snw_scene *scene = NULL;
	check_ok(snw_project_open(path, true, &project, &error), error);
	check_ok(snw_project_scene(project, &scene, &error), error);
	assert_string_equal(scene->meshes[0].name, "body");
	assert_int_equal(scene->pose_count, 3);
	snw_scene_destroy(scene);
	snw_project_close(project);
	assert_int_equal(count_files(path), 1);
	unlink(path);
}

TEST_GROUP(open) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(file_that_is_no_project_is_refused_with_a_message),
		cmocka_unit_test(damaged_page_is_found_when_the_project_is_opened),
		cmocka_unit_test(name_that_sqlite_would_read_otherwise_is_a_name),
		cmocka_unit_test(newer_schema_is_refused),
		cmocka_unit_test(schema_from_before_the_first_release_is_refused),
		cmocka_unit_test(views_and_tables_of_others_are_left_alone),
		cmocka_unit_test(schema_that_would_run_something_is_refused),
		cmocka_unit_test(journal_of_another_project_does_not_apply),
		cmocka_unit_test(file_and_folder_that_cannot_be_written_are_named),
		cmocka_unit_test(command_waits_for_another_and_says_so),
		cmocka_unit_test(full_disk_leaves_the_project_as_it_was),
		cmocka_unit_test(project_is_one_file),
		cmocka_unit_test(scene_that_is_not_good_is_not_written),
		cmocka_unit_test(write_beside_an_old_journal_is_complete),
		cmocka_unit_test(project_cut_short_is_read_as_it_was),
	};
	return cmocka_run_group_tests_name("open", tests, NULL, NULL);
}
