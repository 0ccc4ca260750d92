/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Axis-aligned bounding boxes.
 */
#include "base/box.h"

#include <math.h>

#include "sinew/algebra.h"

snw_box snw_box_empty(void) {
	return (snw_box){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

bool snw_box_is_empty(const snw_box *box) {
	return !(box->lower[0] <= box->upper[0]);
}

void snw_box_add(snw_box *box, const double point[3]) {
	if (!isfinite(point[0]) || !isfinite(point[1]) || !isfinite(point[2])) {
		return;
	}
	for (int c = 0; c < 3; c++) {
		box->lower[c] = point[c] < box->lower[c] ? point[c] : box->lower[c];
		box->upper[c] = point[c] > box->upper[c] ? point[c] : box->upper[c];
	}
}

void snw_box_add_points(snw_box *box, const double *points, size_t count) {
	for (size_t i = 0; i < count; i++) {
		snw_box_add(box, points + 3 * i);
	}
}

void snw_box_add_floats(snw_box *box, const float *points, size_t count) {
	for (size_t i = 0; i < count; i++) {
		const double point[3] = {(double)points[3 * i], (double)points[3 * i + 1], (double)points[3 * i + 2]};
		snw_box_add(box, point);
	}
}

void snw_box_add_box(snw_box *box, const snw_box *added) {
	if (!snw_box_is_empty(added)) {
		snw_box_add(box, added->lower);
		snw_box_add(box, added->upper);
	}
}

snw_box snw_box_widened(const snw_box *box, double margin) {
	snw_box wider = *box;
	for (int c = 0; c < 3 && !snw_box_is_empty(box); c++) {
		wider.lower[c] -= margin;
		wider.upper[c] += margin;
	}
	return wider;
}

double snw_box_diagonal(const snw_box *box) {
	return snw_box_is_empty(box) ? 0 : sqrt(snw_squared_distance3(box->upper, box->lower));
}

void snw_box_corner(const snw_box *box, int corner, double point[3]) {
	for (int c = 0; c < 3; c++) {
		point[c] = corner >> c & 1 ? box->upper[c] : box->lower[c];
	}
}
