/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Parameters of a deformer from --set key=value.
 */
#ifndef SINEW_UI_CLI_COMMAND_LINE_OPTIONS_SETTINGS_H
#define SINEW_UI_CLI_COMMAND_LINE_OPTIONS_SETTINGS_H

#include "cli/command_line/verb.h"
#include "plugin/registry.h"
#include "scene/scene.h"

/* The settings that every --set makes, in the call's arena (snw_settings_change). Paths are relative to the current folder. */
snw_status snw_settings_parse(const snw_call *call, const snw_scene *scene, const snw_descriptor *descriptor, uint32_t *count,
							  const snw_setting **settings, snw_error *error);

/* If an option is given, adds "--set key=VALUE" with its value to the call, for the parameter with the role. */
snw_status snw_call_add_setting(snw_call *call, const char *option, const snw_descriptor *descriptor, snw_role role,
								snw_error *error);

/* All settings of a layer, each as " key=value", in the form for people if the deformer (which may be NULL) is known; in the
 * call's arena. */
const char *snw_settings_text(const snw_call *call, const snw_deformer *deformer, const snw_layer *layer);
/* The same as a member "settings" of an answer. */
void snw_answer_settings(cJSON *row, const snw_deformer *deformer, const snw_layer *layer);

/* A value as a member of an answer: a number, a list of three, or a text. NULL parameter: the deformer is missing. */
void snw_answer_value(cJSON *object, const char *key, const snw_parameter *parameter, const snw_value *value);

#endif
