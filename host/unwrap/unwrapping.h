/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Meshes while they are unwrapped. Private to host/unwrap.
 */
#ifndef SINEW_HOST_UNWRAP_UNWRAPPING_H
#define SINEW_HOST_UNWRAP_UNWRAPPING_H

#include "base/error.h"
#include "motion/motion.h"
#include "scene/scene.h"
#include "sinew/kit/numerics/systems.h"
#include "task/task.h"
#include "unwrap/unwrap.h"

/* ---- surfaces ------------------------------------------------------------------------------------------------------------ */

/* A mesh as it is flattened: its edges with the faces on both sides, its triangles, and what these measure over poses.
 * Private to host/unwrap. */

/* The edge of corner c goes from it to the next corner of its face. */
typedef struct unwrap_surface {
	const snw_mesh *mesh;
	uint32_t corner_count, triangle_count;
	uint32_t *corner_faces; /* [corner_count] */
	/* [corner_count]: the corner whose edge is the same one, the other way, in another face. SNW_NONE at a border, where more
	 * than two faces meet, and where neighbours are wound against each other. */
	uint32_t *twins;
	uint32_t *triangle_offsets; /* [face_count + 1]: the triangles of each face */
	uint32_t *triangles;        /* [triangle_count][3]: corners */
	uint32_t odd_edges;         /* edges of more than two faces, or between faces that are wound against each other */
} unwrap_surface;

/* In `arena`. */
unwrap_surface unwrap_surface_make(const snw_mesh *mesh, snw_arena *arena);

uint32_t unwrap_next_corner(const unwrap_surface *surface, uint32_t corner);

/* The lengths that a surface is flattened by. With weights w = area the stretch of a map, summed over poses, is linear in
 * them: Σ_p w_p L2_p² = w̄ tr(Sᵀ M S) / 2, where M is the Gram matrix of the edges whose squares are these means. */
typedef struct unwrap_lengths {
	double *squares; /* [triangle_count][3]: of the edge from corner k to corner k + 1: means over the poses, by area */
	double *areas;   /* [triangle_count]: their means */
} unwrap_lengths;

/* Over `pose_count` poses of the mesh, [pose_count][point_count][3]. In `arena`. */
unwrap_lengths unwrap_lengths_make(const unwrap_surface *surface, uint32_t pose_count, const float *posed, snw_arena *arena);

/* The squares of the edges of a triangle, and twice its area as a vector (may be NULL). */
void unwrap_triangle_squares(const unwrap_surface *surface, uint32_t triangle, const float *points, double squares[3],
							 double normal[3]);

/* How far a map is from keeping shapes and sizes: sums over triangles. */
typedef struct unwrap_stretch {
	double stretched; /* Σ area · L2², L2² = (Γ² + γ²) / 2 of the map from UV to the surface */
	double area, uv_area;
} unwrap_stretch;

/* Adds a triangle with the edges' squares; an infinite one where its UVs have no area. Mirrored ones count as others. */
void unwrap_stretch_add(const double squares[3], double area, const double *const uvs[3], unwrap_stretch *sum);

/* L2 stretch by area, of which the least is 1: √(Σ area L2² / Σ area) · √(Σ UV area / Σ area). */
double unwrap_stretch_value(const unwrap_stretch *sum);

/* ---- charts -------------------------------------------------------------------------------------------------------------- */

/* Charts: the parts of a surface that are flattened, each a mesh of its own whose edges lie along seams. Private to
 * host/unwrap. */

/* The faces of each chart, and the surface cut into them. */
typedef struct unwrap_charts {
	uint32_t count;
	uint32_t *face_charts;     /* [face_count] */
	uint32_t *offsets, *faces; /* those of chart i from offsets[i], ascending */
	uint32_t *corner_vertices; /* [corner_count]: the vertex in its chart */
	uint32_t *vertex_counts;   /* [count] */
} unwrap_charts;

/* [corner_count]: edges where UVs differ on both sides; all false without UVs. Materials always differ. In `arena`. */
bool *unwrap_seams_of_uvs(const unwrap_surface *surface, snw_arena *arena);

/* Edges between faces with different numbers, such as charts or values of a field. */
bool *unwrap_seams_of_numbers(const unwrap_surface *surface, const double *numbers, snw_arena *arena);

/* Faces that hang together over edges that are no seams. Charts are in the order of their first faces. In `arena`. */
unwrap_charts unwrap_charts_make(const unwrap_surface *surface, const bool *seams, snw_arena *arena);

/* One chart as a mesh. */
typedef struct unwrap_chart {
	uint32_t vertex_count, triangle_count;
	uint32_t *triangles;                                 /* [triangle_count][3]: vertices */
	uint32_t *origins;                                   /* [triangle_count]: of the surface */
	uint32_t loop_count;                                 /* closed borders */
	uint32_t *loop_offsets, *loop_vertices, *loop_faces; /* the vertices of each, in the order of the faces, whose edges go to
	                                                         the next; the faces of these edges */
	bool is_flat;                                        /* of genus 0 with at least one border: it can be flattened */
} unwrap_chart;

/* In `arena`. */
unwrap_chart unwrap_chart_make(const unwrap_surface *surface, const bool *seams, const unwrap_charts *charts, uint32_t chart,
							   snw_arena *arena);

/* Cuts a chart in two along the middle between two of its faces, by the number of edges between faces: both parts hang
 * together. */
void unwrap_chart_split(const unwrap_surface *surface, const unwrap_charts *charts, uint32_t chart, const uint32_t faces[2],
						bool *seams);

/* Two faces of a chart that are far apart. */
void unwrap_chart_ends(const unwrap_surface *surface, const bool *seams, const unwrap_charts *charts, uint32_t chart,
					   uint32_t faces[2]);

/* ---- the equations ------------------------------------------------------------------------------------------------------- */

/* A chart as a problem for flattening: its triangles as their lengths make them, and a sparse matrix over its vertices' UVs. */

/* A triangle as its lengths make it. J, from it to UV, has the rows (Σ u_k g_k, Σ v_k g_k). */
typedef struct unwrap_element {
	double gradients[3][2]; /* g_k */
	double own_area;        /* of that triangle */
	double area;            /* its weight */
} unwrap_element;

typedef struct unwrap_problem {
	const unwrap_chart *chart;
	unwrap_element *elements;
	double mean_area;
	/* The lower triangle of a matrix over u and v of each vertex. */
	uint32_t *columns, *rows, *blocks;
	double *values;
	uint32_t *neighbour_offsets, *neighbours; /* of each vertex: itself, then those above it, ascending */
	snk_factor factor;
	bool has_factor;
	const struct snw_host *host;
	const snw_task *task;
} unwrap_problem;

/* The triangles by their lengths. In `arena`. */
void unwrap_elements_make(unwrap_problem *problem, const unwrap_lengths *lengths, snw_arena *arena);

/* Whether every triangle has an area that is not lost in rounding. */
bool unwrap_turns_none(const unwrap_problem *problem, const double (*uvs)[2]);

/* Where the matrix has entries: between vertices of one triangle. In `arena`. */
void unwrap_pattern_make(unwrap_problem *problem, snw_arena *arena);
void unwrap_matrix_clear(const unwrap_problem *problem);

/* Of a form over J = (J₀₀, J₀₁, J₁₀, J₁₁) that over (u₀, v₀, u₁, v₁, u₂, v₂). */
void unwrap_form_pull_back(const unwrap_element *element, const double (*form)[4], double (*matrix)[6]);
void unwrap_matrix_add(const unwrap_problem *problem, const uint32_t *vertices, const double (*matrix)[6]);

/* SNW_ERROR_SINGULAR, SNW_ERROR_MEMORY. */
snw_status unwrap_matrix_factorize(unwrap_problem *problem);

/* ---- Newton steps -------------------------------------------------------------------------------------------------------- */

/* The least L2 stretch of a flat chart by Newton steps that turn no triangle over.
 *
 * The sum over triangles of area · L2² + UV area is least where the product of both sums is, and that is the stretch of any
 * scale; so charts that are flattened apart have the best sizes against each other. Each triangle's Hessian is made positive
 * by its singular values (Smith, de Goes and Kim, "Analytic eigensystems for isotropic distortion energies", 2019). */

/* Scales UVs to the best size. */
void unwrap_scale_best(const unwrap_problem *problem, double (*uvs)[2]);

/* At most so many steps, from UVs that turn none over; `is_least` gets whether no further one would gain much.
 * SNW_CANCELLED, SNW_ERROR_MEMORY. */
snw_status unwrap_stretch_reduce(unwrap_problem *problem, uint32_t steps, double (*uvs)[2], bool *is_least);

/* ---- flatten ------------------------------------------------------------------------------------------------------------- */

/* Flattens a chart by the lengths of its edges alone: least squares conformal maps (Lévy et al. 2002) with triangles as
 * these lengths make them; Tutte's map where one of them turns over; then the least L2 stretch (Sander et al. 2001) by
 * Newton steps that turn no triangle over. Scaled so that charts of one surface fit each other. */

struct snw_host;

typedef struct unwrap_flat {
	double (*uvs)[2]; /* [vertex_count] of the chart, the caller's: filled, in metres */
	unwrap_stretch stretch;
	uint32_t crossing[2]; /* faces whose border edges cross, if is_crossed */
	bool is_crossed;      /* the border meets itself: the chart has to be split */
	bool is_short;        /* its stretch is not the least: that would take too many steps */
} unwrap_flat;

/* Of a chart that is_flat, with Newton steps to the end; a trial takes a few, and none from Tutte's map. SNW_ERROR_DATA if
 * there is no map in which all triangles have an area: the chart has to be split; SNW_CANCELLED; SNW_ERROR_MEMORY. Any thread
 * with a task that is NULL. */
snw_status unwrap_flatten(const struct snw_host *host, const unwrap_chart *chart, const unwrap_lengths *lengths, bool is_trial,
						  const snw_task *task, unwrap_flat *flat);

/* The stretch of a chart's UVs by other lengths. */
unwrap_stretch unwrap_chart_stretch(const unwrap_chart *chart, const unwrap_lengths *lengths, const double (*uvs)[2]);

/* ---- a call -------------------------------------------------------------------------------------------------------------- */

struct snw_services;

enum { UNWRAP_MOST_PARTS = 20000 /* charts of a mesh */ };

/* A mesh and its charts. */
typedef struct unwrap_sheet {
	uint32_t mesh;
	unwrap_surface surface;
	unwrap_lengths rest, poses;
	const unwrap_lengths *lengths; /* that it is flattened by */
	bool *seams;                   /* [corner_count] */
	unwrap_charts charts;
	unwrap_flat *flats;   /* [charts.count] */
	snw_status *statuses; /* [charts.count] */
	bool *is_needed;      /* [charts.count]: to be flattened */
	snw_arena *arena;     /* of its charts */
	snw_unwrapped_mesh *made;
} unwrap_sheet;

/* One call of snw_unwrap. */
typedef struct unwrap_run {
	const snw_scene *scene;
	const snw_unwrap_request *request;
	const snw_task *task;
	snw_arena *arena, *scratch; /* of the result; of this call */
	struct snw_services *services;
	snw_motion motion;
	uint32_t size, gap; /* pixels along a side of a square, and between charts */
	uint32_t sheet_count;
	unwrap_sheet *sheets;
	snw_unwrapped *made;
	snw_error *error;
} unwrap_run;

/* Charts of a mesh (charts.c). Flattens those that are needed; a trial takes a few steps. SNW_CANCELLED, SNW_ERROR_MEMORY. */
snw_status unwrap_sheet_flatten(unwrap_run *u, unwrap_sheet *s, bool is_trial, const snw_task *task);

/* Makes new charts by the seams. Those that were charts before stay flat as they are. SNW_ERROR_LIMIT for too many. */
snw_status unwrap_sheet_cut(unwrap_run *u, unwrap_sheet *s);

/* Cuts a mesh into charts by merging its faces, never over `seams` (segment.c). */
snw_status unwrap_sheet_merge(unwrap_run *u, unwrap_sheet *s, const bool *seams, const snw_task *task);

/* Cuts charts that cannot be flattened, such as closed ones, by merging their faces. `seams` are those of the charts. */
snw_status unwrap_sheet_cut_closed(unwrap_run *u, unwrap_sheet *s, const bool *seams, const snw_task *task);

/* ---- pack ---------------------------------------------------------------------------------------------------------------- */

/* Packs flat charts into a square by bitmap: each chart is tried at several angles, and put where it ends lowest. Private to
 * host/unwrap. */

typedef struct unwrap_part {
	uint32_t vertex_count, triangle_count;
	const double (*uvs)[2];
	const uint32_t *triangles; /* [triangle_count][3] */
	double area;
	/* Where it is put: rotated by the angle, scaled, then moved, in units of the square. */
	double angle, offset[2];
} unwrap_part;

/* Returns the scale in `scale`: the same for all parts. Between two parts are `padding` of the `size` pixels along a side at
 * least, and half as many between a part and the border; they are less than half of `size`. `used` gets the share of the
 * square that the parts cover. SNW_CANCELLED; SNW_ERROR_LIMIT where the padding leaves no room for so many parts. */
snw_status unwrap_pack(uint32_t count, unwrap_part *parts, uint32_t size, uint32_t padding, const snw_task *task, double *scale,
					   double *used, snw_error *error);

/* Where a point of a part is in the square. */
void unwrap_part_place(const unwrap_part *part, double scale, const double uv[2], double placed[2]);

#endif
