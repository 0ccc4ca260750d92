/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The plain float evaluator: kernels as game runtimes have them. One point after another, in the order of its influences,
 * positions only. `sinew bench skin` compares the float evaluator with it, and the C player (plugins/player/sinew_player.h) has
 * its bits: tests/player/bits.c.
 */
#ifndef SINEW_HOST_PROGRAM_PLAIN_EVALUATOR_H
#define SINEW_HOST_PROGRAM_PLAIN_EVALUATOR_H

#include "program/program.h"

/* A vertex as in game runtimes: an array of structs, four influences. */
typedef struct snw_plain_vertex {
	float position[3];
	float weights[4];
	uint16_t slots[4];
} snw_plain_vertex;

/* A program's points as such vertices, in `arena`; the program must have four influences a point. */
snw_plain_vertex *snw_plain_vertices(const snw_program *program, snw_arena *arena);

/* Linear blend, four numbers at a time with SSE if available: matrices [slots][16] by columns, aligned to 16. Blends the
 * matrices of a vertex, then applies the result. */
void snw_plain_linear(uint32_t count, const snw_plain_vertex *vertices, const float *matrices, float *points_out);

/* Dual quaternions (real x y z w, dual), scalar code: [slots][8], signs as given. */
void snw_plain_dual_quaternion(uint32_t count, const snw_plain_vertex *vertices, const float *dual_quaternions,
							   float *points_out);

/* With the shortest signs, each the nearest to that of the vertex's first influence, and after the stretches [slots][9] minus
 * the identity (NULL: none). */
void snw_plain_dual_quaternion_shortest(uint32_t count, const snw_plain_vertex *vertices, const float *dual_quaternions,
										const float *stretches, float *points_out);

#endif
