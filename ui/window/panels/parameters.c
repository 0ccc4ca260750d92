/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/color.h"
#include "parameter/parameters.h"
#include "window/document/document.h"
#include "window/panels/panels.h"
#include "window/units/units.h"

/* ---- parameter value ----------------------------------------------------------------------------------------------------- */

/* The widgets for one value of a parameter, by its kind. Each queues the command that sets it. */

/* A value that is edited: the one for all, or the one for a single group or joint. */
typedef struct snw_parameter_row {
	const snw_descriptor *descriptor;
	const snw_parameter *parameter;
	const char *name; /* the group or joint; NULL: the value for all */
	snw_value value;
} snw_parameter_row;

enum { MOST_KEY = 200, MOST_NAME = 240 };

/* The value that is being dragged, shown until the button is released. */
static struct {
	char key[MOST_KEY];
	snw_value value;
} dragged_value;

/* The text that is being typed. */
static struct {
	char key[MOST_KEY];
	char text[SNW_LONGEST_TEXT + 1];
} typed_value;

static void write_value_key(const snw_parameter_row *row, char key[MOST_KEY]) {
	snprintf(key, MOST_KEY, "%s%s%s", row->parameter->key, row->name ? "@" : "", row->name ? row->name : "");
}

/* ---- commands ------------------------------------------------------------------------------------------------------------ */

static void emit(snw_session *session, snw_command_id id, const snw_parameter_row *row, const snw_value *value) {
	const snw_parameter *parameter = row->parameter;
	const double *numbers = value->numbers;
	char key[MOST_KEY], text[SNW_LONGEST_TEXT + 1], words[SNW_COMMAND_WORDS];
	const char *word = snw_parameter_word(parameter, value);
	if (snw_parameter_has_text(parameter)) {
		snprintf(text, sizeof text, "%s", value->text);
	} else if (word) {
		snprintf(text, sizeof text, "%s", word);
	} else if (parameter->kind == SNW_PARAMETER_SWITCH) {
		snprintf(text, sizeof text, "%d", numbers[0] != 0);
	} else if (parameter->kind == SNW_PARAMETER_VECTOR) {
		snprintf(text, sizeof text, "%.9g,%.9g,%.9g", numbers[0], numbers[1], numbers[2]);
	} else if (parameter->kind == SNW_PARAMETER_COLOR) {
		unsigned bytes[3];
		for (int c = 0; c < 3; c++) {
			bytes[c] = (unsigned)lround(255 * snw_srgb_from_linear(numbers[c]));
		}
		snprintf(text, sizeof text, "#%02x%02x%02x", bytes[0], bytes[1], bytes[2]);
	} else {
		snprintf(text, sizeof text, "%.9g", numbers[0]);
	}
	write_value_key(row, key);
	snprintf(words, sizeof words, "%s=%s", key, text);
	snw_emit_text(&session->queue, id, words);
}

static void parameter_set(snw_session *session, const snw_parameter_row *row, const snw_value *value) {
	emit(session, SNW_DO_SET, row, value);
}

/* A parameter that needs no fit takes effect during the drag, as often as the job thread can keep up. */
static void follow_drag(snw_session *session, const snw_parameter_row *row, snw_edit_state change, const snw_value *shown) {
	const bool is_live = row->parameter->stage != SNW_STAGE_FIT && !row->name;
	if (change == SNW_EDIT_CANCELLED) {
		dragged_value.key[0] = '\0';
		if (is_live) {
			emit(session, SNW_DO_TRY_SET, row, &row->value);
		}
	} else if (change == SNW_EDIT_DONE) {
		dragged_value.key[0] = '\0';
		parameter_set(session, row, shown);
	} else if (change == SNW_EDIT_LIVE) {
		write_value_key(row, dragged_value.key);
		dragged_value.value = *shown;
		if (is_live && !snw_session_is_busy(session)) {
			emit(session, SNW_DO_TRY_SET, row, shown);
		}
	}
}

/* Help for the previous widget. */
static void parameter_explain(const snw_parameter_row *row) {
	const snw_parameter *parameter = row->parameter;
	const bool at_once = parameter->stage != SNW_STAGE_FIT || row->descriptor->traits & (SNW_REFITS | SNW_BINDS);
	const bool is_vector = parameter->kind == SNW_PARAMETER_VECTOR;
	char words[700], range[240] = "";
	if (is_vector || parameter->kind == SNW_PARAMETER_NUMBER || parameter->kind == SNW_PARAMETER_INTEGER) {
		const snw_value *initial = &parameter->initial;
		const double scale = snw_parameter_unit_scale(parameter->unit),
					 least = parameter->minimum + snw_parameter_word_count(parameter);
		const double numbers[] = {initial->numbers[0] * scale, initial->numbers[1] * scale, initial->numbers[2] * scale};
		const char *word = snw_parameter_word(parameter, initial);
		char first[80], unit[24];
		snw_parameter_unit_words(parameter->unit, unit, sizeof unit);
		snprintf(first, sizeof first, is_vector ? "%g, %g, %g" : "%g", numbers[0], numbers[1], numbers[2]);
		snprintf(range, sizeof range, " %s %g to %g%s; default %s. Ctrl+click to type.", is_vector ? "Each from" : "From",
				 least * scale, parameter->maximum * scale, unit, word ? word : first);
	}
	snprintf(words, sizeof words, "%s%s %s", parameter->help, range,
			 at_once ? "Takes effect immediately." : "Takes effect at the next fit.");
	snw_gui_hint(words);
}

/* ---- numbers ------------------------------------------------------------------------------------------------------------- */

/* A slider over the soft range; any value of the hard range can be typed. A range over several orders of magnitude is
 * logarithmic. */
static void draw_number(snw_session *session, const snw_parameter_row *row, int component, const char *suffix, float width) {
	const snw_parameter *parameter = row->parameter;
	char key[MOST_KEY], name[MOST_NAME], format[64];
	const bool whole = parameter->kind == SNW_PARAMETER_INTEGER;
	write_value_key(row, key);
	snw_value shown = strcmp(dragged_value.key, key) == 0 ? dragged_value.value : row->value;
	const char *word = whole ? snw_parameter_word(parameter, &shown) : NULL;
	const bool wide = parameter->soft_minimum > 0 && parameter->soft_maximum / parameter->soft_minimum >= 100;
	const double scale = snw_parameter_unit_scale(parameter->unit);
	char unit[24], title[32];
	snw_parameter_unit_words(parameter->unit, unit, sizeof unit);
	snw_parameter_unit_format(word    ? ""
							  : whole ? "%.0f"
									  : "%.4g",
							  word ? snw_sentence_case(word, title, sizeof title) : unit, format, sizeof format);
	const snw_number kind = {.least = parameter->minimum * scale,
							 .most = parameter->maximum * scale,
							 .soft_least = parameter->soft_minimum * scale,
							 .soft_most = parameter->soft_maximum * scale,
							 .is_log = wide,
							 .is_whole = whole,
							 .step = (parameter->maximum - parameter->minimum) * scale / 500,
							 .format = format};
	snprintf(name, sizeof name, "##%s%s", key, suffix);
	snw_gui_width(width);
	double number = shown.numbers[component] * scale;
	const snw_edit_state change = snw_gui_number(name, &kind, &number);
	if (change == SNW_EDIT_LIVE || change == SNW_EDIT_DONE) {
		shown.numbers[component] = number / scale;
	}
	follow_drag(session, row, change, &shown);
}

static void draw_vector(snw_session *session, const snw_parameter_row *row) {
	static const char *const suffixes[] = {".x", ".y", ".z"};
	const float gap = snw_gui_line_height() / 2, width = (snw_gui_available_width() - 2 * gap) / 3;
	for (int c = 0; c < 3; c++) {
		draw_number(session, row, c, suffixes[c], c < 2 ? width : -1);
		if (c < 2) {
			parameter_explain(row);
			snw_gui_same_line(0);
		}
	}
}

/* In sRGB, as colours are usually given. */
static void draw_color(snw_session *session, const snw_parameter_row *row) {
	char key[MOST_KEY], name[MOST_NAME];
	float color[3];
	write_value_key(row, key);
	snprintf(name, sizeof name, "##%s", key);
	snw_value shown = strcmp(dragged_value.key, key) == 0 ? dragged_value.value : row->value;
	for (int c = 0; c < 3; c++) {
		color[c] = (float)snw_srgb_from_linear(shown.numbers[c]);
	}
	snw_gui_width(-1);
	const snw_edit_state change = snw_gui_color(name, color);
	for (int c = 0; c < 3 && (change == SNW_EDIT_LIVE || change == SNW_EDIT_DONE); c++) {
		shown.numbers[c] = snw_linear_from_srgb((double)fminf(fmaxf(color[c], 0), 1));
	}
	follow_drag(session, row, change, &shown);
}

static void draw_switch(snw_session *session, const snw_parameter_row *row) {
	const bool is_on = row->value.numbers[0] != 0;
	char text[MOST_NAME];
	snprintf(text, sizeof text, "%s%s%s", is_on ? "On" : "Off", "###switch@", row->name ? row->name : "");
	if (snw_gui_switch(text, NULL, is_on)) {
		const snw_value value = SNW_VALUE(!is_on);
		parameter_set(session, row, &value);
	}
}

/* ---- lists --------------------------------------------------------------------------------------------------------------- */

static bool begin_list(const snw_parameter_row *row, const char *current) {
	char key[MOST_KEY], name[MOST_NAME];
	write_value_key(row, key);
	snprintf(name, sizeof name, "##%s", key);
	snw_gui_width(-1);
	return snw_gui_list_begin(name, current);
}

/* The value may be one that another version of the plug-in had. */
static void draw_choice(snw_session *session, const snw_parameter_row *row) {
	const char *const *choices = row->parameter->choices;
	const char *chosen = snw_parameter_word(row->parameter, &row->value);
	char unknown[60], title[80];
	snprintf(unknown, sizeof unknown, "%g (not a choice)", row->value.numbers[0]);
	if (!begin_list(row, chosen ? snw_sentence_case(chosen, title, sizeof title) : unknown)) {
		return;
	}
	for (uint32_t i = 0; choices[i]; i++) {
		if (snw_gui_row(snw_sentence_case(choices[i], title, sizeof title), NULL, chosen == choices[i])) {
			const snw_value value = SNW_VALUE(i);
			parameter_set(session, row, &value);
		}
	}
	snw_gui_list_end();
}

/* A list of joints or fields; the first row is none. The value may be one that no longer exists. */
static void draw_names(snw_session *session, const snw_parameter_row *row, const char *const *names, uint32_t count) {
	const char *text = row->value.text ? row->value.text : "";
	bool is_there = !*text;
	for (uint32_t i = 0; i < count; i++) {
		is_there = is_there || strcmp(names[i], text) == 0;
	}
	char current[300];
	snprintf(current, sizeof current, "%.250s%s", *text ? text : "None", is_there ? "" : " (missing)");
	if (!begin_list(row, current)) {
		return;
	}
	const snw_value none = SNW_TEXT("");
	if (snw_gui_row("None", NULL, !*text)) {
		parameter_set(session, row, &none);
	}
	for (uint32_t i = 0; i < count; i++) {
		snw_gui_push((int)i);
		if (snw_gui_row(names[i], NULL, strcmp(names[i], text) == 0)) {
			const snw_value value = SNW_TEXT(names[i]);
			parameter_set(session, row, &value);
		}
		snw_gui_pop();
	}
	snw_gui_list_end();
}

/* ---- text ---------------------------------------------------------------------------------------------------------------- */

static void draw_line(snw_session *session, const snw_parameter_row *row, const char *hint, float width) {
	char key[MOST_KEY], name[MOST_NAME], text[SNW_LONGEST_TEXT + 1];
	write_value_key(row, key);
	snprintf(name, sizeof name, "##%s", key);
	snprintf(text, sizeof text, "%s",
			 strcmp(typed_value.key, key) == 0 ? typed_value.text
			 : row->value.text                 ? row->value.text
											   : "");
	snw_gui_width(width);
	const snw_edit_state change = snw_gui_line(name, hint, text, sizeof text);
	if (change == SNW_EDIT_LIVE) {
		snprintf(typed_value.key, sizeof typed_value.key, "%s", key);
		snprintf(typed_value.text, sizeof typed_value.text, "%s", text);
	} else if (change == SNW_EDIT_DONE) {
		typed_value.key[0] = '\0';
		const snw_value value = SNW_TEXT(text);
		parameter_set(session, row, &value);
	}
}

static void draw_file(snw_session *session, const snw_parameter_row *row) {
	char key[MOST_KEY], name[MOST_NAME];
	write_value_key(row, key);
	draw_line(session, row, "No file", -3 * snw_gui_line_height());
	parameter_explain(row);
	snw_gui_same_line(0);
	snprintf(name, sizeof name, "…##choose-%s", key);
	if (snw_gui_small_button(name)) {
		snw_emit_text(&session->queue, SNW_DO_CHOOSE_FILE, key);
	}
	snw_gui_hint("Opens a file dialog.");
}

static void parameter_draw(snw_session *session, const snw_parameter_row *row) {
	const snw_document *document = session->document;
	switch (row->parameter->kind) {
	case SNW_PARAMETER_SWITCH:
		draw_switch(session, row);
		break;
	case SNW_PARAMETER_CHOICE:
		draw_choice(session, row);
		break;
	case SNW_PARAMETER_VECTOR:
		draw_vector(session, row);
		break;
	case SNW_PARAMETER_COLOR:
		draw_color(session, row);
		break;
	case SNW_PARAMETER_JOINT:
		draw_names(session, row, document->scene->skeleton.names, document->scene->skeleton.joint_count);
		break;
	case SNW_PARAMETER_FIELD:
		draw_names(session, row, document->fields, document->field_count);
		break;
	case SNW_PARAMETER_TEXT:
		draw_line(session, row, "None", -1);
		break;
	case SNW_PARAMETER_FILE:
		draw_file(session, row);
		return; /* each of its widgets has its own help */
	default:
		draw_number(session, row, 0, "", -1);
	}
	parameter_explain(row);
}

/* ---- parameters ---------------------------------------------------------------------------------------------------------- */

/* A layer's parameters and fields, drawn from the tables of its descriptor. No parameter has code of its own here. */

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
		parameter_set(session, &row, &all->value);
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
			parameter_draw(session, &row);
		}
		snw_gui_indent(-snw_gui_line_height());
		snw_gui_pop();
	}
}

/* ---- the table ----------------------------------------------------------------------------------------------------------- */

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
			parameter_set(session, &row, &value);
		}
	} else if (is_changed) {
		snw_gui_text(parameter->label);
	} else {
		snw_gui_quiet_text(parameter->label);
	}
	parameter_explain(&row);
	if (is_changed) {
		draw_reset(session, &row);
	}
	if (parameter->scopes) {
		snw_gui_same_line(0);
		offer_overrides(session, layer, &row);
	}
	if (!is_switch) {
		parameter_draw(session, &row);
	}
	list_overrides(session, descriptor, layer, parameter);
}

/* ---- fields -------------------------------------------------------------------------------------------------------------- */

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
