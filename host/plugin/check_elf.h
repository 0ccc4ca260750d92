/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whether a shared object is all there. The loader maps what its headers promise without asking how long the file is, and a
 * page beyond the end kills the process, so a file that was copied only in part must not come that far.
 */
#ifndef SINEW_HOST_PLUGIN_CHECK_ELF_H
#define SINEW_HOST_PLUGIN_CHECK_ELF_H

#include "base/arena.h"

/* What is wrong with the file before it is loaded, or NULL: it is an ELF file, whose header, program headers, loaded segments and
 * section headers all lie inside. Of other classes than ELF64 the loader refuses it by itself. In `arena`. */
const char *snw_elf_fault(const char *path, snw_arena *arena);

#endif
