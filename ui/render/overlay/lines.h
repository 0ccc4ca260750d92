/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Strokes in the scene: gizmos, rings, handles. A list is filled on the CPU for each redraw, and drawn as smooth bands with
 * round ends, a number of pixels wide. A stroke whose ends coincide is a dot.
 */
#ifndef SINEW_UI_RENDER_OVERLAY_LINES_H
#define SINEW_UI_RENDER_OVERLAY_LINES_H

#include <stdint.h>

typedef struct snw_lines snw_lines;

typedef struct snw_line {
	float from[3], to[3]; /* world, metres */
	float color[4];       /* sRGB, 0 to 1, opacity last */
	float width;          /* pixels */
	float behind;         /* opacity where a surface hides it, as a share: 0: hidden, 1: drawn over everything */
} snw_line;

/* In the caller's memory: strokes beyond `most` are dropped. */
struct snw_lines {
	snw_line *lines; /* [most] */
	uint32_t count, most;
};

/* The appearance of a stroke. */
typedef struct snw_pen {
	float color[4], width, behind;
} snw_pen;

void snw_lines_add(snw_lines *lines, const double from[3], const double to[3], const snw_pen *pen);
void snw_lines_dot(snw_lines *lines, const double place[3], double width, const snw_pen *pen);
/* A circle about `axis`, or an arc of it between two angles in radians from a fixed direction; SNW_CIRCLE_LINES strokes.
 * `from_angle` = `to_angle`: the whole circle. */
enum { SNW_CIRCLE_LINES = 64 };
void snw_lines_circle(snw_lines *lines, const double middle[3], const double axis[3], double radius, double from_angle,
					  double to_angle, const snw_pen *pen);
/* The directions at which the angles about `axis` (unit) are measured: `across` is 0, `over` π/2. */
void snw_circle_directions(const double axis[3], double across[3], double over[3]);
/* A stroke with an arrowhead: nine strokes. */
void snw_lines_arrow(snw_lines *lines, const double from[3], const double to[3], double head, const snw_pen *pen);

#endif
