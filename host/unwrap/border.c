/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unwrap/border.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Cells along a side of the grid that edges are found with, at most. */
enum { MOST_EDGE_CELLS = 1024 };

typedef struct edge {
	uint32_t ends[2], face;
} edge;

typedef struct grid {
	double low[2], cell;
	uint32_t sides[2];
	uint32_t *starts, *edges;
} grid;

static edge *list_edges(const unwrap_chart *chart, snw_arena *arena) {
	edge *edges = SNW_NEW_ARRAY(arena, edge, chart->loop_offsets[chart->loop_count]);
	for (uint32_t l = 0; l < chart->loop_count; l++) {
		for (uint32_t i = chart->loop_offsets[l]; i < chart->loop_offsets[l + 1]; i++) {
			const uint32_t next = i + 1 < chart->loop_offsets[l + 1] ? i + 1 : chart->loop_offsets[l];
			edges[i] = (edge){{chart->loop_vertices[i], chart->loop_vertices[next]}, chart->loop_faces[i]};
		}
	}
	return edges;
}

static uint32_t cell_of(const grid *g, int axis, double at) {
	const double cell = floor((at - g->low[axis]) / g->cell);
	return cell <= 0 ? 0 : cell >= g->sides[axis] ? g->sides[axis] - 1 : (uint32_t)cell;
}

/* The cells of the box around an edge. */
static void cells_of(const grid *g, const edge *e, const double (*uvs)[2], uint32_t begin[2], uint32_t end[2]) {
	for (int axis = 0; axis < 2; axis++) {
		const double a = uvs[e->ends[0]][axis], b = uvs[e->ends[1]][axis];
		begin[axis] = cell_of(g, axis, fmin(a, b));
		end[axis] = cell_of(g, axis, fmax(a, b)) + 1;
	}
}

static void size_grid(const edge *edges, uint32_t count, const double (*uvs)[2], grid *g) {
	double high[2] = {-(double)INFINITY, -(double)INFINITY}, lengths = 0;
	g->low[0] = g->low[1] = (double)INFINITY;
	for (uint32_t i = 0; i < count; i++) {
		const double *a = uvs[edges[i].ends[0]], *b = uvs[edges[i].ends[1]];
		lengths += hypot(b[0] - a[0], b[1] - a[1]);
		for (int axis = 0; axis < 2; axis++) {
			g->low[axis] = fmin(g->low[axis], a[axis]);
			high[axis] = fmax(high[axis], a[axis]);
		}
	}
	const double widest = fmax(high[0] - g->low[0], high[1] - g->low[1]);
	g->cell = fmax(fmax(2 * lengths / count, widest / MOST_EDGE_CELLS), 1e-300);
	for (int axis = 0; axis < 2; axis++) {
		g->sides[axis] = (uint32_t)((high[axis] - g->low[axis]) / g->cell) + 1;
	}
}

/* The edges of each cell, in their order. */
static grid make_grid(const edge *edges, uint32_t count, const double (*uvs)[2], snw_arena *arena) {
	grid g;
	size_grid(edges, count, uvs, &g);
	const size_t cells = (size_t)g.sides[0] * g.sides[1];
	g.starts = SNW_NEW_ARRAY(arena, uint32_t, cells + 2);
	for (int filling = 0; filling < 2; filling++) {
		for (uint32_t i = 0; i < count; i++) {
			uint32_t begin[2], end[2];
			cells_of(&g, &edges[i], uvs, begin, end);
			for (uint32_t y = begin[1]; y < end[1]; y++) {
				for (uint32_t x = begin[0]; x < end[0]; x++) {
					const size_t cell = (size_t)y * g.sides[0] + x;
					if (filling) {
						g.edges[g.starts[cell + 1]++] = i;
					} else {
						g.starts[cell + 2]++;
					}
				}
			}
		}
		for (size_t c = 0; c < cells && !filling; c++) {
			g.starts[c + 2] += g.starts[c + 1];
		}
		g.edges = filling ? g.edges : SNW_NEW_ARRAY(arena, uint32_t, g.starts[cells + 1]);
	}
	return g;
}

static double side_of_edge(const double *a, const double *b, const double *p) {
	return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
}

/* Edges that only touch do not meet; nor do those that share a vertex. */
static bool meet(const edge *e, const edge *f, const double (*uvs)[2]) {
	if (e->ends[0] == f->ends[0] || e->ends[0] == f->ends[1] || e->ends[1] == f->ends[0] || e->ends[1] == f->ends[1]) {
		return false;
	}
	const double *a = uvs[e->ends[0]], *b = uvs[e->ends[1]], *c = uvs[f->ends[0]], *d = uvs[f->ends[1]];
	return side_of_edge(a, b, c) * side_of_edge(a, b, d) < 0 && side_of_edge(c, d, a) * side_of_edge(c, d, b) < 0;
}

bool unwrap_border_crosses(const unwrap_chart *chart, const double (*uvs)[2], uint32_t faces[2]) {
	snw_arena *scratch = snw_arena_create();
	const uint32_t count = chart->loop_offsets[chart->loop_count];
	const edge *edges = list_edges(chart, scratch);
	const grid g = make_grid(edges, count, uvs, scratch);
	bool crosses = false;
	for (uint32_t i = 0; i < count && !crosses; i++) {
		uint32_t begin[2], end[2];
		cells_of(&g, &edges[i], uvs, begin, end);
		for (uint32_t cell = 0; cell < (end[0] - begin[0]) * (end[1] - begin[1]) && !crosses; cell++) {
			const size_t at =
				(size_t)(begin[1] + cell / (end[0] - begin[0])) * g.sides[0] + begin[0] + cell % (end[0] - begin[0]);
			for (uint32_t k = g.starts[at]; k < g.starts[at + 1] && !crosses; k++) {
				if (g.edges[k] > i && meet(&edges[i], &edges[g.edges[k]], uvs)) {
					faces[0] = edges[i].face;
					faces[1] = edges[g.edges[k]].face;
					crosses = true;
				}
			}
		}
	}
	snw_arena_destroy(scratch);
	return crosses;
}
