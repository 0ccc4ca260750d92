/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Checks that a shared object is complete. The loader maps the ranges in the headers without checking the length of the file,
 * and access beyond its end kills the process. So a truncated file must not reach the loader.
 */
#ifndef SINEW_HOST_PLUGIN_CHECK_ELF_H
#define SINEW_HOST_PLUGIN_CHECK_ELF_H

#include "base/arena.h"

/* Why the file cannot be loaded, in `arena`; NULL if it is an ELF file that contains its header, program headers, loaded
 * segments and section headers. The loader itself refuses classes other than ELF64. */
const char *snw_elf_fault(const char *path, snw_arena *arena);

#endif
