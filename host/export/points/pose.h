/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One mesh in one pose as .obj: the way out to a sculpting tool.
 */
#ifndef SINEW_HOST_EXPORT_POINTS_POSE_H
#define SINEW_HOST_EXPORT_POINTS_POSE_H

#include "export/export.h"

/* The rest, where there is no pose, as the stack leaves it. */
extern const snw_export_format snw_export_obj_pose;

#endif
