/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Checks that a scene has what a deformer needs.
 */
#ifndef SINEW_HOST_PLUGIN_REQUIREMENTS_H
#define SINEW_HOST_PLUGIN_REQUIREMENTS_H

#include "scene/scene.h"
#include "sinew/sinew.h"

/* SNW_ERROR_MISSING if something is missing; the message names it and the command that adds it. */
snw_status snw_needs_check(const snw_scene *scene, const snw_descriptor *descriptor, snw_error *error);

/* Whether the host keeps the proposals of a fit and nothing else: there is no layer. */
bool snw_proposes_only(const snw_descriptor *descriptor);

/* False for a layer that is refitted to its examples (SNW_REFITS) while all of them are muted or removed. Such a layer has no
 * effect, whatever its last fit made. True for every other layer. */
bool snw_layer_is_active(const snw_scene *scene, const snw_descriptor *descriptor);

#endif
