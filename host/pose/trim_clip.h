/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A part of a clip.
 */
#ifndef SINEW_HOST_POSE_TRIM_CLIP_H
#define SINEW_HOST_POSE_TRIM_CLIP_H

#include "scene/scene.h"

/* The clip from one moment to another, which begins at 0 then; in `arena`, with the clip's name. It plays as the clip does
 * there: keys are kept, and new ones made where it is cut. Cubic rotations cut between keys differ by what normalising them
 * changes. */
snw_clip snw_clip_trim(const snw_clip *clip, double from_seconds, double to_seconds, snw_arena *arena);

#endif
