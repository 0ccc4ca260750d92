/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Polygons into triangles, concave ones right: for pictures and for files alike.
 */
#ifndef SINEW_HOST_MESH_TRIANGULATE_H
#define SINEW_HOST_MESH_TRIANGULATE_H

#include <stdint.h>

/* Above this many corners a polygon becomes a fan: cutting ears takes the square of their number. */
#define SNW_EAR_LIMIT 1024

/* One polygon of `count` ≥ 3 corners, whose points are points[3 · polygon[i]]: fills triangles [count − 2][3] with numbers below
 * `count`, in the order of the polygon. Quads are cut along the diagonal that folds neither half over, the shorter one where
 * both are good; larger polygons by cutting ears, roundest first. `scratch` is [count] numbers. */
void snw_polygon_triangulate(const double *points, const uint32_t *polygon, uint32_t count, uint32_t *triangles,
							 uint32_t *scratch);

#endif
