/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew bench: the speed of skin programs, compared with memcpy; other benchmarks are in files of their own.
 */
#include "cli/developer/bench.h"

#include <string.h>

#include "benchmark/program_speed.h"

static void print_row(const snw_call *call, const snw_bench_row *row) {
	const char *ratio = row->ratio > 0 ? snw_arena_format(call->arena, "%6.2f times", row->ratio) : "";
	const char *rate = row->shapes > 0
						   ? snw_arena_format(call->arena, "%u shapes, %.0f evaluations/s", row->shapes, 1 / row->seconds)
					   : row->bytes_a_second > 0 ? snw_arena_format(call->arena, "%6.1f GB/s", 1e-9 * row->bytes_a_second)
												 : "";
	snw_say(call, "%-6s %-15s %-8s %-6s %7u points %2u influences %2u threads %-7s %7.1f million points/s %s %s",
			row->evaluator, row->blend, row->kernels, row->order, row->points, row->influences, row->threads, row->normals,
			1e-6 * row->points_a_second, rate, ratio);
}

static void answer_row(cJSON *list, const snw_bench_row *row) {
	cJSON *answer = snw_answer_row(list);
	snw_answer_text(answer, "evaluator", row->evaluator);
	snw_answer_text(answer, "blend", row->blend);
	snw_answer_text(answer, "kernels", row->kernels);
	snw_answer_text(answer, "order", row->order);
	snw_answer_number(answer, "points", row->points);
	snw_answer_number(answer, "influences", row->influences);
	snw_answer_text(answer, "normals", row->normals);
	snw_answer_number(answer, "shapes", row->shapes);
	snw_answer_number(answer, "threads", row->threads);
	snw_answer_number(answer, "seconds", row->seconds);
	snw_answer_number(answer, "points_a_second", row->points_a_second);
	snw_answer_number(answer, "bytes_a_second", row->bytes_a_second);
	snw_answer_number(answer, "ratio", row->ratio);
}

static snw_status bench_skin(snw_call *call, snw_error *error) {
	double points = 0, seconds = 0;
	snw_status status = snw_call_number(call, "--points", 1000, 5e6, 100000, &points, error);
	if (!snw_failed(status)) {
		status = snw_call_number(call, "--seconds", 0.001, 60, 0.2, &seconds, error);
	}
	const snw_bench_options options = {.point_count = (uint32_t)points, .seconds = seconds};
	snw_bench_row *rows = NULL;
	uint32_t count = 0;
	if (!snw_failed(status)) {
		status = snw_bench_skin(&options, &call->task, call->arena, &rows, &count, error);
	}
	if (snw_failed(status)) {
		return status;
	}
	cJSON *list = snw_answer_list(call->answer, "rows");
	snw_answer_number(call->answer, "points", points);
	for (uint32_t i = 0; i < count; i++) {
		print_row(call, &rows[i]);
		answer_row(list, &rows[i]);
	}
	return SNW_OK;
}

static snw_status run(snw_call *call, snw_error *error) {
	const char *name = call->argument_count > 0 ? call->arguments[0] : "skin";
	if (strcmp(name, "skin") == 0) {
		return bench_skin(call, error);
	}
	if (strcmp(name, "sculpt") == 0) {
		return snw_cli_bench_sculpt(call, error);
	}
	if (strcmp(name, "gpu") == 0) {
		return snw_cli_bench_gpu(call, error);
	}
	if (strcmp(name, "view") == 0) {
		return snw_cli_bench_view(call, error);
	}
	if (strcmp(name, "fit") == 0) {
		return snw_cli_bench_fit(call, error);
	}
	if (strcmp(name, "invert") == 0) {
		return snw_cli_bench_invert(call, error);
	}
	if (strcmp(name, "layer") == 0) {
		return snw_cli_bench_layer(call, error);
	}
	if (strcmp(name, "train") == 0) {
		return snw_cli_bench_train(call, error);
	}
	return snw_fail(error, SNW_ERROR_ARGUMENT,
					"no such benchmark '%s'; choose skin, sculpt, invert, layer, gpu, view, fit or train", name);
}

static const snw_option options[] = {
	{"--points", "N",
	 "points of the synthetic mesh (default: 100000; fit: 10000; train: 11000; gpu and view: 10000, 100000 and 1000000)"},
	{"--seconds", "S", "seconds for each row (default: 0.2; gpu: 0.02, view: 1)"},
	{"--over", "FILE.so", "invert: also through the deformer in this file, as a black box over linear blend"},
	{"--covered", "PART", "sculpt: share of the points that a dab covers (default: 0.1)"},
	{"--repeats", "N",
	 "sculpt: how often each stroke is repeated; the fastest repeat of a dab is the time of the code without the noise of the "
	 "machine (default: 5)"},
	{"--frames", "N", "frames of the synthetic animation (fit: 100, train: 31)"},
	{"--joints", "N", "fit: proxy joints (default: 100)"},
	{"--refined", NULL, "fit: refine weights too, and show the error over joints and over iterations"},
	{"--method", "METHOD",
	 "fit: the method (default: the first that makes a skin of frames alone); train: the method (default: each that learns "
	 "from "
	 "frames); view: a method that needs no fit (default: linear blend)"},
	{"--set", "KEY=VALUE", "fit: a parameter of every fit; may be repeated"},
	{NULL, NULL, NULL},
};

const snw_verb snw_verb_bench = {
	.name = "bench",
	.usage = "[skin|sculpt|invert|layer|view|train|gpu [P.sinew]|fit [P.sinew]]",
	.help =
		"Runs benchmarks of skin programs (skin), brushes (sculpt), inversion of sculpts (invert), black boxes (layer), the "
		"graphics card (gpu; with a project, its skins), a window's redraw (view), fits of mesh animations (fit), and learned "
		"skins (train).",
	.actions = "skin|sculpt|invert|layer|gpu|view|train|fit",
	.is_action_first = true,
	.least_arguments = 0,
	.most_arguments = 2,
	.options = options,
	.run = run,
};
