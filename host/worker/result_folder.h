/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The folder in which an import writes its project, beside the final path. The worker can write nowhere else. The program reads
 * and checks the result before it moves it to the final path.
 */
#ifndef SINEW_HOST_WORKER_RESULT_FOLDER_H
#define SINEW_HOST_WORKER_RESULT_FOLDER_H

#include "worker/worker.h"

typedef struct snw_result_folder {
	snw_arena *arena;
	const char *path;    /* the final path of the project */
	char *folder;        /* on the same file system, so that its files can be renamed to `path` */
	const char *project; /* the file that the worker writes */
	int lock;            /* locked while the folder is in use */
} snw_result_folder;

/* Removes folders that killed programs left beside `path`, and makes a new one. After SNW_OK, close it in any case. */
snw_status snw_result_folder_open(const char *path, snw_arena *arena, snw_result_folder *result, snw_error *error);

/* Checks the result as an untrusted project and moves it to `path`, with progress while it is read. The caller destroys the
 * scene. On failure, SNW_CANCELLED included, there is none, and the old file is unchanged. */
snw_status snw_result_folder_accept(const snw_result_folder *result, const snw_task *task, snw_scene **scene, snw_error *error);

/* Removes the folder with everything in it. */
void snw_result_folder_close(snw_result_folder *result);

#endif
