/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The mesh of a format that holds one.
 */
#ifndef SINEW_HOST_EXPORT_POINTS_CHOOSE_MESH_H
#define SINEW_HOST_EXPORT_POINTS_CHOOSE_MESH_H

#include "export/export.h"

/* The one that is asked for, else the only one. */
snw_status snw_export_choose_mesh(const snw_scene *scene, const snw_export_request *request, uint32_t *mesh, snw_error *error);

#endif
