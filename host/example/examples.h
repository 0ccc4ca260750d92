/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Examples made of others: in-betweens and combinations, parts, mirror images, and those of another character.
 */
#ifndef SINEW_HOST_EXAMPLE_EXAMPLES_H
#define SINEW_HOST_EXAMPLE_EXAMPLES_H

#include "mesh/mesh.h"
#include "plugin/registry.h"
#include "pose/pose.h"
#include "project/project.h"
#include "scene/scene.h"

/* ---- new examples -------------------------------------------------------------------------------------------------------- */

/* New examples made from those that are there, within an open command: in-betweens and combinations. Both begin as the skin of
 * the whole stack in their pose, so at first they change nothing; the artist sculpts from there. */

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

/* Names of what a sculpt makes, after what its pose does: the group "Right shoulder" (pose/pose.h), the example
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

/* ---- parts --------------------------------------------------------------------------------------------------------------- */

/* Splits and merges sculpts, within an open command. */

/* The examples that a split made, in the caller's arena. The first is the old one, renamed. */
typedef struct snw_split {
	uint32_t count;
	const char **names;
	uint32_t *edited_counts;
} snw_split;

snw_status snw_project_put_split(snw_project *project, const snw_scene *scene, const snw_registry *registry, uint32_t example,
								 const double *mask, uint32_t name_count, const char *const *names, snw_arena *arena,
								 snw_split *split, snw_error *error);

/* Merges two examples of the same mesh and pose. The result is named `name` (NULL: as the first) and is in the groups of both,
 * except those of the second that have the joints of one of the first's and take no more. Where both were edited, their
 * displacements are added. The second example is removed. */
snw_status snw_project_put_merged(snw_project *project, const snw_scene *scene, const snw_registry *registry, uint32_t first,
								  uint32_t second, const char *name, snw_arena *arena, uint32_t *edited_count,
								  snw_error *error);

/* ---- mirrored examples --------------------------------------------------------------------------------------------------- */

/* Mirrors poses and examples, within an open command. */

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

/* ---- examples of other characters ---------------------------------------------------------------------------------------- */

/* Takes examples of another character to a mesh of this one, within an open command. The meshes may have any faces and points.
 *
 * Joints are paired by name. The other character's rest is brought to this skeleton: its skin follows its joints to where
 * theirs are here, with their bones' directions and lengths. Each point here then takes the edit of the nearest place on that
 * surface. An edit is rotated from the pose to rest by the other skin, from rest to rest by the bones, and from rest to the
 * pose by this skin. */

/* An example that was taken. */
typedef struct snw_taken_example {
	const char *name, *pose;
	bool is_updated; /* this project had an example of that name */
	uint32_t edited_count;
	double residual;         /* root mean square of what a transfer back loses, as a share of that of the sculpt */
	double residual_length;  /* the same over the points that the sculpt moves, metres */
	double residual_most;    /* of one point, metres */
	const char *worst_joint; /* which moves that point most, of the other character; "" for none */
} snw_taken_example;

typedef struct snw_example_transfer {
	/* In. */
	const snw_scene *from;
	uint32_t from_mesh, mesh;
	uint32_t example_count;   /* of `from`; 0: all on its mesh that are not muted */
	const uint32_t *examples; /* [example_count] */
	/* Out, in the caller's arena. */
	uint32_t taken_count;
	snw_taken_example *taken;
	uint32_t joint_count, paired_count;  /* joints of `from` that move its mesh or a pose; those that have a partner here */
	const char *unpaired;                /* the names of the first others, "" for none */
	double mean_distance, most_distance; /* from the points here to the other surface, at rest, metres */
} snw_example_transfer;

/* Examples keep their names, poses and groups; masks are taken too. An example of the same name is updated and stays in its
 * groups. A pose of the same name that differs is not changed: the new one gets a free name. SNW_ERROR_MISSING without examples
 * or common joints. */
snw_status snw_project_put_transferred(snw_project *project, const snw_scene *scene, const snw_registry *registry,
									   const snw_task *task, snw_arena *arena, snw_example_transfer *transfer,
									   snw_error *error);

#endif
