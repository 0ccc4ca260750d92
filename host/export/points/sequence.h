/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Formats of the points of one mesh: a pose as .obj, for a sculpting program, and every frame of a clip or a sequence.
 */
#ifndef SINEW_HOST_EXPORT_POINTS_SEQUENCE_H
#define SINEW_HOST_EXPORT_POINTS_SEQUENCE_H

#include "export/export.h"

/* Without a pose, the result of the stack in the rest pose. */
extern const snw_export_format snw_export_obj_pose;

/* If a clip's keys are evenly spaced, each key is a frame; otherwise the clip is sampled 24 times a second from start to end.
 * Without a clip, the frames are those of the mesh's sequence: its points if no layer acts on the mesh, otherwise the result of
 * the stack at its times. In numbered .obj the star becomes 0000, 0001, … Either all files are written or none. */
extern const snw_export_format snw_export_numbered_obj, snw_export_pc2, snw_export_mdd;

#endif
