/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A user's table of joint names, for clips of a rig whose names no table here knows: {"Bip01 L Thigh": "thigh_l"}.
 */
#ifndef SINEW_HOST_TRANSFER_JOINT_MAP_H
#define SINEW_HOST_TRANSFER_JOINT_MAP_H

#include "scene/scene.h"
#include "task/task.h"

/* Reads the JSON at `path`, whose keys are joints of `source` and whose values are joints of `target`. sources[j], which has
 * `target`'s joint_count, gets the source of target joint j; SNW_NONE without one. A notice names keys that are no joints of
 * the source. SNW_ERROR_DATA if the file is no such table, names a joint that the target does not have, or one for two. */
snw_status snw_joint_map_read(const char *path, const snw_scene *source, const snw_scene *target, const snw_task *task,
							  uint32_t *sources, snw_error *error);

#endif
