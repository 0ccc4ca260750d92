/* SPDX-License-Identifier: MIT
 *
 * Which joints bend a skin. A joint above all of a skin moves the character as a whole: what its rotations seem to explain in
 * samples is chance.
 */
#ifndef SINEW_KIT_SKIN_BENDING_JOINTS_H
#define SINEW_KIT_SKIN_BENDING_JOINTS_H

#include "sinew/pool.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether each joint moves a part of the skin against the rest of it: whether some joint that moves points is neither this one
 * nor below it. Of the skin of a mesh or, with SNW_NONE, of all meshes: *bends [joint_count], the pool's. SNW_ERROR_MEMORY. */
snw_status snk_bending_joints(const snw_character_view *character, uint32_t mesh, snw_pool *pool, const unsigned char **bends);

#ifdef __cplusplus
}
#endif

#endif
