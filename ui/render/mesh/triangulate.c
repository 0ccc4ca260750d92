/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ear clipping in the polygon's own plane.
 */
#include "render/mesh/triangulate.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>

#include "sinew/algebra.h"

typedef struct polygon {
	const double *points;
	const uint32_t *corners;
	uint32_t count;
	double normal[3]; /* not unit */
} polygon;

static const double *corner_point(const polygon *shape, uint32_t corner) {
	return shape->points + 3 * (size_t)shape->corners[corner];
}

static void difference(const double a[3], const double b[3], double dest[3]) {
	for (int c = 0; c < 3; c++) {
		dest[c] = a[c] - b[c];
	}
}

static void find_normal(polygon *shape) {
	double before[3] = {0}, here[3], area[3];
	for (uint32_t i = 1; i < shape->count; i++) {
		difference(corner_point(shape, i), corner_point(shape, 0), here);
		snw_cross3(before, here, area);
		for (int c = 0; c < 3; c++) {
			shape->normal[c] += area[c];
			before[c] = here[c];
		}
	}
}

/* Twice the signed area of a triangle, seen along the polygon's normal (times its length). */
static double signed_area(const polygon *shape, uint32_t a, uint32_t b, uint32_t c) {
	double ab[3], ac[3], area[3];
	difference(corner_point(shape, b), corner_point(shape, a), ab);
	difference(corner_point(shape, c), corner_point(shape, a), ac);
	snw_cross3(ab, ac, area);
	return snw_dot3(area, shape->normal);
}

static double squared_distance(const polygon *shape, uint32_t a, uint32_t b) {
	double between[3];
	difference(corner_point(shape, b), corner_point(shape, a), between);
	return snw_dot3(between, between);
}

static void put(uint32_t *triangle, uint32_t a, uint32_t b, uint32_t c) {
	triangle[0] = a;
	triangle[1] = b;
	triangle[2] = c;
}

static void cut_quad(const polygon *shape, uint32_t *triangles) {
	const double even = fmin(signed_area(shape, 0, 1, 2), signed_area(shape, 0, 2, 3));
	const double odd = fmin(signed_area(shape, 1, 2, 3), signed_area(shape, 1, 3, 0));
	const bool both = even > 0 && odd > 0;
	if (both ? squared_distance(shape, 0, 2) <= squared_distance(shape, 1, 3) : even >= odd) {
		put(triangles, 0, 1, 2);
		put(triangles + 3, 0, 2, 3);
	} else {
		put(triangles, 1, 2, 3);
		put(triangles + 3, 1, 3, 0);
	}
}

static bool holds_another(const polygon *shape, const uint32_t *remaining, uint32_t count, uint32_t a, uint32_t b, uint32_t c) {
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t p = remaining[i];
		if (p != a && p != b && p != c && signed_area(shape, a, b, p) >= 0 && signed_area(shape, b, c, p) >= 0 &&
			signed_area(shape, c, a, p) >= 0) {
			return true;
		}
	}
	return false;
}

/* How round an ear is: its area over the square of its longest side; not positive for one that cannot be cut. */
static double roundness(const polygon *shape, const uint32_t *remaining, uint32_t count, uint32_t tip) {
	const uint32_t a = remaining[(tip + count - 1) % count], b = remaining[tip], c = remaining[(tip + 1) % count];
	const double area = signed_area(shape, a, b, c);
	if (!(area > 0) || holds_another(shape, remaining, count, a, b, c)) {
		return 0;
	}
	const double longest =
		fmax(squared_distance(shape, a, b), fmax(squared_distance(shape, b, c), squared_distance(shape, c, a)));
	return area / longest;
}

/* The first good ear from `start` on, or the roundest for small polygons; any corner where there is none (a polygon that
 * crosses itself). */
static uint32_t find_ear(const polygon *shape, const uint32_t *remaining, uint32_t count, uint32_t start) {
	uint32_t best = start % count;
	double most = 0;
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t tip = (start + i) % count;
		const double round = roundness(shape, remaining, count, tip);
		if (round > most) {
			most = round;
			best = tip;
			if (count > 16) {
				break;
			}
		}
	}
	return best;
}

static void cut_ears(const polygon *shape, uint32_t *triangles, uint32_t *remaining) {
	uint32_t count = shape->count, start = 0;
	for (uint32_t i = 0; i < count; i++) {
		remaining[i] = i;
	}
	while (count > 3) {
		const uint32_t tip = find_ear(shape, remaining, count, start);
		put(triangles, remaining[(tip + count - 1) % count], remaining[tip], remaining[(tip + 1) % count]);
		triangles += 3;
		for (uint32_t i = tip; i + 1 < count; i++) {
			remaining[i] = remaining[i + 1];
		}
		count--;
		start = tip + 1;
	}
	put(triangles, remaining[0], remaining[1], remaining[2]);
}

void snw_polygon_triangulate(const double *points, const uint32_t *corners, uint32_t count, uint32_t *triangles,
							 uint32_t *scratch) {
	assert(count >= 3);
	polygon shape = {.points = points, .corners = corners, .count = count};
	find_normal(&shape);
	if (count == 4) {
		cut_quad(&shape, triangles);
	} else if (count == 3 || count > SNW_EAR_LIMIT) {
		for (uint32_t i = 2; i < count; i++) {
			put(triangles + 3 * (size_t)(i - 2), 0, i - 1, i);
		}
	} else {
		cut_ears(&shape, triangles, scratch);
	}
}
