/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Motion coordinates: each point of a character as a few numbers, such that the distance of two points is the root mean square
 * of their distances over many poses. Algorithms for static meshes then work on them as they are. For an affine stack it is the
 * norm L2,2 of animation space, √(sᵀ P s) with P = E[Gᵀ G] (B. Merry, thesis 2007, section 3.3); poses are sampled from
 * the whole stack instead, so that black boxes and correctives count too.
 *
 * Each pose is first taken back by its rigid part, in which the character moves as a whole; no distance depends on it. What is
 * left is reduced to its principal axes.
 */
#ifndef SINEW_HOST_MOTION_MOTION_H
#define SINEW_HOST_MOTION_MOTION_H

#include "stack/stack.h"

/* The most axes. */
#define SNW_MOTION_AXES 32

typedef struct snw_motion {
	uint32_t mesh_count;
	uint32_t pose_count; /* the first is the rest */
	snw_pose **poses;    /* [pose_count]; NULL for frames of a sequence */
	float **posed;       /* [mesh_count]: [pose_count][point_count][3], without the rigid parts */
	double *rigid;       /* [pose_count][12]: what took them away */
	uint32_t axis_count;
	double **coordinates; /* [mesh_count]: [point_count][axis_count] */
	double *axes;         /* [axis_count][pose_count][3]: coordinates are the axes' products with the posed points */
	double left_percent;  /* the root mean square that the axes leave out, in percent of the rest's diagonal */
} snw_motion;

/* The poses of a fit: about 100 frames and shuffled poses (pose/pose.h) of the clips, or of those that the project has where
 * they are too few. The rest comes first. */
void snw_motion_choose_poses(const snw_scene *scene, uint32_t clip_count, const uint32_t *clips, snw_arena *arena,
							 uint32_t *pose_count, snw_pose ***poses);

/* Frames of a character without joints, which time alone moves: `count` at most, evenly, from a part of a step on (0 to 1). */
void snw_motion_choose_frames(const snw_scene *scene, uint32_t count, double part, snw_arena *arena, uint32_t *pose_count,
							  snw_pose **poses);

/* The frame of a mesh animation at a pose of its clip, [point_count][3]; NULL at rest, or if the mesh is none. */
const float *snw_motion_frame(const snw_scene *scene, uint32_t mesh, const snw_pose *pose);

/* Runs the whole stack at the poses, of which the first is the rest; a mesh animation that no layer moves has its frames. In
 * `arena`. SNW_CANCELLED, or the errors of the stack. */
snw_status snw_motion_make(const snw_stack *stack, const snw_scene *scene, uint32_t pose_count, snw_pose **poses,
						   const snw_task *task, snw_arena *arena, snw_motion *motion, snw_error *error);

/* The posed points alone, as they are: `poses`, `pose_count` and `posed` of the motion. */
snw_status snw_motion_pose(const snw_stack *stack, const snw_scene *scene, uint32_t pose_count, snw_pose **poses,
						   const snw_task *task, snw_arena *arena, snw_motion *motion, snw_error *error);

/* The same as snw_motion_make of points that are posed already, from `posed`, `poses` and `pose_count` of the motion; the
 * points are taken back in place. */
snw_status snw_motion_reduce(const snw_scene *scene, const snw_task *task, snw_arena *arena, snw_motion *motion,
							 snw_error *error);

#endif
