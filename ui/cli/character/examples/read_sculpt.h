/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads the sculpt that --mesh names, and checks it against its mesh.
 */
#ifndef SINEW_UI_CLI_CHARACTER_EXAMPLES_READ_SCULPT_H
#define SINEW_UI_CLI_CHARACTER_EXAMPLES_READ_SCULPT_H

#include "cli/command_line/verb.h"
#include "scene/scene.h"

/* `points` [point_count][3], in the call's arena. */
snw_status snw_call_read_sculpt(const snw_call *call, const snw_mesh *mesh, const double **points, snw_error *error);

#endif
