/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The layers in the outliner, topmost first: a switch mutes, a click selects, a double-click shows the Stack tab.
 */
#include <stdio.h>

#include "window/document/titles.h"
#include "window/panels/panels.h"
#include "window/panels/row_menu.h"

static void draw_menu(snw_session *session, uint32_t layer, bool is_muted) {
	const snw_scene *scene = session->document->scene;
	if (!snw_gui_context_menu_begin()) {
		return;
	}
	const snw_command select = {.id = SNW_DO_LAYER, .n = {layer}};
	snw_row_menu_item(session, &select, SNW_DO_LAYER_MUTE, is_muted ? "Unmute" : "Mute", true);
	snw_row_menu_rename(&select, SNW_DO_LAYER_NAME, scene->layers[layer].name);
	snw_row_menu_item(session, &select, SNW_DO_LAYER_UP, "Move up", layer + 1 < scene->layer_count);
	snw_row_menu_item(session, &select, SNW_DO_LAYER_DOWN, "Move down", layer > 0);
	snw_gui_menu_separator();
	snw_row_menu_item(session, &select, SNW_DO_LAYER_REMOVE, "Delete", true);
	snw_gui_popup_end();
}

static void draw_layer(snw_session *session, uint32_t index) {
	const snw_layer *layer = &session->document->scene->layers[index];
	const snw_deformer *deformer = snw_registry_find(session->registry, layer->deformer);
	const bool is_muted = layer->muted || session->document->left_out[index];
	char title[200], row[420], name[220];
	if (snw_row_rename_draw(session, SNW_DO_LAYER_NAME, layer->name)) {
		return;
	}
	snprintf(name, sizeof name, "##on-%.200s", layer->name);
	if (snw_gui_switch(name, NULL, !is_muted)) {
		snw_emit_number(&session->queue, SNW_DO_LAYER, index);
		snw_emit(&session->queue, SNW_DO_LAYER_MUTE);
	}
	snw_gui_hint(snw_command_help(SNW_DO_LAYER_MUTE));
	snw_gui_same_line(0);
	snprintf(row, sizeof row, "%.200s##layer-%.200s", snw_layer_title(session->registry, layer, title, sizeof title),
			 layer->name);
	if (snw_gui_tree_row(row, -0.85f * snw_gui_line_height(), NULL, session->state.layer == index)) {
		snw_emit_number(&session->queue, SNW_DO_LAYER, index);
		if (snw_gui_double_clicked()) {
			snw_emit_number(&session->queue, SNW_DO_TAB, SNW_TAB_STACK);
		}
	}
	char words[600];
	snw_gui_hint(deformer ? snw_method_purpose(deformer->descriptor)
						  : snw_missing_words(session->registry, session->document->scene, index, words, sizeof words));
	draw_menu(session, index, is_muted);
}

void snw_panel_layers(snw_session *session, float height) {
	const uint32_t count = session->document->scene->layer_count;
	char words[80];
	if (count == 0) {
		return;
	}
	snprintf(words, sizeof words, "LAYERS  %u", count);
	snw_gui_heading(words);
	snw_gui_child_begin("outliner-layers", height);
	for (uint32_t i = count; i-- > 0;) {
		snw_gui_push((int)i);
		draw_layer(session, i);
		snw_gui_pop();
	}
	snw_gui_child_end();
}
