/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The triangles of a mesh, the weights of their edges, and their deformation gradients over the samples.
 */
#include <math.h>
#include <string.h>

#include "rotational-regression/fit.h"
#include "sinew/algebra.h"
#include "sinew/kit/numerics/svd3.h"
#include "sinew/kit/status.h"

/* The least weight of an edge, and the most: slivers have cotangents without bound, and obtuse angles negative ones. */
static const double lightest = 0.05, heaviest = 10;

/* Triangles of less area than this part of the squared diagonal have no gradient. */
static const double no_area = 1e-14;

static double least_area(const mesh_fit *f) {
	return no_area * f->diagonal * f->diagonal;
}

static double cotangent_weight(const double *points, uint32_t a, uint32_t b, uint32_t opposite) {
	double u[3], v[3], normal[3];
	for (size_t c = 0; c < 3; c++) {
		u[c] = points[3 * (size_t)a + c] - points[3 * (size_t)opposite + c];
		v[c] = points[3 * (size_t)b + c] - points[3 * (size_t)opposite + c];
	}
	snw_cross3(u, v, normal);
	const double twice_area = snw_length3(normal);
	return twice_area > 0 ? fmin(fmax(0.5 * snw_dot3(u, v) / twice_area, lightest), heaviest) : lightest;
}

/* The paper takes the second and the third edge of each triangle from its first corner. A triangle without a gradient says
 * nothing of its edges. */
static void find_weights(const mesh_fit *f, const uint32_t corners[3], double area, double weights[3]) {
	for (int e = 0; e < 3; e++) {
		weights[e] = !(area > least_area(f)) ? 0
					 : f->model->anchors == ANCHORS_FIXED
						 ? e != 1
						 : cotangent_weight(f->mesh->points_rest, corners[e], corners[(e + 1) % 3], corners[(e + 2) % 3]);
	}
}

/* Columns: two edges, and the unit normal (R. Sumner, J. Popović, Deformation transfer, 2004, with the normal's length 1).
 * Returns the area. `sample` NULL: at rest. */
static double read_edges(const mesh_fit *f, const snk_sample *sample, const uint32_t corners[3], double columns[12]) {
	double points[3][3], edges[2][3], normal[3];
	for (int k = 0; k < 3; k++) {
		if (sample) {
			snk_sample_point(sample, corners[k], points[k]);
		} else {
			memcpy(points[k], f->mesh->points_rest + 3 * (size_t)corners[k], sizeof points[k]);
		}
	}
	for (int c = 0; c < 3; c++) {
		edges[0][c] = points[1][c] - points[0][c];
		edges[1][c] = points[2][c] - points[0][c];
	}
	snw_cross3(edges[0], edges[1], normal);
	const double twice_area = snw_length3(normal);
	snw_normalize3(normal);
	for (int r = 0; r < 3; r++) {
		const double row[4] = {edges[0][r], edges[1][r], normal[r], 0};
		memcpy(columns + 4 * (size_t)r, row, sizeof row);
	}
	return twice_area / 2;
}

snw_status open_triangles(mesh_fit *f, snw_pool *pool) {
	const snk_faces faces = snk_faces_of(f->mesh);
	const snw_status status = snk_triangulate(&faces, pool, &f->triangles);
	if (snk_failed(status)) {
		return status;
	}
	double *weights = SNW_POOL_ARRAY(pool, double, 3 * (size_t)f->triangles.face_count);
	double *areas = SNW_POOL_ARRAY(pool, double, f->triangles.face_count);
	for (uint32_t t = 0; !pool->failed && t < f->triangles.face_count; t++) {
		const uint32_t *corners = f->triangles.points + 3 * (size_t)t;
		double columns[12];
		areas[t] = read_edges(f, NULL, corners, columns);
		find_weights(f, corners, areas[t], weights + 3 * (size_t)t);
	}
	f->edge_weights = weights;
	f->areas = areas;
	f->gradient_squares = SNW_POOL_ARRAY(pool, double, f->triangles.face_count);
	return pool->failed ? SNW_ERROR_MEMORY : SNW_OK;
}

/* The rotation of the learned blend at a triangle: the mean over its corners. */
static void blend_rotation(const mesh_fit *f, uint32_t sample, const uint32_t corners[3], double rotation[9]) {
	const snk_base_skin_mesh *skin = &f->dest->skin;
	double mean[9] = {0};
	for (int k = 0; k < 3; k++) {
		double linear[9];
		snk_linear_part(skin->offsets, skin->slots, skin->weights, f->samples[sample].pose->palette, corners[k], linear);
		for (int i = 0; i < 9; i++) {
			mean[i] += linear[i] / 3;
		}
	}
	snk_nearest_rotation(mean, rotation);
}

int find_gradients(const mesh_fit *f, uint32_t triangle, double (*gradients)[9]) {
	const uint32_t *corners = f->triangles.points + 3 * (size_t)triangle;
	double rest[12], inverse[12];
	if (!(read_edges(f, NULL, corners, rest) > least_area(f)) || !snw_mat34_invert(rest, inverse)) {
		return 0;
	}
	for (uint32_t s = 0; s < f->sample_count; s++) {
		double posed[12], product[12];
		if (!(read_edges(f, &f->samples[s], corners, posed) > least_area(f))) {
			blend_rotation(f, s, corners, gradients[s]);
			continue;
		}
		snw_mat34_multiply(posed, inverse, product);
		for (int i = 0; i < 9; i++) {
			gradients[s][i] = product[4 * (i / 3) + i % 3];
		}
	}
	return 1;
}

enum { PER_REPORT = 256 }; /* triangles */

snw_status check_triangles(mesh_fit *f) {
	for (uint32_t t = 0; t < f->triangles.face_count; t++) {
		if (t % PER_REPORT == 0 && !report_check(f)) {
			return SNW_CANCELLED;
		}
		const uint32_t *corners = f->triangles.points + 3 * (size_t)t;
		double rest[12], posed[12];
		if (!(read_edges(f, NULL, corners, rest) > least_area(f))) {
			f->degenerate++;
			continue;
		}
		for (uint32_t s = 0; s < f->sample_count; s++) {
			double linear[9], rotated[3];
			f->collapsed += !(read_edges(f, &f->samples[s], corners, posed) > least_area(f));
			snk_linear_part(f->dest->skin.offsets, f->dest->skin.slots, f->dest->skin.weights, f->samples[s].pose->palette,
							corners[0], linear);
			for (size_t r = 0; r < 3; r++) {
				rotated[r] = linear[3 * r] * rest[2] + linear[3 * r + 1] * rest[6] + linear[3 * r + 2] * rest[10];
			}
			f->inverted += rotated[0] * posed[2] + rotated[1] * posed[6] + rotated[2] * posed[10] < -0.5 * snw_length3(rotated);
		}
	}
	return SNW_OK;
}
