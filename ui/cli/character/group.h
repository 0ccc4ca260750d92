/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Corrective groups from arguments.
 */
#ifndef SINEW_UI_CLI_CHARACTER_GROUP_H
#define SINEW_UI_CLI_CHARACTER_GROUP_H

#include "cli/command_line/verb.h"
#include "scene/scene.h"

/* Driver joints by name: "--joints A,B"; none for "". */
snw_status snw_group_joints(const snw_call *call, const snw_scene *scene, const char *names, uint32_t *count, uint32_t **joints,
							snw_error *error);

#endif
