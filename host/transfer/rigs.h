/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rigs whose joints have known names: Mixamo, Rigify, the mannequin of Unreal Engine, VRoid, VRM's humanoid, and the skeleton
 * of CMU's motion capture.
 */
#ifndef SINEW_HOST_TRANSFER_RIGS_H
#define SINEW_HOST_TRANSFER_RIGS_H

#include "scene/scene.h"

typedef enum snw_rig_kind {
	SNW_RIG_MIXAMO,
	SNW_RIG_RIGIFY,
	SNW_RIG_UNREAL,
	SNW_RIG_VROID,
	SNW_RIG_VRM,
	SNW_RIG_CMU,
	SNW_RIG_COUNT /* none of them */
} snw_rig_kind;

/* "Mixamo"; NULL for none. */
const char *snw_rig_name(snw_rig_kind kind);

/* A name without namespace, program prefix, case and punctuation: "leftarm" for "mixamorig:LeftArm", "upperarml" for
 * "DEF-upper_arm.L". In `arena`. */
const char *snw_rig_plain_name(const char *name, snw_arena *arena);

/* The rig that has the most of these plain names, and at least half of the body; SNW_RIG_COUNT if none has. */
snw_rig_kind snw_rig_recognize(const char *const *plain_names, uint32_t count);

/* The number of a part of the body, the same in every rig, that a plain name is in a rig; SNW_NONE for none. */
uint32_t snw_rig_part(snw_rig_kind kind, const char *plain_name);

#endif
