/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew view: the project in a window.
 */
#include <libgen.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "cli/open.h"
#include "cli/verb.h"
#include "window/window.h"

enum { WIDTH = 1280, HEIGHT = 800 };

static snw_status parse_size(const snw_call *call, int *width, int *height, snw_error *error) {
	const char *text = snw_call_option(call, "--size");
	int end = 0;
	if (text && (sscanf(text, "%dx%d%n", width, height, &end) != 2 || text[end] || *width < 160 || *height < 160 ||
				 *width > 16384 || *height > 16384)) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "--size %s: it takes WIDTHxHEIGHT, each from 160 to 16384", text);
	}
	return SNW_OK;
}

/* The file's name without its folder, and without its ending. */
static const char *stem_of(const snw_call *call, const char *path) {
	char *name = basename(snw_arena_text(call->arena, path));
	char *dot = strrchr(name, '.');
	if (dot && dot != name) {
		*dot = '\0';
	}
	return name;
}

static snw_status run(snw_call *call, snw_error *error) {
	snw_window_request request = {.width = WIDTH, .height = HEIGHT, .is_traced = snw_call_option(call, "--trace")};
	snw_desk desk;
	snw_status status = parse_size(call, &request.width, &request.height, error);
	status = status < 0 ? status : snw_desk_open(call->words[0], SNW_DESK_READ | SNW_DESK_PLUGINS, &desk, error);
	if (status < 0) {
		return status;
	}
	signal(SIGINT, SIG_DFL); /* nothing is being written: Ctrl-C may close the window at once */
	request.scene = desk.scene;
	request.registry = desk.registry;
	request.task = &call->task;
	request.title = snw_arena_format(call->arena, "%s", stem_of(call, call->words[0]));
	request.picture_stem = request.title;
	status = snw_window_run(&request, error);
	snw_desk_close(&desk);
	return status;
}

static const snw_option options[] = {
	{"--size", "WxH", "of the window at first (1280x800)"},
	{"--trace", NULL, "print what is done, a line for each command, once its frame is drawn"},
	{NULL, NULL, NULL},
};

const snw_verb snw_verb_view = {
	.name = "view",
	.usage = "P.sinew [--size WxH]",
	.help = "Opens a window: turn, play, scrub, compare methods.",
	.actions = "",
	.least_words = 1,
	.most_words = 1,
	.options = options,
	.run = run,
};
