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
	char path[2000]; /* of the one file, or of all of them */
} snw_dropped_files;

/* Adds a file. False where it does not go with those there are: then they stay as they are. */
bool snw_dropped_files_add(snw_dropped_files *dropped, const char *path);

#endif
