/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Commits tracked poses (track/track.h) as one step.
 */
#ifndef SINEW_HOST_EDIT_COMMIT_TRACK_H
#define SINEW_HOST_EDIT_COMMIT_TRACK_H

#include "project/project.h"
#include "track/track.h"

/* Frames of one or several meshes, and the pose found for each. */
typedef struct snw_tracked_motion {
	const char *name;
	uint32_t mesh_count;
	const snw_tracked_mesh *meshes; /* [mesh_count] */
	uint32_t frame_count;
	const double *seconds; /* [frame_count] */
	bool is_stored;        /* the frames are in the project, as the sequence of that name */
	const snw_pose *poses; /* [frame_count] */
	bool replaces;         /* what has these names */
} snw_tracked_motion;

/* SNW_ERROR_CONFLICT, with the name, if there is a clip or target of that name or, for a set, a pose or example NAME-1 …
 * NAME-frame_count. What belongs to further meshes has names as targets of sequences have (snw_sequence_name). Points and poses
 * are not read. */
snw_status snw_track_names_are_free(const snw_scene *scene, const snw_tracked_motion *motion, bool is_set, snw_error *error);

/* A sequence becomes the clip of its name, and its frames that clip's targets. Both commits refuse names that are taken, unless
 * these are to be replaced or the frames are in the project. */
snw_status snw_project_commit_tracked_clip(snw_project *project, const snw_scene *scene, const snw_tracked_motion *motion,
										   snw_error *error);
/* A set of poses becomes poses and examples NAME-1, NAME-2 …, an example for each mesh. */
snw_status snw_project_commit_tracked_poses(snw_project *project, const snw_scene *scene, const snw_tracked_motion *motion,
											snw_error *error);

#endif
