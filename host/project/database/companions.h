/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The files of SQLite beside a project: P-journal, P-wal and P-shm. Like the project, they are not trusted.
 *
 * SQLite rolls back any journal beside a file. A journal can refer to a second file, the "super-journal" of a transaction over
 * several databases, which SQLite then deletes. Sinew's transactions use one database, so such a journal is not from Sinew.
 * Private to host/project.
 */
#ifndef SINEW_HOST_PROJECT_DATABASE_COMPANIONS_H
#define SINEW_HOST_PROJECT_DATABASE_COMPANIONS_H

#include "base/error.h"

/* The name of an SQLite VFS that opens only databases, their journals and unnamed temporary files, and deletes only journals.
 * Any thread. NULL if memory runs out. */
const char *snw_companions_vfs(void);

/* The name by which that VFS opens the project at `path`, for free(); NULL if memory runs out. If its path is too long for
 * SQLite, it is a name in the open folder, `folder`: close that after the database. Otherwise `folder` is -1. */
char *snw_companions_name(const char *path, int *folder);

/* SNW_ERROR_DATA if the journal of the project at `path` is not a regular file, or refers to a second file. */
snw_status snw_companions_check(const char *path, snw_error *error);

/* Removes the files that exist. Links are removed, not their targets. */
snw_status snw_companions_remove(const char *path, snw_error *error);

#endif
