/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Settings for one group or joint alone: "twist@elbow".
 */
#ifndef SINEW_HOST_PLUGIN_OVERRIDES_H
#define SINEW_HOST_PLUGIN_OVERRIDES_H

#include "scene/scene.h"
#include "sinew/sinew.h"

/* Whom a setting for one alone ("mode@elbow-left") is for: a name that a group has is that group's where the parameter may be
 * set for groups, else a joint's. One of SNW_SCOPE_…, and its index in the scene; 0 where nobody has that name. */
uint32_t snw_override_scope(const snw_scene *scene, uint32_t scopes, const char *name, uint32_t *index);
/* Whether all that a setting names is there: the group or joint that it is for, and the joint, field or file that it says.
 * SNW_ERROR_ARGUMENT, SNW_ERROR_MISSING or SNW_ERROR_IO where it is not. Keys that the table does not have pass. */
snw_status snw_setting_check_names(const snw_scene *scene, const snw_descriptor *descriptor, const snw_setting *setting,
								   snw_error *error);

/* The layer's settings without those for a group, or, with `becomes`, under the name that it will have. `settings` has room for
 * as many as the layer has; new keys are in `arena`. Returns how many. */
uint32_t snw_overrides_of_group(const snw_scene *scene, const snw_descriptor *descriptor, const snw_layer *layer,
								const char *group, const char *becomes, snw_setting *settings, snw_arena *arena);

#endif
