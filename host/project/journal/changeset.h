/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The changeset of a journal entry, as an input stream for SQLite. SQLite loops for ever over some damaged changesets, so each
 * is checked first. Private to host/project.
 */
#ifndef SINEW_HOST_PROJECT_JOURNAL_CHANGESET_H
#define SINEW_HOST_PROJECT_JOURNAL_CHANGESET_H

#include "project/database/database.h"

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

#endif
