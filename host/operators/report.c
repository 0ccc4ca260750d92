/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "operators/report.h"

#include <stdarg.h>
#include <stdio.h>

static void add(snw_operator_report *report, snw_fact fact) {
	report->facts = snw_arena_grow(report->arena, report->facts, report->fact_count, &report->fact_room, sizeof fact);
	fact.name = snw_arena_text(report->arena, fact.name);
	fact.text = snw_arena_text(report->arena, fact.text);
	fact.list = report->list;
	fact.row = report->row;
	report->facts[report->fact_count++] = fact;
}

void snw_report_made(snw_operator_report *report, snw_noun noun, const char *name) {
	add(report, (snw_fact){.kind = SNW_FACT_MADE, .noun = noun, .name = name});
}

void snw_report_changed(snw_operator_report *report, snw_noun noun, const char *name) {
	add(report, (snw_fact){.kind = SNW_FACT_CHANGED, .noun = noun, .name = name});
}

void snw_report_removed(snw_operator_report *report, snw_noun noun, const char *name) {
	add(report, (snw_fact){.kind = SNW_FACT_REMOVED, .noun = noun, .name = name});
}

void snw_report_refused(snw_operator_report *report, snw_noun noun, const char *name, const char *why) {
	add(report, (snw_fact){.kind = SNW_FACT_REFUSED, .noun = noun, .name = name, .text = why});
}

void snw_report_number(snw_operator_report *report, const char *key, double number) {
	add(report, (snw_fact){.kind = SNW_FACT_NUMBER, .name = key, .number = number});
}

void snw_report_text(snw_operator_report *report, const char *key, const char *text) {
	add(report, (snw_fact){.kind = SNW_FACT_TEXT, .name = key, .text = text});
}

static const char *format_sentence(snw_arena *arena, const char *format, va_list arguments) {
	char sentence[1000];
	vsnprintf(sentence, sizeof sentence, format, arguments);
	return snw_arena_text(arena, sentence);
}

void snw_report_say(snw_operator_report *report, const char *format, ...) {
	va_list arguments;
	va_start(arguments, format);
	report->sentences = snw_arena_grow(report->arena, report->sentences, report->sentence_count, &report->sentence_room,
									   sizeof *report->sentences);
	report->sentences[report->sentence_count++] = format_sentence(report->arena, format, arguments);
	va_end(arguments);
}

void snw_report_row(snw_operator_report *report, const char *list, uint32_t row) {
	report->list = list;
	report->row = row;
}

void snw_report_detail(snw_operator_report *report, const char *format, ...) {
	va_list arguments;
	va_start(arguments, format);
	report->details =
		snw_arena_grow(report->arena, report->details, report->detail_count, &report->detail_room, sizeof *report->details);
	report->details[report->detail_count++] = format_sentence(report->arena, format, arguments);
	va_end(arguments);
}

void snw_report_warn(snw_operator_report *report, const char *format, ...) {
	va_list arguments;
	va_start(arguments, format);
	report->warnings =
		snw_arena_grow(report->arena, report->warnings, report->warning_count, &report->warning_room, sizeof *report->warnings);
	report->warnings[report->warning_count++] = format_sentence(report->arena, format, arguments);
	va_end(arguments);
}

const char *snw_fact_word(snw_fact_kind kind) {
	static const char *const words[] = {
		[SNW_FACT_MADE] = "made",       [SNW_FACT_CHANGED] = "changed", [SNW_FACT_REMOVED] = "removed",
		[SNW_FACT_REFUSED] = "refused", [SNW_FACT_NUMBER] = "",         [SNW_FACT_TEXT] = ""};
	return words[kind];
}

const char *snw_fact_sentence(const snw_fact *fact, snw_arena *arena) {
	return snw_arena_format(arena, "%s %s: %s%s%s", snw_noun_word(fact->noun), fact->name, snw_fact_word(fact->kind),
							fact->text ? ": " : "", fact->text ? fact->text : "");
}
