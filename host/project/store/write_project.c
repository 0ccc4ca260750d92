/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writes a scene as a new project under a temporary name, then renames it over any existing file.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file/file.h"
#include "project/database/database.h"
#include "project/store/store.h"

static snw_status write_rows(snw_project *project, const snw_scene *scene, const snw_task *task, snw_error *error) {
	snw_arena *arena = snw_arena_create();
	const snw_row_ids ids = snw_row_ids_make(scene, arena);
	const snw_store store = snw_store_of_scene(project, scene, &ids, task, error);
	const snw_status status = snw_store_tables(&store, &ids, SNW_TABLE_IMAGE, SNW_TABLE_LEVEL);
	snw_arena_destroy(arena);
	return status;
}

static snw_status write_scene(snw_project *project, const snw_scene *scene, const char *label, const snw_task *task,
							  snw_error *error) {
	/* No one else opens the file before it is complete, so commits need not be durable. */
	snw_status status = snw_database_execute(project, "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; BEGIN", error);
	status = snw_failed(status) ? status : snw_schema_create(project, error);
	status = snw_failed(status) ? status : write_rows(project, scene, task, error);
	if (!snw_failed(status)) {
		status =
			snw_database_run(project, "INSERT INTO journal (time, label) VALUES (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), ?1)",
							 SNW_CELLS(snw_text(label)), error);
	}
	return snw_failed(status) ? status : snw_database_execute(project, "COMMIT", error);
}

/* ---- replacing the old file ---------------------------------------------------------------------------------------------- */

/* Opens and locks the database that a new project replaces. This also rolls back the journal of a killed program, which would
 * otherwise be applied to the new file. */
static snw_status lock_old(const char *path, snw_project **old, snw_error *error) {
	*old = NULL;
	if (!snw_file_exists(path)) {
		return SNW_OK;
	}
	snw_project *project = NULL;
	if (snw_failed(snw_database_open(path, false, &project, NULL))) {
		return SNW_OK; /* not a database: replaced like any file */
	}
	const int result = sqlite3_exec(project->database, "BEGIN EXCLUSIVE", NULL, NULL, NULL);
	if (result == SQLITE_BUSY) {
		const snw_status status = snw_database_fail(project, error);
		snw_database_close(project);
		return status;
	}
	*old = project;
	return SNW_OK;
}

/* Renames the finished file over the old one while that is locked. */
static snw_status replace_old(const char *path, snw_file_write *file, snw_error *error) {
	snw_project *old = NULL;
	snw_status status = lock_old(path, &old, error);
	status = snw_failed(status) ? status : snw_companions_remove(path, error);
	if (!snw_failed(status)) {
		status = snw_file_write_commit(file, error);
		if (!snw_failed(status)) {
			snw_changed_file_set(path);
		}
	} else {
		snw_file_write_abandon(file);
	}
	snw_database_close(old);
	return status;
}

/* The bytes must be on the disk before the rename. A worker cannot give its file the permissions of other new files. */
static bool finish(const char *path) {
	const int file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	if (file >= 0) {
		snw_file_permit(file);
	}
	const bool flushed = file >= 0 && fsync(file) == 0;
	if (file >= 0) {
		close(file);
	}
	return flushed;
}

snw_status snw_project_move(const char *finished, const char *path, snw_error *error) {
	snw_project *old = NULL;
	snw_status status = lock_old(path, &old, error);
	status = snw_failed(status) ? status : snw_companions_remove(path, error);
	if (!snw_failed(status) && (!finish(finished) || rename(finished, path) != 0)) {
		status =
			snw_fail(error, SNW_ERROR_IO, "%s: could not be written: %s; the old file is unchanged", path, strerror(errno));
	} else if (!snw_failed(status)) {
		snw_changed_file_set(path);
	}
	snw_database_close(old);
	snw_file_sync_folder(path);
	return status;
}

/* Copies with SQLite, because a copy of the file's bytes could contain half a command. */
static snw_status back_up(snw_project *from, snw_project *to, snw_error *error) {
	sqlite3_backup *backup = sqlite3_backup_init(to->database, "main", from->database, "main");
	if (!backup) {
		return snw_database_fail(to, error);
	}
	const int result = sqlite3_backup_step(backup, -1);
	const int finished = sqlite3_backup_finish(backup);
	if (result == SQLITE_DONE && finished == SQLITE_OK) {
		return SNW_OK;
	}
	return snw_fail(error, SNW_ERROR_IO, "%s: could not be copied (%s); free some space, or try again when no program uses it",
					from->path, sqlite3_errstr(result == SQLITE_DONE ? finished : result));
}

snw_status snw_project_copy(const char *path, const char *copy, snw_error *error) {
	snw_project *from = NULL, *to = NULL;
	snw_status status = snw_project_open(path, true, &from, error);
	if (!snw_failed(status)) {
		status = snw_database_open(copy, false, &to, error);
	}
	if (!snw_failed(status)) {
		status = back_up(from, to, error);
	}
	snw_database_close(to);
	snw_project_close(from);
	return status;
}

snw_status snw_project_write(const char *path, const snw_scene *scene, const char *label, snw_error *error) {
	snw_error found;
	const snw_status status = snw_scene_check(scene, &found);
	if (snw_failed(status)) {
		return snw_fail(error, status, "%s: not written: %s", path, found.text);
	}
	return snw_project_write_checked(path, scene, label, NULL, error);
}

snw_status snw_project_write_checked(const char *path, const snw_scene *scene, const char *label, const snw_task *task,
									 snw_error *error) {
	snw_file_write *file = NULL;
	snw_file_sweep(path);
	snw_status status = snw_file_write_begin(path, &file, error);
	if (snw_failed(status)) {
		return status;
	}
	snw_project *project = NULL;
	status = snw_database_open(snw_file_write_path(file), false, &project, error);
	if (snw_failed(status)) {
		snw_file_write_abandon(file);
		return status;
	}
	status = snw_database_rename(project, path, error); /* errors name the requested file */
	status = snw_failed(status) ? status : write_scene(project, scene, label, task, error);
	snw_database_close(project);
	if (snw_failed(status)) {
		snw_file_write_abandon(file);
		return status;
	}
	return replace_old(path, file, error);
}
