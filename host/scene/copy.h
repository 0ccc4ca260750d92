/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Copies scenes and settings.
 */
#ifndef SINEW_HOST_SCENE_COPY_H
#define SINEW_HOST_SCENE_COPY_H

#include "scene/scene.h"

/* A new scene that shares nothing with the old one; destroy it with snw_scene_destroy. */
snw_scene *snw_scene_copy(const snw_scene *scene);

/* Settings with their keys and texts, in `arena`. */
snw_setting *snw_settings_copy(snw_arena *arena, const snw_setting *settings, uint32_t count);

#endif
