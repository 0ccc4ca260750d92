/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Several meshes as one, to sculpt them together: the points and faces of one after those of another. Sculpting welds their
 * seams (weld.h), so a stroke over the border of two meshes does not part them.
 */
#ifndef SINEW_HOST_SCULPT_SEAMS_JOINED_H
#define SINEW_HOST_SCULPT_SEAMS_JOINED_H

#include "scene/scene.h"

/* The meshes that must be sculpted together with `mesh`: itself first, then those to which seams lead, however many are
 * between, in order. A seam is where border points of two meshes lie in the same place at rest. `takes_part` [mesh_count]:
 * meshes that may be sculpted; `mesh` itself always is. Returns their number; the list is in `arena`. */
uint32_t snw_seam_meshes(const snw_scene *scene, uint32_t mesh, const bool *takes_part, snw_arena *arena, uint32_t **meshes);

/* A copy of these meshes as one, as far as sculpting needs it: name (of the first), points at rest, faces. In `arena`. */
snw_mesh *snw_join_meshes(const snw_scene *scene, uint32_t count, const uint32_t *meshes, snw_arena *arena);

#endif
