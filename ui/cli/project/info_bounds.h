/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew info --bounds.
 */
#ifndef SINEW_UI_CLI_PROJECT_INFO_BOUNDS_H
#define SINEW_UI_CLI_PROJECT_INFO_BOUNDS_H

#include "cli/command_line/verb.h"
#include "stack/stack.h"

snw_status snw_info_bounds(const snw_call *call, const snw_scene *scene, const snw_stack *stack, snw_error *error);

#endif
