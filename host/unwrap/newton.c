/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unwrap/newton.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
