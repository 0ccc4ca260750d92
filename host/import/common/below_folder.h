/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Files that an imported file names: only what lies in its own folder, or below, comes in. A file from a stranger could else have
 * any picture of the user's put into a project that is then passed on.
 */
#ifndef SINEW_HOST_IMPORT_COMMON_BELOW_FOLDER_H
#define SINEW_HOST_IMPORT_COMMON_BELOW_FOLDER_H

#include "base/error.h"

/* SNW_OK where `file` is there and lies below `folder`, links followed; else SNW_ERROR_MISSING or SNW_ERROR_DATA. */
snw_status snw_below_folder(const char *folder, const char *file, snw_error *error);

#endif
