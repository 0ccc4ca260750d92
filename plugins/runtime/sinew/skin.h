/* SPDX-License-Identifier: MIT
 *
 * The skin of a mesh as a model keeps it: which slots move a point, and how much. Views of the character end with the call that
 * they were given to.
 *
 * For plug-in authors: header only, optional, not part of the binary interface.
 */
#ifndef SINEW_SKIN_H
#define SINEW_SKIN_H

#include <string.h>

#include "sinew/pool.h"
#include "sinew/view.h"

/* The influences of point i are offsets[i] to offsets[i + 1] - 1. */
typedef struct snw_skin {
	uint32_t point_count; /* 0: the mesh has no skin, and the arrays are NULL */
	uint32_t *offsets, *slots;
	double *weights;
} snw_skin;

/* A copy in the pool; check the pool's `failed`. */
static inline snw_skin snw_skin_copy(snw_pool *pool, const snw_mesh_view *mesh) {
	snw_skin skin = {0, NULL, NULL, NULL};
	if (!mesh->influence_offsets) {
		return skin;
	}
	const size_t points = mesh->point_count, influences = mesh->influence_offsets[points];
	skin.point_count = mesh->point_count;
	skin.offsets = SNW_POOL_ARRAY(pool, uint32_t, points + 1);
	skin.slots = SNW_POOL_ARRAY(pool, uint32_t, influences);
	skin.weights = SNW_POOL_ARRAY(pool, double, influences);
	if (!pool->failed) {
		memcpy(skin.offsets, mesh->influence_offsets, (points + 1) * sizeof *skin.offsets);
		memcpy(skin.slots, mesh->influence_slots, influences * sizeof *skin.slots);
		memcpy(skin.weights, mesh->influence_weights, influences * sizeof *skin.weights);
	}
	return skin;
}

/* How much a slot moves a point: 0 if it does not. */
static inline double snw_skin_weight(const snw_skin *skin, uint32_t point, uint32_t slot) {
	for (uint32_t k = skin->offsets[point]; k < skin->offsets[point + 1]; k++) {
		if (skin->slots[k] == slot) {
			return skin->weights[k];
		}
	}
	return 0;
}

/* The points that follow each slot: those of slot j are points[offsets[j]] to points[offsets[j + 1] - 1], ascending. */
typedef struct snw_slot_points {
	uint32_t *offsets, *points;
} snw_slot_points;

/* In the pool; check its `failed`. */
static inline snw_slot_points snw_skin_points(snw_pool *pool, const snw_skin *skin, uint32_t slot_count) {
	const uint32_t influences = skin->point_count > 0 ? skin->offsets[skin->point_count] : 0;
	snw_slot_points to;
	to.offsets = SNW_POOL_ARRAY(pool, uint32_t, (size_t)slot_count + 2);
	to.points = SNW_POOL_ARRAY(pool, uint32_t, influences);
	if (pool->failed) {
		return to;
	}
	/* A counting sort: offsets[j + 1] runs through the places of slot j, and ends where those of j + 1 begin. */
	for (uint32_t k = 0; k < influences; k++) {
		to.offsets[skin->slots[k] + 2]++;
	}
	for (uint32_t j = 0; j < slot_count; j++) {
		to.offsets[j + 2] += to.offsets[j + 1];
	}
	for (uint32_t i = 0; i < skin->point_count; i++) {
		for (uint32_t k = skin->offsets[i]; k < skin->offsets[i + 1]; k++) {
			to.points[to.offsets[skin->slots[k] + 1]++] = i;
		}
	}
	return to;
}

/* The matrix of linear blend at a point: Σ_j w_j T_j, with the pose's palette. All 0 for a point that nothing moves. */
static inline void snw_skin_matrix(const snw_skin *skin, const double *palette, uint32_t point, double dest[12]) {
	for (size_t c = 0; c < 12; c++) {
		dest[c] = 0;
	}
	for (uint32_t k = skin->offsets[point]; k < skin->offsets[point + 1]; k++) {
		for (size_t c = 0; c < 12; c++) {
			dest[c] += skin->weights[k] * palette[12 * (size_t)skin->slots[k] + c];
		}
	}
}

#endif
