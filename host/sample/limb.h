/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A limb for benchmarks and tests of sculpting: any number of points, symmetric about x = 0, two joints and a linear blend.
 */
#ifndef SINEW_HOST_SAMPLE_LIMB_H
#define SINEW_HOST_SAMPLE_LIMB_H

#include "scene/scene.h"

/* Mesh "limb", four metres along z, open at its ends, of nearly square quads; joints "upper" and "lower", which bends at the
 * origin; poses "rest" and "bent"; the baseline's layer; no example. It has about `point_count` points. */
snw_scene *snw_limb_make(uint32_t point_count);

/* The mirrored point of each point, [point_count]. */
const uint32_t *snw_limb_partners(const snw_mesh *mesh, snw_arena *arena);

#endif
