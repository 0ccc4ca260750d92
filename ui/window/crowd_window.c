/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "window/window.h"

#include <SDL.h>
#include <stdio.h>

#include "render/draw/viewport.h"
#include "sinew/kit/clock.h"

#define ORBIT 0.008 /* radians a pixel */
#define ZOOM 0.88   /* a step of the wheel */
#define RENAMED 0.5 /* seconds between titles */

typedef struct crowd_window {
	const snw_crowd_window_options *options;
	snw_renderer *renderer;
	SDL_Window *sdl;
	snw_gpu_crowd *gpu_crowd;
	snw_view view;
	int width, height; /* pixels */
	double seconds, clock;
	bool plays, is_closed, is_outdated;
	double named_at;
	uint32_t redraws, redraws_named;
} crowd_window;

static void take_motion(crowd_window *w, const SDL_MouseMotionEvent *motion) {
	const bool pans = motion->state & SDL_BUTTON_MMASK || (motion->state & SDL_BUTTON_LMASK && SDL_GetModState() & KMOD_SHIFT);
	if (pans) {
		snw_camera_pan(&w->view.camera, (double)motion->xrel / w->height, -(double)motion->yrel / w->height);
	} else if (motion->state & SDL_BUTTON_LMASK) {
		snw_camera_orbit(&w->view.camera, -ORBIT * motion->xrel, ORBIT * motion->yrel);
	}
	w->is_outdated = true;
}

static void take_event(crowd_window *w, const SDL_Event *event) {
	switch (event->type) {
	case SDL_QUIT:
		w->is_closed = true;
		break;
	case SDL_KEYDOWN:
		w->is_closed = w->is_closed || event->key.keysym.sym == SDLK_ESCAPE;
		w->plays = event->key.keysym.sym == SDLK_SPACE && !event->key.repeat ? !w->plays : w->plays;
		break;
	case SDL_MOUSEMOTION:
		take_motion(w, &event->motion);
		break;
	case SDL_MOUSEWHEEL:
		snw_camera_zoom(&w->view.camera, event->wheel.y > 0 ? ZOOM : 1 / ZOOM, 0, 0, (double)w->width / w->height);
		w->is_outdated = true;
		break;
	case SDL_WINDOWEVENT:
		w->is_outdated = true;
		break;
	default:
		break;
	}
}

static void name_window(crowd_window *w) {
	const double time = snk_clock_seconds();
	if (time - w->named_at < RENAMED) {
		return;
	}
	const snw_crowd_shown shown = snw_gpu_crowd_shown(w->gpu_crowd);
	char levels[160] = "", title[400];
	for (uint32_t l = 0, at = 0; l < shown.level_count && shown.level_count > 1 && at < sizeof levels - 24; l++) {
		at += (uint32_t)snprintf(levels + at, sizeof levels - at, "%s%u", l > 0 ? " / " : ", by level ", shown.levels[l]);
	}
	snprintf(title, sizeof title, "%s - %u in view%s - %.1f redraws a second", w->options->name, shown.count, levels,
			 (w->redraws - w->redraws_named) / (time - w->named_at));
	SDL_SetWindowTitle(w->sdl, title);
	w->named_at = time;
	w->redraws_named = w->redraws;
}

/* Waits for an event while nothing moves. */
static void take_events(crowd_window *w) {
	SDL_Event event;
	if (!w->plays && !w->is_outdated && SDL_WaitEvent(&event)) {
		take_event(w, &event);
	}
	while (SDL_PollEvent(&event)) {
		take_event(w, &event);
	}
	const double time = snk_clock_seconds();
	w->seconds += w->plays ? time - w->clock : 0;
	w->clock = time;
}

static snw_status redraw(crowd_window *w, snw_error *error) {
	SDL_GL_GetDrawableSize(w->sdl, &w->width, &w->height);
	if (w->width <= 0 || w->height <= 0) {
		return SNW_OK;
	}
	const uint32_t width = (uint32_t)w->width, height = (uint32_t)w->height;
	snw_status status = snw_gpu_crowd_pose(w->gpu_crowd, &w->view.camera, width, height, w->seconds, error);
	status = snw_failed(status) ? status : snw_gpu_crowd_draw_window(w->gpu_crowd, &w->view, width, height, error);
	w->redraws++;
	const bool is_last = w->redraws == w->options->redraws;
	if (!snw_failed(status) && is_last && w->options->picture) {
		snw_arena *scratch = snw_arena_create();
		unsigned char *pixels = snw_arena_array(scratch, (size_t)width * height, 4);
		snw_renderer_read_window(w->renderer, width, height, pixels);
		status = snw_png_write(w->options->picture, pixels, width, height, error);
		snw_arena_destroy(scratch);
	}
	snw_renderer_show(w->renderer);
	w->is_closed = w->is_closed || is_last;
	w->is_outdated = false;
	return status;
}

static snw_status show(crowd_window *w, snw_error *error) {
	snw_status status = SNW_OK;
	SDL_GL_GetDrawableSize(w->sdl, &w->width, &w->height);
	w->view.camera = snw_gpu_crowd_frame_camera(w->gpu_crowd, &w->view.camera, (uint32_t)w->width, (uint32_t)w->height);
	w->clock = w->named_at = snk_clock_seconds();
	w->plays = w->is_outdated = true;
	while (!w->is_closed && !snw_failed(status)) {
		take_events(w);
		if (!w->is_closed && (w->plays || w->is_outdated)) {
			status = redraw(w, error);
			name_window(w);
		}
	}
	return status;
}

snw_status snw_crowd_window_run(const snw_crowd_window_options *options, snw_crowd *crowd, const snw_crowd_character *character,
								const snw_task *task, snw_error *error) {
	const snw_window_wish wish = {options->name, options->width, options->height};
	crowd_window w = {
		.options = options,
		.view = {.scene = character->scene, .flags = SNW_VIEW_GRID | SNW_VIEW_DARK, .camera = {.yaw = 0.6, .pitch = 0.4}}};
	snw_status status = snw_renderer_open_window(&wish, &w.renderer, error);
	if (snw_failed(status)) {
		return status;
	}
	w.sdl = snw_renderer_window(w.renderer);
	status = snw_gpu_crowd_create(w.renderer, crowd, character, task, &w.gpu_crowd, error);
	status = snw_failed(status) ? status : show(&w, error);
	snw_gpu_crowd_destroy(w.gpu_crowd);
	snw_renderer_destroy(w.renderer);
	return status;
}
