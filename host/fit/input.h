/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a fit reads: the scene's examples, groups, sequences and targets as views of the ABI.
 */
#ifndef SINEW_HOST_FIT_INPUT_H
#define SINEW_HOST_FIT_INPUT_H

#include "scene/scene.h"
#include "sinew/sinew.h"
#include "stack/stack.h"

/* Views in `arena` of the scene, which must outlive them; `values` is the caller's. Examples, sequences and targets are given where
 * `needs` asks for them; `samples` (samples.h) chooses among them. `left_out_example` (SNW_NONE for none) and muted examples are left
 * out of the examples and of every group, and so are groups without members. */
snw_fit_input *snw_fit_input_make(const snw_scene *scene, uint32_t needs, const char *samples, uint32_t left_out_example,
								  uint32_t value_count, const snw_value *values, snw_arena *arena);

/* Adds the layer's settings for one group or joint alone to `input`. Those for groups that stay out of the fit, and for who is
 * no longer there, do nothing. Fails as snw_value_resolve does where one that does names what is not there. */
snw_status snw_fit_input_override(const snw_scene *scene, const snw_descriptor *descriptor, const snw_layer *layer,
								  snw_arena *arena, snw_fit_input *input, snw_error *error);

/* Points that an example leaves alone, where `below` puts them, in arrays of `arena`. *read is set where there are any. */
snw_status snw_fit_input_settle(const snw_scene *scene, const snw_stack *below, uint32_t left_out_example, snw_arena *arena,
								snw_fit_input *input, bool *read, snw_error *error);

#endif
