/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew target --make: the clip of poses worth simulating, as a glTF file and a JSON file for the rig that makes its meshes.
 */
#ifndef SINEW_UI_CLI_CHARACTER_MAKE_TARGET_H
#define SINEW_UI_CLI_CHARACTER_MAKE_TARGET_H

#include "cli/command_line/open_project.h"

/* Adds the clip to the project, as one step, and writes both files. */
snw_status snw_target_make(const snw_call *call, const snw_opened *opened, const char *path, snw_error *error);

#endif
