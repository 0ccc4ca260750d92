/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "render/overlay/canvas.h"
#include "window/document/document.h"
#include "window/panels/panels.h"
#include "window/session/session.h"
#include "window/units/units.h"

/* ---- bake chart ---------------------------------------------------------------------------------------------------------- */

/* The curve of a bake: the error of its skins over their size. A click on a skin shows it. */

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

/* Draws it as wide as the panel; `diagonal` is of the measured mesh at rest, metres; `shown` is the skin that is shown, or
 * SNW_NONE. */
static void bake_chart(snw_session *session, const snw_shown_bake *bake, double diagonal, uint32_t shown) {
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

/* ---- bake ---------------------------------------------------------------------------------------------------------------- */

/* Baking: a budget, the skins that it gives, and the one that is shown. */

/* One part of the budget; `unit` in bytes. */
static void edit_part(snw_session *session, const char *label, const char *key, const char *help, double value, double least,
					  double most, double soft_most, const char *zero) {
	const snw_number kind = {
		.least = least, .most = most, .soft_least = least, .soft_most = soft_most, .is_whole = true, .zero = zero};
	char words[80];
	snw_gui_width(-7.5f * snw_gui_line_height());
	const snw_edit_state change = snw_gui_number(label, &kind, &value);
	snw_gui_hint(help);
	if (change != SNW_EDIT_NONE) {
		snprintf(words, sizeof words, "%s=%.0f%s", key, value, value > 0 && key[0] == 'b' ? "k" : "");
		snw_emit_text(&session->queue, SNW_DO_BAKE_BUDGET, words);
	}
}

static void choose_engine(snw_session *session) {
	const snw_engine *engine;
	snw_gui_width(-7.5f * snw_gui_line_height());
	if (!snw_gui_list_begin_labelled("Engine", session->engine ? session->engine->label : "Every engine")) {
		snw_gui_hint("The engine that has to play the skin, here and in Export.");
		return;
	}
	if (snw_gui_row("Every engine", NULL, !session->engine)) {
		snw_emit_text(&session->queue, SNW_DO_BAKE_ENGINE, "any");
	}
	for (uint32_t i = 0; (engine = snw_engines(i)); i++) {
		if (snw_gui_row(engine->label, NULL, session->engine == engine)) {
			snw_emit_text(&session->queue, SNW_DO_BAKE_ENGINE, engine->name);
		}
	}
	snw_gui_list_end();
}

static void edit_budget(snw_session *session) {
	choose_engine(session);
	const snw_budget *budget = &session->bake_budget;
	const double kilobytes = floor((double)budget->bytes / 1000);
	edit_part(session, "Influences", "influences", "The most joints that may move one point.", budget->influences, 1, 8, 8,
			  NULL);
	edit_part(session, "Helper joints", "helpers", "The most joints that are made for the skin; the pose moves them.",
			  budget->helpers, 0, 1000, 48, NULL);
	edit_part(session, "Proxy joints", "proxies",
			  "The most joints that are made for a mesh in place of the rig's; clips alone move them in a file.",
			  budget->proxies, 0, 320, 96, NULL);
	edit_part(session, "Morph targets", "morphs", "The most morph targets of a mesh.", budget->morphs, 0, 1000, 48, NULL);
	edit_part(session, "Joints", "joints", "The most joints that move points, helper and proxy joints included.",
			  budget->joints, 1, 65536, 255, NULL);
	edit_part(session, "kB of glTF", "bytes", "The most kilobytes of the file; 0 for any.", kilobytes, 0, 4e6, 10000, "Any");
}

static void list_skins(snw_session *session, const snw_shown_bake *bake, double diagonal, uint32_t shown) {
	const float line = snw_gui_line_height(), widths[2] = {4.2f * line, 4.6f * line};
	for (uint32_t v = 0; v < bake->baked.variant_count; v++) {
		const snw_bake_variant *variant = &bake->baked.variants[v];
		char name[100], row[140], error[40], size[40];
		const char *columns[2] = {error, size};
		snw_bake_variant_parts(variant, name, sizeof name);
		snprintf(row, sizeof row, "%s##row-%u", name, v);
		snw_error_write(session, variant->errors.stack.all.erms, diagonal, error, sizeof error);
		snprintf(size, sizeof size, "%.4g kB%s", (double)variant->bytes / 1000, variant->is_within ? "" : " !");
		if (snw_gui_row_columns(row, columns, widths, 2, v == shown)) {
			snw_emit_number(&session->queue, SNW_DO_BAKE_SHOW, v);
		}
		snw_gui_hint(variant->is_within ? "Shows this skin." : "Shows this skin, which is over the budget.");
	}
}

/* In metres: the error is in percent of the mesh that has it. */
static double largest_distance(const snw_session *session, const snw_bake_error *error) {
	const uint32_t mesh = session->bake->baked.meshes[error->farthest];
	return error->all.max_percent / 100 * snw_scene_diagonal(session->document->scene, mesh);
}

static void write_shown_bake(const snw_session *session, double diagonal, uint32_t shown) {
	const snw_shown_bake *bake = session->bake;
	const snw_bake_variant *variant = &bake->baked.variants[shown];
	const snw_measure *measure = &variant->errors.stack.all;
	char words[300], name[100], error[40], other[40];
	snw_bake_variant_name(variant, name, sizeof name);
	snw_error_write(session, measure->erms, diagonal, error, sizeof error);
	snprintf(words, sizeof words, "%s: %.4g kB, %s %s", name, (double)variant->bytes / 1000, snw_error_name(session), error);
	snw_gui_text(words);
	if (snw_errors_are_lengths(session)) {
		snw_length_write(session, largest_distance(session, &variant->errors.stack), error, sizeof error);
		snprintf(words, sizeof words, "At most %s off, normals %.2f°.", error, measure->normals_degrees);
	} else {
		snprintf(words, sizeof words, "Enveloping error %.3f, normals %.2f°.", measure->enveloping_error,
				 measure->normals_degrees);
	}
	snw_gui_quiet_text(words);
	if (variant->errors.truth.all.frame_count > 0) {
		snw_error_write(session, variant->errors.truth.all.erms, diagonal, error, sizeof error);
		snw_error_write(session, bake->baked.source.truth.all.erms, diagonal, other, sizeof other);
		snprintf(words, sizeof words, "Against the ground truth: %s %s; the stack has %s.", snw_error_name(session), error,
				 other);
		snw_gui_quiet_text(words);
	}
}

/* What an engine may pose, and no clip shows. */
static void write_range(const snw_session *session, double diagonal, uint32_t shown) {
	const snw_baked *baked = &session->bake->baked;
	const snw_measure *measure = &baked->variants[shown].errors.range.all;
	char words[300], error[40], most[40];
	if (measure->frame_count == 0) {
		return;
	}
	const char *worst = baked->range_names[measure->max_frame];
	snw_error_write(session, measure->erms, diagonal, error, sizeof error);
	if (snw_errors_are_lengths(session)) {
		snw_length_write(session, largest_distance(session, &baked->variants[shown].errors.range), most, sizeof most);
		snprintf(words, sizeof words, "Each joint alone, to its limit or 60°: %s %s, at most %s off (%s°).",
				 snw_error_name(session), error, most, worst);
	} else { /* it is a mean */
		snprintf(words, sizeof words, "Each joint alone, to its limit or 60°: %s %s, the worst point at %s°.",
				 snw_error_name(session), error, worst);
	}
	snw_gui_quiet_text(words);
}

void snw_panel_bake(snw_session *session) {
	const snw_document *document = session->document;
	if (document->scene->skeleton.joint_count == 0 || !snw_gui_section("BAKE FOR ENGINES")) {
		return;
	}
	edit_budget(session);
	snw_gui_disabled_begin(session->progress.label && session->progress.is_long);
	if (snw_gui_button("Bake", false)) {
		snw_emit(&session->queue, SNW_DO_BAKE);
	}
	snw_gui_disabled_end();
	snw_gui_hint(snw_command_help(SNW_DO_BAKE));
	if (!session->bake) {
		return;
	}
	snw_gui_same_line_for("Discard");
	snw_panel_button(session, SNW_DO_BAKE_DROP, "Discard##bake", true);
	if (!snw_shown_bake_is_current(session)) {
		snw_gui_quiet_text("The project has changed since this bake; bake again.");
		return;
	}
	const double diagonal = snw_scene_diagonal(document->scene, session->bake->baked.meshes[0]);
	bake_chart(session, session->bake, diagonal, document->variant);
	if (document->variant < session->bake->baked.variant_count) {
		write_shown_bake(session, diagonal, document->variant);
		write_range(session, diagonal, document->variant);
	}
	snw_panel_button(session, SNW_DO_BAKE_KEEP, "Keep this skin", document->variant != SNW_NONE);
	list_skins(session, session->bake, diagonal, document->variant);
}
