/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The kernel compares ways from rest, as rotation vectors (docs/pose-space.md). A way at the angle of the edge to the example's
 * is on the edge: that of the kernel's width or, for a kernel of distances, where the weight has fallen to a half. The bone,
 * rotated by all of these, describes the cone.
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
#define LEAST_WIDTH 0.02
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

/* The place of the bone's end if the joint is rotated by `vector` away from rest. */
static void place_end(const snw_display *display, uint32_t joint, const double vector[3], const double bone[3], double end[3]) {
	const snw_skeleton *skeleton = &display->scene->skeleton;
	const uint32_t parent = skeleton->parents[joint];
	double q[4], whole[4], m[12], offset[3], in_parent[3];
	snw_quat_from_rotation_vector(vector, q);
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

/* On the edge of a cone of this width, at an angle about the example's way. */
static void vector_at(const ways *w, double width, double angle, double vector[3]) {
	for (int c = 0; c < 3; c++) {
		vector[c] = cos(width) * w->way[c] + sin(width) * (cos(angle) * w->across[c] + sin(angle) * w->over[c]);
	}
}

/* What a cone is drawn from. */
typedef struct cone_shape {
	const snw_session *session;
	snw_picture_size size;
	uint32_t joint;
	ways around;
	double bone[3];
} cone_shape;

static bool find_shape(const snw_session *session, const snw_group_curve *curve, double width, double height,
					   cone_shape *shape) {
	const snw_scene *scene = session->document->scene;
	const snw_pose *example = &scene->poses[scene->examples[curve->example].pose];
	*shape = (cone_shape){.session = session, .size = {width, height}, .joint = curve->joint};
	find_bone(scene, session->display.posed, curve->joint, shape->bone);
	return find_ways(example->rotation_vectors + 3 * (size_t)curve->joint, &shape->around);
}

static bool project_end(const cone_shape *shape, const double vector[3], double place[2]) {
	double end[3];
	place_end(&shape->session->display, shape->joint, vector, shape->bone, end);
	return snw_camera_project(&shape->session->state.camera, shape->size, end, &place[0], &place[1]);
}

void snw_driver_cone_place(snw_driver_cone *cone, snw_session *session, double width, double height) {
	const snw_view_state *state = &session->state;
	const bool may = state->shows_cone && state->tab == SNW_TAB_SHAPE && !state->sculpting && !state->playing &&
					 session->display.posed && state->group < session->document->scene->group_count;
	const snw_group_curve *curve = may ? snw_group_curve_read(session) : NULL;
	cone_shape shape;
	double joint[3], vector[3];
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
				   project_end(&shape, shape.around.way, cone->tip);
	for (int i = 0; i < SNW_DRIVER_CONE_POINTS && is_seen; i++) {
		vector_at(&shape.around, cone->width, 2 * M_PI * i / (SNW_DRIVER_CONE_POINTS - 1), vector);
		is_seen = project_end(&shape, vector, cone->edge[i]);
	}
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
		const double tried = LEAST_WIDTH + (M_PI - LEAST_WIDTH) * i / TRIED_WIDTHS;
		double vector[3], place[2];
		vector_at(&shape.around, tried, 0, vector);
		if (project_end(&shape, vector, place) && hypot(place[0] - x, place[1] - y) < nearest) {
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
