/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The limit of the history: by the bytes needed to undo changes, not by their number. The oldest changes are removed first; the
 * scene is unaffected.
 */
#include "project/journal/history_limit.h"

#include <stdio.h>

#include "project/database/arrays.h"
#include "project/journal/command.h"

/* The newest entry whose change must be removed, so that later ones need at most ?1 bytes; 0 for none. The last change is
 * always kept, so that it can be undone. The pieces are read in their order, of each only its length: to look for one SQLite
 * reads the whole pieces that it passes. */
static const char find_floor[] =
	"SELECT max(journal) FROM (SELECT journal, sum(bytes) OVER (ORDER BY journal DESC) AS held FROM"
	" (SELECT journal, sum(bytes) AS bytes FROM"
	" (SELECT journal, sum(length(changeset)) AS bytes FROM journal_change GROUP BY journal UNION ALL"
	" SELECT journal, sum(length(bytes)) FROM journal_array JOIN array ON id = array WHERE NOT is_made GROUP BY journal)"
	" GROUP BY journal)"
	" WHERE journal NOT IN (SELECT id FROM journal WHERE undone))"
	" WHERE held > ?1 AND journal < (SELECT max(id) FROM journal)";

/* The default limit; %s selects the arrays in use. Free pages of the file are not part of the scene. */
static const char find_limit[] =
	"SELECT min(1073741824, max(16777216, 16 * ((SELECT page_count FROM pragma_page_count) - (SELECT freelist_count FROM"
	" pragma_freelist_count)) * (SELECT page_size FROM pragma_page_size) - 16 * (SELECT ifnull(sum(length(changeset)), 0) FROM"
	" journal_change) - 16 * (SELECT ifnull(sum(length(bytes)), 0) FROM array WHERE id NOT IN (%s))))";

/* Removes the changes up to an entry. The entry itself is kept as the oldest known state, which cannot be undone. */
static snw_status forget_until(snw_project *project, int64_t floor, snw_error *error) {
	char which[40];
	snprintf(which, sizeof which, "<= %lld", (long long)floor);
	const snw_status status = snw_changes_delete(project, which, error);
	return snw_failed(status)
			   ? status
			   : snw_database_run(project, "DELETE FROM journal WHERE id < ?1", SNW_CELLS(snw_integer(floor)), error);
}

snw_status snw_history_trim(snw_project *project, snw_error *error) {
	int64_t floor = 0, limit = (int64_t)project->history_bytes;
	snw_arena *arena = snw_arena_create();
	const char *sql = snw_arena_format(arena, find_limit, snw_arrays_in_use_sql(arena));
	snw_status status = limit == 0 ? snw_database_integer(project, sql, NULL, 0, 0, &limit, error) : SNW_OK;
	snw_arena_destroy(arena);
	if (!snw_failed(status)) {
		status = snw_database_integer(project, find_floor, SNW_CELLS(snw_integer(limit)), 0, &floor, error);
	}
	return snw_failed(status) || floor == 0 ? status : forget_until(project, floor, error);
}

void snw_project_limit_history(snw_project *project, uint64_t bytes) {
	project->history_bytes = bytes < INT64_MAX ? bytes : INT64_MAX;
}

snw_status snw_project_forget(snw_project *project, snw_error *error) {
	snw_status status = snw_command_expect_none(project, error);
	status = snw_failed(status) ? status : snw_database_execute(project, "BEGIN IMMEDIATE", error);
	if (snw_failed(status)) {
		return status;
	}
	int64_t present = 0;
	status = snw_changes_delete(project, "IN (SELECT id FROM journal WHERE undone)", error);
	status = snw_failed(status) ? status : snw_database_execute(project, "DELETE FROM journal WHERE undone", error);
	status =
		snw_failed(status) ? status : snw_database_integer(project, "SELECT max(id) FROM journal", NULL, 0, 0, &present, error);
	status = snw_failed(status) ? status : forget_until(project, present, error);
	status = snw_failed(status) ? status : snw_arrays_sweep(project, error);
	status = snw_failed(status) ? status : snw_database_commit(project, error);
	if (snw_failed(status)) {
		sqlite3_exec(project->database, "ROLLBACK", NULL, NULL, NULL);
		return status;
	}
	/* The copy that VACUUM makes counts as an attached database; otherwise there is none. */
	const int attached = sqlite3_limit(project->database, SQLITE_LIMIT_ATTACHED, 1);
	status = snw_database_execute(project, "VACUUM", error);
	sqlite3_limit(project->database, SQLITE_LIMIT_ATTACHED, attached);
	return status;
}
