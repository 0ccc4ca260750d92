/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Settings and a deformer's parameter table: keys, allowed values, their form as text, and the values that the deformer gets.
 */
#ifndef SINEW_HOST_PARAMETER_PARAMETERS_H
#define SINEW_HOST_PARAMETER_PARAMETERS_H

#include "scene/scene.h"
#include "sinew/sinew.h"

/* ---- keys ---------------------------------------------------------------------------------------------------------------- */

/* A setting's key is a parameter's key, "mode", or that and the name of a single group or joint, "mode@elbow-left". Settings of
 * the second form are overrides of a fit; snw_parameters_resolve ignores them. Returns the parameter's row, or SNW_NONE if
 * there is none or if it cannot be overridden. *name (may be NULL) is the text after '@', or NULL. */
uint32_t snw_parameter_of_key(const snw_descriptor *descriptor, const char *key, const char **name);
/* The length of the key in "key=value" or "key@NAME=value". If NAME contains '=', the value may not. */
size_t snw_parameter_key_length(const char *text);

/* ---- values -------------------------------------------------------------------------------------------------------------- */

/* Whether the parameter's values are stored as text: joints, fields, files and text. */
bool snw_parameter_has_text(const snw_parameter *parameter);

/* Whether two values of the parameter are equal. A NULL text is empty. */
bool snw_parameter_same(const snw_parameter *parameter, const snw_value *a, const snw_value *b);

/* The parameter with a role; NULL if there is none. */
const snw_parameter *snw_parameter_of_role(const snw_descriptor *descriptor, snw_role role);

/* SNW_ERROR_ARGUMENT if a setting has an unknown key or a value that its parameter does not allow. */
snw_status snw_settings_check(const snw_descriptor *descriptor, uint32_t count, const snw_setting *settings, snw_error *error);

/* Resolves a stored value for the deformer: a joint gets its index, a file its absolute path. SNW_ERROR_MISSING,
 * SNW_ERROR_ARGUMENT or SNW_ERROR_IO if the joint, field or file cannot be used; the message begins with `key`. */
snw_status snw_value_resolve(const snw_descriptor *descriptor, const snw_parameter *parameter, const char *key,
							 const snw_scene *scene, snw_arena *arena, snw_value *value, snw_error *error);

/* The values of all parameters: the layer's settings (NULL: none), and initial values for the others. Parameters of stages
 * before `first_stage` are not resolved: their joints, fields and files may be missing. Texts belong to the scene, the layer or
 * the descriptor, or are in `arena`. */
snw_status snw_parameters_resolve(const snw_descriptor *descriptor, const snw_layer *layer, const snw_scene *scene,
								  snw_stage first_stage, snw_arena *arena, snw_value *values, snw_error *error);

/* ---- as text ------------------------------------------------------------------------------------------------------------- */

/* Parses "key=value" into the parameter's row and the stored value. A choice is a name, a vector "0,1,0", a colour "#ff8800" or
 * three linear values. The value's text points into `text`. SNW_ERROR_ARGUMENT; the message says what is allowed. */
snw_status snw_parameter_parse(const snw_descriptor *descriptor, const char *text, uint32_t *index, snw_value *value,
							   snw_error *error);

/* A value as text, in `arena`. NULL parameter: the deformer is missing. */
const char *snw_parameter_text(const snw_parameter *parameter, const snw_value *value, snw_arena *arena);
/* How many words `choices` has: names of the lowest values. */
uint32_t snw_parameter_word_count(const snw_parameter *parameter);
/* The name of a value: a choice, or "auto"; NULL if it has none. */
const char *snw_parameter_word(const snw_parameter *parameter, const snw_value *value);

/* ---- settings ------------------------------------------------------------------------------------------------------------ */

/* Changes of settings, as "KEY=VALUE", or "KEY@NAME=VALUE" for one group or joint. */

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
