/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Changes to corrective groups, inside a command. `scene` is the project's as it is.
 */
#ifndef SINEW_HOST_EDIT_GROUPS_H
#define SINEW_HOST_EDIT_GROUPS_H

#include "plugin/registry.h"
#include "project/project.h"

/* A copy of a group, with room for one member and one joint more; SNW_NONE: an empty one. Only lists are copied. */
snw_group snw_group_copy(const snw_scene *scene, uint32_t group, snw_arena *arena);
/* The member of an example; SNW_NONE where it is not in the group. */
uint32_t snw_group_member(const snw_group *group, uint32_t example);

/* Takes a member out of a copy. */
void snw_group_leave(snw_group *copy, uint32_t member);

/* As snw_project_put_group, with the members' examples and masks as the scene counts them. */
snw_status snw_project_put_group_of(snw_project *project, const snw_scene *scene, const snw_group *group, int64_t *id,
									snw_error *error);

/* Another name, also in the settings that layers have for that group alone. */
snw_status snw_project_rename_group(snw_project *project, const snw_scene *scene, const snw_registry *registry, uint32_t group,
									const char *name, snw_error *error);
/* Removes the group with the settings that layers have for it alone; its examples stay. */
snw_status snw_project_drop_group(snw_project *project, const snw_scene *scene, const snw_registry *registry, uint32_t group,
								  snw_error *error);
/* Groups act in their order; `place` counts from the first. */
snw_status snw_project_move_group(snw_project *project, const snw_scene *scene, uint32_t group, uint32_t place,
								  snw_error *error);

#endif
