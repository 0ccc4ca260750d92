/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What becomes of the textures that glTF alone says of a material (import/gltf/gltf.c) when its UVs or its pictures change.
 */
#ifndef SINEW_HOST_OPERATORS_KEPT_TEXTURES_H
#define SINEW_HOST_OPERATORS_KEPT_TEXTURES_H

#include "scene/scene.h"

/* Whether a picture is one of those that a material keeps for glTF alone. */
bool snw_material_keeps_image(const snw_material *material, uint32_t image);
/* Leaves out those that lie on the first UV set, with the extensions that they belong to: without their pictures these would
 * say something else. Returns whether there were any. */
bool snw_material_drop_pictures(snw_material *material, snw_arena *arena);
/* Leaves out what is kept of the normal map: its place, its scale and its sampler. */
void snw_material_drop_normal_map(snw_material *material, snw_arena *arena);

#endif
