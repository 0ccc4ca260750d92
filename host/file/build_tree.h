/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whether this program runs where it was built, before it was installed: then its plug-ins and its worker are the build's.
 */
#ifndef SINEW_HOST_FILE_BUILD_TREE_H
#define SINEW_HOST_FILE_BUILD_TREE_H

#include "base/arena.h"

/* The folder in which this program was built, where the running program lies in it; NULL elsewhere. Other folders above the program
 * are never searched: who may write in one of them could have code loaded from it. */
const char *snw_build_tree(void);

/* The folder of the running program, NULL where the system does not say. */
char *snw_program_folder(snw_arena *arena);

#endif
