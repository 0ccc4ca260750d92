/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Learned weights made paintable: a fitted blend over the skeleton's joints gives its weights to the skin, and gives way to the
 * blend that it had replaced. Brushes then paint them. The layer stays in the stack, muted. It has read the former skin, so it
 * is stale: its next fit learns weights anew, and overrides nothing until the layer is unmuted.
 */
#ifndef SINEW_HOST_WEIGHTS_TAKE_WEIGHTS_H
#define SINEW_HOST_WEIGHTS_TAKE_WEIGHTS_H

#include "plugin/registry.h"
#include "project/project.h"

/* The topmost unmuted layer that blends by weights of its own, so that painted ones do not show; SNW_NONE if there is none. */
uint32_t snw_learned_blend(const snw_scene *scene, const snw_registry *registry);

/* Within an open command. Weights below 0 are left out, and the others normalised. SNW_ERROR_CONFLICT, with the reason, for a
 * layer whose weights are not those of the skeleton's joints, and if no layer below blends by the skin's weights. */
snw_status snw_project_take_weights(snw_project *project, const snw_scene *scene, const snw_registry *registry, uint32_t layer,
									snw_error *error);

#endif
