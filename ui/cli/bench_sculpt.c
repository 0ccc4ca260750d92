/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew bench sculpt: how long the dabs of each brush take, and from the end of a stroke to the corrective at work.
 */
#include <stdlib.h>

#include "cli/bench.h"
#include "measure/bench_keep.h"
#include "measure/bench_sculpt.h"

static void say_row(const snw_call *call, const snw_bench_sculpt_row *row) {
	const char *reach = row->reached == 0 ? "" : row->symmetric ? "both sides" : row->volume ? "volume" : "surface";
	snw_say(call,
			"%-15s %-10s %6u of %7u points %2u threads   median %7.3f   95 %% %7.3f   99 %% %7.3f   longest %7.3f ms   "
			"running 99 %% %7.3f ms, %u preempted, %u page faults",
			row->brush, reach, row->reached, row->points, row->threads, 1e3 * row->median_seconds, 1e3 * row->p95_seconds,
			1e3 * row->p99_seconds, 1e3 * row->longest_seconds, 1e3 * row->p99_busy_seconds, row->preemptions,
			row->page_faults);
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
	snw_answer_number(answer, "p99_busy_seconds", row->p99_busy_seconds);
	snw_answer_number(answer, "preemptions", row->preemptions);
	snw_answer_number(answer, "page_faults", row->page_faults);
}

/* Where inverse PSD is not on the search path, the brushes are timed alone. */
static snw_status bench_keep(const snw_call *call, uint32_t points, snw_error *error) {
	static const char method[] = "inverse-psd";
	snw_registry *registry = snw_registry_open();
	if (!snw_registry_find(registry, method)) {
		snw_task_notice(&call->task, SNW_LOG_WARNING, "the plug-in %s is not there, so no stroke is fitted", method);
		snw_registry_close(registry);
		return SNW_OK;
	}
	const char *folder = getenv("TMPDIR");
	snw_bench_keep_row rows[SNW_BENCH_KEEP_ROWS] = {{0}};
	const snw_status status =
		snw_bench_keep(registry, method, points, folder ? folder : "/tmp", &call->task, call->arena, rows, error);
	cJSON *list = status == SNW_OK ? snw_answer_list(call->answer, "strokes") : NULL;
	for (int i = 0; status == SNW_OK && i < SNW_BENCH_KEEP_ROWS; i++) {
		const snw_bench_keep_row *row = &rows[i];
		snw_say(
			call,
			"from a stroke's end: %-5s %6u of %7u points edited   fitted %7.2f ms   in the project %7.2f ms   shown %7.2f ms",
			row->character, row->edited, row->points, 1e3 * row->fit_seconds, 1e3 * row->keep_seconds,
			1e3 * (row->keep_seconds + row->show_seconds));
		cJSON *answer = snw_answer_row(list);
		snw_answer_text(answer, "character", row->character);
		snw_answer_number(answer, "points", row->points);
		snw_answer_number(answer, "edited", row->edited);
		snw_answer_number(answer, "strokes", row->strokes);
		snw_answer_number(answer, "fit_seconds", row->fit_seconds);
		snw_answer_number(answer, "keep_seconds", row->keep_seconds);
		snw_answer_number(answer, "show_seconds", row->show_seconds);
	}
	snw_registry_close(registry);
	return status;
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
	double slowest = 0, busiest = 0;
	for (uint32_t i = 0; i < count; i++) {
		say_row(call, &rows[i]);
		answer_row(list, &rows[i]);
		slowest = i > 0 && rows[i].p99_seconds > slowest ? rows[i].p99_seconds : slowest;
		busiest = i > 0 && rows[i].p99_busy_seconds > busiest ? rows[i].p99_busy_seconds : busiest;
	}
	snw_say(call, "the slowest: 99 of 100 dabs in %.3f ms; without what other programs took, all threads together, in %.3f ms",
			1e3 * slowest, 1e3 * busiest);
	snw_answer_number(call->answer, "slowest_p99_seconds", slowest);
	snw_answer_number(call->answer, "slowest_p99_busy_seconds", busiest);
	return bench_keep(call, (uint32_t)points, error);
}
