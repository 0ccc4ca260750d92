/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A folder beside the project that an import makes: the worker writes in there and nowhere else, and what it leaves takes the
 * project's place only once it has been read and checked here.
 */
#ifndef SINEW_HOST_WORKER_RESULT_FOLDER_H
#define SINEW_HOST_WORKER_RESULT_FOLDER_H

#include "worker/worker.h"

typedef struct snw_result_folder {
	snw_arena *arena;
	const char *path;    /* of the project that is made */
	char *folder;        /* on the same file system, so that what is in it can be renamed */
	const char *project; /* what the worker writes */
	int lock;            /* tells others that somebody still works in it */
} snw_result_folder;

/* Removes what killed programs have left beside `path`, and makes a folder. Close it in any case after SNW_OK. */
snw_status snw_result_folder_open(const char *path, snw_arena *arena, snw_result_folder *result, snw_error *error);

/* Checks the result as a stranger's project, counts what is in it, and puts it in place. On failure the old file is unchanged. */
snw_status snw_result_folder_accept(const snw_result_folder *result, snw_import_counts *counts, snw_error *error);

/* Whatever the worker left in there goes with the folder. */
void snw_result_folder_close(snw_result_folder *result);

#endif
