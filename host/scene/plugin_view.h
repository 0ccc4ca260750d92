/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Views of a scene's arrays for plug-ins, as defined by the ABI.
 */
#ifndef SINEW_HOST_SCENE_PLUGIN_VIEW_H
#define SINEW_HOST_SCENE_PLUGIN_VIEW_H

#include "scene/scene.h"

/* Views in `arena` over the scene, which must outlive them. */
const snw_character_view *snw_character_view_make(const snw_scene *scene, snw_arena *arena);

#endif
