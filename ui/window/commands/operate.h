/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Operators in jobs, for commands that do more than run one.
 */
#ifndef SINEW_UI_WINDOW_COMMANDS_OPERATE_H
#define SINEW_UI_WINDOW_COMMANDS_OPERATE_H

#include "operators/operator.h"
#include "window/command_table/command.h"
#include "window/jobs/job_thread.h"

/* The argument that a dialog asks for, into which the command's text goes; NULL for commands without one. */
const snw_argument *snw_command_asked_argument(const snw_command *command);

/* What an operator works on in a job, with an open project. */
snw_operator_context snw_job_operator_context(const snw_job_context *context, snw_arena *arena);

/* snw_operator_run; the job's caveat is the first layer that could not be fitted again, and layers that have failed and are
 * changed are tried again. */
snw_status snw_job_operate(snw_job_context *context, snw_job *job, const snw_operator_call *call,
						   const snw_operator_context *on, snw_operator_report *report, snw_error *error);

#endif
