/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Changes of settings, as "KEY=VALUE", or "KEY@NAME=VALUE" for one group or joint.
 */
#ifndef SINEW_HOST_PARAMETER_SETTINGS_H
#define SINEW_HOST_PARAMETER_SETTINGS_H

#include "scene/scene.h"
#include "sinew/sinew.h"

typedef struct snw_settings {
	uint32_t count;
	const snw_setting *list;
} snw_settings;

/* Changes the settings in order; the new list is in the arena. "KEY=" restores the default, and so does the default value,
 * unless `keeps_defaults`: for a fit, which puts the list over that of its layer. Paths are relative to `folder` (NULL: the
 * current one). What a value names must exist: groups and joints, fields over points, readable files. */
snw_status snw_settings_change(const snw_scene *scene, const snw_descriptor *descriptor, const char *folder,
							   bool keeps_defaults, uint32_t change_count, const char *const *changes, snw_arena *arena,
							   snw_settings *settings, snw_error *error);
/* Without the setting of that key; false if there is none. */
bool snw_settings_remove(const char *key, snw_arena *arena, snw_settings *settings);

/* Settings of a single group or joint: "twist@elbow". */

/* The group or joint of a setting ("mode@elbow-left") and its index in the scene. A group is preferred, if `scopes` allows
 * groups. Returns SNW_SCOPE_GROUP or SNW_SCOPE_JOINT, or 0 if neither has that name. */
uint32_t snw_override_scope(const snw_scene *scene, uint32_t scopes, const char *name, uint32_t *index);
/* Fails if a name in a setting does not exist: its group or joint, or the joint, field or file of its value.
 * SNW_ERROR_ARGUMENT, SNW_ERROR_MISSING or SNW_ERROR_IO. Unknown keys pass. */
snw_status snw_setting_check_names(const snw_scene *scene, const snw_descriptor *descriptor, const snw_setting *setting,
								   snw_error *error);

/* The layer's settings without those of a group; with `new_name`, those of the group under its new name. `settings` has room
 * for all of the layer's; new keys are in `arena`. Returns the number of settings. */
uint32_t snw_overrides_of_group(const snw_scene *scene, const snw_descriptor *descriptor, const snw_layer *layer,
								const char *group, const char *new_name, snw_setting *settings, snw_arena *arena);

#endif
