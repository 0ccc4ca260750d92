/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew bench invert: how long a corrective takes to invert a sculpt.
 */
#include "benchmark/inversion.h"

#include "benchmark/coefficients.h"
#include "cli/developer/bench.h"

static void print_row(const snw_call *call, const snw_bench_invert_row *row) {
	if (row->refused) {
		snw_say(call, "%-28s %-7s %s", row->below, row->solver, row->refused);
		return;
	}
	const char *closed = row->seconds_closed > 0 ? snw_arena_format(call->arena, "   closed form %.4f s, %.1f million points/s",
																	row->seconds_closed, 1e-6 * row->points_a_second)
												 : "";
	snw_say(
		call,
		"%-28s %-7s %s %6u points %2u threads %4llu calls   inversion %.4f s   whole fit %.4f s   %5u failures, at most %.2g%s",
		row->below, row->solver, row->black_box ? "black box" : "affine   ", row->points, row->threads,
		(unsigned long long)row->calls, row->seconds_inverse, row->seconds, row->failures, row->largest_miss, closed);
}

static snw_status bench_coefficients(const snw_call *call, const snw_registry *registry, const char *method, snw_error *error) {
	snw_bench_coefficients_row row;
	const snw_status status = snw_bench_coefficients(registry, method, &row, error);
	if (!snw_failed(status)) {
		snw_say(call, "%-28s %u examples, %u joints: %.2f us a pose", "coefficients of a pose", row.examples, row.joints,
				1e6 * row.seconds);
		cJSON *answer = snw_answer_row(snw_answer_list(call->answer, "coefficients"));
		snw_answer_number(answer, "examples", row.examples);
		snw_answer_number(answer, "joints", row.joints);
		snw_answer_number(answer, "seconds", row.seconds);
	}
	return status;
}

static void answer_row(cJSON *list, const snw_bench_invert_row *row) {
	cJSON *answer = snw_answer_row(list);
	snw_answer_text(answer, "below", row->below);
	snw_answer_text(answer, "solver", row->solver);
	snw_answer_bool(answer, "black_box", row->black_box);
	snw_answer_text(answer, "refused", row->refused);
	snw_answer_number(answer, "points", row->points);
	snw_answer_number(answer, "threads", row->threads);
	snw_answer_number(answer, "calls", (double)row->calls);
	snw_answer_number(answer, "seconds", row->seconds);
	snw_answer_number(answer, "seconds_inverse", row->seconds_inverse);
	snw_answer_number(answer, "seconds_closed", row->seconds_closed);
	snw_answer_number(answer, "points_a_second", row->points_a_second);
	snw_answer_number(answer, "failures", row->failures);
	snw_answer_number(answer, "largest_miss", row->largest_miss);
}

/* --over FILE.so: the deformer in this file, below the corrective. */
static snw_status load_black_box(const snw_call *call, snw_registry *registry, const char **method, snw_error *error) {
	const char *path = snw_call_option(call, "--over");
	const uint32_t before = snw_registry_count(registry);
	const snw_status status = path ? snw_registry_load(registry, path, error) : SNW_OK;
	if (!snw_failed(status) && path) {
		const snw_deformer *deformer = snw_registry_get(registry, before)->deformer;
		*method = deformer ? deformer->descriptor->short_name : NULL;
	}
	return status;
}

snw_status snw_cli_bench_invert(snw_call *call, snw_error *error) {
	double points = 0;
	snw_status status = snw_call_number(call, "--points", 1000, 5e6, 100000, &points, error);
	if (snw_failed(status)) {
		return status;
	}
	snw_registry *registry = snw_registry_open();
	snw_bench_invert_options options = {.method = snw_registry_trait_name(registry, SNW_CORRECTS),
										.point_count = (uint32_t)points};
	snw_bench_invert_row *rows = NULL;
	uint32_t count = 0;
	status = options.method ? load_black_box(call, registry, &options.over, error)
							: snw_fail(error, SNW_ERROR_MISSING, "no corrective plug-in is on the search path");
	status = snw_failed(status) ? status : snw_bench_invert(registry, &options, &call->task, call->arena, &rows, &count, error);
	cJSON *list = !snw_failed(status) ? snw_answer_list(call->answer, "rows") : NULL;
	for (uint32_t i = 0; !snw_failed(status) && i < count; i++) {
		print_row(call, &rows[i]);
		answer_row(list, &rows[i]);
	}
	status = snw_failed(status) ? status : bench_coefficients(call, registry, options.method, error);
	snw_registry_close(registry);
	return status;
}
