/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew render: pictures of poses, frames and fields, side by side if there are several, or the contact sheet of the
 * examples.
 */
#include "cli/output/output.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/command_line/verb.h"
#include "example/groups.h"
#include "pose/pose.h"
#include "render/overlay/canvas.h"
#include "render/shading/shading.h"
#include "stack/stack.h"

/* ---- render camera ------------------------------------------------------------------------------------------------------- */

/* The camera of sinew render. */

/* The points that --focus frames: NULL for all. */
static snw_status find_focus(const snw_call *call, const snw_scene *scene, const double *const **part, snw_error *error) {
	const char *spec = snw_call_option(call, "--focus");
	*part = NULL;
	if (!spec) {
		return SNW_OK;
	}
	const double **values = SNW_NEW_ARRAY(call->arena, const double *, scene->mesh_count);
	bool found = false;
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		snw_error problem; /* a mesh without a skin has no weights for joints */
		const snw_status status = snw_mask_values(scene, m, spec, call->arena, &values[m], &problem);
		values[m] = snw_failed(status) ? NULL : values[m];
		for (uint32_t i = 0; values[m] && i < scene->meshes[m].point_count && !found; i++) {
			found = values[m][i] >= 0.5;
		}
		if (snw_failed(status) && m + 1 == scene->mesh_count && !found) {
			*error = problem;
			return status;
		}
	}
	*part = values;
	return found ? SNW_OK
				 : snw_fail(error, SNW_ERROR_MISSING, "--focus %s: this mask covers no point by half or more; choose another",
							spec);
}

/* Moves the view, in heights of the picture. */
static snw_status pan(const snw_call *call, double aspect, snw_camera *camera, snw_error *error) {
	const char *text = snw_call_option(call, "--pan");
	double right, up, axes[3][3];
	int end = 0;
	if (!text) {
		return SNW_OK;
	}
	if (sscanf(text, "%lf,%lf%n", &right, &up, &end) != 2 || text[end] || !(fabs(right) + fabs(up) < 100)) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "--pan %s: expected RIGHT,UP, in heights of the view", text);
	}
	snw_camera_axes(camera, axes);
	const double height = 2 * camera->distance * snw_camera_tangent(camera, aspect);
	for (int c = 0; c < 3; c++) {
		camera->target[c] -= height * (right * axes[0][c] + up * axes[1][c]);
	}
	return SNW_OK;
}

snw_status snw_render_aim(const snw_call *call, snw_view *views, uint32_t count, uint32_t width, uint32_t height,
						  snw_camera *camera, snw_error *error) {
	const double *const *part;
	double zoom = 1;
	snw_status status = snw_call_number(call, "--zoom", 0.01, 100, 1, &zoom, error);
	status = snw_failed(status) ? status : find_focus(call, views[0].scene, &part, error);
	for (uint32_t i = 0; i < count && !snw_failed(status); i++) {
		snw_view_run_black_boxes(&views[i], call->arena);
	}
	if (!snw_failed(status)) {
		*camera = snw_camera_frame_all(views, count, part, width, height);
		camera->distance /= zoom;
		status = pan(call, (double)width / height, camera, error);
	}
	return status;
}

/* ---- render heat --------------------------------------------------------------------------------------------------------- */

/* The heat maps of sinew render: the error, the joints' influences, or a field of the project. */

enum { WORDS = 80 };

static snw_status show_error(const snw_call *call, const snw_scene *scene, const snw_pictured_pose *pictured, snw_view *view,
							 snw_error *error) {
	snw_ground_truth *truth = SNW_NEW_ARRAY(call->arena, snw_ground_truth, scene->mesh_count);
	if (!snw_render_ground_truth(scene, &pictured->moment, truth)) {
		return snw_fail(error, SNW_ERROR_MISSING, "--heat error: no ground truth for %s; add an example or a target",
						pictured->label);
	}
	double **points;
	const snw_status status = snw_picture_points(call, scene, view->stack, view->pose, &points, error);
	if (!snw_failed(status)) {
		view->heat = (const double *const *)snw_picture_distances(call, scene, points, truth, &view->heat_maximum);
		view->heat_label = "error (mm)";
	}
	return status;
}

/* Colours chosen for one stack are used for later ones with the same joints, so that views can be compared. */
static snw_status show_influences(const snw_call *call, const snw_scene *scene, snw_influence_colors *colors, snw_view *view,
								  snw_error *error) {
	const double **mixes = SNW_NEW_ARRAY(call->arena, const double *, scene->mesh_count);
	if (!snw_influence_colors_fit(colors, scene, view->stack) &&
		!snw_influence_colors_choose(scene, view->stack, call->arena, colors)) {
		return snw_fail(error, SNW_ERROR_MISSING, "--heat influences: no mesh has a skin; fit one, or import a rigged file");
	}
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		double *mix = SNW_NEW_ARRAY(call->arena, double, 3 * (size_t)scene->meshes[m].point_count);
		mixes[m] = snw_influence_colors_mix(colors, scene, view->stack, m, mix) ? mix : NULL;
	}
	view->heat = mixes;
	view->heat_is_color = true;
	char *words = SNW_NEW_ARRAY(call->arena, char, WORDS);
	snw_influence_colors_text(colors, words, WORDS);
	view->heat_label = words;
	return SNW_OK;
}

static snw_status show_field(const snw_call *call, const snw_scene *scene, const char *name, snw_view *view, snw_error *error) {
	snw_shown_field *shown = SNW_NEW(call->arena, snw_shown_field);
	double **numbers = SNW_NEW_ARRAY(call->arena, double *, scene->mesh_count);
	shown->heat = SNW_NEW_ARRAY(call->arena, const double *, scene->mesh_count);
	shown->numbers = numbers;
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		numbers[m] = SNW_NEW_ARRAY(call->arena, double, 3 * (size_t)scene->meshes[m].point_count);
	}
	return snw_view_show_field(view, name, shown) ? SNW_OK
												  : snw_fail(error, SNW_ERROR_MISSING,
															 "--heat %s: no such field over points or faces; 'sinew info' "
															 "lists the fields, and 'error' and 'influences' always exist",
															 name);
}

/* Adds the heat map given by --heat to the views that have a stack, all on one scale; poses[i] is the pose of views[i]. */
static snw_status render_heat(const snw_call *call, const snw_scene *scene, const snw_pictured_pose *const *poses,
							  snw_view *views, uint32_t count, snw_error *error) {
	const char *name = snw_call_option(call, "--heat");
	const bool is_error = name && strcmp(name, "error") == 0;
	snw_status status = SNW_OK;
	snw_influence_colors colors = {0};
	double most = 0;
	for (uint32_t i = 0; name && i < count && !snw_failed(status); i++) {
		if (views[i].stack) {
			status = is_error                          ? show_error(call, scene, poses[i], &views[i], error)
					 : strcmp(name, "influences") == 0 ? show_influences(call, scene, &colors, &views[i], error)
													   : show_field(call, scene, name, &views[i], error);
			views[i].flags |= SNW_VIEW_SCALE_BAR;
			most = fmax(most, views[i].heat_maximum);
		}
	}
	for (uint32_t i = 0; is_error && i < count; i++) {
		views[i].heat_maximum = most;
	}
	return status;
}

/* ---- render grid --------------------------------------------------------------------------------------------------------- */

/* Views side by side: poses from left to right, a row for each method (for a single pose, the methods from left to right),
 * from one camera, on one scale, with captions. */

enum { MOST_VIEWS = 144 };

typedef struct grid {
	const snw_pictured_pose *poses;
	uint32_t pose_count;
	const char **methods; /* NULL entry: the whole stack */
	snw_stack **stacks;   /* NULL entry: the ground truth */
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
		status = snw_fail(error, SNW_ERROR_ARGUMENT,
						  "--heat: the ground truth has no errors and no skin; leave out --method source");
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
	const char *label = g->poses[column].label, *name = is_source(g->methods[method]) ? "ground truth" : g->methods[method];
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
	return snw_failed(status) ? status : render_heat(call, opened->scene, pictured, g->views, count, error);
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

/* Draws the poses from left to right, a row for each method, from one camera; for a single pose, the methods from left to
 * right. */
static snw_status render_grid(const snw_call *call, const snw_opened *opened, const snw_view *base, uint32_t width,
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

/* ---- render -------------------------------------------------------------------------------------------------------------- */

static snw_status read_size(const snw_call *call, uint32_t *width, uint32_t *height, snw_error *error) {
	const char *text = snw_call_option(call, "--size");
	const bool several =
		!snw_call_option(call, "--crowd") &&
		(snw_call_option(call, "--sheet") || snw_call_option(call, "--example") || snw_call_option_at(call, "--pose", 1) ||
		 snw_call_option_at(call, "--frame", 1) || snw_call_option_at(call, "--method", 1));
	int end = 0;
	*width = several ? 400 : 1280;
	*height = several ? 400 : 720;
	if (text && (sscanf(text, "%ux%u%n", width, height, &end) != 2 || text[end] || *width < 16 || *height < 16 ||
				 *width > 8192 || *height > 8192)) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "--size %s: expected WIDTHxHEIGHT, each from 16 to 8192", text);
	}
	return SNW_OK;
}

static snw_status read_looks(const snw_call *call, snw_view *view, snw_error *error) {
	static const struct {
		const char *option;
		uint32_t flag;
	} switches[] = {{"--skeleton", SNW_VIEW_SKELETON},
					{"--wireframe", SNW_VIEW_WIREFRAME},
					{"--flat", SNW_VIEW_FLAT},
					{"--dark", SNW_VIEW_DARK}};
	view->flags = snw_call_option(call, "--no-grid") ? 0 : SNW_VIEW_GRID;
	for (size_t i = 0; i < sizeof switches / sizeof *switches; i++) {
		view->flags |= snw_call_option(call, switches[i].option) ? switches[i].flag : 0;
	}
	const char *word = snw_call_option(call, "--look");
	const snw_look *look = word ? snw_look_find(word) : &snw_looks[0];
	if (!look) {
		return snw_fail(error, SNW_ERROR_ARGUMENT,
						"--look %s: expected materials, clay, x-ray, edges, matcap-clay, matcap-skin or matcap-chrome", word);
	}
	view->flags |= look->flags;
	const char *lights = snw_call_option(call, "--lights");
	while (lights && snw_lights_words[view->lights] && strcmp(snw_lights_words[view->lights], lights) != 0) {
		view->lights++;
	}
	if (!snw_lights_words[view->lights]) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "--lights %s: expected studio, raking or even", lights);
	}
	double level, degrees;
	snw_status status = snw_call_number(call, "--subdivide", 0, 2, 0, &level, error);
	view->subdivision = (uint32_t)level;
	status = snw_failed(status) ? status : snw_call_number(call, "--light-turn", -180, 180, 0, &degrees, error);
	view->light_turn = snw_failed(status) ? 0 : degrees * M_PI / 180;
	return status;
}

static snw_status read_view(const snw_call *call, snw_view *view, uint32_t *width, uint32_t *height, snw_error *error) {
	snw_status status = read_size(call, width, height, error);
	status = snw_failed(status) ? status : read_looks(call, view, error);
	snw_camera_flatten(&view->camera, snw_call_option(call, "--parallel"));
	status = snw_failed(status) ? status : snw_call_number(call, "--yaw", -10, 10, 0.6, &view->camera.yaw, error);
	return snw_failed(status) ? status : snw_call_number(call, "--pitch", -1.57, 1.57, 0.25, &view->camera.pitch, error);
}

static snw_status run_render(snw_call *call, snw_error *error) {
	const char *path = snw_call_option(call, "-o");
	const bool sheet = snw_call_option(call, "--sheet") || snw_call_option(call, "--example");
	if (!path) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "the output is missing; name it with -o OUT.png");
	}
	snw_view view = {0};
	uint32_t width, height;
	snw_opened opened;
	snw_status status = snw_output_file(call, path, "png", error);
	status = snw_failed(status) ? status : read_view(call, &view, &width, &height, error);
	status = snw_failed(status)
				 ? status
				 : snw_open_project(call->arguments[0], SNW_OPEN_READ | SNW_OPEN_PLUGINS, &call->task, &opened, error);
	if (snw_failed(status)) {
		return status;
	}
	snw_opened shown = opened;
	double level = 0;
	status = snw_call_number(call, "--level", 0, 1000, 0, &level, error);
	status = snw_failed(status) || level == 0 ? status : snw_opened_at_level(call, &opened, (uint32_t)level, &shown, error);
	view.scene = shown.scene;
	if (!snw_failed(status)) {
		status = snw_call_option(call, "--crowd") ? snw_crowd_render(call, &opened, &view, width, height, path, error)
				 : sheet                          ? snw_picture_sheet(call, &opened, &view, width, height, path, error)
												  : render_grid(call, &shown, &view, width, height, path, error);
	}
	snw_opened_close(&opened);
	return status;
}

static const snw_option render_options[] = {
	{"-o", "OUT.png", "the picture"},
	{"--pose", "POSE", "NAME, or CLIP:SECONDS (default: rest); repeat it to show poses side by side"},
	{"--clip", "NAME", "a clip, with --frame"},
	{"--frame", "F", "the clip's F-th key, from 0; may be repeated"},
	{"--method", "METHOD",
	 "which method or layer (default: the whole stack), or 'source', the ground truth; repeat it for a row each"},
	{"--heat", "FIELD",
	 "what to paint on the skin: 'error', 'influences' (a colour for each joint), or a field of the project"},
	{"--level", "N", "a level of detail; 0 is the character itself (default: 0)"},
	{"--crowd", "N", "draw a crowd of N that plays the clips, or those that --clip names (which may then be repeated)"},
	SNW_CROWD_OPTIONS,
	{"--seconds", "S", "with --crowd: the moment (default: 0)"},
	{"--sheet", NULL, "draw a contact sheet, a row per example: rest, linear blend, sculpt, result, errors"},
	{"--example", "NAME", "with --sheet: this example only; may be repeated"},
	{"--size", "WxH", "pixels of each view (default: 1280x720; 400x400 for several views)"},
	{"--yaw", "RADIANS", "angle of the camera about the vertical (default: 0.6)"},
	{"--pitch", "RADIANS", "angle of the camera above the horizon (default: 0.25)"},
	{"--parallel", NULL, "draw without perspective"},
	{"--focus", "MASK", "point the camera at this part: joints:A,B, x+, x- (y, z) or field:NAME"},
	{"--zoom", "TIMES", "magnification; 1 shows everything (default: 1)"},
	{"--pan", "RIGHT,UP", "move the camera, in heights of the view (default: 0,0)"},
	{"--look", "LOOK",
	 "materials, clay, x-ray, edges, or a matcap: matcap-clay, matcap-skin or matcap-chrome, which shows curvature (default: "
	 "materials)"},
	{"--lights", "LIGHTS", "studio, raking (shows every dent) or even (default: studio)"},
	{"--light-turn", "DEGREES", "turn the key light, and its shadow, about the vertical, to the right (default: 0)"},
	{"--subdivide", "N", "subdivide the mesh N times, 0 to 2 (default: 0)"},
	{"--skeleton", NULL, "draw the bones"},
	{"--wireframe", NULL, "draw the edges of the polygons"},
	{"--flat", NULL, "flat shading: one normal per face"},
	{"--dark", NULL, "use a dark background, as the window does"},
	{"--no-grid", NULL, "leave out the ground grid"},
	{"--caption", "TEXT", "text under the picture; for several views once for each, row by row (default: how they differ)"},
	{NULL, NULL, NULL},
};

const snw_verb snw_verb_render = {
	.name = "render",
	.part = SNW_VERB_SHOWS,
	.usage = "P.sinew -o OUT.png [--pose POSE… | --clip NAME --frame F…] [--method METHOD]… [--heat FIELD] [--look LOOK] "
			 "[--level N] [--size WxH] | --sheet | --crowd N [--seed N] [--seconds S]",
	.help = "Draws a picture, with or without a display.",
	.actions = "",
	.least_arguments = 1,
	.most_arguments = 1,
	.options = render_options,
	.run = run_render,
};
