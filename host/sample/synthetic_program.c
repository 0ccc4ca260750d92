/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A tube along x, a metre for each slot; the same numbers in every run.
 */
#include "sample/sample.h"

#include <math.h>

#include "sinew/algebra.h"

/* Of 100 shapes one in ten is active; each moves one point in twenty. */
enum { SETS_OF_REGION = 8, ACTIVE_OF_SHAPES = 10, POINTS_OF_SHAPE = 20, SHAPE_RUN = 60 };

static uint32_t draw(uint64_t *state, uint32_t count) {
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return (uint32_t)((*state * 0x2545F4914F6CDD1DULL) >> 32) % count;
}

static const double *make_rest(uint32_t point_count, uint32_t slot_count, snw_arena *arena) {
	double *rest = SNW_NEW_ARRAY(arena, double, 3 * (size_t)point_count);
	for (uint32_t i = 0; i < point_count; i++) {
		rest[3 * (size_t)i] = (double)slot_count * i / point_count;
		rest[3 * (size_t)i + 1] = 0.3 * cos(0.1 * i);
		rest[3 * (size_t)i + 2] = 0.3 * sin(0.1 * i);
	}
	return rest;
}

static void make_palette(snw_synthetic_program *subject, uint32_t slot_count, snw_arena *arena) {
	double *matrices = SNW_NEW_ARRAY(arena, double, 12 * (size_t)slot_count);
	double *dual_quaternions = SNW_NEW_ARRAY(arena, double, 8 * (size_t)slot_count);
	subject->matrices = SNW_NEW_ARRAY(arena, float, 16 * (size_t)slot_count);
	subject->dual_quaternions = SNW_NEW_ARRAY(arena, float, 8 * (size_t)slot_count);
	for (size_t s = 0; s < slot_count; s++) {
		const double vector[3] = {0.5 * sin(0.1 * (double)s), 0.3 * sin((double)s), 0.2};
		double q[4], stretch[9], *m = matrices + 12 * s;
		snw_quat_from_rotation_vector(vector, q);
		snw_quat_to_mat34(q, m);
		snw_dual_quaternion_from_mat34(m, dual_quaternions + 8 * s, stretch);
		for (size_t c = 0; c < 12; c++) {
			subject->matrices[16 * s + 4 * (c % 4) + c / 4] = (float)m[c];
		}
		for (size_t c = 0; c < 8; c++) {
			subject->dual_quaternions[8 * s + c] = (float)dual_quaternions[8 * s + c];
		}
	}
	subject->input.matrices = matrices;
	subject->input.dual_quaternions = dual_quaternions;
}

/* The first slot of each point, and the step between its slots. */
static void make_sets(snw_program *program, uint32_t influence_count, snw_slot_order order, uint32_t *slots) {
	uint64_t state = 88172645463325252ULL;
	uint32_t remaining = 0, set = 0;
	for (uint32_t i = 0; i < program->point_count; i++) {
		const uint32_t region = (uint32_t)((uint64_t)i * program->slot_count / program->point_count);
		if (remaining-- == 0) {
			remaining = 7 + draw(&state, 33);
			set = draw(&state, SETS_OF_REGION);
		}
		for (uint32_t k = 0; k < influence_count; k++) {
			const uint32_t near = region + k + (k > set % 4 ? 1 + set / 4 : 0);
			slots[(size_t)i * influence_count + k] =
				order == SNW_SLOTS_SHARED ? near % program->slot_count : draw(&state, program->slot_count);
		}
	}
}

static void make_influences(snw_program *program, uint32_t influence_count, snw_slot_order order, snw_arena *arena) {
	const size_t total = (size_t)program->point_count * influence_count;
	const bool affine = program->blend == SNW_BLEND_AFFINE;
	uint32_t *offsets = SNW_NEW_ARRAY(arena, uint32_t, (size_t)program->point_count + 1);
	uint32_t *slots = SNW_NEW_ARRAY(arena, uint32_t, total);
	double *weights = SNW_NEW_ARRAY(arena, double, total), *rows = SNW_NEW_ARRAY(arena, double, affine ? 4 * total : 0);
	make_sets(program, influence_count, order, slots);
	for (uint32_t i = 0; i < program->point_count; i++) {
		offsets[i + 1] = offsets[i] + influence_count;
		for (uint32_t k = 0; k < influence_count; k++) {
			const size_t counts = (size_t)offsets[i] + k;
			weights[counts] = 2.0 * (k + 1) / (influence_count * (influence_count + 1.0));
			for (size_t c = 0; c < 4 && affine; c++) {
				rows[4 * counts + c] = weights[counts] * (c == 3 ? 1 : program->points_rest[3 * (size_t)i + c]);
			}
		}
	}
	program->influence_offsets = offsets;
	program->influence_slots = slots;
	program->influence_weights = weights;
	program->influence_rows = affine ? rows : NULL;
}

/* Shapes that each move a few runs of points, as sculpts do. */
static void make_shapes(snw_synthetic_program *subject, uint32_t shape_count, snw_arena *arena) {
	const uint32_t point_count = subject->program.point_count, displaced = point_count / POINTS_OF_SHAPE;
	uint32_t *coefficients = SNW_NEW_ARRAY(arena, uint32_t, shape_count);
	uint64_t *offsets = SNW_NEW_ARRAY(arena, uint64_t, (size_t)shape_count + 1);
	uint32_t *points = SNW_NEW_ARRAY(arena, uint32_t, (size_t)shape_count * displaced);
	double *vectors = SNW_NEW_ARRAY(arena, double, 3 * (size_t)shape_count * displaced);
	double *d = SNW_NEW_ARRAY(arena, double, shape_count);
	for (uint32_t k = 0; k < shape_count; k++) {
		coefficients[k] = k;
		d[k] = k % ACTIVE_OF_SHAPES == 0 ? 0.5 : 0;
		offsets[k + 1] = offsets[k] + displaced;
		for (uint32_t j = 0; j < displaced; j++) {
			const size_t at = offsets[k] + j;
			points[at] = j / SHAPE_RUN * SHAPE_RUN * POINTS_OF_SHAPE + j % SHAPE_RUN + 7 * (k % 100);
			points[at] = points[at] < point_count - displaced + j ? points[at] : point_count - displaced + j;
			vectors[3 * at + k % 3] = 0.01;
		}
	}
	subject->program.rest = (snw_displacements){
		.count = shape_count, .coefficients = coefficients, .offsets = offsets, .points = points, .vectors = vectors};
	subject->program.d_count = shape_count;
	subject->input.d = d;
}

/* Quads between the rings of the tube, and normals that point away from its axis. */
static const double *make_surface(snw_synthetic_program *subject, snw_arena *arena) {
	enum { RING = 63 };
	const uint32_t point_count = subject->program.point_count, face_count = point_count > RING ? point_count - RING - 1 : 0;
	uint32_t *offsets = SNW_NEW_ARRAY(arena, uint32_t, (size_t)face_count + 1);
	uint32_t *corners = SNW_NEW_ARRAY(arena, uint32_t, 4 * (size_t)face_count);
	double *normals = SNW_NEW_ARRAY(arena, double, 3 * (size_t)point_count);
	for (uint32_t f = 0; f < face_count; f++) {
		const uint32_t quad[4] = {f, f + 1, f + RING + 1, f + RING};
		memcpy(corners + 4 * (size_t)f, quad, sizeof quad);
		offsets[f + 1] = 4 * (f + 1);
	}
	for (size_t i = 0; i < point_count; i++) {
		normals[3 * i + 1] = subject->program.points_rest[3 * i + 1];
		normals[3 * i + 2] = subject->program.points_rest[3 * i + 2];
	}
	subject->mesh = (snw_mesh){.point_count = point_count,
							   .points_rest = subject->program.points_rest,
							   .face_count = face_count,
							   .face_offsets = offsets,
							   .face_points = corners};
	return normals;
}

void snw_synthetic_program_plan_normals(snw_synthetic_program *subject) {
	subject->plan = snw_normal_plan_create(&subject->mesh);
}

void snw_synthetic_program_destroy(snw_synthetic_program *subject) {
	snw_packed_program_destroy(subject->packed);
	snw_normal_plan_destroy(subject->plan);
}

snw_synthetic_program snw_synthetic_program_make(uint32_t point_count, uint32_t slot_count, int32_t blend,
												 uint32_t influence_count, snw_slot_order order, uint32_t shape_count,
												 snw_arena *arena) {
	snw_synthetic_program subject = {.program = {
										 .point_count = point_count,
										 .blend = blend,
										 .sign_rule = SNW_SIGN_AS_GIVEN,
										 .dual_quaternion_palette = blend == SNW_BLEND_DUAL_QUATERNION,
										 .slot_count = slot_count,
										 .points_rest = make_rest(point_count, slot_count, arena),
									 }};
	make_palette(&subject, slot_count, arena);
	make_influences(&subject.program, influence_count, order, arena);
	if (shape_count > 0) {
		make_shapes(&subject, shape_count, arena);
	}
	subject.packed = snw_program_pack_with_normals(&subject.program, make_surface(&subject, arena));
	subject.normals = SNW_NEW_ARRAY(arena, float, 3 * (size_t)point_count);
	subject.points = SNW_NEW_ARRAY(arena, float, 3 * (size_t)point_count);
	return subject;
}
