/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The curve under the timeline: the largest error of each frame, computed in this session, or a field over frames that a fit
 * has stored.
 */
#ifndef SINEW_UI_WINDOW_PANELS_TIMELINE_TIMELINE_CURVE_H
#define SINEW_UI_WINDOW_PANELS_TIMELINE_TIMELINE_CURVE_H

#include <stdint.h>

struct snw_session;

enum { SNW_CURVE_MOST = 600 };

typedef struct snw_curve {
	uint32_t count;
	double bottom, top;      /* the axis: round numbers, one of them 0, or both around it */
	char label[200];         /* "mm, largest error" */
	const char *length_unit; /* of values that are lengths; NULL: they are not */
	double seconds[SNW_CURVE_MOST];
	float values[SNW_CURVE_MOST]; /* NaN if not known yet */
} snw_curve;

/* The chosen curve, at the frames of the clip that is shown; count 0 if no values are known. Metres become millimetres. */
void snw_curve_read(const struct snw_session *session, snw_curve *curve);

/* The value at a time, interpolated between frames; NaN if not known. */
float snw_curve_at(const snw_curve *curve, double seconds);

#endif
