/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Formats of the points of one mesh: a pose as .obj, for a sculpting program, and every frame of a clip or a sequence.
 */
#ifndef SINEW_HOST_EXPORT_POINTS_SEQUENCE_H
#define SINEW_HOST_EXPORT_POINTS_SEQUENCE_H

#include "export/export.h"

/* Without a pose, the result of the stack in the rest pose. */
extern const snw_export_format snw_export_obj_pose;

extern const snw_export_format snw_export_numbered_obj, snw_export_pc2, snw_export_mdd;

#endif
