/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Clips of one rig for another, and the joints of both that match.
 */
#ifndef SINEW_HOST_TRANSFER_RETARGET_H
#define SINEW_HOST_TRANSFER_RETARGET_H

#include "scene/scene.h"
#include "task/task.h"

/* ---- tables of joint names ----------------------------------------------------------------------------------------------- */

/* Which joint of one rig is which of another, by their names: the same name; the same part of the body in two known rigs
 * (transfer/retarget.h); the same name without prefix, case and punctuation; the same title (pose/pose.h). */

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

/* ---- retargeting --------------------------------------------------------------------------------------------------------- */

/* Clips of one rig for another. Both rigs are taken to rest in the same posture. A matched joint then rotates in the world as
 * its source does, away from that posture:
 *
 *     G_t = A · (G_s · R_s⁻¹) · A⁻¹ · R_t
 *
 * with G the rotation of a joint in the world, R that at rest, and A the rotation between the two worlds (a multiple of right
 * angles, if the rigs face another way). The topmost matched joint, such as the hips, also moves as its source does, scaled by
 * the length of the legs. Other joints keep their lengths, but for what their source's translation adds.
 *
 * Keys and their interpolation are kept, because all of this is linear in the keys of a joint. Where several joints of the
 * source become one, or the joints above the hips move, there are new keys, at most a sixtieth of a second apart. */

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
