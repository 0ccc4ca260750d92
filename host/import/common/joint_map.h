/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A user's table of joint names, for clips of a rig whose names no table here knows: {"Bip01 L Thigh": "thigh_l"}.
 */
#ifndef SINEW_HOST_IMPORT_COMMON_JOINT_MAP_H
#define SINEW_HOST_IMPORT_COMMON_JOINT_MAP_H

#include "scene/scene.h"
#include "task/task.h"

/* Gives the joints of a scene the names that the JSON at `path` has for them. A joint that has such a name already, and is not
 * in the table, loses it. A notice names joints of the table that the scene does not have. SNW_ERROR_DATA if the file is no
 * such table, or gives one name to two joints. */
snw_status snw_joint_map_apply(const char *path, const snw_task *task, snw_scene *scene, snw_error *error);

#endif
