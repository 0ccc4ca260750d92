/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A closed tube along x with a variable radius, in quads only: rings, and at each end a square patch that is mapped onto a
 * dome.
 */
#ifndef SINEW_HOST_SAMPLE_TUBE_H
#define SINEW_HOST_SAMPLE_TUBE_H

#include "scene/scene.h"

typedef struct snw_tube {
	double begin, end;          /* x of the first and last ring, metres */
	double dome;                /* how far the rounded ends reach beyond, as a multiple of the radius there */
	uint32_t rings;             /* at least 2 */
	uint32_t sides;             /* around each ring, a multiple of 4 */
	double (*radius)(double x); /* metres; level at both ends, or the domes show a crease */
} snw_tube;

/* Fills points, faces and UVs of the mesh, in `arena`. Faces wind counterclockwise seen from outside. */
void snw_tube_build(const snw_tube *tube, snw_arena *arena, snw_mesh *mesh);

#endif
