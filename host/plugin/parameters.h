/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Settings against a deformer's parameter table: which keys there are, which values they may have, how people write them, and what
 * the deformer gets.
 */
#ifndef SINEW_HOST_PLUGIN_PARAMETERS_H
#define SINEW_HOST_PLUGIN_PARAMETERS_H

#include "scene/scene.h"
#include "sinew/sinew.h"

/* ---- keys ------------------------------------------------------------------------------------------------------------------ */

/* A setting's key is that of a parameter, "mode", or that with the name of the one group or joint for which it holds,
 * "mode@elbow-left": such settings change no value of `snw_parameters_resolve`, and become overrides of a fit.
 * The row of the parameter, SNW_NONE where there is none or where it cannot be set for one alone; *name (may be NULL): what
 * stands behind the '@', NULL where there is none. */
uint32_t snw_parameter_of_key(const snw_descriptor *descriptor, const char *key, const char **name);
/* How much of "key=value" or "key@NAME=value" is the key: a NAME may hold '=', and then the value may not. */
size_t snw_parameter_key_length(const char *text);
/* SNW_ERROR_ARGUMENT: the deformer has no such parameter, or it cannot be set for one alone. The words list those it has. */
snw_status snw_parameter_unknown(const snw_descriptor *descriptor, const char *key, snw_error *error);

/* ---- values ---------------------------------------------------------------------------------------------------------------- */

/* Whether values of the parameter are texts: of joints, fields and files, and texts themselves. */
bool snw_parameter_has_text(const snw_parameter *parameter);
/* Whether the parameter may have the value, as far as the table alone says. */
bool snw_parameter_allows(const snw_parameter *parameter, const snw_value *value);
/* Whether two values of the parameter are the same; a text that is NULL is empty. */
bool snw_parameter_same(const snw_parameter *parameter, const snw_value *a, const snw_value *b);

/* Whether settings fit the table: known keys, values that their parameters may have. SNW_ERROR_ARGUMENT with what is allowed. */
snw_status snw_settings_check(const snw_descriptor *descriptor, uint32_t count, const snw_setting *settings, snw_error *error);

/* A stored value as the deformer gets it: a joint with its index, a file with its absolute path. SNW_ERROR_MISSING,
 * SNW_ERROR_ARGUMENT or SNW_ERROR_IO where the joint, field or file cannot be used; the words begin with `key`. */
snw_status snw_value_resolve(const snw_descriptor *descriptor, const snw_parameter *parameter, const char *key,
							 const snw_scene *scene, snw_arena *arena, snw_value *value, snw_error *error);

/* All values of a deformer's table, initial ones where the layer's settings (NULL: none) are silent. What is not read from
 * `first_stage` on is not looked up: a joint is then none where it is not there, and a field or file may be gone. Texts are the
 * scene's, the layer's, the descriptor's or in `arena`. */
snw_status snw_parameters_resolve(const snw_descriptor *descriptor, const snw_layer *layer, const snw_scene *scene,
								  snw_stage first_stage, snw_arena *arena, snw_value *values, snw_error *error);

/* ---- as text --------------------------------------------------------------------------------------------------------------- */

/* "key=value": the row, and the value as a setting stores it. Choices go by name, vectors are "0,1,0", colours "#ff8800" or three
 * numbers of linear light; the value's text is the end of `text`. SNW_ERROR_ARGUMENT says what is allowed. */
snw_status snw_parameter_parse(const snw_descriptor *descriptor, const char *text, uint32_t *index, snw_value *value,
							   snw_error *error);
/* The words for what a parameter may have: "numbers from 0 to 1 m". */
const char *snw_parameter_range_text(const snw_parameter *parameter, snw_arena *arena);
/* A value as people write it, in `arena`. NULL parameter: of a deformer that is not there. */
const char *snw_parameter_text(const snw_parameter *parameter, const snw_value *value, snw_arena *arena);
/* The word for a value: a choice, or "auto"; NULL where it has none. */
const char *snw_parameter_word(const snw_parameter *parameter, const snw_value *value);

#endif
