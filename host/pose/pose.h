/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Poses: the rest pose, poses of clips, by name and from JSON, and forward kinematics to joint matrices and the palette.
 */
#ifndef SINEW_HOST_POSE_POSE_H
#define SINEW_HOST_POSE_POSE_H

#include "scene/scene.h"

/* A copy of the rest pose, in `arena`. */
snw_pose *snw_pose_rest(const snw_scene *scene, snw_arena *arena);

/* A copy of a pose, including its name, in `arena`. */
snw_pose *snw_pose_copy(const snw_scene *scene, const snw_pose *source, snw_arena *arena);

/* The pose of a clip at a time (clamped to the clip). Rotation vectors are unwound: the branch nearest to the previous moment,
 * walking the clip's keys from its start. Properties without tracks are as in the pose "default" (that of the file's nodes) if
 * it exists, otherwise as at rest; channels without tracks are `initial`. */
snw_pose *snw_pose_sample(const snw_scene *scene, uint32_t clip, double seconds, snw_arena *arena);

/* Samples poses of one clip at any times, in any order. Creation walks the whole clip once, so that a pose takes the same time
 * at its end as at its start. The sampler is in `arena`; the scene must outlive it. Any thread may use it. */
typedef struct snw_clip_sampler snw_clip_sampler;
const snw_clip_sampler *snw_clip_sampler_create(const snw_scene *scene, uint32_t clip, snw_arena *arena);
/* The same bits as from snw_pose_sample. */
snw_pose *snw_clip_sampler_pose(const snw_clip_sampler *sampler, double seconds, snw_arena *arena);

/* The same poses for ascending times, with one walk over the clip: poses [count]. */
void snw_pose_sample_series(const snw_scene *scene, uint32_t clip, uint32_t count, const double *seconds, snw_arena *arena,
							snw_pose **poses);

/* The key times of all tracks, ascending, without repeats. */
void snw_clip_key_seconds(const snw_clip *clip, snw_arena *arena, double **seconds, uint32_t *count);

/* Parses NAME, CLIP:SECONDS or "rest" from a command. The pose is a copy. SNW_ERROR_MISSING lists the available poses and
 * clips; SNW_ERROR_ARGUMENT, for a time more than 1e-6 s outside the clip, has the clip's duration. */
snw_status snw_pose_resolve(const snw_scene *scene, const char *text, snw_arena *arena, snw_pose **pose, snw_error *error);

/* The clip and the time of CLIP:SECONDS, where the clip's name may have colons; SNW_NONE for anything else. */
uint32_t snw_pose_parse_moment(const snw_scene *scene, const char *text, snw_arena *arena, double *seconds);

/* Whether two poses of a scene put joints and channels alike, whatever their names. */
bool snw_pose_is_same(const snw_scene *scene, const snw_pose *one, const snw_pose *other);

/* Sets every rotation vector to the branch of rest⁻¹ · local nearest to its current value (zero in a new pose). */
void snw_pose_unwind(const snw_scene *scene, snw_pose *pose);

/* Forward kinematics: fills global [joint_count][12], palette [slot_count][12], and a view of them and the pose, which must
 * outlive the view. Allocates nothing. */
void snw_pose_solve(const snw_scene *scene, const snw_pose *pose, double *global, double *palette, snw_pose_view *view);
/* The same, with buffers in an arena. */
const snw_pose_view *snw_pose_view_make(const snw_scene *scene, const snw_pose *pose, snw_arena *arena);

/* POSE.json: joint names and local rotations relative to the rest rotation (local = rest · given), x y z w:
 * {"local_rotations_xyzw": {"elbow": [x, y, z, w]}}, or an array of quaternions in the order of "joints": [names].
 * Joints that are not listed stay at rest. Optional "translations" (metres, absolute) and "channels" by name. */
snw_status snw_pose_read_json(const snw_scene *scene, const char *path, snw_arena *arena, snw_pose **pose, snw_error *error);

/* The same in two steps, so that the worker can do the first: reading the values of the file, and applying them to a
 * character. */
typedef enum snw_pose_property { SNW_POSE_ROTATION, SNW_POSE_TRANSLATION, SNW_POSE_CHANNEL } snw_pose_property;
typedef struct snw_pose_value {
	snw_pose_property property;
	const char *name;  /* the joint's or the channel's */
	double numbers[4]; /* a nonzero quaternion; metres; a weight */
} snw_pose_value;
typedef struct snw_pose_values {
	uint32_t count;
	snw_pose_value *items;
} snw_pose_values;
snw_status snw_pose_values_read(const char *path, snw_arena *arena, snw_pose_values *values, snw_error *error);
/* SNW_ERROR_MISSING names the joints and channels that the character does not have. */
snw_status snw_pose_from_values(const snw_scene *scene, const char *path, const snw_pose_values *values, snw_arena *arena,
								snw_pose **pose, snw_error *error);

/* Poses made of others: a part of the way from rest to a pose, and two poses at once. */

/* The pose at a share of the way from rest (0) to `pose` (1), or beyond: rotation vectors, translations, scales and channels in
 * proportion. A copy in `arena`, without an id, a clip or a name. */
snw_pose *snw_pose_along(const snw_scene *scene, const snw_pose *pose, double share, snw_arena *arena);

/* Whether a pose turns, moves or scales a joint from its rest; and whether it does so to none. */
bool snw_pose_moves_joint(const snw_scene *scene, const snw_pose *pose, uint32_t joint);
bool snw_pose_has_joints_at_rest(const snw_scene *scene, const snw_pose *pose);

/* Both poses at once: each joint and channel as in `first` if that moves it from rest, else as in `second`; the joints of
 * `theirs` [count] always as in `second`. A copy as above. */
snw_pose *snw_pose_combine(const snw_scene *scene, const snw_pose *first, const snw_pose *second, uint32_t count,
						   const uint32_t *theirs, snw_arena *arena);

/* ---- base blend ---------------------------------------------------------------------------------------------------------- */

/* The base skin alone: morphs and a linear blend, without layers. For callers without a stack. */

/* points [point_count][3]; without a skin, the rest points with morphs. Points that are not finite become their rest points. */
void snw_blend_points(const snw_scene *scene, uint32_t mesh, const snw_pose_view *pose, double *points);

/* Replaces the points that an example edits in `points` [point_count][3], which come from the layers below. */
void snw_example_apply_edited(const snw_example *example, uint32_t point_count, double *points);

#endif
