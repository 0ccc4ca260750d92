/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tables that several commands print.
 */
#ifndef SINEW_UI_CLI_STACK_TABLES_H
#define SINEW_UI_CLI_STACK_TABLES_H

#include "cli/command_line/verb.h"

/* ---- contact ------------------------------------------------------------------------------------------------------------- */

/* The contact that a stack makes, for verbs that print its errors. */

/* Prints where the stack of a method (NULL: the whole) makes contact that its base blend does not, or a bake that the stack it
 * was made of does not, at a few poses that are measured. Prints nothing where there is no layer but the base blend. */
snw_status snw_contact_made_print(const snw_call *call, const snw_opened *opened, const char *method, snw_error *error);

/* ---- error table --------------------------------------------------------------------------------------------------------- */

/* The error table: the errors of linear blend and other methods at the examples, and against targets and sequences. */

/* A row for linear blend, if there is a skin, and for each method (NULL: the whole stack), against every example, target and
 * sequence; `clip` (NULL: all) limits it to those of that clip. Rows are added to "errors" in the answer. */
snw_status snw_error_table_print(const snw_call *call, const snw_opened *opened, const char *const *methods,
								 uint32_t method_count, const char *clip, snw_error *error);

#endif
