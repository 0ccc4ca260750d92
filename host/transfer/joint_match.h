/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which joint of one rig is which of another, by their names: the same name; the same part of the body in two known rigs
 * (transfer/joint_match.h); the same name without prefix, case and punctuation; the same title (pose/joint_title.h).
 */
#ifndef SINEW_HOST_TRANSFER_JOINT_MATCH_H
#define SINEW_HOST_TRANSFER_JOINT_MATCH_H

#include "scene/scene.h"
#include "task/task.h"

/* ---- tables of joint names ----------------------------------------------------------------------------------------------- */

/* A user's table of joint names, for clips of a rig whose names no table here knows: {"Bip01 L Thigh": "thigh_l"}. */

/* Reads the JSON at `path`, whose keys are joints of `source` and whose values are joints of `target`. sources[j], which has
 * `target`'s joint_count, gets the source of target joint j; SNW_NONE without one. A notice names keys that are no joints of
 * the source. SNW_ERROR_DATA if the file is no such table, names a joint that the target does not have, or one for two. */
snw_status snw_joint_map_read(const char *path, const snw_scene *source, const snw_scene *target, const snw_task *task,
							  uint32_t *sources, snw_error *error);

/* ---- rigs ---------------------------------------------------------------------------------------------------------------- */

/* Rigs whose joints have known names: Mixamo, Rigify, the mannequin of Unreal Engine, VRoid, VRM's humanoid, and the
 * skeleton of CMU's motion capture. */

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

/* ---- joint match --------------------------------------------------------------------------------------------------------- */

typedef struct snw_joint_match {
	uint32_t count;
	const uint32_t *sources; /* of each joint of the target's; SNW_NONE for none */
	snw_rig_kind source_rig, target_rig;
} snw_joint_match;

/* Each joint is matched once, and matches keep the order of the hierarchy: of two matched joints of the target, one above the
 * other, the source's are so too. `given` are the sources that are known already, as in snw_joint_match; NULL: none. They come
 * before all names. */
snw_joint_match snw_joints_match(const snw_skeleton *source, const snw_skeleton *target, const uint32_t *given,
								 snw_arena *arena);

/* The nearest matched joint above a joint of the target; SNW_NONE for none. */
uint32_t snw_joint_match_above(const snw_joint_match *match, const snw_skeleton *target, uint32_t joint);

#endif
