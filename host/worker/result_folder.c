/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "worker/result_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file/file.h"
#include "project/project.h"
#include "worker/job/jobs.h"

snw_status snw_result_folder_open(const char *path, snw_arena *arena, snw_result_folder *result, snw_error *error) {
	snw_file_sweep(path);
	char *folder = snw_file_unfinished_name(path, arena);
	if (!mkdtemp(folder)) {
		return snw_fail(error, SNW_ERROR_IO, "%s: cannot be written: %s", path, strerror(errno));
	}
	*result = (snw_result_folder){
		.arena = arena,
		.path = path,
		.folder = folder,
		.project = snw_path_join(arena, folder, "project.sinew"),
		.lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC),
	};
	(void)flock(result->lock, LOCK_EX | LOCK_NB);
	return SNW_OK;
}

void snw_result_folder_close(snw_result_folder *result) {
	snw_file_remove_folder(result->folder);
	if (result->lock >= 0) {
		close(result->lock);
	}
}

/* ---- the worker's result --------------------------------------------------------------------------------------------- */

/* An exploited reader could leave a link to one of the user's files, or a pipe without a writer. */
static snw_status check_kind(const snw_result_folder *result, snw_error *error) {
	struct stat info;
	if (lstat(result->project, &info) != 0 || !S_ISREG(info.st_mode) || info.st_nlink != 1) {
		return snw_fail(error, SNW_ERROR_DATA, "%s: the import wrote no regular file; the old file is unchanged", result->path);
	}
	return SNW_OK;
}

snw_status snw_result_folder_accept(const snw_result_folder *result, const snw_task *task, snw_scene **scene,
									snw_error *error) {
	snw_scene *read = NULL;
	snw_status status = check_kind(result, error);
	if (snw_failed(status)) {
		return status;
	}
	snw_error fault = {0};
	status = snw_job_open(result->project, task, &read, &fault);
	if (status == SNW_CANCELLED) {
		return snw_fail(error, status, "%s: cancelled", result->path);
	}
	if (snw_failed(status)) {
		snw_error_rename(&fault, result->project, result->path);
		return snw_fail(error, status, "%s (in the result of the import; the old file is unchanged)", fault.text);
	}
	status = snw_project_move(result->project, result->path, error);
	if (snw_failed(status)) {
		snw_scene_destroy(read);
		return status;
	}
	read->folder = snw_path_absolute(read->arena, NULL, snw_path_folder(result->path, read->arena));
	*scene = read;
	return status;
}
