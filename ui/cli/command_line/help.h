/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Help, from the tables of verbs, options and operators.
 */
#ifndef SINEW_UI_CLI_COMMAND_LINE_HELP_H
#define SINEW_UI_CLI_COMMAND_LINE_HELP_H

#include "cli/command_line/verb.h"
#include "operators/operator.h"

/* The verbs, a line each. */
void snw_print_help(void);
/* The arguments and options of the call's verb. */
void snw_print_verb_help(const snw_call *call);
/* Every verb and operator with its arguments, as a page. */
void snw_print_markdown(void);
/* The same as manual pages in a folder, which is made if it is missing: sinew.1, and sinew-VERB.1 for each verb (manual.c). */
snw_status snw_write_manual(const char *folder, snw_error *error);

/* "--influences K", "MESH". */
const char *snw_argument_form(const snw_argument *argument, snw_arena *arena);
/* "the most joints (default: 4)". */
const char *snw_argument_meaning(const snw_argument *argument, snw_arena *arena);
/* "P.sinew list | add NAME [--from A | --to B]" with `separator` between the alternatives, except those in brackets. */
const char *snw_usage_alternatives(const char *usage, const char *separator, snw_arena *arena);

#endif
