/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Built once for a mesh, from its rest.
 */
#include "render/mesh/faces.h"

#include <stdlib.h>
#include <string.h>

#include "mesh/adjacency.h"
#include "mesh/normals.h"
#include "mesh/triangulate.h"

/* Triangles are sorted into buckets: 0 for no material, then one for each material. */
static uint32_t bucket_of(const snw_mesh *mesh, uint32_t face) {
	return mesh->face_materials ? mesh->face_materials[face] + 1 : 0; /* SNW_NONE + 1 is 0 */
}

static uint32_t corner_count(const snw_mesh *mesh, uint32_t face) {
	return mesh->face_offsets[face + 1] - mesh->face_offsets[face];
}

/* Writes each triangle at next[bucket of its face], and advances that. */
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
	faces->material_spans = SNW_NEW_ARRAY(arena, snw_material_span, buckets);
	for (uint32_t b = 0; b < buckets; b++) {
		if (next[b + 1] > 0) {
			faces->material_spans[faces->material_span_count++] =
				(snw_material_span){.material = b - 1, .begin = next[b], .count = next[b + 1]};
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

static void find_surroundings(const snw_mesh *mesh, snw_arena *arena, snw_faces *faces) {
	snw_arena *scratch = snw_arena_create();
	const snw_point_corners at = snw_point_corners_make(mesh, scratch);
	const uint32_t *far_ends = snw_longest_edges(mesh, scratch), corners = mesh->face_offsets[mesh->face_count];
	faces->corner_faces = snw_corner_faces(mesh, arena);
	faces->indices = SNW_NEW_ARRAY(arena, uint32_t, 2 * (size_t)corners);
	memcpy(faces->indices, mesh->face_points, corners * sizeof *faces->indices);
	memcpy(faces->indices + corners, at.faces, corners * sizeof *faces->indices);
	faces->face_spans = SNW_NEW_ARRAY(arena, uint32_t, 2 * (size_t)mesh->face_count);
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		faces->face_spans[2 * (size_t)f] = mesh->face_offsets[f];
		faces->face_spans[2 * (size_t)f + 1] = corner_count(mesh, f);
	}
	faces->around = SNW_NEW_ARRAY(arena, uint32_t, 3 * (size_t)mesh->point_count);
	for (uint32_t p = 0; p < mesh->point_count; p++) {
		uint32_t *around = faces->around + 3 * (size_t)p;
		around[0] = corners + at.starts[p];
		around[1] = at.starts[p + 1] - at.starts[p];
		around[2] = far_ends[p] == SNW_NONE ? p : far_ends[p];
	}
	snw_arena_destroy(scratch);
}

snw_faces *snw_faces_make(const snw_mesh *mesh, snw_arena *arena) {
	snw_faces *faces = SNW_NEW(arena, snw_faces);
	if (mesh->face_count > 0) {
		make_triangles(mesh, arena, faces);
		make_edges(mesh, arena, faces);
		find_surroundings(mesh, arena, faces);
	}
	return faces;
}
