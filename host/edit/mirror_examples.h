/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Poses and examples carried to the other side, put into an open command.
 */
#ifndef SINEW_HOST_EDIT_MIRROR_EXAMPLES_H
#define SINEW_HOST_EDIT_MIRROR_EXAMPLES_H

#include "mesh/mirror.h"
#include "plugin/registry.h"
#include "pose/mirror_joints.h"
#include "project/project.h"

/* What was paired, for the report, and what was made. All in the caller's arena. */
typedef struct snw_mirrored {
	snw_mirror_map map; /* of an example's mesh */
	snw_mirror_joints joints;
	const char *name; /* of the new pose, or example */
	const char *pose; /* an example's */
	int64_t id;
	uint32_t edited_count;
} snw_mirrored;

/* The pose of the other side (an index), named `name`; NULL: the name with its sides exchanged, or "NAME-mirrored" where it has
 * none. One of that name is replaced, except "rest" and "default" (SNW_ERROR_CONFLICT). */
snw_status snw_project_put_mirrored_pose(snw_project *project, const snw_scene *scene, const snw_mirror_plane *plane,
										 uint32_t pose, const char *name, snw_arena *arena, snw_mirrored *mirrored,
										 snw_error *error);

/* The example of the other side, as above: in the mirrored pose, what the sculpt adds to the skin, reflected. A new one joins the
 * groups that stand for its own ones on the other side, driven by the other joints and under mirrored masks; groups without a side
 * stay the same. One of that name is updated and keeps its groups. */
snw_status snw_project_put_mirrored_example(snw_project *project, const snw_scene *scene, const snw_registry *registry,
											const snw_mirror_options *options, uint32_t example, const char *name,
											snw_arena *arena, snw_mirrored *mirrored, snw_error *error);

#endif
