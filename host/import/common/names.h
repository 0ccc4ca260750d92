/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Names as files bring them: missing, repeated, or not text at all.
 */
#ifndef SINEW_HOST_IMPORT_COMMON_NAMES_H
#define SINEW_HOST_IMPORT_COMMON_NAMES_H

#include <stdint.h>

#include "base/arena.h"
#include "base/task.h"

/* A copy, of 200 bytes at most, in which control characters (with a notice) and bytes that are not UTF-8 are '_'. NULL where
 * there is no text or only blanks. */
char *snw_name_clean(snw_arena *arena, const char *text, const snw_task *task);

/* Makes `count` names unique in place: a NULL one becomes "<word>-<index>", a repeated one gets a suffix "-2", "-3"…, with one
 * notice that counts them and shows the first. `word` says what they name: "node", "clip". */
void snw_names_settle(snw_arena *arena, const char **names, uint32_t count, const char *word, const snw_task *task);

#endif
