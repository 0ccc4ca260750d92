/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The window with a pen in place of the mouse: whatever moves the mouse is a sample of constant pressure and tilt. The linker
 * puts the function here in place of the window's (--wrap).
 */
#include <SDL.h>
#include <stdio.h>

#include "window/input/input.h"
#include "window/window.h"

typedef void open_tablet(SDL_Window *window);
open_tablet __real_snw_tablet_open, __wrap_snw_tablet_open;

static int add_sample(void *unused, SDL_Event *event) {
	(void)unused;
	if (event->type == SDL_MOUSEMOTION) {
		snw_tablet_push(&(snw_pen_sample){(float)event->motion.x, (float)event->motion.y, 0.25f, 0.5f});
	}
	return 0;
}

void __wrap_snw_tablet_open(SDL_Window *window) {
	__real_snw_tablet_open(window);
	SDL_AddEventWatch(add_sample, NULL);
}

/* tablet FILE --echo --size WIDTHxHEIGHT, as the driver calls `sinew view`. */
int main(int argc, char **argv) {
	snw_error error = {0};
	snw_window_options options = {.path = argv[1], .is_traced = true};
	if (argc != 5 || sscanf(argv[4], "%dx%d", &options.width, &options.height) != 2) {
		fprintf(stderr, "usage: tablet FILE --echo --size WIDTHxHEIGHT\n");
		return 2;
	}
	snw_registry *registry = snw_registry_open();
	options.registry = registry;
	const snw_status status = snw_window_run(&options, &error);
	snw_registry_close(registry);
	if (snw_failed(status)) {
		fprintf(stderr, "%s\n", error.text);
	}
	return snw_failed(status);
}
