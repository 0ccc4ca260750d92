/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "window/panels/stack/parameter_value.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/color.h"
#include "window/document/titles.h"
#include "window/units/parameter_units.h"

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

/* ---- commands -------------------------------------------------------------------------------------------------------- */

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

void snw_parameter_set(snw_session *session, const snw_parameter_row *row, const snw_value *value) {
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
		snw_parameter_set(session, row, shown);
	} else if (change == SNW_EDIT_LIVE) {
		write_value_key(row, dragged_value.key);
		dragged_value.value = *shown;
		if (is_live && !snw_session_is_busy(session)) {
			emit(session, SNW_DO_TRY_SET, row, shown);
		}
	}
}

void snw_parameter_explain(const snw_parameter_row *row) {
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

/* ---- numbers --------------------------------------------------------------------------------------------------------- */

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
			snw_parameter_explain(row);
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
		snw_parameter_set(session, row, &value);
	}
}

/* ---- lists ----------------------------------------------------------------------------------------------------------- */

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
			snw_parameter_set(session, row, &value);
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
		snw_parameter_set(session, row, &none);
	}
	for (uint32_t i = 0; i < count; i++) {
		snw_gui_push((int)i);
		if (snw_gui_row(names[i], NULL, strcmp(names[i], text) == 0)) {
			const snw_value value = SNW_TEXT(names[i]);
			snw_parameter_set(session, row, &value);
		}
		snw_gui_pop();
	}
	snw_gui_list_end();
}

/* ---- text ------------------------------------------------------------------------------------------------------------ */

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
		snw_parameter_set(session, row, &value);
	}
}

static void draw_file(snw_session *session, const snw_parameter_row *row) {
	char key[MOST_KEY], name[MOST_NAME];
	write_value_key(row, key);
	draw_line(session, row, "No file", -3 * snw_gui_line_height());
	snw_parameter_explain(row);
	snw_gui_same_line(0);
	snprintf(name, sizeof name, "…##choose-%s", key);
	if (snw_gui_small_button(name)) {
		snw_emit_text(&session->queue, SNW_DO_CHOOSE_FILE, key);
	}
	snw_gui_hint("Opens a file dialog.");
}

void snw_parameter_draw(snw_session *session, const snw_parameter_row *row) {
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
	snw_parameter_explain(row);
}
