/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The main loop: events become commands, commands change the state, the state is drawn. It sleeps while nothing changes.
 */
#include "window/window.h"

#include <SDL.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "render/overlay/canvas.h"
#include "sinew/kit/clock.h"
#include "window/command_table/command.h"
#include "window/dialogs/dialogs.h"
#include "window/imgui/shim.h"
#include "window/input/input.h"
#include "window/panels/panels.h"
#include "window/report.h"
#include "window/session/session.h"
#include "window/units/units.h"
#include "window/view_file/view_file.h"

#ifdef SINEW_HAS_XINPUT2
#include <SDL_syswm.h>
#include <X11/Xlib.h>
#endif

enum { LEAST_SIDE = 160, SETTLING_REDRAWS = 3, MOST_TYPED_AHEAD = 256 };

typedef struct window {
	const snw_window_options *options;
	snw_renderer *renderer;
	SDL_Window *sdl;
	snw_session session;
	snw_input input;
	snw_command_queue done; /* to be printed after the redraw */
	snw_script script;
	snw_arena *arena;
	snw_gui_size size;
	float text_size, menu_height;
	SDL_Event pending_event; /* for the next redraw */
	bool has_pending_event;
	SDL_Event typed_ahead[MOST_TYPED_AHEAD]; /* for a dialog that will open */
	uint32_t typed_ahead_count;
	int redraws_due;     /* redraws before it may sleep: the layout of panels needs a few to settle */
	int redraws_waited;  /* redraws, at most, that a press still waits for what the one before it does */
	int redraws_unshown; /* since the last that was shown */
	double clock;        /* at the last redraw, seconds */
	char picture[4096];  /* the path of the last picture; empty: none to be printed */
	char title[300];
	const snw_viewport *drawn; /* what the window shows */
	bool display_may_differ;   /* the window may be on another display */
	bool is_outdated;          /* what the window shows must be drawn again, be it the same or not */
	bool shows;                /* it was drawn again, to be shown */
	bool has_explained_boxes;  /* that characters are boxes, and which font shows them */
} window;

/* What the desktop asks of programs under X11, as the resource Xft.dpi; 0 if it asks nothing. */
static float desktop_dpi(SDL_Window *sdl) {
#ifdef SINEW_HAS_XINPUT2
	SDL_SysWMinfo info;
	SDL_VERSION(&info.version);
	if (SDL_GetWindowWMInfo(sdl, &info) && info.subsystem == SDL_SYSWM_X11) {
		const char *resources = XResourceManagerString(info.info.x11.display);
		const char *found = resources ? strstr(resources, "Xft.dpi:") : NULL;
		return found ? strtof(found + strlen("Xft.dpi:"), NULL) : 0;
	}
#else
	(void)sdl;
#endif
	return 0;
}

/* The scale that the desktop asks for; else that of the display's pixel density, in steps at which text looks good. */
static snw_gui_size size_of(SDL_Window *sdl, float text_size) {
	float dpi = 96;
	int points, pixels;
	SDL_GetWindowSize(sdl, &points, NULL);
	SDL_GL_GetDrawableSize(sdl, &pixels, NULL);
	const float density = points > 0 && pixels > points ? (float)pixels / (float)points : 1;
	const float asked = desktop_dpi(sdl);
	if (asked > 0) {
		dpi = fmaxf(asked, 96);
	} else if (density > 1 || SDL_GetDisplayDPI(SDL_GetWindowDisplayIndex(sdl), &dpi, NULL, NULL) != 0 || dpi < 144) {
		dpi = 96; /* the desktop scales, or there is nothing to scale */
	}
	return (snw_gui_size){.scale = fminf(roundf(dpi / 48) / 2, 3) * text_size, .density = density};
}

static snw_layout layout_of(const window *w) {
	int width, height;
	SDL_GetWindowSize(w->sdl, &width, &height);
	const snw_scene *scene = w->session.document->scene;
	const snw_timeline_kind timeline = scene->clip_count == 0    ? SNW_TIMELINE_NONE
									   : scene->target_count > 0 ? SNW_TIMELINE_PLOT /* in poses too: the layout stays */
																 : SNW_TIMELINE_STRIP;
	const snw_preferences *preferences = &w->session.preferences;
	const snw_panel_widths widths = {(float)preferences->outliner_width, (float)preferences->side_width};
	const snw_view_state *state = &w->session.state;
	const snw_layout layout = snw_layout_make(width, height, w->size.scale, w->menu_height, state->bare, timeline, &widths);
	return state->is_split && w->session.document->path ? snw_layout_split(&layout, state->side) : layout;
}

/* ---- events -------------------------------------------------------------------------------------------------------------- */

static bool is_modifier(SDL_Keycode key) {
	return key >= SDLK_LCTRL && key <= SDLK_RGUI;
}

/* A key that is held opens and closes nothing more. A modifier only changes what comes after it. */
static bool is_press(const SDL_Event *event) {
	return event->type == SDL_MOUSEBUTTONDOWN ||
		   (event->type == SDL_KEYDOWN && !event->key.repeat && !is_modifier(event->key.keysym.sym));
}

static void handle(window *w, const SDL_Event *event) {
	const snw_layout layout = layout_of(w);
	const bool escapes = event->type == SDL_KEYDOWN && event->key.keysym.sym == SDLK_ESCAPE;
	const bool open = w->session.state.dialog != SNW_DIALOG_NONE;
	/* A key that is released moves nothing in the panels, unless it has a command, which is redrawn by itself. */
	const bool is_release = event->type == SDL_KEYUP && !is_modifier(event->key.keysym.sym);
	w->redraws_due = !is_release ? SETTLING_REDRAWS : w->redraws_due > 1 ? w->redraws_due : 1;
	if (is_press(event) || event->type == SDL_MOUSEBUTTONUP) {
		w->redraws_waited = SETTLING_REDRAWS;
	}
	snw_input_follow_modifiers(&w->input, event); /* whoever takes the key */
	if (snw_key_capture_take(&w->session, event)) {
		return;
	}
	snw_gui_event(event);
	w->display_may_differ = w->display_may_differ || event->type == SDL_WINDOWEVENT;
	w->is_outdated = w->is_outdated || event->type == SDL_WINDOWEVENT;
	if (escapes && (snw_gui_cancel_drag() || snw_gui_close_lists())) {
		return;
	}
	/* A key that was pressed before the dialog or the field opened is released in it. */
	const bool is_typed =
		event->type == SDL_KEYDOWN && !(event->key.keysym.sym >= SDLK_F1 && event->key.keysym.sym <= SDLK_F12);
	if (is_typed && (snw_gui_wants_keys() || open)) {
		if (escapes && open) {
			snw_emit(&w->session.queue, SNW_DO_ESCAPE);
		}
		return;
	}
	snw_input_event(&w->input, event, !snw_gui_wants_mouse() && !open, &layout, &w->session);
	if (event->type == SDL_DROPFILE) {
		SDL_free(event->drop.file);
	}
}

/* Nothing visible changes. */
static bool is_still(const window *w) {
	return !w->session.state.playing && w->redraws_due <= 0 && w->script.next >= w->script.count;
}

static bool is_idle(const window *w) {
	return is_still(w) && !snw_session_is_uploading(&w->session);
}

/* Panels read the mouse and the keys once a redraw: they would miss a button that is pressed and released between two redraws,
 * or pressed where the mouse has only just arrived, and would see a press at the wrong place if the mouse then moves on. What
 * is under the mouse, and which field has the keys, is known after a redraw. So a redraw gets each key or button in one
 * direction only, one press, and either movements of the mouse, or its buttons, or its wheel. */
typedef struct redraw_events {
	bool is_settled; /* the panels show what the presses before have done */
	bool motion, buttons, wheel, press, down, up;
} redraw_events;

static bool fits_redraw(redraw_events *taken, const SDL_Event *event) {
	const bool button = event->type == SDL_MOUSEBUTTONDOWN || event->type == SDL_MOUSEBUTTONUP;
	const bool down = event->type == SDL_MOUSEBUTTONDOWN || (event->type == SDL_KEYDOWN && !event->key.repeat);
	const bool up = event->type == SDL_MOUSEBUTTONUP || event->type == SDL_KEYUP;
	const bool motion = event->type == SDL_MOUSEMOTION, wheel = event->type == SDL_MOUSEWHEEL, press = is_press(event);
	const bool is_after_other = (down && (taken->up || taken->press)) || (up && taken->down) || (button && taken->motion) ||
								(motion && taken->buttons) || ((button || motion || press) && taken->wheel) ||
								(wheel && (taken->motion || taken->buttons || taken->press));
	if (is_after_other || ((press || wheel) && !taken->is_settled)) {
		return false;
	}
	taken->motion = taken->motion || motion;
	taken->buttons = taken->buttons || button;
	taken->wheel = taken->wheel || wheel;
	taken->press = taken->press || press;
	taken->down = taken->down || down;
	taken->up = taken->up || up;
	return true;
}

/* A release is for whoever got the press. */
static bool is_typed_ahead(const window *w, const SDL_Event *event) {
	bool is_ahead = event->type == SDL_TEXTINPUT || (event->type == SDL_KEYDOWN && !is_modifier(event->key.keysym.sym));
	for (uint32_t i = 0; event->type == SDL_KEYUP && i < w->typed_ahead_count; i++) {
		const SDL_Event *press = &w->typed_ahead[i];
		is_ahead = is_ahead || (press->type == SDL_KEYDOWN && press->key.keysym.sym == event->key.keysym.sym);
	}
	return is_ahead;
}

/* What is typed before a dialog has opened is for the dialog, after the `before` first of its events. Escape closes the dialog
 * before it opens. Returns whether the event is one of these. */
static bool type_ahead(window *w, const SDL_Event *event, uint32_t before) {
	snw_command_queue *queue = &w->session.queue;
	const bool escapes = event->type == SDL_KEYDOWN && event->key.keysym.sym == SDLK_ESCAPE;
	const uint32_t asking = is_typed_ahead(w, event) ? snw_queue_asking(queue) : queue->count;
	if (asking == queue->count || (escapes && w->typed_ahead_count == 0)) {
		return false;
	}
	if (escapes) {
		snw_command closed;
		snw_queue_take(queue, asking, &closed);
		w->typed_ahead_count = 0;
	} else if (w->typed_ahead_count < MOST_TYPED_AHEAD) {
		SDL_Event *place = w->typed_ahead + before;
		memmove(place + 1, place, (w->typed_ahead_count++ - before) * sizeof *place);
		*place = *event;
	}
	return true;
}

/* The next event that is not for a dialog that will open. What was typed for one that is open now comes first. */
static bool next_event(window *w, SDL_Event *event) {
	if (w->typed_ahead_count > 0 && snw_queue_asking(&w->session.queue) == w->session.queue.count) {
		*event = w->typed_ahead[0];
		memmove(w->typed_ahead, w->typed_ahead + 1, --w->typed_ahead_count * sizeof *w->typed_ahead);
		return true;
	}
	bool is_taken = SDL_PollEvent(event);
	while (is_taken && type_ahead(w, event, w->typed_ahead_count)) {
		is_taken = SDL_PollEvent(event);
	}
	return is_taken;
}

static void take_events(window *w) {
	SDL_Event event;
	redraw_events taken = {.is_settled = w->redraws_waited <= 0};
	if (is_idle(w)) {
		snw_view_file_write(&w->session);
	}
	snw_redraw_times_begin(&w->session.redraw_times);
	snw_queue_thin(&w->session.queue, SNW_DO_DAB, SNW_QUEUE_MOST / 2); /* a stroke that waits leaves room for other events */
	snw_queue_thin(&w->session.queue, SNW_DO_SEEK, SNW_QUEUE_MOST / 4);
	if (w->has_pending_event && type_ahead(w, &w->pending_event, 0)) {
		w->has_pending_event = false;
	} else if (w->has_pending_event) {
		w->has_pending_event = !fits_redraw(&taken, &w->pending_event);
		if (!w->has_pending_event) {
			handle(w, &w->pending_event);
		}
	} else if (is_idle(w) && SDL_WaitEventTimeout(&event, snw_renewed_plugins_interval(&w->session))) {
		snw_redraw_times_begin(&w->session.redraw_times); /* after the wait */
		fits_redraw(&taken, &event);
		handle(w, &event);
	}
	while (!w->has_pending_event && w->session.queue.count < SNW_QUEUE_MOST - 8 && next_event(w, &event)) {
		if (fits_redraw(&taken, &event)) {
			handle(w, &event);
		} else {
			w->pending_event = event;
			w->has_pending_event = true;
			w->redraws_due = SETTLING_REDRAWS;
		}
	}
	const bool uploading = snw_session_is_uploading(&w->session);
	snw_renewed_plugins_follow(&w->session);
	snw_session_collect(&w->session);
	w->redraws_due = uploading && !snw_session_is_uploading(&w->session) ? SETTLING_REDRAWS : w->redraws_due;
	snw_redraw_times_mark(&w->session.redraw_times, SNW_REDRAW_COLLECT);
}

/* The next line of the script, when all lines before it are done. */
static snw_status follow_script(window *w, snw_error *error) {
	snw_script *script = &w->script;
	/* What waits during a stroke may wait for its end, which is in the script. */
	const bool waits = w->session.queue.count > 0 && !snw_sculpting_is_stroking(&w->session.sculpting);
	if (script->count == 0 || waits || snw_session_is_busy(&w->session) || w->session.picture_requested ||
		w->session.report_requested) {
		return SNW_OK;
	}
	if (script->next > 0 && w->session.state.alarmed) {
		return snw_fail(error, SNW_ERROR_DATA, "%s, line %u: %s", script->name, script->lines[script->next - 1],
						w->session.state.message);
	}
	if (script->next < script->count) {
		snw_queue_add(&w->session.queue, &script->commands[script->next++]);
	}
	return SNW_OK;
}

/* Advances the time of a clip that plays by the clock, at most a tenth of a second a redraw. */
static void advance_time(window *w, bool was_playing) {
	const double seconds = snk_clock_seconds(), passed = fmin(seconds - w->clock, 0.1);
	const double duration = w->session.display.sampled.duration_seconds;
	snw_view_state *state = &w->session.state;
	w->clock = seconds;
	if (was_playing && state->playing && duration > 0) {
		const double next = state->seconds + passed * state->speed;
		state->playing = state->loop || next < duration;
		state->seconds = state->loop ? fmod(next, duration) : fmin(next, duration);
	}
}

/* ---- pictures ------------------------------------------------------------------------------------------------------------ */

static void name_picture(window *w) {
	snw_session *session = &w->session;
	if (session->picture_path[0]) {
		snprintf(w->picture, sizeof w->picture, "%s", session->picture_path);
		return;
	}
	const char *stem = w->options->picture_stem ? w->options->picture_stem : session->document->title;
	do {
		snprintf(w->picture, sizeof w->picture, "%s-%u.png", stem, ++session->picture_count);
	} while (access(w->picture, F_OK) == 0);
}

static void write_picture(window *w) {
	int width, height;
	snw_error error = {0};
	SDL_GL_GetDrawableSize(w->sdl, &width, &height);
	snw_arena *scratch = snw_arena_create();
	unsigned char *pixels = snw_arena_array(scratch, (size_t)width * (size_t)height, 4);
	snw_renderer_read_window(w->renderer, (uint32_t)width, (uint32_t)height, pixels);
	name_picture(w);
	if (snw_failed(snw_png_write(w->picture, pixels, (uint32_t)width, (uint32_t)height, &error))) {
		snw_view_state_warn(&w->session.state, error.text);
		w->picture[0] = '\0';
	} else {
		snw_view_state_say(&w->session.state, "Saved %.300s.", w->picture);
	}
	w->redraws_due = SETTLING_REDRAWS;
	snw_arena_destroy(scratch);
}

/* ---- redraws ------------------------------------------------------------------------------------------------------------- */

/* Creates the fonts again for another size or display. */
static bool update_text_size(window *w) {
	const float text_size = (float)w->session.preferences.text_size;
	if (text_size == w->text_size && !w->display_may_differ) {
		return true;
	}
	const snw_gui_size size = size_of(w->sdl, text_size);
	const bool same = size.scale == w->size.scale && size.density == w->size.density;
	w->text_size = text_size;
	w->display_may_differ = false;
	w->size = size;
	w->redraws_due = same ? w->redraws_due : SETTLING_REDRAWS;
	w->is_outdated = w->is_outdated || !same;
	return same || snw_gui_rescale(snw_font_file(), size);
}

/* Once, in place of a message that reports no failure. */
static void explain_boxes(window *w) {
	const uint32_t letter = snw_gui_boxed_letter();
	const char *package = letter != 0 ? snw_font_package(letter) : NULL;
	if (package && !w->has_explained_boxes && !w->session.state.alarmed) {
		w->has_explained_boxes = true;
		snw_view_state_say(&w->session.state,
						   "Characters that no font here has are shown as boxes. Install the package %s and start Sinew again.",
						   package);
		w->redraws_due = SETTLING_REDRAWS;
	}
}

static void set_title(window *w) {
	char title[300];
	const snw_document *document = w->session.document;
	snprintf(title, sizeof title, "%s%s", document->path ? document->title : "", document->path ? " - Sinew" : "Sinew");
	if (strcmp(title, w->title) != 0) {
		memcpy(w->title, title, sizeof title);
		SDL_SetWindowTitle(w->sdl, title);
	}
}

/* Where a view is in the window, in pixels. */
static snw_viewport_place place_of(const window *w, const snw_layout *layout, uint32_t side) {
	int width, height, drawn_width, drawn_height;
	SDL_GetWindowSize(w->sdl, &width, &height);
	SDL_GL_GetDrawableSize(w->sdl, &drawn_width, &drawn_height);
	const float density = (float)drawn_width / (float)SDL_max(width, 1);
	const snw_layout shown = layout->is_split ? snw_layout_split(layout, side) : *layout;
	return (snw_viewport_place){.x = (int)lroundf(shown.view_x * density),
								.y = drawn_height - (int)lroundf((shown.view_y + shown.view_height) * density),
								.width = (int)lroundf(shown.view_width * density),
								.height = (int)lroundf(shown.view_height * density),
								.picture = layout->is_split ? side : 0};
}

/* One of the views, if it looks different from what its picture shows. */
static snw_status draw_side(window *w, const snw_layout *layout, uint32_t side, snw_error *error) {
	snw_display *display = &w->session.display;
	bool changed = false;
	snw_viewport *viewport;
	const snw_view *view = snw_display_side(display, &w->session.state, side, &viewport);
	display->side_view.flags |= w->session.preferences.shadows ? 0 : SNW_VIEW_SHADOWLESS;
	w->is_outdated = w->is_outdated || viewport != w->drawn;
	w->drawn = viewport;
	snw_viewport_antialias(viewport, w->session.preferences.antialiasing);
	snw_viewport_pixel_size(viewport, w->session.preferences.pixel_size);
	const snw_viewport_place place = place_of(w, layout, side);
	const snw_status status = snw_viewport_draw(viewport, view, &place, &changed, error);
	w->is_outdated = w->is_outdated || changed;
	return status;
}

/* The scene and the panels, if they look different from what the window shows. While the layout settles they are not shown:
 * that would cost several redraws an event, and a wait for the display each. But a stream of events must be seen. */
static snw_status draw_outdated(window *w, const snw_layout *layout, snw_error *error) {
	if (w->redraws_due > 0 && w->redraws_unshown < SETTLING_REDRAWS) {
		w->redraws_unshown++;
		return SNW_OK;
	}
	const uint32_t sides = layout->is_split ? 2 : 1;
	snw_status status = SNW_OK;
	w->redraws_unshown = 0;
	for (uint32_t side = 0; side < sides && !snw_failed(status); side++) {
		status = draw_side(w, layout, side, error);
	}
	w->is_outdated = w->is_outdated || snw_gui_is_outdated() || w->session.picture_requested;
	if (!snw_failed(status) && w->is_outdated) {
		int width, height;
		SDL_GL_GetDrawableSize(w->sdl, &width, &height);
		snw_viewport_clear(width, height, snw_gui_panel_color);
		for (uint32_t side = 0; side < sides && !snw_failed(status); side++) {
			const snw_viewport_place place = place_of(w, layout, side);
			status = snw_viewport_put_on_window(w->drawn, &place, error);
		}
		snw_gui_draw();
		w->shows = !snw_failed(status);
	}
	return status;
}

static snw_status draw(window *w, snw_error *error) {
	int width, height, drawn_width, drawn_height;
	SDL_GetWindowSize(w->sdl, &width, &height);
	SDL_GL_GetDrawableSize(w->sdl, &drawn_width, &drawn_height);
	if (drawn_width <= 0 || drawn_height <= 0 || SDL_GetWindowFlags(w->sdl) & SDL_WINDOW_MINIMIZED) {
		SDL_Delay(20);
		return SNW_OK;
	}
	const snw_layout layout = layout_of(w);
	w->session.width = width;
	w->session.height = height;
	w->session.aspect = layout.view_height > 0 ? (double)layout.view_width / (double)layout.view_height : 1;
	snw_display *display = &w->session.display;
	display->height = place_of(w, &layout, layout.side).height;
	display->aspect = w->session.aspect;
	snw_contact_watch_take(w->session.contact_watch, &w->session);
	snw_status status = snw_display_update(display, &w->session.state, error);
	snw_contact_watch_send(w->session.contact_watch, &w->session);
	snw_session_answer_failure(&w->session);
	snw_error_scale_request(&w->session);
	snw_redraw_times_mark(&w->session.redraw_times, SNW_REDRAW_POSE);
	snw_input_follow(&w->input, !snw_gui_wants_mouse() && w->session.state.dialog == SNW_DIALOG_NONE, &layout, &w->session);
	snw_session_mark(&w->session, w->input.hovered_joint);
	if (!snw_failed(status)) {
		const uint32_t commands = w->session.queue.count;
		snw_gui_redraw_begin();
		snw_gui_hide_help(w->session.picture_requested);
		snw_panels_draw(&layout, &w->session, &w->input, &w->menu_height);
		snw_dialogs_draw(&layout, &w->session);
		w->redraws_due = snw_gui_lacks_letters() ? SETTLING_REDRAWS : w->redraws_due;
		explain_boxes(w);
		const bool differs = snw_gui_redraw_end();
		w->redraws_waited = differs || w->session.queue.count != commands ? w->redraws_waited : 0;
		status = draw_outdated(w, &layout, error);
	}
	return status;
}

static void trace(window *w) {
	char line[SNW_COMMAND_WORDS + 100];
	for (uint32_t i = 0; i < w->done.count && w->options->is_traced; i++) {
		snw_command_write(&w->done.commands[i], line, sizeof line);
		puts(line);
	}
	if (w->picture[0] && w->options->is_traced) {
		printf("written %s\n", w->picture);
	}
	const bool settled = !snw_session_is_busy(&w->session) && w->redraws_due == 0;
	if (w->session.report_at_once || (w->session.report_requested && settled)) {
		const snw_layout layout = layout_of(w);
		snw_report_write(&w->session, &w->input, &layout, stdout);
		w->session.report_requested = w->session.report_requested && !settled;
		w->session.report_at_once = false;
	}
	w->picture[0] = '\0';
	w->done.count = 0;
	fflush(stdout);
}

/* After a reset of the graphics driver: uploads everything again, and shows a message. */
static snw_status recover(window *w, snw_error *error) {
	snw_view_state_say(&w->session.state, "%.300s", error->text);
	snw_gui_release_context();
	snw_status status = snw_renderer_recover(w->renderer, error);
	if (!snw_gui_use_context() && !snw_failed(status)) {
		status = snw_fail(error, SNW_ERROR_UNSUPPORTED, "the window's panels could not be created on this OpenGL driver");
	}
	w->session.display.is_stale = true;
	w->is_outdated = true;
	w->redraws_due = SETTLING_REDRAWS;
	return snw_failed(status) ? status : draw(w, error);
}

/* After a redraw that failed: creates the display again, once. The project is safe in its file. */
static snw_status draw_again(window *w, snw_error *error) {
	snw_error first = *error;
	snw_display made;
	if (snw_renderer_is_lost(w->renderer)) {
		return recover(w, error);
	}
	if (snw_failed(snw_display_create(w->session.document, w->renderer, &made, error))) {
		*error = first;
		return first.status;
	}
	snw_error_curve_end(w->session.error_curve);
	snw_display_follow_joints(&made, &w->session.display);
	snw_display_follow_meshes(&made, &w->session.display);
	snw_display_hide_faces(&made);
	snw_display_destroy(&w->session.display);
	w->session.display = made;
	w->session.display.edited_pose = w->session.edited_pose;
	snw_display_choose_clip(&w->session.display, w->session.state.clip);
	return draw(w, error);
}

/* Shows what was drawn. Swapping buffers waits for the display; a redraw that shows nothing new waits by itself. */
static void show(window *w) {
	w->session.redraws++;
	if (w->shows) {
		snw_renderer_show(w->renderer);
		w->session.shown_redraws++;
		w->is_outdated = w->shows = false;
	} else {
		SDL_Delay(1);
	}
}

/* One iteration of the loop. */
static snw_status run_once(window *w, snw_error *error) {
	take_events(w);
	const snw_status script = follow_script(w, error);
	if (script < 0) {
		return script;
	}
	if (w->session.queue.count > 0 && !w->session.picture_requested) { /* which holds the queue until the layout has settled */
		w->redraws_due = SETTLING_REDRAWS;
	}
	const bool was_playing = w->session.state.playing;
	snw_session_apply(&w->session, &w->done);
	advance_time(w, was_playing); /* after the commands, which are for the moment that was shown */
	snw_redraw_times_mark(&w->session.redraw_times, SNW_REDRAW_COMMANDS);
	if (w->session.state.finished || is_still(w)) {
		snw_redraw_times_end(&w->session.redraw_times);
		trace(w);
		return SNW_OK;
	}
	w->redraws_due -= w->redraws_due > 0;
	w->redraws_waited -= w->redraws_waited > 0;
	if (!update_text_size(w)) {
		return snw_fail(error, SNW_ERROR_UNSUPPORTED, "the window's fonts could not be created on this OpenGL driver");
	}
	set_title(w);
	snw_status status = draw(w, error);
	status = snw_failed(status) ? draw_again(w, error) : status;
	snw_redraw_times_mark(&w->session.redraw_times, SNW_REDRAW_DRAW);
	snw_redraw_times_end(&w->session.redraw_times);
	if (!snw_failed(status)) {
		/* A picture waits until the panels have settled and all commands before it are done. */
		if (w->session.picture_requested && w->redraws_due == 0 && !snw_session_is_busy(&w->session)) {
			w->session.picture_requested = false;
			write_picture(w);
		} else if (w->session.picture_requested) {
			w->redraws_due = w->redraws_due > 0 ? w->redraws_due : 1;
		}
		show(w);
		trace(w);
	}
	return status;
}

/* Before the window closes, queued changes (strokes that wait for a fit) are stored in the project. A running fit is cancelled;
 * the sculpts that it was for are stored already. */
static void finish_jobs(window *w) {
	SDL_HideWindow(w->sdl);
	snw_view_file_write(&w->session);
	w->session.picture_requested = false; /* a waiting picture would block the queue */
	while (snw_session_is_busy(&w->session) || w->session.queue.count > 0) {
		snw_progress progress;
		snw_job_thread_progress(w->session.job_thread, &progress);
		if (progress.label && progress.is_long) {
			snw_job_thread_cancel(w->session.job_thread);
		}
		snw_session_collect(&w->session);
		snw_session_apply(&w->session, &w->done);
		snw_sculpting_abort(&w->session); /* of a stroke whose end is not queued */
		trace(w);
		SDL_Delay(1);
	}
}

/* Creates the window and opens the given file. */
static void announce(window *w) {
	if (!snw_font_file() && !w->session.state.alarmed) {
		snw_view_state_warn(&w->session.state, "No font was found, so text is plain; install fonts-dejavu-core.");
		w->redraws_due = SETTLING_REDRAWS;
	}
	if (w->options->is_traced) {
		puts("ready");
		fflush(stdout);
	}
}

static snw_status run(window *w, snw_error *error) {
	snw_status status = SNW_OK;
	bool announced = false;
	w->redraws_due = SETTLING_REDRAWS;
	w->clock = snk_clock_seconds();
	w->session.keeps_view = !w->options->script;
	if (w->options->path) {
		snw_emit_text(&w->session.queue, SNW_DO_OPEN, w->options->path);
		w->session.is_starting = true;
	}
	while (!snw_failed(status) && !w->session.state.finished) {
		status = run_once(w, error);
		const bool settled = !snw_session_is_busy(&w->session) && w->session.queue.count == 0;
		if (!snw_failed(status) && !announced && settled) {
			announce(w);
			announced = true;
		}
	}
	finish_jobs(w);
	return snw_failed(status) ? status : SNW_OK;
}

/* Other threads wake the loop with this event. */
static snw_status open_window(window *w, snw_error *error) {
	const snw_window_wish gl_options = {"Sinew", w->options->width, w->options->height};
	snw_status status = snw_renderer_open_window(&gl_options, &w->renderer, error);
	if (!snw_failed(status)) {
		w->sdl = snw_renderer_window(w->renderer);
		SDL_SetWindowMinimumSize(w->sdl, LEAST_SIDE, LEAST_SIDE);
		SDL_EventState(SDL_DROPFILE, SDL_ENABLE);
		snw_tablet_open(w->sdl);
		status = snw_session_create(w->options->registry, w->renderer, SDL_RegisterEvents(1), &w->session, error);
	}
	return status;
}

snw_status snw_window_run(const snw_window_options *options, snw_error *error) {
	window *w = SDL_calloc(1, sizeof *w);
	if (!w) {
		return snw_fail(error, SNW_ERROR_MEMORY, "the window is out of memory");
	}
	w->options = options;
	w->arena = snw_arena_create();
	w->input.hovered_joint = SNW_NONE;
	snw_status status = options->script ? snw_script_read(options->script, w->arena, &w->script, error) : SNW_OK;
	status = snw_failed(status) ? status : open_window(w, error);
	if (!snw_failed(status)) {
		w->text_size = (float)w->session.preferences.text_size;
		w->size = size_of(w->sdl, w->text_size);
		if (!snw_gui_create(w->sdl, snw_renderer_gl(w->renderer), snw_font_file(), w->size)) {
			status = snw_fail(error, SNW_ERROR_UNSUPPORTED, "the window's panels could not be created on this OpenGL driver");
		} else {
			snw_gui_track(options->is_traced || options->script);
			if (options->script) {
				snw_gui_freeze_carets();
			}
			status = run(w, error);
		}
		snw_gui_destroy();
	}
	if (w->session.document) {
		snw_session_destroy(&w->session);
	}
	snw_tablet_close();
	if (w->renderer) {
		snw_renderer_destroy(w->renderer);
	}
	snw_arena_destroy(w->arena);
	SDL_free(w);
	return status;
}
