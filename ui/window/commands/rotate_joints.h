/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Joints rotated together: what is done to the chosen joint is done to the others that are selected.
 */
#ifndef SINEW_UI_WINDOW_COMMANDS_ROTATE_JOINTS_H
#define SINEW_UI_WINDOW_COMMANDS_ROTATE_JOINTS_H

#include "scene/scene.h"

struct snw_session;

/* Rotates a joint of the pose, in rotations away from rest, up to its limit. The other selected joints rotate as far about the
 * same axes: their own, their parent's or the world's. Radians. Returns how many others there are. */
uint32_t snw_rotate_joints(struct snw_session *session, snw_pose *pose, uint32_t joint, const double rotation[3]);

#endif
