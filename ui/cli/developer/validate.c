/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew validate: whether a plug-in follows the rules of the ABI.
 */
#include "validate/validate.h"

#include <time.h>

#include "cli/developer/plugin.h"

typedef struct report {
	const snw_call *call;
	cJSON *list;
} report;

static void report_check(void *context, const char *name, bool passed, const char *detail) {
	const report *r = context;
	snw_say(r->call, "%-6s %-40s %s", passed ? "passed" : "FAILED", name, detail ? detail : "");
	cJSON *row = snw_answer_row(r->list);
	snw_answer_text(row, "check", name);
	snw_answer_bool(row, "passed", passed);
	snw_answer_text(row, "words", detail);
}

snw_status snw_cli_validate(const snw_call *call, const char *path, const snw_validate_options *options, snw_error *error) {
	report r = {.call = call, .list = snw_answer_list(call->answer, "checks")};
	const snw_validate_listener listener = {.context = &r, .check = report_check};
	snw_say(call, "seed %llu", (unsigned long long)options->seed);
	snw_answer_number(call->answer, "seed", (double)options->seed);
	return snw_validate(path, options, &listener, error);
}

static snw_status run(snw_call *call, snw_error *error) {
	double seed, limit;
	snw_status status = snw_call_number(call, "--seed", 0, 4294967295.0, (double)(uint32_t)time(NULL), &seed, error);
	if (!snw_failed(status)) {
		status = snw_call_number(call, "--seconds", 0.1, 3600, 0, &limit, error);
	}
	if (snw_failed(status)) {
		return status;
	}
	const snw_validate_options options = {.seed = (uint64_t)seed, .limit_seconds = limit};
	return snw_cli_validate(call, call->arguments[0], &options, error);
}

static const snw_option options[] = {
	{"--seed", "N", "repeat a run: the seed decides what is damaged and how ranges are split"},
	{"--seconds", "N", "time limit of one check (default: 60)"},
	{NULL, NULL, NULL},
};

const snw_verb snw_verb_validate = {
	.name = "validate",
	.usage = "PLUGIN.so",
	.help = "Checks a plug-in against the rules of the ABI. Each check runs in its own process.",
	.actions = "",
	.least_arguments = 1,
	.most_arguments = 1,
	.options = options,
	.run = run,
};
