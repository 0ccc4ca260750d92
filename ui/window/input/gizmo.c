/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The position of the rings, the ring under the mouse, and the rotation by a drag.
 */
#include "window/input/gizmo.h"

#include <math.h>
#include <string.h>

#include "pose/clip.h"
#include "render/overlay/lines.h"
#include "render/view/pick.h"
#include "sinew/algebra.h"
#include "window/session/session.h"

#define RADIUS 78
#define VIEW_RING 1.22
#define REACH 7 /* distance from a ring within which it can be grabbed */
#define EDGE_ON 0.3
#define FACING 0.95 /* cosine: seen from this direction, no part of a ring counts as its far side */
enum { RING_POINTS = 72 };

static void joint_place(const snw_display *display, uint32_t joint, double place[3]) {
	for (int c = 0; c < 3; c++) {
		place[c] = display->global[12 * (size_t)joint + 4 * (size_t)c + 3];
	}
}

static void rotation_of(const snw_display *display, uint32_t joint, double rotation[4]) {
	snw_transform parts = {.rotation = {0, 0, 0, 1}};
	if (joint != SNW_NONE) {
		snw_transform_from_mat34(display->global + 12 * (size_t)joint, &parts);
	}
	memcpy(rotation, parts.rotation, sizeof parts.rotation);
}

static void rotate_vector(const double q[4], const double v[3], double dest[3]) {
	double m[12];
	snw_quat_to_mat34(q, m);
	snw_mat34_vector(m, v, dest);
}

void snw_gizmo_place(snw_gizmo *gizmo, const snw_session *session, double width, double height, double scale) {
	const snw_skeleton *skeleton = &session->document->scene->skeleton;
	const snw_display *display = &session->display;
	const uint32_t joint = session->state.joint;
	double place[3], axes[3][3], orientation[4] = {0, 0, 0, 1};
	gizmo->radius = 0;
	if (joint >= skeleton->joint_count || !display->posed || session->state.sculpting || session->state.playing ||
		session->state.drawing_joints) {
		return;
	}
	joint_place(display, joint, place);
	const snw_picture_size size = {width, height};
	if (!snw_camera_project(&session->state.camera, size, place, &gizmo->center[0], &gizmo->center[1])) {
		return;
	}
	gizmo->radius = fmin(RADIUS * scale, 0.24 * fmin(width, height));
	if (gizmo->grabbed == SNW_GIZMO_NONE) {
		if (session->state.space == SNW_SPACE_LOCAL) {
			rotation_of(display, joint, orientation);
		} else if (session->state.space == SNW_SPACE_PARENT) {
			rotation_of(display, skeleton->parents[joint], orientation);
		}
		for (int i = 0; i < 3; i++) {
			const double unit[3] = {i == 0, i == 1, i == 2};
			rotate_vector(orientation, unit, gizmo->axes[i]);
		}
	}
	snw_camera_axes(&session->state.camera, axes);
	memcpy(gizmo->axes[3], axes[2], sizeof gizmo->axes[3]);
}

void snw_gizmo_ring(const snw_gizmo *gizmo, const snw_session *session, snw_gizmo_part part, double width, double height,
					const snw_gizmo_arc *arc, float *points, bool *near_side) {
	const snw_camera *camera = &session->state.camera;
	const snw_picture_size size = {width, height};
	double middle[3], across[3], over[3], axes[3][3], eye[3];
	const double *axis = gizmo->axes[part - SNW_GIZMO_X];
	joint_place(&session->display, session->state.joint, middle);
	snw_circle_directions(axis, across, over);
	snw_camera_axes(camera, axes);
	for (int c = 0; c < 3; c++) {
		eye[c] = camera->target[c] + camera->distance * axes[2][c] - middle[c];
	}
	snw_normalize3(eye);
	const bool is_facing = fabs(snw_dot3(axis, eye)) > FACING;
	const double radius = gizmo->radius * (part == SNW_GIZMO_VIEW ? VIEW_RING : 1);
	const double metres = snw_camera_pixel_metres(camera, size, middle) * radius;
	for (uint32_t i = 0; i < arc->count; i++) {
		const double angle = arc->from + i * arc->step, a = cos(angle), o = sin(angle);
		double place[3], x = -1e4, y = -1e4, away[3];
		for (int c = 0; c < 3; c++) {
			away[c] = a * across[c] + o * over[c];
			place[c] = middle[c] + metres * away[c];
		}
		snw_camera_project(camera, size, place, &x, &y);
		points[2 * i] = (float)x;
		points[2 * i + 1] = (float)y;
		near_side[i] = part == SNW_GIZMO_VIEW || is_facing || snw_dot3(away, eye) > -0.02;
	}
}

static const snw_gizmo_arc whole_ring = {0, 2 * M_PI / RING_POINTS, RING_POINTS};

snw_gizmo_part snw_gizmo_at(const snw_gizmo *gizmo, const snw_session *session, double width, double height, double x, double y,
							double scale) {
	float points[2 * RING_POINTS];
	bool near_side[RING_POINTS];
	snw_gizmo_part found = SNW_GIZMO_NONE;
	double best = REACH * scale;
	if (gizmo->radius <= 0) {
		return SNW_GIZMO_NONE;
	}
	for (snw_gizmo_part part = SNW_GIZMO_X; part <= SNW_GIZMO_VIEW; part++) {
		snw_gizmo_ring(gizmo, session, part, width, height, &whole_ring, points, near_side);
		for (uint32_t i = 0; i < RING_POINTS; i++) {
			const double away = hypot((double)points[2 * i] - x, (double)points[2 * i + 1] - y);
			if (near_side[i] && away < best) {
				best = away;
				found = part;
			}
		}
	}
	const bool inside = hypot(x - gizmo->center[0], y - gizmo->center[1]) < 0.92 * gizmo->radius;
	return found != SNW_GIZMO_NONE ? found : inside ? SNW_GIZMO_BALL : SNW_GIZMO_NONE;
}

/* The angle of a place on a ring's near side. */
static double nearest_angle(const snw_gizmo *gizmo, const snw_session *session, snw_gizmo_part part, double width,
							double height, double x, double y) {
	float points[2 * RING_POINTS];
	bool near_side[RING_POINTS];
	uint32_t nearest = 0;
	double best = INFINITY;
	snw_gizmo_ring(gizmo, session, part, width, height, &whole_ring, points, near_side);
	for (uint32_t i = 0; i < RING_POINTS; i++) {
		const double away = hypot((double)points[2 * i] - x, (double)points[2 * i + 1] - y);
		if (near_side[i] && away < best) {
			best = away;
			nearest = i;
		}
	}
	return nearest * whole_ring.step;
}

void snw_gizmo_grab(snw_gizmo *gizmo, const snw_session *session, snw_gizmo_part part, double width, double height, double x,
					double y) {
	const snw_skeleton *skeleton = &session->document->scene->skeleton;
	const uint32_t joint = session->state.joint;
	const snw_pose *pose = session->display.posed;
	double axes[3][3];
	gizmo->grabbed = part;
	gizmo->dragged_angle = 0;
	gizmo->began[0] = x;
	gizmo->began[1] = y;
	gizmo->angle = atan2(y - gizmo->center[1], x - gizmo->center[0]);
	memcpy(gizmo->rotation_vector, pose->rotation_vectors + 3 * (size_t)joint, sizeof gizmo->rotation_vector);
	memcpy(gizmo->rotation, pose->local[joint].rotation, sizeof gizmo->rotation);
	rotation_of(&session->display, skeleton->parents[joint], gizmo->parent);
	snw_camera_axes(&session->state.camera, axes);
	if (part < SNW_GIZMO_BALL) {
		memcpy(gizmo->axis, gizmo->axes[part - SNW_GIZMO_X], sizeof gizmo->axis);
		const double facing = snw_dot3(gizmo->axis, axes[2]);
		gizmo->along_tangent = fabs(facing) < EDGE_ON;
		/* Seen edge-on, a ring is a line across the axis, on which the near side moves to the left of the axis. */
		const double u = snw_dot3(gizmo->axis, axes[0]), v = snw_dot3(gizmo->axis, axes[1]), length = hypot(u, v);
		gizmo->start_angle = nearest_angle(gizmo, session, part, width, height, x, y);
		gizmo->tangent[0] = length > 0 ? v / length : 1;
		gizmo->tangent[1] = length > 0 ? u / length : 0;
	}
}

/* The rotation of this drag, in the world. */
static void world_rotation(snw_gizmo *gizmo, const snw_session *session, double x, double y, bool snaps,
						   double rotation_vector[3]) {
	const double dx = x - gizmo->began[0], dy = y - gizmo->began[1];
	double axes[3][3];
	snw_camera_axes(&session->state.camera, axes);
	if (gizmo->grabbed == SNW_GIZMO_BALL) {
		for (int c = 0; c < 3; c++) {
			rotation_vector[c] = (dx * axes[1][c] + dy * axes[0][c]) / gizmo->radius;
		}
		return;
	}
	double angle;
	if (gizmo->along_tangent) {
		angle = (dx * gizmo->tangent[0] + dy * gizmo->tangent[1]) / gizmo->radius;
	} else {
		const double mouse_angle = atan2(y - gizmo->center[1], x - gizmo->center[0]);
		const double facing = snw_dot3(gizmo->axis, axes[2]);
		angle = -remainder(mouse_angle - gizmo->angle, 2 * M_PI) * (facing < 0 ? -1 : 1);
	}
	const double step = 5 * M_PI / 180;
	angle = snaps ? round(angle / step) * step : angle;
	gizmo->dragged_angle = angle;
	for (int c = 0; c < 3; c++) {
		rotation_vector[c] = angle * gizmo->axis[c];
	}
}

void snw_gizmo_drag(snw_gizmo *gizmo, const snw_session *session, double x, double y, bool snaps, double rotation_degrees[3]) {
	const uint32_t joint = session->state.joint;
	double rotation_vector[3], world[4], back[4], q[4];
	world_rotation(gizmo, session, x, y, snaps, rotation_vector);
	snw_quat_from_rotation_vector(rotation_vector, world);
	/* local' = parent⁻¹ · world · parent · local; the rotation vector is relative to rest. */
	snw_quat_conjugate(gizmo->parent, back);
	snw_quat_multiply(back, world, q);
	snw_quat_multiply(q, gizmo->parent, q);
	snw_quat_multiply(q, gizmo->rotation, q);
	snw_quat_conjugate(session->document->scene->skeleton.rest_local[joint].rotation, back);
	snw_quat_multiply(back, q, q);
	snw_quat_normalize(q);
	snw_rotation_vector_nearest(q, gizmo->rotation_vector, rotation_vector);
	for (int c = 0; c < 3; c++) {
		rotation_degrees[c] = rotation_vector[c] * 180 / M_PI;
	}
	/* A drag may go around more than once. */
	memcpy(gizmo->rotation_vector, rotation_vector, sizeof rotation_vector);
}
