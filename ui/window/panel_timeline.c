/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The timeline: the clip, its keys and targets, the error over time, and where it stands.
 */
#include <math.h>
#include <stdio.h>

#include "render/legend.h"
#include "window/panels.h"

enum { PLOT_POINTS = 600 };

/* Where a clip's moments lie on the strip. */
typedef struct strip {
	float x, y, width, height;
	double duration;
} strip;

static float place_of(const strip *s, double seconds) {
	return s->x + (float)(s->duration > 0 ? seconds / s->duration : 0) * s->width;
}

/* Marks at times, thinned out where they would touch. */
static void draw_marks(const strip *s, const double *times, uint32_t count, float top, float height, uint32_t color) {
	float last = -10;
	for (uint32_t i = 0; i < count; i++) {
		const float at = place_of(s, times[i]);
		if (at - last >= 3) {
			snw_gui_fill(at - 0.5f, top, 1, height, 0, color);
			last = at;
		}
	}
}

static void draw_play_button(const snw_layout *layout, float x, float y, bool playing) {
	const float side = 7 * layout->scale;
	if (playing) {
		snw_gui_fill(x - side, y - side, 0.7f * side, 2 * side, 1, (uint32_t)SNW_INK);
		snw_gui_fill(x + 0.3f * side, y - side, 0.7f * side, 2 * side, 1, (uint32_t)SNW_INK);
	} else {
		snw_gui_triangle(x - 0.8f * side, y - side, x - 0.8f * side, y + side, x + side, y, (uint32_t)SNW_INK);
	}
}

/* The largest error of each frame as a line that stands on the strip's foot. */
static void draw_errors(const strip *s, snw_session *session, float scale) {
	double seconds[PLOT_POINTS];
	float errors[PLOT_POINTS], line[2 * PLOT_POINTS], most = 0;
	const uint32_t count = snw_survey_read(session->survey, PLOT_POINTS, seconds, errors);
	uint32_t known = 0;
	char words[60];
	for (uint32_t i = 0; i < count; i++) {
		most = fmaxf(most, errors[i]);
	}
	if (count < 2) {
		return;
	}
	const double step = most > 0 ? snw_legend_round_step((double)most, 2) : 1;
	const float top = (float)(ceil((double)most / step - 1e-6) * step), height = s->height - 4 * scale;
	for (uint32_t i = 0; i < count; i++) {
		if (errors[i] >= 0) {
			line[2 * known] = place_of(s, seconds[i]);
			line[2 * known + 1] = s->y + s->height - 2 * scale - (top > 0 ? errors[i] / top : 0) * height;
			known++;
		}
	}
	for (uint32_t i = 0; i + 1 < known; i++) {
		const float *a = line + 2 * (size_t)i, *b = a + 2, foot = s->y + s->height;
		const float quad[] = {a[0], a[1], b[0], b[1], b[0], foot, a[0], foot};
		snw_gui_polygon(quad, 4, 0xeda84724);
	}
	snw_gui_line(line, known, 1.3f * scale, (uint32_t)SNW_AMBER, false);
	snprintf(words, sizeof words, "%.3g mm", (double)top);
	snw_gui_write(s->x + s->width + 10 * scale, s->y - 2 * scale, (uint32_t)SNW_QUIET, words);
	snw_gui_write(s->x + s->width + 10 * scale, s->y + s->height - snw_gui_line_height(), (uint32_t)SNW_QUIET, "error");
}

/* Which clip, how fast, whether round and round. */
static void draw_controls(const snw_layout *layout, snw_session *session, float x, float y) {
	const snw_scene *scene = session->document->scene;
	const snw_view_state *state = &session->state;
	static const snw_number speeds = {.least = 0.05, .most = 8, .step = 0.01, .format = "%.2f ×"};
	const float k = layout->scale;
	double speed = state->speed;
	snw_gui_move_to(x, y);
	snw_gui_width(150 * k);
	if (snw_gui_list_begin_labelled("##clip", state->clip == SNW_NONE ? "no clip" : scene->clips[state->clip].name)) {
		for (uint32_t i = 0; i < scene->clip_count; i++) {
			if (snw_gui_row(scene->clips[i].name, NULL, state->clip == i)) {
				snw_emit_text(&session->queue, SNW_DO_CLIP, scene->clips[i].name);
			}
		}
		snw_gui_list_end();
	}
	snw_gui_beside(0);
	snw_gui_width(70 * k);
	if (snw_gui_number("##speed", &speeds, &speed) != SNW_EDIT_NONE) {
		snw_emit_number(&session->queue, SNW_DO_SPEED, speed);
	}
	snw_gui_hint("Speed. Drag, or click with Ctrl to type.");
	snw_gui_beside(0);
	if (snw_gui_switch("Loop", NULL, state->loop)) {
		snw_emit(&session->queue, SNW_DO_LOOP);
	}
	snw_gui_hint(snw_command_infos[SNW_DO_LOOP].help);
}

void snw_panel_timeline(const snw_layout *layout, snw_session *session) {
	const snw_view_state *state = &session->state;
	const snw_scene *scene = session->document->scene;
	const float k = layout->scale, left = 0, width = layout->view_x + layout->view_width;
	const float top = layout->view_y + layout->view_height, height = layout->timeline_height;
	const bool roomy = height > 60 * k;
	const float strip_height = 30 * k,
				strip_top = roomy ? top + height - strip_height - 8 * k : top + (height - strip_height) / 2;
	const snw_clip_reel *reel = &session->studio.reel;
	float fraction = 0;
	char words[80];
	snw_gui_panel_begin("timeline", left, top, width, height, SNW_PANEL_BARE);
	snw_gui_fill(left, top, width, 1, 0, SNW_GROOVE);
	if (scene->clip_count == 0) {
		snw_gui_write(left + 16 * k, top + height / 2 - snw_gui_line_height() / 2, (uint32_t)SNW_QUIET,
					  session->document->path ? "This project has no clip." : "Open a character, or make the sample arm.");
		snw_gui_panel_end();
		return;
	}
	const strip s = {.x = left + 46 * k,
					 .y = strip_top,
					 .width = fmaxf(width - 46 * k - 110 * k, 20),
					 .height = strip_height,
					 .duration = reel->duration_seconds};
	if (roomy) {
		draw_controls(layout, session, left + 46 * k, top + 9 * k);
	}
	snw_gui_fill(s.x, s.y, s.width, s.height, 3 * k, SNW_GROOVE);
	if (reel->arena) {
		draw_errors(&s, session, k);
		draw_marks(&s, reel->key_seconds, reel->key_count, s.y + s.height * 0.75f, s.height * 0.25f, SNW_TICK);
		draw_marks(&s, reel->truth_seconds, reel->truth_count, s.y, s.height * 0.14f, (uint32_t)SNW_TRUTH);
		const float at = place_of(&s, state->seconds);
		snw_gui_fill(at - 1.5f * k, s.y - 3 * k, 3 * k, s.height + 6 * k, 1.5f * k, (uint32_t)SNW_AMBER);
		snprintf(words, sizeof words, "%.2f / %.2f s", state->seconds, reel->duration_seconds);
		snw_gui_write(left + width - (roomy ? 110 : 100) * k, roomy ? top + 13 * k : strip_top - 2, (uint32_t)SNW_INK, words);
	}
	if (snw_gui_strip("play", left + 6 * k, s.y, 32 * k, s.height, &fraction) && snw_gui_strip_pressed()) {
		snw_emit(&session->queue, SNW_DO_PLAY);
	}
	snw_gui_hint("Play or pause (Space)");
	draw_play_button(layout, left + 22 * k, s.y + s.height / 2, state->playing);
	if (snw_gui_strip("scrub", s.x, s.y, s.width, s.height, &fraction)) {
		const double duration = reel->arena ? reel->duration_seconds : scene->clips[0].duration_seconds;
		snw_emit_number(&session->queue, SNW_DO_SEEK, (double)fraction * duration);
	}
	snw_gui_panel_end();
}
