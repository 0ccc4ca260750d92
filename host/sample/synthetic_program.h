/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Skin programs for benchmarks.
 */
#ifndef SINEW_HOST_SAMPLE_SYNTHETIC_PROGRAM_H
#define SINEW_HOST_SAMPLE_SYNTHETIC_PROGRAM_H

#include "mesh/normals.h"
#include "program/packed.h"

typedef struct snw_synthetic_program {
	snw_program program;
	snw_program_input input;
	snw_packed_program *packed;
	float *matrices;         /* in floats: [slots][16] by columns */
	float *dual_quaternions; /* [slots][8] */
	float *points;           /* out */
	snw_mesh mesh;           /* with faces */
	float *normals;          /* out */
	snw_normal_plan *plan;   /* NULL until snw_synthetic_program_plan_normals */
} snw_synthetic_program;

/* The slots of the points: those of their region, as in characters (runs of 8 to 40 points share a set, and about 200 points in
 * 100,000 have the same one), or random ones, so that points hardly ever share a set. */
typedef enum snw_slot_order { SNW_SLOTS_SHARED, SNW_SLOTS_RANDOM } snw_slot_order;

snw_synthetic_program snw_synthetic_program_make(uint32_t point_count, uint32_t slot_count, int32_t blend,
												 uint32_t influence_count, snw_slot_order order, uint32_t shape_count,
												 snw_arena *arena);
/* Frees what is not in the arena. */
void snw_synthetic_program_destroy(snw_synthetic_program *subject);
/* Prepares it for normals from faces. */
void snw_synthetic_program_plan_normals(snw_synthetic_program *subject);

#endif
