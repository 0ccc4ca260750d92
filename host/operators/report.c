/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "operators/report.h"

#include <stdarg.h>
#include <stdio.h>

static void add_fact(snw_operator_report *report, snw_fact fact) {
	report->facts = snw_arena_grow(report->arena, report->facts, report->fact_count, &report->fact_room, sizeof fact);
	fact.name = snw_arena_text(report->arena, fact.name);
	fact.text = snw_arena_text(report->arena, fact.text);
	fact.list = report->list;
	fact.row = report->row;
	report->facts[report->fact_count++] = fact;
}

void snw_report_made(snw_operator_report *report, snw_noun noun, const char *name) {
	uint32_t index;
	const bool is_new = snw_failed(snw_noun_find(report->scene, noun, name, &index, NULL));
	add_fact(report, (snw_fact){.kind = is_new ? SNW_FACT_MADE : SNW_FACT_CHANGED, .noun = noun, .name = name});
}

void snw_report_changed(snw_operator_report *report, snw_noun noun, const char *name) {
	add_fact(report, (snw_fact){.kind = SNW_FACT_CHANGED, .noun = noun, .name = name});
}

void snw_report_removed(snw_operator_report *report, snw_noun noun, const char *name) {
	add_fact(report, (snw_fact){.kind = SNW_FACT_REMOVED, .noun = noun, .name = name});
}

void snw_report_refused(snw_operator_report *report, snw_noun noun, const char *name, const char *why) {
	add_fact(report, (snw_fact){.kind = SNW_FACT_REFUSED, .noun = noun, .name = name, .text = why});
}

void snw_report_number(snw_operator_report *report, const char *key, double number) {
	add_fact(report, (snw_fact){.kind = SNW_FACT_NUMBER, .name = key, .number = number});
}

void snw_report_text(snw_operator_report *report, const char *key, const char *text) {
	add_fact(report, (snw_fact){.kind = SNW_FACT_TEXT, .name = key, .text = text});
}

static void add_line(snw_arena *arena, snw_report_lines *lines, const char *format, va_list arguments) {
	char line[1000];
	vsnprintf(line, sizeof line, format, arguments);
	lines->list = snw_arena_grow(arena, lines->list, lines->count, &lines->room, sizeof *lines->list);
	lines->list[lines->count++] = snw_arena_text(arena, line);
}

void snw_report_say(snw_operator_report *report, const char *format, ...) {
	va_list arguments;
	va_start(arguments, format);
	add_line(report->arena, &report->sentences, format, arguments);
	va_end(arguments);
}

void snw_report_row(snw_operator_report *report, const char *list, uint32_t row) {
	report->list = list;
	report->row = row;
}

void snw_report_detail(snw_operator_report *report, const char *format, ...) {
	va_list arguments;
	va_start(arguments, format);
	add_line(report->arena, &report->details, format, arguments);
	va_end(arguments);
}

void snw_report_warn(snw_operator_report *report, const char *format, ...) {
	va_list arguments;
	va_start(arguments, format);
	add_line(report->arena, &report->warnings, format, arguments);
	va_end(arguments);
}

/* What an operator without such facts says, it knew that it would change nothing. */
void snw_report_unchanged(snw_operator_report *report) {
	uint32_t kept = 0;
	for (uint32_t i = 0; i < report->fact_count; i++) {
		if (report->facts[i].kind >= SNW_FACT_REFUSED) {
			report->facts[kept++] = report->facts[i];
		}
	}
	if (kept < report->fact_count || report->sentences.count == 0) {
		report->sentences.count = report->details.count = 0;
		snw_report_say(report, "nothing to change");
	}
	report->fact_count = kept;
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
