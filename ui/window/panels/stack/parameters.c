/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A layer's parameters and fields, drawn from the tables of its descriptor. No parameter has code of its own here.
 */
#include <stdio.h>
#include <string.h>

#include "parameter/parameters.h"
#include "window/document/titles.h"
#include "window/panels/stack/parameter_value.h"

static snw_value value_of(const snw_layer *layer, const snw_parameter *parameter) {
	for (uint32_t i = 0; i < layer->setting_count; i++) {
		if (strcmp(layer->settings[i].key, parameter->key) == 0) {
			return layer->settings[i].value;
		}
	}
	return parameter->initial;
}

/* ---- values for a single group or joint ---------------------------------------------------------------------------------- */

static bool has_override(const snw_layer *layer, const snw_parameter *parameter, const char *name) {
	const size_t length = strlen(parameter->key);
	for (uint32_t i = 0; i < layer->setting_count; i++) {
		const char *key = layer->settings[i].key;
		if (strncmp(key, parameter->key, length) == 0 && key[length] == '@' && strcmp(key + length + 1, name) == 0) {
			return true;
		}
	}
	return false;
}

static void add_choice(snw_session *session, const snw_layer *layer, const snw_parameter_row *all, const char *name,
					   const char *help) {
	if (!has_override(layer, all->parameter, name) && snw_gui_row(name, help, false)) {
		const snw_parameter_row row = {all->descriptor, all->parameter, name, all->value};
		snw_parameter_set(session, &row, &all->value);
	}
}

/* What may have a separate value: groups, then joints. A name that a group and a joint share means the group. */
static void offer_overrides(snw_session *session, const snw_layer *layer, const snw_parameter_row *all) {
	const snw_scene *scene = session->document->scene;
	const uint32_t scopes = all->parameter->scopes;
	char name[120];
	snprintf(name, sizeof name, "+##own-%.100s", all->parameter->key);
	const bool open = snw_gui_popup_begin(name);
	if (!open) {
		snw_gui_hint("A separate value for one group or joint.");
		return;
	}
	for (uint32_t g = 0; scopes & SNW_SCOPE_GROUP && g < scene->group_count; g++) {
		add_choice(session, layer, all, scene->groups[g].name, "Group");
	}
	for (uint32_t j = 0; scopes & SNW_SCOPE_JOINT && j < scene->skeleton.joint_count; j++) {
		uint32_t index;
		if (snw_override_scope(scene, scopes, scene->skeleton.names[j], &index) == SNW_SCOPE_JOINT) {
			add_choice(session, layer, all, scene->skeleton.names[j], "Joint");
		}
	}
	snw_gui_popup_end();
}

static void list_overrides(snw_session *session, const snw_descriptor *descriptor, const snw_layer *layer,
						   const snw_parameter *parameter) {
	const snw_scene *scene = session->document->scene;
	for (uint32_t i = 0; i < layer->setting_count; i++) {
		const snw_setting *setting = &layer->settings[i];
		const char *name;
		uint32_t index;
		const uint32_t found = snw_parameter_of_key(descriptor, setting->key, &name);
		if (found == SNW_NONE || descriptor->parameters[found] != parameter || !name) {
			continue;
		}
		const uint32_t scope = snw_override_scope(scene, parameter->scopes, name, &index);
		char text[300];
		snw_gui_push((int)i);
		snw_gui_indent(snw_gui_line_height());
		snprintf(text, sizeof text, "×##%.250s", setting->key);
		if (snw_gui_small_button(text)) {
			snw_emit_text(&session->queue, SNW_DO_UNSET, setting->key);
		}
		snw_gui_hint("Removes this value, so the general one applies.");
		snw_gui_same_line(0);
		snprintf(text, sizeof text, "%s%.200s%s",
				 scope == SNW_SCOPE_GROUP   ? "Group "
				 : scope == SNW_SCOPE_JOINT ? "Joint "
											: "",
				 name, scope ? "" : " (missing, so it has no effect)");
		snw_gui_quiet_text(text);
		if (scope) {
			const snw_parameter_row row = {descriptor, parameter, name, setting->value};
			snw_parameter_draw(session, &row);
		}
		snw_gui_indent(-snw_gui_line_height());
		snw_gui_pop();
	}
}

/* ---- the table ---------------------------------------------------------------------------------------------------- */

static void draw_reset(snw_session *session, const snw_parameter_row *row) {
	snw_gui_same_line(0);
	if (snw_gui_small_button("Reset")) {
		snw_emit_text(&session->queue, SNW_DO_UNSET, row->parameter->key);
	}
	snw_gui_hint("Restores the default.");
}

static void draw_parameter(snw_session *session, const snw_descriptor *descriptor, const snw_layer *layer,
						   const snw_parameter *parameter) {
	const snw_parameter_row row = {descriptor, parameter, NULL, value_of(layer, parameter)};
	const bool is_changed = !snw_parameter_same(parameter, &row.value, &parameter->initial);
	const bool is_switch = parameter->kind == SNW_PARAMETER_SWITCH, is_on = row.value.numbers[0] != 0;
	if (is_switch) {
		if (snw_gui_switch(parameter->label, NULL, is_on)) {
			const snw_value value = SNW_VALUE(!is_on);
			snw_parameter_set(session, &row, &value);
		}
	} else if (is_changed) {
		snw_gui_text(parameter->label);
	} else {
		snw_gui_quiet_text(parameter->label);
	}
	snw_parameter_explain(&row);
	if (is_changed) {
		draw_reset(session, &row);
	}
	if (parameter->scopes) {
		snw_gui_same_line(0);
		offer_overrides(session, layer, &row);
	}
	if (!is_switch) {
		snw_parameter_draw(session, &row);
	}
	list_overrides(session, descriptor, layer, parameter);
}

/* ---- fields ------------------------------------------------------------------------------------------------------- */

/* Fields that the method reads can be painted; those that it writes can be shown. */
static void list_fields(snw_session *session, const snw_descriptor *descriptor, const snw_layer *layer) {
	bool is_headed = false;
	for (uint32_t i = 0; i < descriptor->field_count; i++) {
		const snw_field_info *info = descriptor->fields[i];
		char written[200], text[120];
		const bool is_plot = info->domain == SNW_DOMAIN_FRAMES && info->written;
		const bool is_heat = info->written && (info->domain == SNW_DOMAIN_POINTS || info->domain == SNW_DOMAIN_FACES);
		const bool is_paint = !info->written && info->domain == SNW_DOMAIN_POINTS && info->components == 1;
		if (!is_plot && !is_heat && !is_paint) {
			continue;
		}
		if (!is_headed) {
			snw_gui_quiet_text("Fields");
			is_headed = true;
		}
		snw_gui_push((int)i);
		snprintf(written, sizeof written, "%s.%s", layer->name, info->name);
		snprintf(text, sizeof text, "%s##%.80s", info->written ? "Show" : "Paint", info->name);
		if (snw_gui_small_button(text)) {
			snw_emit_text(&session->queue,
						  is_plot         ? SNW_DO_PLOT
						  : info->written ? SNW_DO_FIELD
										  : SNW_DO_PAINT_FIELD,
						  info->written ? written : info->name);
		}
		snw_gui_hint(info->help);
		snw_gui_same_line(0);
		snw_gui_text(info->label);
		snw_gui_hint(info->help);
		snw_gui_pop();
	}
}

void snw_panel_parameters(snw_session *session, const snw_layer *layer) {
	const snw_deformer *deformer = snw_registry_find(session->registry, layer->deformer);
	char title[200];
	snprintf(title, sizeof title, "%s###PARAMETERS", deformer ? deformer->descriptor->name : layer->name);
	if (!snw_gui_section(title)) {
		return;
	}
	if (!deformer) {
		char words[600];
		const snw_scene *scene = session->document->scene;
		snw_gui_quiet_text(snw_missing_words(session->registry, scene, (uint32_t)(layer - scene->layers), words, sizeof words));
		return;
	}
	const snw_descriptor *descriptor = deformer->descriptor;
	snw_panel_samples(session, layer);
	for (uint32_t i = 0; i < descriptor->parameter_count; i++) {
		snw_gui_push((int)i);
		draw_parameter(session, descriptor, layer, descriptor->parameters[i]);
		snw_gui_pop();
	}
	if (descriptor->parameter_count == 0) {
		snw_gui_quiet_text("No parameters.");
	}
	list_fields(session, descriptor, layer);
}
