/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "unwrap/unwrapping.h"

/* ---- the equations ------------------------------------------------------------------------------------------------------- */

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

/* [2][2]: the map from a triangle to UV, and its determinant. [2][2]: the map from the triangle to UV. */
static void unwrap_jacobian(const unwrap_element *e, const uint32_t *vertices, const double (*uvs)[2], double j[2][2]) {
	for (int r = 0; r < 2; r++) {
		for (int c = 0; c < 2; c++) {
			j[r][c] = 0;
			for (int k = 0; k < 3; k++) {
				j[r][c] += uvs[vertices[k]][r] * e->gradients[k][c];
			}
		}
	}
}

static double unwrap_determinant(const double (*j)[2]) {
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

/* ---- Newton steps -------------------------------------------------------------------------------------------------------- */

static const double least_ridge = 1e-9; /* of the mean of the diagonal: rotations change no stretch */
static const double least_decrease = 1e-10, sufficient = 1e-4;

/* Σ area |J|² / 2 det² + own_area det; infinite with a triangle turned over. */
static double energy(const unwrap_problem *p, const double (*uvs)[2]) {
	double sum = 0;
	for (uint32_t t = 0; t < p->chart->triangle_count; t++) {
		double j[2][2];
		unwrap_jacobian(&p->elements[t], p->chart->triangles + 3 * (size_t)t, uvs, j);
		const double det = unwrap_determinant((const double(*)[2])j);
		if (!(det > 0)) {
			return (double)INFINITY;
		}
		const double squares = j[0][0] * j[0][0] + j[0][1] * j[0][1] + j[1][0] * j[1][0] + j[1][1] * j[1][1];
		sum += p->elements[t].area * squares / (2 * det * det) + p->elements[t].own_area * det;
	}
	return sum;
}

/* The scale at which both sums are equal. */
void unwrap_scale_best(const unwrap_problem *p, double (*uvs)[2]) {
	double stretched = 0, flat = 0;
	for (uint32_t t = 0; t < p->chart->triangle_count; t++) {
		double j[2][2];
		unwrap_jacobian(&p->elements[t], p->chart->triangles + 3 * (size_t)t, (const double(*)[2])uvs, j);
		const double det = unwrap_determinant((const double(*)[2])j);
		const double squares = j[0][0] * j[0][0] + j[0][1] * j[0][1] + j[1][0] * j[1][0] + j[1][1] * j[1][1];
		stretched += p->elements[t].area * squares / (2 * det * det);
		flat += p->elements[t].own_area * det;
	}
	const double scale = sqrt(sqrt(stretched / flat));
	for (uint32_t v = 0; v < p->chart->vertex_count; v++) {
		uvs[v][0] *= scale;
		uvs[v][1] *= scale;
	}
}

/* J = U diag(a, b) Vᵀ with rotations U and V, a ≥ b > 0 as the unwrap_determinant is positive. */
static void decompose(const double (*j)[2], double u[2][2], double v[2][2], double *a, double *b) {
	const double e = (j[0][0] + j[1][1]) / 2, f = (j[0][0] - j[1][1]) / 2;
	const double g = (j[1][0] + j[0][1]) / 2, h = (j[1][0] - j[0][1]) / 2;
	const double q = hypot(e, h), r = hypot(f, g);
	const double one = atan2(g, f), two = atan2(h, e), left = (one + two) / 2, right = (one - two) / 2;
	*a = q + r;
	*b = q - r;
	u[0][0] = u[1][1] = cos(left);
	u[1][0] = sin(left);
	u[0][1] = -u[1][0];
	v[0][0] = v[1][1] = cos(right);
	v[1][0] = sin(right);
	v[0][1] = -v[1][0];
}

/* Adds λ x xᵀ for the mode x = U m Vᵀ. */
static void add_mode(const double (*u)[2], const double (*v)[2], const double (*m)[2], double lambda, double (*form)[4]) {
	double x[4];
	for (int r = 0; r < 2; r++) {
		for (int c = 0; c < 2; c++) {
			x[2 * r + c] = 0;
			for (int a = 0; a < 2; a++) {
				for (int b = 0; b < 2; b++) {
					x[2 * r + c] += u[r][a] * m[a][b] * v[c][b];
				}
			}
		}
	}
	for (int i = 0; i < 16; i++) {
		form[i / 4][i % 4] += lambda * x[i / 4] * x[i % 4];
	}
}

/* The Hessian of area (1 / 2a² + 1 / 2b²) + own_area a b over J, without its negative directions. */
static void make_form(const unwrap_element *e, const double (*j)[2], double (*form)[4]) {
	double u[2][2], v[2][2], a, b;
	decompose(j, u, v, &a, &b);
	b = fmax(b, 1e-12 * a);
	const double c = e->own_area, w = e->area;
	const double aa = 3 * w / (a * a * a * a), bb = 3 * w / (b * b * b * b);
	const double middle = (aa + bb) / 2, apart = hypot((aa - bb) / 2, c), angle = atan2(c, (aa - bb) / 2) / 2;
	const double large[2][2] = {{cos(angle), 0}, {0, sin(angle)}}, small[2][2] = {{-sin(angle), 0}, {0, cos(angle)}};
	const double half = sqrt(0.5), twist[2][2] = {{0, -half}, {half, 0}}, flip[2][2] = {{0, half}, {half, 0}};
	const double a3 = a * a * a, b3 = b * b * b;
	memset(form, 0, 16 * sizeof form[0][0]);
	add_mode((const double(*)[2])u, (const double(*)[2])v, large, middle + apart, form);
	add_mode((const double(*)[2])u, (const double(*)[2])v, small, fmax(middle - apart, 0), form);
	add_mode((const double(*)[2])u, (const double(*)[2])v, twist, fmax(c - w * (a3 + b3) / ((a + b) * a3 * b3), 0), form);
	add_mode((const double(*)[2])u, (const double(*)[2])v, flip, fmax(w * (a * a + a * b + b * b) / (a3 * b3) - c, 0), form);
}

static void add_gradient(const unwrap_element *e, const uint32_t *vertices, const double (*j)[2], double (*gradient)[2]) {
	const double det = unwrap_determinant(j);
	const double squares = j[0][0] * j[0][0] + j[0][1] * j[0][1] + j[1][0] * j[1][0] + j[1][1] * j[1][1];
	const double cofactors[2][2] = {{j[1][1], -j[1][0]}, {-j[0][1], j[0][0]}};
	const double along = e->own_area - e->area * squares / (det * det * det);
	for (int r = 0; r < 2; r++) {
		for (int c = 0; c < 2; c++) {
			const double slope = e->area * j[r][c] / (det * det) + along * cofactors[r][c];
			for (int k = 0; k < 3; k++) {
				gradient[vertices[k]][r] += slope * e->gradients[k][c];
			}
		}
	}
}

/* The Newton step from `uvs`, and how steeply the energy falls along it. */
static snw_status find_step(unwrap_problem *p, const double (*uvs)[2], double (*step)[2], double *slope) {
	const uint32_t n = p->chart->vertex_count;
	unwrap_matrix_clear(p);
	memset(step, 0, n * sizeof *step);
	for (uint32_t t = 0; t < p->chart->triangle_count; t++) {
		const uint32_t *vertices = p->chart->triangles + 3 * (size_t)t;
		double j[2][2], form[4][4], matrix[6][6];
		unwrap_jacobian(&p->elements[t], vertices, uvs, j);
		make_form(&p->elements[t], (const double(*)[2])j, form);
		unwrap_form_pull_back(&p->elements[t], (const double(*)[4])form, matrix);
		unwrap_matrix_add(p, vertices, (const double(*)[6])matrix);
		add_gradient(&p->elements[t], vertices, (const double(*)[2])j, step);
	}
	double diagonal = 0;
	for (uint32_t c = 0; c < 2 * n; c++) {
		diagonal += p->values[p->columns[c]] / (2 * n);
	}
	for (uint32_t c = 0; c < 2 * n; c++) {
		p->values[p->columns[c]] += least_ridge * diagonal;
	}
	const size_t bytes = n * sizeof *step;
	double(*gradient)[2] = malloc(bytes + 1);
	if (!gradient) {
		return SNW_ERROR_MEMORY;
	}
	memcpy(gradient, step, bytes);
	snw_status status = unwrap_matrix_factorize(p);
	status = snw_failed(status) ? status : snk_factor_solve(&p->factor, 1, &step[0][0]);
	*slope = 0;
	for (uint32_t v = 0; v < n && !snw_failed(status); v++) {
		for (int c = 0; c < 2; c++) {
			step[v][c] = -step[v][c];
			*slope += step[v][c] * gradient[v][c];
		}
	}
	free(gradient);
	return status;
}

/* The longest step, at most 1, at which no triangle is turned over: det(x + t d) is quadratic in t. */
static double longest_step(const unwrap_problem *p, const double (*uvs)[2], const double (*step)[2]) {
	double longest = 1 / 0.9;
	for (uint32_t t = 0; t < p->chart->triangle_count; t++) {
		const uint32_t *v = p->chart->triangles + 3 * (size_t)t;
		const double a[2] = {uvs[v[1]][0] - uvs[v[0]][0], uvs[v[1]][1] - uvs[v[0]][1]};
		const double b[2] = {uvs[v[2]][0] - uvs[v[0]][0], uvs[v[2]][1] - uvs[v[0]][1]};
		const double da[2] = {step[v[1]][0] - step[v[0]][0], step[v[1]][1] - step[v[0]][1]};
		const double db[2] = {step[v[2]][0] - step[v[0]][0], step[v[2]][1] - step[v[0]][1]};
		const double zero = a[0] * b[1] - a[1] * b[0], two = da[0] * db[1] - da[1] * db[0];
		const double one = a[0] * db[1] - a[1] * db[0] + da[0] * b[1] - da[1] * b[0];
		const double inside = one * one - 4 * two * zero;
		if (inside < 0) {
			continue;
		}
		/* The least positive root, without cancellation. */
		const double q = -(one + (one >= 0 ? sqrt(inside) : -sqrt(inside))) / 2;
		const double roots[2] = {q / two, zero / q};
		for (int r = 0; r < 2; r++) {
			longest = roots[r] > 0 && roots[r] < longest ? roots[r] : longest;
		}
	}
	return fmin(0.9 * longest, 1);
}

static void go(uint32_t n, const double (*from)[2], const double (*step)[2], double length, double (*to)[2]) {
	for (uint32_t v = 0; v < n; v++) {
		to[v][0] = from[v][0] + length * step[v][0];
		to[v][1] = from[v][1] + length * step[v][1];
	}
}

snw_status unwrap_stretch_reduce(unwrap_problem *p, uint32_t steps, double (*uvs)[2], bool *is_least) {
	const uint32_t n = p->chart->vertex_count;
	snw_arena *scratch = snw_arena_create();
	double(*step)[2] = snw_arena_array(scratch, n, sizeof *step), (*trial)[2] = snw_arena_array(scratch, n, sizeof *trial);
	snw_status status = SNW_OK;
	double here = energy(p, (const double(*)[2])uvs);
	*is_least = false;
	for (uint32_t i = 0; i < steps && !snw_failed(status); i++) {
		double slope = 0;
		status = find_step(p, (const double(*)[2])uvs, step, &slope);
		double length = snw_failed(status) ? 0 : longest_step(p, (const double(*)[2])uvs, (const double(*)[2])step),
			   there = here;
		for (int halvings = 0; halvings < 30 && length > 0; halvings++, length /= 2) {
			go(n, (const double(*)[2])uvs, (const double(*)[2])step, length, trial);
			there = energy(p, (const double(*)[2])trial);
			if (there <= here + sufficient * length * slope) {
				break;
			}
		}
		const bool is_better = there < here;
		if (is_better) {
			memcpy(uvs, trial, n * sizeof *uvs);
		}
		if (!is_better || here - there < least_decrease * here) {
			*is_least = true;
			break;
		}
		here = there;
		status = snw_failed(status) || snw_task_progress(p->task, (double)i / steps, "flattening") ? status : SNW_CANCELLED;
	}
	snw_arena_destroy(scratch);
	return status == SNW_ERROR_SINGULAR ? SNW_OK : status; /* the best so far */
}
