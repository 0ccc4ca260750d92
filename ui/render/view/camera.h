/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The camera: it is at `distance` from its target and looks at it. At yaw 0 it looks along −Z (from the front of a character
 * that faces +Z); a positive yaw moves it to the character's left, a positive pitch up.
 */
#ifndef SINEW_UI_RENDER_VIEW_CAMERA_H
#define SINEW_UI_RENDER_VIEW_CAMERA_H

#include <stdbool.h>
#include <stddef.h>

#include "base/numbers.h"

typedef struct snw_camera {
	double target[3];     /* metres */
	double yaw, pitch;    /* radians */
	double distance;      /* metres; 0: framed automatically */
	double field_of_view; /* radians, over the shorter side of the picture; 0: 32 degrees */
} snw_camera;

/* Rows: right, up, back (from the target to the eye), world. */
void snw_camera_axes(const snw_camera *camera, double axes[3][3]);
/* Half the height of the view one metre in front of the eye, metres; aspect is width divided by height. */
double snw_camera_tangent(const snw_camera *camera, double aspect);

/* Moves: orbits by angles in radians, not past the poles; pans by fractions of the picture's height; zooms by a factor on
 * the distance, and what is in the target's plane at (x, y), from (-1, -1) to (1, 1) in the picture, stays there. */
void snw_camera_orbit(snw_camera *camera, double yaw, double pitch);
void snw_camera_pan(snw_camera *camera, double right, double up);
void snw_camera_zoom(snw_camera *camera, double times, double x, double y, double aspect);
/* Removes or restores perspective; what is at the target keeps its size. */
void snw_camera_flatten(snw_camera *camera, bool is_flat);
bool snw_camera_is_flat(const snw_camera *camera);
bool snw_camera_is_level(const snw_camera *camera); /* without perspective, looking along the ground */

/* Sets target and distance so that `count` points (stride 3) fit a picture of this aspect (width divided by height) with a
 * margin; yaw, pitch and field of view stay. Without points it looks at the origin from 3 m. */
void snw_camera_fit(snw_camera *camera, const double *points, size_t count, double aspect);

/* Free space around the points: shares of the picture's width (start, end) and of its height (above, below). */
typedef struct snw_camera_margins {
	double start, end, above, below;
} snw_camera_margins;
/* The same with given margins; opposite ones add up to less than 1. */
void snw_camera_fit_within(snw_camera *camera, const double *points, size_t count, double aspect,
						   const snw_camera_margins *margins);

/* Matrices for shaders, column-major. */
typedef struct snw_camera_matrices {
	float clip_from_world[16];
	float eye_from_world[9];
	float eye[3]; /* world */
} snw_camera_matrices;
/* `box` is what must be between the near and the far plane. */
void snw_camera_matrices_make(const snw_camera *camera, double aspect, const snw_box *box, snw_camera_matrices *matrices);
/* False if the whole box is beside the picture or behind the eye. Boxes near a corner may count as seen although they are
 * not. */
bool snw_camera_sees(const snw_camera_matrices *matrices, const snw_box *box);

#endif
