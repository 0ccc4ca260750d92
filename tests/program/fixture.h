/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Random skin programs and inputs, from a seed that is printed.
 */
#ifndef SINEW_TESTS_PROGRAM_FIXTURE_H
#define SINEW_TESTS_PROGRAM_FIXTURE_H

#include "check.h"
#include "program/program.h"
#include "random.h"
#include "sinew/algebra.h"

typedef struct fixture {
	snw_arena *arena;
	snw_program program;
	snw_program_input input;
} fixture;

typedef struct fixture_options {
	uint32_t point_count, slot_count, least_influences, most_influences;
	int32_t blend, sign_rule;
	bool dual_quaternion_palette;
	uint32_t rest_displacements, posed_displacements;
	uint32_t clump_count; /* the points are close together in so many places; 0: anywhere */
	double distance;      /* of the character from the origin */
	double largest_angle; /* radians */
	double scale;         /* of joints: differs from 1 by up to this much, along any axes */
	bool loose_weights;   /* that do not sum to 1 */
} fixture_options;

static inline void random_direction(uint64_t *random, double v[3]) {
	do {
		for (int c = 0; c < 3; c++) {
			v[c] = random_between(random, -1, 1);
		}
	} while (snw_length3(v) < 0.1);
	snw_normalize3(v);
}

/* Rotates about `pivot` by up to `largest` radians and moves by up to 0.3. */
static inline void random_rigid(uint64_t *random, const double pivot[3], double largest, double q[4], double m[12]) {
	double rotation_vector[3], image[3];
	random_direction(random, rotation_vector);
	const double angle = random_between(random, -largest, largest);
	for (int c = 0; c < 3; c++) {
		rotation_vector[c] *= angle;
	}
	snw_quat_from_rotation_vector(rotation_vector, q);
	snw_quat_to_mat34(q, m);
	snw_mat34_vector(m, pivot, image);
	for (int c = 0; c < 3; c++) {
		m[4 * c + 3] = pivot[c] - image[c] + random_between(random, -0.3, 0.3);
	}
}

/* Multiplies a stretch along random axes about `pivot` into m. */
static inline void random_stretch(uint64_t *random, const double pivot[3], double most, double m[12]) {
	double axis[3], stretch[12], image[3];
	random_direction(random, axis);
	const double along = 1 + random_between(random, -most, most), across = 1 + random_between(random, -most, most);
	for (int r = 0; r < 3; r++) {
		for (int c = 0; c < 3; c++) {
			stretch[4 * r + c] = (r == c ? across : 0) + (along - across) * axis[r] * axis[c];
		}
		stretch[4 * r + 3] = 0;
	}
	snw_mat34_vector(stretch, pivot, image);
	for (int r = 0; r < 3; r++) {
		stretch[4 * r + 3] = pivot[r] - image[r];
	}
	snw_mat34_multiply(m, stretch, m);
}

static inline void fixture_palette(uint64_t *random, const fixture_options *o, fixture *f) {
	const uint32_t n = o->slot_count;
	double *matrices = SNW_NEW_ARRAY(f->arena, double, 12 * (size_t)n);
	double *dual_quaternions = SNW_NEW_ARRAY(f->arena, double, 8 * (size_t)n);
	for (uint32_t s = 0; s < n; s++) {
		double pivot[3], *m = matrices + 12 * (size_t)s, q[8], stretch[9];
		for (int c = 0; c < 3; c++) {
			pivot[c] = o->distance + random_between(random, -0.5, 0.5);
		}
		random_rigid(random, pivot, o->largest_angle, q, m);
		snw_dual_quaternion_from_mat34(m, q, stretch);
		const double length = (random_below(random, 2) ? -1 : 1) * random_between(random, 0.7, 1.4);
		for (int c = 0; c < 8; c++) {
			dual_quaternions[8 * (size_t)s + (size_t)c] = (o->sign_rule == SNW_SIGN_AS_GIVEN ? fabs(length) : length) * q[c];
		}
		if (o->scale > 0) {
			random_stretch(random, pivot, o->scale, m);
		}
	}
	f->program.dual_quaternion_palette = o->dual_quaternion_palette;
	f->input.matrices = o->dual_quaternion_palette ? NULL : matrices;
	f->input.dual_quaternions = o->dual_quaternion_palette ? dual_quaternions : NULL;
}

static inline void fixture_influences(uint64_t *random, const fixture_options *o, fixture *f) {
	snw_program *p = &f->program;
	uint32_t *offsets = SNW_NEW_ARRAY(f->arena, uint32_t, (size_t)o->point_count + 1);
	for (uint32_t i = 0; i < o->point_count; i++) {
		offsets[i + 1] = offsets[i] + o->least_influences + random_below(random, o->most_influences - o->least_influences + 1);
	}
	const uint32_t total = offsets[o->point_count];
	uint32_t *slots = SNW_NEW_ARRAY(f->arena, uint32_t, total);
	double *weights = SNW_NEW_ARRAY(f->arena, double, total), *rows = SNW_NEW_ARRAY(f->arena, double, 4 * (size_t)total);
	for (uint32_t i = 0; i < o->point_count; i++) {
		double sum = 0;
		const uint32_t first = random_below(random, o->slot_count);
		for (uint32_t k = offsets[i]; k < offsets[i + 1]; k++) {
			slots[k] = (first + (k - offsets[i])) % o->slot_count;
			weights[k] = random_between(random, 0.05, 1);
			sum += weights[k];
		}
		for (uint32_t k = offsets[i]; k < offsets[i + 1]; k++) {
			weights[k] *= o->loose_weights ? 1 : 1 / sum;
			for (size_t c = 0; c < 3; c++) {
				rows[4 * (size_t)k + c] = weights[k] * (p->points_rest[3 * (size_t)i + c] + random_between(random, -0.1, 0.1));
			}
			rows[4 * (size_t)k + 3] = weights[k];
		}
	}
	p->influence_offsets = offsets;
	p->influence_slots = slots;
	p->influence_weights = weights;
	p->influence_rows = o->blend == SNW_BLEND_AFFINE ? rows : NULL;
}

static inline snw_displacements fixture_displacements(uint64_t *random, uint32_t count, uint32_t point_count, bool framed,
													  snw_arena *arena, uint32_t *coefficient_count) {
	snw_displacements displacements = {.count = count};
	uint32_t *coefficients = SNW_NEW_ARRAY(arena, uint32_t, count);
	uint64_t *offsets = SNW_NEW_ARRAY(arena, uint64_t, count + 1u);
	uint32_t *points = SNW_NEW_ARRAY(arena, uint32_t, (size_t)count * point_count),
			 *frames = SNW_NEW_ARRAY(arena, uint32_t, count);
	double *vectors = SNW_NEW_ARRAY(arena, double, 3 * (size_t)count * point_count);
	for (uint32_t k = 0; k < count; k++) {
		uint64_t filled = offsets[k];
		for (uint32_t i = 0; i < point_count; i++) {
			if (random_below(random, 3) == 0) {
				for (size_t c = 0; c < 3; c++) {
					vectors[3 * filled + c] = random_between(random, -0.1, 0.1);
				}
				points[filled++] = i;
			}
		}
		offsets[k + 1] = filled;
		coefficients[k] = (count - 1 - k) / 2; /* two displacements share one coefficient */
		frames[k] = k % 2 == 0 ? k : SNW_NONE;
	}
	*coefficient_count = count / 2 + 1;
	displacements.coefficients = coefficients;
	displacements.offsets = offsets;
	displacements.points = points;
	displacements.vectors = vectors;
	displacements.joints = framed ? frames : NULL;
	return displacements;
}

static inline double *fixture_coefficients(uint64_t *random, uint32_t count, snw_arena *arena) {
	double *values = SNW_NEW_ARRAY(arena, double, count);
	for (uint32_t k = 0; k < count; k++) {
		values[k] = random_below(random, 4) == 0 ? 0 : random_between(random, -1, 1);
	}
	return values;
}

static inline fixture fixture_make(uint64_t seed, const fixture_options *o) {
	uint64_t random = seed;
	fixture f = {.arena = snw_arena_create()};
	double *rest = SNW_NEW_ARRAY(f.arena, double, 3 * (size_t)o->point_count);
	const size_t spread = 3 * (size_t)(o->clump_count > 0 ? o->clump_count : o->point_count);
	for (size_t i = 0; i < 3 * (size_t)o->point_count; i++) {
		rest[i] = i < spread ? o->distance + random_between(&random, -1, 1)
							 : rest[i % spread] + random_between(&random, -0.005, 0.005);
	}
	f.program = (snw_program){.point_count = o->point_count,
							  .blend = o->blend,
							  .sign_rule = o->sign_rule,
							  .slot_count = o->slot_count,
							  .points_rest = rest};
	fixture_palette(&random, o, &f);
	if (o->blend != SNW_BLEND_NONE) {
		fixture_influences(&random, o, &f);
	}
	f.program.rest = fixture_displacements(&random, o->rest_displacements, o->point_count, false, f.arena, &f.program.d_count);
	f.program.posed = fixture_displacements(&random, o->posed_displacements, o->point_count, true, f.arena, &f.program.e_count);
	f.input.d = fixture_coefficients(&random, f.program.d_count, f.arena);
	f.input.e = fixture_coefficients(&random, f.program.e_count, f.arena);
	double *rotations = SNW_NEW_ARRAY(f.arena, double, 9 * (size_t)o->posed_displacements);
	for (uint32_t k = 0; k < o->posed_displacements; k++) {
		const double origin[3] = {0, 0, 0};
		double q[4], m[12];
		random_rigid(&random, origin, 3, q, m);
		for (size_t r = 0; r < 3; r++) {
			memcpy(rotations + 9 * (size_t)k + 3 * r, m + 4 * r, 3 * sizeof *m);
		}
	}
	f.input.rotations = rotations;
	return f;
}

static inline void fixture_destroy(fixture *f) {
	snw_arena_destroy(f->arena);
}

static inline double *fixture_truth(const fixture *f) {
	double *points = SNW_NEW_ARRAY(f->arena, double, 3 * (size_t)f->program.point_count);
	snw_program_reference(&f->program, &f->input, NULL, points);
	return points;
}

static inline float *fixture_run(const fixture *f, snw_packed_program *packed) {
	float *points = SNW_NEW_ARRAY(f->arena, float, 3 * (size_t)f->program.point_count);
	snw_program_run(packed, &f->input, NULL, points);
	return points;
}

/* The diagonal of the bounding box of the rest. */
static inline double fixture_diagonal(const snw_program *program) {
	double square = 0;
	for (size_t c = 0; c < 3; c++) {
		double least = INFINITY, most = -INFINITY;
		for (uint32_t i = 0; i < program->point_count; i++) {
			least = fmin(least, program->points_rest[3 * (size_t)i + c]);
			most = fmax(most, program->points_rest[3 * (size_t)i + c]);
		}
		square += (most - least) * (most - least);
	}
	return sqrt(square);
}

#endif
