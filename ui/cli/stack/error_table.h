/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The error table: what linear blend and others leave at the examples, and against targets and sequences.
 */
#ifndef SINEW_UI_CLI_STACK_ERROR_TABLE_H
#define SINEW_UI_CLI_STACK_ERROR_TABLE_H

#include "cli/command_line/open_project.h"
#include "cli/command_line/verb.h"

/* A row for linear blend, where there is a skin, and for each method (NULL: the whole stack), over everything there is to be
 * measured against; `clip` (NULL: all) limits it to what belongs to that clip. Rows go to "errors" in the answer. */
snw_status snw_error_table_print(const snw_call *call, const snw_opened *opened, const char *const *methods,
								 uint32_t method_count, const char *clip, snw_error *error);

#endif
