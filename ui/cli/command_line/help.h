/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Help, from the tables of verbs, options and operators.
 */
#ifndef SINEW_UI_CLI_COMMAND_LINE_HELP_H
#define SINEW_UI_CLI_COMMAND_LINE_HELP_H

#include "cli/command_line/verb.h"

/* The verbs, a line each. */
void snw_print_help(void);
/* The arguments and options of the call's verb. */
void snw_print_verb_help(const snw_call *call);
/* Every verb and operator with its arguments, as a page. */
void snw_print_markdown(void);

#endif
