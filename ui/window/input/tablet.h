/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pen tablets under X11: pressure and tilt, which SDL 2 does not report. XInput2 sends them to SDL's window; they arrive in
 * SDL's queue as events of their own, in order with the mouse's. The server's times also count the clicks of the mouse
 * (input.h). Under other window systems a pen is a mouse.
 */
#ifndef SINEW_UI_WINDOW_INPUT_TABLET_H
#define SINEW_UI_WINDOW_INPUT_TABLET_H

#include <stdbool.h>
#include <stdint.h>

struct SDL_Window;
union SDL_Event;

/* What a pen says at one moment. */
typedef struct snw_pen_sample {
	float x, y;     /* in the window, the desktop's units */
	float pressure; /* 0 to 1 */
	float tilt;     /* 0 upright, 1 lying flat */
} snw_pen_sample;

/* Listens to the pens of the window's server, also to those that are plugged in later. */
void snw_tablet_open(struct SDL_Window *window);
void snw_tablet_close(void);

/* Puts a sample at the end of SDL's queue. */
void snw_tablet_push(const snw_pen_sample *sample);
/* Whether the event is a sample. */
bool snw_tablet_read(const union SDL_Event *event, snw_pen_sample *sample);

/* An axis of a device. */
typedef struct snw_pen_axis {
	int number; /* of the valuator; -1: the device has none */
	double least, most;
} snw_pen_axis;
typedef struct snw_pen_axes {
	snw_pen_axis pressure, tilt_x, tilt_y;
} snw_pen_axes;

/* Pressure and tilt from the valuators of an event: those whose bit is set in `mask`, in the order of their numbers. An axis
 * that the event leaves out keeps the value of `last`. Only pressure and tilt of `last` change. */
void snw_pen_decode(const snw_pen_axes *axes, const unsigned char *mask, uint32_t mask_bytes, const double *values,
					snw_pen_sample *last);

#endif
