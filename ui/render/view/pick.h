/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What lies under the mouse: rays through pixels, the nearest face, the nearest joint; on the CPU. Pixels count from the upper
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
/* The pixel of a place; false behind the eye, with x and y untouched. */
bool snw_camera_project(const snw_camera *camera, snw_picture_size size, const double place[3], double *x, double *y);
/* How many metres a pixel is wide at that place, for handles that keep their size; at the eye's depth or behind it 0. */
double snw_camera_pixel_metres(const snw_camera *camera, snw_picture_size size, const double place[3]);

typedef struct snw_hit {
	uint32_t mesh, face, point; /* `point`: the face's nearest to the place */
	double distance;            /* from the eye, metres */
	double place[3], normal[3]; /* posed; the normal of the face, unit, toward the ray's origin */
} snw_hit;

/* The nearest face of a mesh whose posed points are [point_count][3], from either side. `hit` keeps the nearer one that it
 * holds: begin with distance INFINITY. True where it changed. */
bool snw_pick_mesh(const snw_mesh *mesh, uint32_t index, const float *points, const snw_view_ray *ray, snw_hit *hit);

/* The joint whose bone (toward its children) or place is nearest to a pixel and within `reach` pixels; SNW_NONE for none.
 * `global` is [joint_count][12]. */
uint32_t snw_pick_joint(const snw_skeleton *skeleton, const double *global, const snw_camera *camera, snw_picture_size size,
						double x, double y, double reach);

#endif
