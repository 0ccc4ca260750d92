/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The plane of symmetry of a mesh: strokes, masks, halves and mirror images reach across it. A prop or a scanned head need not
 * stand at x = 0.
 */
#ifndef SINEW_HOST_SCULPT_SYMMETRY_PLANE_H
#define SINEW_HOST_SCULPT_SYMMETRY_PLANE_H

#include "mesh/mirror.h"

/* The plane x = const across which most points of a mesh, and of those that seams join to it, have partners at rest. That is
 * the plane of the character unless another one pairs clearly more points: x = 0, the middle of their bounds, or the middle of
 * points of the same height and depth. It stays that of the character if the mesh has a counterpart across it (counterpart.h),
 * or if several joints move the mesh that are not symmetric about the other plane: a sleeve alone is not symmetric about its
 * elbow. Any thread. */
snw_mirror_plane snw_symmetry_plane(const snw_scene *scene, uint32_t mesh);
/* That of the largest mesh, for which x = 0 is usual. */
snw_mirror_plane snw_character_plane(const snw_scene *scene);

#endif
