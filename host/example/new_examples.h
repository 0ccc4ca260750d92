/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * New examples made from those that are there, within an open command: in-betweens and combinations. Both begin as the skin of
 * the whole stack in their pose, so at first they change nothing; the artist sculpts from there.
 */
#ifndef SINEW_HOST_EXAMPLE_NEW_EXAMPLES_H
#define SINEW_HOST_EXAMPLE_NEW_EXAMPLES_H

#include "plugin/registry.h"
#include "project/project.h"
#include "scene/scene.h"

/* An example that was made. Names are in the caller's arena: the scene is replaced by the command that made it. */
typedef struct snw_new_example {
	const char *name, *pose, *group;
	uint32_t mesh, edited_count;
	int64_t id;
} snw_new_example;

/* An example on the way from rest to the pose of another (an index), at a share between 0 and 1, both exclusively:
 * SNW_ERROR_ARGUMENT. It joins the groups of that example under the same masks. `name` NULL: "elbow-50". Its pose has the same
 * name. `sculpt`: its points, or NULL for the skin; SNW_ERROR_CONFLICT if an example or a pose of that name exists. */
snw_status snw_project_put_between(snw_project *project, const snw_scene *scene, const snw_registry *registry, uint32_t example,
								   double share, const char *name, const double *sculpt, snw_arena *arena,
								   snw_new_example *made, snw_error *error);

/* A group over the joints of two groups (indices), with an example in a pose where one example of each is fully on: `examples`,
 * or for SNW_NONE those whose pose rotates the joints of their group most. It acts after all others, so it adds what both
 * together lack. The group, the pose and the example are called `name` (NULL: "elbow+wrist"). Each further mesh that one of the
 * groups moves has an example too, "elbow+wrist-sleeve". SNW_ERROR_CONFLICT if the same joints drive both, or if one has no
 * examples. */
snw_status snw_project_put_combination(snw_project *project, const snw_scene *scene, const snw_registry *registry,
									   const uint32_t groups[2], const uint32_t examples[2], const char *name, snw_arena *arena,
									   snw_new_example *made, snw_error *error);

/* ---- names --------------------------------------------------------------------------------------------------------------- */

/* Names of what a sculpt makes, after what its pose does: the group "Right shoulder" (pose/joint_title.h), the example
 * "Right shoulder 80°". */

/* A name that no example and no pose has, after the joint that drives the sculpt and how far it is rotated: "Right shoulder
 * 80°", or, along its bone, "Right shoulder twist 80°". If that exists, with the direction in which the bone goes, the
 * character looking along z: "Right shoulder 80° up"; then with a number. In `arena`. */
const char *snw_sculpt_example_name(const snw_scene *scene, const snw_pose *pose, uint32_t joint, snw_arena *arena);

/* The name of the pose of such an example: the example's if no other joint is rotated, otherwise that and the others: "Right
 * shoulder 80°, Right elbow 45°", "Right shoulder 80° and 3 joints". Of a moment of a clip: "dance 1.25 s". No pose has it. In
 * `arena`. */
const char *snw_sculpt_pose_name(const snw_scene *scene, const snw_pose *pose, const char *example, uint32_t joint,
								 snw_arena *arena);

/* Poses that nobody named are stored as "unnamed", "unnamed-2" …. */
#define SNW_UNNAMED_POSE "unnamed"
bool snw_pose_is_unnamed(const char *name);

/* Whether an example is called so after this joint, and not by the user. */
bool snw_sculpt_is_named_after(const snw_scene *scene, const snw_pose *pose, uint32_t joint, const char *name);

/* ---- morph target -------------------------------------------------------------------------------------------------------- */

/* Edits morph targets that came with a file, within an open command. */

/* The morph target of a mesh that a channel moves; SNW_NONE if there is none. */
uint32_t snw_mesh_shape(const snw_mesh *mesh, uint32_t channel);

/* Changes the shape so that its points are where they are wanted, at rest with this weight alone changed: `wanted` and `shown`,
 * [point_count][3], are as the artist leaves and as the skin was. SNW_ERROR_MISSING if the mesh has no such shape,
 * SNW_ERROR_ARGUMENT for a weight of almost 0. Returns the number of points that the shape moves in *count (may be NULL). */
snw_status snw_project_put_shape_sculpt(snw_project *project, const snw_scene *scene, uint32_t mesh, uint32_t channel,
										double weight, const double *wanted, const double *shown, uint32_t *count,
										snw_error *error);

#endif
