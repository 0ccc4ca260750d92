/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "program/plain_evaluator.h"

#include <math.h>
#include <string.h>

typedef float row4 __attribute__((vector_size(16), may_alias));

#define INLINED static inline __attribute__((always_inline))

snw_plain_vertex *snw_plain_vertices(const snw_program *program, snw_arena *arena) {
	snw_plain_vertex *vertices = SNW_NEW_ARRAY(arena, snw_plain_vertex, program->point_count);
	for (size_t i = 0; i < program->point_count; i++) {
		for (size_t c = 0; c < 3; c++) {
			vertices[i].position[c] = (float)program->points_rest[3 * i + c];
		}
		for (size_t k = 0; k < 4; k++) {
			vertices[i].weights[k] = (float)program->influence_weights[4 * i + k];
			vertices[i].slots[k] = (uint16_t)program->influence_slots[4 * i + k];
		}
	}
	return vertices;
}

void snw_plain_linear(uint32_t count, const snw_plain_vertex *vertices, const float *matrices, float *points_out) {
	for (uint32_t i = 0; i < count; i++) {
		const snw_plain_vertex *vertex = &vertices[i];
		row4 blended[4] = {{0}, {0}, {0}, {0}};
#pragma GCC unroll 4
		for (int k = 0; k < 4; k++) {
			const row4 *columns = (const row4 *)(matrices + 16 * (size_t)vertex->slots[k]);
#pragma GCC unroll 4
			for (int c = 0; c < 4; c++) {
				blended[c] += vertex->weights[k] * columns[c];
			}
		}
		const float *p = vertex->position;
		const row4 posed = (p[0] * blended[0] + p[1] * blended[1]) + (p[2] * blended[2] + blended[3]);
		memcpy(points_out + 3 * (size_t)i, &posed, 3 * sizeof *points_out);
	}
}

INLINED void cross(const float a[3], const float b[3], float dest[3]) {
	dest[0] = a[1] * b[2] - a[2] * b[1];
	dest[1] = a[2] * b[0] - a[0] * b[2];
	dest[2] = a[0] * b[1] - a[1] * b[0];
}

/* x + Σ w (P − I) x */
INLINED void stretch_point(const snw_plain_vertex *vertex, const float *stretches, float x[3]) {
	float sum[9] = {0};
	for (int k = 0; k < 4; k++) {
		for (int e = 0; e < 9; e++) {
			sum[e] += vertex->weights[k] * stretches[9 * (size_t)vertex->slots[k] + (size_t)e];
		}
	}
	for (int r = 0; r < 3; r++) {
		x[r] += sum[3 * r] * vertex->position[0] + sum[3 * r + 1] * vertex->position[1] + sum[3 * r + 2] * vertex->position[2];
	}
}

INLINED void blend_dual_quaternions(uint32_t count, const snw_plain_vertex *vertices, const float *dual_quaternions,
									bool is_shortest, const float *stretches, float *points_out) {
	for (uint32_t i = 0; i < count; i++) {
		const snw_plain_vertex *vertex = &vertices[i];
		const float *first = dual_quaternions + 8 * (size_t)vertex->slots[0];
		float q[8] = {0}, twice[3], rotated[3], translated[3], x[3];
		memcpy(x, vertex->position, sizeof x);
#pragma GCC unroll 4
		for (int k = 0; k < 4; k++) {
			const float *from = dual_quaternions + 8 * (size_t)vertex->slots[k];
			const float near = from[0] * first[0] + from[1] * first[1] + from[2] * first[2] + from[3] * first[3];
			const float w = is_shortest && near < 0 ? -vertex->weights[k] : vertex->weights[k];
#pragma GCC unroll 8
			for (int c = 0; c < 8; c++) {
				q[c] += w * from[c];
			}
		}
		if (stretches) {
			stretch_point(vertex, stretches, x);
		}
		const float square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], scale = square > 0 ? 1 / sqrtf(square) : 0;
		for (int c = 0; c < 8; c++) {
			q[c] *= scale;
		}
		cross(q, x, twice);
		for (int c = 0; c < 3; c++) {
			twice[c] += q[3] * x[c];
		}
		cross(q, twice, rotated);
		cross(q, q + 4, translated);
		for (int c = 0; c < 3; c++) {
			points_out[3 * (size_t)i + (size_t)c] = x[c] + 2 * (rotated[c] + q[3] * q[4 + c] - q[7] * q[c] + translated[c]);
		}
	}
}

void snw_plain_dual_quaternion(uint32_t count, const snw_plain_vertex *vertices, const float *dual_quaternions,
							   float *points_out) {
	blend_dual_quaternions(count, vertices, dual_quaternions, false, NULL, points_out);
}

void snw_plain_dual_quaternion_shortest(uint32_t count, const snw_plain_vertex *vertices, const float *dual_quaternions,
										const float *stretches, float *points_out) {
	blend_dual_quaternions(count, vertices, dual_quaternions, true, stretches, points_out);
}
