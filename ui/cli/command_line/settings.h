/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Parameters of a deformer from --set key=value.
 */
#ifndef SINEW_UI_CLI_COMMAND_LINE_SETTINGS_H
#define SINEW_UI_CLI_COMMAND_LINE_SETTINGS_H

#include "cli/command_line/verb.h"
#include "plugin/registry.h"
#include "scene/scene.h"

/* The settings there were, with those of every --set put over them, in the call's arena. */
snw_status snw_settings_parse(const snw_call *call, const snw_descriptor *descriptor, uint32_t old_count,
							  const snw_setting *old, uint32_t *count, const snw_setting **settings, snw_error *error);

/* "key=value", a choice by its name where the deformer (which may be NULL) knows it. */
const char *snw_setting_text(const snw_call *call, const snw_deformer *deformer, const snw_setting *setting);

/* True where one of the --set changes what a fit made. */
bool snw_settings_dirty_fit(const snw_call *call, const snw_descriptor *descriptor);

#endif
