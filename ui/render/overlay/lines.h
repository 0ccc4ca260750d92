/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Strokes in the scene: gizmos, rings, handles. A list is filled on the CPU for each redraw, and drawn as smooth bands of so many
 * pixels with round ends; a stroke from a place to itself is a dot.
 */
#ifndef SINEW_UI_RENDER_OVERLAY_LINES_H
#define SINEW_UI_RENDER_OVERLAY_LINES_H

#include <stdint.h>

typedef struct snw_lines snw_lines;

typedef struct snw_line {
	float from[3], to[3]; /* world, metres */
	float color[4];       /* sRGB, 0 to 1, opacity last */
	float width;          /* pixels */
	float behind;         /* share of the opacity where a surface hides it: 0: hidden, 1: drawn over everything */
} snw_line;

/* Over memory of the caller's: strokes beyond `most` are left out. */
struct snw_lines {
	snw_line *lines; /* [most] */
	uint32_t count, most;
};

/* How a stroke looks. */
typedef struct snw_pen {
	float color[4], width, behind;
} snw_pen;

void snw_lines_add(snw_lines *lines, const double from[3], const double to[3], const snw_pen *pen);
void snw_lines_dot(snw_lines *lines, const double place[3], double width, const snw_pen *pen);
/* A circle about `axis`, or the part of it that the angles span, in radians from an arbitrary but fixed direction;
 * SNW_CIRCLE_LINES strokes. `from_angle` = `to_angle`: all of it. */
enum { SNW_CIRCLE_LINES = 64 };
void snw_lines_circle(snw_lines *lines, const double middle[3], const double axis[3], double radius, double from_angle,
					  double to_angle, const snw_pen *pen);
/* The directions that the angles of a circle about `axis` (unit) start from: `across` at 0, `over` at a quarter turn. */
void snw_circle_directions(const double axis[3], double across[3], double over[3]);
/* A stroke with a head: nine strokes. */
void snw_lines_arrow(snw_lines *lines, const double from[3], const double to[3], double head, const snw_pen *pen);

#endif
