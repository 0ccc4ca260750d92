/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A limb made up to be sculpted: of as many points as are asked for, symmetric about x = 0, with two joints and a linear blend.
 */
#ifndef SINEW_HOST_SAMPLE_LIMB_H
#define SINEW_HOST_SAMPLE_LIMB_H

#include "scene/scene.h"

/* Mesh "limb", four metres along z and open at its ends, of bent quads about as long as wide; joints "upper" and "lower", which
 * bends at the origin; poses "rest" and "bent"; the layer "linear-blend"; no example. `point_count` is about. */
snw_scene *snw_bench_limb_make(uint32_t point_count);

/* The points' partners on the other side, [point_count]. */
const uint32_t *snw_bench_limb_partners(const snw_mesh *mesh, snw_arena *arena);

#endif
