/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew bench: how fast skin programs run here, beside what memcpy moves.
 */
#include <string.h>

#include "cli/verb.h"
#include "measure/bench.h"

static void say_row(const snw_call *call, const snw_bench_row *row) {
	if (strcmp(row->evaluator, "memcpy") == 0) {
		snw_say(call, "%-7s %-33s %28s %8.2f GB/s", row->evaluator, "", "", 1e-9 * row->bytes_a_second);
	} else {
		const char *kernels = row->kernels[0] ? row->kernels : "double";
		const char *bytes =
			row->bytes_a_second > 0 ? snw_arena_format(call->arena, "%8.2f GB/s", 1e-9 * row->bytes_a_second) : "";
		snw_say(call, "%-7s %-15s %-8s %u influences %2u threads %9.2f million points/s %s", row->evaluator, row->blend,
				kernels, row->influences, row->threads, 1e-6 * row->points_a_second, bytes);
	}
}

static void answer_row(cJSON *list, const snw_bench_row *row) {
	cJSON *answer = snw_answer_row(list);
	snw_answer_text(answer, "evaluator", row->evaluator);
	snw_answer_text(answer, "blend", row->blend);
	snw_answer_text(answer, "kernels", row->kernels);
	snw_answer_number(answer, "influences", row->influences);
	snw_answer_number(answer, "threads", row->threads);
	snw_answer_number(answer, "seconds", row->seconds);
	snw_answer_number(answer, "points_a_second", row->points_a_second);
	snw_answer_number(answer, "bytes_a_second", row->bytes_a_second);
}

static snw_status run(snw_call *call, snw_error *error) {
	if (call->word_count > 0 && strcmp(call->words[0], "skin") != 0) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "there is no bench '%s'; there is: skin", call->words[0]);
	}
	double points = 0, seconds = 0;
	snw_status status = snw_call_number(call, "--points", 1, 2e7, 100000, &points, error);
	if (status == SNW_OK) {
		status = snw_call_number(call, "--seconds", 0.001, 60, 0.2, &seconds, error);
	}
	const snw_bench_options options = {.point_count = (uint32_t)points, .seconds = seconds};
	snw_bench_row *rows = NULL;
	uint32_t count = 0;
	if (status == SNW_OK) {
		status = snw_bench_skin(&options, &call->task, call->arena, &rows, &count, error);
	}
	if (status != SNW_OK) {
		return status;
	}
	cJSON *list = snw_answer_list(call->answer, "rows");
	snw_answer_number(call->answer, "points", points);
	for (uint32_t i = 0; i < count; i++) {
		say_row(call, &rows[i]);
		answer_row(list, &rows[i]);
	}
	return SNW_OK;
}

static const snw_option options[] = {
	{"--points", "N", "how many points the made-up mesh has (100000)"},
	{"--seconds", "S", "how long each row is timed (0.2)"},
	{NULL, NULL, NULL},
};

const snw_verb snw_verb_bench = {
	.name = "bench",
	.usage = "[skin]",
	.help = "Times skin programs on this machine: the truth, the float evaluator on one thread and on all, beside memcpy.",
	.actions = "skin",
	.least_words = 0,
	.most_words = 1,
	.options = options,
	.run = run,
};
