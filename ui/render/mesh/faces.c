/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Built once for a mesh, from its rest.
 */
#include "render/mesh/faces.h"

#include <stdlib.h>

#include "render/mesh/triangulate.h"

/* Buckets in which triangles are sorted: 0 for no material, then one for each material. */
static uint32_t bucket_of(const snw_mesh *mesh, uint32_t face) {
	return mesh->face_materials ? mesh->face_materials[face] + 1 : 0; /* SNW_NONE + 1 is 0 */
}

static uint32_t corner_count(const snw_mesh *mesh, uint32_t face) {
	return mesh->face_offsets[face + 1] - mesh->face_offsets[face];
}

/* Triangles go where their face's bucket stands: next[bucket], which moves on. */
static void cut_faces(const snw_mesh *mesh, uint32_t largest_face, uint32_t *next, uint32_t *triangle_corners) {
	snw_arena *scratch = snw_arena_create();
	uint32_t *remaining = SNW_NEW_ARRAY(scratch, uint32_t, largest_face);
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		const uint32_t begin = mesh->face_offsets[f], filled = 3 * (corner_count(mesh, f) - 2);
		uint32_t *out = triangle_corners + next[bucket_of(mesh, f)];
		snw_polygon_triangulate(mesh->points_rest, mesh->face_points + begin, corner_count(mesh, f), out, remaining);
		for (uint32_t i = 0; i < filled; i++) {
			out[i] += begin;
		}
		next[bucket_of(mesh, f)] += filled;
	}
	snw_arena_destroy(scratch);
}

static void make_triangles(const snw_mesh *mesh, snw_arena *arena, snw_faces *faces) {
	uint32_t largest_face = 3, buckets = 1;
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		faces->triangle_count += corner_count(mesh, f) - 2;
		largest_face = corner_count(mesh, f) > largest_face ? corner_count(mesh, f) : largest_face;
		buckets = bucket_of(mesh, f) >= buckets ? bucket_of(mesh, f) + 1 : buckets;
	}
	uint32_t *next = SNW_NEW_ARRAY(arena, uint32_t, (size_t)buckets + 1);
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		next[bucket_of(mesh, f) + 1] += 3 * (corner_count(mesh, f) - 2);
	}
	faces->batches = SNW_NEW_ARRAY(arena, snw_batch, buckets);
	for (uint32_t b = 0; b < buckets; b++) {
		if (next[b + 1] > 0) {
			faces->batches[faces->batch_count++] = (snw_batch){.material = b - 1, .begin = next[b], .count = next[b + 1]};
		}
		next[b + 1] += next[b];
	}
	faces->triangle_corners = SNW_NEW_ARRAY(arena, uint32_t, 3 * (size_t)faces->triangle_count);
	cut_faces(mesh, largest_face, next, faces->triangle_corners);
}

static int compare_edges(const void *a, const void *b) {
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x > y) - (x < y);
}

static void make_edges(const snw_mesh *mesh, snw_arena *arena, snw_faces *faces) {
	const uint32_t corners = mesh->face_offsets[mesh->face_count];
	snw_arena *scratch = snw_arena_create();
	uint64_t *edges = SNW_NEW_ARRAY(scratch, uint64_t, corners);
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		for (uint32_t c = mesh->face_offsets[f]; c < mesh->face_offsets[f + 1]; c++) {
			const uint32_t after = c + 1 < mesh->face_offsets[f + 1] ? c + 1 : mesh->face_offsets[f];
			const uint64_t a = mesh->face_points[c], b = mesh->face_points[after];
			edges[c] = a < b ? a << 32 | b : b << 32 | a;
		}
	}
	qsort(edges, corners, sizeof *edges, compare_edges);
	faces->edges = SNW_NEW_ARRAY(arena, uint32_t, 2 * (size_t)corners);
	for (uint32_t i = 0; i < corners; i++) {
		if (i == 0 || edges[i] != edges[i - 1]) {
			faces->edges[2 * (size_t)faces->edge_count] = (uint32_t)(edges[i] >> 32);
			faces->edges[2 * (size_t)faces->edge_count + 1] = (uint32_t)edges[i];
			faces->edge_count++;
		}
	}
	snw_arena_destroy(scratch);
}

/* The far end of each point's longest edge at rest, as program/normals.c chooses it, so that axes agree. */
static void find_neighbours(const snw_mesh *mesh, const snw_faces *faces) {
	snw_arena *scratch = snw_arena_create();
	float *longest = SNW_NEW_ARRAY(scratch, float, mesh->point_count);
	for (uint32_t c = 0; c < mesh->face_offsets[mesh->face_count]; c++) {
		const uint32_t *span = faces->face_spans + 2 * (size_t)faces->corner_faces[c];
		const uint32_t ends[2] = {mesh->face_points[c], mesh->face_points[c + 1 < span[0] + span[1] ? c + 1 : span[0]]};
		float squared_length = 0;
		for (size_t i = 0; i < 3; i++) {
			const float step =
				(float)mesh->points_rest[3 * (size_t)ends[1] + i] - (float)mesh->points_rest[3 * (size_t)ends[0] + i];
			squared_length += step * step;
		}
		for (int end = 0; end < 2; end++) {
			if (squared_length > longest[ends[end]]) {
				longest[ends[end]] = squared_length;
				faces->around[3 * (size_t)ends[end] + 2] = ends[1 - end];
			}
		}
	}
	snw_arena_destroy(scratch);
}

static void make_surroundings(const snw_mesh *mesh, snw_arena *arena, snw_faces *faces) {
	const uint32_t corners = mesh->face_offsets[mesh->face_count];
	faces->corner_faces = SNW_NEW_ARRAY(arena, uint32_t, corners);
	faces->face_spans = SNW_NEW_ARRAY(arena, uint32_t, 2 * (size_t)mesh->face_count);
	faces->point_faces = SNW_NEW_ARRAY(arena, uint32_t, corners);
	faces->around = SNW_NEW_ARRAY(arena, uint32_t, 3 * (size_t)mesh->point_count);
	for (uint32_t c = 0; c < corners; c++) {
		faces->around[3 * (size_t)mesh->face_points[c] + 1]++;
	}
	uint32_t begin = 0;
	for (uint32_t p = 0; p < mesh->point_count; p++) {
		uint32_t *around = faces->around + 3 * (size_t)p;
		around[0] = begin;
		begin += around[1];
		around[1] = 0;
		around[2] = p;
	}
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		const uint32_t first = mesh->face_offsets[f], end = mesh->face_offsets[f + 1];
		faces->face_spans[2 * (size_t)f] = first;
		faces->face_spans[2 * (size_t)f + 1] = end - first;
		for (uint32_t c = first; c < end; c++) {
			uint32_t *around = faces->around + 3 * (size_t)mesh->face_points[c];
			faces->corner_faces[c] = f;
			faces->point_faces[around[0] + around[1]++] = f;
		}
	}
	find_neighbours(mesh, faces);
}

snw_faces *snw_faces_make(const snw_mesh *mesh, snw_arena *arena) {
	snw_faces *faces = SNW_NEW(arena, snw_faces);
	if (mesh->face_count > 0) {
		make_triangles(mesh, arena, faces);
		make_edges(mesh, arena, faces);
		make_surroundings(mesh, arena, faces);
	}
	return faces;
}
