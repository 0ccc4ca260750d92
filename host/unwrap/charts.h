/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Charts: the parts of a surface that are flattened, each a mesh of its own whose edges lie along seams. Private to
 * host/unwrap.
 */
#ifndef SINEW_HOST_UNWRAP_CHARTS_H
#define SINEW_HOST_UNWRAP_CHARTS_H

#include "unwrap/surface.h"

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

#endif
