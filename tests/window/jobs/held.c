/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The window, with a refinement that ends when the test says so: after the mesh is refined, the background job waits until a file
 * exists. And with redraws that are slow while another file exists. The linker puts the functions here in place of the renderer's
 * (--wrap).
 */
#include <SDL.h>
#include <stdio.h>
#include <stdlib.h>

#include "file/file.h"
#include "render/draw/gpu_scene_data.h"
#include "render/draw/viewport.h"
#include "window/window.h"

enum { SLOW = 600 }; /* milliseconds a redraw, longer than between the presses of a double-click */

typedef snw_status refine(const snw_scene *scene, uint32_t level, snw_gpu_scene_data **data, snw_error *error);
refine __real_snw_gpu_scene_data_refine, __wrap_snw_gpu_scene_data_refine;

snw_status __wrap_snw_gpu_scene_data_refine(const snw_scene *scene, uint32_t level, snw_gpu_scene_data **data,
											snw_error *error) {
	const snw_status status = __real_snw_gpu_scene_data_refine(scene, level, data, error);
	const char *release = getenv("SINEW_TEST_RELEASE");
	puts("refined");
	fflush(stdout);
	while (release && !snw_file_exists(release)) {
		SDL_Delay(10);
	}
	return status;
}

typedef void show(const snw_renderer *renderer);
show __real_snw_renderer_show, __wrap_snw_renderer_show;

void __wrap_snw_renderer_show(const snw_renderer *renderer) {
	const char *slow = getenv("SINEW_TEST_SLOW");
	__real_snw_renderer_show(renderer);
	if (slow && snw_file_exists(slow)) {
		SDL_Delay(SLOW);
	}
}

/* held FILE --echo --size WIDTHxHEIGHT, as the driver calls `sinew view`. */
int main(int argc, char **argv) {
	snw_error error = {0};
	snw_window_options options = {.path = argv[1], .is_traced = true};
	if (argc != 5 || sscanf(argv[4], "%dx%d", &options.width, &options.height) != 2) {
		fprintf(stderr, "usage: held FILE --echo --size WIDTHxHEIGHT\n");
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
