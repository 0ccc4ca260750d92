/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The faces around each point of a mesh, and its normals at rest.
 */
#ifndef SINEW_DEFORMERS_MOTION_KERNELS_MESH_NORMALS_H
#define SINEW_DEFORMERS_MOTION_KERNELS_MESH_NORMALS_H

#include <stdint.h>

typedef struct snk_mesh_normals {
	const uint32_t *offsets, *faces;            /* faces [offsets[i], offsets[i + 1]) are around point i */
	const uint32_t *face_offsets, *face_points; /* of the mesh */
	const double *normals_rest;                 /* [point_count][3], unit */
} snk_mesh_normals;

#endif
