/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The window, with jobs that end when the test says so: after a mesh is refined, and before a sculpt is stored and fitted, the
 * job waits until a file exists. And with redraws that are slow while another file exists. The linker puts the functions here
 * in place of the real ones (--wrap).
 */
#include <SDL.h>
#include <stdio.h>
#include <stdlib.h>

#include "example/sculpts.h"
#include "file/file.h"
#include "render/draw/viewport.h"
#include "window/window.h"

enum { SLOW = 600 }; /* milliseconds a redraw, longer than between the presses of a double-click */

static void wait_for_release(void) {
	const char *release = getenv("SINEW_TEST_RELEASE");
	while (release && !snw_file_exists(release)) {
		SDL_Delay(10);
	}
}

typedef snw_status refine(const snw_scene *scene, uint32_t level, snw_gpu_scene_data **data, snw_error *error);
refine __real_snw_gpu_scene_data_refine, __wrap_snw_gpu_scene_data_refine;

snw_status __wrap_snw_gpu_scene_data_refine(const snw_scene *scene, uint32_t level, snw_gpu_scene_data **data,
											snw_error *error) {
	const snw_status status = __real_snw_gpu_scene_data_refine(scene, level, data, error);
	puts("refined");
	fflush(stdout);
	wait_for_release();
	return status;
}

typedef snw_status commit(snw_project *project, const snw_scene *scene, const snw_registry *registry,
						  const snw_sculpt_commit *sculpt, const snw_task *task, snw_arena *arena,
						  snw_sculpt_committed *committed, snw_error *error);
commit __real_snw_sculpt_commit_example, __wrap_snw_sculpt_commit_example;

snw_status __wrap_snw_sculpt_commit_example(snw_project *project, const snw_scene *scene, const snw_registry *registry,
											const snw_sculpt_commit *sculpt, const snw_task *task, snw_arena *arena,
											snw_sculpt_committed *committed, snw_error *error) {
	wait_for_release();
	return __real_snw_sculpt_commit_example(project, scene, registry, sculpt, task, arena, committed, error);
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
