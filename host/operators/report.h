/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What an operator has done, as typed facts. The terminal and the window show its sentences, `--json` its facts, and the window
 * selects what was made.
 */
#ifndef SINEW_HOST_OPERATORS_REPORT_H
#define SINEW_HOST_OPERATORS_REPORT_H

#include "base/arena.h"
#include "scene/scene.h"

typedef enum snw_fact_kind {
	SNW_FACT_MADE,
	SNW_FACT_CHANGED,
	SNW_FACT_REMOVED,
	SNW_FACT_REFUSED, /* one of several that could not be done; its text says why */
	SNW_FACT_NUMBER,
	SNW_FACT_TEXT,
} snw_fact_kind;

typedef struct snw_fact {
	snw_fact_kind kind;
	snw_noun noun;    /* of what was made, changed, removed or refused */
	const char *name; /* its name; or the key of a number or text: "points" */
	const char *text; /* of a text; why something was refused */
	double number;
	const char *list; /* of a number or text of one thing among many: the list's name; NULL */
	uint32_t row;     /* which one, from 0 */
} snw_fact;

typedef struct snw_report_lines {
	uint32_t count, room;
	const char **list;
} snw_report_lines;

typedef struct snw_operator_report {
	snw_arena *arena;
	const snw_scene *scene; /* before the operator */
	uint32_t fact_count, fact_room;
	snw_fact *facts;
	snw_report_lines sentences; /* one fact each, without a full stop */
	snw_report_lines details;   /* one for each thing among many, for the terminal alone */
	snw_report_lines warnings;  /* what the user should see to, as sentences */
	uint32_t refitted_count, failed_count;
	const char *const *refitted; /* layers that were fitted again */
	const char *const *failed;   /* "LAYER: why": layers that could not be, and stay stale */
	const char *list;            /* that the next numbers and texts belong to, and which row of it */
	uint32_t row;
} snw_operator_report;

/* Names and texts are copied. What was made in place of something of its name has changed that. */
void snw_report_made(snw_operator_report *report, snw_noun noun, const char *name);
void snw_report_changed(snw_operator_report *report, snw_noun noun, const char *name);
void snw_report_removed(snw_operator_report *report, snw_noun noun, const char *name);
void snw_report_refused(snw_operator_report *report, snw_noun noun, const char *name, const char *why);
void snw_report_number(snw_operator_report *report, const char *key, double number);
void snw_report_text(snw_operator_report *report, const char *key, const char *text);
/* The numbers and texts that follow are of row `row` of a list; NULL ends that. */
void snw_report_row(snw_operator_report *report, const char *list, uint32_t row);
void snw_report_detail(snw_operator_report *report, const char *format, ...) __attribute__((format(printf, 2, 3)));
void snw_report_say(snw_operator_report *report, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* What was done, but has to be seen to. */
void snw_report_warn(snw_operator_report *report, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* What a fact says where the operator has no sentence of its own: "joint elbow: changed". */
const char *snw_fact_sentence(const snw_fact *fact, snw_arena *arena);
/* "made", "changed", "removed", "refused". */
const char *snw_fact_word(snw_fact_kind kind);

#endif
