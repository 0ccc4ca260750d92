/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Moves of the camera by hand.
 */
#include <math.h>

#include "render/view/camera.h"

#define STEEPEST 1.5707 /* radians: straight down the horizon would flip */
#define FLAT_VIEW 0.005 /* radians: from so far away that no line visibly converges */

void snw_camera_orbit(snw_camera *camera, double yaw, double pitch) {
	camera->yaw = remainder(camera->yaw + yaw, 2 * M_PI);
	camera->pitch = fmin(fmax(camera->pitch + pitch, -STEEPEST), STEEPEST);
}

void snw_camera_zoom(snw_camera *camera, double times, double x, double y, double aspect) {
	const double before = camera->distance, tangent = snw_camera_tangent(camera, aspect);
	double axes[3][3];
	camera->distance = fmin(fmax(before * times, 1e-4), snw_camera_is_flat(camera) ? 1e9 : 1e6);
	snw_camera_axes(camera, axes);
	for (int c = 0; c < 3; c++) {
		camera->target[c] += (before - camera->distance) * tangent * (x * aspect * axes[0][c] + y * axes[1][c]);
	}
}

void snw_camera_pan(snw_camera *camera, double right, double up) {
	const double sy = sin(camera->yaw), cy = cos(camera->yaw), sp = sin(camera->pitch), cp = cos(camera->pitch);
	const double rightward[3] = {cy, 0, -sy}, upward[3] = {-sy * sp, cp, -cy * sp};
	const double height = 2 * camera->distance * snw_camera_tangent(camera, 1);
	for (int c = 0; c < 3; c++) {
		camera->target[c] -= height * (right * rightward[c] + up * upward[c]);
	}
}

bool snw_camera_is_flat(const snw_camera *camera) {
	return camera->field_of_view == FLAT_VIEW;
}

bool snw_camera_is_level(const snw_camera *camera) {
	return snw_camera_is_flat(camera) && fabs(camera->pitch) < 0.01;
}

void snw_camera_flatten(snw_camera *camera, bool is_flat) {
	const double before = snw_camera_tangent(camera, 1);
	camera->field_of_view = is_flat ? FLAT_VIEW : 0;
	camera->distance *= before / snw_camera_tangent(camera, 1);
}
