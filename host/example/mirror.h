/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Mirrors poses and examples, within an open command.
 */
#ifndef SINEW_HOST_EXAMPLE_MIRROR_H
#define SINEW_HOST_EXAMPLE_MIRROR_H

#include "mesh/mirror.h"
#include "plugin/registry.h"
#include "pose/mirror_joints.h"
#include "project/project.h"

/* The pairs of points and joints, for the report, and the result. All in the caller's arena. */
typedef struct snw_mirrored {
	uint32_t mesh;      /* that has the mirrored example */
	snw_mirror_map map; /* of the example's mesh, followed by that one if it is another */
	snw_mirror_joints joints;
	const char *name; /* of the new pose or example */
	const char *pose; /* of the new example */
	int64_t id;
	uint32_t edited_count;
	uint32_t left_count;    /* edited points that have no partner */
	uint32_t guessed_count; /* points of the image that have no partner, and took the sculpt of the nearest place */
	bool is_other_mesh;
	uint32_t nearest_count; /* points of `mesh` without a partner, and the places of the example's mesh that are like them */
	const uint32_t *nearest_points;
	const struct snw_surface_place *nearest;
	bool is_unpaired; /* it failed because nothing on the other side is its image */
} snw_mirrored;

/* Mirrors a pose (an index). With a NULL `name`, the sides in its name are exchanged; a name without a side gets "-mirrored". A
 * pose of the new name is replaced, except "rest" and "default" (SNW_ERROR_CONFLICT). */
snw_status snw_project_put_mirrored_pose(snw_project *project, const snw_scene *scene, const snw_mirror_plane *plane,
										 uint32_t pose, const char *name, snw_arena *arena, snw_mirrored *mirrored,
										 snw_error *error);

/* Mirrors an example, with names as above: it reflects the sculpt's displacements into the mirrored pose, on the mirrored mesh.
 * Points of the other side that have no partner take those of the nearest place.
 * A new example joins the mirrored groups, which are driven by the joints of the other side, under mirrored masks; a group
 * without a side in its name, whose joints are those of both sides, is its own mirror image. An example of the new name is
 * updated and stays in its groups; one of another mesh is a conflict (SNW_ERROR_CONFLICT). */
snw_status snw_project_put_mirrored_example(snw_project *project, const snw_scene *scene, const snw_registry *registry,
											const snw_mirror_options *options, uint32_t example, const char *name,
											snw_arena *arena, snw_mirrored *mirrored, snw_error *error);

/* What the example of the other side is called if that does not follow from the sides in its name: as the image or the pose
 * that there is, or after the joint that drives it. NULL: as follows from the sides (see above). */
const char *snw_mirrored_example_name(const snw_scene *scene, const snw_mirror_plane *plane, uint32_t example,
									  snw_arena *arena);

#endif
