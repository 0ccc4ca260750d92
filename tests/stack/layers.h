/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The formulas of the test layers, shared by the plug-in that runs them (layers.c) and the tests that evaluate them directly.
 */
#ifndef SINEW_TESTS_STACK_LAYERS_H
#define SINEW_TESTS_STACK_LAYERS_H

#include "sinew/algebra.h"
#include "sinew/sinew.h"

enum { LAYER_SLOTS = 3, LAYER_COMBINED = 5, LAYER_ELBOW = 1, LAYER_WRIST = 2 };

/* Kinds of the test blend, as its choice "kind" lists them. Sparse and zeros have the same C, with zeros in it: in compressed
 * rows and dense. */
enum { KIND_JOINTS, KIND_MATRICES, KIND_COMBINED, KIND_AFFINE, KIND_DUAL_QUATERNION, KIND_SPARSE, KIND_ZEROS, KIND_COUNT };

/* Evenly spread over [-1, 1], the same for the same arguments. */
static inline double layer_random(uint32_t seed, uint32_t a, uint32_t b) {
	uint64_t x = seed * 0x9E3779B97F4A7C15u + a * 0xBF58476D1CE4E5B9u + b * 0x94D049BB133111EBu + 1;
	x ^= x >> 31;
	x *= 0xBF58476D1CE4E5B9u;
	x ^= x >> 27;
	x *= 0x94D049BB133111EBu;
	x ^= x >> 31;
	return 2 * ((double)(x >> 11) / 9007199254740992.0) - 1;
}

/* Weights of a point over the three slots; they sum to 1. */
static inline void layer_weights(uint32_t seed, uint32_t point, double weights[LAYER_SLOTS]) {
	double sum = 0;
	for (uint32_t s = 0; s < LAYER_SLOTS; s++) {
		weights[s] = 1.2 + layer_random(seed, 100 + point, s);
		sum += weights[s];
	}
	for (uint32_t s = 0; s < LAYER_SLOTS; s++) {
		weights[s] /= sum;
	}
}

/* The row of an affine blend: the rest of the point by its weight, and a little beside it. */
static inline void layer_row(uint32_t seed, uint32_t point, uint32_t slot, const double rest[3], double row[4]) {
	double weights[LAYER_SLOTS];
	layer_weights(seed, point, weights);
	for (uint32_t c = 0; c < 3; c++) {
		row[c] = weights[slot] * rest[c] + 0.01 * layer_random(seed, 5000 + point, 4 * slot + c);
	}
	row[3] = weights[slot];
}

static inline int layer_is_combined(int kind) {
	return kind == KIND_COMBINED || kind == KIND_SPARSE || kind == KIND_ZEROS;
}

/* C of T = C z. With zeros, each fourth row is empty, and of the others so is more than half. */
static inline double layer_constant(uint32_t seed, int kind, uint32_t row, uint32_t k) {
	const int is_zero = kind != KIND_COMBINED && (row % 4 == seed % 4 || (row + k) % 5 > 1);
	return is_zero ? 0 : 0.4 * layer_random(seed, 9000 + row, k);
}

/* What drive writes for each kind. */
static inline void layer_z(uint32_t seed, int kind, const snw_pose_view *pose, double *z) {
	if (kind == KIND_MATRICES || kind == KIND_AFFINE) {
		for (uint32_t i = 0; i < 12 * LAYER_SLOTS; i++) {
			z[i] = pose->palette[i] + 0.05 * layer_random(seed, 20000, i);
		}
	} else if (layer_is_combined(kind)) {
		for (uint32_t i = 0; i < 3 * LAYER_COMBINED; i++) {
			z[i] = sin(pose->rotation_vectors[i % 9] + layer_random(seed, 21000, i));
		}
	} else if (kind == KIND_DUAL_QUATERNION) {
		for (uint32_t s = 0; s < LAYER_SLOTS; s++) {
			double *q = z + 8 * s, rotation_vector[3], t[4] = {0, 0, 0, 0};
			for (uint32_t c = 0; c < 3; c++) {
				rotation_vector[c] = pose->rotation_vectors[3 * s + c] + 0.2 * layer_random(seed, 22000 + s, c);
				t[c] = 0.1 * layer_random(seed, 23000 + s, c);
			}
			snw_quat_from_rotation_vector(rotation_vector, q);
			snw_quat_multiply(t, q, q + 4);
			const double length = 1 + 0.3 * layer_random(seed, 24000, s);
			for (int c = 0; c < 8; c++) {
				q[c] *= length * (c < 4 ? 1 : 0.5);
			}
		}
	}
}

static inline uint32_t layer_z_count(int kind) {
	static const uint32_t counts[KIND_COUNT] = {0, 12 * LAYER_SLOTS, 3 * LAYER_COMBINED, 12 * LAYER_SLOTS, 8 * LAYER_SLOTS};
	return layer_is_combined(kind) ? 3 * LAYER_COMBINED : counts[kind];
}

/* Two displacements before and two after: coefficient k, and its effect on a point (none for other points). */
static inline double layer_coefficient(uint32_t seed, const snw_pose_view *pose, uint32_t k) {
	return sin(pose->rotation_vectors[3 * LAYER_ELBOW + 2] + 2 * pose->rotation_vectors[3 * LAYER_WRIST] +
			   layer_random(seed, 30000, k));
}

static inline int layer_moves(uint32_t point, uint32_t k) {
	return (point + k) % 3 != 0;
}

static inline void layer_displacement(uint32_t seed, uint32_t point, uint32_t k, double vector[3]) {
	for (uint32_t c = 0; c < 3; c++) {
		vector[c] = 0.05 * layer_random(seed, 40000 + point, 8 * k + c);
	}
}

/* The black boxes. */
static inline void layer_twist(double strength, const double in[3], double out[3]) {
	const double angle = strength * in[0], y = in[1], z = in[2];
	out[0] = in[0];
	out[1] = y * cos(angle) - z * sin(angle);
	out[2] = y * sin(angle) + z * cos(angle);
}

static inline void layer_ring(double strength, const double *points, uint32_t count, uint32_t point, double out[3]) {
	const uint32_t before = point == 0 ? count - 1 : point - 1, behind = point + 1 == count ? 0 : point + 1;
	for (uint32_t c = 0; c < 3; c++) {
		const double mean = (points[3 * (size_t)before + c] + points[3 * (size_t)behind + c]) / 2;
		out[c] = points[3 * (size_t)point + c] + strength * (mean - points[3 * (size_t)point + c]);
	}
}

#endif
