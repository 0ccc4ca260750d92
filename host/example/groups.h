/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Changes to corrective groups, within an open command. `scene` is the project's current scene.
 */
#ifndef SINEW_HOST_EXAMPLE_GROUPS_H
#define SINEW_HOST_EXAMPLE_GROUPS_H

#include "plugin/registry.h"
#include "project/project.h"
#include "sinew/group_falloffs.h"

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
 * (pose/joint_title.h). Without any joint: the group "main". `example` is left out of account (SNW_NONE: a new one). Names are
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

#endif
