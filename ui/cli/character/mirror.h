/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew pose mirror.
 */
#ifndef SINEW_UI_CLI_CHARACTER_MIRROR_H
#define SINEW_UI_CLI_CHARACTER_MIRROR_H

#include "cli/command_line/open_project.h"
#include "cli/command_line/verb.h"
#include "mesh/mirror/mirror.h"

#define SNW_SIDE_OPTIONS                                                                                                       \
	{"--axis", "x|y|z", "mirror: the axis perpendicular to the plane (default: x)"}, {                                         \
		"--plane", "METRES", "mirror: where the plane cuts the axis (default: where the mesh is symmetric; y and z: 0)"        \
	}

/* The plane of --axis and --plane; without them it stays as it is. */
snw_status snw_call_mirror_plane(const snw_call *call, snw_mirror_plane *plane, snw_error *error);

/* An action (actions.h). The project is open for writing. */
snw_status snw_pose_mirror(const snw_call *call, const snw_opened *opened, uint32_t pose, snw_error *error);

#endif
