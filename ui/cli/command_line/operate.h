/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Operators (operators/operator.h) as actions of a verb: "sinew weights P.sinew prune --influences 4". Their arguments, help
 * and answers come from their rows.
 */
#ifndef SINEW_UI_CLI_COMMAND_LINE_OPERATE_H
#define SINEW_UI_CLI_COMMAND_LINE_OPERATE_H

#include "cli/command_line/open_project.h"
#include "operators/operator.h"

/* The operator that the words PROJECT OPERATOR … name, or NULL. */
const snw_operator *snw_verb_operator(const snw_verb *verb, int count, char *const *words);

/* Runs the call's operator on its project. */
snw_status snw_operate(const snw_call *call, snw_error *error);

/* Runs one operator on an open project, and reports it. The scene of `opened` is that from before. `step`:
 * snw_operator_context. */
snw_status snw_operate_on(const snw_call *call, const snw_opened *opened, const snw_operator_call *operation, const char *step,
						  snw_error *error);

#endif
