/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "transfer/match_points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "sinew/algebra.h"

#define SAME_PLACE 1e-5 /* of the diagonal */

/* A point by how far it is along a direction in which few points of a mesh are equal. */
typedef struct placed {
	double along;
	uint32_t point;
} placed;

static int compare_placed(const void *a, const void *b) {
	const placed *x = a, *y = b;
	return x->along != y->along ? (x->along > y->along) - (x->along < y->along) : (x->point > y->point) - (x->point < y->point);
}

static placed *sort_points(const snw_mesh *mesh, snw_arena *arena) {
	static const double direction[3] = {0.7071, 0.5337, 0.4639};
	placed *list = SNW_NEW_ARRAY(arena, placed, mesh->point_count);
	for (uint32_t p = 0; p < mesh->point_count; p++) {
		list[p] = (placed){snw_dot3(direction, mesh->points_rest + 3 * (size_t)p), p};
	}
	qsort(list, mesh->point_count, sizeof *list, compare_placed);
	return list;
}

static double diagonal_of(const snw_mesh *mesh) {
	const snw_scene scene = {.meshes = mesh, .mesh_count = 1};
	return snw_scene_diagonal(&scene, 0);
}

uint32_t snw_match_mesh(const snw_scene *old, uint32_t mesh, const snw_scene *fresh) {
	const bool only = old->mesh_count == 1 && fresh->mesh_count == 1;
	return only ? 0 : snw_scene_find_mesh(fresh, old->meshes[mesh].name);
}

uint32_t *snw_match_points(const snw_mesh *old, const snw_mesh *fresh, snw_arena *arena) {
	if (old->point_count != fresh->point_count) {
		return NULL;
	}
	const double least = SAME_PLACE * diagonal_of(old);
	const placed *from = sort_points(old, arena), *to = sort_points(fresh, arena);
	uint32_t *order = SNW_NEW_ARRAY(arena, uint32_t, old->point_count);
	bool *taken = SNW_NEW_ARRAY(arena, bool, old->point_count);
	uint32_t first = 0;
	for (uint32_t i = 0; i < old->point_count; i++) {
		const double *place = old->points_rest + 3 * (size_t)from[i].point;
		uint32_t found = SNW_NONE;
		while (to[first].along < from[i].along - least && first + 1 < old->point_count) {
			first++;
		}
		for (uint32_t k = first; found == SNW_NONE && k < old->point_count && to[k].along <= from[i].along + least; k++) {
			const double *other = fresh->points_rest + 3 * (size_t)to[k].point;
			if (!taken[k] && snw_squared_distance3(place, other) <= least * least) {
				taken[k] = true;
				found = to[k].point;
			}
		}
		if (found == SNW_NONE) {
			return NULL;
		}
		order[from[i].point] = found;
	}
	return order;
}

/* ---- faces --------------------------------------------------------------------------------------------------------------- */

static uint64_t hash_face(const uint32_t *corners, uint32_t count) {
	snw_hash hash = {0};
	uint32_t first = 0;
	for (uint32_t c = 1; c < count; c++) {
		first = corners[c] < corners[first] ? c : first;
	}
	for (uint32_t c = 0; c < count; c++) {
		snw_hash_u64(&hash, corners[(first + c) % count]);
	}
	return snw_hash_value(&hash);
}

bool snw_same_faces(const snw_mesh *a, const snw_mesh *b) {
	uint64_t sums[2] = {0};
	for (int i = 0; i < 2; i++) {
		const snw_mesh *mesh = i == 0 ? a : b;
		for (uint32_t f = 0; f < mesh->face_count; f++) {
			const uint32_t begin = mesh->face_offsets[f];
			sums[i] += hash_face(mesh->face_points + begin, mesh->face_offsets[f + 1] - begin);
		}
	}
	return a->face_count == b->face_count && sums[0] == sums[1];
}

/* ---- a mesh in another order --------------------------------------------------------------------------------------------- */

static void order_influences(const snw_mesh *from, const uint32_t *order, snw_mesh *mesh, snw_arena *arena) {
	const uint32_t count = from->influence_offsets[from->point_count];
	uint32_t *offsets = SNW_NEW_ARRAY(arena, uint32_t, (size_t)from->point_count + 1);
	uint32_t *slots = SNW_NEW_ARRAY(arena, uint32_t, count);
	double *weights = SNW_NEW_ARRAY(arena, double, count);
	for (uint32_t p = 0; p < from->point_count; p++) {
		const uint32_t begin = from->influence_offsets[order[p]], length = from->influence_offsets[order[p] + 1] - begin;
		memcpy(slots + offsets[p], from->influence_slots + begin, length * sizeof *slots);
		memcpy(weights + offsets[p], from->influence_weights + begin, length * sizeof *weights);
		offsets[p + 1] = offsets[p] + length;
	}
	mesh->influence_offsets = offsets;
	mesh->influence_slots = slots;
	mesh->influence_weights = weights;
}

/* `places` are where the points are now. A morph's points ascend. */
static snw_morph order_morph(const snw_morph *from, const uint32_t *places, uint32_t point_count, snw_arena *arena) {
	uint32_t *at = SNW_NEW_ARRAY(arena, uint32_t, point_count); /* 1 + the displacement of each point */
	uint32_t *points = SNW_NEW_ARRAY(arena, uint32_t, from->count);
	double *vectors = SNW_NEW_ARRAY(arena, double, 3 * (size_t)from->count);
	snw_morph morph = *from;
	for (uint32_t i = 0; i < from->count; i++) {
		at[places[from->points[i]]] = i + 1;
	}
	morph.count = 0;
	for (uint32_t p = 0; p < point_count; p++) {
		if (at[p] > 0) {
			points[morph.count] = p;
			memcpy(vectors + 3 * (size_t)morph.count++, from->vectors + 3 * (size_t)(at[p] - 1), 3 * sizeof *vectors);
		}
	}
	morph.points = points;
	morph.vectors = vectors;
	return morph;
}

snw_mesh snw_mesh_in_order(const snw_mesh *mesh, const uint32_t *order, snw_arena *arena) {
	const uint32_t count = mesh->point_count, corner_count = mesh->face_offsets[mesh->face_count];
	double *points = SNW_NEW_ARRAY(arena, double, 3 * (size_t)count);
	uint32_t *places = SNW_NEW_ARRAY(arena, uint32_t, count), *corners = SNW_NEW_ARRAY(arena, uint32_t, corner_count);
	snw_morph *morphs = SNW_NEW_ARRAY(arena, snw_morph, mesh->morph_count);
	snw_mesh ordered = *mesh;
	for (uint32_t p = 0; p < count; p++) {
		memcpy(points + 3 * (size_t)p, mesh->points_rest + 3 * (size_t)order[p], 3 * sizeof *points);
		places[order[p]] = p;
	}
	for (uint32_t c = 0; c < corner_count; c++) {
		corners[c] = places[mesh->face_points[c]];
	}
	for (uint32_t m = 0; m < mesh->morph_count; m++) {
		morphs[m] = order_morph(&mesh->morphs[m], places, count, arena);
	}
	if (mesh->influence_offsets) {
		order_influences(mesh, order, &ordered, arena);
	}
	ordered.points_rest = points;
	ordered.face_points = corners;
	ordered.morphs = morphs;
	return ordered;
}
