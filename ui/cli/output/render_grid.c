/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Views side by side: poses from left to right, a row for each method (for a single pose, the methods from left to right),
 * from one camera, on one scale, with captions.
 */
#include <math.h>
#include <string.h>

#include "cli/output/picture.h"
#include "cli/output/render.h"
#include "pose/pose.h"

enum { MOST_VIEWS = 144 };

typedef struct grid {
	const snw_pictured_pose *poses;
	uint32_t pose_count;
	const char **methods; /* NULL entry: the whole stack */
	snw_stack **stacks;   /* NULL entry: the source */
	uint32_t method_count;
	snw_view *views; /* [method_count][pose_count] */
} grid;

static bool is_source(const char *method) {
	return method && strcmp(method, "source") == 0;
}

static snw_status find_methods(const snw_call *call, const snw_opened *opened, grid *g, snw_error *error) {
	while (snw_call_option_at(call, "--method", (int)g->method_count)) {
		g->method_count++;
	}
	const bool named = g->method_count > 0;
	g->method_count += !named;
	if (g->method_count * (uint64_t)g->pose_count > MOST_VIEWS) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "%u poses by %u methods are too many views for one picture; draw at most %d",
						g->pose_count, g->method_count, (int)MOST_VIEWS);
	}
	g->methods = SNW_NEW_ARRAY(call->arena, const char *, g->method_count);
	g->stacks = SNW_NEW_ARRAY(call->arena, snw_stack *, g->method_count);
	snw_status status = SNW_OK;
	bool any = false;
	for (uint32_t i = 0; i < g->method_count && !snw_failed(status); i++) {
		g->methods[i] = named ? snw_call_option_at(call, "--method", (int)i) : NULL;
		if (!is_source(g->methods[i])) {
			any = true;
			status = snw_opened_stack(call, opened, g->methods[i], &g->stacks[i], error);
		}
	}
	if (!snw_failed(status) && !any && snw_call_option(call, "--heat")) {
		status = snw_fail(error, SNW_ERROR_ARGUMENT, "--heat: the source has no errors and no skin; leave out --method source");
	}
	return status;
}

/* Shows the ground truth of each mesh; a mesh without one is shown at rest. */
static snw_status show_source(const snw_call *call, const snw_scene *scene, const snw_pictured_pose *pictured, snw_view *view,
							  snw_error *error) {
	snw_ground_truth *truth = SNW_NEW_ARRAY(call->arena, snw_ground_truth, scene->mesh_count);
	if (!snw_render_ground_truth(scene, &pictured->moment, truth)) {
		return snw_fail(error, SNW_ERROR_MISSING, "--method source: no ground truth for %s; add an example or a target",
						pictured->label);
	}
	const float **points = SNW_NEW_ARRAY(call->arena, const float *, scene->mesh_count);
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		const size_t numbers = 3 * (size_t)scene->meshes[m].point_count;
		points[m] = truth[m].sculpt ? snw_picture_floats(call, truth[m].sculpt, numbers) : truth[m].frame;
	}
	view->points = points;
	return SNW_OK;
}

/* The caption: what differs between the views. */
static const char *caption_of(const snw_call *call, const grid *g, uint32_t method, uint32_t column) {
	const char *given = snw_call_option_at(call, "--caption", (int)(method * g->pose_count + column));
	const char *label = g->poses[column].label, *name = g->methods[method];
	return given                                      ? given
		   : g->method_count > 1 && g->pose_count > 1 ? snw_arena_format(call->arena, "%s, %s", name, label)
		   : g->method_count > 1                      ? name
		   : g->pose_count > 1                        ? label
													  : NULL;
}

static snw_status fill_grid_views(const snw_call *call, const snw_opened *opened, const snw_view *base, grid *g,
								  snw_error *error) {
	const uint32_t count = g->method_count * g->pose_count;
	const snw_pictured_pose **pictured = SNW_NEW_ARRAY(call->arena, const snw_pictured_pose *, count);
	const snw_pose_view **posed = SNW_NEW_ARRAY(call->arena, const snw_pose_view *, g->pose_count);
	snw_status status = SNW_OK;
	for (uint32_t i = 0; i < g->pose_count; i++) {
		posed[i] = snw_pose_view_make(opened->scene, g->poses[i].pose, call->arena);
	}
	g->views = SNW_NEW_ARRAY(call->arena, snw_view, count);
	for (uint32_t i = 0; i < count && !snw_failed(status); i++) {
		const uint32_t method = i / g->pose_count, column = i % g->pose_count;
		pictured[i] = &g->poses[column];
		g->views[i] = *base;
		g->views[i].stack = g->stacks[method];
		g->views[i].pose = posed[column];
		g->views[i].caption = caption_of(call, g, method, column);
		if (is_source(g->methods[method])) {
			status = show_source(call, opened->scene, pictured[i], &g->views[i], error);
		}
	}
	return snw_failed(status) ? status : snw_render_heat(call, opened->scene, pictured, g->views, count, error);
}

void snw_answer_camera(const snw_call *call, const snw_camera *camera, double aspect) {
	if (!call->answer) {
		return;
	}
	double axes[3][3], eye[3];
	snw_camera_axes(camera, axes);
	for (int c = 0; c < 3; c++) {
		eye[c] = camera->target[c] + camera->distance * axes[2][c];
	}
	cJSON *object = cJSON_AddObjectToObject(call->answer, "camera");
	cJSON_AddItemToObject(object, "eye", cJSON_CreateDoubleArray(eye, 3));
	cJSON_AddItemToObject(object, "target", cJSON_CreateDoubleArray(camera->target, 3));
	cJSON_AddItemToObject(object, "up", cJSON_CreateDoubleArray(axes[1], 3));
	snw_answer_number(object, "vertical_degrees", 360 / M_PI * atan(snw_camera_tangent(camera, aspect)));
}

static snw_status aim(const snw_call *call, grid *g, uint32_t width, uint32_t height, snw_error *error) {
	const uint32_t count = g->method_count * g->pose_count;
	snw_camera camera;
	const snw_status status = snw_render_aim(call, g->views, count, width, height, &camera, error);
	for (uint32_t i = 0; i < count && !snw_failed(status); i++) {
		g->views[i].camera = camera;
	}
	if (!snw_failed(status)) {
		snw_answer_camera(call, &camera, (double)width / height);
	}
	return status;
}

static snw_status check_captions(const snw_call *call, const grid *g, snw_error *error) {
	uint32_t given = 0;
	while (snw_call_option_at(call, "--caption", (int)given)) {
		given++;
	}
	return given == 0 || given == g->method_count * g->pose_count
			   ? SNW_OK
			   : snw_fail(error, SNW_ERROR_ARGUMENT, "--caption: give one for each of the %u views, row by row, or none",
						  g->method_count * g->pose_count);
}

snw_status snw_render_grid(const snw_call *call, const snw_opened *opened, const snw_view *base, uint32_t width,
						   uint32_t height, const char *path, snw_error *error) {
	grid g = {0};
	snw_pictured_pose *poses;
	snw_status status = snw_render_poses(call, opened->scene, &poses, &g.pose_count, error);
	if (snw_failed(status)) {
		return status;
	}
	g.poses = poses;
	status = find_methods(call, opened, &g, error);
	status = snw_failed(status) ? status : check_captions(call, &g, error);
	status = snw_failed(status) ? status : fill_grid_views(call, opened, base, &g, error);
	status = snw_failed(status) ? status : aim(call, &g, width, height, error);
	if (!snw_failed(status)) {
		const bool is_row = g.pose_count == 1;
		status = snw_picture_write(g.views, is_row ? g.method_count : g.pose_count, is_row ? 1 : g.method_count, width, height,
								   path, call, error);
	}
	for (uint32_t i = 0; g.stacks && i < g.method_count; i++) {
		snw_stack_destroy(g.stacks[i]);
	}
	return status;
}
