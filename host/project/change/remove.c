/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Removing things from a project, inside a command. What something else refers to stays, and the error names who does.
 */
#include <stdio.h>
#include <string.h>

#include "project/database/command.h"
#include "project/database/id_lists.h"

/* For each kind: its table, its word, what may refer to it, and the lists below it. */
typedef struct removal {
	const char *table, *word;
	const char *users; /* names of what refers to row ?1; NULL where nothing can */
	const char *lists; /* empties the lists of row ?1; NULL where there are none */
	const char *more;  /* a second list */
} removal;

static const removal removals[] = {
	[SNW_PROJECT_POSE] = {.table = "pose", .word = "pose", .users = "SELECT name FROM example WHERE pose = ?1"},
	[SNW_PROJECT_EXAMPLE] = {.table = "example", .word = "example"},
	[SNW_PROJECT_GROUP] = {.table = "corrective_group",
						   .word = "group",
						   .lists = "DELETE FROM group_joint WHERE corrective_group = ?1",
						   .more = "DELETE FROM group_member WHERE corrective_group = ?1"},
	[SNW_PROJECT_FIELD] = {.table = "field",
						   .word = "field",
						   .users = "SELECT name FROM corrective_group WHERE id IN "
									"(SELECT corrective_group FROM group_member WHERE mask = ?1)"},
	[SNW_PROJECT_TARGET] = {.table = "target", .word = "target", .lists = "DELETE FROM target_frame WHERE target = ?1"},
	[SNW_PROJECT_CLIP] = {.table = "clip",
						  .word = "clip",
						  .users = "SELECT name FROM target WHERE clip = ?1 UNION ALL SELECT name FROM pose WHERE clip = ?1",
						  .lists = "DELETE FROM track WHERE clip = ?1"},
	[SNW_PROJECT_MODEL] = {.table = "model", .word = "model", .users = "SELECT name FROM layer WHERE model = ?1"},
	[SNW_PROJECT_LAYER] = {.table = "layer", .word = "layer", .lists = "DELETE FROM layer_setting WHERE layer = ?1"},
};

static snw_status delete_row(snw_project *project, const removal *kind, int64_t id, snw_error *error) {
	char sql[100];
	snw_status status = SNW_OK;
	if (kind->lists) {
		status = snw_database_run(project, kind->lists, SNW_CELLS(snw_integer(id)), error);
	}
	if (!snw_failed(status) && kind->more) {
		status = snw_database_run(project, kind->more, SNW_CELLS(snw_integer(id)), error);
	}
	snprintf(sql, sizeof sql, "DELETE FROM %s WHERE id = ?1", kind->table);
	return snw_failed(status) ? status : snw_database_run(project, sql, SNW_CELLS(snw_integer(id)), error);
}

/* The groups behind it move up. */
static snw_status remove_group(snw_project *project, int64_t id, snw_error *error) {
	int64_t place = 0;
	snw_status status = snw_database_integer(project, "SELECT position FROM corrective_group WHERE id = ?1",
											 SNW_CELLS(snw_integer(id)), 0, &place, error);
	status = snw_failed(status) ? status : delete_row(project, &removals[SNW_PROJECT_GROUP], id, error);
	return status ? status
				  : snw_database_run(project, "UPDATE corrective_group SET position = position - 1 WHERE position > ?1",
									 SNW_CELLS(snw_integer(place)), error);
}

/* An example leaves its groups; the members above it move down; a group with none left goes. */
static snw_status leave_groups(snw_project *project, int64_t example, snw_error *error) {
	for (;;) {
		int64_t group = 0, place = 0, remaining = 0;
		snw_status status =
			snw_database_integer(project, "SELECT corrective_group FROM group_member WHERE example = ?1 LIMIT 1",
								 SNW_CELLS(snw_integer(example)), 0, &group, error);
		if (snw_failed(status) || group == 0) {
			return status;
		}
		status = snw_database_integer(project, "SELECT position FROM group_member WHERE corrective_group = ?1 AND example = ?2",
									  SNW_CELLS(snw_integer(group), snw_integer(example)), 0, &place, error);
		status = status ? status
						: snw_database_run(project, "DELETE FROM group_member WHERE corrective_group = ?1 AND position = ?2",
										   SNW_CELLS(snw_integer(group), snw_integer(place)), error);
		/* In two steps, since a position may be taken once only at any moment. */
		status = status ? status
						: snw_database_run(project,
										   "UPDATE group_member SET position = -position WHERE corrective_group = ?1 AND "
										   "position > ?2",
										   SNW_CELLS(snw_integer(group), snw_integer(place)), error);
		status = status ? status
						: snw_database_run(project,
										   "UPDATE group_member SET position = -position - 1 WHERE corrective_group = ?1 AND "
										   "position < 0",
										   SNW_CELLS(snw_integer(group)), error);
		status = status ? status
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

/* The layers above move down; the model goes where no other layer uses it. */
static snw_status remove_layer(snw_project *project, int64_t id, snw_error *error) {
	int64_t model = 0, place = 0;
	snw_status status =
		snw_database_integer(project, "SELECT model FROM layer WHERE id = ?1", SNW_CELLS(snw_integer(id)), 0, &model, error);
	status = status ? status
					: snw_database_integer(project, "SELECT position FROM layer WHERE id = ?1", SNW_CELLS(snw_integer(id)), 0,
										   &place, error);
	status = snw_failed(status) ? status : delete_row(project, &removals[SNW_PROJECT_LAYER], id, error);
	status = status ? status
					: snw_database_run(project, "UPDATE layer SET position = position - 1 WHERE position > ?1",
									   SNW_CELLS(snw_integer(place)), error);
	return status ? status
				  : snw_database_run(project,
									 "DELETE FROM model WHERE id = ?1 AND id NOT IN "
									 "(SELECT model FROM layer WHERE model IS NOT NULL)",
									 SNW_CELLS(snw_integer(model)), error);
}

/* The row has to be there, must not be the rest pose, and nothing may refer to it. */
static snw_status check_removable(snw_project *project, const removal *kind, int64_t id, snw_arena *arena, snw_error *error) {
	char sql[100];
	const char *name = NULL, *users = NULL;
	snprintf(sql, sizeof sql, "SELECT name FROM %s WHERE id = ?1", kind->table);
	snw_status status = snw_row_names_read(project, sql, id, arena, &name, error);
	if (!snw_failed(status) && !name) {
		return snw_fail(error, SNW_ERROR_MISSING, "%s: no %s with id %lld", project->path, kind->word, (long long)id);
	}
	if (!snw_failed(status) && kind == &removals[SNW_PROJECT_POSE] && strcmp(name, "'rest'") == 0) {
		return snw_fail(error, SNW_ERROR_CONFLICT, "%s: the rest pose cannot be removed; everything is counted from it",
						project->path);
	}
	if (!snw_failed(status) && kind->users) {
		status = snw_row_names_read(project, kind->users, id, arena, &users, error);
	}
	if (!snw_failed(status) && users) {
		return snw_fail(error, SNW_ERROR_CONFLICT, "%s: %s %s is used by %s; remove those first", project->path, kind->word,
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
		status = leave_groups(project, id, error);
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
