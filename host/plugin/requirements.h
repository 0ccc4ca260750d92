/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whether a scene holds what a deformer needs.
 */
#ifndef SINEW_HOST_PLUGIN_REQUIREMENTS_H
#define SINEW_HOST_PLUGIN_REQUIREMENTS_H

#include "scene/scene.h"
#include "sinew/sinew.h"

/* SNW_ERROR_MISSING names what is missing and the command that adds it. */
snw_status snw_needs_check(const snw_scene *scene, const snw_descriptor *descriptor, snw_error *error);

/* Whether a layer that follows its examples by itself has any to follow: without one that is heard it says nothing, whatever
 * its last fit left. True for every other layer. */
bool snw_layer_is_active(const snw_scene *scene, const snw_descriptor *descriptor);

#endif
