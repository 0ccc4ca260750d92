/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "unwrap/unwrapping.h"

/* ---- borders that cross -------------------------------------------------------------------------------------------------- */

/* Whether the borders of a flat chart meet each other or themselves. A map that turns no triangle over covers nothing twice
 * if they do not. */

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

/* `faces` gets those of two edges that meet. */
static bool unwrap_border_crosses(const unwrap_chart *chart, const double (*uvs)[2], uint32_t faces[2]) {
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

/* ---- flatten ------------------------------------------------------------------------------------------------------------- */

enum {
	TRIAL_STEPS = 8,
	STEPS = 500,
	/* For charts with many triangles: a step costs about 7 s of a processor for a million, most of it the factor. */
	MOST_WORK = 15000000, /* triangles times steps */
	LEAST_STEPS = 10
};

/* ---- vertices that are held ---------------------------------------------------------------------------------------------- */

/* Holds some vertices where they are: their rows are those of the identity, and what they do to others goes to the right
 * side, [vertex_count][2], of which theirs are their places. */
static void hold(const unwrap_problem *p, const bool *held, const double (*places)[2], double (*right)[2]) {
	for (uint32_t column = 0; column < 2 * p->chart->vertex_count; column++) {
		for (uint32_t i = p->columns[column]; i < p->columns[column + 1]; i++) {
			const uint32_t row = p->rows[i];
			if (held[row / 2] || held[column / 2]) {
				if (!held[row / 2]) {
					right[row / 2][row % 2] -= p->values[i] * places[column / 2][column % 2];
				} else if (!held[column / 2]) {
					right[column / 2][column % 2] -= p->values[i] * places[row / 2][row % 2];
				}
				p->values[i] = row == column;
			}
		}
	}
	for (uint32_t v = 0; v < p->chart->vertex_count; v++) {
		if (held[v]) {
			memcpy(right[v], places[v], sizeof *right);
		}
	}
}

/* ---- least squares conformal --------------------------------------------------------------------------------------------- */

/* By its number of edges. */
static uint32_t longest_loop(const unwrap_chart *chart) {
	uint32_t longest = 0;
	for (uint32_t l = 1; l < chart->loop_count; l++) {
		const uint32_t count = chart->loop_offsets[l + 1] - chart->loop_offsets[l];
		longest = count > chart->loop_offsets[longest + 1] - chart->loop_offsets[longest] ? l : longest;
	}
	return longest;
}

/* Two vertices of the longest border, with as many of its edges on both sides. */
static void find_pins(const unwrap_chart *chart, uint32_t pins[2]) {
	const uint32_t loop = longest_loop(chart), begin = chart->loop_offsets[loop];
	pins[0] = chart->loop_vertices[begin];
	pins[1] = chart->loop_vertices[begin + (chart->loop_offsets[loop + 1] - begin) / 2];
}

static snw_status flatten_conformally(unwrap_problem *p, double (*uvs)[2]) {
	/* |J₀₀ − J₁₁|² + |J₀₁ + J₁₀|². */
	static const double conformal[4][4] = {{1, 0, 0, -1}, {0, 1, 1, 0}, {0, 1, 1, 0}, {-1, 0, 0, 1}};
	const uint32_t n = p->chart->vertex_count;
	snw_arena *scratch = snw_arena_create();
	bool *held = SNW_NEW_ARRAY(scratch, bool, n);
	double(*places)[2] = snw_arena_array(scratch, n, sizeof *places);
	uint32_t pins[2];
	unwrap_matrix_clear(p);
	for (uint32_t t = 0; t < p->chart->triangle_count; t++) {
		const unwrap_element *e = &p->elements[t];
		double form[4][4], matrix[6][6];
		for (int i = 0; i < 16; i++) {
			form[i / 4][i % 4] = e->own_area * conformal[i / 4][i % 4];
		}
		unwrap_form_pull_back(e, (const double(*)[4])form, matrix);
		unwrap_matrix_add(p, p->chart->triangles + 3 * (size_t)t, (const double(*)[6])matrix);
	}
	find_pins(p->chart, pins);
	held[pins[0]] = held[pins[1]] = true;
	places[pins[1]][0] = sqrt(p->mean_area * p->chart->triangle_count);
	memset(uvs, 0, n * sizeof *uvs);
	hold(p, held, (const double(*)[2])places, uvs);
	snw_status status = unwrap_matrix_factorize(p);
	status = snw_failed(status) ? status : snk_factor_solve(&p->factor, 1, &uvs[0][0]);
	snw_arena_destroy(scratch);
	return status;
}

/* ---- Tutte --------------------------------------------------------------------------------------------------------------- */

/* The chart with a fan over each border but the longest, whose middle is a vertex after the others. */
static unwrap_chart close_holes(const unwrap_chart *chart, snw_arena *arena) {
	unwrap_chart closed = *chart;
	const uint32_t outer = longest_loop(chart);
	const uint32_t outer_count = chart->loop_offsets[outer + 1] - chart->loop_offsets[outer];
	const uint32_t added = chart->loop_offsets[chart->loop_count] - outer_count;
	closed.triangles = SNW_NEW_ARRAY(arena, uint32_t, 3 * ((size_t)chart->triangle_count + added));
	memcpy(closed.triangles, chart->triangles, 3 * (size_t)chart->triangle_count * sizeof *closed.triangles);
	for (uint32_t l = 0; l < chart->loop_count; l++) {
		const uint32_t begin = chart->loop_offsets[l], count = chart->loop_offsets[l + 1] - begin;
		for (uint32_t i = 0; i < count && l != outer; i++) {
			uint32_t *triangle = closed.triangles + 3 * (size_t)closed.triangle_count++;
			triangle[0] = chart->loop_vertices[begin + (i + 1) % count];
			triangle[1] = chart->loop_vertices[begin + i];
			triangle[2] = closed.vertex_count;
		}
		closed.vertex_count += l != outer;
	}
	closed.loop_count = 1;
	closed.loop_offsets = SNW_NEW_ARRAY(arena, uint32_t, 2);
	closed.loop_offsets[1] = outer_count;
	closed.loop_vertices = chart->loop_vertices + chart->loop_offsets[outer];
	return closed;
}

/* The border of a disc around a circle. */
static void place_border(const unwrap_problem *p, bool *held, double (*places)[2]) {
	const double round = 6.283185307179586, radius = sqrt(p->mean_area * p->chart->triangle_count / 3);
	const uint32_t count = p->chart->loop_offsets[1];
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t v = p->chart->loop_vertices[i];
		held[v] = true;
		places[v][0] = radius * cos(round * i / count);
		places[v][1] = radius * sin(round * i / count);
	}
}

/* Each vertex of a disc at the mean of its neighbours. */
static snw_status solve_means(unwrap_problem *p, double (*uvs)[2], snw_arena *scratch) {
	const uint32_t n = p->chart->vertex_count;
	bool *held = SNW_NEW_ARRAY(scratch, bool, n);
	double(*places)[2] = snw_arena_array(scratch, n, sizeof *places);
	unwrap_pattern_make(p, scratch);
	for (uint32_t t = 0; t < p->chart->triangle_count; t++) {
		double matrix[6][6] = {{0}};
		for (int k = 0; k < 6; k++) {
			matrix[k][k] = 1;
			matrix[k][(k + 2) % 6] = matrix[k][(k + 4) % 6] = -0.5;
		}
		unwrap_matrix_add(p, p->chart->triangles + 3 * (size_t)t, (const double(*)[6])matrix);
	}
	place_border(p, held, places);
	hold(p, held, (const double(*)[2])places, uvs);
	const snw_status status = unwrap_matrix_factorize(p);
	return snw_failed(status) ? status : snk_factor_solve(&p->factor, 1, &uvs[0][0]);
}

static snw_status flatten_by_means(const unwrap_problem *p, double (*uvs)[2]) {
	snw_arena *scratch = snw_arena_create();
	const unwrap_chart closed = close_holes(p->chart, scratch);
	unwrap_problem disc = {.chart = &closed, .host = p->host, .mean_area = p->mean_area};
	double(*all)[2] = snw_arena_array(scratch, closed.vertex_count, sizeof *all);
	const snw_status status = solve_means(&disc, all, scratch);
	memcpy(uvs, all, p->chart->vertex_count * sizeof *uvs);
	snk_factor_release(&disc.factor);
	snw_arena_destroy(scratch);
	return status;
}

/* ---- a chart ------------------------------------------------------------------------------------------------------------- */

unwrap_stretch unwrap_chart_stretch(const unwrap_chart *chart, const unwrap_lengths *lengths, const double (*uvs)[2]) {
	unwrap_stretch sum = {0};
	for (uint32_t t = 0; t < chart->triangle_count; t++) {
		const uint32_t *v = chart->triangles + 3 * (size_t)t;
		const double *const corners[3] = {uvs[v[0]], uvs[v[1]], uvs[v[2]]};
		unwrap_stretch_add(lengths->squares + 3 * (size_t)chart->origins[t], lengths->areas[chart->origins[t]], corners, &sum);
	}
	return sum;
}

static uint32_t steps_of(uint32_t triangles) {
	const uint32_t most = MOST_WORK / triangles;
	return most > STEPS ? STEPS : most > LEAST_STEPS ? most : LEAST_STEPS;
}

static snw_status find_map(unwrap_problem *p, bool is_trial, double (*uvs)[2], bool *is_short) {
	snw_status status = flatten_conformally(p, uvs);
	if (status == SNW_ERROR_SINGULAR || (!snw_failed(status) && !unwrap_turns_none(p, (const double(*)[2])uvs))) {
		status = is_trial ? SNW_ERROR_DATA : flatten_by_means(p, uvs);
		status = snw_failed(status) || unwrap_turns_none(p, (const double(*)[2])uvs) ? status : SNW_ERROR_DATA;
	}
	if (!snw_failed(status)) {
		unwrap_scale_best(p, uvs);
		const uint32_t steps = is_trial ? TRIAL_STEPS : steps_of(p->chart->triangle_count);
		bool is_least = false;
		status = unwrap_stretch_reduce(p, steps, uvs, &is_least);
		*is_short = !is_trial && !is_least;
	}
	return status == SNW_ERROR_SINGULAR ? SNW_ERROR_DATA : status;
}

snw_status unwrap_flatten(const struct snw_host *host, const unwrap_chart *chart, const unwrap_lengths *lengths, bool is_trial,
						  const snw_task *task, unwrap_flat *flat) {
	snw_arena *scratch = snw_arena_create();
	unwrap_problem p = {.chart = chart, .host = host, .task = task};
	unwrap_elements_make(&p, lengths, scratch);
	unwrap_pattern_make(&p, scratch);
	const snw_status status = find_map(&p, is_trial, flat->uvs, &flat->is_short);
	if (!snw_failed(status)) {
		unwrap_scale_best(&p, flat->uvs);
		flat->stretch = unwrap_chart_stretch(chart, lengths, (const double(*)[2])flat->uvs);
		flat->is_crossed = unwrap_border_crosses(chart, (const double(*)[2])flat->uvs, flat->crossing);
	}
	snk_factor_release(&p.factor);
	snw_arena_destroy(scratch);
	return status;
}
