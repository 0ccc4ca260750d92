/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writes one mesh in one pose as .obj, for a sculpting program.
 */
#ifndef SINEW_HOST_EXPORT_POINTS_POSE_H
#define SINEW_HOST_EXPORT_POINTS_POSE_H

#include "export/export.h"

/* Without a pose, the result of the stack in the rest pose. */
extern const snw_export_format snw_export_obj_pose;

#endif
