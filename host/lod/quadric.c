/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "lod/lod_internal.h"
#include "sinew/algebra.h"
#include "sinew/kit/numerics/systems.h"

static const double sliding = 0.5; /* share of the distance that counts sliding along the surface */

/* ---- sums ---------------------------------------------------------------------------------------------------------------- */

static double dot_floats(uint32_t n, const float *a, const float *b) {
	double sum = 0;
	for (uint32_t i = 0; i < n; i++) {
		sum += (double)(a[i] * b[i]);
	}
	return sum;
}

/* matrix += weight · a aᵀ */
static void add_square(uint32_t n, uint32_t n_padded, double weight, const double *a, float *matrix) {
	float row[LOD_MOST_AXES] = {0};
	for (uint32_t i = 0; i < n; i++) {
		row[i] = (float)a[i];
	}
	for (uint32_t i = 0; i < n; i++) {
		const float factor = (float)(weight * a[i]);
		float *to = matrix + (size_t)i * n_padded;
		for (uint32_t j = 0; j < n_padded; j++) {
			to[j] += factor * row[j];
		}
	}
}

static void add_identity(uint32_t n, uint32_t n_padded, double weight, float *matrix) {
	for (uint32_t i = 0; i < n; i++) {
		matrix[(size_t)i * n_padded + i] += (float)weight;
	}
}

static void subtract(uint32_t n, const double *a, const double *b, double *difference) {
	for (uint32_t i = 0; i < n; i++) {
		difference[i] = a[i] - b[i];
	}
}

static double normalize(uint32_t n, double *a) {
	const double length = sqrt(snk_dot(n, a, a));
	for (uint32_t i = 0; i < n && length > 0; i++) {
		a[i] /= length;
	}
	return length;
}

pose_places pose_places_make(const snw_motion *motion, uint32_t n_padded, snw_arena *arena) {
	const uint32_t pose_count = motion->pose_count;
	float *matrices = SNW_NEW_ARRAY(arena, float, 3 * (size_t)pose_count * n_padded);
	for (uint32_t i = 0; i < motion->axis_count; i++) {
		for (size_t row = 0; row < 3 * (size_t)pose_count; row++) {
			matrices[row * n_padded + i] = (float)(sqrt(pose_count) * motion->axes[i * 3 * (size_t)pose_count + row]);
		}
	}
	return (pose_places){pose_count, n_padded, matrices};
}

/* matrix += the mean over the poses of the square of the distance from the triangle's plane, by its area there */
static void add_planes(const pose_places *places, double weight, const float *along, const float *across, float *matrix) {
	const uint32_t n_padded = places->n_padded;
	for (uint32_t p = 0; p < places->pose_count; p++) {
		const float *to_pose = places->matrices + 3 * (size_t)p * n_padded;
		double u[3], v[3], normal[3];
		for (size_t c = 0; c < 3; c++) {
			u[c] = dot_floats(n_padded, to_pose + c * n_padded, along);
			v[c] = dot_floats(n_padded, to_pose + c * n_padded, across);
		}
		snw_cross3(u, v, normal);
		const double length = sqrt(snw_dot3(normal, normal)); /* twice the area, over the number of poses */
		double row[LOD_MOST_AXES] = {0};
		for (size_t c = 0; c < 3 && length > 0; c++) {
			for (uint32_t i = 0; i < n_padded; i++) {
				row[i] += normal[c] / length * (double)to_pose[c * n_padded + i];
			}
		}
		add_square(n_padded, n_padded, weight * places->pose_count * length / 2, row, matrix);
	}
}

double add_face_quadric(uint32_t n, const pose_places *places, const double *const corners[3], float *const matrices[3]) {
	const uint32_t n_padded = places->n_padded;
	float matrix[LOD_MOST_AXES * LOD_MOST_AXES] = {0}, ways[2][LOD_MOST_AXES] = {{0}};
	double along[LOD_MOST_AXES], across[LOD_MOST_AXES];
	subtract(n, corners[1], corners[0], along);
	subtract(n, corners[2], corners[0], across);
	for (uint32_t i = 0; i < n; i++) {
		ways[0][i] = (float)along[i];
		ways[1][i] = (float)across[i];
	}
	add_planes(places, 1 - sliding, ways[0], ways[1], matrix);
	const double base = normalize(n, along), part = snk_dot(n, along, across);
	for (uint32_t i = 0; i < n; i++) {
		across[i] -= part * along[i];
	}
	const double area = base * normalize(n, across) / 2;
	add_identity(n, n_padded, sliding * area, matrix);
	add_square(n, n_padded, -sliding * area, along, matrix);
	add_square(n, n_padded, -sliding * area, across, matrix);
	for (int k = 0; k < 3; k++) {
		for (uint32_t i = 0; i < n * n_padded; i++) {
			matrices[k][i] += matrix[i];
		}
	}
	return area;
}

void add_line_quadric(uint32_t n, uint32_t n_padded, double weight, const double *a, const double *b, float *matrix_a,
					  float *matrix_b) {
	double along[LOD_MOST_AXES];
	subtract(n, b, a, along);
	const double length = normalize(n, along), square = weight * length * length;
	float *const matrices[2] = {matrix_a, matrix_b};
	for (int k = 0; k < 2; k++) {
		add_identity(n, n_padded, square, matrices[k]);
		add_square(n, n_padded, -square, along, matrices[k]);
	}
}

/* matrix · a */
static void multiply(uint32_t n, uint32_t n_padded, const float *matrix, const float *a, float *product) {
	memset(product, 0, n_padded * sizeof *product);
	for (uint32_t i = 0; i < n; i++) {
		const float *row = matrix + (size_t)i * n_padded, factor = a[i];
		for (uint32_t j = 0; j < n_padded; j++) {
			product[j] += factor * row[j];
		}
	}
}

static double dot_mixed(uint32_t n, const float *a, const double *b) {
	double sum = 0;
	for (uint32_t i = 0; i < n; i++) {
		sum += (double)a[i] * b[i];
	}
	return sum;
}

/* ---- in the shares of places --------------------------------------------------------------------------------------------- */

void reduce_quadrics(uint32_t n, uint32_t n_padded, const quadric *a, const quadric *b, uint32_t count,
					 const double *const *places, reduced_quadric *q) {
	float matrix[LOD_MOST_AXES * LOD_MOST_AXES], product[LOD_MOST_AXES];
	double vector[LOD_MOST_AXES];
	q->n = n;
	q->count = count;
	for (uint32_t k = 1; k < count; k++) {
		for (uint32_t i = 0; i < n; i++) {
			q->ways[k][i] = (float)(places[k][i] - places[0][i]);
		}
	}
	multiply(n, n_padded, b->matrix, q->ways[1], product); /* b from about the second place to about the first */
	for (uint32_t i = 0; i < n; i++) {
		vector[i] = a->vector[i] + b->vector[i] - (double)product[i];
	}
	q->constant = a->constant + b->constant + dot_floats(n, product, q->ways[1]) - 2 * dot_mixed(n, q->ways[1], b->vector);
	for (uint32_t i = 0; i < n * n_padded; i++) {
		matrix[i] = a->matrix[i] + b->matrix[i];
	}
	for (uint32_t k = 1; k < count; k++) {
		multiply(n, n_padded, matrix, q->ways[k], product);
		q->vector[k] = dot_mixed(n, q->ways[k], vector);
		for (uint32_t l = 1; l <= k; l++) {
			q->matrix[k][l] = q->matrix[l][k] = dot_floats(n, product, q->ways[l]);
		}
	}
}

void solve_reduced(const reduced_quadric *q, double ridge, double *shares) {
	double factor[QUADRIC_RING][QUADRIC_RING], side[QUADRIC_RING] = {0}, draw[QUADRIC_RING] = {0};
	for (uint32_t k = 1; k < q->count; k++) {
		draw[k] = ridge * dot_floats(q->n, q->ways[k], q->ways[k]);
		side[k] = -q->vector[k];
	}
	const double firm = q->matrix[1][1] + draw[1];
	side[1] += draw[1] * (firm > 0 ? fmin(fmax((draw[1] / 2 - q->vector[1]) / firm, 0), 1) : 0.5);
	for (uint32_t k = 1; k < q->count; k++) { /* Cholesky; a direction without a cost stays where it is */
		for (uint32_t l = 1; l <= k; l++) {
			double sum = q->matrix[k][l] + (k == l ? draw[k] : 0);
			for (uint32_t j = 1; j < l; j++) {
				sum -= factor[k][j] * factor[l][j];
			}
			factor[k][l] = k == l ? (sum > 1e-12 * draw[k] && sum > 0 ? sqrt(sum) : (double)INFINITY) : sum / factor[l][l];
		}
		for (uint32_t j = 1; j < k; j++) {
			side[k] -= factor[k][j] * side[j];
		}
		side[k] /= factor[k][k];
	}
	shares[0] = 1;
	for (uint32_t k = q->count; k-- > 1;) {
		for (uint32_t j = k + 1; j < q->count; j++) {
			side[k] -= factor[j][k] * side[j];
		}
		side[k] /= factor[k][k];
		shares[k] = side[k];
		shares[0] -= side[k];
	}
}

double cost_reduced(const reduced_quadric *q, const double *shares) {
	double cost = q->constant;
	for (uint32_t k = 1; k < q->count; k++) {
		double row = 2 * q->vector[k];
		for (uint32_t l = 1; l < q->count; l++) {
			row += q->matrix[k][l] * shares[l];
		}
		cost += row * shares[k];
	}
	return cost > 0 ? cost : 0;
}

/* vector, constant of a quadric about one place become those about another. */
static void move_quadric(uint32_t n, uint32_t n_padded, const float *matrix, const double *from, const double *to,
						 double *vector, double *constant) {
	float way[LOD_MOST_AXES] = {0}, product[LOD_MOST_AXES];
	for (uint32_t i = 0; i < n; i++) {
		way[i] = (float)(to[i] - from[i]);
	}
	multiply(n, n_padded, matrix, way, product);
	*constant += 2 * dot_mixed(n, way, vector) + dot_floats(n, product, way);
	for (uint32_t i = 0; i < n; i++) {
		vector[i] += (double)product[i];
	}
}

void join_quadrics(uint32_t n, uint32_t n_padded, const float *from_matrix, const double *from_vector, double from_constant,
				   const double *from_place, float *to_matrix, double *to_vector, double *to_constant, const double *to_place,
				   const double *place) {
	double vector[LOD_MOST_AXES];
	memcpy(vector, from_vector, n * sizeof *vector);
	move_quadric(n, n_padded, from_matrix, from_place, place, vector, &from_constant);
	move_quadric(n, n_padded, to_matrix, to_place, place, to_vector, to_constant);
	*to_constant = fmax(*to_constant + from_constant, 0);
	for (uint32_t i = 0; i < n; i++) {
		to_vector[i] += vector[i];
	}
	for (uint32_t i = 0; i < n * n_padded; i++) {
		to_matrix[i] += from_matrix[i];
	}
}

/* ---- values of corners --------------------------------------------------------------------------------------------------- */

wedge_sums wedge_sums_make(lod_surface *s, snw_arena *arena) {
	wedge_sums w = {.n = s->axis_count, .wedges = s->wedges, .kinds = s->values};
	for (uint32_t m = 0; m < s->scene->mesh_count; m++) {
		w.value_count = s->values[m].count > w.value_count ? s->values[m].count : w.value_count;
	}
	w.gradients = SNW_NEW_ARRAY(arena, float, (size_t)s->wedge_count *w.value_count *w.n);
	w.values = SNW_NEW_ARRAY(arena, double, (size_t)s->wedge_count *w.value_count);
	w.areas = SNW_NEW_ARRAY(arena, double, s->wedge_count);
	return w;
}

void add_face_values(wedge_sums *w, uint32_t n_padded, const lod_triangle *t, const double *const corners[3], double area,
					 float *const matrices[3], double *vectors, double *constants) {
	const lod_values *kinds = &w->kinds[t->mesh];
	double along[LOD_MOST_AXES], across[LOD_MOST_AXES], gradient[LOD_MOST_AXES];
	subtract(w->n, corners[1], corners[0], along);
	subtract(w->n, corners[2], corners[0], across);
	const double aa = snk_dot(w->n, along, along), ab = snk_dot(w->n, along, across), bb = snk_dot(w->n, across, across);
	const double det = aa * bb - ab * ab;
	if (det <= 1e-12 * aa * bb) {
		return; /* a triangle without area has no gradient */
	}
	for (uint32_t i = 0; i < kinds->count; i++) {
		const float *values[3];
		for (int k = 0; k < 3; k++) {
			values[k] = w->wedges[t->wedges[k]].values + i;
		}
		const double first = (double)(*values[1] - *values[0]), second = (double)(*values[2] - *values[0]);
		const double square = kinds->scales[i] * kinds->scales[i] * area;
		for (uint32_t a = 0; a < w->n; a++) {
			gradient[a] = ((bb * first - ab * second) * along[a] + (aa * second - ab * first) * across[a]) / det;
		}
		for (int k = 0; k < 3; k++) {
			const size_t at = (size_t)t->wedges[k] * w->value_count + i, v = t->vertices[k];
			for (uint32_t a = 0; a < w->n; a++) {
				w->gradients[at * w->n + a] += (float)(area * gradient[a]);
				vectors[v * w->n + a] += square * (double)*values[k] * gradient[a];
			}
			w->values[at] += area * (double)*values[k];
			constants[v] += square * (double)(*values[k] * *values[k]);
			add_square(w->n, n_padded, square, gradient, matrices[k]);
		}
	}
	for (int k = 0; k < 3; k++) {
		w->areas[t->wedges[k]] += kinds->count > 0 ? area : 0;
	}
}

void reduce_wedges(const wedge_sums *w, uint32_t count, const wedge_pair *pairs, reduced_quadric *q) {
	for (uint32_t p = 0; p < count; p++) {
		const uint32_t ids[2] = {pairs[p].from, pairs[p].to}, some = ids[0] == SNW_NONE ? ids[1] : ids[0];
		const lod_values *kinds = &w->kinds[w->wedges[some].mesh];
		const double area = (ids[0] == SNW_NONE ? 0 : w->areas[ids[0]]) + (ids[1] == SNW_NONE ? 0 : w->areas[ids[1]]);
		for (uint32_t i = 0; i < kinds->count && area > 0; i++) {
			const double square = kinds->scales[i] * kinds->scales[i] / area;
			double value = 0, slopes[QUADRIC_RING] = {0};
			for (int e = 0; e < 2; e++) {
				const size_t at = (size_t)ids[e] * w->value_count + i;
				if (ids[e] == SNW_NONE) {
					continue;
				}
				for (uint32_t k = 1; k < q->count; k++) {
					slopes[k] += dot_floats(w->n, w->gradients + at * w->n, q->ways[k]);
				}
				value += w->values[at] - (e == 1 ? dot_floats(w->n, w->gradients + at * w->n, q->ways[1]) : 0);
			}
			q->constant -= square * value * value;
			for (uint32_t k = 1; k < q->count; k++) {
				q->vector[k] -= square * value * slopes[k];
				for (uint32_t l = 1; l < q->count; l++) {
					q->matrix[k][l] -= square * slopes[k] * slopes[l];
				}
			}
		}
	}
}

/* The sums of a wedge become those about another place. */
static void move_wedge(wedge_sums *w, size_t wedge, const double *from, const double *to) {
	double way[LOD_MOST_AXES];
	subtract(w->n, to, from, way);
	for (size_t at = wedge * w->value_count; at < (wedge + 1) * w->value_count; at++) {
		w->values[at] += dot_mixed(w->n, w->gradients + at * w->n, way);
	}
}

void join_wedges(wedge_sums *w, uint32_t count, const wedge_pair *pairs, const double *from_place, const double *to_place,
				 const double *place, bool keeps_values) {
	for (uint32_t p = 0; p < count; p++) {
		const size_t from = pairs[p].from, to = pairs[p].to;
		if (pairs[p].from == SNW_NONE || pairs[p].to == SNW_NONE) {
			continue;
		}
		move_wedge(w, from, from_place, place);
		move_wedge(w, to, to_place, place);
		w->areas[to] += w->areas[from];
		for (uint32_t i = 0; i < w->value_count; i++) {
			const size_t a = from * w->value_count + i, b = to * w->value_count + i;
			w->values[b] += w->values[a];
			for (uint32_t k = 0; k < w->n; k++) {
				w->gradients[b * w->n + k] += w->gradients[a * w->n + k];
			}
			if (!keeps_values && w->areas[to] > 0) {
				w->wedges[to].values[i] = (float)(w->values[b] / w->areas[to]);
			}
		}
	}
}
