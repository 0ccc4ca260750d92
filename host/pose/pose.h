/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Poses: the rest pose, poses of clips, by name and from JSON, and forward kinematics to joint matrices and the palette.
 */
#ifndef SINEW_HOST_POSE_POSE_H
#define SINEW_HOST_POSE_POSE_H

#include "mesh/mesh.h"
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

/* ---- titles of joints ---------------------------------------------------------------------------------------------------- */

/* What a joint is called on a body, for people: "Right shoulder" for upperarm_r, mixamorig:RightArm, Bip01 R UpperArm,
 * J_Bip_R_UpperArm and 右腕. A bone bends at its upper end, so an upper arm is a shoulder and a shin a knee. Where all joints of
 * a limb are called alike ("arm_joint_L_1" to "arm_joint_L_3"), their order tells what they are. */

/* In `arena`. A name that is no known part of a body keeps its words, without prefixes of programs: "Spine 2", "Left tail
 * 3". */
const char *snw_joint_title(const snw_skeleton *skeleton, uint32_t joint, snw_arena *arena);

/* ---- mirrored joints ----------------------------------------------------------------------------------------------------- */

/* Pairs the joints of both sides of a plane, at rest, and mirrors poses. With the reflection R, a rotation Q becomes R Q R, and
 * its rotation vector q becomes −R q. */

typedef struct snw_mirror_joints {
	snw_mirror_plane plane;
	uint32_t joint_count, channel_count;
	const uint32_t *partners; /* [joint_count]: the joint itself in the middle, SNW_NONE for none */
	const uint32_t *channels; /* [channel_count]: the channel itself if its name has no side or the other side does not exist */
	uint32_t pair_count, middle_count, unpaired_count;
	uint32_t named_count;    /* joints paired by name; the others were paired by rest position */
	double largest_mismatch; /* metres between a joint's reflection and its partner, at rest */
	uint32_t worst_joint;    /* SNW_NONE if no joints are paired */
} snw_mirror_joints;

/* Pairs joints by name (left and right, Left and Right, l and r, or L and R as separate words: "arm.L", "l_arm",
 * "mixamorig:LeftArm", "lShoulder"), otherwise by rest position within `tolerance` (metres; 0: a hundredth of the skeleton's
 * diagonal). */
void snw_mirror_joints_find(const snw_scene *scene, const snw_mirror_plane *plane, double tolerance, snw_arena *arena,
							snw_mirror_joints *joints);

/* The mirrored pose, in `arena`, without name, id or clip. Each joint has the mirrored rotation vector of its partner; joints
 * without a partner are at rest. If both sides are symmetric at rest, the result is the reflected character. */
snw_pose *snw_mirror_pose(const snw_scene *scene, const snw_mirror_joints *joints, const snw_pose *pose, snw_arena *arena);

/* A name with every side in it exchanged, in `arena`; NULL if it has none. */
char *snw_mirror_name(const char *name, snw_arena *arena);

/* ---- sets of poses ------------------------------------------------------------------------------------------------------- */

/* The one chooser of poses: those that a skin is fitted to, and those that it is measured at. They are frames of clips, and
 * shuffled poses, in which each joint has its transform from a frame of its own, so that what no clip shows is covered. A range
 * of motion is measured too: an engine may pose a character as no clip does. */

typedef struct snw_pose_set {
	uint32_t frame_count; /* of clips: the first ones */
	uint32_t count;       /* then shuffled ones */
	snw_pose **list;      /* [count] */
	uint32_t *clips;      /* [frame_count]: of the scene; SNW_NONE for one of its named poses */
} snw_pose_set;

/* Chooses from `clip_count` clips, or from the scene's named poses if there is none. Clips are held out in two blocks, because
 * neighbouring frames are alike. Shuffled poses of either set are made of the frames of that set, always the same ones. All in
 * `arena`. They are named by where they are from ("walk, frame 12", "shuffled pose 3"). SNW_ERROR_MISSING with fewer than four
 * frames, or if a clip moves no joint. */
snw_status snw_pose_sets_choose(const snw_scene *scene, uint32_t clip_count, const uint32_t *clips, snw_arena *arena,
								snw_pose_set *fitted, snw_pose_set *held_out, snw_error *error);

bool snw_clip_moves_joints(const snw_clip *clip);

/* Each joint that moves points, but for roots, alone about each axis of its rest: to its limit, or 60 degrees, either way. They
 * are named by what turns ("elbow z +60"). Of more than 320 poses some are left out, evenly. All in `arena`. */
void snw_pose_set_range_of_motion(const snw_scene *scene, snw_arena *arena, snw_pose_set *set);

/* What the character may be posed as: its rest and its named poses, then `count` shuffled ones of those and of frames of its
 * clips, which are not in the set. A joint that none of them turns is turned at random about the axes of its rest, by its limit
 * or 60 degrees at most. The same ones in every run. All in `arena`. */
void snw_pose_set_shuffle(const snw_scene *scene, uint32_t count, snw_arena *arena, snw_pose_set *set);

/* ---- reach --------------------------------------------------------------------------------------------------------------- */

/* Inverse kinematics: rotates joints so that others reach given places, by damped least squares (Wampler 1986; Buss,
 * "Introduction to inverse kinematics", 2004, section 5).
 *
 * Each step solves (J Jᵀ + λ² I) y = e and rotates by Jᵀ y, where e is what the joints miss, at most a quarter of the chain's
 * length. λ is at least a twentieth of that length. A step that brings nothing nearer, as at full stretch, is repeated with a
 * larger λ (Marquardt 1963). */

enum { SNW_REACH_MOST_GOALS = 8 };

/* Where the origin of a joint should be: posed space, metres. */
typedef struct snw_reach_goal {
	uint32_t joint;
	double place[3];
} snw_reach_goal;

typedef struct snw_reach {
	uint32_t goal_count; /* up to SNW_REACH_MOST_GOALS; the first is what is dragged */
	const snw_reach_goal *goals;
	const bool *turning;     /* [joint_count]: the joints that rotate; those that are above no goal stay */
	const double *limits;    /* [joint_count]: the largest rotation away from rest, radians; NULL: none */
	const double *bend_axis; /* in which a straight chain bends if nothing else says how; posed space, unit */
} snw_reach;

/* Fills turning [joint_count] with the joints that follow when a joint is dragged: those above it, up to the first that is
 * pinned, or else to the first where several limbs begin, exclusively. `pinned` [joint_count]; NULL: none. Returns their
 * number. */
uint32_t snw_reach_chain(const snw_scene *scene, uint32_t joint, const bool *pinned, bool *turning);

/* Rotates the joints of the pose. Returns how far the first goal is missed, metres. SNW_ERROR_ARGUMENT if a joint is out of
 * range or a place is not finite; the pose is then unchanged. */
snw_status snw_pose_reach(const snw_scene *scene, const snw_reach *reach, snw_pose *pose, double *missed, snw_error *error);

/* ---- joint limits -------------------------------------------------------------------------------------------------------- */

/* What joints may do while they are posed: how far they rotate, and whether they move. Both are fields over joints, so that
 * they are part of the project. Clips and poses from files are not changed by them. */

#define SNW_JOINT_MOVES "joint-moves" /* 1: the joint may be moved as well */

/* The value of such a field for a joint; 0 without one. */
double snw_joint_value(const snw_scene *scene, const char *field, uint32_t joint);

/* The largest rotation away from rest, radians; INFINITY: none. */
double snw_joint_limit(const snw_scene *scene, uint32_t joint);
/* The same for all joints, [joint_count] in `arena`. */
double *snw_joint_limits(const snw_scene *scene, snw_arena *arena);
/* Rotates a joint away from rest by a rotation vector, which may be longer than π, up to the joint's limit. Returns whether the
 * vector was longer. */
bool snw_pose_rotate_joint(const snw_scene *scene, snw_pose *pose, uint32_t joint, const double rotation[3]);

/* Whether the joint may be moved: roots always. */
bool snw_joint_moves(const snw_scene *scene, uint32_t joint);

#endif
