/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The chosen brush and its settings.
 */
#include <math.h>
#include <stdio.h>

#include "file/file.h"
#include "window/document/titles.h"
#include "window/panels/panels.h"
#include "window/panels/shape/brush_icon.h"
#include "window/session/painted_values.h"
#include "window/units/lengths.h"

enum { BRUSH_COLUMNS = 5 };

static void choose_brush(snw_session *session) {
	const float line = snw_gui_line_height(), gap = line * 0.25f, height = 2.3f * line;
	const float width = (snw_gui_available_width() - (BRUSH_COLUMNS - 1) * gap) / BRUSH_COLUMNS;
	float x = 0, y = 0;
	for (uint32_t i = 0; i < SNW_BRUSH_COUNT; i++) {
		const snw_brush_info *info = &snw_brush_infos[i];
		if (i % BRUSH_COLUMNS > 0) {
			snw_gui_move_to(x + (float)(i % BRUSH_COLUMNS) * (width + gap), y);
		} else {
			snw_gui_cursor(&x, &y);
		}
		const float left = x + (float)(i % BRUSH_COLUMNS) * (width + gap), top = y;
		if (snw_gui_picture_tile(info->label, width, height, session->sculpting.brush.kind == (snw_brush_kind)i)) {
			snw_emit_text(&session->queue, SNW_DO_BRUSH, info->name);
		}
		snw_gui_hint(info->help);
		snw_brush_icon((snw_brush_kind)i, left + 0.22f * width, top + 0.2f * line, 0.56f * width, 0.9f * line);
	}
}

static void edit_radius(snw_session *session) {
	const double unit = snw_lengths_per_metre(session);
	const double longest = session->sculpting.mesh ? session->sculpting.longest : 1;
	char format[24];
	snw_length_format(session, 1, format, sizeof format);
	const snw_number radius = {.least = 1e-5 * unit,
							   .most = 1e4 * unit,
							   .soft_least = 0.005 * longest * unit,
							   .soft_most = 0.4 * longest * unit,
							   .is_log = true,
							   .format = format};
	double value = session->sculpting.brush.radius * unit;
	snw_gui_width(-4.7f * snw_gui_line_height());
	if (snw_gui_number("Radius", &radius, &value) != SNW_EDIT_NONE) {
		snw_emit_number(&session->queue, SNW_DO_RADIUS, 100 * value / unit);
	}
}

static void edit_brush(snw_session *session) {
	const snw_brush *brush = &session->sculpting.brush;
	static const snw_number strength = {.most = 1, .soft_most = 1, .format = "%.2f"};
	double much = brush->strength;
	edit_radius(session);
	snw_gui_hint("The reach of the brush. Also: right-drag, or [ and ].");
	snw_gui_width(-4.7f * snw_gui_line_height());
	if (snw_gui_number("Strength", &strength, &much) != SNW_EDIT_NONE) {
		snw_emit_number(&session->queue, SNW_DO_STRENGTH, much);
	}
	snw_gui_hint("How strongly a stroke acts.");
	snw_gui_width(-4.7f * snw_gui_line_height());
	char words[40];
	if (snw_gui_list_begin_labelled("Falloff", snw_sentence_case(snw_falloff_names[brush->falloff], words, sizeof words))) {
		for (uint32_t i = 0; i < SNW_FALLOFF_COUNT; i++) {
			if (snw_gui_row(snw_sentence_case(snw_falloff_names[i], words, sizeof words), NULL,
							brush->falloff == (snw_falloff)i)) {
				snw_emit_number(&session->queue, SNW_DO_FALLOFF, i);
			}
		}
		snw_gui_list_end();
	} else {
		snw_gui_hint("The curve from the centre of the brush to its edge.");
	}
}

/* The picture that the brush stamps. */
static void choose_alpha(snw_session *session) {
	const char *path = session->sculpting.alpha_path;
	snw_gui_width(-4.7f * snw_gui_line_height());
	if (!snw_gui_list_begin_labelled("Alpha", path[0] ? snw_path_name(path) : "None")) {
		snw_gui_hint(snw_command_help(SNW_DO_BRUSH_ALPHA));
		return;
	}
	if (snw_gui_row("None", NULL, !path[0])) {
		snw_emit_text(&session->queue, SNW_DO_BRUSH_ALPHA, "none");
	}
	if (snw_gui_row("Choose a picture…", NULL, false)) {
		snw_emit(&session->queue, SNW_DO_BRUSH_ALPHA);
	}
	snw_gui_list_end();
}

/* What morph moves towards: examples of the mesh that is sculpted. */
static void choose_morph(snw_session *session) {
	static const char *const words[] = {"below", "rest"}, *const titles[] = {"Skin below", "Rest shape"};
	static const char *const hints[] = {"The skin without this sculpt, as Erase restores it.",
										"The rest shape, moved by the joints alone."};
	const snw_scene *scene = session->document->scene;
	uint32_t chosen;
	const snw_morph_kind kind = snw_sculpting_morph(session, &chosen);
	snw_gui_width(-4.7f * snw_gui_line_height());
	if (!snw_gui_list_begin_labelled("Towards", kind == SNW_MORPH_EXAMPLE ? scene->examples[chosen].name : titles[kind])) {
		snw_gui_hint("The shape that Morph moves the skin towards. Ctrl moves it away.");
		return;
	}
	for (uint32_t i = 0; i < 2; i++) {
		if (snw_gui_row(titles[i], NULL, kind == (snw_morph_kind)i)) {
			snw_emit_text(&session->queue, SNW_DO_MORPH_TO, words[i]);
		}
		snw_gui_hint(hints[i]);
	}
	for (uint32_t i = 0; i < scene->example_count; i++) {
		char text[220];
		if (scene->examples[i].mesh != session->sculpting.mesh_index) {
			continue;
		}
		if (snw_gui_row(scene->examples[i].name, NULL, i == chosen)) {
			snprintf(text, sizeof text, "example %.200s", scene->examples[i].name);
			snw_emit_text(&session->queue, SNW_DO_MORPH_TO, text);
		}
		snw_gui_hint("As sculpted there, turned with the skin into this pose.");
	}
	snw_gui_list_end();
}

/* What paint and blur change. */
static void edit_field(snw_session *session) {
	static const snw_number kind = {.least = -1e6, .most = 1e6, .soft_most = 1, .format = "%.2f"};
	const snw_brush *brush = &session->sculpting.brush;
	char words[300];
	if (brush->kind == SNW_BRUSH_PAINT) {
		double value = brush->value;
		snw_gui_width(-4.7f * snw_gui_line_height());
		if (snw_gui_number("Value", &kind, &value) != SNW_EDIT_NONE) {
			snw_emit_number(&session->queue, SNW_DO_PAINT_VALUE, value);
		}
		snw_gui_hint("The value that the field approaches under the brush. Ctrl paints 0.");
	}
	snw_panel_switch(session, SNW_DO_PAINT_WEIGHTS, session->sculpting.paints_weights);
	if (session->sculpting.painted_joint == SNW_NONE) {
		snprintf(words, sizeof words, "Paints the field \"%s\".", session->sculpting.painted);
	} else {
		snprintf(words, sizeof words, "Paints the %s. The other weights are normalised.", session->sculpting.painted);
	}
	snw_gui_quiet_text(words);
	if (session->sculpting.paints_weights) {
		uint32_t layer = SNW_NONE;
		if (!snw_painted_values_show_through(session, &layer)) {
			char title[200];
			snprintf(words, sizeof words, "%.150s has learned weights: painted ones do not show.",
					 snw_layer_title(session->registry, &session->document->scene->layers[layer], title, sizeof title));
			snw_gui_quiet_text(words);
			snw_panel_button(session, SNW_DO_WEIGHTS_TAKE, "Take learned weights", true);
		}
		snw_panel_weights(session);
	}
}

static void prefer(snw_session *session, const char *text, const char *key, bool on, const char *hint) {
	if (snw_gui_switch(text, NULL, on)) {
		char words[60];
		snprintf(words, sizeof words, "%s %s", key, on ? "no" : "yes");
		snw_emit_text(&session->queue, SNW_DO_PREFER, words);
	}
	snw_gui_hint(hint);
}

/* What pressure and tilt do, and the stabiliser: in a list, so that the panel stays short. */
static void edit_pen(snw_session *session) {
	static const snw_number string = {.most = 200, .soft_most = 80, .is_whole = true, .format = "%.0f"};
	const snw_preferences *preferences = &session->preferences;
	double length = preferences->stabiliser;
	if (!snw_gui_popup_begin("Pen…")) {
		snw_gui_hint("What the pressure and tilt of a pen do; a stabiliser for steady strokes.");
		return;
	}
	prefer(session, "Pressure changes strength", "pen-strength", preferences->pen_strength, "A light touch acts less.");
	prefer(session, "Pressure changes radius", "pen-radius", preferences->pen_radius, "A light touch reaches less far.");
	prefer(session, "Tilt widens the brush", "pen-tilt", preferences->pen_tilt, "A pen held flat reaches twice as far.");
	snw_gui_width(6 * snw_gui_line_height());
	if (snw_gui_number("Stabiliser", &string, &length) == SNW_EDIT_DONE) {
		char words[60];
		snprintf(words, sizeof words, "stabiliser %.0f", length);
		snw_emit_text(&session->queue, SNW_DO_PREFER, words);
	}
	snw_gui_hint("The brush is pulled on a string of this length, so that a shaking hand draws a smooth path. 0: none.");
	snw_gui_popup_end();
}

void snw_panel_brush(snw_session *session) {
	if (!snw_gui_section("SCULPT")) {
		return;
	}
	choose_brush(session);
	snw_gui_spacing();
	edit_brush(session);
	choose_alpha(session);
	if (session->sculpting.brush.kind == SNW_BRUSH_MORPH) {
		choose_morph(session);
	}
	if (snw_brush_changes(session->sculpting.brush.kind) == SNW_BRUSH_FIELD) {
		edit_field(session);
	}
	snw_panel_switch(session, SNW_DO_SYMMETRY, session->sculpting.brush.symmetric);
	snw_gui_same_line_for(snw_command_title(SNW_DO_VOLUME));
	snw_panel_switch(session, SNW_DO_VOLUME, session->sculpting.brush.volume);
	if (session->document->scene->mesh_count > 1) {
		snw_panel_switch(session, SNW_DO_CARRY_ALONG, session->sculpting.carries);
		snw_gui_same_line_for(snw_command_title(SNW_DO_STAY_OUTSIDE));
		snw_panel_switch(session, SNW_DO_STAY_OUTSIDE, session->sculpting.brush.stays_outside);
	}
	if (snw_gui_button("Done", false)) {
		snw_emit(&session->queue, SNW_DO_POSING);
	}
	snw_gui_hint("Returns to posing (Tab). Your strokes are already stored.");
	snw_gui_same_line_for("Clear mask");
	snw_panel_button(session, SNW_DO_MASK_CLEAR, "Clear mask", snw_sculpting_is_masked(&session->sculpting));
	snw_gui_same_line_for("Pen…");
	edit_pen(session);
}
