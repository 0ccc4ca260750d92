/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every frame of a clip, or of a sequence, as the stack makes it, in point order.
 *
 * A clip whose keys are evenly spaced gives a frame a key; any other is sampled 24 times a second, from its start to its end.
 * Without a clip, the mesh's sequence gives its frames: its own points where no layer acts on the mesh, else what the stack
 * makes of the rest at its times. In numbered .obj the star becomes 0000, 0001, … All files appear at the end or none.
 */
#ifndef SINEW_HOST_EXPORT_POINTS_SEQUENCE_H
#define SINEW_HOST_EXPORT_POINTS_SEQUENCE_H

#include "export/export.h"

extern const snw_export_format snw_export_numbered_obj, snw_export_pc2, snw_export_mdd;

#endif
