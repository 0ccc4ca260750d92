/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Areas and cotangent weights of a surface whose edges have their mean lengths over the samples. Mean lengths satisfy the
 * triangle inequality, because the lengths in each sample do.
 */
#include <math.h>

#include "animation-space/fit.h"
#include "sinew/algebra.h"
#include "sinew/kit/status.h"

enum { GRAIN = 64 };

/* The limit for needles: the cotangent of 6 degrees. */
static const double largest_conductance = 10;

/* The least area of a point, as a part of the mean: for points without faces or with degenerate ones. */
static const double least_area = 1e-3;

typedef struct lengths {
	const mesh_fit *f;
	double *means; /* beside edges.neighbours, in units of L */
} lengths;

static void SNW_CALL measure_edges(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const lengths *l = argument;
	const mesh_fit *f = l->f;
	for (uint32_t i = begin; i < end; i++) {
		for (uint32_t k = f->surface.edges.offsets[i]; k < f->surface.edges.offsets[i + 1]; k++) {
			double sum = 0, a[3], b[3];
			for (uint32_t s = 0; s < f->sample_count; s++) {
				snk_sample_point(&f->samples[s], i, a);
				snk_sample_point(&f->samples[s], f->surface.edges.neighbours[k], b);
				sum += sqrt(snw_squared_distance3(a, b));
			}
			l->means[k] = sum / f->sample_count / f->unit;
		}
	}
}

/* The place of the edge from a to b among the neighbours of a. */
static uint32_t find_edge(const snk_adjacency *edges, uint32_t a, uint32_t b) {
	uint32_t low = edges->offsets[a], high = edges->offsets[a + 1];
	while (low + 1 < high) {
		const uint32_t middle = low + (high - low) / 2;
		*(edges->neighbours[middle] <= b ? &low : &high) = middle;
	}
	return low;
}

static void add_triangle(const lengths *l, surface *s, const uint32_t corners[3]) {
	double squares[3], sum = 0, of_squares = 0;
	if (corners[0] == corners[1] || corners[1] == corners[2] || corners[2] == corners[0]) {
		return;
	}
	for (uint32_t c = 0; c < 3; c++) {
		const double length = l->means[find_edge(&s->edges, corners[(c + 1) % 3], corners[(c + 2) % 3])];
		squares[c] = length * length;
		sum += squares[c];
		of_squares += squares[c] * squares[c];
	}
	const double sixteen_areas = sum * sum - 2 * of_squares; /* Heron: 16 A² */
	if (!(sixteen_areas > 1e-12 * sum * sum)) {
		return;
	}
	const double area = sqrt(sixteen_areas) / 4;
	for (uint32_t c = 0; c < 3; c++) {
		const uint32_t a = corners[(c + 1) % 3], b = corners[(c + 2) % 3];
		const double half_cotangent = (sum - 2 * squares[c]) / (8 * area);
		s->conductances[find_edge(&s->edges, a, b)] += half_cotangent;
		s->conductances[find_edge(&s->edges, b, a)] += half_cotangent;
		s->areas[corners[c]] += area / 3;
	}
}

static void bound(surface *s, uint32_t point_count) {
	double sum = 0;
	for (uint32_t i = 0; i < point_count; i++) {
		sum += s->areas[i];
	}
	for (uint32_t i = 0; i < point_count; i++) {
		s->areas[i] = sum > 0 ? fmax(s->areas[i], least_area * sum / point_count) : 1;
	}
	for (uint32_t k = 0; k < s->edges.offsets[point_count]; k++) {
		s->conductances[k] = fmin(fmax(s->conductances[k], 0), largest_conductance);
	}
}

snw_status measure_surface(snw_pool *pool, mesh_fit *f) {
	surface *s = &f->surface;
	const snk_faces faces = snk_faces_of(f->mesh);
	snk_faces triangles;
	snw_status status = snk_triangulate(&faces, pool, &triangles);
	status = snk_failed(status) ? status : snk_adjacency_find(&triangles, SNK_NEIGHBOURS_ASCENDING, pool, &s->edges);
	if (snk_failed(status)) {
		return status;
	}
	const uint32_t edge_count = s->edges.offsets[f->mesh->point_count];
	s->conductances = SNW_POOL_ARRAY(pool, double, edge_count);
	s->areas = SNW_POOL_ARRAY(pool, double, f->mesh->point_count);
	lengths l = {f, SNW_POOL_ARRAY(pool, double, edge_count)};
	if (pool->failed) {
		return SNW_ERROR_MEMORY;
	}
	const snk_stretch stretch = {0, 0.1, "measuring edges"};
	status = run_step(f, f->mesh->point_count, GRAIN, measure_edges, &l, &stretch);
	if (snk_failed(status)) {
		return status;
	}
	for (uint32_t t = 0; t < triangles.face_count; t++) {
		add_triangle(&l, s, triangles.points + triangles.offsets[t]);
	}
	bound(s, f->mesh->point_count);
	return SNW_OK;
}
