/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew view: the project in a window.
 */
#include <signal.h>
#include <stdio.h>

#include "cli/output/output.h"
#include "fault/fault.h"
#include "file/file.h"
#include "window/window.h"

enum { WIDTH = 1280, HEIGHT = 800 };

static snw_status parse_size(const snw_call *call, int *width, int *height, snw_error *error) {
	const char *text = snw_call_option(call, "--size");
	int end = 0;
	if (text && (sscanf(text, "%dx%d%n", width, height, &end) != 2 || text[end] || *width < 160 || *height < 160 ||
				 *width > 16384 || *height > 16384)) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "--size %s: expected WIDTHxHEIGHT, each from 160 to 16384", text);
	}
	return SNW_OK;
}

/* The clips of the project, played by many. */
static snw_status show_crowd(const snw_call *call, int width, int height, snw_error *error) {
	snw_opened opened;
	snw_cli_crowd made = {0};
	uint32_t count = 0;
	double redraws;
	if (call->argument_count == 0) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "--crowd: which project?");
	}
	snw_status status = snw_crowd_number(call, "--crowd", 1, &count, error);
	status = snw_failed(status) ? status : snw_call_number(call, "--redraws", 1, UINT32_MAX, 0, &redraws, error);
	status = snw_failed(status)
				 ? status
				 : snw_open_project(call->arguments[0], SNW_OPEN_READ | SNW_OPEN_PLUGINS, &call->task, &opened, error);
	if (snw_failed(status)) {
		return status;
	}
	const snw_crowd_window_options options = {.width = width,
											  .height = height,
											  .name = opened.name,
											  .redraws = (uint32_t)redraws,
											  .picture = snw_call_option(call, "--picture")};
	status = snw_cli_crowd_make(call, &opened, count, true, &made, error);
	status = snw_failed(status) ? status : snw_crowd_window_run(&options, &made.crowd, &made.character, &call->task, error);
	snw_cli_crowd_free(&made);
	snw_opened_close(&opened);
	return status;
}

static snw_status run_view(snw_call *call, snw_error *error) {
	snw_window_options request = {.width = WIDTH,
								  .height = HEIGHT,
								  .path = call->argument_count > 0 ? call->arguments[0] : NULL,
								  .script = snw_call_option(call, "--script"),
								  .is_traced = snw_call_option(call, "--echo")};
	const snw_status status = parse_size(call, &request.width, &request.height, error);
	if (snw_failed(status)) {
		return status;
	}
	if (request.path && !snw_file_exists(request.path)) {
		return snw_fail(error, SNW_ERROR_IO, "%s: no such file; 'sinew view' alone opens an empty window", request.path);
	}
	if (snw_call_option(call, "--crowd")) {
		return show_crowd(call, request.width, request.height, error);
	}
	snw_call_limit_of_window();
	signal(SIGINT, SIG_DFL); /* files are written atomically: Ctrl-C may close the window at once */
	snw_registry *registry = snw_registry_open_renewable();
	request.registry = registry;
	const snw_status result = snw_window_run(&request, error);
	snw_registry_close(registry);
	return result;
}

static const snw_option view_options[] = {
	{"--size", "WxH", "initial size of the window (default: 1280x800)"},
	{"--script", "FILE",
	 "run a script: operators as in 'sinew do', and lines of the window's own, as Help > Save session as script writes them"},
	{"--crowd", "N", "show a crowd of N that plays the clips, in a window of its own: drag to orbit, Space to stop and start"},
	SNW_CROWD_OPTIONS,
	{"--clip", "NAME", "with --crowd: a clip that is played (default: all); may be repeated"},
	{"--method", "METHOD", "with --crowd: which method or layer (default: the whole stack)"},
	{"--redraws", "N", "with --crowd: close after this many redraws"},
	{"--picture", "OUT.png", "with --redraws: write the last of them"},
	{"--echo", NULL, "print a line for each command once its result is drawn"},
	{NULL, NULL, NULL},
};

const snw_verb snw_verb_view = {
	.name = "view",
	.usage = "[P.sinew | FILE] [--size WxH] [--script FILE] | P.sinew --crowd N",
	.help = "Opens a window to pose, sculpt and fit in.",
	.actions = "",
	.least_arguments = 0,
	.most_arguments = 1,
	.runs_once = true,
	.options = view_options,
	.run = run_view,
};
