/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How much smaller a mesh animation is as a skin, counted as Kavan et al. 2007 do in Table 1: numbers of points and normals in
 * all frames against those of the rest and of both palettes, 6 m n / (12 p n + 6 m) for p rigid proxy joints; 24 p n for affine
 * ones. Displacements add their vectors and a coefficient a frame, for normals too. Weights are not counted.
 */
#ifndef SINEW_HOST_MEASURE_COMPRESSION_H
#define SINEW_HOST_MEASURE_COMPRESSION_H

#include "stack/stack.h"

typedef struct snw_compression {
	uint32_t frame_count, proxy_count, displacement_count;
	bool rigid;         /* no joint scales or shears at the tested frames */
	double ratio;       /* as above */
	double point_bytes; /* the points of the frames as floats, to compare with the size of a saved model */
} snw_compression;

/* False if the mesh has neither a sequence nor a target, or if its stack is not a program with its own palette. */
bool snw_compression_find(const snw_scene *scene, const snw_stack *stack, uint32_t mesh, snw_compression *compression);

#endif
