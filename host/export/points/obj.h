/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One mesh as Wavefront .obj: the way out to a sculpting tool. Points in order, polygons as they are, UVs and custom normals of
 * the corners; nine digits, so that what is read back rounds to the same float.
 */
#ifndef SINEW_HOST_EXPORT_POINTS_OBJ_H
#define SINEW_HOST_EXPORT_POINTS_OBJ_H

#include "scene/scene.h"

/* `points` [point_count][3] takes the place of the mesh's rest; custom normals belong to the rest and are written only for
 * it (NULL). Atomic. */
snw_status snw_export_obj(const char *path, const snw_mesh *mesh, const double *points, snw_error *error);

#endif
