/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Parameters of a deformer, as they are printed.
 */
#ifndef SINEW_UI_CLI_COMMAND_LINE_OPTIONS_SETTINGS_H
#define SINEW_UI_CLI_COMMAND_LINE_OPTIONS_SETTINGS_H

#include "cli/command_line/verb.h"
#include "plugin/registry.h"
#include "scene/scene.h"

/* All settings of a layer, each as " key=value", in the form for people if the deformer (which may be NULL) is known; in the
 * call's arena. */
const char *snw_settings_text(const snw_call *call, const snw_deformer *deformer, const snw_layer *layer);
/* The same as a member "settings" of an answer. */
void snw_answer_settings(cJSON *row, const snw_deformer *deformer, const snw_layer *layer);

/* A value as a member of an answer: a number, a list of three, or a text. NULL parameter: the deformer is missing. */
void snw_answer_value(cJSON *object, const char *key, const snw_parameter *parameter, const snw_value *value);

#endif
