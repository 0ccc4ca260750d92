/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "example/sculpts.h"
#include "file/file.h"
#include "window/document/document.h"
#include "window/panels/panels.h"
#include "window/session/sculpting.h"
#include "window/units/units.h"

/* ---- brush icon ---------------------------------------------------------------------------------------------------------- */

/* A picture of what a brush does: the surface in profile before it (faint) and after it. */

enum { SAMPLES = 9 };

/* Heights in tenths, from left to right; what is worked on by value (mask, paint) has a disc instead. */
typedef struct profile {
	signed char before[SAMPLES], after[SAMPLES];
	signed char slant; /* of the middle, to the right, in tenths of the width */
} profile;

static const profile profiles[SNW_BRUSH_COUNT] = {
	[SNW_BRUSH_GRAB] = {.before = {0}, .after = {0, 0, 1, 4, 10, 4, 1, 0, 0}, .slant = 2},
	[SNW_BRUSH_ELASTIC] = {.before = {0}, .after = {0, 2, 4, 6, 8, 6, 4, 2, 0}, .slant = 1},
	[SNW_BRUSH_SMOOTH] = {.before = {0, 6, -3, 8, -2, 7, -4, 5, 0}, .after = {0, 1, 2, 3, 3, 3, 2, 1, 0}},
	[SNW_BRUSH_RELAX] = {.before = {0}, .after = {0}},
	[SNW_BRUSH_DRAW] = {.before = {0}, .after = {0, 0, 2, 7, 9, 7, 2, 0, 0}},
	[SNW_BRUSH_CLAY] = {.before = {0, 0, 0, 2, 4, 2, 0, 0, 0}, .after = {0, 0, 7, 7, 7, 7, 7, 0, 0}},
	[SNW_BRUSH_INFLATE] = {.before = {0, 0, 2, 4, 5, 4, 2, 0, 0}, .after = {0, 2, 7, 9, 10, 9, 7, 2, 0}},
	[SNW_BRUSH_FLATTEN] = {.before = {0, 7, 2, -5, 0, 7, 2, -5, 0}, .after = {0, 1, 1, 1, 1, 1, 1, 1, 0}},
	[SNW_BRUSH_SCRAPE] = {.before = {0, 3, 9, 3, 0, 3, 9, 3, 0}, .after = {0, 3, 3, 3, 0, 3, 3, 3, 0}},
	[SNW_BRUSH_FILL] = {.before = {2, 0, -8, 0, 2, 0, -8, 0, 2}, .after = {2, 0, 0, 0, 2, 0, 0, 0, 2}},
	[SNW_BRUSH_CREASE] = {.before = {0}, .after = {0, 1, 2, 1, -9, 1, 2, 1, 0}},
	[SNW_BRUSH_PINCH] = {.before = {0, 1, 3, 5, 5, 5, 3, 1, 0}, .after = {0, 0, 0, 2, 9, 2, 0, 0, 0}},
	[SNW_BRUSH_SLIDE] = {.before = {0}, .after = {0}},
	[SNW_BRUSH_MORPH] = {.before = {0, 0, 2, 7, 9, 7, 2, 0, 0}, .after = {0, 1, 3, 4, 2, -2, -4, -3, 0}},
	[SNW_BRUSH_ERASE] = {.before = {0, 0, 2, 7, 9, 7, 2, 0, 0}, .after = {0}},
};

static void draw_profile(const signed char heights[SAMPLES], int slant, const float box[4], uint32_t color) {
	float points[2 * SAMPLES];
	for (int i = 0; i < SAMPLES; i++) {
		const float height = (float)heights[i] / 10;
		points[2 * i] = box[0] + box[2] * ((float)i / (SAMPLES - 1) + 0.1f * (float)slant * (height > 0 ? height : 0));
		points[2 * i + 1] = box[1] + box[3] * (0.6f - 0.5f * height);
	}
	snw_gui_polyline(points, SAMPLES, 1.5f, color, false);
}

/* Points along the surface: shifted, or spread evenly. */
static void draw_points(snw_brush_kind kind, const float box[4]) {
	static const float uneven[] = {0.0f, 0.12f, 0.2f, 0.62f, 1.0f}, slid[] = {0.0f, 0.35f, 0.6f, 0.8f, 1.0f};
	const float y = box[1] + 0.6f * box[3], radius = 0.13f * box[3];
	for (int i = 0; i < 5; i++) {
		const float before = kind == SNW_BRUSH_RELAX ? uneven[i] : 0.25f * (float)i;
		const float after = kind == SNW_BRUSH_RELAX ? 0.25f * (float)i : slid[i];
		snw_gui_disc(box[0] + box[2] * before, y - 0.3f * box[3], 0.8f * radius, (uint32_t)SNW_QUIET);
		snw_gui_disc(box[0] + box[2] * after, y, radius, (uint32_t)SNW_INK);
	}
}

/* Values on the skin: dark for a mask, bright for a field; soft edges for those that even them out. */
static void draw_values(snw_brush_kind kind, const float box[4]) {
	const bool is_mask = kind == SNW_BRUSH_MASK || kind == SNW_BRUSH_SOFTEN;
	const bool is_soft = kind == SNW_BRUSH_SOFTEN || kind == SNW_BRUSH_BLUR;
	const uint32_t color = is_mask ? 0x000000ff : (uint32_t)SNW_AMBER;
	const float x = box[0] + box[2] / 2, y = box[1] + box[3] / 2, radius = 0.5f * box[3];
	snw_gui_disc(x, y, radius + 1, (uint32_t)SNW_QUIET);
	for (int i = 0; i < (is_soft ? 4 : 1); i++) {
		snw_gui_disc(x, y, radius * (is_soft ? 1 - 0.25f * (float)i : 0.7f), is_soft ? (color & 0xffffff00u) | 0x50 : color);
	}
}

/* Draws what the brush does into this box of the current panel. */
static void brush_icon(snw_brush_kind kind, float x, float y, float width, float height) {
	const float box[4] = {x, y, width, height};
	const profile *shape = &profiles[kind];
	if (snw_brush_changes(kind) != SNW_BRUSH_POINTS) {
		draw_values(kind, box);
		return;
	}
	if (memcmp(shape->before, shape->after, sizeof shape->before) == 0) {
		draw_points(kind, box);
		return;
	}
	draw_profile(shape->before, 0, box, (uint32_t)SNW_QUIET);
	draw_profile(shape->after, shape->slant, box, (uint32_t)SNW_INK);
}

/* ---- brush --------------------------------------------------------------------------------------------------------------- */

/* The chosen brush and its settings. */

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
		brush_icon((snw_brush_kind)i, left + 0.22f * width, top + 0.2f * line, 0.56f * width, 0.9f * line);
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

/* ---- sculpt layers ------------------------------------------------------------------------------------------------------- */

/* The sculpt layers of the selected example, topmost first: a switch mutes, a click makes a layer active, a slider sets its
 * opacity. */

enum { FEW_LAYERS = 6 };

static snw_command select_command(const snw_sculpt_layer *layer) {
	snw_command select = {.id = SNW_DO_SCULPT_LAYER};
	snprintf(select.text, sizeof select.text, "%s", layer->name);
	return select;
}

static void draw_menu(snw_session *session, const snw_example *example, uint32_t index) {
	const snw_sculpt_layer *layer = &example->layers[index];
	if (!snw_gui_context_menu_begin()) {
		return;
	}
	const snw_command select = select_command(layer);
	snw_row_menu_item(session, &select, SNW_DO_SCULPT_LAYER_MUTE, layer->muted ? "Unmute" : "Mute", true);
	snw_row_menu_rename(&select, SNW_DO_SCULPT_LAYER_NAME, layer->name);
	snw_row_menu_item(session, &select, SNW_DO_SCULPT_LAYER_MERGE, "Merge down",
					  index > 0 && !layer->muted && !example->layers[index - 1].muted);
	snw_gui_menu_separator();
	snw_row_menu_item(session, &select, SNW_DO_SCULPT_LAYER_REMOVE, "Delete", true);
	snw_gui_popup_end();
}

static void draw_opacity(snw_session *session, const snw_sculpt_layer *layer) {
	static const snw_number kind = {
		.least = -SNW_OPACITY_MOST, .most = SNW_OPACITY_MOST, .soft_most = 2, .step = 0.01, .format = "%.2f"};
	char text[220];
	double opacity = layer->opacity;
	snprintf(text, sizeof text, "##opacity-%.200s", layer->name);
	snw_gui_width(3.5f * snw_gui_line_height());
	if (snw_gui_number(text, &kind, &opacity) == SNW_EDIT_DONE) {
		snw_emit_text(&session->queue, SNW_DO_SCULPT_LAYER, layer->name);
		snw_emit_number(&session->queue, SNW_DO_SCULPT_LAYER_OPACITY, opacity);
	}
	snw_gui_hint(
		"How strongly this layer shows in the sculpt: beyond 1 exaggerated, below 0 inverted. Drag, or Ctrl+click to type.");
}

static void draw_sculpt_layer(snw_session *session, const snw_example *example, uint32_t index, bool is_active) {
	const snw_sculpt_layer *layer = &example->layers[index];
	char text[240];
	if (snw_row_rename_draw(session, SNW_DO_SCULPT_LAYER_NAME, layer->name)) {
		return;
	}
	snprintf(text, sizeof text, "##sculpt-on-%.200s", layer->name);
	snw_gui_line_of_fields();
	if (snw_gui_switch(text, NULL, !layer->muted)) {
		snw_emit_text(&session->queue, SNW_DO_SCULPT_LAYER, layer->name);
		snw_emit(&session->queue, SNW_DO_SCULPT_LAYER_MUTE);
	}
	snw_gui_hint(snw_command_help(SNW_DO_SCULPT_LAYER_MUTE));
	snw_gui_same_line(0);
	draw_opacity(session, layer);
	snw_gui_same_line(0);
	snprintf(text, sizeof text, "%.200s##sculpt-layer", layer->name);
	if (snw_gui_tree_row(text, -0.85f * snw_gui_line_height(), NULL, is_active)) {
		snw_emit_text(&session->queue, SNW_DO_SCULPT_LAYER, layer->name);
	}
	snw_gui_hint("Click: strokes go to this layer. Right-click: rename, merge, delete.");
	draw_menu(session, example, index);
}

void snw_panel_sculpt_layers(snw_session *session) {
	const snw_scene *scene = session->document->scene;
	char title[80];
	if (session->state.example >= scene->example_count) {
		return;
	}
	const snw_example *example = &scene->examples[session->state.example];
	snprintf(title, sizeof title, "SCULPT LAYERS  %u###SCULPTLAYERS", example->layer_count);
	if (!snw_gui_section(title)) {
		return;
	}
	const uint32_t active = snw_sculpt_layer_of_id(example, session->state.sculpt_layer);
	const bool is_long = example->layer_count > FEW_LAYERS;
	if (is_long) {
		snw_gui_child_begin("sculpt-layers", (float)FEW_LAYERS * 1.75f * snw_gui_line_height());
	}
	for (uint32_t i = example->layer_count; i-- > 0;) {
		snw_gui_push((int)i);
		draw_sculpt_layer(session, example, i, i == active);
		snw_gui_pop();
	}
	if (is_long) {
		snw_gui_child_end();
	}
	snw_panel_button(session, SNW_DO_SCULPT_LAYER_ADD, "Add layer", true);
}
