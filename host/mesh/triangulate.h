/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Triangulates polygons, concave ones included, for rendering and for files.
 */
#ifndef SINEW_HOST_MESH_TRIANGULATE_H
#define SINEW_HOST_MESH_TRIANGULATE_H

#include <stdint.h>

/* A polygon with more corners becomes a fan, because the time of ear clipping is quadratic. */
#define SNW_EAR_LIMIT 1024

/* One polygon of `count` ≥ 3 corners, whose points are points[3 · polygon[i]]: fills triangles [count − 2][3] with indices
 * below `count`, in the order of the polygon. Quads are cut along the diagonal that folds neither half over, the shorter one if
 * neither does; larger polygons by ear clipping, roundest first. `scratch` is [count]. */
void snw_polygon_triangulate(const double *points, const uint32_t *polygon, uint32_t count, uint32_t *triangles,
							 uint32_t *scratch);

#endif
