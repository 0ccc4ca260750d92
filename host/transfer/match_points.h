/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Meshes whose points are where they were, but in another order: another program wrote the file, or another reader read it.
 */
#ifndef SINEW_HOST_TRANSFER_MATCH_POINTS_H
#define SINEW_HOST_TRANSFER_MATCH_POINTS_H

#include "scene/scene.h"

/* The new mesh that matches an old one: by name, or the only one of both; SNW_NONE. */
uint32_t snw_match_mesh(const snw_scene *old, uint32_t mesh, const snw_scene *fresh);

/* For each point of `old` the point of `fresh` in the same place, [point_count] in `arena`; NULL if there are not as many, or
 * not each has one of its own. */
uint32_t *snw_match_points(const snw_mesh *old, const snw_mesh *fresh, snw_arena *arena);
/* The mesh with its points in the order of `order`; arrays are in `arena`. */
snw_mesh snw_mesh_in_order(const snw_mesh *mesh, const uint32_t *order, snw_arena *arena);
/* Whether two meshes have the same faces, in any order and each from any of its corners on. */
bool snw_same_faces(const snw_mesh *a, const snw_mesh *b);

#endif
