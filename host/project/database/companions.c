/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "project/database/companions.h"

#include <fcntl.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- restricting SQLite to a project's files ----------------------------------------------------------------------------- */

#define FOLDER_PLACE "/proc/self/fd/"

static sqlite3_vfs companion_vfs;
static bool vfs_registered;
static pthread_once_t vfs_once = PTHREAD_ONCE_INIT;

static int open_file(sqlite3_vfs *self, const char *name, sqlite3_file *file, int flags, int *flags_out) {
	(void)self;
	const int allowed = SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_WAL;
	if (name && !(flags & allowed)) {
		file->pMethods = NULL;
		return SQLITE_CANTOPEN;
	}
	sqlite3_vfs *system = sqlite3_vfs_find(NULL);
	return system->xOpen(system, name, file, flags, flags_out);
}

static bool ends_with(const char *text, const char *end) {
	const size_t length = strlen(text), end_length = strlen(end);
	return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

static int delete_file(sqlite3_vfs *self, const char *name, int sync_folder) {
	(void)self;
	if (!ends_with(name, "-journal") && !ends_with(name, "-wal")) {
		return SQLITE_IOERR_DELETE;
	}
	sqlite3_vfs *system = sqlite3_vfs_find(NULL);
	return system->xDelete(system, name, sync_folder);
}

/* SQLite looks no further than 512 bytes. Where a path is longer, it gets a name in the open folder, which it must take as it
 * is. */
static int full_name(sqlite3_vfs *self, const char *name, int room, char *full) {
	(void)self;
	sqlite3_vfs *system = sqlite3_vfs_find(NULL);
	if (strncmp(name, FOLDER_PLACE, sizeof FOLDER_PLACE - 1) != 0) {
		return system->xFullPathname(system, name, room, full);
	}
	return snprintf(full, (size_t)room, "%s", name) < room ? SQLITE_OK : SQLITE_CANTOPEN;
}

char *snw_companions_name(const char *path, int *folder) {
	enum { LONGEST = 480 };
	char *real = realpath(path, NULL), *name = NULL;
	char *slash = real && strlen(real) > LONGEST ? strrchr(real, '/') : NULL;
	*folder = -1;
	if (slash) {
		*slash = 0;
		*folder = open(real, O_PATH | O_DIRECTORY | O_CLOEXEC);
	}
	/* With "./", a name that begins with a colon or "file:" is a file name. */
	const int length = *folder >= 0 ? asprintf(&name, FOLDER_PLACE "%d/%s", *folder, slash + 1)
									: asprintf(&name, "%s%s", path[0] == '/' ? "" : "./", path);
	free(real);
	return length < 0 ? NULL : name;
}

static void register_vfs(void) {
	if (sqlite3_initialize() != SQLITE_OK || !sqlite3_vfs_find(NULL)) {
		return;
	}
	companion_vfs = *sqlite3_vfs_find(NULL);
	companion_vfs.zName = "sinew";
	companion_vfs.pNext = NULL;
	companion_vfs.xOpen = open_file;
	companion_vfs.xDelete = delete_file;
	companion_vfs.xFullPathname = full_name;
	vfs_registered = sqlite3_vfs_register(&companion_vfs, 0) == SQLITE_OK;
}

const char *snw_companions_vfs(void) {
	pthread_once(&vfs_once, register_vfs);
	return vfs_registered ? companion_vfs.zName : NULL;
}

/* ---- untrusted journals -------------------------------------------------------------------------------------------------- */

/* Only a journal that refers to a second file ends with these eight bytes (SQLite's file format, 3). */
static bool names_second_file(int file, off_t byte_count) {
	static const unsigned char marker[8] = {0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7};
	unsigned char end[sizeof marker];
	return byte_count >= (off_t)sizeof end && pread(file, end, sizeof end, byte_count - (off_t)sizeof end) == sizeof end &&
		   memcmp(end, marker, sizeof marker) == 0;
}

static snw_status check_journal(const char *journal, snw_error *error) {
	struct stat info;
	if (lstat(journal, &info) != 0) {
		return SNW_OK;
	}
	if (!S_ISREG(info.st_mode)) {
		return snw_fail(error, SNW_ERROR_DATA, "%s: not a regular file, so not from Sinew; move it away", journal);
	}
	/* SQLite finds the names of other files by the last 8 bytes only. */
	const int file = open(journal, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	const bool second = file >= 0 && names_second_file(file, info.st_size);
	if (file >= 0) {
		close(file);
	}
	return second
			   ? snw_fail(error, SNW_ERROR_DATA,
						  "%s: it refers to another file, which SQLite would delete; Sinew does not write such journals. Move "
						  "it away if you trust the project",
						  journal)
			   : SNW_OK;
}

static char *companion(const char *path, const char *suffix, snw_error *error) {
	char *name = NULL;
	if (asprintf(&name, "%s%s", path, suffix) < 0) {
		(void)snw_fail(error, SNW_ERROR_MEMORY, "%s: out of memory", path);
		return NULL;
	}
	return name;
}

snw_status snw_companions_check(const char *path, snw_error *error) {
	char *journal = companion(path, "-journal", error);
	const snw_status status = journal ? check_journal(journal, error) : SNW_ERROR_MEMORY;
	free(journal);
	return status;
}

snw_status snw_companions_remove(const char *path, snw_error *error) {
	static const char *const suffixes[] = {"-journal", "-wal", "-shm"};
	for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
		char *name = companion(path, suffixes[i], error);
		if (!name) {
			return SNW_ERROR_MEMORY;
		}
		unlink(name);
		free(name);
	}
	return SNW_OK;
}
