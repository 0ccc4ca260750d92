/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "measure/normal_angles.h"

#include <math.h>
#include <stdlib.h>

#include "mesh/normals.h"
#include "sinew/algebra.h"

struct snw_normal_comparison {
	uint32_t point_count;
	snw_arena *arena;
	snw_normal_plan *plan;
	float *points;                    /* [point_count][3] */
	float *expected, *actual, *given; /* normals, [point_count][3] */
};

double snw_normal_angles_mean(const snw_normal_angles *angles) {
	return angles->count > 0 ? sqrt(angles->squares / (double)angles->count) : (double)NAN;
}

double snw_normal_angles_most(const snw_normal_angles *angles) {
	return angles->count > 0 ? angles->most : (double)NAN;
}

snw_normal_comparison *snw_normal_comparison_create(const snw_mesh *mesh) {
	snw_arena *arena = snw_arena_create();
	snw_normal_comparison *comparison = SNW_NEW(arena, snw_normal_comparison);
	const size_t numbers = 3 * (size_t)mesh->point_count;
	*comparison = (snw_normal_comparison){
		.point_count = mesh->point_count,
		.arena = arena,
		.plan = snw_normal_plan_create(mesh),
		.points = SNW_NEW_ARRAY(arena, float, numbers),
		.expected = SNW_NEW_ARRAY(arena, float, numbers),
		.actual = SNW_NEW_ARRAY(arena, float, numbers),
		.given = SNW_NEW_ARRAY(arena, float, numbers),
	};
	return comparison;
}

void snw_normal_comparison_destroy(snw_normal_comparison *comparison) {
	if (comparison) {
		snw_normal_plan_destroy(comparison->plan);
		snw_arena_destroy(comparison->arena);
	}
}

static void normals_of(snw_normal_comparison *comparison, const double *points, float *normals) {
	for (size_t i = 0; i < 3 * (size_t)comparison->point_count; i++) {
		comparison->points[i] = (float)points[i];
	}
	snw_normals_of_points(comparison->plan, comparison->points, normals);
}

/* In degrees; negative if one of the two has no length. By the tangent: a cosine has no digits left for a small angle. */
static double angle_between(const float a[3], const float b[3]) {
	const double from[3] = {(double)a[0], (double)a[1], (double)a[2]}, to[3] = {(double)b[0], (double)b[1], (double)b[2]};
	double across[3];
	if (!(snw_dot3(from, from) > 0) || !(snw_dot3(to, to) > 0)) {
		return -1;
	}
	snw_cross3(from, to, across);
	return 180 / M_PI * atan2(snw_length3(across), snw_dot3(from, to));
}

static void add_angles(const snw_normal_comparison *comparison, const float *normals, const double *region,
					   snw_normal_angles *angles) {
	for (size_t i = 0; i < comparison->point_count; i++) {
		const double angle = region && region[i] < 0.5 ? -1 : angle_between(comparison->expected + 3 * i, normals + 3 * i);
		if (angle >= 0) {
			angles->squares += angle * angle;
			angles->most = fmax(angles->most, angle);
			angles->count++;
		}
	}
}

void snw_normal_angles_add_normals(snw_normal_comparison *comparison, const double *expected, const float *normals,
								   const double *region, snw_normal_angles *angles) {
	normals_of(comparison, expected, comparison->expected);
	add_angles(comparison, normals, region, angles);
}

void snw_normal_angles_add(snw_normal_comparison *comparison, const double *expected, const double *actual,
						   const double *region, snw_normal_angles *angles) {
	normals_of(comparison, actual, comparison->actual);
	snw_normal_angles_add_normals(comparison, expected, comparison->actual, region, angles);
}

void snw_normal_angles_add_stack(snw_normal_comparison *comparison, const double *expected, const double *actual,
								 const snw_stack *stack, const snw_evaluation *evaluation, uint32_t mesh, const double *region,
								 snw_normal_angles *angles) {
	if (snw_stack_normals(stack, evaluation, mesh, comparison->given)) {
		snw_normal_angles_add_normals(comparison, expected, comparison->given, region, angles);
	} else {
		snw_normal_angles_add(comparison, expected, actual, region, angles);
	}
}
