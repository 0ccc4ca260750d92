/* SPDX-License-Identifier: MIT
 *
 * The faces around each point of a mesh, and the normals that they give it at rest.
 */
#ifndef SINEW_DEFORMERS_KIT_MESH_RINGS_H
#define SINEW_DEFORMERS_KIT_MESH_RINGS_H

#include <stdint.h>

typedef struct snk_rings {
	const uint32_t *offsets, *faces;            /* faces [offsets[i], offsets[i + 1]) are around point i */
	const uint32_t *face_offsets, *face_points; /* the mesh's */
	const double *normals_rest;                 /* [point_count][3], unit */
} snk_rings;

#endif
