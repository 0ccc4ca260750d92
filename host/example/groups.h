/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Corrective groups: the joint that drives a sculpt, changes to groups, and the groups of a symmetric sculpt.
 */
#ifndef SINEW_HOST_EXAMPLE_GROUPS_H
#define SINEW_HOST_EXAMPLE_GROUPS_H

#include "mesh/mesh.h"
#include "plugin/registry.h"
#include "project/project.h"
#include "scene/scene.h"
#include "sinew/group_falloffs.h"

/* ---- drivers ------------------------------------------------------------------------------------------------------------- */

/* Which joint drives a sculpt: one that its pose moves away from rest and that moves the points that were edited.
 *
 * A joint bends the skin at a point where a part W of the point follows the joint and those below it: with W = 1 the point
 * moves rigidly with the joint, with W = 0 it does not move. So a joint counts by the share of the sculpt (the lengths of its
 * edits) that lies under 4 W (1 − W), times how far the joint is from rest. Where no joint that moves bends the skin, the
 * nearest one counts: the joint that moves the points, or the one below the joint to which they belong.
 *
 * W is measured: the joint is displaced a little, and W is the part of the displacement that a point follows. Through skin
 * programs that gives the weights of their rows. Only if no joint moves the points so are black boxes run. */

/* A sculpt: a mesh in a pose, as edited and without the edits, [point_count][3] each. Without any edit, all points count. */
typedef struct snw_driver_query {
	uint32_t mesh;
	const snw_pose *pose;
	const double *points_posed, *points_original;
	uint32_t corrective; /* the layer that learns from sculpts, whose layers below are measured; SNW_NONE: all layers */
} snw_driver_query;

/* A joint that the pose moves away from rest. */
typedef struct snw_driver {
	uint32_t joint;
	double share; /* of the sculpt, that it bends or moves or is next to: 0 to 1 */
	double score;
} snw_driver;

/* Below this share, a joint does not move the points of a sculpt. */
#define SNW_LEAST_DRIVEN 0.1

/* The joints that the pose moves away from rest, the best driver first, in `arena`. */
snw_status snw_find_drivers(const snw_scene *scene, const snw_registry *registry, const snw_driver_query *query,
							snw_arena *arena, snw_driver **drivers, uint32_t *count, snw_error *error);

/* ---- groups -------------------------------------------------------------------------------------------------------------- */

/* Changes to corrective groups, within an open command. `scene` is the project's current scene. */

/* A copy of a group with room for one more member and one more joint; SNW_NONE: an empty group. Its name and lists are in
 * `arena`, so it outlives the scene. */
snw_group snw_group_copy(const snw_scene *scene, uint32_t group, snw_arena *arena);
/* The member of an example; SNW_NONE if it is not in the group. */
uint32_t snw_group_member(const snw_group *group, uint32_t example);

/* The group in which an example belongs. */
typedef struct snw_group_choice {
	uint32_t group; /* SNW_NONE: a new one */
	const char *name;
	uint32_t joint_count, joints[2]; /* that drive it */
	uint32_t twin;                   /* a member that these joints cannot tell from the example; SNW_NONE for none */
} snw_group_choice;

/* The group that the first of these joints drives alone. If a member on the same mesh has the same rotation of that joint: the
 * group of that joint and the first other one, if the two tell the example from all members of both groups. A group without
 * joints counts as that of the joint whose name or title it has. A new group is called by the joint's title
 * (pose/pose.h). Without any joint: the group "main". `example` is left out of account (SNW_NONE: a new one). Names are
 * in `arena`. */
snw_group_choice snw_choose_group(const snw_scene *scene, uint32_t mesh, const snw_pose *pose, uint32_t example,
								  uint32_t joint_count, const uint32_t *joints, snw_arena *arena);

/* Removes a member from a copy. */
void snw_group_leave(snw_group *copy, uint32_t member);

/* As snw_project_put_group, but members name examples and masks by their index in the scene. */
snw_status snw_project_put_group_of(snw_project *project, const snw_scene *scene, const snw_group *group, int64_t *id,
									snw_error *error);

/* Notes that the user has chosen what drives an example (an index), so that a symmetric stroke leaves it in its group. */
snw_status snw_project_keep_driver(snw_project *project, const snw_scene *scene, uint32_t example, snw_error *error);
/* The same for all examples of a group. */
snw_status snw_project_keep_drivers(snw_project *project, const snw_scene *scene, const snw_group *group, snw_error *error);

/* Renames the group, also in the settings of layers that apply to it alone. */
snw_status snw_project_rename_group(snw_project *project, const snw_scene *scene, const snw_registry *registry, uint32_t group,
									const char *name, snw_error *error);
/* Removes the group and the settings of layers that apply to it alone. Its examples are not removed. */
snw_status snw_project_drop_group(snw_project *project, const snw_scene *scene, const snw_registry *registry, uint32_t group,
								  snw_error *error);
/* A new group that is like one of the scene. */
typedef struct snw_group_like {
	uint32_t group;
	const char *name; /* of the new one */
} snw_group_like;

/* Gives new groups the settings of layers that apply to the groups that they are like, and to those alone. */
snw_status snw_project_copy_group_settings(snw_project *project, const snw_scene *scene, const snw_registry *registry,
										   uint32_t count, const snw_group_like *likes, snw_error *error);
/* Moves the group to an index in the order in which groups act. */
snw_status snw_project_move_group(snw_project *project, const snw_scene *scene, uint32_t group, uint32_t index,
								  snw_error *error);

/* ---- falloffs ------------------------------------------------------------------------------------------------------------ */

/* Falloffs: how the influence of a group's examples changes with the pose, as settings of the corrective under a name. Some
 * come with the method (sinew/group_falloffs.h); people add their own, in a text file: "NAME KEY=VALUE KEY=VALUE", one a
 * line. */

typedef struct snw_group_falloff {
	const char *name;
	const char *settings; /* "KEY=VALUE KEY=VALUE" */
	bool is_saved;        /* by a person */
} snw_group_falloff;

/* The file of saved falloffs: $XDG_CONFIG_HOME/sinew/falloffs, in `arena`; NULL without a home. */
const char *snw_group_falloffs_path(snw_arena *arena);

/* The falloffs of the method that learns from sculpts; NULL if there is none. They live as long as the registry. */
const snw_group_falloffs *snw_group_falloffs_of_method(const snw_scene *scene, const snw_registry *registry);
/* Those of the method (may be NULL), then those of the file at `path` (NULL, or a missing file: none), in `arena`. Lines that
 * make no sense are left out. */
snw_group_falloff *snw_group_falloffs_list(const snw_group_falloffs *of_method, const char *path, snw_arena *arena,
										   uint32_t *count);
/* Adds a falloff to the file, or replaces it. SNW_ERROR_ARGUMENT for a name with blanks or of a falloff of the method. */
snw_status snw_group_falloff_save(const char *path, const snw_group_falloffs *of_method, const char *name, const char *settings,
								  snw_error *error);

/* The falloff of a group, as settings, in `arena`; NULL if no corrective has one. */
const char *snw_group_falloff_of(const snw_scene *scene, const snw_registry *registry, uint32_t group, snw_arena *arena);
/* Gives a group a falloff, within an open command. SNW_ERROR_MISSING without a corrective, SNW_ERROR_ARGUMENT if it lacks a
 * setting. */
snw_status snw_project_put_group_falloff(snw_project *project, const snw_scene *scene, const snw_registry *registry,
										 uint32_t group, const snw_group_falloff *falloff, snw_error *error);

/* ---- sides --------------------------------------------------------------------------------------------------------------- */

/* The groups of a symmetric sculpt on one mesh: the joint of each side drives its half. With one group, bending one elbow would
 * also show the sculpt of the other. The halves of a mesh are masks by which both groups share it. A field is a half if it has
 * the name and the values of one: the user may have made another field of that name. */

/* The left half is on the side of larger coordinates, as the character sees it. */
typedef struct snw_half {
	uint32_t mesh;
	snw_mirror_plane plane; /* between the halves */
	bool is_left;
} snw_half;

/* The field that is this half; SNW_NONE if the mesh has none. */
uint32_t snw_half_find(const snw_scene *scene, const snw_half *half);
/* Whether a mask (an index; SNW_NONE: none) is a half on either side of a plane, and which. */
bool snw_mask_is_half(const snw_scene *scene, uint32_t mask, const snw_mirror_plane *plane, bool *is_left);
/* A field for the half, not in the scene yet: it passes softly into the other half. Called "left half" or "right half", with a
 * number if the mesh has another field of that name. In `arena`. */
snw_field snw_half_make(const snw_scene *scene, const snw_half *half, snw_arena *arena);

typedef enum snw_sides {
	SNW_SIDES_TOGETHER =
		0, /* one group is right: its joint is in the middle, the sculpt is on its side alone, or both sides need both joints */
	SNW_SIDES_APART, /* each side has a joint that drives it */
	/* One joint drives both: */
	SNW_SIDES_UNBENT,  /* the pose does not bend the joint of the other side */
	SNW_SIDES_UNMOVED, /* it does, but that joint hardly moves what was sculpted on its side */
} snw_sides;

typedef struct snw_groups_of_sides {
	snw_sides sides;
	snw_group_choice group, other; /* if they are apart */
	bool other_is_left;            /* on the side of larger x */
	uint32_t partner;              /* the joint of the other side */
} snw_groups_of_sides;

/* The only group of an example, if one joint drives it, it takes the whole sculpt and the user has not chosen it; SNW_NONE
 * otherwise. */
uint32_t snw_group_to_part(const snw_scene *scene, uint32_t example);

/* `query` is the sculpt, `plane` that of its symmetry (sculpt/sculpt.h), and `drivers` the joints that could drive it
 * (snw_find_drivers). `example` is one that has been stored before (an index; SNW_NONE: none): it stays together if the user
 * has chosen its driver, or if it is in several groups or under a mask, since the user has arranged that. Names are in
 * `arena`. */
snw_groups_of_sides snw_choose_groups_of_sides(const snw_scene *scene, const snw_driver_query *query,
											   const snw_mirror_plane *plane, uint32_t example, uint32_t driver_count,
											   const snw_driver *drivers, snw_arena *arena);

/* ---- masks --------------------------------------------------------------------------------------------------------------- */

/* Masks given as text: which points of an example a group moves. */

/* "field:NAME" is an existing field. "x+" and "x-" are the two sides of the plane x = 0 at rest (0.5 on it); the same for y
 * and z. "joints:A,B" is the weight that the skin gives to these joints and all below them. A new mask is stored as the
 * field "mask SPEC" within the open command; an equal field that exists is used again. */
snw_status snw_mask_store(snw_project *project, const snw_scene *scene, uint32_t mesh, const char *spec, snw_arena *arena,
						  int64_t *field, snw_error *error);

/* The same values, without storing a field; those that are made are in `arena`. */
snw_status snw_mask_values(const snw_scene *scene, uint32_t mesh, const char *spec, snw_arena *arena, const double **values,
						   snw_error *error);

#endif
