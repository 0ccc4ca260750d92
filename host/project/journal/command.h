/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shared by the parts of a command. Private to host/project.
 */
#ifndef SINEW_HOST_PROJECT_JOURNAL_COMMAND_H
#define SINEW_HOST_PROJECT_JOURNAL_COMMAND_H

#include "project/database/database.h"

/* SNW_OK if a command is open and has not failed. */
snw_status snw_command_expect(snw_project *project, snw_error *error);
/* SNW_OK if no command is open and the project is writable. */
snw_status snw_command_expect_none(snw_project *project, snw_error *error);

/* The newest entry that is done. Undone ones before it can no longer be redone: they are overtaken. They stay for as long as
 * that entry may be taken back, which makes them the next to redo again. */
#define SNW_NEWEST_DONE "(SELECT max(id) FROM journal WHERE NOT undone)"

/* Inside a transaction; snw_arrays_sweep then deletes what only those entries needed. */
snw_status snw_command_forget_overtaken(snw_project *project, snw_error *error);
/* The same for what is stored of the changes of entries, which themselves stay: those whose ids are, as SQL, "<= 5". */
snw_status snw_changes_delete(snw_project *project, const char *which, snw_error *error);
/* The same for an entry with its change. */
snw_status snw_entry_delete(snw_project *project, int64_t entry, snw_error *error);

/* Returns the status. After a failure, the open command can only be rolled back. */
snw_status snw_command_result(snw_project *project, snw_status status);

/* The row that a put replaces: *id if it is not 0, otherwise the row of that name, otherwise 0 for a new one. SNW_ERROR_MISSING
 * if no row has that id; SNW_ERROR_CONFLICT if another row has that name. */
snw_status snw_command_resolve(snw_project *project, const char *table, const char *name, int64_t *id, snw_error *error);

/* ---- changeset ----------------------------------------------------------------------------------------------------------- */

/* The changeset of a journal entry, as an input stream for SQLite. SQLite loops for ever over some damaged changesets, so
 * each is checked first. */

typedef struct snw_changeset {
	sqlite3_stmt *pieces;
	const unsigned char *piece; /* the rest of the current piece, `count` bytes */
	size_t count;
} snw_changeset;

/* Starts reading the changeset of a journal entry; SNW_ERROR_DATA if it is damaged. Call snw_changeset_end even after a
 * failure. */
snw_status snw_changeset_begin(snw_project *project, int64_t entry, snw_changeset *changeset, snw_error *error);
int snw_changeset_read(void *changeset, void *bytes, int *count); /* xInput of SQLite's streams */
void snw_changeset_end(snw_changeset *changeset);

/* ---- history limit ------------------------------------------------------------------------------------------------------- */

/* The limit of the history. */

/* Inside a transaction: removes the oldest changes until those that are done need at most project->history_bytes. If that is 0:
 * sixteen times the scene, from 16 MiB to 1 GiB, which is some thousand strokes on a large mesh. */
snw_status snw_history_trim(snw_project *project, snw_error *error);

#endif
