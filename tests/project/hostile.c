/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Damaged and hostile project files: opening, loading, undoing and writing give one line of error or a valid scene, and
 * never crash or hang.
 */
#include "files.h"
#include "mutate.h"
#include "project/dump.h"
#include "project/project.h"
#include "scene/fixture.h"

static snw_error error;

/* In memory where there is such a folder: thousands of commits that are flushed to a disk would take minutes. */
static const char *memory_scratch(const char *name) {
	static char folder[64], path[128];
	if (access("/dev/shm", W_OK) != 0) {
		return check_scratch(name);
	}
	if (!folder[0]) {
		snprintf(folder, sizeof folder, "/dev/shm/sinew-test-XXXXXX");
		assert_non_null(mkdtemp(folder));
	}
	snprintf(path, sizeof path, "%s/%s", folder, name);
	return path;
}

static int remove_scratch(void **state) {
	(void)state;
	char folder[128];
	snprintf(folder, sizeof folder, "%s", memory_scratch(""));
	rmdir(folder);
	return 0;
}

/* A project with a scene and some history. */
static void make_project(const char *path) {
	snw_scene *scene = fixture_scene();
	check_ok(snw_project_write(path, scene, "made", &error), error);
	snw_project *project = NULL;
	check_ok(snw_project_open(path, false, &project, &error), error);
	for (int i = 0; i < 3; i++) {
		snw_pose pose = scene->poses[0];
		char name[20];
		snprintf(name, sizeof name, "pose %d", i);
		pose.name = name;
		check_ok(snw_project_begin(project, name, &error), error);
		check_ok(snw_project_put_pose(project, &pose, NULL, &error), error);
		check_ok(snw_project_commit(project, &error), error);
	}
	snw_saved_model model = scene->models[0];
	model.bytes = (const unsigned char *)"other";
	model.byte_count = 5;
	check_ok(snw_project_begin(project, "fit", &error), error);
	check_ok(snw_project_put_model(project, &model, NULL, &error), error);
	check_ok(snw_project_commit(project, &error), error);
	check_ok(snw_project_undo(project, NULL, &error), error);
	snw_project_close(project);
	snw_scene_destroy(scene);
}

static void check_line(void) {
	if (error.text[0] == 0 || strchr(error.text, '\n')) {
		fail_msg("not one line: '%s'", error.text);
	}
}

/* The long suite asks for more rounds; the scene is read after each undo then, not after the last one alone. */
static bool is_long(void) {
	return getenv("SINEW_TEST_ROUNDS") != NULL;
}

static void read_again(snw_project *project) {
	snw_scene *scene = NULL;
	if (!snw_failed(snw_project_scene(project, &scene, &error))) {
		snw_scene_destroy(scene);
	}
}

/* Does everything that is possible with a project. True if the scene was valid. */
static bool use_project(const char *path) {
	snw_project *project = NULL;
	snw_scene *scene = NULL;
	bool good = false;
	if (snw_failed(snw_project_open(path, false, &project, &error))) {
		check_line();
		return false;
	}
	if (!snw_failed(snw_project_scene(project, &scene, &error))) {
		check_ok(snw_scene_check(scene, &error), error);
		good = true;
		if (scene->pose_count > 0 && !snw_failed(snw_project_begin(project, "more", &error))) {
			snw_pose pose = scene->poses[0];
			pose.id = 0;
			pose.name = "more";
			if (!snw_failed(snw_project_put_pose(project, &pose, NULL, &error))) {
				(void)snw_project_commit(project, &error);
			}
			snw_project_rollback(project);
		}
		for (int i = 0; i < 4 && !snw_failed(snw_project_undo(project, NULL, &error)); i++) {
			if (is_long()) {
				read_again(project);
			}
		}
		read_again(project);
		(void)snw_project_redo(project, NULL, &error);
		snw_scene_destroy(scene);
	} else {
		check_line();
	}
	snw_project_close(project);
	return good;
}

static void damaged_copy_gives_an_error_or_a_good_scene(void **state) {
	(void)state;
	const char *rounds_wanted = getenv("SINEW_TEST_ROUNDS");
	const int rounds = rounds_wanted ? atoi(rounds_wanted) : 150;
	uint64_t random = random_seed();
	const char *path = memory_scratch("hostile.sinew");
	size_t count = 0;
	make_project(path);
	unsigned char *bytes = file_bytes(path, &count);
	int good = 0;
	for (int round = 0; round < rounds; round++) {
		size_t mutated_count = 0;
		unsigned char *mutated = mutate_copy(bytes, count, random_next(&random), &mutated_count);
		assert_non_null(mutated);
		file_write(path, mutated, mutated_count);
		free(mutated);
		alarm(60); /* a hang ends the test */
		good += use_project(path);
		alarm(0);
	}
	print_message("%d damaged copies of %zu bytes: %d could still be read\n", rounds, count, good);
	free(bytes);
	unlink(path);
}

/* ---- values that a valid database may contain ---------------------------------------------------------------------------- */

/* Values for a column of a type, as SQL; the database refuses those that do not fit the column. */
static const char *const integers[] = {
	"-1", "0", "1", "3", "9", "2147483647", "4294967295", "4294967296", "9223372036854775807", "NULL"};
static const char *const reals[] = {"-1.0", "1e300", "9e999", "-9e999", "1e-320", "NULL"};
static const char *const texts[] = {"''",  "'rest'", "'a' || char(10) || 'b'", "hex(zeroblob(2000))", "CAST(x'6100ff' AS TEXT)",
									"NULL"};
static const char *const blobs[] = {"x''",
									"zeroblob(length(%1$s))",
									"substr(%1$s, 2)",
									"%1$s || %1$s",
									"CAST(%1$s || x'00' AS BLOB)",
									"CAST(replace(hex(zeroblob(length(%1$s))), '00', 'F') AS BLOB)",
									"CAST(substr(%1$s, 5) || x'ffffffff' AS BLOB)",
									"NULL"};

typedef struct column {
	char table[40], name[40], type[20];
} column;

static size_t list_columns(const char *path, column *columns, size_t most) {
	sqlite3 *database = dump_open(path);
	sqlite3_stmt *rows = NULL;
	size_t count = 0;
	dump_check(database,
			   sqlite3_prepare_v2(database,
								  "SELECT s.name, c.name, c.type FROM sqlite_schema AS s, pragma_table_info(s.name) AS c "
								  "WHERE s.type = 'table' AND s.name NOT LIKE 'sqlite_%'",
								  -1, &rows, NULL),
			   SQLITE_OK);
	while (sqlite3_step(rows) == SQLITE_ROW && count < most) {
		column *c = &columns[count++];
		snprintf(c->table, sizeof c->table, "%s", (const char *)sqlite3_column_text(rows, 0));
		snprintf(c->name, sizeof c->name, "%s", (const char *)sqlite3_column_text(rows, 1));
		snprintf(c->type, sizeof c->type, "%s", (const char *)sqlite3_column_text(rows, 2));
	}
	sqlite3_finalize(rows);
	sqlite3_close(database);
	return count;
}

/* Sets the value of a row, past constraints between rows: of the array with that id, or for 0 of the first row. False where the
 * column cannot hold it. */
static bool set_value(const char *path, const column *c, int64_t array, const char *value) {
	char sql[1024];
	/* In blobs' expressions the column's name stands where they say so. */
	const char *mark = strstr(value, "%1$s");
	char expression[300] = "";
	for (; mark; mark = strstr(value, "%1$s")) {
		snprintf(expression + strlen(expression), sizeof expression - strlen(expression), "%.*s%s", (int)(mark - value), value,
				 c->name);
		value = mark + 4;
	}
	snprintf(expression + strlen(expression), sizeof expression - strlen(expression), "%s", value);
	char place[200];
	snprintf(place, sizeof place, "%s IS (SELECT %s FROM %s WHERE %s IS NOT NULL LIMIT 1)", c->name, c->name, c->table,
			 c->name);
	if (array != 0) {
		snprintf(place, sizeof place, "id = %lld", (long long)array);
	}
	snprintf(sql, sizeof sql, "UPDATE %s SET %s = %s WHERE %s", c->table, c->name, expression, place);
	sqlite3 *database = dump_open(path);
	const bool set = sqlite3_exec(database, sql, NULL, NULL, NULL) == SQLITE_OK && sqlite3_changes(database) > 0;
	sqlite3_close(database);
	return set;
}

/* How often a column is tried: the arrays of all columns that are apart are rows of one. */
static int64_t count_of_arrays(const char *path, const column *c) {
	return strcmp(c->table, "array") == 0 && strcmp(c->name, "bytes") == 0 ? dump_integer(path, "SELECT max(id) FROM array")
																		   : 0;
}

/* Every third value of each column, in turn; all of them with $SINEW_TEST_ROUNDS. */
static void hostile_value_gives_an_error_or_a_good_scene(void **state) {
	(void)state;
	const size_t step = is_long() ? 1 : 3;
	const char *path = memory_scratch("values.sinew");
	static column columns[200];
	size_t count = 0;
	int set = 0, good = 0;
	make_project(path);
	const size_t column_count = list_columns(path, columns, sizeof columns / sizeof *columns);
	unsigned char *bytes = file_bytes(path, &count);
	for (size_t c = 0; c < column_count; c++) {
		const char type = columns[c].type[0];
		const char *const *values = type == 'I' ? integers : type == 'R' ? reals : type == 'T' ? texts : blobs;
		file_write(path, bytes, count);
		const int64_t arrays = count_of_arrays(path, &columns[c]);
		for (int64_t array = arrays > 0; array <= arrays; array++) {
			for (size_t v = 0; v == 0 || strcmp(values[v - 1], "NULL") != 0; v++) {
				file_write(path, bytes, count);
				if ((c + v + (size_t)array) % step == 0 && set_value(path, &columns[c], array, values[v])) {
					alarm(60);
					good += use_project(path);
					alarm(0);
					set++;
				}
			}
		}
	}
	print_message("%d hostile values in %zu columns: %d could still be read\n", set, column_count, good);
	assert_true(set > 400 / (int)step && good < set);
	free(bytes);
	unlink(path);
}

/* What commands print of the history. */
static void check_history_is_clean(const char *path) {
	snw_project *project = NULL;
	snw_arena *arena = snw_arena_create();
	snw_history_entry *entries;
	uint32_t count;
	const char *label = "";
	check_ok(snw_project_open(path, false, &project, &error), error);
	check_ok(snw_project_history(project, arena, &entries, &count, &error), error);
	for (uint32_t i = 0; i < count; i++) {
		assert_null(strpbrk(entries[i].label, "\x1b\x07"));
		assert_null(strpbrk(entries[i].time, "\x1b\x07"));
	}
	check_ok(snw_project_undo(project, &label, &error), error);
	assert_null(strpbrk(label, "\x1b\x07"));
	snw_arena_destroy(arena);
	snw_project_close(project);
}

/* They could control a terminal. Every text of a scene is refused with them; those of the history are cleaned. */
static void control_characters_never_leave_a_project(void **state) {
	(void)state;
	static const char *const value = "'a' || char(27) || '[2Jb' || char(7)";
	const char *path = memory_scratch("controls.sinew");
	static column columns[200];
	size_t count = 0;
	int refused = 0, cleaned = 0;
	make_project(path);
	const size_t column_count = list_columns(path, columns, sizeof columns / sizeof *columns);
	unsigned char *bytes = file_bytes(path, &count);
	for (size_t c = 0; c < column_count; c++) {
		file_write(path, bytes, count);
		const bool is_shown =
			strcmp(columns[c].table, "project") != 0; /* which names the program that wrote it, for no command */
		if (columns[c].type[0] != 'T' || !is_shown || !set_value(path, &columns[c], 0, value)) {
			continue;
		}
		if (strcmp(columns[c].table, "journal") == 0) {
			check_history_is_clean(path);
			cleaned++;
		} else if (use_project(path) || strpbrk(error.text, "\x1b\x07")) {
			fail_msg("%s of %s may have control characters: %s", columns[c].name, columns[c].table, error.text);
		} else {
			refused++;
		}
	}
	print_message("%d texts of scenes are refused, %d of the history are cleaned\n", refused, cleaned);
	assert_true(refused > 15 && cleaned == 2);
	free(bytes);
	unlink(path);
}

TEST_GROUP(hostile) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(damaged_copy_gives_an_error_or_a_good_scene),
		cmocka_unit_test(hostile_value_gives_an_error_or_a_good_scene),
		cmocka_unit_test(control_characters_never_leave_a_project),
	};
	return cmocka_run_group_tests_name("hostile projects", tests, NULL, remove_scratch);
}
