/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew render: pictures of poses, frames and fields, side by side if there are several, or the contact sheet of the
 * examples.
 */
#include "cli/output/render.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/command_line/output_path.h"
#include "cli/output/crowd.h"
#include "cli/output/picture.h"
#include "render/shading/look.h"

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
												  : snw_render_grid(call, &shown, &view, width, height, path, error);
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
	.usage = "P.sinew -o OUT.png [--pose POSE… | --clip NAME --frame F…] [--method METHOD]… [--heat FIELD] [--look LOOK] "
			 "[--level N] [--size WxH] | --sheet | --crowd N [--seed N] [--seconds S]",
	.help = "Draws a picture, with or without a display.",
	.actions = "",
	.least_arguments = 1,
	.most_arguments = 1,
	.options = render_options,
	.run = run_render,
};
