/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "window/panels/stack/bake_chart.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "render/overlay/legend.h"
#include "window/document/titles.h"
#include "window/panels/panels.h"
#include "window/units/lengths.h"

enum { TICKS = 4, FRONT_MOST = 256, LINE_COLOR = 0x3d4048ff, BUDGET_COLOR = (int)0xc0453cff };

typedef struct chart {
	float x, y, width, height; /* of the box with the points */
	double from, to, most;     /* bytes; erms */
	double per_erms;           /* what an E_RMS of 1 is on the axis */
	double diagonal;           /* metres, of the measured mesh */
	float unit;                /* a line of text / 15 */
} chart;

static float place_x(const chart *c, double bytes) {
	return c->x + c->width * (float)((bytes - c->from) / (c->to - c->from));
}

static float place_y(const chart *c, double erms) {
	return c->y + c->height * (float)(1 - erms / c->most);
}

/* Sizes begin near the smallest: most of a file is the mesh and its clips, whatever the skin. */
static void find_range(const snw_shown_bake *bake, chart *c) {
	const snw_baked *baked = &bake->baked;
	double least = (double)INFINITY, most = 0, error = baked->plain.stack.all.erms;
	for (uint32_t v = 0; v < baked->variant_count; v++) {
		least = fmin(least, (double)baked->variants[v].bytes);
		most = fmax(most, (double)baked->variants[v].bytes);
		error = fmax(error, baked->variants[v].errors.stack.all.erms);
	}
	most = bake->budget.bytes > 0 ? fmax(most, (double)bake->budget.bytes) : most;
	const double margin = fmax(0.06 * (most - least), 0.01 * most + 1);
	c->from = least - margin;
	c->to = most + margin;
	c->most = error > 0 ? 1.12 * error : 1;
}

/* The unit of the sizes stands at the end of their axis. */
static void draw_grid(const chart *c) {
	char text[40];
	const double across = snw_legend_round_step(c->to - c->from, TICKS),
				 up = snw_legend_round_step(c->most * c->per_erms, TICKS);
	const char *unit = "kB of glTF";
	const float end = c->x + c->width - snw_gui_small_width_of(unit), below = c->y + c->height + 2 * c->unit;
	snw_gui_fill(c->x, c->y, c->width, c->height, 3, SNW_GROOVE);
	snw_gui_write_small(end, below, (uint32_t)SNW_QUIET, unit);
	for (double bytes = ceil(c->from / across) * across; bytes < c->to; bytes += across) {
		const float x = place_x(c, bytes);
		snprintf(text, sizeof text, "%.6g", bytes / 1000);
		const float width = snw_gui_small_width_of(text);
		snw_gui_fill(x, c->y, 1, c->height, 0, LINE_COLOR);
		if (x + width / 2 < end - 6 * c->unit) {
			snw_gui_write_small(x - width / 2, below, (uint32_t)SNW_QUIET, text);
		}
	}
	for (int i = 0; i * up < c->most * c->per_erms; i++) {
		const float y = place_y(c, i * up / c->per_erms);
		snprintf(text, sizeof text, "%g", i * up);
		snw_gui_fill(c->x, y, c->width, 1, 0, LINE_COLOR);
		snw_gui_write_small(c->x - snw_gui_small_width_of(text) - 3 * c->unit, y - 6 * c->unit, (uint32_t)SNW_QUIET, text);
	}
}

/* The skins that no smaller one surpasses, joined by a line. */
static void draw_front(const chart *c, const snw_baked *baked) {
	float points[2 * FRONT_MOST];
	uint32_t count = 0;
	double bytes = -1, erms = (double)INFINITY;
	for (bool found = true; found && count < FRONT_MOST;) {
		const snw_bake_variant *next = NULL;
		for (uint32_t v = 0; v < baked->variant_count; v++) {
			const snw_bake_variant *one = &baked->variants[v];
			const bool is_better = (double)one->bytes > bytes && one->errors.stack.all.erms < erms;
			next = is_better && (!next || one->bytes < next->bytes ||
								 (one->bytes == next->bytes && one->errors.stack.all.erms < next->errors.stack.all.erms))
					   ? one
					   : next;
		}
		found = next != NULL;
		if (found) {
			bytes = (double)next->bytes;
			erms = next->errors.stack.all.erms;
			points[2 * (size_t)count] = place_x(c, bytes);
			points[2 * (size_t)count + 1] = place_y(c, erms);
			count++;
		}
	}
	snw_gui_polyline(points, count, 1.4f * c->unit, SNW_TICK, false);
}

static void draw_bake_marks(const chart *c, const snw_shown_bake *bake) {
	const double plain = bake->baked.plain.stack.all.erms;
	snw_gui_fill(c->x, place_y(c, plain), c->width, 1, 0, (uint32_t)SNW_PALE);
	const char *text = "Linear blend";
	snw_gui_write_small(c->x + c->width - snw_gui_small_width_of(text) - 3 * c->unit, place_y(c, plain) - 13 * c->unit,
						(uint32_t)SNW_PALE, text);
	if (bake->budget.bytes > 0) {
		snw_gui_fill(place_x(c, (double)bake->budget.bytes), c->y, 1, c->height, 0, (uint32_t)BUDGET_COLOR);
	}
}

/* Filled within the budget, hollow beyond it. */
static void draw_skin(snw_session *session, const chart *c, const snw_shown_bake *bake, uint32_t v, bool is_shown) {
	const snw_bake_variant *variant = &bake->baked.variants[v];
	const float x = place_x(c, (double)variant->bytes), y = place_y(c, variant->errors.stack.all.erms), reach = 6 * c->unit;
	char name[100], words[300], error[40];
	float unused;
	snprintf(name, sizeof name, "skin-%u", v);
	(void)snw_gui_scrubber(name, x - reach, y - reach, 2 * reach, 2 * reach, &unused);
	if (snw_gui_scrubber_pressed()) {
		snw_emit_number(&session->queue, SNW_DO_BAKE_SHOW, v);
	}
	snw_bake_variant_name(variant, name, sizeof name);
	snw_error_write(session, variant->errors.stack.all.erms, c->diagonal, error, sizeof error);
	snprintf(words, sizeof words, "%s: %.4g kB, %s %s against the stack%s. Click to show it.", name,
			 (double)variant->bytes / 1000, snw_error_name(session), error, variant->is_within ? "" : ", over the budget");
	snw_gui_hint(words);
	snw_gui_disc(x, y, (is_shown ? 6 : 4) * c->unit, is_shown ? (uint32_t)SNW_AMBER : (uint32_t)SNW_INK);
	if (!variant->is_within) {
		snw_gui_disc(x, y, (is_shown ? 4 : 2.5f) * c->unit, SNW_GROOVE);
	}
}

/* Above the axis: "Mean error, mm". */
static void write_axis_title(const snw_session *session, float x, float y) {
	const bool are_lengths = snw_errors_are_lengths(session);
	char words[60];
	snw_sentence_case(snw_error_name(session), words, sizeof words);
	const size_t used = strlen(words);
	snprintf(words + used, sizeof words - used, "%s%s", are_lengths ? ", " : "",
			 are_lengths ? snw_length_unit_name(session) : "");
	snw_gui_write_small(x, y, (uint32_t)SNW_QUIET, words);
	snw_gui_track_text(words, x, y, snw_gui_small_width_of(words), snw_gui_line_height());
}

void snw_bake_chart(snw_session *session, const snw_shown_bake *bake, double diagonal, uint32_t shown) {
	const float line = snw_gui_line_height(), room = snw_gui_available_width(), left = 2.2f * line;
	float x, y;
	snw_gui_quiet_text("The error against the stack, at held-out poses, by the size of the file");
	snw_gui_cursor(&x, &y);
	write_axis_title(session, x, y);
	y += line;
	chart c = {.x = x + left, .y = y, .width = room - left, .height = 9 * line, .unit = line / 15, .diagonal = diagonal};
	c.per_erms = diagonal > 0 ? snw_errors_per_erms(session, diagonal) : 1;
	find_range(bake, &c);
	draw_grid(&c);
	draw_front(&c, &bake->baked);
	draw_bake_marks(&c, bake);
	for (uint32_t v = 0; v < bake->baked.variant_count; v++) {
		draw_skin(session, &c, bake, v, v == shown);
	}
	snw_gui_move_to(x, y);
	snw_gui_reserve(room, c.height + 1.3f * line);
}
