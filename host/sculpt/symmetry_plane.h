/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The plane of symmetry of a mesh: strokes, masks, halves and mirror images reach across it. A prop or a scanned head need not
 * stand at x = 0.
 */
#ifndef SINEW_HOST_SCULPT_SYMMETRY_PLANE_H
#define SINEW_HOST_SCULPT_SYMMETRY_PLANE_H

#include "mesh/mirror.h"

/* ---- symmetry plane ------------------------------------------------------------------------------------------------------ */

/* The plane x = const across which most points of a mesh, and of those that seams join to it, have partners at rest. That is
 * the plane of the character unless another one pairs clearly more points: x = 0, the middle of their bounds, or the middle of
 * points of the same height and depth. It stays that of the character if the mesh has a counterpart across it
 * (symmetry_plane.h), or if several joints move the mesh that are not symmetric about the other plane: a sleeve alone is not
 * symmetric about its elbow. Any thread. */
snw_mirror_plane snw_symmetry_plane(const snw_scene *scene, uint32_t mesh);
/* That of the largest mesh, for which x = 0 is usual. */
snw_mirror_plane snw_character_plane(const snw_scene *scene);

/* ---- counterpart --------------------------------------------------------------------------------------------------------- */

/* The counterpart of a mesh: another mesh that is its reflection at rest, such as the other glove. The two are sculpted as
 * one (seams.h), so that symmetry reaches across them. */

/* The counterpart of a mesh across a plane x = const (symmetry_plane.h), of those that take part [mesh_count]. SNW_NONE if most
 * of its points have partners on the mesh itself, or fewer than nine in ten have one on another mesh, which lies where its
 * reflection does, or is offset from it by up to a hundredth of the character's diagonal; of several the nearest. Any
 * thread. */
uint32_t snw_counterpart_of(const snw_scene *scene, uint32_t mesh, const snw_mirror_plane *plane, const bool *takes_part);

/* The mesh, its counterpart, and perhaps others as one (seams.h), to pair their points: a copy in which the points of the
 * counterpart, from `first`, are moved by its small offset. In `arena`. */
const snw_mesh *snw_counterpart_align(const snw_scene *scene, uint32_t mesh, uint32_t counterpart,
									  const snw_mirror_plane *plane, const snw_mesh *joined, uint32_t first, snw_arena *arena);

#endif
