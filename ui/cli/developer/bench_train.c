/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew bench train: how long methods take to learn a skin from poses, and what it costs to run beside linear blend.
 */
#include "benchmark/training.h"
#include "cli/developer/bench.h"

static void print_row(const snw_call *call, const snw_compare_row *row) {
	if (row->failure) {
		snw_say(call, "%-22s %s", row->name, row->failure);
		return;
	}
	const char *operations =
		row->cost.is_counted ? snw_arena_format(call->arena, "%8.2f", 1e-6 * (double)row->cost.operations) : "       –";
	snw_say(call,
			"%-22s trained in %7.2f s   erms %8.4f, unseen %8.4f   %9.4f ms a pose, %6.2f times   %s million operations, "
			"%7.2f MB",
			row->name, row->train_seconds, row->train.measure.erms, row->test.measure.erms, 1e3 * row->cost.seconds,
			row->cost.ratio, operations, 1e-6 * (double)row->cost.bytes);
}

static void answer_row(cJSON *list, const snw_compare_row *row) {
	cJSON *answer = snw_answer_row(list);
	snw_answer_text(answer, "method", row->name);
	if (row->failure) {
		snw_answer_text(answer, "error", row->failure);
		return;
	}
	snw_answer_number(answer, "train_seconds", row->train_seconds);
	snw_answer_number(answer, "train_erms", row->train.measure.erms);
	snw_answer_number(answer, "test_erms", row->test.measure.erms);
	snw_answer_number(answer, "seconds", row->cost.seconds);
	snw_answer_number(answer, "ratio", row->cost.ratio);
	if (row->cost.is_counted) {
		snw_answer_number(answer, "operations", (double)row->cost.operations);
		snw_answer_number(answer, "bytes", (double)row->cost.bytes);
	}
}

snw_status snw_cli_bench_train(snw_call *call, snw_error *error) {
	double points = 0, frames = 0;
	snw_status status = snw_call_number(call, "--points", 500, 1e6, 11000, &points, error);
	status = snw_failed(status) ? status : snw_call_number(call, "--frames", 2, 10000, 31, &frames, error);
	if (snw_failed(status)) {
		return status;
	}
	snw_registry *registry = snw_registry_open();
	snw_scene *chain = snw_bench_chain((uint32_t)points, (uint32_t)frames);
	snw_comparison comparison = {0};
	const char *method = snw_call_option(call, "--method");
	status = snw_bench_training(chain, registry, method, &call->task, call->arena, &comparison, error);
	if (!snw_failed(status)) {
		cJSON *list = snw_answer_list(call->answer, "rows");
		snw_answer_number(call->answer, "points", chain->meshes[0].point_count);
		snw_answer_number(call->answer, "joints", SNW_BENCH_CHAIN_JOINTS);
		snw_answer_number(call->answer, "frames", frames);
		snw_say(call, "%u points, %u joints, %.0f frames", chain->meshes[0].point_count, SNW_BENCH_CHAIN_JOINTS, frames);
		for (uint32_t i = 0; i < comparison.row_count; i++) {
			print_row(call, &comparison.rows[i]);
			answer_row(list, &comparison.rows[i]);
		}
		status = snw_comparison_check(&comparison, method != NULL, error);
	}
	snw_scene_destroy(chain);
	snw_registry_close(registry);
	return status;
}
