/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "fit/samples.h"
#include "pose/clip.h"
#include "render/overlay/canvas.h"
#include "scene/scene.h"
#include "window/document/document.h"
#include "window/panels/panels.h"
#include "window/units/units.h"

/* ---- timeline curve ------------------------------------------------------------------------------------------------------ */

/* The curve under the timeline: the largest error of each frame, computed in this session, or a field over frames that a fit
 * has stored. */

enum { SNW_CURVE_MOST = 600 };

typedef struct snw_curve {
	uint32_t count;
	double bottom, top;      /* the axis: round numbers, one of them 0, or both around it */
	char label[200];         /* "mm, largest error" */
	const char *length_unit; /* of values that are lengths; NULL: they are not */
	double seconds[SNW_CURVE_MOST];
	float values[SNW_CURVE_MOST]; /* NaN if not known yet */
} snw_curve;

static void read_errors(const snw_session *session, snw_curve *curve) {
	const float unit = (float)(1e-3 * snw_lengths_per_metre(session)); /* errors are in millimetres */
	curve->count = snw_error_curve_read(session->error_curve, SNW_CURVE_MOST, curve->seconds, curve->values);
	for (uint32_t i = 0; i < curve->count; i++) {
		curve->values[i] = curve->values[i] < 0 ? NAN : curve->values[i] * unit;
	}
	curve->length_unit = snw_length_unit_name(session);
	snprintf(curve->label, sizeof curve->label, "%s, largest error", curve->length_unit);
}

/* The clip's first mesh animation with values of the field. */
static const snw_target *find_target(const snw_session *session, const snw_field *field, uint32_t *first) {
	const snw_scene *scene = session->document->scene;
	for (uint32_t t = 0; t < scene->target_count; t++) {
		*first = snw_samples_first_frame(scene, field, t);
		if (*first != SNW_NONE && snw_target_clip(scene, &scene->targets[t]) == session->state.clip) {
			return &scene->targets[t];
		}
	}
	return NULL;
}

static void read_field(const snw_session *session, const char *name, snw_curve *curve) {
	const snw_scene *scene = session->document->scene;
	const uint32_t found = snw_scene_find_field(scene, SNW_NONE, name);
	const snw_field *field = found == SNW_NONE ? NULL : &scene->fields[found];
	uint32_t first = 0;
	const snw_target *target = field ? find_target(session, field, &first) : NULL;
	if (!target) {
		return;
	}
	const bool is_length = snw_field_is_length(field);
	curve->count = target->frame_count < SNW_CURVE_MOST ? target->frame_count : SNW_CURVE_MOST;
	for (uint32_t i = 0; i < curve->count; i++) {
		const uint32_t f = (uint32_t)((uint64_t)i * target->frame_count / curve->count);
		curve->seconds[i] = target->seconds[f];
		curve->values[i] = (float)(snw_field_number(field, first + f) * (is_length ? snw_lengths_per_metre(session) : 1));
	}
	curve->length_unit = is_length ? snw_length_unit_name(session) : NULL;
	snprintf(curve->label, sizeof curve->label, "%s%s%s",
			 is_length     ? snw_length_unit_name(session)
			 : field->unit ? field->unit
						   : "",
			 field->unit && field->unit[0] ? ", " : "", field->name);
}

static void find_axis(snw_curve *curve) {
	double least = 0, most = 0;
	for (uint32_t i = 0; i < curve->count; i++) {
		if (!isnan(curve->values[i])) {
			least = fmin(least, (double)curve->values[i]);
			most = fmax(most, (double)curve->values[i]);
		}
	}
	const double step = most > least ? snw_legend_round_step(most - least, 2) : 1;
	curve->bottom = floor(least / step + 1e-6) * step;
	curve->top = fmax(ceil(most / step - 1e-6) * step, curve->bottom + step);
}

/* The chosen curve, at the frames of the clip that is shown; count 0 if no values are known. Metres become millimetres. */
static void curve_read(const snw_session *session, snw_curve *curve) {
	const uint32_t plot = session->state.plot;
	curve->count = 0;
	curve->length_unit = NULL;
	if (plot == SNW_PLOT_ERROR) {
		read_errors(session, curve);
	} else {
		read_field(session, snw_plot_name(session->document, plot), curve);
	}
	find_axis(curve);
}

/* The value at a time, interpolated between frames; NaN if not known. */
static float curve_at(const snw_curve *curve, double seconds) {
	const uint32_t at = snw_latest_time(curve->seconds, curve->count, seconds), next = at + 1 < curve->count ? at + 1 : at;
	const double span = curve->seconds[next] - curve->seconds[at];
	const float share = span > 0 ? (float)fmin(fmax((seconds - curve->seconds[at]) / span, 0), 1) : 0;
	return curve->values[at] + share * (curve->values[next] - curve->values[at]);
}

/* ---- timeline ------------------------------------------------------------------------------------------------------------ */

/* The timeline: playback, the clip with its keys and targets, the curve of the error or of a field, and the playhead. */

/* Maps the times of a clip to the strip. */
typedef struct strip {
	float x, y, width, height;
	double duration;
} strip;

static float place_of(const strip *s, double seconds) {
	return s->x + (float)(s->duration > 0 ? seconds / s->duration : 0) * s->width;
}

/* ---- controls ------------------------------------------------------------------------------------------------------------ */

static void draw_triangle(float x, float y, float side, int way) {
	const float tip = (float)way * 0.9f * side;
	snw_gui_triangle(x - tip, y - side, x - tip, y + side, x + tip, y, (uint32_t)SNW_INK);
}

static void draw_icon(snw_command_id id, float x, float y, float side, bool playing) {
	const int way = id == SNW_DO_STEP_ON || id == SNW_DO_PLAY ? 1 : -1;
	if (id == SNW_DO_PLAY && playing) {
		snw_gui_fill(x - 0.8f * side, y - side, 0.55f * side, 2 * side, 1, (uint32_t)SNW_INK);
		snw_gui_fill(x + 0.25f * side, y - side, 0.55f * side, 2 * side, 1, (uint32_t)SNW_INK);
		return;
	}
	draw_triangle(x, y, id == SNW_DO_PLAY ? side : 0.8f * side, way);
	if (id != SNW_DO_PLAY) {
		const float bar =
			id == SNW_DO_START ? -1.1f : 0.95f * (float)way; /* a step ends at a bar; the jump to the start begins with one */
		snw_gui_fill(x + bar * side - 0.1f * side, y - 0.8f * side, 0.22f * side, 1.6f * side, 0, (uint32_t)SNW_INK);
	}
}

/* A button with an icon; returns the x of the next one. */
static float draw_button(snw_session *session, snw_command_id id, float x, float y, float k) {
	char name[40];
	const float width = 30 * k, height = 26 * k;
	snprintf(name, sizeof name, "##%s", snw_command_infos[id].name);
	snw_gui_move_to(x, y);
	if (snw_gui_tile(name, width, false)) {
		snw_emit(&session->queue, id);
	}
	snw_gui_hint(snw_command_help(id));
	draw_icon(id, x + width / 2, y + height / 2, 6 * k, session->state.playing);
	return x + width + 3 * k;
}

static void choose_clip(snw_session *session, float width) {
	const snw_scene *scene = session->document->scene;
	const uint32_t clip = session->state.clip;
	snw_gui_width(width);
	if (snw_gui_list_begin_labelled("##clip", clip == SNW_NONE ? "No clip" : scene->clips[clip].name)) {
		for (uint32_t i = 0; i < scene->clip_count; i++) {
			if (snw_gui_row(scene->clips[i].name, NULL, clip == i)) {
				snw_emit_text(&session->queue, SNW_DO_CLIP, scene->clips[i].name);
			}
		}
		snw_gui_list_end();
	} else {
		snw_gui_hint("The current clip.");
	}
}

/* A field has the name that its file or plug-in gave it. */
static const char *title_plot(const snw_document *document, uint32_t plot, char *words, size_t size) {
	const char *name = snw_plot_name(document, plot);
	return plot < SNW_PLOT_FIELDS ? snw_sentence_case(name, words, size) : name;
}

/* The choice of the curve, if there is more than the error. */
static void choose_plot(snw_session *session, float x, float y, float k, float end) {
	const snw_document *document = session->document;
	const float width = fminf(190 * k, end - x);
	if (document->plot_count == 0 || width < 90 * k) {
		return;
	}
	snw_gui_move_to(x, y);
	snw_gui_width(width);
	char title[200];
	if (snw_gui_list_begin_labelled("##plot", title_plot(document, session->state.plot, title, sizeof title))) {
		for (uint32_t i = 0; i < SNW_PLOT_FIELDS + document->plot_count; i++) {
			if (snw_gui_row(title_plot(document, i, title, sizeof title), NULL, session->state.plot == i)) {
				snw_emit_text(&session->queue, SNW_DO_PLOT, snw_plot_name(document, i));
			}
		}
		snw_gui_list_end();
	} else {
		snw_gui_hint(snw_command_help(SNW_DO_PLOT));
	}
}

/* How deep contact of the clip is, once that is known; a click goes there. Returns the x of what follows. */
static float draw_deepest(snw_session *session, float x, float y, float k, float end) {
	const snw_contact_marks marks = snw_contact_watch_marks(session->contact_watch);
	char depth[60], words[100];
	if (marks.count == 0 || marks.clip != session->state.clip || !(marks.deepest[marks.worst] > 0)) {
		return x;
	}
	snw_length_write(session, marks.deepest[marks.worst], depth, sizeof depth);
	snprintf(words, sizeof words, "Contact %s", depth);
	const float width = snw_gui_width_of(words) + 20 * k;
	if (x + width > end) {
		return x;
	}
	snw_gui_move_to(x, y);
	if (snw_gui_tile(words, width, false)) {
		snw_emit(&session->queue, SNW_DO_CONTACT_WORST);
	}
	snw_gui_hint(snw_command_help(SNW_DO_CONTACT_WORST));
	return x + width + 8 * k;
}

/* The clip, its contact, the speed, and whether it loops; returns the x of what follows. */
static float draw_controls(snw_session *session, float x, float y, float k, float end) {
	static const snw_command_id buttons[] = {SNW_DO_START, SNW_DO_STEP_BACK, SNW_DO_PLAY, SNW_DO_STEP_ON};
	static const snw_number speeds = {.least = 0.05, .most = 8, .step = 0.01, .format = "%.2f ×"};
	double speed = session->state.speed;
	for (size_t i = 0; i < sizeof buttons / sizeof *buttons; i++) {
		x = draw_button(session, buttons[i], x, y, k);
	}
	x += 9 * k;
	const float clip_width = fminf(180 * k, end - x);
	if (clip_width < 60 * k) {
		return x;
	}
	snw_gui_move_to(x, y);
	choose_clip(session, clip_width);
	x = draw_deepest(session, x + clip_width + 8 * k, y, k, end);
	if (x + 150 * k > end) {
		return x;
	}
	snw_gui_move_to(x, y);
	snw_gui_width(72 * k);
	if (snw_gui_number("##speed", &speeds, &speed) != SNW_EDIT_NONE) {
		snw_emit_number(&session->queue, SNW_DO_SPEED, speed);
	}
	snw_gui_hint("Playback speed. Drag, or Ctrl+click to type.");
	snw_gui_move_to(x + 80 * k, y);
	if (snw_gui_tile("Loop", 60 * k, session->state.loop)) {
		snw_emit(&session->queue, SNW_DO_LOOP);
	}
	snw_gui_hint(snw_command_help(SNW_DO_LOOP));
	choose_plot(session, x + 148 * k, y, k, end);
	return x + 148 * k + (session->document->plot_count > 0 ? 190 * k : 0);
}

/* While a pose is shown: which clip Space plays, at the right if there is room. */
static void write_next_clip(const snw_session *session, float left, float right, float y) {
	char words[300];
	snprintf(words, sizeof words, "Showing a pose. Space plays %.200s.", session->document->scene->clips[0].name);
	const float width = snw_gui_width_of(words);
	if (right - width > left) {
		snw_gui_write(right - width, y, (uint32_t)SNW_QUIET, words);
	}
}

/* The time, at the right; returns its left edge. */
static float write_moment(const snw_session *session, float right, float y) {
	const snw_sampled_clip *sampled = &session->display.sampled;
	char elapsed[40], whole[80];
	if (!sampled->arena) {
		return right;
	}
	snprintf(elapsed, sizeof elapsed, "%.2f s", session->state.seconds);
	const uint32_t key = snw_latest_time(sampled->key_seconds, sampled->key_count, session->state.seconds) + 1;
	const int used = snprintf(whole, sizeof whole, " / %.2f s", sampled->duration_seconds);
	if (right > 52 * snw_gui_line_height()) {
		snprintf(whole + used, sizeof whole - (size_t)used, "   key %u of %u", key, sampled->key_count);
	}
	const float width = snw_gui_width_of(whole), x = right - width - snw_gui_width_of(elapsed);
	snw_gui_write(x, y, (uint32_t)SNW_INK, elapsed);
	snw_gui_write(right - width, y, (uint32_t)SNW_QUIET, whole);
	return x - snw_gui_line_height();
}

/* ---- the strip ----------------------------------------------------------------------------------------------------------- */

/* Marks at times; where they would touch, some are omitted. */
static void draw_time_marks(const strip *s, const double *times, uint32_t count, float top, float height, uint32_t color) {
	float last = -10;
	for (uint32_t i = 0; i < count; i++) {
		const float at = place_of(s, times[i]);
		if (at - last >= 3) {
			snw_gui_fill(at - 0.5f, top, 1, height, 0, color);
			last = at;
		}
	}
}

/* Ticks in seconds, as many as have room. */
static void draw_ruler(const strip *s, float k) {
	const double step = s->duration > 0 ? snw_legend_round_step(s->duration, (int)fmaxf(s->width / (90 * k), 1)) : 1;
	for (double t = 0; t <= s->duration * (1 + 1e-9) && s->duration > 0; t += step) {
		char words[32];
		const float at = place_of(s, t);
		snprintf(words, sizeof words, "%.4g", t);
		snw_gui_fill(at - 0.5f, s->y, 1, 0.45f * s->height, 0, (uint32_t)SNW_TICK);
		if (at + snw_gui_small_width_of(words) + 5 * k < s->x + s->width) {
			snw_gui_write_small(at + 4 * k, s->y + k, (uint32_t)SNW_QUIET, words);
		}
	}
}

/* Keys at which something goes through, as high as it is deep. */
static void draw_contact(const strip *s, const snw_contact_marks *marks, float k) {
	const double deepest = marks->count > 0 ? marks->deepest[marks->worst] : 0;
	for (uint32_t i = 0; i < marks->count; i++) {
		const float height = deepest > 0 ? (float)(marks->deepest[i] / deepest) * 0.4f * s->height : 0;
		if (height > 0) {
			const float at = place_of(s, marks->seconds[i]), tall = fmaxf(height, 2 * k);
			snw_gui_fill(at - k, s->y + 0.6f * s->height - tall, 2 * k, tall, 0, 0xe0483cff);
		}
	}
}

static void draw_strip(const strip *s, const snw_session *session, float k) {
	const snw_sampled_clip *sampled = &session->display.sampled;
	snw_gui_fill(s->x, s->y, s->width, s->height, 3 * k, SNW_GROOVE);
	draw_ruler(s, k);
	if (sampled->arena) {
		draw_time_marks(s, sampled->key_seconds, sampled->key_count, s->y + s->height * 0.76f, s->height * 0.24f, SNW_TICK);
		draw_time_marks(s, sampled->truth_seconds, sampled->truth_count, s->y + s->height * 0.62f, s->height * 0.14f,
						(uint32_t)SNW_TRUTH);
		const snw_contact_marks marks = snw_contact_watch_marks(session->contact_watch);
		if (marks.clip == session->state.clip) {
			draw_contact(s, &marks, k);
		}
	}
}

/* ---- the curve ----------------------------------------------------------------------------------------------------------- */

static float height_of(const strip *s, const snw_curve *c, float value) {
	return s->y + s->height - (float)(((double)value - c->bottom) / (c->top - c->bottom)) * s->height;
}

static void draw_curve(const strip *s, const snw_curve *c, float k) {
	float line[2 * SNW_CURVE_MOST];
	uint32_t known = 0;
	for (uint32_t i = 0; i < c->count; i++) {
		if (!isnan(c->values[i])) {
			line[2 * known] = place_of(s, c->seconds[i]);
			line[2 * known + 1] = height_of(s, c, c->values[i]);
			known++;
		}
	}
	for (uint32_t i = 0; i + 1 < known; i++) {
		const float *a = line + 2 * (size_t)i, *b = a + 2, foot = height_of(s, c, 0);
		const float quad[] = {a[0], a[1], b[0], b[1], b[0], foot, a[0], foot};
		snw_gui_polygon(quad, 4, 0xeda84724);
	}
	snw_gui_polyline(line, known, 1.4f * k, (uint32_t)SNW_AMBER, false);
}

/* Lines across the plot. */
static void draw_axis(const strip *s, const snw_curve *c, float k) {
	for (int i = 0; i < 2; i++) {
		char words[240];
		const float y = s->y + s->height * (float)i / 2;
		snprintf(words, sizeof words, "%.3g%s%s", c->top + (c->bottom - c->top) * i / 2, i == 0 ? " " : "",
				 i == 0 ? c->label : "");
		if (i > 0) {
			snw_gui_fill(s->x, y - 0.5f, s->width, 1, 0, SNW_GROOVE);
		}
		snw_gui_write_small(s->x + 8 * k, y + 2 * k, (uint32_t)SNW_QUIET, words);
	}
}

/* The curve's value at the time that is shown. */
static void write_value(const strip *s, const snw_curve *c, double seconds, float k) {
	const float value = curve_at(c, seconds);
	char words[40];
	if (isnan(value)) {
		return;
	}
	const bool is_tiny = c->length_unit && value < 1e-4f * (float)c->top;
	snprintf(words, sizeof words, "%.3g%s%s", is_tiny ? 0 : (double)value, c->length_unit ? " " : "",
			 c->length_unit ? c->length_unit : "");
	const float x = place_of(s, seconds), y = height_of(s, c, value), width = snw_gui_small_width_of(words);
	const float start = x + width + 18 * k < s->x + s->width ? x + 9 * k : x - 9 * k - width;
	const float top = fminf(fmaxf(y - 8 * k, s->y), s->y + s->height - 17 * k);
	snw_gui_fill(start - 4 * k, top - k, width + 8 * k, 17 * k, 3 * k, (uint32_t)SNW_GLASS);
	snw_gui_write_small(start, top, (uint32_t)SNW_INK, words);
	snw_gui_disc(x, y, 3.2f * k, (uint32_t)SNW_INK);
}

static void draw_plot(const strip *s, const snw_curve *c, bool is_clip, float k) {
	snw_gui_fill(s->x, s->y, s->width, s->height, 2 * k, 0x131417ff);
	if (c->count >= 2) {
		draw_curve(s, c, k);
		draw_axis(s, c, k);
	} else if (!is_clip) {
		snw_gui_write_within(s->x + 10 * k, s->y + (s->height - snw_gui_line_height()) / 2, s->width - 20 * k,
							 (uint32_t)SNW_QUIET, "Shows the error over time for a clip with a target.");
	}
}

static void draw_playhead(const strip *s, float foot, const snw_session *session, float k) {
	const float at = place_of(s, session->state.seconds);
	snw_gui_fill(at - 0.75f * k, s->y, 1.5f * k, foot - s->y, 0, (uint32_t)SNW_AMBER);
	snw_gui_triangle(at - 5 * k, s->y - 3 * k, at + 5 * k, s->y - 3 * k, at, s->y + 6 * k, (uint32_t)SNW_AMBER);
}

/* ---- the timeline -------------------------------------------------------------------------------------------------------- */

static void draw_clip(const snw_layout *layout, snw_session *session, float top, float width) {
	const float k = layout->scale, height = layout->timeline_height, margin = 16 * k;
	const bool roomy = height > 60 * k, plotted = height > 120 * k;
	const snw_sampled_clip *sampled = &session->display.sampled;
	float fraction = 0;
	snw_curve c = {.count = 0};
	strip s = {.x = margin, .y = top + 44 * k, .height = 28 * k};
	if (!roomy) {
		draw_button(session, SNW_DO_PLAY, 8 * k, top + 7 * k, k);
		s = (strip){.x = 48 * k, .y = top + 6 * k, .height = 28 * k};
	} else {
		const float line = top + 8 * k + (26 * k - snw_gui_line_height()) / 2;
		const float end = write_moment(session, width - margin, line),
					left = draw_controls(session, margin, top + 8 * k, k, end);
		if (!sampled->arena) {
			write_next_clip(session, left, width - margin, line);
		}
	}
	s.width = fmaxf(width - s.x - margin, 20);
	/* That of the clip which a click on the strip would show. */
	s.duration = sampled->arena ? sampled->duration_seconds : session->document->scene->clips[0].duration_seconds;
	strip plot = s;
	plot.y = s.y + s.height + 4 * k;
	plot.height = top + height - 10 * k - plot.y;
	const float foot = plotted ? plot.y + plot.height : s.y + s.height;
	draw_strip(&s, session, k);
	if (sampled->arena) {
		curve_read(session, &c);
	}
	if (plotted) {
		draw_plot(&plot, &c, sampled->arena != NULL, k);
	} else if (c.count >= 2) {
		draw_curve(&s, &c, k);
	}
	if (sampled->arena) {
		draw_playhead(&s, foot, session, k);
	}
	if (plotted && c.count >= 2) {
		write_value(&plot, &c, session->state.seconds, k);
	}
	if (snw_gui_scrubber("scrub", s.x, s.y, s.width, foot - s.y, &fraction)) {
		snw_emit_number(&session->queue, SNW_DO_SEEK, (double)fraction * s.duration);
	} else {
		snw_gui_hint("Click or drag to go to a time. The curve is the error from the target, or a field over frames.");
	}
}

void snw_panel_timeline(const snw_layout *layout, snw_session *session) {
	const float width = layout->room_x + layout->room_width;
	const float top = layout->view_y + layout->view_height, height = layout->timeline_height;
	snw_gui_panel_begin("timeline", 0, top, width, height, SNW_PANEL_BARE);
	snw_gui_fill(0, top, width, 1, 0, SNW_GROOVE);
	draw_clip(layout, session, top, width);
	snw_gui_panel_end();
}
