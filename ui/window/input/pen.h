/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The pen, and the string by which the mouse or pen pulls the brush (a stabiliser).
 */
#ifndef SINEW_UI_WINDOW_INPUT_PEN_H
#define SINEW_UI_WINDOW_INPUT_PEN_H

#include "window/input/tablet.h"
#include "window/preferences/preferences.h"

typedef struct snw_pen_input {
	snw_pen_sample last;
	uint32_t motions; /* of the mouse since the last sample */
	bool has_sample;
	bool strokes;            /* the pen began the stroke, so that its samples continue it, not the mouse's */
	double brush_x, brush_y; /* the end of the string, in the viewport */
} snw_pen_input;

void snw_pen_take(snw_pen_input *pen, const snw_pen_sample *sample);
/* The mouse has moved. A pen moves it too, just before or after its sample. */
void snw_pen_follow_mouse(snw_pen_input *pen);
/* A stroke begins at a place of the viewport; x and y in the window say whether it is the pen's. */
void snw_pen_begin(snw_pen_input *pen, double x, double y, double view_x, double view_y);
/* Pulls the brush to a place. False if the string is slack: the brush stays. */
bool snw_pen_pull(snw_pen_input *pen, double view_x, double view_y, double length);
/* What the stroke's next dab gets: pressure, and a factor of the radius. Those of a mouse are 1. */
void snw_pen_effect(const snw_pen_input *pen, const snw_preferences *preferences, double *pressure, double *size);

#endif
