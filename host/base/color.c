/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/color.h"

#include <math.h>
#include <stdbool.h>

enum { HALVINGS = 24 };

static void multiply(const double matrix[3][3], const double v[3], double result[3]) {
	for (int r = 0; r < 3; r++) {
		result[r] = matrix[r][0] * v[0] + matrix[r][1] * v[1] + matrix[r][2] * v[2];
	}
}

double snw_linear_from_srgb(double component) {
	return component <= 0.04045 ? component / 12.92 : pow((component + 0.055) / 1.055, 2.4);
}

double snw_srgb_from_linear(double component) {
	return component <= 0.0031308 ? component * 12.92 : 1.055 * pow(component, 1 / 2.4) - 0.055;
}

void snw_oklab_from_linear(const double linear[3], double lab[3]) {
	static const double cones[3][3] = {{0.4122214708, 0.5363325363, 0.0514459929},
									   {0.2119034982, 0.6806995451, 0.1073969566},
									   {0.0883024619, 0.2817188376, 0.6299787005}};
	static const double axes[3][3] = {{0.2104542553, 0.7936177850, -0.0040720468},
									  {1.9779984951, -2.4285922050, 0.4505937099},
									  {0.0259040371, 0.7827717662, -0.8086757660}};
	double response[3];
	multiply(cones, linear, response);
	for (int c = 0; c < 3; c++) {
		response[c] = cbrt(response[c]);
	}
	multiply(axes, response, lab);
}

void snw_linear_from_oklab(const double lab[3], double linear[3]) {
	static const double responses[3][3] = {
		{1, 0.3963377774, 0.2158037573}, {1, -0.1055613458, -0.0638541728}, {1, -0.0894841775, -1.2914855480}};
	static const double primaries[3][3] = {{4.0767416621, -3.3077115913, 0.2309699292},
										   {-1.2684380046, 2.6097574011, -0.3413193965},
										   {-0.0041960863, -0.7034186147, 1.7076147010}};
	double response[3];
	multiply(responses, lab, response);
	for (int c = 0; c < 3; c++) {
		response[c] = response[c] * response[c] * response[c];
	}
	multiply(primaries, response, linear);
}

static bool is_in_gamut(const double linear[3]) {
	bool inside = true;
	for (int c = 0; c < 3; c++) {
		inside = inside && linear[c] >= 0 && linear[c] <= 1;
	}
	return inside;
}

void snw_color_of_hue(double lightness, double hue_turns, double most, double linear[3]) {
	const double angle = 2 * M_PI * hue_turns;
	double low = 0, high = most;
	for (int i = 0; i <= HALVINGS; i++) {
		const double chroma = i == 0 ? most : i == HALVINGS ? low : (low + high) / 2;
		const double lab[3] = {lightness, chroma * cos(angle), chroma * sin(angle)};
		snw_linear_from_oklab(lab, linear);
		if (is_in_gamut(linear)) {
			low = chroma;
		} else {
			high = chroma;
		}
		if (low == most) {
			break;
		}
	}
	for (int c = 0; c < 3; c++) {
		linear[c] = fmin(fmax(linear[c], 0), 1);
	}
}
