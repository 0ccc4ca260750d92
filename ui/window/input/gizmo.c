/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The position of the rings, the ring under the mouse, and the rotation by a drag.
 */
#include "window/input/input.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "pose/clip.h"
#include "render/overlay/lines.h"
#include "render/view/view.h"
#include "sinew/algebra.h"
#include "window/session/session.h"

/* ---- gizmo --------------------------------------------------------------------------------------------------------------- */

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

/* ---- driver cone --------------------------------------------------------------------------------------------------------- */

/* The kernel compares ways from rest, as rotation vectors (docs/pose-space.md). A way at the angle of the edge to the
 * example's is on the edge: that of the kernel's width or, for a kernel of distances, where the weight has fallen to a half.
 * The bone, rotated by all of these, describes the cone. Of an example that is rotated by more than a right angle it would
 * cross itself: there a disc stands for it, around the bone's end, of half the width. */

#define HANDLE_REACH 9
#define LEAST_CONE_WIDTH 0.02
enum { TRIED_WIDTHS = 160 };

/* The rotation vectors around the example's: `way` is its own, `across` and `over` are perpendicular to it and as long. */
typedef struct ways {
	double way[3], across[3], over[3];
} ways;

static bool find_ways(const double example[3], ways *found) {
	const double length = snw_length3(example);
	double axis[3] = {0};
	size_t least = 0;
	for (size_t c = 1; c < 3; c++) {
		least = fabs(example[c]) < fabs(example[least]) ? c : least;
	}
	axis[least] = 1;
	memcpy(found->way, example, sizeof found->way);
	snw_cross3(example, axis, found->across);
	snw_normalize3(found->across);
	snw_cross3(example, found->across, found->over);
	for (int c = 0; c < 3; c++) {
		found->across[c] *= length;
	}
	return length > 1e-6;
}

/* The end of the joint's bone in its axes: its first child, or as far again as from its parent. */
static void find_bone(const snw_scene *scene, const snw_pose *pose, uint32_t joint, double bone[3]) {
	const snw_skeleton *skeleton = &scene->skeleton;
	for (uint32_t j = 0; j < skeleton->joint_count; j++) {
		if (skeleton->parents[j] == joint && snw_length3(pose->local[j].translation) > 1e-6) {
			memcpy(bone, pose->local[j].translation, 3 * sizeof *bone);
			return;
		}
	}
	double inverse[4], m[12];
	snw_quat_conjugate(skeleton->rest_local[joint].rotation, inverse);
	snw_quat_to_mat34(inverse, m);
	snw_mat34_vector(m, pose->local[joint].translation, bone);
}

/* The place of the bone's end if the joint is rotated by `q` away from rest. */
static void place_end(const snw_display *display, uint32_t joint, const double q[4], const double bone[3], double end[3]) {
	const snw_skeleton *skeleton = &display->scene->skeleton;
	const uint32_t parent = skeleton->parents[joint];
	double whole[4], m[12], offset[3], in_parent[3];
	snw_quat_multiply(skeleton->rest_local[joint].rotation, q, whole);
	snw_quat_to_mat34(whole, m);
	snw_mat34_vector(m, bone, offset);
	for (int c = 0; c < 3; c++) {
		in_parent[c] = display->posed->local[joint].translation[c] + offset[c];
	}
	if (parent == SNW_NONE) {
		memcpy(end, in_parent, sizeof in_parent);
	} else {
		snw_mat34_point(display->global + 12 * (size_t)parent, in_parent, end);
	}
}

/* What a cone is drawn from. */
typedef struct cone_shape {
	const snw_session *session;
	snw_picture_size size;
	uint32_t joint;
	ways around;
	double bone[3];
	bool is_disc;
} cone_shape;

/* A rotation on the edge of a cone of this width, at an angle about the example's way. */
static void rotation_at(const cone_shape *shape, double width, double angle, double q[4]) {
	const ways *w = &shape->around;
	double vector[3];
	for (int c = 0; c < 3; c++) {
		vector[c] = cos(width) * w->way[c] + sin(width) * (cos(angle) * w->across[c] + sin(angle) * w->over[c]);
	}
	snw_quat_from_rotation_vector(vector, q);
}

/* The same of the disc: the example's rotation after one about an axis across the bone. */
static void disc_rotation_at(const cone_shape *shape, double width, double angle, double q[4]) {
	ways about;
	double vector[3], first[4], last[4];
	find_ways(shape->bone, &about);
	const double length = fmax(snw_length3(shape->bone), 1e-12);
	for (int c = 0; c < 3; c++) {
		vector[c] = width / 2 / length * (cos(angle) * about.across[c] + sin(angle) * about.over[c]);
	}
	snw_quat_from_rotation_vector(vector, first);
	snw_quat_from_rotation_vector(shape->around.way, last);
	snw_quat_multiply(last, first, q);
}

static bool find_shape(const snw_session *session, const snw_group_curve *curve, double width, double height,
					   cone_shape *shape) {
	const snw_scene *scene = session->document->scene;
	const snw_pose *example = &scene->poses[scene->examples[curve->example].pose];
	*shape = (cone_shape){.session = session, .size = {width, height}, .joint = curve->joint};
	find_bone(scene, session->display.posed, curve->joint, shape->bone);
	const double *way = example->rotation_vectors + 3 * (size_t)curve->joint;
	shape->is_disc = snw_length3(way) > M_PI / 2;
	return find_ways(way, &shape->around);
}

/* Where the bone's end is on the edge. With a width of 0: where it is in the example. */
static bool project_end(const cone_shape *shape, double width, double angle, double place[2]) {
	double q[4], end[3];
	(shape->is_disc ? disc_rotation_at : rotation_at)(shape, width, angle, q);
	place_end(&shape->session->display, shape->joint, q, shape->bone, end);
	return snw_camera_project(&shape->session->state.camera, shape->size, end, &place[0], &place[1]);
}

void snw_driver_cone_place(snw_driver_cone *cone, snw_session *session, double width, double height) {
	const snw_view_state *state = &session->state;
	const bool may = state->shows_cone && state->tab == SNW_TAB_SHAPE && !state->sculpting && !state->playing &&
					 session->display.posed && state->group < session->document->scene->group_count;
	const snw_group_curve *curve = may ? snw_group_curve_read(session) : NULL;
	cone_shape shape;
	double joint[3];
	cone->is_shown = curve && curve->layer != SNW_NONE && curve->edge > 0 && find_shape(session, curve, width, height, &shape);
	if (!cone->is_shown) {
		cone->is_dragged = cone->is_hovered = false;
		return;
	}
	cone->joint = curve->joint;
	cone->layer = curve->layer;
	cone->group = curve->group;
	cone->width = cone->is_dragged ? cone->width : curve->edge;
	for (size_t c = 0; c < 3; c++) {
		joint[c] = session->display.global[12 * (size_t)curve->joint + 4 * c + 3];
	}
	bool is_seen = snw_camera_project(&state->camera, shape.size, joint, &cone->apex[0], &cone->apex[1]) &&
				   project_end(&shape, 0, 0, cone->tip);
	for (int i = 0; i < SNW_DRIVER_CONE_POINTS && is_seen; i++) {
		is_seen = project_end(&shape, cone->width, 2 * M_PI * i / (SNW_DRIVER_CONE_POINTS - 1), cone->edge[i]);
	}
	cone->is_disc = shape.is_disc;
	memcpy(cone->handle, cone->edge[0], sizeof cone->handle);
	cone->is_shown = is_seen;
}

bool snw_driver_cone_at(const snw_driver_cone *cone, double x, double y, double scale) {
	return cone->is_shown && hypot(x - cone->handle[0], y - cone->handle[1]) < HANDLE_REACH * scale;
}

void snw_driver_cone_drag(snw_driver_cone *cone, snw_session *session, double width, double height, double x, double y) {
	const snw_group_curve *curve = snw_group_curve_read(session);
	cone_shape shape;
	if (!curve || !session->display.posed || !find_shape(session, curve, width, height, &shape)) {
		return;
	}
	double nearest = INFINITY;
	for (int i = 0; i <= TRIED_WIDTHS; i++) {
		const double tried = LEAST_CONE_WIDTH + (M_PI - LEAST_CONE_WIDTH) * i / TRIED_WIDTHS;
		double place[2];
		if (project_end(&shape, tried, 0, place) && hypot(place[0] - x, place[1] - y) < nearest) {
			nearest = hypot(place[0] - x, place[1] - y);
			cone->width = tried;
		}
	}
}

void snw_driver_cone_release(snw_driver_cone *cone, snw_session *session, bool is_applied) {
	const snw_scene *scene = session->document->scene;
	const snw_group_curve *curve = snw_group_curve_read(session);
	char words[300];
	if (cone->is_dragged && is_applied && curve && cone->group == curve->group) {
		snw_emit_number(&session->queue, SNW_DO_LAYER, cone->layer);
		snprintf(words, sizeof words, "%s@%.200s=%.4g", curve->width_key, scene->groups[cone->group].name,
				 snw_group_curve_width(curve, cone->width));
		snw_emit_text(&session->queue, SNW_DO_SET, words);
	}
	cone->is_dragged = false;
}

/* ---- outline ------------------------------------------------------------------------------------------------------------- */

#define SPACING 3 /* between the points of a lasso */

static void set_point(snw_outline *outline, uint32_t i, double x, double y) {
	outline->points[2 * i] = (float)x;
	outline->points[2 * i + 1] = (float)y;
}

void snw_outline_begin(snw_outline *outline, snw_outline_kind kind, double x, double y) {
	outline->kind = kind;
	outline->count = kind == SNW_OUTLINE_BOX ? 4 : 1;
	for (uint32_t i = 0; i < outline->count; i++) {
		set_point(outline, i, x, y);
	}
}

/* Drops every other point. */
static void thin(snw_outline *outline) {
	for (uint32_t i = 0; 2 * i < outline->count; i++) {
		set_point(outline, i, (double)outline->points[4 * i], (double)outline->points[4 * i + 1]);
	}
	outline->count = (outline->count + 1) / 2;
}

void snw_outline_extend(snw_outline *outline, double x, double y) {
	const float *last = outline->points + 2 * (size_t)(outline->count - 1);
	if (outline->kind == SNW_OUTLINE_BOX) {
		set_point(outline, 1, x, (double)outline->points[1]);
		set_point(outline, 2, x, y);
		set_point(outline, 3, (double)outline->points[0], y);
	} else if (hypot(x - (double)last[0], y - (double)last[1]) >= SPACING) {
		if (outline->count == SNW_OUTLINE_POINTS) {
			thin(outline);
		}
		set_point(outline, outline->count++, x, y);
	}
}

/* As fractions of the view; false if they do not fit. */
static bool write_points(const snw_outline *outline, const snw_layout *layout, char *words, size_t size) {
	size_t used = 0;
	for (uint32_t i = 0; i < outline->count && used < size; i++) {
		used += (size_t)snprintf(words + used, size - used, "%s%.4f %.4f", i > 0 ? " " : "",
								 (double)(outline->points[2 * i] / fmaxf(layout->view_width, 1)),
								 (double)(outline->points[2 * i + 1] / fmaxf(layout->view_height, 1)));
	}
	return used < size;
}

void snw_outline_end(const snw_outline *outline, const snw_layout *layout, bool unmasks, snw_command_queue *queue) {
	const double mode = unmasks ? 0 : 1;
	char words[SNW_COMMAND_WORDS];
	snw_outline written = *outline;
	while (!write_points(&written, layout, words, sizeof words)) { /* numbers outside the view are longer */
		thin(&written);
	}
	snw_emit_with(queue, SNW_DO_MASK_OUTLINE, &mode, 1, words);
}
