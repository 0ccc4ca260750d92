/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rays, and their hits on a mesh.
 */
#ifndef SINEW_HOST_MESH_RAY_H
#define SINEW_HOST_MESH_RAY_H

#include <stdint.h>

typedef struct snw_ray {
	double origin[3];
	double direction[3]; /* of any length but 0 */
} snw_ray;

typedef struct snw_pick {
	uint32_t face;  /* SNW_NONE: nothing was hit */
	uint32_t point; /* the face's point nearest to the hit */
	double position[3];
	double normal[3]; /* of the face, unit, towards the ray's origin */
	double distance;  /* from the origin, metres */
} snw_pick;

#endif
