/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What lies below the layer that is fitted: the layers under it. A method that takes the base blend's place
 * (SNW_REPLACES_BLEND) lies on what that blend lies on and on the blend itself, even when an earlier fit has muted it: the
 * points that an example leaves alone follow the base blend, not the rest and not the layer's own last result.
 */
#ifndef SINEW_HOST_FIT_BELOW_H
#define SINEW_HOST_FIT_BELOW_H

#include "plugin/registry.h"
#include "stack/stack.h"
#include "task/task.h"

/* The layer of the scene that a blend under `limit` replaces: the lowest layer that blends and is not muted, else the highest
 * that blends. SNW_NONE where none does. */
uint32_t snw_fit_base_blend(const snw_scene *scene, const snw_registry *registry, uint32_t limit);

/* The stack below a layer of that deformer at index `limit` (layer_count for a new one). */
snw_status snw_fit_below_build(const snw_scene *scene, const snw_registry *registry, const snw_deformer *deformer,
							   uint32_t limit, const snw_task *task, snw_stack **below, snw_error *error);

#endif
