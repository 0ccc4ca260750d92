/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Joints drawn at rest: added, moved, parented, renamed and removed, within an open command. `scene` is the project's current
 * scene.
 *
 * No change moves a point of the rest: binds follow their joints. Poses and clips keep each joint's transform relative to rest,
 * and a sculpt is displaced with the joints that move its points (transfer/transfer.h).
 *
 * SNW_ERROR_ARGUMENT or SNW_ERROR_DATA for a name or a place that is none, SNW_ERROR_CONFLICT for what cannot be done to this
 * skeleton.
 */
#ifndef SINEW_HOST_EDIT_JOINTS_EDIT_JOINTS_H
#define SINEW_HOST_EDIT_JOINTS_EDIT_JOINTS_H

#include "plugin/registry.h"
#include "project/project.h"

/* Adds a joint at a place of the rest space, metres, with the axes of that space. `parent` is SNW_NONE for a root. It moves no
 * points until it has weights. */
snw_status snw_project_add_joint(snw_project *project, const snw_scene *scene, const char *name, uint32_t parent,
								 const double place[3], snw_error *error);

/* Moves a joint at rest. The joints below it stay where they are. */
snw_status snw_project_move_joint(snw_project *project, const snw_scene *scene, uint32_t joint, const double place[3],
								  snw_error *error);

/* Gives a joint another parent, SNW_NONE to make it a root. It stays where it is at rest, with all below it. */
snw_status snw_project_parent_joint(snw_project *project, const snw_scene *scene, uint32_t joint, uint32_t parent,
									snw_error *error);

/* What a joint takes with it when it is removed. */
typedef struct snw_joint_removal {
	uint32_t point_count; /* points whose weights its parent took over */
	uint32_t clip_count;  /* clips that lost keys */
} snw_joint_removal;

/* Removes a joint. The joints below it become its parent's and stay in place. Its weights go to its parent; a root that moves
 * points is refused, because nothing could take them. Its keys are removed from the clips, and its values from the settings of
 * layers. A joint that drives a group, or is rotated where an example was sculpted, is refused. */
snw_status snw_project_remove_joint(snw_project *project, const snw_scene *scene, const snw_registry *registry, uint32_t joint,
									snw_joint_removal *removal, snw_error *error);

/* Renames a joint, also in the settings of layers. */
snw_status snw_project_rename_joint(snw_project *project, const snw_scene *scene, const snw_registry *registry, uint32_t joint,
									const char *name, snw_error *error);

#endif
