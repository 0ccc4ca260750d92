/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a fit reads: the scene's examples, groups, sequences and targets as views of the ABI.
 */
#ifndef SINEW_HOST_STACK_FIT_INPUT_H
#define SINEW_HOST_STACK_FIT_INPUT_H

#include "scene/scene.h"
#include "sinew/sinew.h"

/* Views in `arena` over the scene, which must outlive them; `values` is the caller's. `left_out_example` (SNW_NONE for none) is
 * gone from the examples and from every group, and groups without members are gone with it. Sequences and targets are there
 * where `needs` asks for them, since their poses take time to work out. */
const snw_fit_input *snw_fit_input_make(const snw_scene *scene, uint32_t needs, uint32_t left_out_example, uint32_t value_count,
										const double *values, snw_arena *arena);

#endif
