/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The mesh for formats of one mesh.
 */
#ifndef SINEW_HOST_EXPORT_POINTS_CHOOSE_MESH_H
#define SINEW_HOST_EXPORT_POINTS_CHOOSE_MESH_H

#include "export/export.h"

/* The requested mesh, or the only one. */
snw_status snw_export_choose_mesh(const snw_scene *scene, const snw_export_request *request, uint32_t *mesh, snw_error *error);

#endif
