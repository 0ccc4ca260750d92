/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "project/database/database.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file/file.h"

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

/* The name by which that VFS opens the project at `path`, for free(); NULL if memory runs out. If its path is too long for
 * SQLite, it is a name in the open folder, `folder`: close that after the database. Otherwise `folder` is -1. */
static char *companions_name(const char *path, int *folder) {
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

/* The name of an SQLite VFS that opens only databases, their journals and unnamed temporary files, and deletes only
 * journals. Any thread. NULL if memory runs out. */
static const char *companions_vfs(void) {
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

/* SNW_ERROR_DATA if the journal of the project at `path` is not a regular file, or refers to a second file. */
static snw_status companions_check(const char *path, snw_error *error) {
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

/* ---- database ------------------------------------------------------------------------------------------------------------ */

enum { BUSY_MILLISECONDS = 30000 };

/* ---- errors -------------------------------------------------------------------------------------------------------------- */

const char *snw_project_last_changed(void) {
	return snw_changed_file();
}

const char *snw_database_unchanged_text(void) {
	return snw_changed_file() ? "" : "; nothing in the project was changed";
}

static const char *system_error(sqlite3 *database) {
	const int number = sqlite3_system_errno(database);
	return number ? strerror(number) : "unknown reason";
}

snw_status snw_database_fail(snw_project *project, snw_error *error) {
	sqlite3 *database = project->database;
	const char *path = project->path, *text = sqlite3_errmsg(database);
	const int length = (int)strcspn(text, "\n"); /* they can quote text from the file */
	switch (sqlite3_errcode(database)) {
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return snw_fail(error, SNW_ERROR_CONFLICT, "%s: another program is using the project; close it or wait, and try again",
						path);
	case SQLITE_FULL:
		return snw_fail(error, SNW_ERROR_IO, "%s: the disk is full; free some space%s", path, snw_database_unchanged_text());
	case SQLITE_READONLY:
	case SQLITE_PERM:
	case SQLITE_AUTH:
		return snw_fail(error, SNW_ERROR_IO, "%s: cannot be written; make the file and its folder writable, or work on a copy",
						path);
	case SQLITE_CANTOPEN:
		return snw_fail(error, SNW_ERROR_IO, "%s: cannot be opened, or its folder cannot be written: %s", path,
						system_error(database));
	case SQLITE_IOERR:
		return snw_fail(error, SNW_ERROR_IO, "%s: reading or writing failed: %s", path, system_error(database));
	case SQLITE_NOTADB:
		return snw_fail(error, SNW_ERROR_DATA, "%s: this is not a Sinew project; make one with 'sinew import'", path);
	case SQLITE_CORRUPT:
		return snw_fail(error, SNW_ERROR_DATA, "%s: the file is damaged (%.*s); use a backup", path, length, text);
	case SQLITE_NOMEM:
		return snw_fail(error, SNW_ERROR_MEMORY, "%s: out of memory; close other programs and try again", path);
	case SQLITE_TOOBIG:
		return snw_fail(error, SNW_ERROR_LIMIT, "%s: one array is larger than a project can hold (1 GB); make it smaller",
						path);
	case SQLITE_CONSTRAINT:
		return snw_fail(error, SNW_ERROR_CONFLICT, "%s: this would damage the project (%.*s)%s", path, length, text,
						snw_database_unchanged_text());
	default:
		return snw_fail(error, SNW_ERROR_DATA, "%s: the project cannot be read (%.*s); use a backup", path, length, text);
	}
}

/* ---- opening ------------------------------------------------------------------------------------------------------------- */

void snw_database_harden(sqlite3 *database) {
	static const struct {
		int setting, on;
	} settings[] = {
		{SQLITE_DBCONFIG_DEFENSIVE, 1},   {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},        {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
		{SQLITE_DBCONFIG_ENABLE_VIEW, 0}, {SQLITE_DBCONFIG_ENABLE_FKEY, 1},           {SQLITE_DBCONFIG_DQS_DDL, 0},
		{SQLITE_DBCONFIG_DQS_DML, 0},     {SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0}, {SQLITE_DBCONFIG_WRITABLE_SCHEMA, 0},
	};
	static const struct {
		int limit, value;
	} limits[] = {
		{SQLITE_LIMIT_ATTACHED, 0},         {SQLITE_LIMIT_SQL_LENGTH, 100000}, {SQLITE_LIMIT_EXPR_DEPTH, 100},
		{SQLITE_LIMIT_COMPOUND_SELECT, 10}, {SQLITE_LIMIT_COLUMN, 100},        {SQLITE_LIMIT_WORKER_THREADS, 0},
		{SQLITE_LIMIT_TRIGGER_DEPTH, 1},    {SQLITE_LIMIT_FUNCTION_ARG, 8},
	};
	for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
		sqlite3_db_config(database, settings[i].setting, settings[i].on, NULL);
	}
	for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
		sqlite3_limit(database, limits[i].limit, limits[i].value);
	}
	sqlite3_busy_timeout(database, BUSY_MILLISECONDS);
	sqlite3_extended_result_codes(database, 0);
}

/* SQLite would interpret URIs, special names and devices. */
static snw_status check_plain_file(const char *path, snw_error *error) {
	struct stat info;
	if (stat(path, &info) != 0) {
		return snw_fail(error, errno == ENOENT ? SNW_ERROR_MISSING : SNW_ERROR_IO, "%s: cannot be opened: %s", path,
						strerror(errno));
	}
	if (!S_ISREG(info.st_mode)) {
		return snw_fail(error, SNW_ERROR_IO, "%s: not a regular file; give a project", path);
	}
	return SNW_OK;
}

snw_status snw_database_open(const char *path, bool read_only, snw_project **project, snw_error *error) {
	snw_status status = check_plain_file(path, error);
	status = snw_failed(status) ? status : companions_check(path, error);
	if (snw_failed(status)) {
		return status;
	}
	snw_project *p = calloc(1, sizeof *p);
	char *name = p ? companions_name(path, &p->folder) : NULL;
	const char *vfs = companions_vfs();
	if (!name || !vfs || !(p->path = strdup(path))) {
		free(name);
		snw_database_close(p);
		return snw_fail(error, SNW_ERROR_MEMORY, "%s: out of memory", path);
	}
	p->read_only = read_only;
	/* Readers open for writing too if they can, because only then can the journal of a killed program be rolled back. */
	const int result = sqlite3_open_v2(name, &p->database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_PRIVATECACHE, vfs);
	free(name);
	if (result != SQLITE_OK) {
		status = p->database ? snw_database_fail(p, error) : snw_fail(error, SNW_ERROR_MEMORY, "%s: out of memory", path);
		snw_database_close(p);
		return status;
	}
	snw_database_harden(p->database);
	/* The cache has room for what a stroke on a mesh of 100,000 points changes. A transaction that it does not hold is written
	 * piece by piece, each after a flush of the journal. */
	status = snw_database_execute(
		p, "PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -65536;", error);
	if (snw_failed(status)) {
		snw_database_close(p);
		return status;
	}
	*project = p;
	return SNW_OK;
}

void snw_database_close(snw_project *project) {
	if (project) {
		sqlite3_close(project->database);
		if (project->folder >= 0) {
			close(project->folder);
		}
		free(project->path);
		free(project->label);
		free(project->arrays.ids);
		free(project);
	}
}

snw_status snw_database_rename(snw_project *project, const char *path, snw_error *error) {
	char *copy = strdup(path);
	if (!copy) {
		return snw_fail(error, SNW_ERROR_MEMORY, "%s: out of memory", path);
	}
	free(project->path);
	project->path = copy;
	return SNW_OK;
}

snw_status snw_database_version(snw_project *project, int64_t *version, snw_error *error) {
	return snw_database_integer(project, "PRAGMA data_version", NULL, 0, 0, version, error);
}

/* ---- statements ---------------------------------------------------------------------------------------------------------- */

snw_status snw_database_execute(snw_project *project, const char *sql, snw_error *error) {
	return sqlite3_exec(project->database, sql, NULL, NULL, NULL) == SQLITE_OK ? SNW_OK : snw_database_fail(project, error);
}

/* The number in the file's header that every commit changes. It is read through SQLite's descriptor, because closing another
 * one would release the locks. */
static uint32_t read_change_counter(sqlite3 *database) {
	enum { COUNTER_PLACE = 24 };
	sqlite3_file *file = NULL;
	uint32_t counter = 0;
	if (sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK && file && file->pMethods) {
		(void)file->pMethods->xRead(file, &counter, sizeof counter, COUNTER_PLACE);
	}
	return counter;
}

static bool has_journal(sqlite3 *database) {
	char path[PATH_MAX];
	struct stat info;
	snprintf(path, sizeof path, "%s-journal", sqlite3_db_filename(database, "main"));
	return stat(path, &info) == 0 && info.st_size > 0;
}

/* A commit can fail after the change is in the file, if only the confirmation of the disk is missing. Then the change is not
 * rolled back. */
snw_status snw_database_commit(snw_project *project, snw_error *error) {
	const uint32_t before = read_change_counter(project->database);
	const snw_status status = snw_database_execute(project, "COMMIT", error);
	if (snw_failed(status) && !sqlite3_get_autocommit(project->database)) {
		sqlite3_exec(project->database, "ROLLBACK", NULL, NULL, NULL);
	}
	if (!snw_failed(status) || (read_change_counter(project->database) != before && !has_journal(project->database))) {
		snw_changed_file_set(project->path);
	}
	return status;
}

int snw_database_bind(sqlite3_stmt *statement, int index, const snw_cell *cell) {
	switch (cell->kind) {
	case SNW_CELL_INTEGER:
		return sqlite3_bind_int64(statement, index, cell->integer);
	case SNW_CELL_REAL:
		return sqlite3_bind_double(statement, index, cell->real);
	case SNW_CELL_TEXT:
		return sqlite3_bind_text(statement, index, cell->bytes, -1, SQLITE_STATIC);
	case SNW_CELL_BLOB: /* an empty array can have no address, but is not NULL */
		return sqlite3_bind_blob64(statement, index, cell->bytes ? cell->bytes : "", cell->byte_count, SQLITE_STATIC);
	default:
		return sqlite3_bind_null(statement, index);
	}
}

snw_status snw_database_prepare(snw_project *project, const char *sql, const snw_cell *cells, size_t cell_count,
								sqlite3_stmt **statement, snw_error *error) {
	sqlite3_stmt *s = NULL;
	int result = sqlite3_prepare_v2(project->database, sql, -1, &s, NULL);
	for (size_t i = 0; result == SQLITE_OK && i < cell_count; i++) {
		result = snw_database_bind(s, (int)i + 1, &cells[i]);
	}
	if (result != SQLITE_OK) {
		const snw_status status = snw_database_fail(project, error);
		sqlite3_finalize(s);
		return status;
	}
	*statement = s;
	return SNW_OK;
}

snw_status snw_database_run(snw_project *project, const char *sql, const snw_cell *cells, size_t cell_count, snw_error *error) {
	sqlite3_stmt *statement = NULL;
	snw_status status = snw_database_prepare(project, sql, cells, cell_count, &statement, error);
	if (!snw_failed(status) && sqlite3_step(statement) != SQLITE_DONE) {
		status = snw_database_fail(project, error);
	}
	sqlite3_finalize(statement);
	return status;
}

snw_status snw_database_integer(snw_project *project, const char *sql, const snw_cell *cells, size_t cell_count,
								int64_t fallback, int64_t *value, snw_error *error) {
	sqlite3_stmt *statement = NULL;
	snw_status status = snw_database_prepare(project, sql, cells, cell_count, &statement, error);
	if (snw_failed(status)) {
		return status;
	}
	const int result = sqlite3_step(statement);
	if (result == SQLITE_ROW) {
		*value = sqlite3_column_type(statement, 0) == SQLITE_NULL ? fallback : sqlite3_column_int64(statement, 0);
	} else if (result == SQLITE_DONE) {
		*value = fallback;
	} else {
		status = snw_database_fail(project, error);
	}
	sqlite3_finalize(statement);
	return status;
}
