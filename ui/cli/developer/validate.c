/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew validate: whether a plug-in follows the rules of the ABI.
 */
#include "validate/validate.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cli/developer/plugin.h"

typedef struct check_report {
	const snw_call *call;
	cJSON *list;
} check_report;

static void report_check(void *context, const char *name, bool passed, const char *detail) {
	const check_report *r = context;
	snw_say(r->call, "%-6s %-40s %s", passed ? "passed" : "FAILED", name, detail ? detail : "");
	fflush(stdout); /* into a pipe too, while later checks still run */
	cJSON *row = snw_answer_row(r->list);
	snw_answer_text(row, "check", name);
	snw_answer_bool(row, "passed", passed);
	snw_answer_text(row, "words", detail);
}

snw_status snw_cli_validate(const snw_call *call, const char *path, const snw_validate_options *options, snw_error *error) {
	check_report r = {.call = call, .list = snw_answer_list(call->answer, "checks")};
	const snw_validate_listener listener = {.context = &r, .check = report_check};
	snw_say(call, "seed %llu", (unsigned long long)options->seed);
	snw_answer_number(call->answer, "seed", (double)options->seed);
	snw_validate_options stoppable = *options;
	stoppable.task = &call->task;
	return snw_validate(path, &stoppable, &listener, error);
}

static snw_status choose_level(const snw_call *call, snw_validate_level *level, snw_error *error) {
	const char *name = snw_call_option(call, "--level");
	*level = !name || strcmp(name, "normal") == 0 ? SNW_VALIDATE_NORMAL
			 : strcmp(name, "quick") == 0         ? SNW_VALIDATE_QUICK
												  : SNW_VALIDATE_THOROUGH;
	return *level != SNW_VALIDATE_THOROUGH || strcmp(name, "thorough") == 0
			   ? SNW_OK
			   : snw_fail(error, SNW_ERROR_ARGUMENT, "%s: no such level; choose quick, normal or thorough", name);
}

/* A round of random values is repeated by its seed, alone. */
static snw_status choose_round(const snw_call *call, snw_validate_options *options, snw_error *error) {
	double seed;
	if (!snw_call_option(call, "--reproduce")) {
		return SNW_OK;
	}
	const snw_status status = snw_call_number(call, "--reproduce", 0, 4294967295.0, 0, &seed, error);
	if (!snw_failed(status)) {
		options->seed = (uint64_t)seed;
		options->only = "random";
		options->random_seconds = 0; /* one round */
	}
	return status;
}

static snw_status run_validate(snw_call *call, snw_error *error) {
	double seed;
	snw_validate_options options = {.only = snw_call_option(call, "--check"),
									.in_process = snw_call_option(call, "--in-process") != NULL};
	snw_status status = snw_call_number(call, "--seed", 0, 4294967295.0, (double)(uint32_t)time(NULL), &seed, error);
	options.seed = (uint64_t)seed;
	status = snw_failed(status) ? status : snw_call_number(call, "--seconds", 0.1, 3600, 0, &options.limit_seconds, error);
	status = snw_failed(status) ? status : snw_call_number(call, "--random", 0.1, 86400, 0, &options.random_seconds, error);
	status = snw_failed(status) ? status : choose_level(call, &options.level, error);
	status = snw_failed(status) ? status : choose_round(call, &options, error);
	return snw_failed(status) ? status : snw_cli_validate(call, call->arguments[0], &options, error);
}

static const snw_option validate_options[] = {
	{"--level", "LEVEL", "how much is tried: quick, normal (the default), or thorough, which asks for a stop at every report"},
	{"--check", "NAME", "run this check alone, such as drive"},
	{"--random", "S", "also try random values of all parameters, for so many seconds"},
	{"--reproduce", "SEED", "repeat one round of --random"},
	{"--seed", "N", "repeat a run: the seed decides what is damaged, how ranges are split, which poses and values are tried"},
	{"--seconds", "N", "time limit of one check (default: 60)"},
	{"--in-process", NULL, "for debuggers: check in this process, without limits"},
	{NULL, NULL, NULL},
};

const snw_verb snw_verb_validate = {
	.name = "validate",
	.usage = "PLUGIN.so",
	.help = "Checks a plug-in against the rules of the ABI. Each check runs in its own process.",
	.actions = "",
	.least_arguments = 1,
	.most_arguments = 1,
	.runs_once = true,
	.options = validate_options,
	.run = run_validate,
};
