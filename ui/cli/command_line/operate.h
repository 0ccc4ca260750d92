/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Operators (operators/operator.h) as actions of a verb: "sinew weights P.sinew prune --influences 4". Their arguments, help
 * and answers come from their rows.
 */
#ifndef SINEW_UI_CLI_COMMAND_LINE_OPERATE_H
#define SINEW_UI_CLI_COMMAND_LINE_OPERATE_H

#include "cli/command_line/open_project.h"
#include "cli/command_line/verb.h"
#include "operators/operator.h"
#include "plugin/registry.h"
#include "scene/scene.h"
#include "worker/worker.h"

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

/* ---- settings ------------------------------------------------------------------------------------------------------------ */

/* Parameters of a deformer, as they are printed. */

/* All settings of a layer, each as " key=value", in the form for people if the deformer (which may be NULL) is known; in the
 * call's arena. */
const char *snw_settings_text(const snw_call *call, const snw_deformer *deformer, const snw_layer *layer);
/* The same as a member "settings" of an answer. */
void snw_answer_settings(cJSON *row, const snw_deformer *deformer, const snw_layer *layer);

/* A value as a member of an answer: a number, a list of three, or a text. NULL parameter: the deformer is missing. */
void snw_answer_value(cJSON *object, const char *key, const snw_parameter *parameter, const snw_value *value);

/* ---- worker limits ------------------------------------------------------------------------------------------------------- */

/* The limits of the worker, given by options: the same for each verb that starts one. */

/* --memory, --seconds and --in-process. */
snw_status snw_call_limits(const snw_call *call, snw_worker_limits *limits, snw_error *error);

#endif
