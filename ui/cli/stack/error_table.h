/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The error table: the errors of linear blend and other methods at the examples, and against targets and sequences.
 */
#ifndef SINEW_UI_CLI_STACK_ERROR_TABLE_H
#define SINEW_UI_CLI_STACK_ERROR_TABLE_H

#include "cli/command_line/open_project.h"
#include "cli/command_line/verb.h"

/* A row for linear blend, if there is a skin, and for each method (NULL: the whole stack), against every example, target and
 * sequence; `clip` (NULL: all) limits it to those of that clip. Rows are added to "errors" in the answer. */
snw_status snw_error_table_print(const snw_call *call, const snw_opened *opened, const char *const *methods,
								 uint32_t method_count, const char *clip, snw_error *error);

#endif
