/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sculpts from files: the points of a mesh, in its order.
 */
#ifndef SINEW_HOST_EDIT_EXAMPLES_READ_SCULPT_H
#define SINEW_HOST_EDIT_EXAMPLES_READ_SCULPT_H

#include "scene/scene.h"
#include "worker/worker.h"

/* Reads the points of a sculpt of the mesh, in `arena`. A notice says if it has other polygons or another size. SNW_ERROR_DATA
 * if it has another number of points. */
snw_status snw_sculpt_read(const char *path, const snw_mesh *mesh, const snw_worker_limits *limits, const snw_task *task,
						   snw_arena *arena, const double **points, snw_error *error);

#endif
