/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What devices send: clicks, keys that are captured, pens, files that are dropped.
 */
#include <SDL.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file/file.h"
#include "import/import.h"
#include "window/input/input.h"
#include "window/preferences/preferences.h"

/* ---- clicks -------------------------------------------------------------------------------------------------------------- */

enum { LONGEST = 500, FARTHEST = 6, COUNT_MOST = 200 }; /* milliseconds; pixels, as Dear ImGui has it */

uint8_t snw_clicks_take(snw_clicks *clicks, uint32_t milliseconds, int button, int x, int y) {
	const bool continues = clicks->count > 0 && clicks->button == button && milliseconds - clicks->milliseconds <= LONGEST &&
						   abs(x - clicks->x) < FARTHEST && abs(y - clicks->y) < FARTHEST;
	const uint32_t count = continues && clicks->count < COUNT_MOST ? clicks->count + 1 : 1;
	*clicks = (snw_clicks){.milliseconds = milliseconds, .count = count, .button = button, .x = x, .y = y};
	return (uint8_t)count;
}

/* ---- key capture --------------------------------------------------------------------------------------------------------- */

/* Turns the pressed key into a command that binds it. */

void snw_key_capture_begin(snw_session *session, snw_command_id id, bool adds) {
	session->key_capture = (snw_key_capture){.is_on = true, .adds = adds, .id = id};
}

static bool is_modifier(SDL_Keycode key) {
	return (key >= SDLK_LCTRL && key <= SDLK_RGUI) || key == SDLK_MODE || key == SDLK_CAPSLOCK || key == SDLK_NUMLOCKCLEAR;
}

static void bind(snw_session *session, const char *pressed) {
	const snw_key_capture *capture = &session->key_capture;
	const snw_command_info *info = &snw_command_infos[capture->id];
	const bool is_held = strncmp(info->keys, "hold:", 5) == 0 && *pressed;
	char words[SNW_COMMAND_WORDS];
	snprintf(words, sizeof words, "%s %s%s%s%s", info->name, capture->adds ? session->preferences.keys[capture->id] : "",
			 capture->adds ? " " : "", is_held ? "hold:" : "", pressed);
	snw_emit_text(&session->queue, SNW_DO_BIND, words);
}

bool snw_key_capture_take(snw_session *session, const union SDL_Event *event) {
	snw_key_capture *capture = &session->key_capture;
	capture->is_on =
		capture->is_on && session->state.dialog == SNW_DIALOG_KEYS && event->type != SDL_MOUSEBUTTONDOWN; /* a click ends it */
	if (!capture->is_on || event->type != SDL_KEYDOWN || is_modifier(event->key.keysym.sym)) {
		return false;
	}
	char pressed[SNW_KEY_SIZE];
	snw_key_name(&event->key, pressed);
	const bool removes = strcmp(pressed, "Backspace") == 0;
	if (strcmp(pressed, "Escape") != 0) {
		bind(session, removes ? "" : pressed);
	}
	capture->is_on = false;
	return true;
}

/* ---- pen ----------------------------------------------------------------------------------------------------------------- */

#define SAME_PLACE 2.0  /* units between a pen's sample and the mouse that it moves */
#define LEAST_SIZE 0.05 /* of the radius, at the slightest pressure */

void snw_pen_take(snw_pen_input *pen, const snw_pen_sample *sample) {
	pen->last = *sample;
	pen->motions = 0;
	pen->has_sample = true;
}

void snw_pen_follow_mouse(snw_pen_input *pen) {
	pen->motions++;
}

void snw_pen_begin(snw_pen_input *pen, double x, double y, double view_x, double view_y) {
	const double away = hypot(x - (double)pen->last.x, y - (double)pen->last.y);
	pen->strokes = pen->has_sample && pen->motions <= 1 && away <= SAME_PLACE;
	pen->brush_x = view_x;
	pen->brush_y = view_y;
}

bool snw_pen_pull(snw_pen_input *pen, double view_x, double view_y, double length) {
	const double dx = view_x - pen->brush_x, dy = view_y - pen->brush_y, away = hypot(dx, dy);
	if (away <= length) {
		return length <= 0;
	}
	pen->brush_x = length > 0 ? pen->brush_x + dx * (1 - length / away) : view_x;
	pen->brush_y = length > 0 ? pen->brush_y + dy * (1 - length / away) : view_y;
	return true;
}

void snw_pen_effect(const snw_pen_input *pen, const snw_preferences *preferences, double *pressure, double *size) {
	const double pressed = pen->strokes ? (double)pen->last.pressure : 1;
	const double tilt = pen->strokes && preferences->pen_tilt ? (double)pen->last.tilt : 0;
	*pressure = preferences->pen_strength ? pressed : 1;
	*size = (preferences->pen_radius ? fmax(pressed, LEAST_SIZE) : 1) * (1 + tilt);
}

/* ---- dropped files ------------------------------------------------------------------------------------------------------- */

/* The common start and end of the names, without digits of the number between. */

static bool is_digit(char letter) {
	return letter >= '0' && letter <= '9';
}

/* Whether files of this kind may be numbered frames. */
static bool may_be_frame(const char *path) {
	const snw_file_format *format;
	for (uint32_t i = 0; (format = snw_import_formats(i)); i++) {
		if (format->is_numbered && snw_path_has_extension(path, format->extensions)) {
			return true;
		}
	}
	return false;
}

/* The length of the common start of two paths, up to a star or a number. */
static size_t same_start(const char *one, const char *other) {
	size_t count = 0;
	while (one[count] && one[count] == other[count] && one[count] != '*') {
		count++;
	}
	while (count > 0 && is_digit(other[count - 1])) {
		count--;
	}
	return count;
}

static size_t same_end(const char *one, const char *other, size_t start) {
	const size_t length = strlen(one), other_length = strlen(other);
	size_t count = 0;
	while (count < length - start && count < other_length - start &&
		   one[length - 1 - count] == other[other_length - 1 - count] && one[length - 1 - count] != '*') {
		count++;
	}
	while (count > 0 && is_digit(other[other_length - count])) {
		count--;
	}
	return count;
}

static bool is_number(const char *text, size_t length) {
	for (size_t i = 0; i < length; i++) {
		if (!is_digit(text[i])) {
			return false;
		}
	}
	return length > 0;
}

bool snw_dropped_files_add(snw_dropped_files *dropped, const char *path) {
	const size_t length = strlen(path);
	if (length >= sizeof dropped->path) {
		return false;
	}
	if (dropped->count == 0) {
		memcpy(dropped->path, path, length + 1);
		dropped->count = 1;
		return true;
	}
	const size_t start = same_start(dropped->path, path), end = same_end(dropped->path, path, start);
	if (!may_be_frame(path) || !may_be_frame(dropped->path) || start < (size_t)(snw_path_name(path) - path) ||
		!is_number(path + start, length - start - end)) {
		return false;
	}
	char pattern[sizeof dropped->path];
	snprintf(pattern, sizeof pattern, "%.*s*%s", (int)start, path, path + length - end);
	memcpy(dropped->path, pattern, sizeof pattern);
	dropped->count++;
	return true;
}
