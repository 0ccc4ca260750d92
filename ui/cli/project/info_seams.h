/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew info --seams.
 */
#ifndef SINEW_UI_CLI_PROJECT_INFO_SEAMS_H
#define SINEW_UI_CLI_PROJECT_INFO_SEAMS_H

#include "cli/command_line/verb.h"
#include "stack/stack.h"

snw_status snw_info_seams(const snw_call *call, const snw_scene *scene, const snw_stack *stack, snw_error *error);

#endif
