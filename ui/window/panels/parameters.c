/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A layer's parameters and fields, drawn from its descriptor's tables: nothing here knows what any of them means.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "plugin/overrides.h"
#include "window/panels/panels.h"

/* A value that is edited: the one for all, or the one of a group or joint alone. */
typedef struct row {
	const snw_parameter *parameter;
	const char *name; /* whose it is; NULL: everybody's */
	double value;
} row;

static double value_of(const snw_layer *layer, const snw_parameter *parameter) {
	for (uint32_t i = 0; i < layer->setting_count; i++) {
		if (strcmp(layer->settings[i].key, parameter->key) == 0) {
			return layer->settings[i].value;
		}
	}
	return parameter->initial.numbers[0];
}

static void write_key(const row *r, char *key, size_t size) {
	snprintf(key, size, "%s%s%s", r->parameter->key, r->name ? "@" : "", r->name ? r->name : "");
}

static void emit(snw_session *session, snw_command_id id, const row *r, double value) {
	const snw_parameter *parameter = r->parameter;
	char key[200], words[300];
	write_key(r, key, sizeof key);
	if (parameter->kind == SNW_PARAMETER_CHOICE) {
		snprintf(words, sizeof words, "%s=%s", key, parameter->choices[(uint32_t)value]);
	} else if (parameter->kind == SNW_PARAMETER_SWITCH) {
		snprintf(words, sizeof words, "%s=%d", key, value != 0);
	} else {
		snprintf(words, sizeof words, "%s=%.9g", key, value);
	}
	snw_emit_text(&session->queue, id, words);
}

static void set(snw_session *session, const row *r, double value) {
	emit(session, SNW_DO_SET, r, value);
}

static void explain(const snw_descriptor *descriptor, const snw_parameter *parameter) {
	const bool at_once = parameter->stage != SNW_STAGE_FIT || descriptor->traits & (SNW_REFITS | SNW_BINDS);
	char words[700], range[200] = "";
	if (parameter->kind == SNW_PARAMETER_NUMBER || parameter->kind == SNW_PARAMETER_INTEGER) {
		snprintf(range, sizeof range, " From %g to %g%s%s; %g at first. Click with Ctrl to type.", parameter->minimum,
				 parameter->maximum, parameter->unit[0] ? " " : "", parameter->unit, parameter->initial.numbers[0]);
	}
	snprintf(words, sizeof words, "%s%s %s", parameter->help, range,
			 at_once ? "Takes effect at once." : "Takes effect when it is fitted.");
	snw_gui_hint(words);
}

/* ---- one value ---------------------------------------------------------------------------------------------------- */

/* A slider over the soft range; anything in the hard range can be typed. A range of many sizes is logarithmic. */
static void draw_number(snw_session *session, const row *r) {
	static char held[200]; /* the key of what is being dragged */
	static double dragged;
	const snw_parameter *parameter = r->parameter;
	char key[200], name[220], format[32];
	const bool whole = parameter->kind == SNW_PARAMETER_INTEGER;
	const char *word = whole && parameter->choices && r->value == parameter->minimum ? parameter->choices[0] : NULL;
	const bool wide = parameter->soft_minimum > 0 && parameter->soft_maximum / parameter->soft_minimum >= 100;
	const char *unit = strcmp(parameter->unit, "%") == 0 ? "%%" : parameter->unit;
	snprintf(format, sizeof format, word ? "%s" : whole ? "%%.0f %.12s" : "%%.4g %.12s", word ? word : unit);
	const snw_number kind = {.least = parameter->minimum,
							 .most = parameter->maximum,
							 .soft_least = parameter->soft_minimum,
							 .soft_most = parameter->soft_maximum,
							 .is_log = wide,
							 .is_whole = whole,
							 .step = (parameter->maximum - parameter->minimum) / 500,
							 .format = format};
	write_key(r, key, sizeof key);
	double shown = strcmp(held, key) == 0 ? dragged : r->value;
	snprintf(name, sizeof name, "##%s", key);
	snw_gui_width(-1);
	const snw_edit_state change = snw_gui_number(name, &kind, &shown);
	if (change == SNW_EDIT_DONE) {
		held[0] = '\0';
		set(session, r, shown);
	} else if (change == SNW_EDIT_LIVE) {
		snprintf(held, sizeof held, "%s", key);
		dragged = shown;
		/* What nothing has to be learned for is shown as it is dragged, as often as that can be done. */
		if (parameter->stage != SNW_STAGE_FIT && !r->name && !snw_session_is_busy(session)) {
			emit(session, SNW_DO_TRY_SET, r, shown);
		}
	}
}

static void draw_choice(snw_session *session, const row *r) {
	const snw_parameter *parameter = r->parameter;
	char key[200], name[220];
	write_key(r, key, sizeof key);
	snprintf(name, sizeof name, "##%s", key);
	snw_gui_width(-1);
	if (snw_gui_list_begin(name, parameter->choices[(uint32_t)r->value])) {
		for (uint32_t i = 0; parameter->choices[i]; i++) {
			if (snw_gui_row(parameter->choices[i], NULL, (uint32_t)r->value == i)) {
				set(session, r, i);
			}
		}
		snw_gui_list_end();
	}
}

static void draw_value(snw_session *session, const row *r) {
	if (r->parameter->kind == SNW_PARAMETER_CHOICE) {
		draw_choice(session, r);
	} else if (r->parameter->kind == SNW_PARAMETER_SWITCH) {
		char text[220];
		snprintf(text, sizeof text, "%s%s%s", r->value != 0 ? "on" : "off", "###switch@", r->name ? r->name : "");
		if (snw_gui_switch(text, NULL, r->value != 0)) {
			set(session, r, r->value == 0);
		}
	} else {
		draw_number(session, r);
	}
}

/* ---- for one group or joint alone --------------------------------------------------------------------------------- */

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

static void add_choice(snw_session *session, const snw_layer *layer, const row *all, const char *name, const char *help) {
	if (!has_override(layer, all->parameter, name) && snw_gui_row(name, help, false)) {
		const row line = {all->parameter, name, all->value};
		set(session, &line, all->value);
	}
}

/* Who may have a value of its own: groups, then joints. A name that both have is the group's. */
static void offer_own(snw_session *session, const snw_layer *layer, const row *all) {
	const snw_scene *scene = session->document->scene;
	const uint32_t scopes = all->parameter->scopes;
	char name[120];
	snprintf(name, sizeof name, "+##own-%.100s", all->parameter->key);
	const bool open = snw_gui_popup_begin(name);
	if (!open) {
		snw_gui_hint("A value of its own for one group or joint.");
		return;
	}
	for (uint32_t g = 0; scopes & SNW_SCOPE_GROUP && g < scene->group_count; g++) {
		add_choice(session, layer, all, scene->groups[g].name, "group");
	}
	for (uint32_t j = 0; scopes & SNW_SCOPE_JOINT && j < scene->skeleton.joint_count; j++) {
		uint32_t index;
		if (snw_override_scope(scene, scopes, scene->skeleton.names[j], &index) == SNW_SCOPE_JOINT) {
			add_choice(session, layer, all, scene->skeleton.names[j], "joint");
		}
	}
	snw_gui_popup_end();
}

static void list_own(snw_session *session, const snw_descriptor *descriptor, const snw_layer *layer,
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
		snw_gui_hint("Takes its own value away: it gets the one for all again.");
		snw_gui_same_line(0);
		snprintf(text, sizeof text, "%s%.200s%s",
				 scope == SNW_SCOPE_GROUP   ? "group "
				 : scope == SNW_SCOPE_JOINT ? "joint "
											: "",
				 name, scope ? "" : ": no longer there, so it does nothing");
		snw_gui_quiet_text(text);
		if (scope) {
			const row line = {parameter, name, setting->value};
			draw_value(session, &line);
			explain(descriptor, parameter);
		}
		snw_gui_indent(-snw_gui_line_height());
		snw_gui_pop();
	}
}

/* ---- the table ---------------------------------------------------------------------------------------------------- */

static void draw_reset(snw_session *session, const row *r) {
	snw_gui_same_line(0);
	if (snw_gui_small_button("reset")) {
		set(session, r, r->parameter->initial.numbers[0]);
	}
	snw_gui_hint("Back to what it was at first.");
}

static void draw_row(snw_session *session, const snw_descriptor *descriptor, const snw_layer *layer,
					 const snw_parameter *parameter) {
	const row r = {parameter, NULL, value_of(layer, parameter)};
	const bool is_changed = r.value != parameter->initial.numbers[0], is_switch = parameter->kind == SNW_PARAMETER_SWITCH;
	if (is_switch) {
		if (snw_gui_switch(parameter->label, NULL, r.value != 0)) {
			set(session, &r, r.value == 0);
		}
	} else if (is_changed) {
		snw_gui_text(parameter->label);
	} else {
		snw_gui_quiet_text(parameter->label);
	}
	explain(descriptor, parameter);
	if (is_changed) {
		draw_reset(session, &r);
	}
	if (parameter->scopes) {
		snw_gui_same_line(0);
		offer_own(session, layer, &r);
	}
	if (!is_switch) {
		draw_value(session, &r);
		explain(descriptor, parameter);
	}
	list_own(session, descriptor, layer, parameter);
}

/* ---- fields ------------------------------------------------------------------------------------------------------- */

/* What the method reads is painted, what it writes is shown. */
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
		snprintf(text, sizeof text, "%s##%.80s", info->written ? "show" : "paint", info->name);
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
		snw_gui_quiet_text("Its plug-in is missing; the layer is kept and left out.");
		return;
	}
	const snw_descriptor *descriptor = deformer->descriptor;
	for (uint32_t i = 0; i < descriptor->parameter_count; i++) {
		snw_gui_push((int)i);
		draw_row(session, descriptor, layer, descriptor->parameters[i]);
		snw_gui_pop();
	}
	if (descriptor->parameter_count == 0) {
		snw_gui_quiet_text("It has no parameters.");
	}
	list_fields(session, descriptor, layer);
}
