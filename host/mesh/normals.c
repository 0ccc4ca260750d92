/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Normals: the area vectors of faces, summed around points.
 */
#include "mesh/mesh.h"

#include <math.h>
#include <string.h>

#include "sinew/kit/mesh/mesh.h"
#include "task/task.h"

enum { NORMAL_GRAIN = 4096 };

/* A point's axes, in rows: tangent, normal × tangent, normal. All zero if it has none. */
typedef struct point_axes {
	float rows[3][3];
} point_axes;

struct snw_normal_plan {
	snw_arena *arena;
	const snw_mesh *mesh;
	snw_point_corners around;
	float *areas;         /* [face_count][3], scratch: twice the area vectors */
	uint32_t *neighbours; /* [point_count]: the far end of the longest edge at rest, SNW_NONE for none */
	float *custom;        /* [corner_count][3]: custom normals in their points' axes at rest; NULL without custom normals */
	float *normals;       /* [point_count][3], scratch of the corners */
	point_axes *axes;     /* [point_count], scratch */
	bool *has_axes;       /* [point_count]: at rest */
	const float *points;  /* of the current call */
	float *points_normals, *corner_normals;
};

static float normal_dot(const float a[3], const float b[3]) {
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const float a[3], const float b[3], float dest[3]) {
	dest[0] = a[1] * b[2] - a[2] * b[1];
	dest[1] = a[2] * b[0] - a[0] * b[2];
	dest[2] = a[0] * b[1] - a[1] * b[0];
}

static void edge_vector(const float *points, uint32_t from, uint32_t to, float dest[3]) {
	for (int c = 0; c < 3; c++) {
		dest[c] = points[3 * (size_t)to + (size_t)c] - points[3 * (size_t)from + (size_t)c];
	}
}

static void scale(float factor, float v[3]) {
	for (int c = 0; c < 3; c++) {
		v[c] *= factor;
	}
}

/* False, with v zero, if it has no direction. */
static bool normalize_any(float v[3]) {
	float squared = normal_dot(v, v);
	if (squared > 1e-30f && squared < 1e30f) {
		scale(1 / sqrtf(squared), v);
		return true;
	}
	/* Scaled first, so that squares of small numbers do not underflow. */
	const float size = fmaxf(fabsf(v[0]), fmaxf(fabsf(v[1]), fabsf(v[2])));
	if (!(size > 0) || !isfinite(size)) {
		memset(v, 0, 3 * sizeof *v);
		return false;
	}
	for (int c = 0; c < 3; c++) {
		v[c] /= size;
	}
	squared = normal_dot(v, v);
	scale(1 / sqrtf(squared), v);
	return true;
}

static void sum_faces(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const snw_normal_plan *plan = argument;
	const uint32_t *offsets = plan->mesh->face_offsets, *corners = plan->mesh->face_points;
	const float *points = plan->points;
	for (uint32_t f = begin; f < end; f++) {
		snk_face_area_single(points, corners + offsets[f], offsets[f + 1] - offsets[f], plan->areas + 3 * (size_t)f);
	}
}

static void sum_points(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const snw_normal_plan *plan = argument;
	const uint32_t *starts = plan->around.starts, *faces = plan->around.faces;
	const float *areas = plan->areas;
	for (uint32_t i = begin; i < end; i++) {
		float sum[3] = {0, 0, 0};
		for (uint32_t k = starts[i]; k < starts[i + 1]; k++) {
			const float *area = areas + 3 * (size_t)faces[k];
			for (int c = 0; c < 3; c++) {
				sum[c] += area[c];
			}
		}
		normalize_any(sum);
		memcpy(plan->points_normals + 3 * (size_t)i, sum, sizeof sum);
	}
}

void snw_normals_of_points(snw_normal_plan *plan, const float *points, float *normals) {
	plan->points = points;
	plan->points_normals = normals;
	snw_parallel_for(plan->mesh->face_count, NORMAL_GRAIN, sum_faces, plan);
	snw_parallel_for(plan->mesh->point_count, NORMAL_GRAIN, sum_points, plan);
}

/* False if the point has no normal, or no edge with another direction. */
static bool make_axes(const snw_normal_plan *plan, uint32_t point, point_axes *axes) {
	memset(axes, 0, sizeof *axes);
	const float *normal = plan->points_normals + 3 * (size_t)point;
	const uint32_t neighbour = plan->neighbours[point];
	if (neighbour == SNW_NONE || normal_dot(normal, normal) == 0) {
		return false;
	}
	float edge[3];
	edge_vector(plan->points, point, neighbour, edge);
	if (!normalize_any(edge)) {
		return false;
	}
	const float along = normal_dot(edge, normal);
	for (int c = 0; c < 3; c++) {
		edge[c] -= along * normal[c];
	}
	if (normal_dot(edge, edge) < 1e-8f || !normalize_any(edge)) {
		return false;
	}
	memcpy(axes->rows[0], edge, sizeof edge);
	cross(normal, edge, axes->rows[1]);
	memcpy(axes->rows[2], normal, sizeof edge);
	return true;
}

static void make_all_axes(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const snw_normal_plan *plan = argument;
	for (uint32_t i = begin; i < end; i++) {
		if (!plan->has_axes[i] || !make_axes(plan, i, &plan->axes[i])) {
			memset(&plan->axes[i], 0, sizeof plan->axes[i]);
		}
	}
}

static void rotate_corners(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const snw_normal_plan *plan = argument;
	for (uint32_t c = begin; c < end; c++) {
		const uint32_t point = plan->mesh->face_points[c];
		float *normal = plan->corner_normals + 3 * (size_t)c;
		if (plan->custom == NULL) {
			memcpy(normal, plan->normals + 3 * (size_t)point, 3 * sizeof *normal);
			continue;
		}
		const point_axes *axes = &plan->axes[point];
		if (normal_dot(axes->rows[2], axes->rows[2]) == 0) {
			memcpy(normal, plan->mesh->corner_normals + 3 * (size_t)c, 3 * sizeof *normal);
			continue;
		}
		const float *local = plan->custom + 3 * (size_t)c;
		for (int k = 0; k < 3; k++) {
			normal[k] = local[0] * axes->rows[0][k] + local[1] * axes->rows[1][k] + local[2] * axes->rows[2][k];
		}
		normalize_any(normal);
	}
}

void snw_normals_of_corners(snw_normal_plan *plan, const float *points, float *normals) {
	const snw_mesh *mesh = plan->mesh;
	snw_normals_of_points(plan, points, plan->normals);
	if (plan->custom != NULL) {
		snw_parallel_for(mesh->point_count, NORMAL_GRAIN, make_all_axes, plan);
	}
	plan->corner_normals = normals;
	const uint32_t corner_count = mesh->face_count > 0 ? mesh->face_offsets[mesh->face_count] : 0;
	snw_parallel_for(corner_count, NORMAL_GRAIN, rotate_corners, plan);
}

static float squared_edge(const snw_mesh *mesh, uint32_t from, uint32_t to) {
	float squared = 0;
	for (size_t i = 0; i < 3; i++) {
		const float step = (float)mesh->points_rest[3 * (size_t)to + i] - (float)mesh->points_rest[3 * (size_t)from + i];
		squared += step * step;
	}
	return squared;
}

uint32_t *snw_longest_edges(const snw_mesh *mesh, snw_arena *arena) {
	snw_arena *scratch = snw_arena_create();
	float *longest = SNW_NEW_ARRAY(scratch, float, mesh->point_count);
	uint32_t *far_ends = SNW_NEW_ARRAY(arena, uint32_t, mesh->point_count);
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		far_ends[i] = SNW_NONE;
	}
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		const uint32_t first = mesh->face_offsets[f], count = mesh->face_offsets[f + 1] - first;
		for (uint32_t k = 0; k < count; k++) {
			const uint32_t ends[2] = {mesh->face_points[first + k], mesh->face_points[first + (k + 1) % count]};
			const float squared = squared_edge(mesh, ends[0], ends[1]);
			for (int end = 0; end < 2; end++) {
				if (squared > longest[ends[end]]) {
					longest[ends[end]] = squared;
					far_ends[ends[end]] = ends[1 - end];
				}
			}
		}
	}
	snw_arena_destroy(scratch);
	return far_ends;
}

/* Custom normals in the coordinates of their points' axes at rest. */
static void bind_custom_normals(snw_normal_plan *plan, const float *rest) {
	const snw_mesh *mesh = plan->mesh;
	const uint32_t corner_count = mesh->face_offsets[mesh->face_count];
	plan->axes = SNW_NEW_ARRAY(plan->arena, point_axes, mesh->point_count);
	plan->has_axes = SNW_NEW_ARRAY(plan->arena, bool, mesh->point_count);
	plan->custom = SNW_NEW_ARRAY(plan->arena, float, 3 * (size_t)corner_count);
	plan->neighbours = snw_longest_edges(mesh, plan->arena);
	snw_normals_of_points(plan, rest, plan->normals);
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		plan->has_axes[i] = make_axes(plan, i, &plan->axes[i]);
	}
	for (uint32_t c = 0; c < corner_count; c++) {
		const point_axes *axes = &plan->axes[mesh->face_points[c]];
		for (int k = 0; k < 3; k++) {
			plan->custom[3 * (size_t)c + (size_t)k] = normal_dot(axes->rows[k], mesh->corner_normals + 3 * (size_t)c);
		}
	}
}

snw_normal_plan *snw_normal_plan_create(const snw_mesh *mesh) {
	snw_arena *arena = snw_arena_create();
	snw_normal_plan *plan = SNW_NEW(arena, snw_normal_plan);
	plan->arena = arena;
	plan->mesh = mesh;
	plan->areas = SNW_NEW_ARRAY(arena, float, 3 * (size_t)mesh->face_count);
	plan->normals = SNW_NEW_ARRAY(arena, float, 3 * (size_t)mesh->point_count);
	plan->around = snw_point_corners_make(mesh, arena);
	if (mesh->corner_normals != NULL && mesh->face_count > 0) {
		float *rest = SNW_NEW_ARRAY(arena, float, 3 * (size_t)mesh->point_count);
		for (size_t i = 0; i < 3 * (size_t)mesh->point_count; i++) {
			rest[i] = (float)mesh->points_rest[i];
		}
		bind_custom_normals(plan, rest);
	}
	return plan;
}

void snw_normal_plan_destroy(snw_normal_plan *plan) {
	if (plan != NULL) {
		snw_arena_destroy(plan->arena);
	}
}
