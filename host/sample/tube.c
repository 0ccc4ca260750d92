/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A closed tube in quads.
 */
#include "sample/tube.h"

#include <assert.h>
#include <math.h>

/* Where the texture's parts lie: the tube above, the two ends as discs below it. */
static const double tube_v = 0.2, disc_radius = 0.09, disc_u[2] = {0.1, 0.3}, disc_v = 0.1;

typedef struct builder {
	const snw_tube *tube;
	uint32_t half; /* sides / 4: quads along an edge of an end patch */
	double *points;
	uint32_t *face_points;
	float *uvs;
	uint32_t corner;
} builder;

static uint32_t cap_first(const builder *b, int end) {
	const uint32_t inner = (b->half - 1) * (b->half - 1);
	return b->tube->rings * b->tube->sides + (end ? inner : 0);
}

/* The square [-1, 1]² onto the unit disc, each concentric square onto a circle (Shirley and Chiu 1997). */
static void disc_from_square(double u, double v, double *radius, double *angle) {
	if (fabs(u) >= fabs(v)) {
		*radius = fabs(u);
		*angle = u == 0 ? 0 : M_PI / 4 * (v / u) + (u < 0 ? M_PI : 0);
	} else {
		*radius = fabs(v);
		*angle = M_PI / 2 - M_PI / 4 * (u / v) + (v < 0 ? M_PI : 0);
	}
}

static void place_rings(builder *b) {
	const snw_tube *tube = b->tube;
	for (uint32_t r = 0; r < tube->rings; r++) {
		const double x = tube->begin + (tube->end - tube->begin) * r / (tube->rings - 1), radius = tube->radius(x);
		for (uint32_t s = 0; s < tube->sides; s++) {
			/* Half an edge of the patch off, so that the patch's corners lie on ring points. */
			const double angle = 2 * M_PI * s / tube->sides - M_PI / 4;
			double *point = b->points + 3 * ((size_t)r * tube->sides + s);
			point[0] = x;
			point[1] = radius * cos(angle);
			point[2] = radius * sin(angle);
		}
	}
}

static void place_cap(builder *b, int end) {
	const snw_tube *tube = b->tube;
	const double x = end ? tube->end : tube->begin, radius = tube->radius(x), out = end ? 1 : -1;
	double *point = b->points + 3 * (size_t)cap_first(b, end);
	for (uint32_t j = 1; j < b->half; j++) {
		for (uint32_t i = 1; i < b->half; i++, point += 3) {
			double from_axis, angle;
			disc_from_square(2.0 * i / b->half - 1, 2.0 * j / b->half - 1, &from_axis, &angle);
			point[0] = x + out * tube->dome * radius * cos(from_axis * M_PI / 2);
			point[1] = radius * sin(from_axis * M_PI / 2) * cos(angle);
			point[2] = radius * sin(from_axis * M_PI / 2) * sin(angle);
		}
	}
}

/* The point at (i, j) of an end patch: on its border, a ring point. Side 0 of a ring is the corner (1, -1), from where sides
 * go up the edge u = 1 first. */
static uint32_t cap_point(const builder *b, int end, uint32_t i, uint32_t j) {
	const uint32_t n = b->half, ring = end ? (b->tube->rings - 1) * b->tube->sides : 0;
	if (i == n) {
		return ring + j;
	}
	if (j == n) {
		return ring + n + (n - i);
	}
	if (i == 0) {
		return ring + 2 * n + (n - j);
	}
	if (j == 0) {
		return ring + 3 * n + i;
	}
	return cap_first(b, end) + (j - 1) * (n - 1) + (i - 1);
}

static void add_corner(builder *b, uint32_t point, double u, double v) {
	b->face_points[b->corner] = point;
	b->uvs[2 * b->corner] = (float)u;
	b->uvs[2 * b->corner + 1] = (float)v;
	b->corner++;
}

static void join_rings(builder *b) {
	const uint32_t sides = b->tube->sides, rings = b->tube->rings;
	for (uint32_t r = 0; r + 1 < rings; r++) {
		for (uint32_t s = 0; s < sides; s++) {
			static const uint32_t order[4][2] = {{0, 0}, {0, 1}, {1, 1}, {1, 0}};
			for (int c = 0; c < 4; c++) {
				const uint32_t ring = r + order[c][0], side = s + order[c][1];
				add_corner(b, ring * sides + side % sides, (double)side / sides, tube_v + (1 - tube_v) * ring / (rings - 1));
			}
		}
	}
}

static void join_cap(builder *b, int end) {
	const uint32_t n = b->half;
	for (uint32_t j = 0; j < n; j++) {
		for (uint32_t i = 0; i < n; i++) {
			const uint32_t square[4][2] = {{i, j}, {i + 1, j}, {i + 1, j + 1}, {i, j + 1}};
			for (int c = 0; c < 4; c++) {
				const uint32_t *at = square[end ? c : 3 - c];
				double radius, angle;
				disc_from_square(2.0 * at[0] / n - 1, 2.0 * at[1] / n - 1, &radius, &angle);
				add_corner(b, cap_point(b, end, at[0], at[1]), disc_u[end] + disc_radius * radius * cos(angle),
						   disc_v + disc_radius * radius * sin(angle));
			}
		}
	}
}

void snw_tube_build(const snw_tube *tube, snw_arena *arena, snw_mesh *mesh) {
	assert(tube->rings >= 2 && tube->sides >= 8 && tube->sides % 4 == 0);
	builder b = {.tube = tube, .half = tube->sides / 4};
	const uint32_t points = tube->rings * tube->sides + 2 * (b.half - 1) * (b.half - 1);
	const uint32_t faces = (tube->rings - 1) * tube->sides + 2 * b.half * b.half;
	uint32_t *offsets = SNW_NEW_ARRAY(arena, uint32_t, (size_t)faces + 1);
	for (uint32_t f = 0; f <= faces; f++) {
		offsets[f] = 4 * f;
	}
	b.points = SNW_NEW_ARRAY(arena, double, 3 * (size_t)points);
	b.face_points = SNW_NEW_ARRAY(arena, uint32_t, 4 * (size_t)faces);
	b.uvs = SNW_NEW_ARRAY(arena, float, 8 * (size_t)faces);
	place_rings(&b);
	join_rings(&b);
	for (int end = 0; end < 2; end++) {
		place_cap(&b, end);
		join_cap(&b, end);
	}
	mesh->point_count = points;
	mesh->points_rest = b.points;
	mesh->face_count = faces;
	mesh->face_offsets = offsets;
	mesh->face_points = b.face_points;
	mesh->corner_uvs = b.uvs;
}
