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

#endif
