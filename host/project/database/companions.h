/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The files that SQLite keeps beside a project: P-journal, P-wal and P-shm. A project may come from a stranger, and so may they.
 *
 * SQLite rolls back a journal that it finds beside a file. Such a journal may name a second file, the "super-journal" of a
 * transaction over several databases, which SQLite then deletes. Sinew's transactions are over one database: a journal that names
 * a second file is not Sinew's. Private to host/project.
 */
#ifndef SINEW_HOST_PROJECT_DATABASE_COMPANIONS_H
#define SINEW_HOST_PROJECT_DATABASE_COMPANIONS_H

#include "base/error.h"

/* The name of an SQLite VFS that opens databases, their journals and unnamed temporary files, and deletes journals: nothing else.
 * From any thread. NULL where SQLite has no memory for it. */
const char *snw_companions_vfs(void);

/* SNW_ERROR_DATA where the journal beside the project at `path` is not a regular file, or names a second file. */
snw_status snw_companions_check(const char *path, snw_error *error);

/* Removes them, where they are. A link goes, what it points to stays. */
snw_status snw_companions_remove(const char *path, snw_error *error);

#endif
