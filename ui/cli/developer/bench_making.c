/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew bench sculpt, invert, train, fit, lod, unwrap, import: how long the work takes that makes skins.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "benchmark/benchmark.h"
#include "cli/command_line/verb.h"
#include "cli/developer/developer.h"
#include "lod/lod.h"
#include "parameter/parameters.h"
#include "pose/pose.h"
#include "sample/sample.h"
#include "sinew/kit/clock.h"
#include "unwrap/unwrap.h"

/* ---- dabs, and the time from the end of a stroke to the fitted corrective ------------------------------------------------ */

#define COLUMN(NAME) SNW_BENCH_COLUMN(snw_bench_sculpt_row, #NAME, NAME)
#define TIME(NAME) SNW_BENCH_COLUMN(snw_bench_sculpt_row, #NAME, all.NAME)
#define BEST(NAME) SNW_BENCH_COLUMN(snw_bench_sculpt_row, "best_" #NAME, best.NAME)
static const snw_bench_column dab_columns[] = {
	COLUMN(brush),         COLUMN(volume),       COLUMN(symmetric), COLUMN(threads),      COLUMN(points),
	COLUMN(reached),       COLUMN(dabs),         COLUMN(repeats),   TIME(median_seconds), TIME(p99_seconds),
	TIME(longest_seconds), BEST(median_seconds), BEST(p99_seconds), BEST(longest_seconds)};
#undef COLUMN
#undef TIME
#undef BEST
static const snw_bench_table dab_table = SNW_BENCH_TABLE("rows", dab_columns);

#define COLUMN(NAME) SNW_BENCH_COLUMN(snw_bench_commit_row, #NAME, NAME)
static const snw_bench_column stroke_columns[] = {COLUMN(character),    COLUMN(points),        COLUMN(edited),
												  COLUMN(strokes),      COLUMN(fit_seconds),   COLUMN(commit_seconds),
												  COLUMN(show_seconds), COLUMN(shown_seconds), COLUMN(stored_seconds)};
#undef COLUMN
static const snw_bench_table stroke_table = SNW_BENCH_TABLE("strokes", stroke_columns);

/* The noise of the machine. */
static void print_bench_reference(const snw_call *call, const snw_bench_reference *reference) {
	const snw_bench_times *times = &reference->times;
	snw_say(call,
			"%-15s %u pieces of plain arithmetic between the repeats, without Sinew's code: median %7.3f   99 %% %7.3f   "
			"longest %7.3f ms, so the machine makes 1 in 100 at least %.2f times as long, and one %.1f times",
			"reference", reference->pieces, 1e3 * times->median_seconds, 1e3 * times->p99_seconds, 1e3 * times->longest_seconds,
			times->p99_seconds / times->median_seconds, times->longest_seconds / times->median_seconds);
	cJSON *answer = cJSON_AddObjectToObject(call->answer, "reference");
	snw_answer_number(answer, "pieces", reference->pieces);
	snw_answer_number(answer, "median_seconds", times->median_seconds);
	snw_answer_number(answer, "p99_seconds", times->p99_seconds);
	snw_answer_number(answer, "longest_seconds", times->longest_seconds);
}

/* The first row is not a dab. */
static void print_slowest(const snw_call *call, const snw_bench_sculpt_table *table) {
	double all = 0, best = 0;
	for (uint32_t i = 1; i < table->row_count; i++) {
		const snw_bench_sculpt_row *row = &table->rows[i];
		all = row->all.p99_seconds > all ? row->all.p99_seconds : all;
		best = row->best.p99_seconds > best ? row->best.p99_seconds : best;
	}
	snw_say(call, "the slowest row: 99 %% of the dabs take at most %.3f ms as they came, %.3f ms by the best of their repeats",
			1e3 * all, 1e3 * best);
	snw_answer_number(call->answer, "slowest_p99_seconds", all);
	snw_answer_number(call->answer, "slowest_best_p99_seconds", best);
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
	if (!snw_failed(status)) {
		snw_say(call, "at the end of a stroke, until it is fitted and shown, and until it is stored:");
		snw_bench_show_all(call, &stroke_table, rows, SNW_BENCH_COMMIT_ROWS, sizeof *rows);
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
	if (!snw_failed(status) && snw_call_option(call, "--strokes")) {
		return bench_commit(call, (uint32_t)points, error);
	}
	status = snw_failed(status) ? status : snw_bench_sculpt(&options, &call->task, call->arena, &table, error);
	if (snw_failed(status)) {
		return status;
	}
	snw_bench_show_all(call, &dab_table, table.rows, table.row_count, sizeof *table.rows);
	print_bench_reference(call, &table.reference);
	print_slowest(call, &table);
	return bench_commit(call, (uint32_t)points, error);
}

/* ---- inverting sculpts --------------------------------------------------------------------------------------------------- */

#define COLUMN(NAME) SNW_BENCH_COLUMN(snw_bench_invert_row, #NAME, NAME)
static const snw_bench_column inversion_columns[] = {
	COLUMN(below),    COLUMN(solver),       COLUMN(black_box),       COLUMN(points),         COLUMN(threads),
	COLUMN(calls),    COLUMN(seconds),      COLUMN(seconds_inverse), COLUMN(seconds_closed), COLUMN(points_a_second),
	COLUMN(failures), COLUMN(largest_miss), COLUMN(refused)};
#undef COLUMN
static const snw_bench_table inversion_table = SNW_BENCH_TABLE("rows", inversion_columns);

#define COLUMN(NAME) SNW_BENCH_COLUMN(snw_bench_coefficients_row, #NAME, NAME)
static const snw_bench_column coefficient_columns[] = {COLUMN(examples), COLUMN(joints), COLUMN(seconds)};
#undef COLUMN
static const snw_bench_table coefficient_table = SNW_BENCH_TABLE("coefficients", coefficient_columns);

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
	if (!snw_failed(status)) {
		snw_bench_coefficients_row row;
		snw_bench_show_all(call, &inversion_table, rows, count, sizeof *rows);
		status = snw_bench_coefficients(registry, options.method, &row, error);
		if (!snw_failed(status)) {
			snw_say(call, "the coefficients of a pose:");
			snw_bench_show(call, &coefficient_table, 0, &row);
		}
	}
	snw_registry_close(registry);
	return status;
}

/* ---- learning a skin from poses, and what it costs to run beside linear blend -------------------------------------------- */

#define COLUMN(NAME, MEMBER) SNW_BENCH_COLUMN(snw_compare_row, NAME, MEMBER)
static const snw_bench_column training_columns[] = {COLUMN("method", name),
													COLUMN("train_seconds", train_seconds),
													COLUMN("train_erms", train.measure.erms),
													COLUMN("test_erms", test.measure.erms),
													COLUMN("seconds", cost.seconds),
													COLUMN("ratio", cost.ratio),
													COLUMN("operations", cost.operations),
													COLUMN("bytes", cost.bytes),
													COLUMN("error", failure)};
#undef COLUMN
static const snw_bench_table training_table = SNW_BENCH_TABLE("rows", training_columns);

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
		snw_answer_number(call->answer, "points", chain->meshes[0].point_count);
		snw_answer_number(call->answer, "joints", SNW_BENCH_CHAIN_JOINTS);
		snw_answer_number(call->answer, "frames", frames);
		snw_say(call, "%u points, %u joints, %.0f frames", chain->meshes[0].point_count, SNW_BENCH_CHAIN_JOINTS, frames);
		snw_bench_show_all(call, &training_table, comparison.rows, comparison.row_count, sizeof *comparison.rows);
		status = snw_comparison_check(&comparison, method != NULL, error);
	}
	snw_scene_destroy(chain);
	snw_registry_close(registry);
	return status;
}

/* ---- fits of mesh animations --------------------------------------------------------------------------------------------- */

/* How long a method takes to make a skin of a mesh animation, how that grows with frames and points, and, on an animation of a
 * project, the error over joints, seconds and eigen-displacements, with the paper's weights or refined ones. The settings are
 * those that methods of decomposition share (joints, transforms, blend, refine, eigen); a method is measured without those that
 * it does not have. */

typedef struct timed_fit {
	const char *what; /* "growth" */
	snw_bench_fit_row fit;
} timed_fit;

#define COLUMN(NAME, MEMBER) SNW_BENCH_COLUMN(timed_fit, NAME, MEMBER)
static const snw_bench_column fit_columns[] = {COLUMN("what", what),
											   COLUMN("settings", fit.settings),
											   COLUMN("points", fit.points),
											   COLUMN("frames", fit.frames),
											   COLUMN("seconds", fit.seconds),
											   COLUMN("processor_seconds", fit.processor_seconds),
											   COLUMN("erms", fit.erms),
											   COLUMN("distortion_percent", fit.distortion_percent),
											   COLUMN("max_percent", fit.max_percent)};
#undef COLUMN
static const snw_bench_table fit_table = SNW_BENCH_TABLE("rows", fit_columns);

typedef struct making_bench {
	const snw_call *call;
	const snw_registry *registry;
	const snw_deformer *method;
	const char *extra; /* "key=value …" from --set, after the row's settings */
	uint32_t timed_count;
} making_bench;

static bool has_parameter(const making_bench *b, const char *key) {
	return snw_parameter_of_key(b->method->descriptor, key, NULL) != SNW_NONE;
}

/* The named method, or one that makes a skin from frames alone. */
static snw_status find_method(const snw_call *call, const snw_registry *registry, const snw_deformer **method,
							  snw_error *error) {
	const char *name = snw_call_option(call, "--method");
	*method = name ? snw_registry_find(registry, name) : NULL;
	for (uint32_t i = 0; !name && !*method && i < snw_registry_count(registry); i++) {
		const snw_deformer *deformer = snw_registry_get(registry, i)->deformer;
		if (deformer && (deformer->descriptor->needs & ~SNW_NEEDS_FACES) == (SNW_NEEDS_MESH | SNW_NEEDS_FRAMES)) {
			*method = deformer;
		}
	}
	if (!*method && name) {
		return snw_fail(error, SNW_ERROR_MISSING, "no method '%s'; 'sinew plugins' lists them", name);
	}
	if (!*method) {
		return snw_fail(error, SNW_ERROR_MISSING, "no loaded method makes a skin from frames alone; name one with --method");
	}
	return SNW_OK;
}

/* "reading 0.01 s, joints 0.2 s, refinements 3" */
static const char *parts_text(const snw_call *call, const snw_bench_fit_row *row) {
	const char *text = "";
	for (uint32_t i = 0; i < row->part_count; i++) {
		const snw_bench_part *part = &row->parts[i];
		text = snw_arena_format(call->arena, "%s%s%s %.3g%s%s", text, i ? ", " : "", part->name, part->value,
								part->unit[0] ? " " : "", part->unit);
	}
	return text;
}

/* Of "KEY=VALUE KEY=VALUE", what the method has. */
static const char *known_settings(const making_bench *b, const char *settings) {
	snw_arena *arena = b->call->arena;
	char *rest = snw_arena_text(arena, settings), *word;
	const char *known = "";
	while ((word = strsep(&rest, " ")) != NULL) {
		const char *key = snw_arena_format(arena, "%.*s", (int)snw_parameter_key_length(word), word);
		if (has_parameter(b, key)) {
			known = snw_arena_format(arena, "%s%s%s", known, known[0] ? " " : "", word);
		}
	}
	return known;
}

static snw_status time_one(making_bench *b, const snw_scene *scene, const char *what, const char *settings, uint32_t repeats,
						   double *seconds, snw_error *error) {
	const char *all = snw_arena_format(b->call->arena, "%s%s", known_settings(b, settings), b->extra);
	timed_fit timed = {.what = what};
	const snw_status status = snw_bench_fit(scene, b->registry, b->method->descriptor->short_name, all, repeats, &b->call->task,
											b->call->arena, &timed.fit, error);
	if (snw_failed(status)) {
		return status;
	}
	cJSON *answer = snw_bench_show(b->call, &fit_table, b->timed_count++, &timed);
	cJSON *parts = answer ? cJSON_AddObjectToObject(answer, "parts") : NULL;
	for (uint32_t i = 0; i < timed.fit.part_count; i++) {
		snw_answer_number(parts, timed.fit.parts[i].name, timed.fit.parts[i].value);
	}
	if (timed.fit.part_count > 0) {
		snw_say(b->call, "    %s", parts_text(b->call, &timed.fit));
	}
	*seconds = timed.fit.seconds;
	return SNW_OK;
}

/* A synthetic sheet at 1, 2 and 4 times the frames and the points. */
static snw_status bench_growth(making_bench *b, uint32_t points, uint32_t frames, uint32_t joints, snw_error *error) {
	static const uint32_t times[5][2] = {{1, 1}, {1, 2}, {1, 4}, {2, 1}, {4, 1}};
	static const char *const kinds[] = {"affine blend=linear", "rigid blend=dual-quaternion"};
	snw_status status = SNW_OK;
	for (int k = 0; k < 2 && !snw_failed(status); k++) {
		double first = 0, seconds = 0;
		for (int i = 0; i < 5 && !snw_failed(status); i++) {
			snw_scene *scene = snw_bench_sheet(points * times[i][0], frames * times[i][1]);
			const char *settings = snw_arena_format(b->call->arena, "joints=%u transforms=%s", joints, kinds[k]);
			status = time_one(b, scene, "growth", settings, 2, &seconds, error);
			if (!snw_failed(status) && i == 0) {
				first = seconds;
			} else if (!snw_failed(status)) {
				snw_say(b->call, "%-12s %u times the points, %u times the frames: %.2f times as long", "", times[i][0],
						times[i][1], seconds / first);
			}
			snw_scene_destroy(scene);
		}
	}
	return status;
}

/* By the paper's method, unrefined: error over joints, rigid and affine; then over eigen-displacements, if the method has
 * them. */
static snw_status bench_curve(making_bench *b, const snw_scene *scene, uint32_t joints, snw_error *error) {
	static const uint32_t counts[] = {5, 10, 20, 30, 50, 75, 100}, eigens[] = {0, 1, 2, 3, 5, 7, 10};
	static const char *const kinds[] = {"rigid blend=dual-quaternion", "affine blend=linear"};
	double seconds;
	snw_status status = SNW_OK;
	for (size_t k = 0; k < 2; k++) {
		for (size_t i = 0; i < sizeof counts / sizeof *counts && !snw_failed(status); i++) {
			const char *settings = snw_arena_format(b->call->arena, "joints=%u transforms=%s", counts[i], kinds[k]);
			status = time_one(b, scene, "joints", settings, 1, &seconds, error);
		}
	}
	for (size_t i = 0; i < sizeof eigens / sizeof *eigens && has_parameter(b, "eigen") && !snw_failed(status); i++) {
		const char *settings =
			snw_arena_format(b->call->arena, "joints=%u transforms=rigid blend=dual-quaternion eigen=%u", joints, eigens[i]);
		status = time_one(b, scene, "eigen", settings, 1, &seconds, error);
	}
	return status;
}

/* With fitted weights, for engines: error over joints, then over time as the number of iterations grows. */
static snw_status bench_refined(making_bench *b, const snw_scene *scene, uint32_t joints, snw_error *error) {
	static const uint32_t counts[] = {5, 10, 20, 30, 50, 75, 100}, iterations[] = {1, 2, 5, 10, 20, 40, 80, 160};
	static const char *const kinds[] = {"rigid", "affine"};
	double seconds;
	snw_status status = SNW_OK;
	for (size_t k = 0; k < 2; k++) {
		for (size_t i = 0; i < sizeof counts / sizeof *counts && !snw_failed(status); i++) {
			const char *settings =
				snw_arena_format(b->call->arena, "joints=%u transforms=%s blend=linear refine=auto", counts[i], kinds[k]);
			status = time_one(b, scene, "refined", settings, 1, &seconds, error);
		}
		for (size_t i = 0; i < sizeof iterations / sizeof *iterations && !snw_failed(status); i++) {
			const char *settings = snw_arena_format(b->call->arena, "joints=%u transforms=%s blend=linear refine=%u", joints,
													kinds[k], iterations[i]);
			status = time_one(b, scene, "iterations", settings, 1, &seconds, error);
		}
	}
	return status;
}

snw_status snw_cli_bench_fit(snw_call *call, snw_error *error) {
	double points, frames, joints;
	snw_status status = snw_call_number(call, "--points", 16, 1e6, 10000, &points, error);
	status = snw_failed(status) ? status : snw_call_number(call, "--frames", 2, 10000, 100, &frames, error);
	status = snw_failed(status) ? status : snw_call_number(call, "--joints", 1, 1000, 100, &joints, error);
	snw_opened opened = {.queue_lock = -1};
	snw_registry *registry = NULL;
	const char *project = call->argument_count > 1 ? call->arguments[1] : NULL, *extra = "", *word;
	if (!snw_failed(status) && project) {
		status = snw_open_project(project, SNW_OPEN_READ | SNW_OPEN_PLUGINS, &call->task, &opened, error);
	}
	if (snw_failed(status)) {
		return status;
	}
	for (int i = 0; (word = snw_call_option_at(call, "--set", i)); i++) {
		extra = snw_arena_format(call->arena, "%s %s", extra, word);
	}
	registry = project ? opened.registry : snw_registry_open();
	making_bench b = {.call = call, .registry = registry, .extra = extra};
	status = find_method(call, registry, &b.method, error);
	if (project && !snw_failed(status)) {
		snw_answer_text(call->answer, "project", project);
		opened.scene->layer_count = 0; /* only in memory: the method is measured without other layers */
		status = snw_call_option(call, "--refined") ? bench_refined(&b, opened.scene, (uint32_t)joints, error)
													: bench_curve(&b, opened.scene, (uint32_t)joints, error);
	} else if (!snw_failed(status)) {
		status = bench_growth(&b, (uint32_t)points, (uint32_t)frames, (uint32_t)joints, error);
	}
	if (project) {
		snw_opened_close(&opened);
	} else {
		snw_registry_close(registry);
	}
	return status;
}

/* ---- levels of detail ---------------------------------------------------------------------------------------------------- */

typedef struct level_row {
	uint32_t level, triangles, points;
	double rms_percent, largest_percent;
	double seconds;        /* of all levels together, their errors included */
	double most_megabytes; /* that the process has used */
} level_row;

#define COLUMN(NAME) SNW_BENCH_COLUMN(level_row, #NAME, NAME)
static const snw_bench_column level_columns[] = {COLUMN(level),         COLUMN(triangles),       COLUMN(points),
												 COLUMN(rms_percent),   COLUMN(largest_percent), COLUMN(seconds),
												 COLUMN(most_megabytes)};
#undef COLUMN
static const snw_bench_table level_table = SNW_BENCH_TABLE("levels", level_columns);

static uint32_t moving_clips(const snw_scene *scene, uint32_t *clips) {
	uint32_t count = 0;
	for (uint32_t c = 0; c < scene->clip_count; c++) {
		if (snw_clip_moves_joints(&scene->clips[c])) {
			clips[count++] = c;
		}
	}
	return count;
}

/* Four levels, each with half the triangles of the one before. */
static snw_status bench_levels(const snw_call *call, const snw_scene *scene, const snw_registry *registry, snw_error *error) {
	static const snw_lod_limits limits[] = {{.share = 0.25, .influences = 4},
											{.share = 0.125, .influences = 4},
											{.share = 0.0625, .influences = 4},
											{.share = 0.03125, .influences = 4}};
	static const char *const texts[] = {"25%", "12.5%", "6.25%", "3.125%"};
	uint32_t *clips = SNW_NEW_ARRAY(call->arena, uint32_t, scene->clip_count);
	const uint32_t clip_count = moving_clips(scene, clips);
	const snw_lod_request request = {
		.level_count = 4, .levels = limits, .texts = texts, .mesh = SNW_NONE, .clip_count = clip_count, .clips = clips};
	snw_lod_made made;
	struct rusage usage;
	const double start = snk_clock_seconds();
	const snw_status status = snw_lod_make(scene, registry, &request, &call->task, call->arena, &made, error);
	const double seconds = snk_clock_seconds() - start;
	getrusage(RUSAGE_SELF, &usage);
	for (uint32_t i = 0; i < made.count && !snw_failed(status); i++) {
		const snw_level *level = &made.levels[i];
		const level_row row = {level->number,
							   snw_triangle_count(&level->shape),
							   level->shape.point_count,
							   level->rms_percent,
							   level->largest_percent,
							   seconds,
							   (double)usage.ru_maxrss / 1024};
		snw_bench_show(call, &level_table, i, &row);
	}
	return status;
}

typedef snw_status character_bench(const snw_call *call, const snw_scene *scene, const snw_registry *registry,
								   snw_error *error);

/* Of a project, or of an arm of about this many points. */
static snw_status bench_character(snw_call *call, double default_points, character_bench *run, snw_error *error) {
	const char *project = call->argument_count > 1 ? call->arguments[1] : NULL;
	double points;
	snw_opened opened = {.queue_lock = -1};
	snw_status status = snw_call_number(call, "--points", 1000, 1e6, default_points, &points, error);
	if (!snw_failed(status) && project) {
		status = snw_open_project(project, SNW_OPEN_READ | SNW_OPEN_PLUGINS, &call->task, &opened, error);
		status = snw_failed(status) ? status : run(call, opened.scene, opened.registry, error);
		snw_opened_close(&opened);
	} else if (!snw_failed(status)) {
		snw_registry *registry = snw_registry_open();
		snw_scene *scene = snw_scene_create();
		const uint32_t sides = 4 * (uint32_t)fmax(2, round(sqrt(points) / 8));
		status = snw_sample_make_arm_of(scene, (uint32_t)(points / sides), sides, error);
		status = snw_failed(status) ? status : run(call, scene, registry, error);
		snw_scene_destroy(scene);
		snw_registry_close(registry);
	}
	return status;
}

snw_status snw_cli_bench_lod(snw_call *call, snw_error *error) {
	return bench_character(call, 13000, bench_levels, error);
}

/* ---- UVs ----------------------------------------------------------------------------------------------------------------- */

typedef struct uv_row {
	const char *charts;
	uint32_t triangles, chart_count;
	double stretch, used;
	double seconds, processor_seconds; /* of the whole, poses included */
	double most_megabytes;             /* that the process has used */
} uv_row;

#define COLUMN(NAME) SNW_BENCH_COLUMN(uv_row, #NAME, NAME)
static const snw_bench_column uv_columns[] = {
	COLUMN(charts), COLUMN(triangles), COLUMN(chart_count),       COLUMN(stretch),
	COLUMN(used),   COLUMN(seconds),   COLUMN(processor_seconds), COLUMN(most_megabytes)};
#undef COLUMN
static const snw_bench_table uv_table = SNW_BENCH_TABLE("uvs", uv_columns);

/* The seams that are there, then automatic charts. */
static snw_status bench_uvs(const snw_call *call, const snw_scene *scene, const snw_registry *registry, snw_error *error) {
	uint32_t *clips = SNW_NEW_ARRAY(call->arena, uint32_t, scene->clip_count);
	const uint32_t clip_count = moving_clips(scene, clips);
	static const char *const names[] = {"keep", "auto"};
	snw_status status = SNW_OK;
	for (uint32_t i = 0; i < 2 && !snw_failed(status); i++) {
		const snw_unwrap_request request = {.mesh = SNW_NONE,
											.charts = i == 0 ? SNW_CHARTS_KEEP : SNW_CHARTS_AUTO,
											.padding = SNW_UNWRAP_PADDING,
											.clip_count = clip_count,
											.clips = clips};
		snw_unwrapped made;
		struct rusage usage;
		const double start = snk_clock_seconds(), processor = snk_clock_process_seconds();
		status = snw_unwrap(scene, registry, &request, &call->task, call->arena, &made, error);
		getrusage(RUSAGE_SELF, &usage);
		uv_row row = {.charts = names[i],
					  .chart_count = made.chart_count,
					  .stretch = made.stretch.poses,
					  .used = made.used,
					  .seconds = snk_clock_seconds() - start,
					  .processor_seconds = snk_clock_process_seconds() - processor,
					  .most_megabytes = (double)usage.ru_maxrss / 1024};
		for (uint32_t m = 0; m < made.mesh_count; m++) {
			row.triangles += snw_triangle_count(&scene->meshes[made.meshes[m].mesh]);
		}
		if (!snw_failed(status)) {
			snw_bench_show(call, &uv_table, i, &row);
		}
	}
	return status;
}

snw_status snw_cli_bench_unwrap(snw_call *call, snw_error *error) {
	return bench_character(call, 15000, bench_uvs, error);
}

/* ---- importing a character ----------------------------------------------------------------------------------------------- */

#define COLUMN(NAME) SNW_BENCH_COLUMN(snw_bench_import_row, #NAME, NAME)
static const snw_bench_column import_columns[] = {COLUMN(reader), COLUMN(bytes),   COLUMN(points),
												  COLUMN(clips),  COLUMN(seconds), COLUMN(ratio)};
#undef COLUMN
static const snw_bench_table import_table = SNW_BENCH_TABLE("rows", import_columns);

snw_status snw_cli_bench_import(snw_call *call, snw_error *error) {
	double points = 0;
	const char *folder = getenv("TMPDIR");
	snw_bench_import_row rows[SNW_BENCH_IMPORT_ROWS] = {{0}};
	snw_status status = snw_call_number(call, "--points", 1000, 5e6, 100000, &points, error);
	if (snw_failed(status)) {
		return status;
	}
	snw_registry *registry = snw_registry_open();
	status = snw_bench_import(registry, (uint32_t)points, folder ? folder : "/tmp", &call->task, rows, error);
	if (!snw_failed(status)) {
		snw_bench_show_all(call, &import_table, rows, SNW_BENCH_IMPORT_ROWS, sizeof *rows);
	}
	snw_registry_close(registry);
	return status;
}
