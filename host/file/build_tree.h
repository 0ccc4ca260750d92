/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whether this program runs in the folder where it was built. If so, it uses the plug-ins and the worker of the build.
 */
#ifndef SINEW_HOST_FILE_BUILD_TREE_H
#define SINEW_HOST_FILE_BUILD_TREE_H

#include "base/arena.h"

/* The build folder, if the running program is in it; otherwise NULL. Other folders above the program are never searched,
 * because anybody who can write to them could make the program load code. */
const char *snw_build_tree(void);

/* The folder of the running program; NULL if it is unknown. */
char *snw_program_folder(snw_arena *arena);

#endif
