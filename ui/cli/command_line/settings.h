/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Parameters of a deformer from --set key=value.
 */
#ifndef SINEW_UI_CLI_COMMAND_LINE_SETTINGS_H
#define SINEW_UI_CLI_COMMAND_LINE_SETTINGS_H

#include "cli/command_line/verb.h"
#include "plugin/registry.h"
#include "scene/scene.h"

/* The settings there were, with those of every --set put over them, in the call's arena. Paths begin at the current folder. What
 * is set has to be there: groups and joints, fields over points, files that can be read. */
snw_status snw_settings_parse(const snw_call *call, const snw_scene *scene, const snw_descriptor *descriptor,
							  uint32_t old_count, const snw_setting *old, uint32_t *count, const snw_setting **settings,
							  snw_error *error);

/* All the layer's settings, " key=value" each, as people write them where the deformer (which may be NULL) knows them; in the
 * call's arena. */
const char *snw_settings_text(const snw_call *call, const snw_deformer *deformer, const snw_layer *layer);
/* The same as a member "settings" of an answer. */
void snw_answer_settings(cJSON *row, const snw_deformer *deformer, const snw_layer *layer);

/* A value as a member of an answer: a number, a list of three, or a text. NULL parameter: of a deformer that is not there. */
void snw_answer_value(cJSON *object, const char *key, const snw_parameter *parameter, const snw_value *value);

/* True where one of the --set changes what a fit made. */
bool snw_settings_dirty_fit(const snw_call *call, const snw_descriptor *descriptor);

#endif
