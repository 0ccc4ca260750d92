/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shared by the parts of levels of detail. Private to host/lod.
 */
#ifndef SINEW_HOST_LOD_LOD_INTERNAL_H
#define SINEW_HOST_LOD_LOD_INTERNAL_H

#include "lod/lod.h"
#include "motion/motion.h"
#include "subdivision/subdivide.h"
#include "task/task.h"

/* ---- surface ------------------------------------------------------------------------------------------------------------- */

/* The surface that is collapsed: all meshes of a character as one, made of triangles. Points that coincide at rest and in
 * motion are one vertex, so that seams and the borders where two meshes meet stay closed. The corners of a vertex that are
 * drawn alike are one wedge. Edges that have to stay lines are features: borders, seams, hard edges, and where materials or
 * meshes meet. */

enum { LOD_CHECKS = 9 }; /* poses in which no triangle may turn over; the first is the rest */

/* UV, normal and colour of a corner: those that the mesh has, in this order. */
enum { LOD_VALUES = 9 };
typedef struct lod_values {
	uint32_t count;             /* of numbers; 0 without any */
	uint32_t uv, normal, color; /* where they begin; SNW_NONE for none */
	double scales[LOD_VALUES];  /* metres to a unit */
} lod_values;

/* Metres to a unit of UV: the root of the areas' ratio; 0 where the UVs have no area. */
double lod_uv_scale(const snw_mesh *mesh);

typedef enum lod_kind { LOD_INNER, LOD_ON_LINE, LOD_FIXED } lod_kind;

typedef struct lod_triangle {
	uint32_t vertices[3], wedges[3];
	uint32_t mesh, face; /* SNW_NONE for a face once the triangle is gone */
	bool features[3];    /* the edge from each corner to the next */
} lod_triangle;

typedef struct lod_wedge {
	uint32_t mesh;
	float values[LOD_VALUES];
} lod_wedge;

typedef struct lod_surface {
	const snw_scene *scene;
	const snw_motion *motion;
	uint32_t vertex_count, triangle_count, wedge_count;
	uint32_t axis_count;
	double *coordinates;      /* [vertex_count][axis_count] */
	float *checks;            /* [vertex_count][LOD_CHECKS][3] */
	uint8_t *kinds;           /* [vertex_count]: lod_kind */
	double *shares_kept;      /* [vertex_count]: how far a painted field protects it, 0 to 1 */
	uint32_t **vertex_points; /* [mesh_count]: [vertex_count], SNW_NONE where the mesh has no such point */
	lod_triangle *triangles;
	lod_wedge *wedges;
	lod_values *values; /* [mesh_count] */
	bool *is_faceted;   /* [mesh_count]: almost all edges are hard, so that normals are those of faces */
	bool *takes_part;   /* [mesh_count]: it is to be made coarser */
} lod_surface;

/* The field of that name protects points where a mesh has it; NULL for none. `takes_part` [mesh_count]. In `arena`. */
void lod_surface_make(const snw_scene *scene, const snw_motion *motion, const char *protect, const bool *takes_part,
					  snw_arena *arena, lod_surface *surface);

/* ---- quadric ------------------------------------------------------------------------------------------------------------- */

/* Quadrics in n dimensions: zᵀ A z + 2 bᵀ z + c, the sum of squared distances from planes, by area, about a vertex of their
 * own. And the values of wedges: sums of linear functions, whose best value at a place, and what it leaves, are quadratic
 * too. Nothing allocates but wedge_sums_make. */

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

/* ---- collapse ------------------------------------------------------------------------------------------------------------ */

/* Collapses edges of a surface, the cheapest first (M. Garland and P. Heckbert, Surface simplification using quadric error
 * metrics, 1997; in any number of dimensions 1998), in motion coordinates. The new vertex is an affine combination of those
 * around the edge, so that it has a place in every pose (B. Merry, thesis 2007, 9.4), and nothing shrinks. Values of corners
 * are those that the nearest linear functions have there (H. Hoppe, New quadric metric for simplifying meshes with
 * appearance attributes, 1999). */

/* An affine combination of the vertices of the first surface. */
typedef struct lod_stencil {
	uint32_t count;
	uint32_t *vertices; /* ascending */
	double *weights;    /* their sum is 1 */
} lod_stencil;

typedef struct lod_collapse lod_collapse;

/* The surface's triangles, coordinates and wedges change from then on. In `arena`. */
lod_collapse *lod_collapse_make(lod_surface *surface, snw_arena *arena);

/* Collapses until at most that many triangles of the meshes that take part are left, or nothing can go. The activity is for
 * the task. SNW_CANCELLED. */
snw_status lod_collapse_to(lod_collapse *collapse, uint32_t triangles, const char *activity, const snw_task *task,
						   snw_error *error);

const lod_stencil *lod_collapse_stencil(const lod_collapse *collapse, uint32_t vertex);

/* ---- level mesh ---------------------------------------------------------------------------------------------------------- */

/* The meshes of a level, from what a collapse has left. */

typedef struct lod_level_mesh {
	snw_mesh mesh;          /* rest points by the stencils; no skin, no morphs */
	snw_stencils stencils;  /* of the points, over those of the original */
	uint32_t *face_parents; /* [face_count]: faces of the original */
} lod_level_mesh;

/* One mesh as it is now, with the name of the original. In `arena`. */
lod_level_mesh lod_level_mesh_make(const lod_surface *surface, const lod_collapse *collapse, uint32_t mesh, snw_arena *arena);

/* ---- level rows ---------------------------------------------------------------------------------------------------------- */

/* The rows of a level whose mesh is skinned by an affine blend, v = Σ_s T_s p_s: its points are combinations of the mesh's
 * points, so their rows are Σ_j a_j p_js, over the slots of all of these. Those that are too many are taken away as in B.
 * Merry, Animation space, thesis 2007, section 6.3: the rows that stay change by s, which is −p where a slot goes, weighs
 * nothing together, and is the shortest by the norm L2,2, √(sᵀ P s) with P = E[Gᵀ G] over poses of the clips
 * (measure/point_metric.h).
 *
 * Departures: which slots stay is known from the level's linear blend, which files need anyway. As P is singular wherever
 * joints have fixed lengths, a ridge draws the rows that stay toward the old ones, made larger to weigh 1. */

/* Puts influences and rows into the program of a level, whose mesh is one program with an affine blend. The metric is that of
 * these clips; of all without any. In `arena`. Nothing is put where the stack cannot be posed. */
void lod_rows_put(const snw_scene *scene, const snw_stack *stack, const snw_level *level, uint32_t clip_count,
				  const uint32_t *clips, snw_arena *arena, snw_program *made);

#endif
