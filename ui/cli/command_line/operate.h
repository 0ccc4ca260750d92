/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Operators (operators/operator.h) as actions of a verb: "sinew weights P.sinew prune --influences 4". Their arguments, help
 * and answers come from their rows.
 */
#ifndef SINEW_UI_CLI_COMMAND_LINE_OPERATE_H
#define SINEW_UI_CLI_COMMAND_LINE_OPERATE_H

#include "cli/command_line/open_project.h"
#include "operators/operator.h"

/* Whether a verb is an operator itself, such as fit: "sinew fit METHOD P.sinew". */
bool snw_verb_is_operator(const snw_verb *verb);
/* The operator that the words PROJECT OPERATOR … name, or that the verb is; NULL for none. */
const snw_operator *snw_verb_operator(const snw_verb *verb, int count, char *const *words);

/* Runs the call's operator on its project; with -o OUT.sinew on a copy of it. */
snw_status snw_operate(snw_call *call, snw_error *error);

/* Runs one operator on an open project, and reports it. The scene of `opened` is that from before. `step`:
 * snw_operator_context. `work`: what an operator with SNW_OPERATOR_LONG has made. */
snw_status snw_operate_on(snw_call *call, snw_opened *opened, const snw_operator_call *operation, const char *step,
						  snw_operator_work **work, snw_error *error);

#endif
