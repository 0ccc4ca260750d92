/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "render/view/view.h"

#include <cglm/cglm.h>
#include <math.h>
#include <string.h>

#include "sinew/algebra.h"

/* ---- camera -------------------------------------------------------------------------------------------------------------- */

/* Framing and camera matrices, in double until the last step, so that tiny and huge scenes keep their precision. */

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

/* ---- picking ------------------------------------------------------------------------------------------------------------- */

/* Tests rays against every face: a mesh of 100,000 points takes a few milliseconds, which is enough for clicks and hovering,
 * but not for strokes. */

/* ---- camera -------------------------------------------------------------------------------------------------------------- */

snw_view_ray snw_camera_ray(const snw_camera *camera, snw_picture_size size, double x, double y) {
	double axes[3][3];
	snw_view_ray ray;
	snw_camera_axes(camera, axes);
	const double tangent = snw_camera_tangent(camera, size.width / size.height);
	const double right = (2 * x / size.width - 1) * tangent * size.width / size.height;
	const double up = (1 - 2 * y / size.height) * tangent;
	for (int c = 0; c < 3; c++) {
		ray.from[c] = camera->target[c] + camera->distance * axes[2][c];
		ray.along[c] = right * axes[0][c] + up * axes[1][c] - axes[2][c];
	}
	snw_normalize3(ray.along);
	return ray;
}

/* Right, up and ahead of the eye. */
static void in_eye(const snw_camera *camera, const double place[3], double eye[3]) {
	double axes[3][3], away[3];
	snw_camera_axes(camera, axes);
	for (int c = 0; c < 3; c++) {
		away[c] = place[c] - camera->target[c] - camera->distance * axes[2][c];
	}
	eye[0] = snw_dot3(axes[0], away);
	eye[1] = snw_dot3(axes[1], away);
	eye[2] = -snw_dot3(axes[2], away);
}

bool snw_camera_project(const snw_camera *camera, snw_picture_size size, const double place[3], double *x, double *y) {
	const double tangent = snw_camera_tangent(camera, size.width / size.height);
	double eye[3];
	in_eye(camera, place, eye);
	if (!(eye[2] > 0)) {
		return false;
	}
	*x = size.width / 2 + eye[0] / (eye[2] * tangent) * size.height / 2;
	*y = size.height / 2 - eye[1] / (eye[2] * tangent) * size.height / 2;
	return true;
}

double snw_camera_pixel_metres(const snw_camera *camera, snw_picture_size size, const double place[3]) {
	double eye[3];
	in_eye(camera, place, eye);
	return eye[2] > 0 ? 2 * eye[2] * snw_camera_tangent(camera, size.width / size.height) / size.height : 0;
}

/* ---- faces --------------------------------------------------------------------------------------------------------------- */

static void corner(const float *points, uint32_t point, const double origin[3], double place[3]) {
	for (size_t c = 0; c < 3; c++) {
		place[c] = (double)points[3 * (size_t)point + c] - origin[c];
	}
}

/* Möller and Trumbore 1997, from either side; `a`, `b` and `c` are relative to the ray's origin. The distance, or INFINITY. */
static double meet(const double along[3], const double a[3], const double b[3], const double c[3]) {
	double ab[3], ac[3], p[3], q[3], from[3];
	for (int i = 0; i < 3; i++) {
		ab[i] = b[i] - a[i];
		ac[i] = c[i] - a[i];
		from[i] = -a[i];
	}
	snw_cross3(along, ac, p);
	const double volume = snw_dot3(ab, p);
	const double u = snw_dot3(from, p) / volume;
	snw_cross3(from, ab, q);
	const double v = snw_dot3(along, q) / volume, distance = snw_dot3(ac, q) / volume;
	return u >= 0 && v >= 0 && u + v <= 1 && distance > 0 ? distance : (double)INFINITY; /* a volume of 0 fails all of them */
}

/* Fills the other members for a face that was hit. */
static void describe_hit(const snw_mesh *mesh, const float *points, const snw_view_ray *ray, snw_hit *hit) {
	const uint32_t begin = mesh->face_offsets[hit->face], end = mesh->face_offsets[hit->face + 1];
	const double none[3] = {0, 0, 0};
	double origin[3], before[3] = {0}, sum[3] = {0}, nearest = INFINITY;
	corner(points, mesh->face_points[begin], none, origin);
	for (uint32_t i = begin; i < end; i++) {
		double here[3], from_place[3], part[3];
		corner(points, mesh->face_points[i], origin, here);
		for (int c = 0; c < 3; c++) {
			from_place[c] = here[c] + origin[c] - hit->place[c];
		}
		if (snw_length3(from_place) < nearest) {
			nearest = snw_length3(from_place);
			hit->point = mesh->face_points[i];
		}
		if (i > begin) {
			snw_cross3(before, here, part);
			for (int c = 0; c < 3; c++) {
				sum[c] += part[c];
			}
		}
		memcpy(before, here, sizeof before);
	}
	snw_normalize3(sum);
	const double sign = snw_dot3(sum, ray->along) > 0 ? -1 : 1;
	for (int c = 0; c < 3; c++) {
		hit->normal[c] = sign * sum[c];
	}
}

bool snw_pick_mesh(const snw_mesh *mesh, uint32_t index, const float *points, const bool *hidden, const snw_view_ray *ray,
				   snw_hit *hit) {
	bool changed = false;
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		if (hidden && hidden[f]) {
			continue;
		}
		double a[3], b[3], c[3];
		corner(points, mesh->face_points[mesh->face_offsets[f]], ray->from, a);
		corner(points, mesh->face_points[mesh->face_offsets[f] + 1], ray->from, b);
		for (uint32_t i = mesh->face_offsets[f] + 2; i < mesh->face_offsets[f + 1]; i++) {
			corner(points, mesh->face_points[i], ray->from, c);
			const double distance = meet(ray->along, a, b, c);
			if (distance < hit->distance) {
				hit->distance = distance;
				hit->mesh = index;
				hit->face = f;
				changed = true;
			}
			memcpy(b, c, sizeof b);
		}
	}
	if (changed) {
		for (int c = 0; c < 3; c++) {
			hit->place[c] = ray->from[c] + hit->distance * ray->along[c];
		}
		describe_hit(mesh, points, ray, hit);
	}
	return changed;
}

/* ---- the middle of a limb ------------------------------------------------------------------------------------------------ */

static void rest_corner(const snw_mesh *mesh, uint32_t corner_index, const double origin[3], double place[3]) {
	const double *point = mesh->points_rest + 3 * (size_t)mesh->face_points[corner_index];
	for (int c = 0; c < 3; c++) {
		place[c] = point[c] - origin[c];
	}
}

/* The nearest distance beyond `beyond` at which the ray meets a face from the side `side`, 1 or -1; from either side for 0.
 * INFINITY if there is none. `*met` is the side. */
static double next_face(const snw_mesh *mesh, const snw_view_ray *ray, double beyond, int side, int *met) {
	double nearest = (double)INFINITY;
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		double a[3], b[3], c[3], ab[3], ac[3], normal[3];
		rest_corner(mesh, mesh->face_offsets[f], ray->from, a);
		for (uint32_t i = mesh->face_offsets[f] + 2; i < mesh->face_offsets[f + 1]; i++) {
			rest_corner(mesh, i - 1, ray->from, b);
			rest_corner(mesh, i, ray->from, c);
			const double distance = meet(ray->along, a, b, c);
			if (!(distance < nearest) || distance <= beyond) {
				continue;
			}
			for (int k = 0; k < 3; k++) {
				ab[k] = b[k] - a[k];
				ac[k] = c[k] - a[k];
			}
			snw_cross3(ab, ac, normal);
			const int from = snw_dot3(normal, ray->along) < 0 ? 1 : -1;
			if (side == 0 || from == side) {
				nearest = distance;
				*met = from;
			}
		}
	}
	return nearest;
}

bool snw_pick_middle(const snw_mesh *mesh, const snw_view_ray *ray, double *distance, double place[3]) {
	int side = 0, other;
	const double first = next_face(mesh, ray, 0, 0, &side);
	if (!(first < *distance)) {
		return false;
	}
	const double last = next_face(mesh, ray, first, -side, &other);
	const double middle = isfinite(last) ? (first + last) / 2 : first;
	for (int c = 0; c < 3; c++) {
		place[c] = ray->from[c] + middle * ray->along[c];
	}
	*distance = first;
	return true;
}

/* ---- joints -------------------------------------------------------------------------------------------------------------- */

static double to_segment(const double p[2], const double a[2], const double b[2]) {
	const double ab[2] = {b[0] - a[0], b[1] - a[1]}, ap[2] = {p[0] - a[0], p[1] - a[1]};
	const double squared = ab[0] * ab[0] + ab[1] * ab[1];
	const double t = squared > 0 ? fmin(fmax((ap[0] * ab[0] + ap[1] * ab[1]) / squared, 0), 1) : 0;
	return hypot(ap[0] - t * ab[0], ap[1] - t * ab[1]);
}

uint32_t snw_pick_joint(const snw_skeleton *skeleton, const double *global, const snw_camera *camera, snw_picture_size size,
						double x, double y, double reach) {
	const double mouse[2] = {x, y};
	uint32_t picked = SNW_NONE;
	double least = reach;
	for (uint32_t j = 0; j < skeleton->joint_count; j++) {
		const uint32_t parent = skeleton->parents[j];
		double head[2], tail[2];
		const double *values = global + 12 * (size_t)j;
		const double place[3] = {values[3], values[7], values[11]};
		if (!snw_camera_project(camera, size, place, &tail[0], &tail[1])) {
			continue;
		}
		/* A joint's position has priority over bones nearby. */
		const double at_joint = 0.6 * hypot(tail[0] - x, tail[1] - y);
		if (at_joint < least) {
			least = at_joint;
			picked = j;
		}
		if (parent == SNW_NONE) {
			continue;
		}
		const double *above = global + 12 * (size_t)parent;
		const double from[3] = {above[3], above[7], above[11]};
		if (snw_camera_project(camera, size, from, &head[0], &head[1]) && to_segment(mouse, head, tail) < least) {
			least = to_segment(mouse, head, tail);
			picked = parent;
		}
	}
	return picked;
}
