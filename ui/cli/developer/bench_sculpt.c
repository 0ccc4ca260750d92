/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew bench sculpt: how long the dabs of each brush take, and the time from the end of a stroke to the fitted corrective.
 */
#include <stdlib.h>

#include "benchmark/commit_sculpt.h"
#include "benchmark/dabs.h"
#include "cli/developer/bench.h"

static void print_row(const snw_call *call, const snw_bench_sculpt_row *row) {
	const char *reach = row->reached == 0 ? "" : row->symmetric ? "both sides" : row->volume ? "volume" : "surface";
	snw_say(call,
			"%-15s %-10s %6u of %7u points %2u threads   best of %2u: median %7.3f   99 %% %7.3f   longest %7.3f ms   "
			"as they came: median %7.3f   95 %% %7.3f   99 %% %7.3f   longest %7.3f ms   "
			"running 99 %% %7.3f ms, %u preempted, %u page faults",
			row->brush, reach, row->reached, row->points, row->threads, row->repeats, 1e3 * row->best.median_seconds,
			1e3 * row->best.p99_seconds, 1e3 * row->best.longest_seconds, 1e3 * row->all.median_seconds,
			1e3 * row->all.p95_seconds, 1e3 * row->all.p99_seconds, 1e3 * row->all.longest_seconds, 1e3 * row->p99_busy_seconds,
			row->preemptions, row->page_faults);
}

static void answer_row(cJSON *list, const snw_bench_sculpt_row *row) {
	cJSON *answer = snw_answer_row(list);
	snw_answer_text(answer, "brush", row->brush);
	snw_answer_bool(answer, "volume", row->volume);
	snw_answer_bool(answer, "symmetric", row->symmetric);
	snw_answer_number(answer, "threads", row->threads);
	snw_answer_number(answer, "points", row->points);
	snw_answer_number(answer, "reached", row->reached);
	snw_answer_number(answer, "dabs", row->dabs);
	snw_answer_number(answer, "repeats", row->repeats);
	snw_answer_number(answer, "median_seconds", row->all.median_seconds);
	snw_answer_number(answer, "p95_seconds", row->all.p95_seconds);
	snw_answer_number(answer, "p99_seconds", row->all.p99_seconds);
	snw_answer_number(answer, "longest_seconds", row->all.longest_seconds);
	snw_answer_number(answer, "best_median_seconds", row->best.median_seconds);
	snw_answer_number(answer, "best_p95_seconds", row->best.p95_seconds);
	snw_answer_number(answer, "best_p99_seconds", row->best.p99_seconds);
	snw_answer_number(answer, "best_longest_seconds", row->best.longest_seconds);
	snw_answer_number(answer, "p99_busy_seconds", row->p99_busy_seconds);
	snw_answer_number(answer, "preemptions", row->preemptions);
	snw_answer_number(answer, "page_faults", row->page_faults);
}

/* The noise of the machine. */
static void print_reference(const snw_call *call, const snw_bench_reference *reference) {
	const snw_bench_times *times = &reference->times;
	snw_say(call,
			"%-15s %u pieces of plain arithmetic between the repeats, without Sinew's code: median %7.3f   95 %% %7.3f   99 %% "
			"%7.3f   longest %7.3f ms, so the machine makes 1 in 100 at least %.2f times as long, and one %.1f times",
			"reference", reference->pieces, 1e3 * times->median_seconds, 1e3 * times->p95_seconds, 1e3 * times->p99_seconds,
			1e3 * times->longest_seconds, times->p99_seconds / times->median_seconds,
			times->longest_seconds / times->median_seconds);
	cJSON *answer = cJSON_AddObjectToObject(call->answer, "reference");
	snw_answer_number(answer, "pieces", reference->pieces);
	snw_answer_number(answer, "median_seconds", times->median_seconds);
	snw_answer_number(answer, "p95_seconds", times->p95_seconds);
	snw_answer_number(answer, "p99_seconds", times->p99_seconds);
	snw_answer_number(answer, "longest_seconds", times->longest_seconds);
}

/* The first row is not a dab. */
static void print_slowest(const snw_call *call, const snw_bench_sculpt_table *table) {
	double all = 0, best = 0, busiest = 0;
	for (uint32_t i = 1; i < table->row_count; i++) {
		const snw_bench_sculpt_row *row = &table->rows[i];
		all = row->all.p99_seconds > all ? row->all.p99_seconds : all;
		best = row->best.p99_seconds > best ? row->best.p99_seconds : best;
		busiest = row->p99_busy_seconds > busiest ? row->p99_busy_seconds : busiest;
	}
	snw_say(call,
			"the slowest row: 99 %% of the dabs take at most %.3f ms as they came, %.3f ms by the best of their repeats, and "
			"%.3f ms of running time of all threads",
			1e3 * all, 1e3 * best, 1e3 * busiest);
	snw_answer_number(call->answer, "slowest_p99_seconds", all);
	snw_answer_number(call->answer, "slowest_best_p99_seconds", best);
	snw_answer_number(call->answer, "slowest_p99_busy_seconds", busiest);
}

/* If no corrective method is on the search path, only the brushes are timed. */
static snw_status bench_commit(const snw_call *call, uint32_t points, snw_error *error) {
	snw_registry *registry = snw_registry_open();
	const char *method = snw_registry_trait_name(registry, SNW_CORRECTS);
	if (!method) {
		snw_task_notice(&call->task, SNW_LOG_WARNING, "no corrective plug-in was found, so strokes are not fitted");
		snw_registry_close(registry);
		return SNW_OK;
	}
	const char *folder = getenv("TMPDIR");
	snw_bench_commit_row rows[SNW_BENCH_COMMIT_ROWS] = {{0}};
	const snw_status status =
		snw_bench_commit(registry, method, points, folder ? folder : "/tmp", &call->task, call->arena, rows, error);
	cJSON *list = snw_failed(status) ? NULL : snw_answer_list(call->answer, "strokes");
	for (int i = 0; !snw_failed(status) && i < SNW_BENCH_COMMIT_ROWS; i++) {
		const snw_bench_commit_row *row = &rows[i];
		snw_say(call,
				"at the end of a stroke: %-5s %6u of %7u points edited   fitted %7.2f ms   in the project %7.2f ms   shown "
				"%7.2f ms",
				row->character, row->edited, row->points, 1e3 * row->fit_seconds, 1e3 * row->commit_seconds,
				1e3 * (row->commit_seconds + row->show_seconds));
		cJSON *answer = snw_answer_row(list);
		snw_answer_text(answer, "character", row->character);
		snw_answer_number(answer, "points", row->points);
		snw_answer_number(answer, "edited", row->edited);
		snw_answer_number(answer, "strokes", row->strokes);
		snw_answer_number(answer, "fit_seconds", row->fit_seconds);
		snw_answer_number(answer, "commit_seconds", row->commit_seconds);
		snw_answer_number(answer, "show_seconds", row->show_seconds);
	}
	snw_registry_close(registry);
	return status;
}

snw_status snw_cli_bench_sculpt(snw_call *call, snw_error *error) {
	double points = 0, seconds = 0, covered = 0, repeats = 0;
	snw_status status = snw_call_number(call, "--points", 1000, 5e6, 100000, &points, error);
	status = snw_failed(status) ? status : snw_call_number(call, "--seconds", 0.001, 60, 0.2, &seconds, error);
	status = snw_failed(status) ? status : snw_call_number(call, "--covered", 0.001, 0.5, 0.1, &covered, error);
	status = snw_failed(status) ? status : snw_call_number(call, "--repeats", 1, 20, 5, &repeats, error);
	const snw_bench_sculpt_options options = {
		.point_count = (uint32_t)points, .covered = covered, .seconds = seconds, .repeats = (uint32_t)repeats};
	snw_bench_sculpt_table table = {0};
	status = snw_failed(status) ? status : snw_bench_sculpt(&options, &call->task, call->arena, &table, error);
	if (snw_failed(status)) {
		return status;
	}
	cJSON *list = snw_answer_list(call->answer, "rows");
	for (uint32_t i = 0; i < table.row_count; i++) {
		print_row(call, &table.rows[i]);
		answer_row(list, &table.rows[i]);
	}
	print_reference(call, &table.reference);
	print_slowest(call, &table);
	return bench_commit(call, (uint32_t)points, error);
}
