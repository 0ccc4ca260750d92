/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Stores a pose in the project, as one step.
 */
#ifndef SINEW_UI_WINDOW_COMMANDS_STORE_POSE_H
#define SINEW_UI_WINDOW_COMMANDS_STORE_POSE_H

#include "scene/scene.h"

struct snw_session;

/* In place of the pose that is shown if that may change, else as the unnamed pose. */
void snw_store_edited_pose(struct snw_session *session, const char *label, const snw_pose *pose);
/* As the unnamed pose, whatever is shown. */
void snw_store_unnamed_pose(struct snw_session *session, const char *label, const snw_pose *pose);

#endif
