/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The kernel compares ways from rest, as rotation vectors (docs/pose-space.md). A way at the angle of the edge to the example's
 * is on the edge: that of the kernel's width or, for a kernel of distances, where the weight has fallen to a half. The bone,
 * rotated by all of these, describes the cone. Of an example that is rotated by more than a right angle it would cross itself:
 * there a disc stands for it, around the bone's end, of half the width.
 */
#include "window/input/driver_cone.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "render/view/pick.h"
#include "sinew/algebra.h"
#include "window/session/group_curve.h"
#include "window/session/session.h"

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
