/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Removes rows from a project, inside a command. A row that others refer to cannot be removed; the error names them.
 */
#include <stdio.h>
#include <string.h>

#include "project/database/rows.h"
#include "project/journal/command.h"
#include "project/store/store.h"

/* A kind of row: its table, its noun, and the rows that can refer to it. */
typedef struct removal {
	snw_table_id table;
	const char *noun;
	const char *users; /* selects the names of rows that refer to row ?1; NULL if none can */
} removal;

static const removal removals[] = {
	[SNW_PROJECT_POSE] = {SNW_TABLE_POSE, "pose", "SELECT name FROM example WHERE pose = ?1"},
	[SNW_PROJECT_EXAMPLE] = {SNW_TABLE_EXAMPLE, "example", NULL},
	[SNW_PROJECT_GROUP] = {SNW_TABLE_GROUP, "group", NULL},
	[SNW_PROJECT_FIELD] = {SNW_TABLE_FIELD, "field",
						   "SELECT name FROM corrective_group WHERE id IN "
						   "(SELECT corrective_group FROM group_member WHERE mask = ?1)"},
	[SNW_PROJECT_TARGET] = {SNW_TABLE_TARGET, "target", NULL},
	[SNW_PROJECT_CLIP] = {SNW_TABLE_CLIP, "clip",
						  "SELECT name FROM target WHERE clip = ?1 UNION ALL SELECT name FROM pose WHERE clip = ?1"},
	[SNW_PROJECT_MODEL] = {SNW_TABLE_MODEL, "model", "SELECT name FROM layer WHERE model = ?1"},
	[SNW_PROJECT_LAYER] = {SNW_TABLE_LAYER, "layer", NULL},
};

/* With its lists. */
static snw_status delete_row(snw_project *project, const removal *kind, int64_t id, snw_error *error) {
	char sql[100];
	const snw_status status = snw_store_clear_lists(project, kind->table, id, error);
	snprintf(sql, sizeof sql, "DELETE FROM %s WHERE id = ?1", snw_tables[kind->table].name);
	return snw_failed(status) ? status : snw_database_run(project, sql, SNW_CELLS(snw_integer(id)), error);
}

/* Shifts the positions of later groups. */
static snw_status remove_group(snw_project *project, int64_t id, snw_error *error) {
	int64_t position = 0;
	snw_status status = snw_database_integer(project, "SELECT position FROM corrective_group WHERE id = ?1",
											 SNW_CELLS(snw_integer(id)), 0, &position, error);
	status = snw_failed(status) ? status : delete_row(project, &removals[SNW_PROJECT_GROUP], id, error);
	return snw_failed(status)
			   ? status
			   : snw_database_run(project, "UPDATE corrective_group SET position = position - 1 WHERE position > ?1",
								  SNW_CELLS(snw_integer(position)), error);
}

/* Removes an example from its groups and shifts later members. An empty group is removed. */
static snw_status remove_from_groups(snw_project *project, int64_t example, snw_error *error) {
	for (;;) {
		int64_t group = 0, position = 0, remaining = 0;
		snw_status status =
			snw_database_integer(project, "SELECT corrective_group FROM group_member WHERE example = ?1 LIMIT 1",
								 SNW_CELLS(snw_integer(example)), 0, &group, error);
		if (snw_failed(status) || group == 0) {
			return status;
		}
		status = snw_database_integer(project, "SELECT position FROM group_member WHERE corrective_group = ?1 AND example = ?2",
									  SNW_CELLS(snw_integer(group), snw_integer(example)), 0, &position, error);
		status = snw_failed(status)
					 ? status
					 : snw_database_run(project, "DELETE FROM group_member WHERE corrective_group = ?1 AND position = ?2",
										SNW_CELLS(snw_integer(group), snw_integer(position)), error);
		/* In two steps, because positions must be unique at every moment. */
		status = snw_failed(status)
					 ? status
					 : snw_database_run(project,
										"UPDATE group_member SET position = -position WHERE corrective_group = ?1 AND "
										"position > ?2",
										SNW_CELLS(snw_integer(group), snw_integer(position)), error);
		status = snw_failed(status)
					 ? status
					 : snw_database_run(project,
										"UPDATE group_member SET position = -position - 1 WHERE corrective_group = ?1 AND "
										"position < 0",
										SNW_CELLS(snw_integer(group)), error);
		status = snw_failed(status)
					 ? status
					 : snw_database_integer(project, "SELECT count(*) FROM group_member WHERE corrective_group = ?1",
											SNW_CELLS(snw_integer(group)), 0, &remaining, error);
		if (!snw_failed(status) && remaining == 0) {
			status = remove_group(project, group, error);
		}
		if (snw_failed(status)) {
			return status;
		}
	}
}

/* Shifts the layers above; removes the model if no other layer uses it. */
static snw_status remove_layer(snw_project *project, int64_t id, snw_error *error) {
	int64_t model = 0, position = 0;
	snw_status status =
		snw_database_integer(project, "SELECT model FROM layer WHERE id = ?1", SNW_CELLS(snw_integer(id)), 0, &model, error);
	status = snw_failed(status) ? status
								: snw_database_integer(project, "SELECT position FROM layer WHERE id = ?1",
													   SNW_CELLS(snw_integer(id)), 0, &position, error);
	status = snw_failed(status) ? status : delete_row(project, &removals[SNW_PROJECT_LAYER], id, error);
	status = snw_failed(status) ? status
								: snw_database_run(project, "UPDATE layer SET position = position - 1 WHERE position > ?1",
												   SNW_CELLS(snw_integer(position)), error);
	return snw_failed(status) ? status
							  : snw_database_run(project,
												 "DELETE FROM model WHERE id = ?1 AND id NOT IN "
												 "(SELECT model FROM layer WHERE model IS NOT NULL)",
												 SNW_CELLS(snw_integer(model)), error);
}

/* The row must exist, must not be the rest pose, and must not be referred to. */
static snw_status check_removable(snw_project *project, const removal *kind, int64_t id, snw_arena *arena, snw_error *error) {
	char sql[100];
	const char *name = NULL, *users = NULL;
	snprintf(sql, sizeof sql, "SELECT name FROM %s WHERE id = ?1", snw_tables[kind->table].name);
	snw_status status = snw_row_names_read(project, sql, id, arena, &name, error);
	if (!snw_failed(status) && !name) {
		return snw_fail(error, SNW_ERROR_MISSING, "%s: no %s with id %lld", project->path, kind->noun, (long long)id);
	}
	if (!snw_failed(status) && kind == &removals[SNW_PROJECT_POSE] && strcmp(name, "'rest'") == 0) {
		return snw_fail(error, SNW_ERROR_CONFLICT, "%s: the rest pose cannot be removed; all other data refer to it",
						project->path);
	}
	if (!snw_failed(status) && kind->users) {
		status = snw_row_names_read(project, kind->users, id, arena, &users, error);
	}
	if (!snw_failed(status) && users) {
		return snw_fail(error, SNW_ERROR_CONFLICT, "%s: %s %s is used by %s; remove those first", project->path, kind->noun,
						name, users);
	}
	return status;
}

static snw_status remove_row(snw_project *project, snw_project_kind kind, int64_t id, snw_error *error) {
	snw_status status = SNW_OK;
	if (kind == SNW_PROJECT_LAYER) {
		return remove_layer(project, id, error);
	}
	if (kind == SNW_PROJECT_GROUP) {
		return remove_group(project, id, error);
	}
	if (kind == SNW_PROJECT_EXAMPLE) {
		status = remove_from_groups(project, id, error);
	}
	return snw_failed(status) ? status : delete_row(project, &removals[kind], id, error);
}

snw_status snw_project_remove(snw_project *project, snw_project_kind kind, int64_t id, snw_error *error) {
	snw_status status = snw_command_expect(project, error);
	if (snw_failed(status)) {
		return status;
	}
	snw_arena *arena = snw_arena_create();
	status = check_removable(project, &removals[kind], id, arena, error);
	status = snw_failed(status) ? status : remove_row(project, kind, id, error);
	snw_arena_destroy(arena);
	return snw_command_result(project, status);
}
