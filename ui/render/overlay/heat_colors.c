/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The ramp from a table in CIE L*a*b* (D65), through XYZ to sRGB.
 */
#include "render/overlay/heat_colors.h"

#include <math.h>

enum { STOPS = 6 };

/* a* and b* at even steps of L* from 95 to 20. */
static const double stops[STOPS][2] = {{0, 5}, {8, 46}, {36, 56}, {54, 34}, {46, 2}, {26, -18}};

static double linear_from_lab(double f) {
	return f > 6.0 / 29 ? f * f * f : 3 * (6.0 / 29) * (6.0 / 29) * (f - 4.0 / 29);
}

static unsigned char byte_from_linear(double v) {
	const double clamped = fmin(fmax(v, 0), 1);
	const double encoded = clamped <= 0.0031308 ? 12.92 * clamped : 1.055 * pow(clamped, 1 / 2.4) - 0.055;
	return (unsigned char)lround(255 * encoded);
}

void snw_heat_ramp(unsigned char ramp[SNW_HEAT_STEPS][3]) {
	for (int i = 0; i < SNW_HEAT_STEPS; i++) {
		const double t = i / (SNW_HEAT_STEPS - 1.0), at = t * (STOPS - 1);
		const int stop = at < STOPS - 1 ? (int)at : STOPS - 2;
		const double part = at - stop;
		const double lightness = 95 - 75 * t;
		const double a = stops[stop][0] + part * (stops[stop + 1][0] - stops[stop][0]);
		const double b = stops[stop][1] + part * (stops[stop + 1][1] - stops[stop][1]);
		const double fy = (lightness + 16) / 116;
		const double x = 0.95047 * linear_from_lab(fy + a / 500), y = linear_from_lab(fy);
		const double z = 1.08883 * linear_from_lab(fy - b / 200);
		ramp[i][0] = byte_from_linear(3.2404542 * x - 1.5371385 * y - 0.4985314 * z);
		ramp[i][1] = byte_from_linear(-0.9692660 * x + 1.8760108 * y + 0.0415560 * z);
		ramp[i][2] = byte_from_linear(0.0556434 * x - 0.2040259 * y + 1.0572252 * z);
	}
}

void snw_heat_range_add(const double *values, uint32_t count, double *minimum, double *maximum) {
	for (uint32_t i = 0; i < count; i++) {
		if (isfinite(values[i])) {
			*minimum = fmin(*minimum, values[i]);
			*maximum = fmax(*maximum, values[i]);
		}
	}
}
