/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The name of a joint in the settings of layers: "twist@elbow", and values that are joints.
 */
#ifndef SINEW_HOST_EDIT_JOINTS_JOINT_SETTINGS_H
#define SINEW_HOST_EDIT_JOINTS_JOINT_SETTINGS_H

#include "plugin/registry.h"
#include "project/project.h"

/* Replaces a joint's name, within an open command. NULL `new_name`: removes the settings with it. Layers of missing plug-ins
 * stay as they are. `scene` is the scene in which the joint has its old name. */
snw_status snw_settings_rename_joint(snw_project *project, const snw_scene *scene, const snw_registry *registry,
									 const char *name, const char *new_name, snw_error *error);

#endif
