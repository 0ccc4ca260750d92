/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The quads of a sheet: a grid of points, row by row.
 */
#ifndef SINEW_HOST_SAMPLE_GRID_H
#define SINEW_HOST_SAMPLE_GRID_H

#include "scene/scene.h"

/* Fills faces and UVs of the mesh, in `arena`. Point row · columns + column is at the column and row; there are at least two of
 * each. */
void snw_grid_faces(uint32_t columns, uint32_t rows, snw_arena *arena, snw_mesh *mesh);

#endif
