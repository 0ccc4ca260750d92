/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Skin programs made up to be timed.
 */
#ifndef SINEW_HOST_SAMPLE_SYNTHETIC_PROGRAM_H
#define SINEW_HOST_SAMPLE_SYNTHETIC_PROGRAM_H

#include "mesh/normals.h"
#include "program/packed.h"

typedef struct snw_bench_subject {
	snw_program program;
	snw_program_input input;
	snw_packed_program *packed;
	float *matrices;         /* in floats: [slots][16] by columns */
	float *dual_quaternions; /* [slots][8] */
	float *points;           /* out */
	snw_mesh mesh;           /* with faces */
	float *normals;          /* out */
	snw_normal_plan *plan;   /* NULL until snw_bench_subject_plan */
} snw_bench_subject;

/* The sets of slots that points have: those of their region as characters have them (runs of 8 to 40 points share one, and
 * some 200 of 100,000 points each), or any slots, so that hardly two points share one. */
typedef enum snw_bench_order { SNW_BENCH_SHARED, SNW_BENCH_RANDOM } snw_bench_order;

snw_bench_subject snw_bench_subject_make(uint32_t point_count, uint32_t slot_count, int32_t blend, uint32_t influence_count,
										 snw_bench_order order, uint32_t shape_count, snw_arena *arena);
/* Frees what is not in the arena. */
void snw_bench_subject_drop(snw_bench_subject *subject);
/* Gets it ready for normals from faces. */
void snw_bench_subject_plan(snw_bench_subject *subject);

#endif
