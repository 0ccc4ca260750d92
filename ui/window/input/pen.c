/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "window/input/pen.h"

#include <math.h>

#define SAME_PLACE 2.0  /* units between a pen's sample and the mouse that it moves */
#define LEAST_SIZE 0.05 /* of the radius, at the slightest pressure */

void snw_pen_take(snw_pen_input *pen, const snw_pen_sample *sample) {
	pen->last = *sample;
	pen->motions = 0;
	pen->has_sample = true;
}

void snw_pen_follow_mouse(snw_pen_input *pen) {
	pen->motions++;
}

void snw_pen_begin(snw_pen_input *pen, double x, double y, double view_x, double view_y) {
	const double away = hypot(x - (double)pen->last.x, y - (double)pen->last.y);
	pen->strokes = pen->has_sample && pen->motions <= 1 && away <= SAME_PLACE;
	pen->brush_x = view_x;
	pen->brush_y = view_y;
}

bool snw_pen_pull(snw_pen_input *pen, double view_x, double view_y, double length) {
	const double dx = view_x - pen->brush_x, dy = view_y - pen->brush_y, away = hypot(dx, dy);
	if (away <= length) {
		return length <= 0;
	}
	pen->brush_x = length > 0 ? pen->brush_x + dx * (1 - length / away) : view_x;
	pen->brush_y = length > 0 ? pen->brush_y + dy * (1 - length / away) : view_y;
	return true;
}

void snw_pen_effect(const snw_pen_input *pen, const snw_preferences *preferences, double *pressure, double *size) {
	const double pressed = pen->strokes ? (double)pen->last.pressure : 1;
	const double tilt = pen->strokes && preferences->pen_tilt ? (double)pen->last.tilt : 0;
	*pressure = preferences->pen_strength ? pressed : 1;
	*size = (preferences->pen_radius ? fmax(pressed, LEAST_SIZE) : 1) * (1 + tilt);
}
