/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The counterpart of a mesh: another mesh that is its reflection at rest, such as the other glove. The two are sculpted as one
 * (joined.h), so that symmetry reaches across them.
 */
#ifndef SINEW_HOST_SCULPT_COUNTERPART_H
#define SINEW_HOST_SCULPT_COUNTERPART_H

#include "scene/scene.h"

/* The counterpart of a mesh across x = 0, of those that take part [mesh_count]. SNW_NONE if most of its points have partners on the mesh
 * itself, or fewer than nine in ten have one on another mesh, which lies where its reflection does. Any thread. */
uint32_t snw_counterpart_of(const snw_scene *scene, uint32_t mesh, const bool *takes_part);

#endif
