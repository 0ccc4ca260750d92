/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which joint of one rig is which of another, by their names: the same name; the same part of the body in two known rigs
 * (transfer/rigs.h); the same name without prefix, case and punctuation; the same title (pose/joint_title.h).
 */
#ifndef SINEW_HOST_TRANSFER_JOINT_MATCH_H
#define SINEW_HOST_TRANSFER_JOINT_MATCH_H

#include "transfer/rigs.h"

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
