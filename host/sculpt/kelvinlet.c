/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sculpt/kelvinlet.h"

#include <math.h>

#include "sinew/algebra.h"

enum { SCALES = 3 };

static const double scales[SCALES] = {1, 1.1, 1.21};

/* The weights by which the parts that fade with the first and the third power of the distance cancel. */
static void weigh_scales(double weights[SCALES]) {
	const double first = scales[0] * scales[0], second = scales[1] * scales[1], third = scales[2] * scales[2];
	weights[0] = 1;
	weights[1] = -(third - first) / (third - second);
	weights[2] = (second - first) / (third - second);
}

void snw_kelvinlet_grab(double scale, const double offset[3], const double drag[3], double dest[3]) {
	double weights[SCALES], r[3], along = 0, parallel = 0, at_zero = 0;
	weigh_scales(weights);
	for (int c = 0; c < 3; c++) {
		r[c] = offset[c] / scale;
	}
	const double squared = snw_dot3(r, r);
	for (int i = 0; i < SCALES; i++) { /* a = 1, b = 1/2 */
		const double e = scales[i], distance = sqrt(squared + e * e), cubed = distance * distance * distance;
		along += weights[i] * (0.5 / distance + 0.5 * e * e / cubed);
		parallel += weights[i] * 0.5 / cubed;
		at_zero += weights[i] / e;
	}
	const double pulled = snw_dot3(r, drag);
	for (int c = 0; c < 3; c++) {
		dest[c] = (along * drag[c] + parallel * pulled * r[c]) / at_zero;
	}
}
