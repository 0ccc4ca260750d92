/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "project/database/id_lists.h"

#include <stdio.h>

#include "project/database/rows.h"
#include "scene/check.h"

enum { NAMES_SHOWN = 4 };

snw_status snw_row_list_read(snw_project *project, const char *table, const char *order, snw_arena *arena, snw_row_list *list,
							 snw_error *error) {
	char sql[200];
	int64_t count = 0;
	snprintf(sql, sizeof sql, "SELECT count(*) FROM %s", table);
	snw_status status = snw_database_integer(project, sql, NULL, 0, 0, &count, error);
	if (!snw_failed(status) && count > SNW_LARGEST_COUNT) {
		return snw_fail(error, SNW_ERROR_DATA, "%s: the table '%s' has too many rows", project->path, table);
	}
	if (snw_failed(status)) {
		return status;
	}
	list->ids = SNW_NEW_ARRAY(arena, int64_t, (size_t)count);
	list->names = SNW_NEW_ARRAY(arena, const char *, (size_t)count);
	snprintf(sql, sizeof sql, "SELECT id, name FROM %s ORDER BY %s", table, order);
	snw_rows rows = snw_rows_begin(project, arena, table, sql, NULL, 0, error);
	uint32_t i = 0;
	for (; i < count && snw_rows_next(&rows); i++) {
		list->ids[i] = snw_rows_integer(&rows, 0);
		list->names[i] = snw_rows_text(&rows, 1);
	}
	list->count = i;
	return snw_rows_end(&rows);
}

snw_status snw_row_names_read(snw_project *project, const char *sql, int64_t id, snw_arena *arena, const char **names,
							  snw_error *error) {
	snw_rows rows = snw_rows_begin(project, arena, "project", sql, SNW_CELLS(snw_integer(id)), error);
	const char *text = NULL;
	uint32_t count = 0;
	while (snw_rows_next(&rows)) {
		const char *name = snw_rows_text(&rows, 0);
		if (name && ++count <= NAMES_SHOWN) {
			text = text ? snw_arena_format(arena, "%s, '%.100s'", text, name) : snw_arena_format(arena, "'%.100s'", name);
		}
	}
	if (count > NAMES_SHOWN) {
		text = snw_arena_format(arena, "%s and %u more", text, count - NAMES_SHOWN);
	}
	*names = text;
	return snw_rows_end(&rows);
}
