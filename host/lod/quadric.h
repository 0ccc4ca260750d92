/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Quadrics in n dimensions: zᵀ A z + 2 bᵀ z + c, the sum of squared distances from planes, by area, about a vertex of their
 * own. And the values of wedges: sums of linear functions, whose best value at a place, and what it leaves, are quadratic
 * too. Nothing allocates but wedge_sums_make.
 */
#ifndef SINEW_HOST_LOD_QUADRIC_H
#define SINEW_HOST_LOD_QUADRIC_H

#include "lod/surface.h"

enum { LOD_MOST_AXES = SNW_MOTION_AXES, QUADRIC_RING = 16 };

typedef struct quadric {
	const float *matrix;  /* [n][n_padded] */
	const double *vector; /* [n] */
	double constant;
} quadric;

/* Two quadrics in the affine combinations of `count` places: of the shares of all but the first. */
typedef struct reduced_quadric {
	uint32_t n, count;
	float ways[QUADRIC_RING][LOD_MOST_AXES]; /* from the first place to each */
	double matrix[QUADRIC_RING][QUADRIC_RING], vector[QUADRIC_RING], constant;
} reduced_quadric;

/* The place in each pose, over the root of their number, of a point with given coordinates: a matrix each. */
typedef struct pose_places {
	uint32_t pose_count, n_padded;
	const float *matrices; /* [pose_count][3][n_padded] */
} pose_places;
pose_places pose_places_make(const snw_motion *motion, uint32_t n_padded, snw_arena *arena);

/* Adds a triangle's quadric to those of its corners; its area. Half of it is the square of the distance from the triangle's
 * plane in n dimensions. That grows too where a point slides along the surface in one pose and not in another. The other half
 * is the mean over the poses of the square of the distance from its plane there (A. Mohr and M. Gleicher, Deformation sensitive
 * decimation, 2003), which is what a picture shows. */
double add_face_quadric(uint32_t n, const pose_places *places, const double *const corners[3], float *const matrices[3]);
/* That of a line between two vertices, by the square of its length. */
void add_line_quadric(uint32_t n, uint32_t n_padded, double weight, const double *a, const double *b, float *matrix_a,
					  float *matrix_b);
/* `a` is about the first place, `b` about the second. */
void reduce_quadrics(uint32_t n, uint32_t n_padded, const quadric *a, const quadric *b, uint32_t count,
					 const double *const *places, reduced_quadric *q);
/* The shares of all places at the least cost; the ridge draws toward the best place on the edge between the first two. */
void solve_reduced(const reduced_quadric *q, double ridge, double *shares);
double cost_reduced(const reduced_quadric *q, const double *shares);
/* Adds the quadric `from` to `to`, both then about `place`. */
void join_quadrics(uint32_t n, uint32_t n_padded, const float *from_matrix, const double *from_vector, double from_constant,
				   const double *from_place, float *to_matrix, double *to_vector, double *to_constant, const double *to_place,
				   const double *place);

typedef struct wedge_sums {
	uint32_t n, value_count; /* the most of any mesh */
	float *gradients;        /* [wedge_count][value_count][n], by area */
	double *values;          /* [wedge_count][value_count], by area, at the vertex */
	double *areas;           /* [wedge_count] */
	lod_wedge *wedges;
	const lod_values *kinds; /* [mesh_count] */
} wedge_sums;

wedge_sums wedge_sums_make(lod_surface *surface, snw_arena *arena);
/* Adds a triangle's linear functions to its wedges and to the quadrics of its corners. */
void add_face_values(wedge_sums *sums, uint32_t n_padded, const lod_triangle *triangle, const double *const corners[3],
					 double area, float *const matrices[3], double *vectors, double *constants);
/* Wedges that become one, `from` at the first place; SNW_NONE for one that stays alone. */
typedef struct wedge_pair {
	uint32_t from, to;
} wedge_pair;
void reduce_wedges(const wedge_sums *sums, uint32_t count, const wedge_pair *pairs, reduced_quadric *q);
/* The values of `to` become those at `place`, unless it is where it was. */
void join_wedges(wedge_sums *sums, uint32_t count, const wedge_pair *pairs, const double *from_place, const double *to_place,
				 const double *place, bool keeps_values);

#endif
