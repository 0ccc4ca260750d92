/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew bench: the verb, and the tables of all benchmarks.
 */
#include "cli/developer/developer.h"

#include <math.h>
#include <string.h>

#include "benchmark/benchmark.h"
#include "benchmark/graphics.h"
#include "cli/output/output.h"
#include "render/gl/context.h"
#include "sample/sample.h"

/* ---- bench running ------------------------------------------------------------------------------------------------------- */

/* sinew bench skin, layer, gpu, view: how fast skins run, on the processor and on the graphics card. */

static snw_status read_numbers(const snw_call *call, double points_otherwise, double seconds_otherwise, double *points,
							   double *seconds, snw_error *error) {
	const snw_status status = snw_call_number(call, "--points", 1000, 5e6, points_otherwise, points, error);
	return snw_failed(status) ? status : snw_call_number(call, "--seconds", 0.001, 60, seconds_otherwise, seconds, error);
}

/* ---- skin programs ------------------------------------------------------------------------------------------------------- */

#define COLUMN(NAME) SNW_BENCH_COLUMN(snw_bench_row, #NAME, NAME)
static const snw_bench_column skin_columns[] = {
	COLUMN(evaluator),  COLUMN(blend),           COLUMN(kernels),       COLUMN(order),   COLUMN(points),
	COLUMN(influences), COLUMN(normals),         COLUMN(shapes),        COLUMN(threads), COLUMN(seconds),
	COLUMN(ratio),      COLUMN(points_a_second), COLUMN(bytes_a_second)};
#undef COLUMN
static const snw_bench_table skin_table = SNW_BENCH_TABLE("rows", skin_columns);

/* How fast skins run (bench.c). The GPU may run those of a project that the call names after the benchmark. */
static snw_status cli_bench_skin(snw_call *call, snw_error *error) {
	double points = 0, seconds = 0;
	snw_bench_row *rows = NULL;
	uint32_t count = 0;
	snw_status status = read_numbers(call, 100000, 0.2, &points, &seconds, error);
	const snw_bench_options options = {.point_count = (uint32_t)points, .seconds = seconds};
	status = snw_failed(status) ? status : snw_bench_skin(&options, &call->task, call->arena, &rows, &count, error);
	if (!snw_failed(status)) {
		snw_answer_number(call->answer, "points", points);
		snw_bench_show_all(call, &skin_table, rows, count, sizeof *rows);
	}
	return status;
}

/* ---- the C player -------------------------------------------------------------------------------------------------------- */

#define COLUMN(NAME) SNW_BENCH_COLUMN(snw_bench_player_row, #NAME, NAME)
static const snw_bench_column player_columns[] = {COLUMN(blend), COLUMN(points), COLUMN(plain_seconds), COLUMN(player_seconds),
												  COLUMN(ratio)};
#undef COLUMN
static const snw_bench_table player_table = SNW_BENCH_TABLE("rows", player_columns);

#define COLUMN(NAME) SNW_BENCH_COLUMN(snw_bench_player_crowd, #NAME, NAME)
static const snw_bench_column members_columns[] = {COLUMN(members),       COLUMN(groups), COLUMN(joints),
												   COLUMN(coefficients),  COLUMN(points), COLUMN(pose_seconds),
												   COLUMN(points_seconds)};
#undef COLUMN
static const snw_bench_table members_table = SNW_BENCH_TABLE("crowd", members_columns);

static snw_status cli_bench_player(snw_call *call, snw_error *error) {
	double points = 0, seconds = 0;
	snw_bench_player bench;
	snw_status status = read_numbers(call, 100000, 0.5, &points, &seconds, error);
	status = snw_failed(status) ? status : snw_bench_player_run((uint32_t)points, seconds, &call->task, &bench, error);
	if (!snw_failed(status)) {
		snw_bench_show_all(call, &player_table, bench.rows, 2, sizeof *bench.rows);
		snw_bench_show(call, &members_table, 0, &bench.crowd);
	}
	return status;
}

/* ---- black boxes that bind, compared with a copy of their points --------------------------------------------------------- */

#define COLUMN(NAME) SNW_BENCH_COLUMN(snw_bench_layer_row, #NAME, NAME)
static const snw_bench_column layer_columns[] = {COLUMN(method),
												 COLUMN(points),
												 COLUMN(threads),
												 COLUMN(passes),
												 COLUMN(seconds),
												 COLUMN(copy_seconds),
												 COLUMN(points_a_second),
												 COLUMN(isolated_seconds),
												 COLUMN(rounds),
												 COLUMN(median_seconds),
												 COLUMN(isolated_median_seconds)};
#undef COLUMN
static const snw_bench_table layer_table = SNW_BENCH_TABLE("rows", layer_columns);

static snw_status cli_bench_layer(snw_call *call, snw_error *error) {
	double points = 0, seconds = 0;
	snw_bench_layer_row *rows = NULL;
	uint32_t count = 0;
	snw_status status = read_numbers(call, 100000, 0.2, &points, &seconds, error);
	if (snw_failed(status)) {
		return status;
	}
	snw_registry_isolate(SNW_ISOLATE_NONE);
	snw_registry *registry = snw_registry_open();
	snw_registry_isolate(SNW_ISOLATE_ALL);
	snw_registry *isolated = snw_registry_open();
	status = snw_bench_layers(registry, isolated, (uint32_t)points, seconds, &call->task, call->arena, &rows, &count, error);
	if (!snw_failed(status)) {
		snw_bench_show_all(call, &layer_table, rows, count, sizeof *rows);
	}
	snw_registry_close(isolated);
	snw_registry_close(registry);
	return status;
}

/* ---- the graphics card --------------------------------------------------------------------------------------------------- */

static void answer_device(const snw_call *call, const char *device) {
	snw_answer_text(call->answer, "device", device);
	snw_answer_bool(call->answer, "is_software", snw_device_is_software(device));
	if (snw_device_is_software(device)) {
		snw_say(call, "This runs on a software rasteriser. The figures say nothing about graphics cards.");
	}
}

#define COLUMN(NAME, MEMBER) SNW_BENCH_COLUMN(snw_skin_bench_row, NAME, MEMBER)
static const snw_bench_column project_columns[] = {COLUMN("method", method),
												   COLUMN("points", points),
												   COLUMN("cpu_seconds", drive_seconds),
												   COLUMN("skin_seconds", skin_seconds),
												   COLUMN("box_seconds", box_seconds),
												   COLUMN("ratio", ratio),
												   COLUMN("bytes_sent", bytes_sent)};
#undef COLUMN
static const snw_bench_table project_table = SNW_BENCH_TABLE("rows", project_columns);

static snw_status bench_project(snw_call *call, snw_renderer *renderer, double seconds, snw_error *error) {
	snw_opened opened = {.queue_lock = -1};
	snw_skin_bench bench;
	snw_status status = snw_open_project(call->arguments[1], SNW_OPEN_READ | SNW_OPEN_PLUGINS, &call->task, &opened, error);
	if (snw_failed(status)) {
		return status;
	}
	status = snw_bench_skins(renderer, opened.scene, opened.registry, seconds, &call->task, call->arena, &bench, error);
	if (!snw_failed(status)) {
		snw_answer_text(call->answer, "path", bench.path);
		snw_say(call, "%s, %s: each skin at a pose, compared with the first", bench.device, bench.path);
		answer_device(call, bench.device);
		snw_bench_show_all(call, &project_table, bench.rows, bench.row_count, sizeof *bench.rows);
	}
	snw_opened_close(&opened);
	return status;
}

#define COLUMN(NAME, MEMBER) SNW_BENCH_COLUMN(snw_gpu_bench_row, NAME, MEMBER)
static const snw_bench_column program_columns[] = {COLUMN("path", path),
												   COLUMN("blend", blend),
												   COLUMN("points", points),
												   COLUMN("influences", influences),
												   COLUMN("normals", normals),
												   COLUMN("seconds", seconds),
												   COLUMN("points_a_second", points_a_second),
												   COLUMN("bytes_a_point", bytes_a_point),
												   COLUMN("bytes_a_second", bytes_a_second),
												   COLUMN("share_of_copy", share),
												   COLUMN("frame_bytes", bytes_sent)};
#undef COLUMN
static const snw_bench_table program_table = SNW_BENCH_TABLE("rows", program_columns);

static snw_status bench_programs(snw_call *call, snw_renderer *renderer, double points, double seconds, snw_error *error) {
	const snw_gpu_bench_options options = {.point_count = (uint32_t)points, .seconds = seconds};
	snw_gpu_bench bench;
	const snw_status status = snw_bench_gpu(renderer, &options, &call->task, call->arena, &bench, error);
	if (!snw_failed(status)) {
		snw_answer_text(call->answer, "chosen", bench.chosen);
		snw_answer_number(call->answer, "copy_bytes_a_second", bench.copy_bytes_a_second);
		snw_say(call, "%s: a copy moves %.1f GB/s, reads and writes; a window uses %s", bench.device,
				1e-9 * bench.copy_bytes_a_second, bench.chosen);
		answer_device(call, bench.device);
		snw_bench_show_all(call, &program_table, bench.rows, bench.row_count, sizeof *bench.rows);
	}
	return status;
}

#define COLUMN(NAME) SNW_BENCH_COLUMN(snw_crowd_bench_row, #NAME, NAME)
static const snw_bench_column crowd_columns[] = {COLUMN(way),     COLUMN(members), COLUMN(draw_calls), COLUMN(points),
												 COLUMN(seconds), COLUMN(times),   COLUMN(bytes_sent), COLUMN(share)};
#undef COLUMN
static const snw_bench_table crowd_table = SNW_BENCH_TABLE("rows", crowd_columns);

static snw_status bench_crowd(const snw_call *call, snw_renderer *renderer, snw_cli_crowd *made, double seconds,
							  snw_error *error) {
	snw_crowd_bench bench;
	const snw_status status = snw_bench_crowd(renderer, &made->crowd, &made->character, seconds, &call->task, &bench, error);
	if (!snw_failed(status)) {
		snw_say(call,
				"%s: the paper's way is \"points sent\"; on a card its times should be at least 8, and those of one by one 4",
				bench.device);
		answer_device(call, bench.device);
		snw_bench_show_all(call, &crowd_table, bench.rows, SNW_CROWD_WAYS, sizeof *bench.rows);
		snw_say(call, "%zu bytes of frames were sent before", bench.kept_bytes);
		snw_answer_number(call->answer, "bytes_kept", (double)bench.kept_bytes);
	}
	return status;
}

/* The crowd of a project, or of the sample "arm", which has about as many points as the paper's shark. */
static snw_status bench_crowd_of(const snw_call *call, snw_renderer *renderer, double seconds, snw_error *error) {
	const bool has_project = call->argument_count > 1;
	uint32_t count = 0;
	snw_scene *sample = NULL;
	snw_opened opened = {0};
	snw_cli_crowd made = {0};
	snw_status status = snw_crowd_number(call, "--crowd", 1, &count, error);
	if (!snw_failed(status) && has_project) {
		status = snw_open_project(call->arguments[1], SNW_OPEN_READ | SNW_OPEN_PLUGINS, &call->task, &opened, error);
	} else if (!snw_failed(status)) {
		status = snw_sample_make("arm", &sample, error);
		opened = (snw_opened){.name = "arm", .scene = sample, .registry = snw_registry_open()};
	}
	status = snw_failed(status) ? status : snw_cli_crowd_make(call, &opened, count, false, &made, error);
	status = snw_failed(status) ? status : bench_crowd(call, renderer, &made, seconds, error);
	snw_cli_crowd_free(&made);
	if (has_project) {
		snw_opened_close(&opened);
	} else {
		snw_registry_close(opened.registry);
		snw_scene_destroy(sample);
	}
	return status;
}

static snw_status cli_bench_gpu(snw_call *call, snw_error *error) {
	double points = 0, seconds = 0;
	snw_renderer *renderer = NULL;
	snw_status status = read_numbers(call, 0, 0.02, &points, &seconds, error);
	status = snw_failed(status) ? status : snw_renderer_create(&renderer, error);
	if (snw_failed(status)) {
		return status;
	}
	status = snw_call_option(call, "--crowd") ? bench_crowd_of(call, renderer, seconds, error)
			 : call->argument_count > 1       ? bench_project(call, renderer, seconds, error)
											  : bench_programs(call, renderer, points, seconds, error);
	snw_renderer_destroy(renderer);
	return status;
}

/* ---- the parts of a redraw ----------------------------------------------------------------------------------------------- */

#define COLUMN(NAME, MEMBER) SNW_BENCH_COLUMN(snw_view_bench_row, NAME, MEMBER)
static const snw_bench_column view_columns[] = {COLUMN("points", points),
												COLUMN("triangles", triangles),
												COLUMN("meshes", meshes),
												COLUMN("joints", joints),
												COLUMN("examples", examples),
												COLUMN("frames", redraws),
												COLUMN("cpu_seconds", cpu_seconds),
												COLUMN("upload_seconds", upload_seconds),
												COLUMN("draw_seconds", draw_seconds),
												COLUMN("frame_seconds", redraw_seconds),
												COLUMN("thread_seconds", thread_seconds),
												COLUMN("longest_seconds", worst_seconds),
												COLUMN("frame_bytes", bytes_sent)};
#undef COLUMN
static const snw_bench_table view_table = SNW_BENCH_TABLE("rows", view_columns);

/* More than one mesh, or examples, need joints: three a mesh, unless the call says how many. */
static snw_status read_limbs(const snw_call *call, snw_limbs_size *limbs, snw_error *error) {
	double meshes = 1, joints = 0, examples = 0;
	snw_status status = snw_call_number(call, "--meshes", 1, 1000, 1, &meshes, error);
	status = snw_failed(status) ? status : snw_call_number(call, "--examples", 0, 1000, 0, &examples, error);
	const double usual = meshes == 1 && examples == 0 ? 0 : 3 * meshes;
	status = snw_failed(status) ? status : snw_call_number(call, "--joints", meshes + 1, 4000, usual, &joints, error);
	*limbs = (snw_limbs_size){.meshes = (uint32_t)meshes, .joints = (uint32_t)joints, .examples = (uint32_t)examples};
	return status;
}

static snw_status cli_bench_view(snw_call *call, snw_error *error) {
	static const uint32_t sizes[] = {10000, 100000, 1000000};
	snw_view_bench_options options = {.method = snw_call_option(call, "--method")};
	double points = 0;
	snw_renderer *renderer = NULL;
	snw_status status = read_numbers(call, 0, 1, &points, &options.seconds, error);
	status = snw_failed(status) ? status : read_limbs(call, &options.limbs, error);
	status = snw_failed(status) ? status : snw_renderer_create(&renderer, error);
	if (snw_failed(status)) {
		return status;
	}
	answer_device(call, snw_renderer_device(renderer));
	for (uint32_t i = 0; i < (points > 0 ? 1 : sizeof sizes / sizeof *sizes) && !snw_failed(status); i++) {
		snw_view_bench_row row;
		options.limbs.points = points > 0 ? (uint32_t)points : sizes[i];
		status = snw_bench_view(renderer, &options, &call->task, &row, error);
		if (!snw_failed(status)) {
			snw_bench_show(call, &view_table, i, &row);
		}
	}
	snw_renderer_destroy(renderer);
	return status;
}

/* ---- contact ------------------------------------------------------------------------------------------------------------- */

#define COLUMN(NAME) SNW_BENCH_COLUMN(snw_bench_contact_row, #NAME, NAME)
static const snw_bench_column contact_columns[] = {
	COLUMN(placement),        COLUMN(points),  COLUMN(pose_seconds), COLUMN(refit_seconds),
	COLUMN(traverse_seconds), COLUMN(seconds), COLUMN(ratio),        COLUMN(ceiling),
	COLUMN(bounded),          COLUMN(skinned), COLUMN(pairs),        COLUMN(same_pairs)};
#undef COLUMN
static const snw_bench_table contact_table = SNW_BENCH_TABLE("rows", contact_columns);

#define COLUMN(NAME) SNW_BENCH_COLUMN(snw_bench_contact_self, #NAME, NAME)
static const snw_bench_column self_columns[] = {COLUMN(clip),
												COLUMN(points),
												COLUMN(frames),
												COLUMN(pairs),
												COLUMN(seconds),
												COLUMN(traverse_seconds),
												COLUMN(two_threads_seconds),
												COLUMN(same_pairs),
												COLUMN(dipole_seconds),
												COLUMN(inside_seconds),
												COLUMN(inside)};
#undef COLUMN
static const snw_bench_table self_table = SNW_BENCH_TABLE("self", self_columns);

#define COLUMN(NAME) SNW_BENCH_COLUMN(snw_bench_contact_drag, #NAME, NAME)
static const snw_bench_column drag_columns[] = {COLUMN(points),  COLUMN(joints),      COLUMN(pose_seconds),
												COLUMN(seconds), COLUMN(all_seconds), COLUMN(slowest_seconds),
												COLUMN(slowest), COLUMN(pairs),       COLUMN(same_pairs)};
#undef COLUMN
static const snw_bench_table drag_table = SNW_BENCH_TABLE("drag", drag_columns);

#define COLUMN(NAME) SNW_BENCH_COLUMN(snw_bench_contact_sweep, #NAME, NAME)
static const snw_bench_column sweep_columns[] = {COLUMN(points),    COLUMN(triangles), COLUMN(poses),
												 COLUMN(stretched), COLUMN(pairs),     COLUMN(self_pairs),
												 COLUMN(missed),    COLUMN(extra),     COLUMN(outside)};
#undef COLUMN
static const snw_bench_table sweep_table = SNW_BENCH_TABLE("sweep", sweep_columns);

enum { CHAIN_FRAMES = 4 };

static snw_status cli_bench_contact(snw_call *call, snw_error *error) {
	double points = 0, seconds = 0, poses = 0;
	snw_opened opened = {0};
	snw_bench_contact bench;
	const bool has_project = call->argument_count > 1;
	snw_status status = read_numbers(call, 100000, 0, &points, &seconds, error);
	status = snw_failed(status) ? status : snw_call_number(call, "--poses", 0, 1e6, 4, &poses, error);
	if (!snw_failed(status) && has_project) {
		status = snw_open_project(call->arguments[1], SNW_OPEN_READ | SNW_OPEN_PLUGINS, &call->task, &opened, error);
	}
	if (snw_failed(status)) {
		return status;
	}
	snw_registry *registry = has_project ? opened.registry : snw_registry_open();
	snw_scene *chain = has_project ? NULL : snw_bench_chain((uint32_t)points, CHAIN_FRAMES);
	status = snw_bench_contact_run(has_project ? opened.scene : chain, registry, (uint32_t)poses, &call->task, &bench, error);
	if (!snw_failed(status)) {
		snw_bench_show_all(call, &contact_table, bench.rows, SNW_BENCH_CONTACT_ROWS, sizeof *bench.rows);
		snw_bench_show(call, &self_table, 0, &bench.self);
		snw_bench_show(call, &drag_table, 0, &bench.drag);
		snw_bench_show(call, &sweep_table, 0, &bench.sweep);
	}
	if (has_project) {
		snw_opened_close(&opened);
	} else {
		snw_scene_destroy(chain);
		snw_registry_close(registry);
	}
	return status;
}

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
		{"skin", cli_bench_skin},         {"player", cli_bench_player}, {"sculpt", snw_cli_bench_sculpt},
		{"invert", snw_cli_bench_invert}, {"layer", cli_bench_layer},   {"gpu", cli_bench_gpu},
		{"view", cli_bench_view},         {"fit", snw_cli_bench_fit},   {"train", snw_cli_bench_train},
		{"contact", cli_bench_contact},   {"lod", snw_cli_bench_lod},   {"unwrap", snw_cli_bench_unwrap},
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
	.part = SNW_VERB_EXTENDS,
	.usage =
		"[skin|player|sculpt|invert|layer|view|train|import|gpu [P.sinew]|fit [P.sinew]|contact [P.sinew]|lod [P.sinew]|unwrap "
		"[P.sinew]]",
	.help =
		"Runs a benchmark and prints a table. There are those of skin programs (skin), the C player of skin files (player), "
		"brushes (sculpt), inversion of sculpts (invert), black boxes (layer), the graphics card (gpu; with a project, its "
		"skins), a window's redraw (view), fits of mesh animations (fit), learned skins (train), contact of two characters "
		"(contact), levels of detail (lod), UVs (unwrap), and imports of FBX beside Assimp's (import).",
	.actions = "skin|player|sculpt|invert|layer|gpu|view|train|fit|contact|lod|unwrap|import",
	.is_action_first = true,
	.least_arguments = 0,
	.most_arguments = 2,
	.options = bench_options,
	.run = run_bench,
};
