/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which files and folders an import may read: what the sandbox leaves open to it.
 */
#ifndef SINEW_HOST_WORKER_IMPORT_FILES_H
#define SINEW_HOST_WORKER_IMPORT_FILES_H

#include "import/import.h"

/* The folders of the files that the request names, each once; where a file is a link, the folder of what it leads to as well. */
const char *const *snw_import_folders(const snw_import_request *request, snw_arena *arena, uint32_t *count);

#endif
