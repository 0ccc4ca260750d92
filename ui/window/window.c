/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The loop: events become commands, commands change the state, the state is drawn. It sleeps while nothing moves.
 */
#include "window/window.h"

#include <SDL.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "render/canvas.h"
#include "window/apply.h"
#include "window/imgui_shim.h"
#include "window/input.h"

enum { LEAST_SIDE = 160, SETTLING_FRAMES = 3, REST_MILLISECONDS = 500 };

typedef struct window {
	const snw_window_request *request;
	snw_renderer *renderer;
	SDL_Window *sdl;
	snw_studio studio;
	snw_view_state state;
	snw_input input;
	snw_command_queue queue, done; /* `done`: to be traced after the frame */
	float scale;
	int frames_due; /* frames still to be drawn before it may sleep: panels settle over a few */
	uint64_t clock;
	unsigned picture_count;
	char picture[4096]; /* where the last picture went; empty: none is to be traced */
} window;

/* The display's density, in steps that letters look good at. */
static float display_scale(SDL_Window *sdl) {
	float dpi = 96;
	int points, pixels;
	SDL_GetWindowSize(sdl, &points, NULL);
	SDL_GL_GetDrawableSize(sdl, &pixels, NULL);
	if (pixels > points || SDL_GetDisplayDPI(SDL_GetWindowDisplayIndex(sdl), &dpi, NULL, NULL) != 0 || dpi < 144) {
		return 1; /* the desktop scales by itself, or there is nothing to scale */
	}
	return fminf(roundf(dpi / 48) / 2, 3);
}

static snw_layout layout_of(const window *w) {
	int width, height;
	SDL_GetWindowSize(w->sdl, &width, &height);
	return snw_layout_make(width, height, w->scale);
}

static void handle(window *w, const SDL_Event *event) {
	const snw_layout layout = layout_of(w);
	snw_gui_event(event);
	const bool typing = snw_gui_wants_keys() && (event->type == SDL_KEYDOWN || event->type == SDL_KEYUP);
	if (!typing) {
		snw_input_event(&w->input, event, !snw_gui_wants_mouse(), &layout, &w->state, &w->queue);
	}
	w->frames_due = SETTLING_FRAMES;
}

static void take_events(window *w) {
	SDL_Event event;
	const bool busy = w->state.playing || w->frames_due > 0;
	if (!busy && SDL_WaitEventTimeout(&event, REST_MILLISECONDS)) {
		handle(w, &event);
	}
	while (SDL_PollEvent(&event)) {
		handle(w, &event);
	}
}

/* Time goes on by the clock, but not by more than a tenth of a second a frame. */
static void play_on(window *w) {
	const uint64_t now = SDL_GetPerformanceCounter();
	const double passed = fmin((double)(now - w->clock) / (double)SDL_GetPerformanceFrequency(), 0.1);
	const double duration = w->studio.reel.duration_seconds;
	w->clock = now;
	if (w->state.playing && duration > 0) {
		w->state.seconds = fmod(w->state.seconds + passed, duration);
	}
}

/* ---- pictures ----------------------------------------------------------------------------------------------------- */

static void write_picture(window *w) {
	int width, height;
	snw_error error = {0};
	SDL_GL_GetDrawableSize(w->sdl, &width, &height);
	snw_arena *scratch = snw_arena_create();
	unsigned char *pixels = snw_arena_array(scratch, (size_t)width * (size_t)height, 4);
	snw_renderer_read_window(w->renderer, (uint32_t)width, (uint32_t)height, pixels);
	do {
		snprintf(w->picture, sizeof w->picture, "%s-%u.png", w->request->picture_stem, ++w->picture_count);
	} while (access(w->picture, F_OK) == 0);
	if (snw_png_write(w->picture, pixels, (uint32_t)width, (uint32_t)height, &error) < 0) {
		snprintf(w->state.message, sizeof w->state.message, "%.390s", error.text);
		w->picture[0] = '\0';
	} else {
		snprintf(w->state.message, sizeof w->state.message, "%.300s is written", w->picture);
	}
	w->frames_due = SETTLING_FRAMES;
	snw_arena_destroy(scratch);
}

/* ---- frames ------------------------------------------------------------------------------------------------------- */

static snw_status draw(window *w, snw_error *error) {
	int width, height, drawn_width, drawn_height;
	SDL_GetWindowSize(w->sdl, &width, &height);
	SDL_GL_GetDrawableSize(w->sdl, &drawn_width, &drawn_height);
	if (drawn_width <= 0 || drawn_height <= 0 || SDL_GetWindowFlags(w->sdl) & SDL_WINDOW_MINIMIZED) {
		SDL_Delay(20);
		return SNW_OK;
	}
	const snw_layout layout = snw_layout_make(width, height, w->scale);
	const float density = (float)drawn_width / (float)SDL_max(width, 1);
	const snw_viewport_place place = {.x = 0,
									  .y = drawn_height - (int)lroundf(layout.view_height * density),
									  .width = (int)lroundf(layout.view_width * density),
									  .height = (int)lroundf(layout.view_height * density)};
	snw_status status = snw_studio_update(&w->studio, &w->state, error);
	if (status >= 0) {
		snw_viewport_clear(drawn_width, drawn_height);
		status = snw_viewport_draw(w->studio.viewport, &w->studio.view, &place, error);
	}
	if (status >= 0) {
		snw_gui_frame_begin();
		snw_panels_draw(&layout, &w->studio, &w->state, w->input.drag, w->request->title, &w->queue);
		snw_gui_frame_end();
	}
	return status;
}

static void trace(window *w) {
	for (uint32_t i = 0; i < w->done.count && w->request->is_traced; i++) {
		const snw_command *command = &w->done.commands[i];
		printf("%s %g %g\n", snw_command_infos[command->id].name, command->a, command->b);
	}
	if (w->picture[0] && w->request->is_traced) {
		printf("written %s\n", w->picture);
	}
	w->picture[0] = '\0';
	w->done.count = 0;
	fflush(stdout);
}

/* Up to a picture, which shows what was asked for before it; the rest waits for the next frame. True with one. */
static bool apply_commands(window *w) {
	const snw_command_queue asked = w->queue;
	bool picture = false;
	w->queue.count = 0;
	for (uint32_t i = 0; i < asked.count; i++) {
		const snw_command *command = &asked.commands[i];
		snw_command_queue *queue = picture ? &w->queue : &w->done;
		snw_command_emit(queue, command->id, command->a, command->b);
		if (!picture) {
			snw_command_apply(&w->studio, &w->state, command);
			picture = command->id == SNW_DO_PICTURE;
		}
	}
	return picture;
}

/* One round of the loop. */
static snw_status turn(window *w, snw_error *error) {
	take_events(w);
	play_on(w);
	if (w->queue.count > 0) {
		w->state.message[0] = '\0';
		w->frames_due = SETTLING_FRAMES;
	}
	const bool picture = apply_commands(w);
	if (w->state.finished || (!w->state.playing && w->frames_due == 0)) {
		trace(w);
		return SNW_OK;
	}
	w->frames_due -= w->frames_due > 0;
	const snw_status status = draw(w, error);
	if (status >= 0) {
		if (picture) {
			write_picture(w);
		}
		snw_renderer_show(w->renderer);
		trace(w);
	}
	return status;
}

static snw_status run(window *w, snw_error *error) {
	snw_status status = SNW_OK;
	w->frames_due = SETTLING_FRAMES;
	w->clock = SDL_GetPerformanceCounter();
	snw_view_state_start(&w->studio, &w->state);
	for (bool announced = false; status >= 0 && !w->state.finished;) {
		status = turn(w, error);
		if (status >= 0 && !announced && w->request->is_traced) {
			puts("ready");
			fflush(stdout);
			announced = true;
		}
	}
	return status < 0 ? status : SNW_OK;
}

snw_status snw_window_run(const snw_window_request *request, snw_error *error) {
	window w = {.request = request};
	const snw_window_wish wish = {request->title, request->width, request->height};
	snw_status status = snw_renderer_open_window(&wish, &w.renderer, error);
	if (status < 0) {
		return status;
	}
	w.sdl = snw_renderer_window(w.renderer);
	w.scale = display_scale(w.sdl);
	SDL_SetWindowMinimumSize(w.sdl, LEAST_SIDE, LEAST_SIDE);
	status = snw_studio_create(request->scene, request->registry, request->task, w.renderer, &w.studio, error);
	if (status >= 0) {
		if (!snw_gui_create(w.sdl, snw_renderer_gl(w.renderer), snw_font_file(), w.scale)) {
			status = snw_fail(error, SNW_ERROR_UNSUPPORTED, "the window's panels could not be made on this OpenGL driver");
		} else {
			status = run(&w, error);
		}
		snw_gui_destroy();
		snw_studio_destroy(&w.studio);
	}
	snw_renderer_destroy(w.renderer);
	return status;
}
