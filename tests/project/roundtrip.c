/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Everything that is written is read again, column by column.
 */
#include "files.h"
#include "project/database/tables.h"
#include "project/project.h"
#include "scene/fixture.h"
#include "scene/scene.h"

static void same_bytes(const char *subject, const void *a, const void *b, size_t count) {
	if (count == 0) {
		return; /* an empty array may have no address */
	}
	if ((a == NULL) != (b == NULL) || (a && memcmp(a, b, count) != 0)) {
		fail_msg("%s differs", subject);
	}
}

#define SAME_ARRAY(x, y, member, count) same_bytes(#member, (x)->member, (y)->member, (count) * sizeof *(x)->member)

/* ---- rows, by their columns ---------------------------------------------------------------------------------------------- */

typedef struct scene_pair {
	const snw_scene *a, *b;
} scene_pair;

static const void *array_of(const snw_column *column, const void *row, const snw_scene *scene, size_t *byte_count) {
	const void *array;
	uint32_t count;
	memcpy(&array, (const char *)row + column->member, sizeof array);
	if (column->kind == SNW_COLUMN_BYTES) {
		memcpy(byte_count, (const char *)row + column->count_member, sizeof *byte_count);
	} else if (column->kind == SNW_COLUMN_LIST) {
		memcpy(&count, (const char *)row + column->count_member, sizeof count);
		*byte_count = count * column->element_bytes;
	} else {
		*byte_count = array ? column->count(row, scene) * column->element_bytes : 0;
	}
	return array;
}

static void same_arrays(const scene_pair *scenes, const snw_column *column, const void *x, const void *y) {
	size_t x_bytes, y_bytes;
	const void *p = array_of(column, x, scenes->a, &x_bytes), *q = array_of(column, y, scenes->b, &y_bytes);
	assert_int_equal(x_bytes, y_bytes);
	same_bytes(column->name, p, q, x_bytes);
	assert_true(!column->optional || (p == NULL) == (q == NULL));
}

static void same_texts(const snw_column *column, const char *x, const char *y) {
	assert_true(!column->optional || (x == NULL) == (y == NULL));
	assert_string_equal(x ? x : "", y ? y : "");
}

/* The row of a list of the scene with an id. */
static int64_t index_of(const snw_scene *scene, snw_table_id table, int64_t id) {
	uint32_t count;
	const char *rows = snw_table_list(&snw_tables[table], scene, &count);
	const size_t member = snw_table_column(&snw_tables[table], SNW_COLUMN_ID)->member;
	for (uint32_t i = 0; id != 0 && i < count; i++) {
		if (memcmp(rows + snw_tables[table].row_bytes * i + member, &id, sizeof id) == 0) {
			return i;
		}
	}
	return -1;
}

static void same_members(const scene_pair *scenes, const snw_column *column, const void *x, const void *y) {
	const char *p = (const char *)x + column->member, *q = (const char *)y + column->member;
	switch (column->kind) {
	case SNW_COLUMN_ID:
	case SNW_COLUMN_INTEGER: /* the hash of a target's frames, which the scene gets when it is stored */
		break;
	case SNW_COLUMN_COUNT:
	case SNW_COLUMN_CHOICE:
	case SNW_COLUMN_INDEX:
		same_bytes(column->name, p, q, sizeof(uint32_t));
		break;
	case SNW_COLUMN_FLAG:
		same_bytes(column->name, p, q, sizeof(bool));
		break;
	case SNW_COLUMN_REAL:
		same_bytes(column->name, p, q, sizeof(double));
		break;
	case SNW_COLUMN_TEXT:
		same_texts(column, *(const char *const *)p, *(const char *const *)q);
		break;
	case SNW_COLUMN_REFERENCE:
		assert_int_equal(index_of(scenes->a, column->refers, *(const int64_t *)p),
						 index_of(scenes->b, column->refers, *(const int64_t *)q));
		break;
	case SNW_COLUMN_NUMBERS:
		same_bytes(column->name, p, q, column->element_bytes);
		break;
	default:
		same_arrays(scenes, column, x, y);
	}
}

/* A list of two rows, or of two scenes, with the lists of its rows. */
static void same_lists(const scene_pair *scenes, snw_table_id id, const void *x, const void *y) {
	const snw_table *table = &snw_tables[id];
	uint32_t x_count, y_count;
	const char *p = snw_table_list(table, x, &x_count), *q = snw_table_list(table, y, &y_count);
	assert_int_equal(x_count, y_count);
	for (uint32_t i = 0; i < x_count; i++, p += table->row_bytes, q += table->row_bytes) {
		for (uint32_t c = 0; c < table->column_count; c++) {
			if (table->columns[c].member != SNW_NO_MEMBER) {
				same_members(scenes, &table->columns[c], p, q);
			}
		}
		for (snw_table_id t = id + 1; t < SNW_TABLE_COUNT; t++) {
			if (snw_tables[t].owner == id && snw_tables[t].list != SNW_NO_MEMBER) {
				same_lists(scenes, t, p, q);
			}
		}
	}
}

/* ---- what is more than rows ---------------------------------------------------------------------------------------------- */

static void same_skeletons(const snw_scene *a, const snw_scene *b) {
	const snw_skeleton *x = &a->skeleton, *y = &b->skeleton;
	assert_int_equal(x->joint_count, y->joint_count);
	for (uint32_t j = 0; j < x->joint_count; j++) {
		assert_string_equal(x->names[j], y->names[j]);
	}
	SAME_ARRAY(x, y, parents, x->joint_count);
	SAME_ARRAY(x, y, order, x->joint_count);
	SAME_ARRAY(x, y, rest_local, x->joint_count);
	SAME_ARRAY(x, y, rest_global, 12 * x->joint_count);
	assert_int_equal(a->slot_count, b->slot_count);
	SAME_ARRAY(a, b, slot_joints, a->slot_count);
	SAME_ARRAY(a, b, slot_inverse_binds, 12 * a->slot_count);
}

static void same_sculpts_and_frames(const snw_scene *a, const snw_scene *b) {
	for (uint32_t i = 0; i < a->example_count; i++) {
		const snw_example *x = &a->examples[i], *y = &b->examples[i];
		SAME_ARRAY(x, y, points_posed, 3 * a->meshes[x->mesh].point_count);
	}
	for (uint32_t i = 0; i < a->target_count; i++) {
		const snw_target *x = &a->targets[i], *y = &b->targets[i];
		const uint32_t point_count = a->meshes[x->mesh].point_count;
		assert_int_equal(x->frame_count, y->frame_count);
		SAME_ARRAY(x, y, seconds, x->frame_count);
		SAME_ARRAY(x, y, points_posed, 3 * x->frame_count * point_count);
		assert_true(y->frames_hash == snw_frames_hash(x, point_count));
	}
}

static void same_scenes(const snw_scene *a, const snw_scene *b) {
	same_skeletons(a, b);
	for (snw_table_id t = 0; t < SNW_TABLE_COUNT; t++) {
		if (snw_tables[t].owner == SNW_TABLE_PROJECT && snw_tables[t].list != SNW_NO_MEMBER) {
			same_lists(&(scene_pair){a, b}, t, a, b);
		}
	}
	same_sculpts_and_frames(a, b);
}

static snw_scene *load(const char *path) {
	snw_project *project = NULL;
	snw_scene *scene = NULL;
	snw_error error;
	check_ok(snw_project_open(path, true, &project, &error), error);
	check_ok(snw_project_scene(project, &scene, &error), error);
	snw_project_close(project);
	return scene;
}

static void check_round_trip(const snw_scene *scene) {
	const char *path = check_scratch("round.sinew");
	snw_error error;
	check_ok(snw_project_write(path, scene, "made", &error), error);
	snw_scene *read = load(path);
	same_scenes(scene, read);
	snw_scene_destroy(read);
	unlink(path);
}

static void scene_written_and_read_is_the_same(void **state) {
	(void)state;
	snw_scene *scene = fixture_scene();
	check_round_trip(scene);
	snw_scene_destroy(scene);
}

static void scene_with_nothing_is_the_same(void **state) {
	(void)state;
	snw_scene *scene = snw_scene_create();
	check_round_trip(scene);
	snw_scene_destroy(scene);
}

static void scene_written_twice_is_the_same_file(void **state) {
	(void)state;
	snw_scene *scene = fixture_scene(), *read = NULL;
	const char *first = check_scratch("first.sinew"), *second = check_scratch("second.sinew");
	snw_error error;
	check_ok(snw_project_write(first, scene, "made", &error), error);
	read = load(first);
	check_ok(snw_project_write(second, read, "made", &error), error);
	snw_scene *again = load(second);
	same_scenes(read, again);
	snw_scene_destroy(scene);
	snw_scene_destroy(read);
	snw_scene_destroy(again);
	unlink(first);
	unlink(second);
}

/* ---- the page ------------------------------------------------------------------------------------------------------------ */

/* The line of the page's table whose first cell names it. */
static const char *line_of_table(char *page, const char *name, char *line, size_t room) {
	char quoted[100];
	snprintf(quoted, sizeof quoted, "`%s`", name);
	for (const char *at = page; at; at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL) {
		snprintf(line, room, "%.*s", (int)strcspn(at, "\n"), at);
		const char *cell = strncmp(line, "| `", 3) == 0 ? strchr(line + 1, '|') : NULL, *found = strstr(line, quoted);
		if (cell && found && found < cell) {
			return line;
		}
	}
	fail_msg("the page does not have the table '%s'", name);
	return NULL;
}

static bool has_column(const snw_table *table, const char *name, size_t length) {
	for (uint32_t c = 0; c < table->column_count; c++) {
		if (strncmp(table->columns[c].name, name, length) == 0 && table->columns[c].name[length] == '\0') {
			return true;
		}
	}
	return false;
}

/* A name in the third cell is that of a column of a table that the line is about. */
static void expect_columns(const char *line) {
	const char *cell = strchr(strchr(line + 1, '|') + 1, '|');
	for (const char *at = strchr(cell, '`'); at; at = strchr(at, '`')) {
		const size_t length = strcspn(++at, "`"), letters = strspn(at, "abcdefghijklmnopqrstuvwxyz_");
		bool is_known = letters < length; /* not a name */
		for (snw_table_id t = 0; !is_known && t < SNW_TABLE_COUNT; t++) {
			char quoted[100];
			snprintf(quoted, sizeof quoted, "`%s`", snw_tables[t].name);
			const char *found = strstr(line, quoted);
			is_known = found && found < cell && has_column(&snw_tables[t], at, length);
		}
		if (!is_known) {
			fail_msg("the project has no column '%.*s' as in: %s", (int)length, at, line);
		}
		at += length + 1;
	}
}

/* docs/project-file.md names every column but those that its conventions explain, and the owner of a list; and no others. */
static void page_names_every_column(void **state) {
	(void)state;
	size_t count;
	char *page = (char *)file_bytes(TEST_DOCS "/project-file.md", &count), line[2000], quoted[100];
	for (snw_table_id t = 0; t < SNW_TABLE_JOURNAL; t++) {
		const char *text = line_of_table(page, snw_tables[t].name, line, sizeof line);
		for (uint32_t c = 0; c < snw_tables[t].column_count; c++) {
			const snw_column *column = &snw_tables[t].columns[c];
			const bool is_explained = column->kind == SNW_COLUMN_ID || column->kind == SNW_COLUMN_POSITION ||
									  column->kind == SNW_COLUMN_OWNER || strcmp(column->name, "name") == 0;
			snprintf(quoted, sizeof quoted, "`%s`", column->name);
			if (!is_explained && !strstr(text, quoted)) {
				fail_msg("the page does not have the column '%s' of '%s'", column->name, snw_tables[t].name);
			}
		}
		expect_columns(text);
	}
	free(page);
}

TEST_GROUP(roundtrip) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(scene_written_and_read_is_the_same),
		cmocka_unit_test(scene_with_nothing_is_the_same),
		cmocka_unit_test(scene_written_twice_is_the_same_file),
		cmocka_unit_test(page_names_every_column),
	};
	return cmocka_run_group_tests_name("round trip", tests, NULL, NULL);
}
