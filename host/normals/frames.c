/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "normals/frames.h"

#include <string.h>

#include "mesh/normals.h"
#include "mesh/tangents.h"
#include "sinew/algebra.h"
#include "task/parallel.h"

enum { VERTEX_GRAIN = 256 };

static float *rest_points(const snw_mesh *mesh, snw_arena *arena) {
	float *points = SNW_NEW_ARRAY(arena, float, 3 * (size_t)mesh->point_count);
	for (size_t i = 0; i < 3 * (size_t)mesh->point_count; i++) {
		points[i] = (float)mesh->points_rest[i];
	}
	return points;
}

float *nm_rest_normals(const snw_mesh *mesh, snw_arena *arena) {
	const size_t size = 3 * (size_t)mesh->face_offsets[mesh->face_count];
	if (mesh->corner_normals) {
		return snw_arena_copy(arena, mesh->corner_normals, size * sizeof(float));
	}
	float *normals = SNW_NEW_ARRAY(arena, float, size);
	snw_arena *scratch = snw_arena_create();
	snw_normal_plan *plan = snw_normal_plan_create(mesh);
	snw_normals_of_corners(plan, rest_points(mesh, scratch), normals);
	snw_normal_plan_destroy(plan);
	snw_arena_destroy(scratch);
	return normals;
}

static nm_frames begin(const snw_mesh *mesh, const float *tangents, uint32_t pose_count, snw_arena *arena) {
	snw_mesh drawn = *mesh;
	drawn.corner_uvs = drawn.corner_colors = NULL;
	drawn.corner_tangents = tangents;
	nm_frames made = {.pose_count = pose_count};
	snw_vertices_split(&drawn, arena, &made.vertices);
	const uint32_t count = made.vertices.count;
	made.normals = SNW_NEW_ARRAY(arena, float, 3 * (size_t)pose_count * count);
	made.tangents = tangents ? SNW_NEW_ARRAY(arena, float, 3 * (size_t)pose_count * count) : NULL;
	made.signs = SNW_NEW_ARRAY(arena, float, count);
	for (uint32_t v = 0; v < count; v++) {
		const uint32_t corner = made.vertices.corners[v];
		made.signs[v] = tangents && corner != SNW_NONE && tangents[4 * (size_t)corner + 3] < 0 ? -1 : 1;
	}
	return made;
}

/* A unit vector, or zero, into its pose. */
static void put(float *directions, const nm_frames *frames, uint32_t vertex, uint32_t pose, double direction[3]) {
	snw_normalize3(direction);
	for (size_t c = 0; c < 3; c++) {
		directions[(3 * (size_t)vertex + c) * frames->pose_count + pose] = (float)direction[c];
	}
}

/* ---- by points ----------------------------------------------------------------------------------------------------------- */

/* The tangents of all vertices, not unit, [vertices.count][3]. */
static void pose_tangents(const snw_mesh *mesh, const float *tangents, const nm_frames *frames, const float *points,
						  double *sums) {
	memset(sums, 0, 3 * (size_t)frames->vertices.count * sizeof *sums);
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		const uint32_t begin_corner = mesh->face_offsets[f], count = mesh->face_offsets[f + 1] - begin_corner;
		for (uint32_t k = 0; k < count; k++) {
			const uint32_t corner = begin_corner + k, *points_of = mesh->face_points + begin_corner;
			const uint32_t around[3] = {points_of[(k + count - 1) % count], points_of[k], points_of[(k + 1) % count]};
			if (tangents[4 * (size_t)corner + 3] != 0) {
				snw_tangent_add_posed(mesh->points_rest, points, around, tangents + 4 * (size_t)corner,
									  sums + 3 * (size_t)frames->vertices.corner_vertices[corner]);
			}
		}
	}
}

nm_frames nm_frames_by_points(const snw_mesh *mesh, const float *tangents, uint32_t pose_count, const float *posed,
							  snw_arena *arena) {
	nm_frames made = begin(mesh, tangents, pose_count, arena);
	snw_arena *scratch = snw_arena_create();
	snw_normal_plan *plan = snw_normal_plan_create(mesh);
	float *normals = SNW_NEW_ARRAY(scratch, float, 3 * (size_t)mesh->face_offsets[mesh->face_count]);
	double *sums = SNW_NEW_ARRAY(scratch, double, 3 * (size_t)made.vertices.count);
	for (uint32_t p = 0; p < pose_count; p++) {
		const float *points = posed + 3 * (size_t)p * mesh->point_count;
		snw_normals_of_corners(plan, points, normals);
		if (tangents) {
			pose_tangents(mesh, tangents, &made, points, sums);
		}
		for (uint32_t v = 0; v < made.vertices.count; v++) {
			if (made.vertices.corners[v] == SNW_NONE) {
				continue;
			}
			const float *n = normals + 3 * (size_t)made.vertices.corners[v];
			double normal[3] = {(double)n[0], (double)n[1], (double)n[2]}, *tangent = sums + 3 * (size_t)v;
			const double along = snw_dot3(normal, tangent);
			for (int c = 0; c < 3; c++) {
				tangent[c] -= along * normal[c];
			}
			put(made.normals, &made, v, p, normal);
			if (tangents) {
				put(made.tangents, &made, v, p, tangent);
			}
		}
	}
	snw_normal_plan_destroy(plan);
	snw_arena_destroy(scratch);
	return made;
}

/* ---- by the skin --------------------------------------------------------------------------------------------------------- */

typedef struct skinning {
	const snw_mesh *mesh;
	const nm_frames *frames;
	const float *normals, *tangents; /* of corners at rest */
	uint32_t slot_count;
	const double *palettes;
} skinning;

static void rotate(const double matrix[12], const float *from, double dest[3]) {
	const double v[3] = {(double)from[0], (double)from[1], (double)from[2]};
	snw_mat34_vector(matrix, v, dest);
}

static void skin_vertices(void *argument, uint32_t first, uint32_t end, uint32_t thread) {
	const skinning *s = argument;
	const snw_mesh *mesh = s->mesh;
	(void)thread;
	for (uint32_t v = first; v < end; v++) {
		const uint32_t corner = s->frames->vertices.corners[v], point = s->frames->vertices.points[v];
		for (uint32_t p = 0; p < s->frames->pose_count && corner != SNW_NONE; p++) {
			const double *palette = s->palettes + 12 * (size_t)p * s->slot_count;
			double matrix[12] = {0}, direction[3];
			for (uint32_t i = mesh->influence_offsets[point]; i < mesh->influence_offsets[point + 1]; i++) {
				for (size_t k = 0; k < 12; k++) {
					matrix[k] += mesh->influence_weights[i] * palette[12 * (size_t)mesh->influence_slots[i] + k];
				}
			}
			rotate(matrix, s->normals + 3 * (size_t)corner, direction);
			put(s->frames->normals, s->frames, v, p, direction);
			rotate(matrix, s->tangents + 4 * (size_t)corner, direction);
			put(s->frames->tangents, s->frames, v, p, direction);
		}
	}
}

nm_frames nm_frames_by_skin(const snw_mesh *mesh, const float *tangents, uint32_t pose_count, uint32_t slot_count,
							const double *palettes, snw_arena *arena) {
	const nm_frames made = begin(mesh, tangents, pose_count, arena);
	snw_arena *scratch = snw_arena_create();
	skinning s = {mesh, &made, nm_rest_normals(mesh, scratch), tangents, slot_count, palettes};
	snw_parallel_for(made.vertices.count, VERTEX_GRAIN, skin_vertices, &s);
	snw_arena_destroy(scratch);
	return made;
}
