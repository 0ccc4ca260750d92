/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A layer's parameters, drawn from its descriptor's table: nothing here knows what any of them means.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "window/panels.h"

static double value_of(const snw_layer *layer, const snw_parameter *parameter) {
	for (uint32_t i = 0; i < layer->setting_count; i++) {
		if (strcmp(layer->settings[i].key, parameter->key) == 0) {
			return layer->settings[i].value;
		}
	}
	return parameter->initial;
}

static void set(snw_session *session, const snw_parameter *parameter, double value) {
	char words[200];
	if (parameter->kind == SNW_PARAMETER_CHOICE) {
		snprintf(words, sizeof words, "%s=%s", parameter->key, parameter->choices[(uint32_t)value]);
	} else if (parameter->kind == SNW_PARAMETER_SWITCH) {
		snprintf(words, sizeof words, "%s=%d", parameter->key, value != 0);
	} else {
		snprintf(words, sizeof words, "%s=%.9g", parameter->key, value);
	}
	snw_emit_text(&session->queue, SNW_DO_SET, words);
}

static void explain(const snw_parameter *parameter) {
	static const char *const stages[] = {"Takes effect when it is fitted.", "Takes effect at once.", "Takes effect at once."};
	char words[500], range[120] = "";
	if (parameter->kind == SNW_PARAMETER_NUMBER || parameter->kind == SNW_PARAMETER_INTEGER) {
		snprintf(range, sizeof range, " From %g to %g%s%s; %g at first.", parameter->minimum, parameter->maximum,
				 parameter->unit[0] ? " " : "", parameter->unit, parameter->initial);
	}
	snprintf(words, sizeof words, "%s%s %s", parameter->help, range, stages[parameter->stage % 3]);
	snw_gui_hint(words);
}

/* A slider over the soft range; anything in the hard range can be typed. A range of many sizes is logarithmic. */
static void draw_number(snw_session *session, const snw_parameter *parameter, double value) {
	static uint32_t held; /* the parameter that is being dragged, by its place in memory */
	static double dragged;
	char name[120], format[32];
	const bool whole = parameter->kind == SNW_PARAMETER_INTEGER;
	const char *word = whole && parameter->choices && value == parameter->minimum ? parameter->choices[0] : NULL;
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
	const uint32_t key = (uint32_t)(uintptr_t)parameter;
	double shown = held == key ? dragged : value;
	snprintf(name, sizeof name, "##%s", parameter->key);
	snw_gui_width(-1);
	const snw_edit_state change = snw_gui_number(name, &kind, &shown);
	if (change == SNW_EDIT_DONE) {
		held = 0;
		set(session, parameter, shown);
	} else if (change == SNW_EDIT_LIVE) {
		held = key;
		dragged = shown;
	}
}

static void draw_choice(snw_session *session, const snw_parameter *parameter, double value) {
	char name[120];
	snprintf(name, sizeof name, "##%s", parameter->key);
	if (snw_gui_list_begin(name, parameter->choices[(uint32_t)value])) {
		for (uint32_t i = 0; parameter->choices[i]; i++) {
			if (snw_gui_row(parameter->choices[i], NULL, (uint32_t)value == i)) {
				set(session, parameter, i);
			}
		}
		snw_gui_list_end();
	}
}

static void draw_row(snw_session *session, const snw_layer *layer, const snw_parameter *parameter) {
	const double value = value_of(layer, parameter);
	if (parameter->kind == SNW_PARAMETER_SWITCH) {
		if (snw_gui_switch(parameter->label, NULL, value != 0)) {
			set(session, parameter, value == 0);
		}
		explain(parameter);
		return;
	}
	if (value != parameter->initial) {
		snw_gui_words(parameter->label);
		snw_gui_beside(0);
		if (snw_gui_small_button("reset")) {
			set(session, parameter, parameter->initial);
		}
		snw_gui_hint("Back to what it was at first.");
	} else {
		snw_gui_quiet_words(parameter->label);
	}
	if (parameter->kind == SNW_PARAMETER_CHOICE) {
		draw_choice(session, parameter, value);
	} else {
		draw_number(session, parameter, value);
	}
	explain(parameter);
}

void snw_panel_parameters(snw_session *session, const snw_layer *layer) {
	const snw_deformer *deformer = snw_registry_find(session->registry, layer->deformer);
	char title[200];
	snprintf(title, sizeof title, "%s###PARAMETERS", deformer ? deformer->descriptor->name : layer->name);
	if (!snw_gui_section(title)) {
		return;
	}
	if (!deformer) {
		snw_gui_quiet_words("Its plug-in is missing; the layer is kept and left out.");
		return;
	}
	const snw_descriptor *descriptor = deformer->descriptor;
	for (uint32_t i = 0; i < descriptor->parameter_count; i++) {
		snw_gui_push((int)i);
		draw_row(session, layer, &descriptor->parameters[i]);
		snw_gui_pop();
	}
	if (descriptor->parameter_count == 0) {
		snw_gui_quiet_words("It has no parameters.");
	}
}
