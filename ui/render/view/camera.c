/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Framing and camera matrices, in double until the last step, so that tiny and huge scenes keep their precision.
 */
#include "render/view/camera.h"

#include <cglm/cglm.h>
#include <math.h>
#include <string.h>

#include "sinew/algebra.h"

/* ---- camera -------------------------------------------------------------------------------------------------------------- */

#define FIELD_OF_VIEW 0.5585

void snw_camera_axes(const snw_camera *camera, double axes[3][3]) {
	const double sy = sin(camera->yaw), cy = cos(camera->yaw), sp = sin(camera->pitch), cp = cos(camera->pitch);
	const double rows[3][3] = {{cy, 0, -sy}, {-sy * sp, cp, -cy * sp}, {sy * cp, sp, cy * cp}};
	memcpy(axes, rows, sizeof rows);
}

double snw_camera_tangent(const snw_camera *camera, double aspect) {
	const double angle = camera->field_of_view > 0 ? camera->field_of_view : FIELD_OF_VIEW;
	return tan(angle / 2) / fmin(1, aspect);
}

void snw_camera_fit(snw_camera *camera, const double *points, size_t count, double aspect) {
	static const snw_camera_margins margins = {0.06, 0.06, 0.06, 0.06};
	snw_camera_fit_within(camera, points, count, aspect, &margins);
}

/* The nearest eye from which every point is inside the four slanted planes: u ≤ U + t (W − w) and so on, each with the
 * tangent t of its side. If one direction has room to spare, the points are centred in it. */
void snw_camera_fit_within(snw_camera *camera, const double *points, size_t count, double aspect,
						   const snw_camera_margins *margins) {
	double axes[3][3];
	snw_camera_axes(camera, axes);
	const double tangent = snw_camera_tangent(camera, aspect);
	const double te = (1 - 2 * margins->end) * tangent * aspect, ts = (1 - 2 * margins->start) * tangent * aspect;
	const double ta = (1 - 2 * margins->above) * tangent, tb = (1 - 2 * margins->below) * tangent;
	double start = -INFINITY, end = -INFINITY, above = -INFINITY, below = -INFINITY, near = -INFINITY, far = INFINITY;
	for (size_t i = 0; i < count; i++) {
		const double u = snw_dot3(axes[0], points + 3 * i), v = snw_dot3(axes[1], points + 3 * i);
		const double w = snw_dot3(axes[2], points + 3 * i);
		if (!isfinite(u) || !isfinite(v) || !isfinite(w)) {
			continue;
		}
		end = fmax(end, u + te * w);
		start = fmax(start, -u + ts * w);
		above = fmax(above, v + ta * w);
		below = fmax(below, -v + tb * w);
		near = fmax(near, w);
		far = fmin(far, w);
	}
	memset(camera->target, 0, sizeof camera->target);
	camera->distance = 3;
	if (near < far) {
		return;
	}
	const double depth = near - far, w = (near + far) / 2;
	const double eye = fmax(fmax((end + start) / (te + ts), (above + below) / (ta + tb)), near + depth / 20);
	const double u = (end - start - (te - ts) * eye) / 2, v = (above - below - (ta - tb) * eye) / 2;
	for (int c = 0; c < 3; c++) {
		camera->target[c] = u * axes[0][c] + v * axes[1][c] + w * axes[2][c];
	}
	camera->distance = eye - w;
	if (camera->distance <= 0) {
		camera->distance = 1; /* a single point */
	}
}

static void depth_range(const double eye[3], const double back[3], const snw_box *box, double distance, double range[2]) {
	range[0] = distance / 50;
	range[1] = distance * 50;
	if (snw_box_is_empty(box)) {
		return;
	}
	double nearest = INFINITY, farthest = 0;
	for (int corner = 0; corner < 8; corner++) {
		double away = 0;
		for (int c = 0; c < 3; c++) {
			away -= back[c] * ((corner >> c & 1 ? box->upper[c] : box->lower[c]) - eye[c]);
		}
		nearest = fmin(nearest, away);
		farthest = fmax(farthest, away);
	}
	range[1] = fmax(farthest * 1.01, distance * 1.01);
	range[0] = fmax(nearest * 0.99, range[1] / 2000);
}

void snw_camera_matrices_make(const snw_camera *camera, double aspect, const snw_box *box, snw_camera_matrices *matrices) {
	double axes[3][3], eye[3], range[2];
	snw_camera_axes(camera, axes);
	for (int c = 0; c < 3; c++) {
		eye[c] = camera->target[c] + camera->distance * axes[2][c];
	}
	depth_range(eye, axes[2], box, camera->distance, range);
	mat4 view, projection, clip;
	glm_mat4_identity(view);
	for (int r = 0; r < 3; r++) {
		for (int c = 0; c < 3; c++) {
			view[c][r] = (float)axes[r][c];
			matrices->eye_from_world[3 * c + r] = (float)axes[r][c];
		}
		view[3][r] = (float)-snw_dot3(axes[r], eye);
		matrices->eye[r] = (float)eye[r];
	}
	const double tangent = snw_camera_tangent(camera, aspect);
	glm_perspective((float)(2 * atan(tangent)), (float)aspect, (float)range[0], (float)range[1], projection);
	glm_mat4_mul(projection, view, clip);
	memcpy(matrices->clip_from_world, clip, sizeof matrices->clip_from_world);
}

bool snw_camera_sees(const snw_camera_matrices *matrices, const snw_box *box) {
	const float *m = matrices->clip_from_world;
	uint32_t outside[5] = {0}; /* corners left, right, below, above, behind */
	for (int corner = 0; corner < 8; corner++) {
		double at[3], clip[4];
		snw_box_corner(box, corner, at);
		for (size_t r = 0; r < 4; r++) {
			clip[r] = (double)m[r] * at[0] + (double)m[4 + r] * at[1] + (double)m[8 + r] * at[2] + (double)m[12 + r];
		}
		for (size_t c = 0; c < 2; c++) {
			outside[2 * c] += clip[c] < -clip[3];
			outside[2 * c + 1] += clip[c] > clip[3];
		}
		outside[4] += clip[3] < 0;
	}
	for (int side = 0; side < 5; side++) {
		if (outside[side] == 8) {
			return false;
		}
	}
	return true;
}

/* ---- camera moves -------------------------------------------------------------------------------------------------------- */

/* Moves of the camera by hand. */

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
