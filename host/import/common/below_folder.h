/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Files that an imported file refers to are read only from its folder or below. Otherwise an untrusted file could copy any
 * of the user's pictures into a project that is then passed on.
 */
#ifndef SINEW_HOST_IMPORT_COMMON_BELOW_FOLDER_H
#define SINEW_HOST_IMPORT_COMMON_BELOW_FOLDER_H

#include "base/error.h"

/* SNW_OK if `file` exists and is below `folder` once links are followed; otherwise SNW_ERROR_MISSING or SNW_ERROR_DATA. */
snw_status snw_below_folder(const char *folder, const char *file, snw_error *error);

#endif
