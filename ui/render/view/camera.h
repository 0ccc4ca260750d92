/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The camera: it is at `distance` from its target and looks at it. Yaw 0 looks along −Z (from the front of a character
 * that faces +Z), a positive yaw goes round to the character's left; a positive pitch looks down from above.
 */
#ifndef SINEW_UI_RENDER_VIEW_CAMERA_H
#define SINEW_UI_RENDER_VIEW_CAMERA_H

#include <stdbool.h>
#include <stddef.h>

#include "base/box.h"

typedef struct snw_camera {
	double target[3];     /* metres */
	double yaw, pitch;    /* radians */
	double distance;      /* metres; 0: framed to fit what is seen */
	double field_of_view; /* radians, of the smaller side of the picture; 0: 32 degrees */
} snw_camera;

/* Rows: right, up, back (from the target to the eye), world. */
void snw_camera_axes(const snw_camera *camera, double axes[3][3]);
/* Half the height of what is seen a metre before the eye, metres; aspect is width over height. */
double snw_camera_tangent(const snw_camera *camera, double aspect);

/* Moves: orbits by angles in radians, short of the poles; pans by fractions of the picture's height; zooms by a factor on the
 * distance. */
void snw_camera_orbit(snw_camera *camera, double yaw, double pitch);
void snw_camera_pan(snw_camera *camera, double right, double up);
void snw_camera_zoom(snw_camera *camera, double times);
/* Without perspective, or with it again; what is at the target keeps its size. */
void snw_camera_flatten(snw_camera *camera, bool is_flat);
bool snw_camera_is_flat(const snw_camera *camera);
bool snw_camera_is_level(const snw_camera *camera); /* flat, with the ground seen from its edge */

/* Moves target and distance so that `count` points (stride 3) fit a picture of that aspect (width over height) with a margin;
 * yaw, pitch and field of view stay. Without points it looks at the origin from 3 m. */
void snw_camera_fit(snw_camera *camera, const double *points, size_t count, double aspect);

/* Free space around the points: shares of the picture's width (start, end: its two sides) and of its height (above, below). */
typedef struct snw_camera_margins {
	double start, end, above, below;
} snw_camera_margins;
/* The same with margins of one's own; opposite ones add up to less than 1. */
void snw_camera_fit_within(snw_camera *camera, const double *points, size_t count, double aspect,
						   const snw_camera_margins *margins);

/* What shaders need, column-major. */
typedef struct snw_camera_matrices {
	float clip_from_world[16];
	float eye_from_world[9];
	float eye[3]; /* world */
} snw_camera_matrices;
/* `box` is what must lie between the near and the far plane. */
void snw_camera_matrices_make(const snw_camera *camera, double aspect, const snw_box *box, snw_camera_matrices *matrices);

#endif
