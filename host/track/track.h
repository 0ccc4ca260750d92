/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tracking: the poses in which a character's skin comes nearest to given frames of its mesh. The skin is held; the poses of all
 * joints are found at once, by damped Gauss-Newton steps (Levenberg and Marquardt) on the sum of squared distances.
 *
 * Jointed poses rotate the joints and move the roots, so that bones keep their lengths. Free poses also move every joint, as in
 * section 4.1.4 of B. Merry's thesis (Linear skinning on high-level animation space, 2007).
 */
#ifndef SINEW_HOST_TRACK_TRACK_H
#define SINEW_HOST_TRACK_TRACK_H

#include "stack/stack.h"
#include "task/task.h"

/* A mesh of the body that is tracked, and its frames. */
typedef struct snw_tracked_mesh {
	uint32_t mesh;
	const float *points_posed; /* [frame_count][point_count][3] */
} snw_tracked_mesh;

typedef struct snw_track_request {
	const char
		*method; /* as in snw_stack_options: its stack must be a program over the pose's joints, for each of the meshes */
	uint32_t mesh_count;
	const snw_tracked_mesh *meshes; /* [mesh_count]: one pose for each frame, which fits all of them best */
	uint32_t frame_count;
	bool is_free; /* every joint moves, not only the roots */
	bool is_set;  /* the frames have no order: each is found by itself */
} snw_track_request;

typedef struct snw_tracked_frame {
	snw_pose *pose;
	double rms;       /* of the distances of all points, metres */
	double rigid_rms; /* the same for the meshes at rest, moved as one rigid body */
	bool is_lost;     /* the pose cannot be trusted */
} snw_tracked_frame;

typedef struct snw_tracked {
	double diagonal;   /* of the tracked meshes' bounding box at rest */
	double median_rms; /* of the frames, metres */
	uint32_t lost_count;
	snw_tracked_frame *frames; /* [frame_count] */
} snw_tracked;

/* Results are in `arena`, which must not be that of the scene. SNW_ERROR_UNSUPPORTED names the layer that is no program over
 * the pose's joints. SNW_CANCELLED after a stop, without a result. */
snw_status snw_track_poses(const snw_scene *scene, const snw_registry *registry, const snw_track_request *request,
						   const snw_task *task, snw_arena *arena, snw_tracked *tracked, snw_error *error);

#endif
