/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew render: pictures of poses, frames and fields, side by side where there are several, or the contact sheet of the
 * examples.
 */
#include "cli/output/render.h"

#include <stdio.h>
#include <string.h>

#include "cli/command_line/output_path.h"
#include "cli/output/picture.h"
#include "render/shading/look.h"
#include "window/document/view_state.h"

static snw_status read_size(const snw_call *call, uint32_t *width, uint32_t *height, snw_error *error) {
	const char *text = snw_call_option(call, "--size");
	const bool several = snw_call_option(call, "--sheet") || snw_call_option(call, "--example") ||
						 snw_call_option_at(call, "--pose", 1) || snw_call_option_at(call, "--frame", 1) ||
						 snw_call_option_at(call, "--method", 1);
	int end = 0;
	*width = several ? 400 : 1280;
	*height = several ? 400 : 720;
	if (text && (sscanf(text, "%ux%u%n", width, height, &end) != 2 || text[end] || *width < 16 || *height < 16 ||
				 *width > 8192 || *height > 8192)) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "--size %s: it takes WIDTHxHEIGHT, each from 16 to 8192", text);
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
		return snw_fail(error, SNW_ERROR_ARGUMENT, "--look %s: it is one of materials, clay, x-ray and edges", word);
	}
	view->flags |= look->flags;
	const char *lights = snw_call_option(call, "--lights");
	while (lights && snw_lights_words[view->lights] && strcmp(snw_lights_words[view->lights], lights) != 0) {
		view->lights++;
	}
	if (!snw_lights_words[view->lights]) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "--lights %s: it is one of studio, raking and even", lights);
	}
	double level;
	const snw_status status = snw_call_number(call, "--subdivide", 0, 2, 0, &level, error);
	view->subdivision = (uint32_t)level;
	return status;
}

static snw_status read_view(const snw_call *call, snw_view *view, uint32_t *width, uint32_t *height, snw_error *error) {
	snw_status status = read_size(call, width, height, error);
	status = snw_failed(status) ? status : read_looks(call, view, error);
	snw_camera_flatten(&view->camera, snw_call_option(call, "--parallel"));
	status = snw_failed(status) ? status : snw_call_number(call, "--yaw", -10, 10, 0.6, &view->camera.yaw, error);
	return snw_failed(status) ? status : snw_call_number(call, "--pitch", -1.57, 1.57, 0.25, &view->camera.pitch, error);
}

static snw_status run(snw_call *call, snw_error *error) {
	const char *path = snw_call_option(call, "-o");
	const bool sheet = snw_call_option(call, "--sheet") || snw_call_option(call, "--example");
	if (!path) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "say where the picture goes: -o OUT.png");
	}
	snw_view view = {0};
	uint32_t width, height;
	snw_opened opened;
	snw_status status = snw_output_file(call, path, "png", error);
	status = snw_failed(status) ? status : read_view(call, &view, &width, &height, error);
	status =
		snw_failed(status) ? status : snw_open_project(call->arguments[0], SNW_OPEN_READ | SNW_OPEN_PLUGINS, &opened, error);
	if (snw_failed(status)) {
		return status;
	}
	view.scene = opened.scene;
	status = sheet ? snw_picture_sheet(call, &opened, &view, width, height, path, error)
				   : snw_render_grid(call, &opened, &view, width, height, path, error);
	snw_opened_close(&opened);
	return status;
}

static const snw_option options[] = {
	{"-o", "OUT.png", "the picture"},
	{"--pose", "POSE", "NAME, or CLIP:SECONDS (rest); may be repeated: poses stand side by side"},
	{"--clip", "NAME", "a clip, with --frame"},
	{"--frame", "F", "the clip's F-th key, from 0; may be repeated"},
	{"--method", "METHOD",
	 "which method or layer (the whole stack); 'source': as it came; may be repeated: a row for each, of several poses"},
	{"--heat", "FIELD",
	 "what to paint on the skin: 'error', 'influences' (the joints' colours), or a field that the project keeps"},
	{"--sheet", NULL, "a row for each example: rest, linear blend, sculpt, result, errors"},
	{"--example", "NAME", "the sheet of this example only; may be repeated"},
	{"--size", "WxH", "pixels of each view (1280x720; of several 400x400)"},
	{"--yaw", "RADIANS", "the camera's turn about the vertical (0.6)"},
	{"--pitch", "RADIANS", "the camera's height above the horizon (0.25)"},
	{"--parallel", NULL, "without perspective: lines that are parallel stay so"},
	{"--focus", "MASK", "frame only this part: joints:A,B, x+, x- (y, z) or field:NAME"},
	{"--zoom", "TIMES", "how much nearer than it takes to see everything (1)"},
	{"--pan", "RIGHT,UP", "move what is seen, in heights of the view (0,0)"},
	{"--look", "LOOK", "materials, clay, x-ray or edges (materials)"},
	{"--lights", "LIGHTS", "studio, raking (shows every dent) or even (studio)"},
	{"--subdivide", "N", "the mesh refined N times, 0 to 2 (0)"},
	{"--skeleton", NULL, "draw the bones"},
	{"--wireframe", NULL, "draw the edges of the polygons"},
	{"--flat", NULL, "one normal a face"},
	{"--dark", NULL, "on a dark background, as in the window"},
	{"--no-grid", NULL, "leave the ground grid out"},
	{"--caption", "TEXT", "words under the picture; of several once for each view, row by row (what tells them apart)"},
	{NULL, NULL, NULL},
};

const snw_verb snw_verb_render = {
	.name = "render",
	.usage = "P.sinew -o OUT.png [--pose POSE… | --clip NAME --frame F…] [--method METHOD]… [--heat FIELD] [--look LOOK] "
			 "[--size WxH] | --sheet",
	.help = "Draws a picture, with or without a display.",
	.actions = "",
	.least_arguments = 1,
	.most_arguments = 1,
	.options = options,
	.run = run,
};
