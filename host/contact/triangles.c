/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two triangles, by separating axes: they are apart if there is a direction along which all of one comes before all of the
 * other, and for triangles it is enough to try their normals, the products of their edges, and the normals of their edges in
 * their planes, which decide where the two planes are one.
 */
#include <math.h>

#include "contact/contact_internal.h"
#include "mesh/surface_place.h"
#include "sinew/algebra.h"

static void subtract(const double a[3], const double b[3], double difference[3]) {
	for (int c = 0; c < 3; c++) {
		difference[c] = a[c] - b[c];
	}
}

/* A triangle with its edges and its normal. */
typedef struct edged_triangle {
	const snw_triangle *of;
	double edges[3][3], normal[3];
} edged_triangle;

static edged_triangle edged_of(const snw_triangle *triangle) {
	edged_triangle made = {.of = triangle};
	for (int k = 0; k < 3; k++) {
		subtract(triangle->corners[(k + 1) % 3], triangle->corners[k], made.edges[k]);
	}
	snw_cross3(made.edges[0], made.edges[1], made.normal);
	return made;
}

/* Along an axis, from a corner of `a` so that what is far from the origin loses no digits. */
static bool are_apart_along(const edged_triangle *a, const edged_triangle *b, const double axis[3]) {
	double least[2] = {INFINITY, INFINITY}, most[2] = {-INFINITY, -INFINITY};
	for (int k = 0; k < 3; k++) {
		double from[3], along[2];
		subtract(a->of->corners[k], a->of->corners[0], from);
		along[0] = snw_dot3(from, axis);
		subtract(b->of->corners[k], a->of->corners[0], from);
		along[1] = snw_dot3(from, axis);
		for (int t = 0; t < 2; t++) {
			least[t] = along[t] < least[t] ? along[t] : least[t];
			most[t] = along[t] > most[t] ? along[t] : most[t];
		}
	}
	return least[1] > most[0] || least[0] > most[1];
}

/* All of `b` is on one side of the plane of `a`. */
static bool is_beside_plane(const edged_triangle *a, const edged_triangle *b) {
	int above = 0, below = 0;
	for (int k = 0; k < 3; k++) {
		double from[3];
		subtract(b->of->corners[k], a->of->corners[0], from);
		const double height = snw_dot3(from, a->normal);
		above += height > 0;
		below += height < 0;
	}
	return above == 3 || below == 3;
}

static bool are_apart_by_edges(const edged_triangle *a, const edged_triangle *b) {
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 3; j++) {
			double axis[3];
			snw_cross3(a->edges[i], b->edges[j], axis);
			const double squares = snw_dot3(a->edges[i], a->edges[i]) * snw_dot3(b->edges[j], b->edges[j]);
			/* Of parallel edges the product is rounding, and no axis. */
			if (snw_dot3(axis, axis) > 1e-20 * squares && are_apart_along(a, b, axis)) {
				return true;
			}
		}
	}
	return false;
}

static bool are_apart_in_plane(const edged_triangle *a, const edged_triangle *b) {
	for (int k = 0; k < 3; k++) {
		double axis[3];
		snw_cross3(a->normal, a->edges[k], axis);
		if (are_apart_along(a, b, axis)) {
			return true;
		}
	}
	return false;
}

static bool is_finite(const edged_triangle *triangle) {
	/* A corner that is not finite makes the normal so too. */
	return isfinite(triangle->normal[0] + triangle->normal[1] + triangle->normal[2]);
}

bool snw_triangles_meet(const snw_triangle *a, const snw_triangle *b) {
	const edged_triangle first = edged_of(a), second = edged_of(b);
	if (is_beside_plane(&first, &second) || is_beside_plane(&second, &first)) {
		return false;
	}
	return is_finite(&first) && is_finite(&second) && !are_apart_by_edges(&first, &second) &&
		   !are_apart_in_plane(&first, &second) && !are_apart_in_plane(&second, &first);
}

/* The squared distance between the edges a + s d and b + t e (C. Ericson, Real-time collision detection, 2004, 5.1.9). */
static double edges_distance2(const double a[3], const double d[3], const double b[3], const double e[3]) {
	double r[3];
	subtract(a, b, r);
	const double aa = snw_dot3(d, d), ee = snw_dot3(e, e), f = snw_dot3(e, r), c = snw_dot3(d, r), de = snw_dot3(d, e);
	const double denominator = aa * ee - de * de;
	double s = denominator > 0 ? fmin(fmax((de * f - c * ee) / denominator, 0), 1) : 0;
	double t = ee > 0 ? (de * s + f) / ee : 0;
	if (!(t >= 0 && t <= 1)) {
		t = t > 1 ? 1 : 0;
		s = aa > 0 ? fmin(fmax((t * de - c) / aa, 0), 1) : 0;
	}
	double squares = 0;
	for (int k = 0; k < 3; k++) {
		const double away = r[k] + s * d[k] - t * e[k];
		squares += away * away;
	}
	return squares;
}

static double corners_distance2(const snw_triangle *from, const snw_triangle *to) {
	const double *const corners[3] = {to->corners[0], to->corners[1], to->corners[2]};
	double least = INFINITY;
	for (int k = 0; k < 3; k++) {
		double shares[3];
		least = fmin(least, snw_triangle_nearest(from->corners[k], corners, shares));
	}
	return least;
}

double snw_triangles_distance(const snw_triangle *a, const snw_triangle *b) {
	if (snw_triangles_meet(a, b)) {
		return 0;
	}
	const edged_triangle first = edged_of(a), second = edged_of(b);
	double least = fmin(corners_distance2(a, b), corners_distance2(b, a));
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 3; j++) {
			least = fmin(least, edges_distance2(a->corners[i], first.edges[i], b->corners[j], second.edges[j]));
		}
	}
	return sqrt(least);
}

/* A. Van Oosterom and J. Strackee, "The solid angle of a plane triangle", 1983. */
double snw_triangle_solid_angle(const snw_triangle *triangle, const double point[3]) {
	double to[3][3], lengths[3], across[3];
	for (int k = 0; k < 3; k++) {
		subtract(triangle->corners[k], point, to[k]);
		lengths[k] = snw_length3(to[k]);
	}
	snw_cross3(to[1], to[2], across);
	const double volume = snw_dot3(to[0], across);
	const double below = lengths[0] * lengths[1] * lengths[2] + snw_dot3(to[0], to[1]) * lengths[2] +
						 snw_dot3(to[1], to[2]) * lengths[0] + snw_dot3(to[2], to[0]) * lengths[1];
	const double angle = volume == 0 && below == 0 ? 0 : 2 * atan2(volume, below);
	return angle / (4 * M_PI);
}
