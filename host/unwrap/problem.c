/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unwrap/problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of a triangle, against the mean of the chart's: shorter edges, lower heights and smaller areas are taken as these. */
static const double least_edge = 1e-4, least_height = 1e-4, least_area = 1e-6;
static const double least_share = 1e-12; /* of the mean area: a flat triangle with less has none */

/* ---- triangles ----------------------------------------------------------------------------------------------------------- */

static void make_element(const double given[3], double area, double least, double mean_area, unwrap_element *e) {
	double squares[3];
	for (int k = 0; k < 3; k++) {
		squares[k] = fmax(given[k], least * least);
	}
	const double length = sqrt(squares[0]), x = (squares[0] + squares[2] - squares[1]) / (2 * length);
	const double y = sqrt(fmax(squares[2] - x * x, least_height * least_height * fmax(squares[0], squares[2])));
	/* Corners at (0, 0), (length, 0), (x, y). */
	e->own_area = length * y / 2;
	e->area = fmax(area, least_area * mean_area);
	e->gradients[1][0] = 1 / length;
	e->gradients[1][1] = -x / (length * y);
	e->gradients[2][0] = 0;
	e->gradients[2][1] = 1 / y;
	for (int c = 0; c < 2; c++) {
		e->gradients[0][c] = -e->gradients[1][c] - e->gradients[2][c];
	}
}

void unwrap_elements_make(unwrap_problem *p, const unwrap_lengths *lengths, snw_arena *arena) {
	const unwrap_chart *chart = p->chart;
	double squares = 0, area = 0;
	for (uint32_t t = 0; t < chart->triangle_count; t++) {
		const size_t origin = chart->origins[t];
		squares += lengths->squares[3 * origin] + lengths->squares[3 * origin + 1] + lengths->squares[3 * origin + 2];
		area += lengths->areas[origin];
	}
	const double edge = sqrt(squares / (3 * (double)chart->triangle_count));
	p->mean_area = area > 0 ? area / chart->triangle_count : edge * edge;
	p->elements = SNW_NEW_ARRAY(arena, unwrap_element, chart->triangle_count);
	for (uint32_t t = 0; t < chart->triangle_count; t++) {
		const size_t origin = chart->origins[t];
		make_element(lengths->squares + 3 * origin, lengths->areas[origin], least_edge * fmax(edge, 1e-150), p->mean_area,
					 &p->elements[t]);
	}
}

/* [2][2]: the map from the triangle to UV. */
void unwrap_jacobian(const unwrap_element *e, const uint32_t *vertices, const double (*uvs)[2], double j[2][2]) {
	for (int r = 0; r < 2; r++) {
		for (int c = 0; c < 2; c++) {
			j[r][c] = 0;
			for (int k = 0; k < 3; k++) {
				j[r][c] += uvs[vertices[k]][r] * e->gradients[k][c];
			}
		}
	}
}

double unwrap_determinant(const double (*j)[2]) {
	return j[0][0] * j[1][1] - j[0][1] * j[1][0];
}

static double twice_area(const uint32_t *v, const double (*uvs)[2]) {
	return (uvs[v[1]][0] - uvs[v[0]][0]) * (uvs[v[2]][1] - uvs[v[0]][1]) -
		   (uvs[v[1]][1] - uvs[v[0]][1]) * (uvs[v[2]][0] - uvs[v[0]][0]);
}

/* Whether every triangle has an area that is not lost in rounding. */
bool unwrap_turns_none(const unwrap_problem *p, const double (*uvs)[2]) {
	double sum = 0;
	for (uint32_t t = 0; t < p->chart->triangle_count; t++) {
		sum += fabs(twice_area(p->chart->triangles + 3 * (size_t)t, uvs));
	}
	for (uint32_t t = 0; t < p->chart->triangle_count; t++) {
		if (!(twice_area(p->chart->triangles + 3 * (size_t)t, uvs) > least_share * sum / p->chart->triangle_count)) {
			return false;
		}
	}
	return true;
}

/* ---- the matrix ---------------------------------------------------------------------------------------------------------- */

static int compare_indices(const void *a, const void *b) {
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return x < y ? -1 : x > y;
}

/* Vertices that share a triangle: of each, itself and those above it. */
static void find_neighbours(unwrap_problem *p, snw_arena *arena) {
	const unwrap_chart *chart = p->chart;
	snw_arena *scratch = snw_arena_create();
	const uint32_t n = chart->vertex_count;
	uint32_t *starts = SNW_NEW_ARRAY(scratch, uint32_t, (size_t)n + 2);
	for (uint32_t i = 0; i < 3 * chart->triangle_count; i++) {
		starts[chart->triangles[i] + 2] += 2;
	}
	for (uint32_t v = 0; v < n; v++) {
		starts[v + 2] += starts[v + 1] + 1;
	}
	uint32_t *all = SNW_NEW_ARRAY(scratch, uint32_t, starts[n + 1]);
	for (uint32_t v = 0; v < n; v++) {
		all[starts[v + 1]++] = v;
	}
	for (uint32_t i = 0; i < 3 * chart->triangle_count; i++) {
		const uint32_t first = i - i % 3, v = chart->triangles[i];
		all[starts[v + 1]++] = chart->triangles[first + (i + 1) % 3];
		all[starts[v + 1]++] = chart->triangles[first + (i + 2) % 3];
	}
	p->neighbour_offsets = SNW_NEW_ARRAY(arena, uint32_t, (size_t)n + 1);
	p->neighbours = SNW_NEW_ARRAY(arena, uint32_t, starts[n]);
	uint32_t count = 0;
	for (uint32_t v = 0; v < n; v++) {
		qsort(all + starts[v], starts[v + 1] - starts[v], sizeof *all, compare_indices);
		for (uint32_t i = starts[v]; i < starts[v + 1]; i++) {
			if (all[i] >= v && (i == starts[v] || all[i] != all[i - 1])) {
				p->neighbours[count++] = all[i];
			}
		}
		p->neighbour_offsets[v + 1] = count;
	}
	snw_arena_destroy(scratch);
}

/* Columns 2v and 2v + 1 of vertex v; the second begins at its diagonal. */
void unwrap_pattern_make(unwrap_problem *p, snw_arena *arena) {
	find_neighbours(p, arena);
	const uint32_t n = p->chart->vertex_count;
	p->columns = SNW_NEW_ARRAY(arena, uint32_t, 2 * (size_t)n + 1);
	p->blocks = SNW_NEW_ARRAY(arena, uint32_t, (size_t)n + 1);
	const size_t entries = 4 * (size_t)p->neighbour_offsets[n];
	p->rows = SNW_NEW_ARRAY(arena, uint32_t, entries);
	p->values = SNW_NEW_ARRAY(arena, double, entries);
	uint32_t at = 0;
	for (uint32_t v = 0; v < n; v++) {
		p->blocks[v + 1] = 2 * (v + 1);
		for (uint32_t d = 0; d < 2; d++) {
			for (uint32_t i = p->neighbour_offsets[v]; i < p->neighbour_offsets[v + 1]; i++) {
				for (uint32_t r = i == p->neighbour_offsets[v] ? d : 0; r < 2; r++) {
					p->rows[at++] = 2 * p->neighbours[i] + r;
				}
			}
			p->columns[2 * v + d + 1] = at;
		}
	}
}

/* The place of row 2·high + r in column 2·low + d, high ≥ low. */
static double *entry(const unwrap_problem *p, uint32_t low, uint32_t d, uint32_t high, uint32_t r) {
	const uint32_t begin = p->neighbour_offsets[low], count = p->neighbour_offsets[low + 1] - begin;
	uint32_t at = 0;
	while (at < count && p->neighbours[begin + at] != high) {
		at++;
	}
	return p->values + p->columns[2 * low + d] + 2 * at + r - d;
}

/* Adds a triangle's 6 × 6 matrix of (u₀, v₀, u₁, v₁, u₂, v₂). */
void unwrap_matrix_add(const unwrap_problem *p, const uint32_t *vertices, const double (*matrix)[6]) {
	for (uint32_t a = 0; a < 3; a++) {
		for (uint32_t b = 0; b < 3; b++) {
			for (uint32_t d = 0; d < 2 && vertices[b] >= vertices[a]; d++) {
				for (uint32_t r = vertices[b] == vertices[a] ? d : 0; r < 2; r++) {
					*entry(p, vertices[a], d, vertices[b], r) += matrix[2 * b + r][2 * a + d];
				}
			}
		}
	}
}

/* Of a form over J = (J₀₀, J₀₁, J₁₀, J₁₁) that over the vertices. */
void unwrap_form_pull_back(const unwrap_element *e, const double (*form)[4], double (*matrix)[6]) {
	for (int i = 0; i < 6; i++) {
		for (int k = 0; k < 6; k++) {
			double sum = 0;
			for (int a = 0; a < 2; a++) {
				for (int b = 0; b < 2; b++) {
					sum += e->gradients[i / 2][a] * e->gradients[k / 2][b] * form[2 * (i % 2) + a][2 * (k % 2) + b];
				}
			}
			matrix[i][k] = sum;
		}
	}
}

snw_status unwrap_matrix_factorize(unwrap_problem *p) {
	if (p->has_factor) {
		return snk_factor_refactor(&p->factor, p->values);
	}
	const snw_sparse_call call = {.size = sizeof call,
								  .n = 2 * p->chart->vertex_count,
								  .column_offsets = p->columns,
								  .rows = p->rows,
								  .values = p->values,
								  .block_offsets = p->blocks,
								  .block_count = p->chart->vertex_count};
	const snw_status status = snk_factor_blocks(p->host, &call, &p->factor);
	p->has_factor = !snw_failed(status);
	return status;
}

void unwrap_matrix_clear(const unwrap_problem *p) {
	memset(p->values, 0, p->columns[2 * p->chart->vertex_count] * sizeof *p->values);
}
