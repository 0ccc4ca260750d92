/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a layer had taken the place of whose plug-in is missing. A fitted blend mutes the one that it replaces; without its
 * plug-in nothing blends, and no pose shows.
 */
#ifndef SINEW_HOST_STACK_REPLACED_BLEND_H
#define SINEW_HOST_STACK_REPLACED_BLEND_H

#include "plugin/registry.h"
#include "scene/scene.h"

/* The muted blend nearest below a layer whose plug-in is missing, if no layer that runs blends. SNW_NONE otherwise. */
uint32_t snw_replaced_blend(const snw_scene *scene, const snw_registry *registry, uint32_t layer);

#endif
