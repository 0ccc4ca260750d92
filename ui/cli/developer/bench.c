/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew bench: the verb, and the tables of all benchmarks.
 */
#include "cli/developer/bench.h"
#include "cli/output/crowd.h"

#include <math.h>
#include <string.h>

/* ---- tables -------------------------------------------------------------------------------------------------------------- */

enum { LEAST_WIDTH = 9, LEAST_WORDS_WIDTH = 16 };

static int width_of(const snw_bench_column *column) {
	const int least = column->kind == SNW_BENCH_WORDS ? LEAST_WORDS_WIDTH : LEAST_WIDTH, width = (int)strlen(column->name);
	return width > least ? width : least;
}

static double number_of(const snw_bench_column *column, const void *member) {
	return column->kind == SNW_BENCH_FLAG          ? *(const bool *)member
		   : column->kind == SNW_BENCH_COUNT       ? *(const uint32_t *)member
		   : column->kind == SNW_BENCH_LARGE_COUNT ? (double)*(const uint64_t *)member
												   : *(const double *)member;
}

/* Adds a member to the answer; returns it as it is printed. */
static const char *take_member(const snw_call *call, const snw_bench_column *column, const void *member, cJSON *answer) {
	if (column->kind == SNW_BENCH_WORDS) {
		const char *words = *(const char *const *)member;
		snw_answer_text(answer, column->name, words);
		return words ? words : "";
	}
	const double number = number_of(column, member);
	if (column->kind == SNW_BENCH_FLAG) {
		snw_answer_bool(answer, column->name, number != 0);
		return number != 0 ? "yes" : "no";
	}
	snw_answer_number(answer, column->name, number);
	return snw_arena_format(call->arena, column->kind == SNW_BENCH_NUMBER ? "%.4g" : "%.0f", number);
}

cJSON *snw_bench_show(const snw_call *call, const snw_bench_table *table, uint32_t index, const void *row) {
	cJSON *list = cJSON_GetObjectItemCaseSensitive(call->answer, table->name);
	cJSON *answer = snw_answer_row(list ? list : snw_answer_list(call->answer, table->name));
	const char *head = "", *line = "";
	for (uint32_t c = 0; c < table->count; c++) {
		const snw_bench_column *column = &table->columns[c];
		const char *shown = take_member(call, column, (const char *)row + column->offset, answer);
		const int width = column->kind == SNW_BENCH_WORDS ? -width_of(column) : width_of(column);
		head = snw_arena_format(call->arena, "%s%*s  ", head, width, column->name);
		line = snw_arena_format(call->arena, "%s%*s  ", line, width, shown);
	}
	if (index == 0) {
		snw_say(call, "%s", head);
	}
	snw_say(call, "%s", line);
	return answer;
}

void snw_bench_show_all(const snw_call *call, const snw_bench_table *table, const void *rows, uint32_t count,
						size_t row_bytes) {
	snw_answer_list(call->answer, table->name);
	for (uint32_t i = 0; i < count; i++) {
		snw_bench_show(call, table, i, (const char *)rows + i * row_bytes);
	}
}

/* ---- the verb ------------------------------------------------------------------------------------------------------------ */

static snw_status run_bench(snw_call *call, snw_error *error) {
	static const struct {
		const char *name;
		snw_status (*run)(snw_call *call, snw_error *error);
	} benchmarks[] = {
		{"skin", snw_cli_bench_skin},       {"player", snw_cli_bench_player}, {"sculpt", snw_cli_bench_sculpt},
		{"invert", snw_cli_bench_invert},   {"layer", snw_cli_bench_layer},   {"gpu", snw_cli_bench_gpu},
		{"view", snw_cli_bench_view},       {"fit", snw_cli_bench_fit},       {"train", snw_cli_bench_train},
		{"contact", snw_cli_bench_contact}, {"lod", snw_cli_bench_lod},       {"unwrap", snw_cli_bench_unwrap},
		{"import", snw_cli_bench_import},
	};
	const char *name = call->argument_count > 0 ? call->arguments[0] : "skin";
	for (size_t i = 0; i < sizeof benchmarks / sizeof *benchmarks; i++) {
		if (strcmp(benchmarks[i].name, name) == 0) {
			return benchmarks[i].run(call, error);
		}
	}
	return snw_fail(error, SNW_ERROR_ARGUMENT,
					"no such benchmark '%s'; choose skin, player, sculpt, invert, layer, gpu, view, fit, train, contact, lod, "
					"unwrap or import",
					name);
}

static const snw_option bench_options[] = {
	{"--points", "N",
	 "points of the synthetic mesh (default: 100000; fit: 10000; train: 11000; lod: 13000; unwrap: 15000; gpu and view: 10000, "
	 "100000 and "
	 "1000000)"},
	{"--seconds", "S", "seconds for each row (default: 0.2; gpu: 0.02, view: 1)"},
	{"--over", "FILE.so", "invert: also through the deformer in this file, as a black box over linear blend"},
	{"--covered", "PART", "sculpt: share of the points that a dab covers (default: 0.1)"},
	{"--strokes", NULL, "sculpt: time the ends of strokes alone, until they are fitted, shown and stored"},
	{"--repeats", "N",
	 "sculpt: how often each stroke is repeated; the fastest repeat of a dab is the time of the code without the noise of the "
	 "machine (default: 5)"},
	{"--poses", "N",
	 "contact: pairs of random poses at which the pairs of triangles that the trees find are compared with those of a sweep "
	 "without a tree (default: 4)"},
	{"--frames", "N", "frames of the synthetic animation (fit: 100, train: 31)"},
	{"--joints", "N", "fit: proxy joints (default: 100); view: of the character (default: three a mesh)"},
	{"--meshes", "N", "view: how many meshes the points are shared by (default: 1)"},
	{"--examples", "N", "view: sculpts that the character has; a layer is fitted to them (default: 0)"},
	{"--refined", NULL, "fit: refine weights too, and show the error over joints and over iterations"},
	{"--method", "METHOD",
	 "fit: the method (default: the first that makes a skin of frames alone); train: the method (default: each that learns "
	 "from frames); view: a method that needs no fit (default: linear blend)"},
	{"--crowd", "N",
	 "gpu: draw a crowd of N by a call for each mesh, by one for each member, and by sending all points and normals; of the "
	 "project, or of the sample 'arm'"},
	SNW_CROWD_OPTIONS,
	{"--clip", "NAME", "with --crowd: a clip that is played (default: all); may be repeated"},
	{"--set", "KEY=VALUE", "fit: a parameter of every fit; may be repeated"},
	{NULL, NULL, NULL},
};

const snw_verb snw_verb_bench = {
	.name = "bench",
	.usage =
		"[skin|player|sculpt|invert|layer|view|train|import|gpu [P.sinew]|fit [P.sinew]|contact [P.sinew]|lod [P.sinew]|unwrap "
		"[P.sinew]]",
	.help = "Runs benchmarks of skin programs (skin), the C player of skin files (player), brushes (sculpt), inversion of "
			"sculpts (invert), black boxes (layer), the "
			"graphics card (gpu; with a project, its skins), a window's redraw (view), fits of mesh animations (fit), learned "
			"skins (train), contact of two characters (contact), levels of detail (lod), UVs (unwrap), and imports of FBX "
			"beside Assimp's (import).",
	.actions = "skin|player|sculpt|invert|layer|gpu|view|train|fit|contact|lod|unwrap|import",
	.is_action_first = true,
	.least_arguments = 0,
	.most_arguments = 2,
	.options = bench_options,
	.run = run_bench,
};
