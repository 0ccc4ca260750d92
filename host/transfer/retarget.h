/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Clips of one rig for another. Both rigs are taken to rest in the same posture. A matched joint then rotates in the world as
 * its source does, away from that posture:
 *
 *     G_t = A · (G_s · R_s⁻¹) · A⁻¹ · R_t
 *
 * with G the rotation of a joint in the world, R that at rest, and A the rotation between the two worlds (a multiple of right
 * angles, if the rigs face another way). The topmost matched joint, such as the hips, also moves as its source does, scaled by
 * the length of the legs. Other joints keep their lengths, but for what their source's translation adds.
 *
 * Keys and their interpolation are kept, because all of this is linear in the keys of a joint. Where several joints of the
 * source become one, or the joints above the hips move, there are new keys, at most a sixtieth of a second apart.
 */
#ifndef SINEW_HOST_TRANSFER_RETARGET_H
#define SINEW_HOST_TRANSFER_RETARGET_H

#include "transfer/joint_match.h"

typedef struct snw_retarget {
	const snw_scene *source, *target;
	snw_joint_match match;
	/* The source says nowhere how its rig rests (it has no skin), and the offsets of its joints are those of the target: it is
	 * the same rig, and rests as the target does. */
	bool is_same_rig;
	double scale;       /* of lengths in the world */
	double rotation[4]; /* A */
	/* The rest in the world, of the source's and of the target's joints: [joint_count][4], [joint_count][12]. */
	double *source_rotations, *target_rotations;
	double *source_globals, *target_globals;
} snw_retarget;

/* `posture` is the target's pose that the source rests in, and `given` has the matches that are known already, as
 * snw_joints_match takes them. Both scenes must outlive the result, which is in `arena`. */
snw_retarget snw_retarget_begin(const snw_scene *source, const snw_scene *target, const snw_pose *posture,
								const uint32_t *given, snw_arena *arena);

/* What a clip moves and the target has no place for. */
typedef struct snw_retarget_loss {
	uint32_t joint_count, channel_count;
	const char *joints, *channels; /* their names, as far as they help: "tail, wing and 3 more"; "" for none */
} snw_retarget_loss;

/* A clip of the source for the target, all in `arena`. It has no tracks if nothing matches. */
snw_clip snw_retarget_clip(const snw_retarget *retarget, uint32_t clip, snw_arena *arena, snw_retarget_loss *loss);

#endif
