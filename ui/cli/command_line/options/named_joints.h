/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Joints that an option names.
 */
#ifndef SINEW_UI_CLI_COMMAND_LINE_OPTIONS_NAMED_JOINTS_H
#define SINEW_UI_CLI_COMMAND_LINE_OPTIONS_NAMED_JOINTS_H

#include "cli/command_line/verb.h"
#include "scene/scene.h"

/* The joints of an option that may be repeated, in the call's arena. SNW_ERROR_MISSING names one that does not exist. */
snw_status snw_call_joints(const snw_call *call, const char *option, const snw_scene *scene, uint32_t *count, uint32_t **joints,
						   snw_error *error);

#endif
