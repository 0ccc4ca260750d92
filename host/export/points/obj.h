/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writes one mesh as Wavefront .obj for a sculpting program: points and polygons in order, UVs and custom normals of the
 * corners, with nine digits, so that coordinates are read back as the same floats.
 */
#ifndef SINEW_HOST_EXPORT_POINTS_OBJ_H
#define SINEW_HOST_EXPORT_POINTS_OBJ_H

#include "scene/scene.h"

/* `points` [point_count][3] replaces the rest points. Custom normals belong to the rest pose, so they are written only if
 * `points` is NULL. Atomic. */
snw_status snw_export_obj(const char *path, const snw_mesh *mesh, const double *points, snw_error *error);

#endif
