/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sculpt/alpha.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "sinew/algebra.h"

/* Of the pixel, 0 outside the picture. */
static double value_of(const snw_brush_alpha *alpha, double column, double row) {
	const bool is_inside = column >= 0 && row >= 0 && column < alpha->width && row < alpha->height;
	return is_inside ? (double)alpha->values[(size_t)row * alpha->width + (size_t)column] : 0;
}

double snw_brush_alpha_at(const snw_brush_alpha *alpha, double u, double v) {
	const double longer = alpha->width > alpha->height ? alpha->width : alpha->height;
	const double x = 0.5 * (u * longer + alpha->width) - 0.5, y = 0.5 * (alpha->height - v * longer) - 0.5;
	const double column = floor(x), row = floor(y), a = x - column, b = y - row;
	if (!(fabs(u) <= 2 && fabs(v) <= 2)) {
		return 0;
	}
	return (1 - b) * ((1 - a) * value_of(alpha, column, row) + a * value_of(alpha, column + 1, row)) +
		   b * ((1 - a) * value_of(alpha, column, row + 1) + a * value_of(alpha, column + 1, row + 1));
}

void snw_brush_alpha_axes(const double normal[3], double right[3], double up[3]) {
	const double most_level = 0.99;
	const int axis = fabs(normal[1]) > most_level ? 2 : 1;
	const double sign = axis == 2 ? -1 : 1; /* seen from above, up is away from the viewer */
	double length = 0;
	for (int c = 0; c < 3; c++) {
		up[c] = sign * ((c == axis ? 1 : 0) - normal[axis] * normal[c]);
		length += up[c] * up[c];
	}
	for (int c = 0; c < 3; c++) {
		up[c] /= length > 0 ? sqrt(length) : 1;
	}
	right[0] = up[1] * normal[2] - up[2] * normal[1];
	right[1] = up[2] * normal[0] - up[0] * normal[2];
	right[2] = up[0] * normal[1] - up[1] * normal[0];
}
