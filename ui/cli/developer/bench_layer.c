/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew bench layer: how long black boxes that bind take, compared with a copy of their points.
 */
#include "benchmark/layer_speed.h"
#include "cli/developer/bench.h"

static void print_row(const snw_call *call, const snw_bench_layer_row *row) {
	snw_say(call,
			"%-15s %7u points %2u threads %4u passes %8.2f ms %7.1f million points/s %6.1f times a copy of the points %5.2f "
			"times as long in its own process (by the medians of %u runs %.2f)",
			row->method, row->points, row->threads, row->passes, 1e3 * row->seconds, 1e-6 * row->points_a_second,
			row->seconds / row->copy_seconds, row->isolated_seconds / row->seconds, row->rounds,
			row->isolated_median_seconds / row->median_seconds);
}

static void answer_row(cJSON *list, const snw_bench_layer_row *row) {
	cJSON *answer = snw_answer_row(list);
	snw_answer_text(answer, "method", row->method);
	snw_answer_number(answer, "points", row->points);
	snw_answer_number(answer, "threads", row->threads);
	snw_answer_number(answer, "passes", row->passes);
	snw_answer_number(answer, "seconds", row->seconds);
	snw_answer_number(answer, "copy_seconds", row->copy_seconds);
	snw_answer_number(answer, "points_a_second", row->points_a_second);
	snw_answer_number(answer, "isolated_seconds", row->isolated_seconds);
	snw_answer_number(answer, "median_seconds", row->median_seconds);
	snw_answer_number(answer, "isolated_median_seconds", row->isolated_median_seconds);
	snw_answer_number(answer, "rounds", row->rounds);
}

snw_status snw_cli_bench_layer(snw_call *call, snw_error *error) {
	double points = 0, seconds = 0;
	snw_status status = snw_call_number(call, "--points", 1000, 5e6, 100000, &points, error);
	status = snw_failed(status) ? status : snw_call_number(call, "--seconds", 0.001, 60, 0.2, &seconds, error);
	if (snw_failed(status)) {
		return status;
	}
	snw_registry_isolate(SNW_ISOLATE_NONE);
	snw_registry *registry = snw_registry_open();
	snw_registry_isolate(SNW_ISOLATE_ALL);
	snw_registry *isolated = snw_registry_open();
	snw_bench_layer_row *rows = NULL;
	uint32_t count = 0;
	status = snw_bench_layers(registry, isolated, (uint32_t)points, seconds, &call->task, call->arena, &rows, &count, error);
	cJSON *list = snw_failed(status) ? NULL : snw_answer_list(call->answer, "rows");
	for (uint32_t i = 0; !snw_failed(status) && i < count; i++) {
		print_row(call, &rows[i]);
		answer_row(list, &rows[i]);
	}
	snw_registry_close(isolated);
	snw_registry_close(registry);
	return status;
}
