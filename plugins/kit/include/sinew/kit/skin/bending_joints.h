/* SPDX-License-Identifier: MIT
 *
 * Which joints bend a skin. A joint above all of a skin moves the character as a whole: what its rotations seem to explain in
 * samples is chance.
 */
#ifndef SINEW_KIT_SKIN_BENDING_JOINTS_H
#define SINEW_KIT_SKIN_BENDING_JOINTS_H

#include "sinew/view.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether a joint moves a part of the skin against the rest of it: whether some joint that moves points is neither this one nor
 * below it. `moves` [joint_count]: whether each joint moves points. */
int snk_joint_bends(const snw_skeleton_view *skeleton, const unsigned char *moves, uint32_t joint);

#ifdef __cplusplus
}
#endif

#endif
