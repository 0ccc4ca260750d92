/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Samples the tracks of clips, and unwinds their rotations: rotation vectors that continue those of earlier times.
 */
#ifndef SINEW_HOST_POSE_CLIP_H
#define SINEW_HOST_POSE_CLIP_H

#include "scene/scene.h"
#include "task/task.h"

/* The number of components of a track's values: 3, 4, 3 or 1, depending on its path. */
uint32_t snw_track_width(const snw_track *track);

/* The last key that is not after a time; 0 if all are after it. */
uint32_t snw_track_key(const snw_track *track, double seconds);

/* The value at a time, clamped to the track's keys; `value` has room for 4. Interpolation follows glTF 2.0, appendix C: a step
 * keeps a key's value until the next key, linear rotations use slerp along the shortest arc, and cubic values are Hermite
 * splines with tangents per second. Rotations are normalised. */
void snw_track_sample(const snw_track *track, double seconds, double value[4]);

/* The rotation at a fraction of the shortest arc between two, which need not be normalised. */
void snw_quat_slerp(const double from[4], const double to[4], double s, double dest[4]);

/* A walk along a rotation track from its first key, which unwinds the rotation vector relative to rest. The steps between keys
 * depend only on the keys, so the result at a time does not depend on earlier calls. */
typedef struct snw_rotation_walk {
	const snw_track *track;
	double rest[4];   /* the joint's rotation at rest */
	uint32_t key;     /* the walk is in the segment after this key … */
	uint32_t step;    /* … and has made this number of its steps */
	double vector[3]; /* the rotation vector there */
	bool is_set;      /* the keys have no order: each has the shortest rotation vector */
} snw_rotation_walk;

void snw_rotation_walk_begin(const snw_track *track, const double rest_rotation[4], bool is_set, snw_rotation_walk *walk);
/* Walks through all keys: the rotation vector at each, [key_count][3]. */
void snw_rotation_walk_keys(const snw_track *track, const double rest_rotation[4], bool is_set, double *vectors);
/* The rotation vector at any time, from those at the track's keys. */
void snw_rotation_walk_from_keys(const snw_track *track, const double rest_rotation[4], const double *vectors, double seconds,
								 double vector[3]);
/* The rotation vector at a time that is not before the time of the previous call. */
void snw_rotation_walk_to(snw_rotation_walk *walk, double seconds, double vector[3]);

/* The rotation vector of the unit quaternion `delta` (either sign) that is nearest to `near`: rotation vectors of the same
 * rotation differ by multiples of 2π about its axis. For the identity, the axis is that of `near`. */
void snw_rotation_vector_nearest(const double delta[4], const double near[3], double vector[3]);

/* A clip that goes through given poses. */

/* A key for each frame, linear between them, in tracks of the properties that ever differ from the rest pose. `seconds` is
 * ascending; there is at least one frame. In `arena`, with the texts. */
snw_clip snw_clip_from_poses(const snw_scene *scene, const char *name, uint32_t frame_count, const double *seconds,
							 const snw_pose *poses, snw_arena *arena);

/* ---- times --------------------------------------------------------------------------------------------------------------- */

/* The clips of mesh animations, and the moments of clips. A sequence has its own clip without tracks. Only the time changes in
 * it, which drives models that store motion by clip and time. */

/* The clip of a target; for a sequence, the clip with its name, which may have tracks by now (a fit that proposes tracks uses
 * that name). The sequences of several meshes of one body share a clip: "walk of jacket" is in clip "walk" if no clip has that
 * whole name. SNW_NONE if there is none. */
uint32_t snw_target_clip(const snw_scene *scene, const snw_target *target);

/* "walk of jacket": the name of a mesh's target where another mesh's has the clip's name. */
const char *snw_sequence_name(const char *clip, const char *mesh, snw_arena *arena);

/* The moments of a clip: its key times or, without tracks, the frames of its mesh animations. Ascending, without repeats, in
 * `arena`. */
void snw_clip_times(const snw_scene *scene, uint32_t clip, snw_arena *arena, double **seconds, uint32_t *count);

/* The index of the last of at least one ascending times that is not after `seconds` by more than a microsecond; 0 if all
 * are. */
uint32_t snw_latest_time(const double *times, uint32_t count, double seconds);

/* Adds a clip, named after it and of the same duration, for each sequence without one, in the scene's arena. */
void snw_scene_clip_sequences(snw_scene *scene);

/* ---- choosing frames ----------------------------------------------------------------------------------------------------- */

/* Which frames of a clip train a method: all, every n-th, or the few that cover the space of its poses best. */

typedef enum snw_frame_rule { SNW_FRAMES_ALL = 0, SNW_FRAMES_EVERY = 1, SNW_FRAMES_COVER = 2 } snw_frame_rule;

typedef struct snw_frame_choice {
	snw_frame_rule rule;
	uint32_t number; /* every `number`-th frame; at most `number` frames of each clip */
} snw_frame_choice;

/* "all", "every:N" or "cover:N". SNW_ERROR_ARGUMENT says what is expected. */
snw_status snw_frame_choice_parse(const char *text, snw_frame_choice *choice, snw_error *error);
const char *snw_frame_choice_text(snw_frame_choice choice, snw_arena *arena);

/* The chosen frames of a target or sequence, ascending, in `arena`. SNW_ERROR_MISSING if SNW_FRAMES_COVER has to choose, and
 * the target has no poses or no pose has another shape than the rest; SNW_CANCELLED if the task is stopped. */
snw_status snw_frames_choose(const snw_scene *scene, const snw_target *target, snw_frame_choice choice, const snw_task *task,
							 snw_arena *arena, uint32_t **frames, uint32_t *count, snw_error *error);

/* Greedy covering of pose space (farthest points): begins with the rest, whose mesh is known, and takes the pose that is
 * farthest from all taken ones, until there are `most` or the others are at taken places. The taken indices in that order, so
 * that each beginning of the list covers best too. A joint counts as much as it changes the shape: by the share of the points
 * below it, times the share of the others. Before there are weights, joints count alike. SNW_CANCELLED if the task is
 * stopped. */
snw_status snw_poses_cover(const snw_scene *scene, uint32_t count, const snw_pose *const *poses, uint32_t most,
						   const snw_task *task, uint32_t *taken, uint32_t *taken_count, snw_error *error);

/* ---- trimming a clip ----------------------------------------------------------------------------------------------------- */

/* A part of a clip. */

/* The clip from one moment to another, which begins at 0 then; in `arena`, with the clip's name. It plays as the clip does
 * there: keys are kept, and new ones made where it is cut. Cubic rotations cut between keys differ by what normalising them
 * changes. */
snw_clip snw_clip_trim(const snw_clip *clip, double from_seconds, double to_seconds, snw_arena *arena);

/* ---- training clips ------------------------------------------------------------------------------------------------------ */

/* The clip of poses that are worth simulating: each joint through its range of motion, and pairs of neighbours at the ends of
 * theirs. A rigger runs his slow rig on it, and its meshes are a target to learn from. */

/* The range of a joint: of the components of its rotation vector relative to rest, in the rest's axes, radians. least ≤ 0 ≤
 * most. */
typedef struct snw_training_range {
	uint32_t joint;
	double least[3], most[3];
} snw_training_range;

/* The ranges in which the scene's clips move its joints. Joints that no clip moves have none; without clips that move any, each
 * joint that moves points has 45 degrees about each axis. In `arena`. */
void snw_training_ranges_find(const snw_scene *scene, snw_arena *arena, snw_training_range **ranges, uint32_t *count);

typedef struct snw_training_clip {
	uint32_t pose_count;
	snw_pose **poses;      /* [pose_count], with names that say what moves; the first is the rest */
	uint32_t chosen_count; /* of the poses, those that are not the rest */
} snw_training_clip;

/* Each joint alone about each axis of its range, at both ends and halfway to them; and each joint with the nearest joint above
 * it that has a range, about the widest axis of both, at all four pairs of ends. At most `most` poses: those that cover the
 * poses best. The rest stands between two poses where a joint would otherwise rotate so far from one to the next that it could
 * go the other way round. SNW_ERROR_MISSING if no pose has another shape than the rest; SNW_CANCELLED if the task is
 * stopped. */
snw_status snw_training_clip_make(const snw_scene *scene, uint32_t range_count, const snw_training_range *ranges, uint32_t most,
								  const snw_task *task, snw_arena *arena, snw_training_clip *made, snw_error *error);

/* Each joint alone about each axis of its range, at both ends; without the rest. */
snw_training_clip snw_training_range_ends(const snw_scene *scene, uint32_t range_count, const snw_training_range *ranges,
										  snw_arena *arena);

/* The poses as a clip with a key for each, at a rate. Every joint has tracks, so nothing but them moves it. */
snw_clip snw_training_clip_keys(const snw_scene *scene, const snw_training_clip *made, const char *name, double keys_per_second,
								snw_arena *arena);

#endif
