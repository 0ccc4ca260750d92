/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A context is of the best version that the driver has, also if the driver gives exactly what is asked for.
 */
#include "render/gl/context.h"

#include <SDL.h>

#include "graphics.h"

SDL_GLContext __real_SDL_GL_CreateContext(SDL_Window *window);
SDL_GLContext __wrap_SDL_GL_CreateContext(SDL_Window *window);

static int newest, granted; /* minor versions of OpenGL 4: of the driver, and of the last context */

SDL_GLContext __wrap_SDL_GL_CreateContext(SDL_Window *window) {
	int minor = 0;
	SDL_GL_GetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, &minor);
	if (minor > newest) {
		SDL_SetError("there is no OpenGL 4.%d", minor);
		return NULL;
	}
	granted = minor;
	return __real_SDL_GL_CreateContext(window);
}

static void context_is_of_the_best_version_that_the_driver_has(void **state) {
	(void)state;
	static const struct { int newest, granted; } drivers[] = {{6, 5}, {5, 5}, {4, 3}, {3, 3}, {2, 1}, {1, 1}};
	for (size_t i = 0; i < sizeof drivers / sizeof *drivers; i++) {
		newest = drivers[i].newest;
		granted = -1;
		snw_context context;
		snw_error error;
		const snw_status status = snw_context_create(&context, NULL, &error);
		if (status == SNW_ERROR_UNSUPPORTED && granted < 0) {
			print_message("skipped: %s\n", error.text);
			skip();
		}
		check_ok(status, error);
		dl_iterate_phdr(graphics_keep_library, NULL);
		assert_int_equal(granted, drivers[i].granted);
		check_ok(snw_context_renew(&context, &error), error);
		assert_int_equal(granted, drivers[i].granted);
		snw_context_destroy(&context);
	}
}

static void driver_without_opengl_4_1_is_refused(void **state) {
	(void)state;
	newest = 0;
	snw_context context;
	snw_error error;
	assert_int_equal(snw_context_create(&context, NULL, &error), SNW_ERROR_UNSUPPORTED);
	assert_non_null(strstr(error.text, "rendering: no"));
	assert_null(context.gl);
	snw_context_destroy(&context);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(context_is_of_the_best_version_that_the_driver_has),
		cmocka_unit_test(driver_without_opengl_4_1_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
