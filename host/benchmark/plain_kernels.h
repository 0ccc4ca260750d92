/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Kernels as in game runtimes, to compare the float evaluator with.
 */
#ifndef SINEW_HOST_BENCHMARK_PLAIN_KERNELS_H
#define SINEW_HOST_BENCHMARK_PLAIN_KERNELS_H

#include "program/program.h"

/* A vertex as in game runtimes: an array of structs, four influences. */
typedef struct snw_plain_vertex {
	float position[3];
	float weights[4];
	uint16_t slots[4];
} snw_plain_vertex;

/* A program's points as such vertices, in `arena`; the program must have four influences a point. */
snw_plain_vertex *snw_plain_vertices(const snw_program *program, snw_arena *arena);

/* Linear blend, positions only, four at a time with SSE if available: matrices [slots][16] by columns, aligned to 16. */
void snw_plain_linear(uint32_t count, const snw_plain_vertex *vertices, const float *matrices, float *points_out);

/* Dual quaternions (real x y z w, dual), scalar code: [slots][8], signs as given. */
void snw_plain_dual_quaternion(uint32_t count, const snw_plain_vertex *vertices, const float *dual_quaternions,
							   float *points_out);

#endif
