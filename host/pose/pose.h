/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From a pose, or a moment of a clip, to joint matrices and the palette: forward kinematics, once, for everyone.
 */
#ifndef SINEW_HOST_POSE_POSE_H
#define SINEW_HOST_POSE_POSE_H

#include "scene/scene.h"

/* A copy of the rest pose, in `arena`. */
snw_pose *snw_pose_rest(const snw_scene *scene, snw_arena *arena);

/* A copy of any pose, name and all, in `arena`. */
snw_pose *snw_pose_copy(const snw_scene *scene, const snw_pose *source, snw_arena *arena);

/* The pose of a clip at a time (clamped to the clip). Rotations are sampled by slerp (cubic: normalised), then the turns are
 * put on the branch nearest to the moment before, walking the clip's keys from its start: unwound. What the clip leaves alone
 * stands as in the pose "default" where there is one (a file's nodes as they come), else as at rest; channels at `initial`. */
snw_pose *snw_pose_sample(const snw_scene *scene, uint32_t clip, double seconds, snw_arena *arena);

/* The poses of one clip at any times, in any order. The clip is walked once, here, so that a pose costs the same at its end as at its
 * start. The sampler is in `arena`; the scene must outlive it. Any thread may use it. */
typedef struct snw_clip_sampler snw_clip_sampler;
const snw_clip_sampler *snw_clip_sampler_create(const snw_scene *scene, uint32_t clip, snw_arena *arena);
/* As snw_pose_sample, to the bit. */
snw_pose *snw_clip_sampler_pose(const snw_clip_sampler *sampler, double seconds, snw_arena *arena);

/* The same poses for rising times, in one walk over the clip: poses [count]. */
void snw_pose_sample_series(const snw_scene *scene, uint32_t clip, uint32_t count, const double *seconds, snw_arena *arena,
							snw_pose **poses);

/* The times of the clip's keys, all tracks together, rising, without repeats. */
void snw_clip_key_seconds(const snw_clip *clip, snw_arena *arena, double **seconds, uint32_t *count);

/* What people write: NAME, CLIP:SECONDS, or "rest". The pose is a copy. SNW_ERROR_MISSING lists what there is;
 * SNW_ERROR_ARGUMENT for a time outside the clip, by more than 1e-6 s, says how long it is. */
snw_status snw_pose_resolve(const snw_scene *scene, const char *text, snw_arena *arena, snw_pose **pose, snw_error *error);

/* Sets every turn to the branch of rest⁻¹ · local nearest to the turn it had (zero for a fresh pose). */
void snw_pose_unwind(const snw_scene *scene, snw_pose *pose);

/* Forward kinematics and palette: fills global [joint_count][12] and palette [slot_count][12] and the view over them and over
 * the pose, which must outlive the view. Allocates nothing. */
void snw_pose_solve(const snw_scene *scene, const snw_pose *pose, double *global, double *palette, snw_pose_view *view);
/* The same with buffers from an arena. */
const snw_pose_view *snw_pose_view_make(const snw_scene *scene, const snw_pose *pose, snw_arena *arena);

/* POSE.json: joint names and local rotations, each a turn after the rest rotation (local = rest · given), x y z w:
 * {"local_rotations_xyzw": {"elbow": [x, y, z, w]}}, or an array of quaternions in the order of "joints": [names].
 * Joints not named stay at rest. Optional "translations" (metres, absolute) and "channels" by name. */
snw_status snw_pose_read_json(const snw_scene *scene, const char *path, snw_arena *arena, snw_pose **pose, snw_error *error);

/* The same in two steps, so that the worker can do the first: what the file says, and what that makes of a character. */
typedef enum snw_pose_property { SNW_POSE_ROTATION, SNW_POSE_TRANSLATION, SNW_POSE_CHANNEL } snw_pose_property;
typedef struct snw_pose_value {
	snw_pose_property property;
	const char *name;  /* the joint's or the channel's */
	double numbers[4]; /* a quaternion that is not zero; metres; a weight */
} snw_pose_value;
typedef struct snw_pose_values {
	uint32_t count;
	snw_pose_value *items;
} snw_pose_values;
snw_status snw_pose_values_read(const char *path, snw_arena *arena, snw_pose_values *values, snw_error *error);
/* SNW_ERROR_MISSING names the joints and channels that the character does not have. */
snw_status snw_pose_from_values(const snw_scene *scene, const char *path, const snw_pose_values *values, snw_arena *arena,
								snw_pose **pose, snw_error *error);

#endif
