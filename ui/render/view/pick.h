/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is under the mouse: rays through pixels, the nearest face, the nearest joint; on the CPU. Pixels count from the upper
 * left corner of the view, y down.
 */
#ifndef SINEW_UI_RENDER_VIEW_PICK_H
#define SINEW_UI_RENDER_VIEW_PICK_H

#include <stdbool.h>

#include "render/view/camera.h"
#include "scene/scene.h"

/* The size of a view's picture in pixels. */
typedef struct snw_picture_size {
	double width, height;
} snw_picture_size;

typedef struct snw_view_ray {
	double from[3];  /* the eye, world */
	double along[3]; /* unit */
} snw_view_ray;

snw_view_ray snw_camera_ray(const snw_camera *camera, snw_picture_size size, double x, double y);
/* The pixel of a place; false behind the eye, with x and y unchanged. */
bool snw_camera_project(const snw_camera *camera, snw_picture_size size, const double place[3], double *x, double *y);
/* The width of a pixel at that place in metres, for handles of constant size on the screen; 0 at the eye's depth or behind
 * it. */
double snw_camera_pixel_metres(const snw_camera *camera, snw_picture_size size, const double place[3]);

typedef struct snw_hit {
	uint32_t mesh, face, point; /* `point`: the nearest of the face */
	double distance;            /* from the eye, metres */
	double place[3], normal[3]; /* posed; the face's normal is unit and points toward the ray's origin */
} snw_hit;

/* The nearest face of a mesh whose posed points are [point_count][3], from either side. `hidden` [face_count]: faces that are
 * passed over; NULL: none. `hit` keeps a nearer hit that it
 * already holds: begin with distance INFINITY. True if it changed. */
bool snw_pick_mesh(const snw_mesh *mesh, uint32_t index, const float *points, const bool *hidden, const snw_view_ray *ray,
				   snw_hit *hit);

/* The middle of the part of a mesh that a ray passes through first, at rest: halfway between the nearest face and the next one
 * that the ray meets from the other side, or on the face if there is none. False if it meets no face nearer than *distance,
 * which becomes that of the nearest face: begin with INFINITY. */
bool snw_pick_middle(const snw_mesh *mesh, const snw_view_ray *ray, double *distance, double place[3]);

/* The joint whose position or bone is nearest to a pixel and within `reach` pixels; SNW_NONE for none. `global` is
 * [joint_count][12]. */
uint32_t snw_pick_joint(const snw_skeleton *skeleton, const double *global, const snw_camera *camera, snw_picture_size size,
						double x, double y, double reach);

#endif
