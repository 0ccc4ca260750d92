/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew bench sculpt: how long the dabs of each brush take.
 */
#include "measure/bench_sculpt.h"
#include "cli/bench.h"

static void say_row(const snw_call *call, const snw_bench_sculpt_row *row) {
	const char *reach = row->reached == 0 ? "" : row->symmetric ? "both sides" : row->volume ? "volume" : "surface";
	snw_say(call, "%-15s %-10s %6u of %7u points %2u threads   median %7.3f   95 %% %7.3f   99 %% %7.3f   longest %7.3f ms",
			row->brush, reach, row->reached, row->points, row->threads, 1e3 * row->median_seconds, 1e3 * row->p95_seconds,
			1e3 * row->p99_seconds, 1e3 * row->longest_seconds);
}

static void answer_row(cJSON *list, const snw_bench_sculpt_row *row) {
	cJSON *answer = snw_answer_row(list);
	snw_answer_text(answer, "brush", row->brush);
	snw_answer_switch(answer, "volume", row->volume);
	snw_answer_switch(answer, "symmetric", row->symmetric);
	snw_answer_number(answer, "threads", row->threads);
	snw_answer_number(answer, "points", row->points);
	snw_answer_number(answer, "reached", row->reached);
	snw_answer_number(answer, "dabs", row->dabs);
	snw_answer_number(answer, "median_seconds", row->median_seconds);
	snw_answer_number(answer, "p95_seconds", row->p95_seconds);
	snw_answer_number(answer, "p99_seconds", row->p99_seconds);
	snw_answer_number(answer, "longest_seconds", row->longest_seconds);
}

snw_status snw_cli_bench_sculpt(snw_call *call, snw_error *error) {
	double points = 0, seconds = 0, covered = 0;
	snw_status status = snw_call_number(call, "--points", 1000, 5e6, 100000, &points, error);
	status = status ? status : snw_call_number(call, "--seconds", 0.001, 60, 0.2, &seconds, error);
	status = status ? status : snw_call_number(call, "--covered", 0.001, 0.5, 0.1, &covered, error);
	const snw_bench_sculpt_options options = {.point_count = (uint32_t)points, .covered = covered, .seconds = seconds};
	snw_bench_sculpt_row *rows = NULL;
	uint32_t count = 0;
	status = status ? status : snw_bench_sculpt(&options, &call->task, call->arena, &rows, &count, error);
	if (status != SNW_OK) {
		return status;
	}
	cJSON *list = snw_answer_list(call->answer, "rows");
	double slowest = 0;
	for (uint32_t i = 0; i < count; i++) {
		say_row(call, &rows[i]);
		answer_row(list, &rows[i]);
		slowest = i > 0 && rows[i].p99_seconds > slowest ? rows[i].p99_seconds : slowest;
	}
	snw_say(call, "the slowest: 99 of 100 dabs in %.3f ms", 1e3 * slowest);
	snw_answer_number(call->answer, "slowest_p99_seconds", slowest);
	return SNW_OK;
}
