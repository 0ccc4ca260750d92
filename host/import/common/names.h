/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Repairs the names in imported files, which may be missing, repeated, or not valid text.
 */
#ifndef SINEW_HOST_IMPORT_COMMON_NAMES_H
#define SINEW_HOST_IMPORT_COMMON_NAMES_H

#include <stdint.h>

#include "base/arena.h"
#include "task/task.h"

/* A copy of at most 200 bytes, in which control characters (with a notice) and bytes that are not UTF-8 become '_'. NULL if the
 * text is missing or blank. */
char *snw_name_clean(snw_arena *arena, const char *text, const snw_task *task);

/* Makes `count` names unique in place: a NULL one becomes "<word>-<index>", a repeated one gets a suffix "-2", "-3"…, with
 * one notice that counts them and shows the first. `kind` is the noun for what they name: "node", "clip". */
void snw_names_make_unique(snw_arena *arena, const char **names, uint32_t count, const char *kind, const snw_task *task);

#endif
