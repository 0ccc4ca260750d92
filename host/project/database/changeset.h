/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A journal entry's changeset, as SQLite's streams read it. SQLite's reader loops for ever over some damaged changesets: one is
 * walked from end to end before SQLite gets it. Private to host/project.
 */
#ifndef SINEW_HOST_PROJECT_DATABASE_CHANGESET_H
#define SINEW_HOST_PROJECT_DATABASE_CHANGESET_H

#include "project/database/database.h"

typedef struct snw_changeset {
	sqlite3_stmt *pieces;
	const unsigned char *piece; /* what is not read yet of the piece, of `count` bytes */
	size_t count;
} snw_changeset;

/* Starts reading the changeset of a journal entry; SNW_ERROR_DATA where it is none. End it in any case. */
snw_status snw_changeset_begin(snw_project *project, int64_t entry, snw_changeset *changeset, snw_error *error);
int snw_changeset_read(void *changeset, void *bytes, int *count); /* xInput of SQLite's streams */
void snw_changeset_end(snw_changeset *changeset);

#endif
