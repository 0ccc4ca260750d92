/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The sculpt layers of the selected example, topmost first: a switch mutes, a click makes a layer active, a slider sets its
 * opacity.
 */
#include <math.h>
#include <stdio.h>

#include "example/sculpt_layers.h"
#include "window/panels/panels.h"
#include "window/panels/row_menu.h"

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
