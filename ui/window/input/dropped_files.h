/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Files that are dropped together: numbered ones are a sequence, under one name with a star for the number.
 */
#ifndef SINEW_UI_WINDOW_INPUT_DROPPED_FILES_H
#define SINEW_UI_WINDOW_INPUT_DROPPED_FILES_H

#include <stdbool.h>
#include <stdint.h>

typedef struct snw_dropped_files {
	uint32_t count;
	char path[2000]; /* of the single file, or of all */
} snw_dropped_files;

/* Adds a file. Returns false, with nothing changed, if it does not belong to the files so far. */
bool snw_dropped_files_add(snw_dropped_files *dropped, const char *path);

#endif
