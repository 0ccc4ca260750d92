/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the sandbox lets an import read.
 */
#ifndef SINEW_HOST_WORKER_PROGRAM_IMPORT_FILES_H
#define SINEW_HOST_WORKER_PROGRAM_IMPORT_FILES_H

#include "import/import.h"

/* The folders of the files that the request names, each once, and the files whose names begin with a dot, which the sandbox
 * hides otherwise. For a link, also those of its target. */
const char *const *snw_import_folders(const snw_import_request *request, snw_arena *arena, uint32_t *count);

#endif
