/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/plan/playback_normals.h"

#include <string.h>

#include "mesh/normals.h"
#include "sinew/algebra.h"

/* What a shape at its full weight changes. */
typedef struct shape_normals {
	uint32_t count;
	uint32_t *points;
	float *changes; /* [count][3] */
} shape_normals;

struct snw_played_normals {
	const snw_plan_mesh *mesh;
	float *rest;           /* [point_count][3] */
	shape_normals *shapes; /* [shape_count] */
	float *played;         /* [point_count][3] */
	double *weights;       /* [shape_count] */
};

static void place_shape(const snw_plan_mesh *mesh, const snw_plan_shape *shape, float *points) {
	for (size_t i = 0; i < 3 * (size_t)mesh->mesh->point_count; i++) {
		points[i] = (float)mesh->points_rest[i];
	}
	const snw_plan_morph *morph = shape ? &mesh->morphs[shape->morph] : NULL;
	for (size_t i = 0; morph && i < morph->count; i++) {
		for (size_t c = 0; c < 3; c++) {
			const size_t at = 3 * (size_t)morph->points[i] + c;
			points[at] = (float)(mesh->points_rest[at] + shape->reach * morph->vectors[3 * i + c]);
		}
	}
}

static bool differs(const float *a, const float *b) {
	return memcmp(a, b, 3 * sizeof *a) != 0;
}

/* The points whose normals the shape changes: `normals` against those at rest. */
static shape_normals keep_changes(const snw_played_normals *played, const float *normals, snw_arena *arena) {
	const size_t points = played->mesh->mesh->point_count;
	shape_normals kept = {0};
	for (size_t p = 0; p < points; p++) {
		kept.count += differs(normals + 3 * p, played->rest + 3 * p);
	}
	kept.points = SNW_NEW_ARRAY(arena, uint32_t, kept.count);
	kept.changes = SNW_NEW_ARRAY(arena, float, 3 * (size_t)kept.count);
	uint32_t count = 0;
	for (size_t p = 0; p < points; p++) {
		if (!differs(normals + 3 * p, played->rest + 3 * p)) {
			continue;
		}
		for (size_t c = 0; c < 3; c++) {
			kept.changes[3 * (size_t)count + c] = normals[3 * p + c] - played->rest[3 * p + c];
		}
		kept.points[count++] = (uint32_t)p;
	}
	return kept;
}

static void add_fitted(const snw_plan_shape *shape, shape_normals *kept) {
	for (size_t i = 0; shape->normal_count == kept->count && i < 3 * (size_t)kept->count; i++) {
		kept->changes[i] += shape->normal_changes[i];
	}
}

snw_played_normals *snw_played_normals_make(const snw_plan_mesh *mesh, snw_arena *arena) {
	if (mesh->mesh->face_count == 0) {
		return NULL;
	}
	const size_t numbers = 3 * (size_t)mesh->mesh->point_count;
	snw_played_normals *made = SNW_NEW(arena, snw_played_normals);
	*made = (snw_played_normals){
		.mesh = mesh,
		.rest = SNW_NEW_ARRAY(arena, float, numbers),
		.shapes = SNW_NEW_ARRAY(arena, shape_normals, mesh->shape_count),
		.played = SNW_NEW_ARRAY(arena, float, numbers),
		.weights = SNW_NEW_ARRAY(arena, double, mesh->shape_count),
	};
	snw_arena *scratch = snw_arena_create();
	float *points = SNW_NEW_ARRAY(scratch, float, numbers), *normals = SNW_NEW_ARRAY(scratch, float, numbers);
	snw_normal_plan *plan = snw_normal_plan_create(mesh->mesh);
	place_shape(mesh, NULL, points);
	snw_normals_of_points(plan, points, made->rest);
	for (uint32_t s = 0; s < mesh->shape_count; s++) {
		place_shape(mesh, &mesh->shapes[s], points);
		snw_normals_of_points(plan, points, normals);
		made->shapes[s] = keep_changes(made, normals, arena);
		add_fitted(&mesh->shapes[s], &made->shapes[s]);
	}
	snw_normal_plan_destroy(plan);
	snw_arena_destroy(scratch);
	return made;
}

/* By the blended 3×3 part, as engines do. */
static void rotate_normal(const snw_plan_mesh *mesh, const double *palette, size_t point, float normal[3]) {
	const double from[3] = {(double)normal[0], (double)normal[1], (double)normal[2]};
	double sum[3] = {0};
	for (uint32_t i = 0; i < mesh->width; i++) {
		const size_t at = point * mesh->width + i;
		if (mesh->weights[at] == 0) {
			break;
		}
		double by_slot[3];
		snw_mat34_vector(palette + 12 * (size_t)(mesh->slots[at] - mesh->first_slot), from, by_slot);
		for (size_t c = 0; c < 3; c++) {
			sum[c] += (double)mesh->weights[at] * by_slot[c];
		}
	}
	for (size_t c = 0; c < 3; c++) {
		normal[c] = (float)sum[c];
	}
}

snw_rotated_points snw_played_normals_rotated(const snw_played_normals *played, uint32_t shape) {
	return (snw_rotated_points){played->shapes[shape].count, played->shapes[shape].points};
}

const float *snw_played_normals_at_rest(snw_played_normals *played, const double *weights) {
	const snw_plan_mesh *mesh = played->mesh;
	memcpy(played->played, played->rest, 3 * (size_t)mesh->mesh->point_count * sizeof *played->played);
	for (uint32_t s = 0; s < mesh->shape_count; s++) {
		const shape_normals *shape = &played->shapes[s];
		const float weight = (float)weights[s];
		for (size_t i = 0; i < shape->count && weight != 0; i++) {
			for (size_t c = 0; c < 3; c++) {
				played->played[3 * (size_t)shape->points[i] + c] += weight * shape->changes[3 * i + c];
			}
		}
	}
	return played->played;
}

const float *snw_played_normals_at(snw_played_normals *played, const double *weights, const double *palette) {
	const snw_plan_mesh *mesh = played->mesh;
	for (uint32_t s = 0; s < mesh->shape_count; s++) {
		const double weight = weights[mesh->first_weight + mesh->shapes[s].morph];
		played->weights[s] = snw_plan_shape_weight(&mesh->shapes[s], weight);
	}
	snw_played_normals_at_rest(played, played->weights);
	for (size_t p = 0; p < mesh->mesh->point_count && mesh->placement != SNW_PLAN_STILL; p++) {
		rotate_normal(mesh, palette, p, played->played + 3 * p);
	}
	return played->played;
}
