/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew render: a picture of a pose, a frame or a field, or the contact sheet of the examples.
 */
#include "render/render.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/open.h"
#include "cli/output.h"
#include "cli/picture.h"
#include "cli/verb.h"
#include "scene/moments.h"
#include "scene/pose.h"

static snw_status parse_size(const snw_call *call, uint32_t *width, uint32_t *height, snw_error *error) {
	const char *text = snw_call_option(call, "--size");
	int end = 0;
	if (text && (sscanf(text, "%ux%u%n", width, height, &end) != 2 || text[end] || *width < 16 || *height < 16 ||
				 *width > 8192 || *height > 8192)) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "--size %s: it takes WIDTHxHEIGHT, each from 16 to 8192", text);
	}
	return SNW_OK;
}

/* The pose that is drawn, and, for a frame of a clip, which key it is (else SNW_NONE). */
static snw_status find_pose(const snw_call *call, const snw_scene *scene, snw_pose **pose, uint32_t *clip, uint32_t *frame,
							snw_error *error) {
	const char *text = snw_call_option(call, "--pose"), *clip_name = snw_call_option(call, "--clip");
	*clip = *frame = SNW_NONE;
	if (text && clip_name) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "--pose and --clip: take one of them");
	}
	if (!clip_name) {
		return snw_pose_resolve(scene, text ? text : "rest", call->arena, pose, error);
	}
	*clip = snw_scene_find_clip(scene, clip_name);
	if (*clip == SNW_NONE) {
		return snw_fail(error, SNW_ERROR_MISSING, "--clip %s: no such clip; 'sinew info' lists them", clip_name);
	}
	double *seconds, number;
	uint32_t count;
	snw_clip_moments(scene, *clip, call->arena, &seconds, &count);
	const snw_status status = snw_call_number(call, "--frame", 0, count ? count - 1 : 0, 0, &number, error);
	if (status != SNW_OK) {
		return status;
	}
	*frame = (uint32_t)number;
	*pose = snw_pose_sample(scene, *clip, count ? seconds[*frame] : 0, call->arena);
	return SNW_OK;
}

/* What the meshes should look like at this pose: an example's sculpt, or a target's frame. False where nothing says so. */
static bool find_wanted(const snw_call *call, const snw_scene *scene, const snw_pose *pose, uint32_t clip,
						const double **wanted) {
	bool found = false;
	for (uint32_t i = 0; i < scene->example_count; i++) {
		const snw_example *example = &scene->examples[i];
		if (clip == SNW_NONE && pose->name && strcmp(scene->poses[example->pose].name, pose->name) == 0) {
			wanted[example->mesh] = example->points_posed;
			found = true;
		}
	}
	for (uint32_t i = 0; i < scene->target_count; i++) {
		const snw_target *target = &scene->targets[i];
		for (uint32_t f = 0; clip != SNW_NONE && snw_target_clip(scene, target) == clip && f < target->frame_count; f++) {
			if (fabs(target->seconds[f] - pose->seconds) < 1e-6) {
				const size_t count = 3 * (size_t)scene->meshes[target->mesh].point_count;
				double *points = SNW_NEW_ARRAY(call->arena, double, count);
				for (size_t c = 0; c < count; c++) {
					points[c] = (double)target->points_posed[f * count + c];
				}
				wanted[target->mesh] = points;
				found = true;
			}
		}
	}
	return found;
}

static snw_status heat_of_error(const snw_call *call, const snw_scene *scene, const snw_pose *pose, uint32_t clip,
								snw_view *view, snw_error *error) {
	const double **wanted = SNW_NEW_ARRAY(call->arena, const double *, scene->mesh_count);
	if (!find_wanted(call, scene, pose, clip, wanted)) {
		return snw_fail(error, SNW_ERROR_MISSING, "--heat error: no example or target says what this pose should look like");
	}
	double **points;
	const snw_status status = snw_picture_points(call, scene, view->stack, view->pose, &points, error);
	if (status == SNW_OK) {
		view->heat = (const double *const *)snw_picture_distances(call, scene, points, wanted, &view->heat_maximum);
		view->heat_label = "error (mm)";
	}
	return status;
}

/* A place on the ramp for each slot of the skin, neighbours' far apart, and between them what a point's weights mix (squared,
 * so that each slot's middle stands out). */
static snw_status heat_of_influences(const snw_call *call, const snw_scene *scene, snw_view *view, snw_error *error) {
	const double **heat = SNW_NEW_ARRAY(call->arena, const double *, scene->mesh_count);
	bool found = false;
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		const snw_program *program = NULL;
		for (uint32_t s = 0; s < snw_stack_segment_count(view->stack, m); s++) {
			const snw_segment_info info = snw_stack_segment(view->stack, m, s);
			program = info.is_program && info.program->influence_offsets ? info.program : program;
		}
		if (!program) {
			continue;
		}
		double *values = SNW_NEW_ARRAY(call->arena, double, program->point_count);
		for (uint32_t i = 0; i < program->point_count; i++) {
			double sum = 0;
			for (uint32_t k = program->influence_offsets[i]; k < program->influence_offsets[i + 1]; k++) {
				const double w = program->influence_weights[k], place = 0.5 + 0.6180339887498949 * program->influence_slots[k];
				values[i] += w * w * (place - floor(place));
				sum += w * w;
			}
			values[i] = sum > 0 ? values[i] / sum : 0;
		}
		heat[m] = values;
		found = true;
	}
	if (!found) {
		return snw_fail(error, SNW_ERROR_MISSING, "--heat influences: no mesh has a skin; fit one, or import a rigged file");
	}
	view->heat = heat;
	view->heat_minimum = 0;
	view->heat_maximum = 1;
	view->heat_label = "influences";
	return SNW_OK;
}

static snw_status heat_of_field(const snw_call *call, const snw_scene *scene, const char *name, snw_view *view,
								snw_error *error) {
	const double **heat = SNW_NEW_ARRAY(call->arena, const double *, scene->mesh_count);
	bool found = false;
	view->heat_minimum = INFINITY;
	view->heat_maximum = -INFINITY;
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		const uint32_t index = snw_scene_find_field(scene, m, name);
		const snw_field *field = index == SNW_NONE ? NULL : &scene->fields[index];
		if (!field || field->domain != SNW_DOMAIN_POINTS || field->components != 1) {
			continue;
		}
		heat[m] = field->values;
		found = true;
		for (uint32_t i = 0; i < field->count; i++) {
			view->heat_minimum = fmin(view->heat_minimum, field->values[i]);
			view->heat_maximum = fmax(view->heat_maximum, field->values[i]);
		}
	}
	if (!found) {
		return snw_fail(error, SNW_ERROR_MISSING,
						"--heat %s: no mesh has such a field of one number a point; there are always 'error' and 'influences'",
						name);
	}
	view->heat = heat;
	view->heat_label = name;
	return SNW_OK;
}

/* The meshes as they came, or as an example or a target says; those that nothing says anything of stand at rest. */
static snw_status show_source(const snw_call *call, const snw_scene *scene, const snw_pose *pose, uint32_t clip, snw_view *view,
							  snw_error *error) {
	const double **wanted = SNW_NEW_ARRAY(call->arena, const double *, scene->mesh_count);
	if (!find_wanted(call, scene, pose, clip, wanted)) {
		return snw_fail(error, SNW_ERROR_MISSING, "--method source: no example or target says what this pose should look like");
	}
	if (snw_call_option(call, "--heat")) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "--heat: the source has no errors and no skin; leave --method source away");
	}
	const float **points = SNW_NEW_ARRAY(call->arena, const float *, scene->mesh_count);
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		const size_t numbers = 3 * (size_t)scene->meshes[m].point_count;
		float *own = SNW_NEW_ARRAY(call->arena, float, numbers);
		for (size_t i = 0; i < numbers; i++) {
			own[i] = (float)(wanted[m] ? wanted[m][i] : scene->meshes[m].points_rest[i]);
		}
		points[m] = own;
	}
	view->points = points;
	return SNW_OK;
}

static snw_status draw_pose(const snw_call *call, const snw_desk *desk, snw_view *view, uint32_t width, uint32_t height,
							const char *path, snw_error *error) {
	const char *heat = snw_call_option(call, "--heat"), *method = snw_call_option(call, "--method");
	snw_stack *stack = NULL;
	snw_pose *pose = NULL;
	uint32_t clip, frame;
	const bool is_source = method && strcmp(method, "source") == 0;
	snw_status status = find_pose(call, desk->scene, &pose, &clip, &frame, error);
	if (status == SNW_OK && is_source) {
		status = show_source(call, desk->scene, pose, clip, view, error);
	}
	if (status == SNW_OK && !is_source) {
		status = snw_desk_stack(call, desk, method, &stack, error);
	}
	if (status == SNW_OK) {
		view->stack = stack;
		view->pose = snw_pose_view_make(desk->scene, pose, call->arena);
		view->flags |= heat ? SNW_VIEW_SCALE_BAR : 0;
		status = !heat                             ? SNW_OK
				 : strcmp(heat, "error") == 0      ? heat_of_error(call, desk->scene, pose, clip, view, error)
				 : strcmp(heat, "influences") == 0 ? heat_of_influences(call, desk->scene, view, error)
												   : heat_of_field(call, desk->scene, heat, view, error);
	}
	if (status == SNW_OK) {
		view->camera = snw_camera_frame(view, width, height);
		status = snw_picture_write(view, 1, 1, width, height, path, call, error);
	}
	snw_stack_destroy(stack);
	return status;
}

static uint32_t view_flags(const snw_call *call) {
	return (snw_call_option(call, "--no-grid") ? 0u : SNW_VIEW_GRID) |
		   (snw_call_option(call, "--skeleton") ? SNW_VIEW_SKELETON : 0u) |
		   (snw_call_option(call, "--wireframe") ? SNW_VIEW_WIREFRAME : 0u) |
		   (snw_call_option(call, "--flat") ? SNW_VIEW_FLAT : 0u);
}

static snw_status run(snw_call *call, snw_error *error) {
	const char *path = snw_call_option(call, "-o");
	const bool sheet = snw_call_option(call, "--sheet") || snw_call_option(call, "--example");
	uint32_t width = sheet ? 400 : 1280, height = sheet ? 400 : 720;
	if (!path) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "say where the picture goes: -o OUT.png");
	}
	snw_status status = snw_output_file(call, path, "png", error);
	if (status != SNW_OK) {
		return status;
	}
	snw_view view = {.flags = view_flags(call), .caption = snw_call_option(call, "--caption")};
	status = parse_size(call, &width, &height, error);
	if (status == SNW_OK) {
		status = snw_call_number(call, "--yaw", -10, 10, 0.6, &view.camera.yaw, error);
	}
	if (status == SNW_OK) {
		status = snw_call_number(call, "--pitch", -1.57, 1.57, 0.25, &view.camera.pitch, error);
	}
	snw_desk desk;
	if (status == SNW_OK) {
		status = snw_desk_open(call->words[0], SNW_DESK_READ | SNW_DESK_PLUGINS, &desk, error);
	}
	if (status != SNW_OK) {
		return status;
	}
	view.scene = desk.scene;
	status = sheet ? snw_picture_sheet(call, &desk, &view, width, height, path, error)
				   : draw_pose(call, &desk, &view, width, height, path, error);
	snw_desk_close(&desk);
	return status;
}

static const snw_option options[] = {
	{"-o", "OUT.png", "the picture"},
	{"--pose", "POSE", "NAME, or CLIP:SECONDS (rest)"},
	{"--clip", "NAME", "a clip, with --frame"},
	{"--frame", "F", "the clip's F-th key, from 0"},
	{"--method", "METHOD", "which method or layer (the whole stack); 'source': as it came"},
	{"--heat", "FIELD", "a field as heat map: 'error', 'influences', or one that the project keeps"},
	{"--sheet", NULL, "a row for each example: rest, linear blend, sculpt, result, errors"},
	{"--example", "NAME", "the sheet of this example only; may be repeated"},
	{"--size", "WxH", "pixels of each view (1280x720; in a sheet 400x400)"},
	{"--yaw", "RADIANS", "the camera's turn about the vertical (0.6)"},
	{"--pitch", "RADIANS", "the camera's height above the horizon (0.25)"},
	{"--skeleton", NULL, "draw the bones"},
	{"--wireframe", NULL, "draw the edges of the polygons"},
	{"--flat", NULL, "one normal a face"},
	{"--no-grid", NULL, "leave the ground grid out"},
	{"--caption", "TEXT", "words under the picture"},
	{NULL, NULL, NULL},
};

const snw_verb snw_verb_render = {
	.name = "render",
	.usage = "P.sinew -o OUT.png [--pose POSE | --clip NAME --frame F] [--method METHOD] [--heat FIELD] [--size WxH] | --sheet",
	.help = "Draws a picture, with or without a display.",
	.actions = "",
	.least_words = 1,
	.most_words = 1,
	.options = options,
	.run = run,
};
