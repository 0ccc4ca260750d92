/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Adds layers to the stack. A layer that blends takes the place of the blend that is there: a skin blends once.
 */
#ifndef SINEW_HOST_EDIT_ADD_LAYER_H
#define SINEW_HOST_EDIT_ADD_LAYER_H

#include "plugin/registry.h"
#include "project/project.h"

/* Part of a command: writes a layer with its model (0 for none). A new one goes directly above `replaced`, which is muted, or
 * on top if that is SNW_NONE. */
snw_status snw_layer_put_over(snw_project *project, const snw_scene *scene, const snw_layer *layer, int64_t model,
							  uint32_t replaced, snw_error *error);

/* The layer that a new one of that deformer replaces, as a fit of it does (snw_fit_base_blend): SNW_NONE if it does not blend,
 * or if the blend is muted already. */
uint32_t snw_layer_replaces(const snw_scene *scene, const snw_registry *registry, const snw_deformer *deformer);

#endif
