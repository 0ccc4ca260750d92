/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Forgetting: history is bounded by the bytes that taking changes back needs, not by their count. What is forgotten is the
 * oldest first; the scene itself never changes by it.
 */
#include "project/database/history_limit.h"

#include "project/database/command.h"

/* The newest entry whose change is to be forgotten, so that those after it take at most ?1 bytes together; 0 for none. The
 * change made last is kept whatever it takes: what a user has just done can be taken back. */
static const char find_floor[] =
	"SELECT max(journal) FROM (SELECT journal, sum(bytes) OVER (ORDER BY journal DESC) AS held FROM"
	" (SELECT journal, sum(length(changeset)) AS bytes FROM journal_change GROUP BY journal))"
	" WHERE held > ?1 AND journal < (SELECT max(id) FROM journal)";

/* What the changes may take by default. What has been freed in the file is no part of the scene. */
static const char find_limit[] =
	"SELECT min(1073741824, max(16777216, 16 * ((SELECT page_count FROM pragma_page_count) - (SELECT freelist_count FROM"
	" pragma_freelist_count)) * (SELECT page_size FROM pragma_page_size) - 16 * (SELECT ifnull(sum(length(changeset)), 0) FROM"
	" journal_change)))";

/* Forgets the changes up to an entry. The entry stays: it names the oldest state that is known, and cannot be undone. */
static snw_status forget_until(snw_project *project, int64_t floor, snw_error *error) {
	const snw_status status =
		snw_database_run(project, "DELETE FROM journal_change WHERE journal <= ?1", SNW_CELLS(snw_integer(floor)), error);
	return status ? status
				  : snw_database_run(project, "DELETE FROM journal WHERE id < ?1", SNW_CELLS(snw_integer(floor)), error);
}

snw_status snw_history_trim(snw_project *project, snw_error *error) {
	int64_t floor = 0, limit = (int64_t)project->history_bytes;
	snw_status status = limit == 0 ? snw_database_integer(project, find_limit, NULL, 0, 0, &limit, error) : SNW_OK;
	if (!snw_failed(status)) {
		status = snw_database_integer(project, find_floor, SNW_CELLS(snw_integer(limit)), 0, &floor, error);
	}
	return status || floor == 0 ? status : forget_until(project, floor, error);
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
	status = snw_command_forget_undone(project, error);
	status =
		snw_failed(status) ? status : snw_database_integer(project, "SELECT max(id) FROM journal", NULL, 0, 0, &present, error);
	status = snw_failed(status) ? status : forget_until(project, present, error);
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
