/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * SDL makes the context, GLEW loads it. In builds with assertions the context is a debug one, and what the driver says about
 * its use becomes an error.
 */
#include "render/gl/context.h"

#include <GL/glew.h>
#include <SDL.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool start_video(void) {
	SDL_SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1"); /* Ctrl-C is handled by the program */
	const char *chosen = getenv("SDL_VIDEODRIVER");
	const bool display = getenv("DISPLAY") || getenv("WAYLAND_DISPLAY");
	if ((chosen && *chosen) || display) {
		if (SDL_InitSubSystem(SDL_INIT_VIDEO) == 0) {
			return true;
		}
		if (chosen && *chosen) {
			return false;
		}
	}
	SDL_SetHint(SDL_HINT_VIDEODRIVER, "offscreen");
	return SDL_InitSubSystem(SDL_INIT_VIDEO) == 0;
}

static bool is_seen(const char *driver) {
	return driver && strcmp(driver, "offscreen") != 0 && strcmp(driver, "dummy") != 0;
}

/* SDL may fall back on drivers without a visible screen. */
static bool start_display(void) {
	const char *chosen = getenv("SDL_VIDEODRIVER");
	const bool display = getenv("DISPLAY") || getenv("WAYLAND_DISPLAY");
	SDL_SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1");
	if ((chosen && *chosen && !is_seen(chosen)) || !display || SDL_InitSubSystem(SDL_INIT_VIDEO) != 0) {
		return false;
	}
	const bool seen = is_seen(SDL_GetCurrentVideoDriver());
	if (!seen) {
		SDL_QuitSubSystem(SDL_INIT_VIDEO);
	}
	return seen;
}

static SDL_Window *make_window(const snw_window_wish *wish) {
	if (!wish) {
		return SDL_CreateWindow("Sinew", 0, 0, 64, 64, SDL_WINDOW_OPENGL | SDL_WINDOW_HIDDEN);
	}
	return SDL_CreateWindow(wish->title, SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, wish->width, wish->height,
							SDL_WINDOW_OPENGL | SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI);
}

/* Best first: 4.5 has what tells of a lost context, 4.3 compute shaders, and 4.1 is what every picture needs. Some drivers give
 * exactly the version that is asked for, not the best they have. */
static const int minor_versions[] = {5, 3, 1};
enum { VERSION_COUNT = sizeof minor_versions / sizeof *minor_versions };

static void set_attributes(int minor_version, bool robust) {
	SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_CORE);
	SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 4);
	SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, minor_version);
	int flags = SDL_GL_CONTEXT_FORWARD_COMPATIBLE_FLAG;
#ifndef NDEBUG
	flags |= SDL_GL_CONTEXT_DEBUG_FLAG;
#endif
	SDL_GL_SetAttribute(SDL_GL_CONTEXT_FLAGS, flags | (robust ? SDL_GL_CONTEXT_ROBUST_ACCESS_FLAG : 0));
	SDL_GL_SetAttribute(SDL_GL_CONTEXT_RESET_NOTIFICATION,
						robust ? SDL_GL_CONTEXT_RESET_LOSE_CONTEXT : SDL_GL_CONTEXT_RESET_NO_NOTIFICATION);
}

static bool load_functions(void) {
	glewExperimental = GL_TRUE;
	const GLenum state = glewInit();
	/* Offscreen there is no GLX, which GLEW reports after everything else is loaded. */
	const bool loaded = state == GLEW_OK || state == GLEW_ERROR_NO_GLX_DISPLAY;
	(void)glGetError();
	return loaded && glBeginTransformFeedback && glTexBuffer && glDrawArraysInstanced;
}

#ifndef NDEBUG
static void GLAPIENTRY store_fault(GLenum source, GLenum type, GLuint id, GLenum severity, GLsizei length,
								   const GLchar *message, const void *user) {
	(void)source, (void)id, (void)length;
	snw_context *context = (snw_context *)user;
	const bool serious = type == GL_DEBUG_TYPE_ERROR || type == GL_DEBUG_TYPE_UNDEFINED_BEHAVIOR ||
						 type == GL_DEBUG_TYPE_DEPRECATED_BEHAVIOR || severity == GL_DEBUG_SEVERITY_HIGH;
	if (serious && !context->fault[0]) {
		snprintf(context->fault, sizeof context->fault, "%s", message);
	}
}

static void watch_faults(snw_context *context) {
	if (GLEW_KHR_debug) {
		glEnable(GL_DEBUG_OUTPUT);
		glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
		glDebugMessageCallback(store_fault, context);
	}
}
#else
static void watch_faults(snw_context *context) {
	(void)context;
}
#endif

/* A context of the best version, and one that reports its loss, if the driver has such. */
static void *make_gl(SDL_Window *window) {
	void *gl = NULL;
	for (int i = 0; i < VERSION_COUNT && window && !gl; i++) {
		for (int robust = 1; robust >= 0 && !gl; robust--) {
			set_attributes(minor_versions[i], robust);
			gl = SDL_GL_CreateContext(window);
		}
	}
	return gl;
}

/* Reads the properties of a new context. */
static snw_status begin(snw_context *context, snw_error *error) {
	if (!context->gl) {
		return snw_fail(error, SNW_ERROR_UNSUPPORTED, "rendering: no OpenGL 4.1 (%s); install libgl1-mesa-dri or a driver",
						SDL_GetError());
	}
	if (!load_functions()) {
		return snw_fail(error, SNW_ERROR_UNSUPPORTED, "rendering: the OpenGL driver lacks functions of 4.1; update it");
	}
	GLint strategy = GL_NO_RESET_NOTIFICATION;
	const bool can_ask = GLEW_VERSION_4_5 || GLEW_KHR_robustness || GLEW_ARB_robustness;
	if (can_ask) {
		glGetIntegerv(GL_RESET_NOTIFICATION_STRATEGY, &strategy); /* one number in core, KHR and ARB */
	}
	context->reports_loss = strategy == GL_LOSE_CONTEXT_ON_RESET;
	context->is_lost = false;
	context->fault[0] = '\0';
	snprintf(context->device, sizeof context->device, "%s", (const char *)glGetString(GL_RENDERER));
	watch_faults(context);
	return SNW_OK;
}

bool snw_device_is_software(const char *device) {
	static const char *const names[] = {"llvmpipe", "softpipe", "SWR", "swrast", "SwiftShader", "lavapipe"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		if (strstr(device, names[i])) {
			return true;
		}
	}
	return false;
}

bool snw_context_is_lost(snw_context *context) {
	if (context->reports_loss && !context->is_lost) {
		const GLenum state = glGetGraphicsResetStatus      ? glGetGraphicsResetStatus()
							 : glGetGraphicsResetStatusARB ? glGetGraphicsResetStatusARB()
														   : GL_NO_ERROR;
		context->is_lost = state != GL_NO_ERROR;
	}
	return context->is_lost;
}

snw_status snw_context_renew(snw_context *context, snw_error *error) {
	SDL_GL_DeleteContext(context->gl);
	context->gl = make_gl(context->window);
	const snw_status status = begin(context, error);
	if (snw_failed(status)) {
		if (context->gl) {
			SDL_GL_DeleteContext(context->gl);
		}
		SDL_DestroyWindow(context->window);
		SDL_QuitSubSystem(SDL_INIT_VIDEO);
		*context = (snw_context){0};
	}
	return status;
}

snw_status snw_context_create(snw_context *context, const snw_window_wish *wish, snw_error *error) {
	*context = (snw_context){0};
	if (wish && !start_display()) {
		return snw_fail(error, SNW_ERROR_UNSUPPORTED, "a window needs a display; 'sinew render' draws without one");
	}
	if (!wish && !start_video()) {
		return snw_fail(error, SNW_ERROR_UNSUPPORTED,
						"rendering: no display and no offscreen OpenGL (%s); install libegl1 and libgl1-mesa-dri",
						SDL_GetError());
	}
	set_attributes(minor_versions[VERSION_COUNT - 1], false); /* a window's pixel format depends on them */
	context->window = make_window(wish);
	context->gl = make_gl(context->window);
	const snw_status status = begin(context, error);
	if (snw_failed(status)) {
		if (context->gl) {
			SDL_GL_DeleteContext(context->gl);
		}
		if (context->window) {
			SDL_DestroyWindow(context->window);
		}
		SDL_QuitSubSystem(SDL_INIT_VIDEO);
		*context = (snw_context){0};
	}
	return status;
}

void snw_context_destroy(snw_context *context) {
	if (context->gl) {
		SDL_GL_DeleteContext(context->gl);
		SDL_DestroyWindow(context->window);
		SDL_QuitSubSystem(SDL_INIT_VIDEO);
	}
	*context = (snw_context){0};
}

snw_status snw_context_enter(snw_context *context, snw_error *error) {
	if (SDL_GL_MakeCurrent(context->window, context->gl) != 0) {
		return snw_fail(error, SNW_ERROR_INTERNAL, "rendering: the OpenGL context was lost (%s); start again", SDL_GetError());
	}
	return SNW_OK;
}

snw_status snw_context_check(snw_context *context, const char *activity, snw_error *error) {
	const GLenum state = glGetError();
	if (snw_context_is_lost(context)) {
		context->fault[0] = '\0';
		return snw_fail(error, SNW_ERROR_INTERNAL, "%s: the graphics driver was reset; everything is uploaded again", activity);
	}
	if (state == GL_OUT_OF_MEMORY) {
		return snw_fail(error, SNW_ERROR_MEMORY, "%s: the graphics card is out of memory; make the picture smaller", activity);
	}
	if (state != GL_NO_ERROR || context->fault[0]) {
		const snw_status status = snw_fail(error, SNW_ERROR_INTERNAL, "%s: OpenGL error 0x%04x: %s", activity, state,
										   context->fault[0] ? context->fault : "the driver gives no message");
		context->fault[0] = 0;
		return status;
	}
	return SNW_OK;
}
