/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shared: operators run by a line of a script, and what they report.
 */
#ifndef SINEW_TESTS_OPERATE_H
#define SINEW_TESTS_OPERATE_H

#include "check.h"

#include "operators/operator.h"

/* What is made is in the context's arena. */
static inline snw_status operate(const char *line, const snw_operator_context *context, snw_operator_report *report,
								 snw_error *error) {
	snw_operator_call call;
	check_ok(snw_operator_parse_line(line, context->arena, &call, error), *error);
	return snw_operator_run(&call, context, report, error);
}

/* The first fact of a kind and, of things, a noun. */
static inline const snw_fact *reported(const snw_operator_report *report, snw_fact_kind kind, snw_noun noun) {
	for (uint32_t i = 0; i < report->fact_count; i++) {
		if (report->facts[i].kind == kind && report->facts[i].noun == noun) {
			return &report->facts[i];
		}
	}
	return NULL;
}

static inline double reported_number(const snw_operator_report *report, const char *key) {
	for (uint32_t i = 0; i < report->fact_count; i++) {
		if (report->facts[i].kind == SNW_FACT_NUMBER && strcmp(report->facts[i].name, key) == 0) {
			return report->facts[i].number;
		}
	}
	fail_msg("no number was reported as %s", key);
	return 0;
}

#endif
