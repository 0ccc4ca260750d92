/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew bench fit: how long a method takes to make a skin of a mesh animation, how that grows with frames and points, and,
 * on an animation of a project, the error over joints, seconds and eigen-displacements, with the paper's weights or refined
 * ones. The settings are those that methods of decomposition share (joints, transforms, blend, refine, eigen); a method is
 * measured without those that it does not have.
 */
#include <string.h>

#include "benchmark/fit.h"
#include "cli/command_line/open_project.h"
#include "cli/developer/bench.h"
#include "parameter/parameters.h"

typedef struct bench {
	const snw_call *call;
	const snw_registry *registry;
	const snw_deformer *method;
	const char *extra; /* "key=value …" from --set, after the row's settings */
	cJSON *list;
} bench;

static bool has_parameter(const bench *b, const char *key) {
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
static const char *known_settings(const bench *b, const char *settings) {
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

static snw_status time_one(const bench *b, const snw_scene *scene, const char *section, const char *settings, uint32_t repeats,
						   snw_bench_fit_row *row, snw_error *error) {
	const char *all = snw_arena_format(b->call->arena, "%s%s", known_settings(b, settings), b->extra);
	const snw_status status = snw_bench_fit(scene, b->registry, b->method->descriptor->short_name, all, repeats, &b->call->task,
											b->call->arena, row, error);
	if (snw_failed(status)) {
		return status;
	}
	snw_say(b->call,
			"%-12s %6u points %4u frames %-44s %8.3f s, %8.3f s of processors   erms %8.4f   distortion %8.4f %%   max %8.4f "
			"%%   (%s)",
			section, row->points, row->frames, row->settings, row->seconds, row->processor_seconds, row->erms,
			row->distortion_percent, row->max_percent, parts_text(b->call, row));
	cJSON *answer = snw_answer_row(b->list);
	snw_answer_text(answer, "what", section);
	snw_answer_text(answer, "settings", row->settings);
	snw_answer_number(answer, "points", row->points);
	snw_answer_number(answer, "frames", row->frames);
	snw_answer_number(answer, "seconds", row->seconds);
	snw_answer_number(answer, "processor_seconds", row->processor_seconds);
	snw_answer_number(answer, "erms", row->erms);
	snw_answer_number(answer, "distortion_percent", row->distortion_percent);
	snw_answer_number(answer, "max_percent", row->max_percent);
	cJSON *parts = answer ? cJSON_AddObjectToObject(answer, "parts") : NULL;
	for (uint32_t i = 0; i < row->part_count; i++) {
		snw_answer_number(parts, row->parts[i].name, row->parts[i].value);
	}
	return SNW_OK;
}

/* A synthetic sheet at 1, 2 and 4 times the frames and the points. */
static snw_status bench_growth(const bench *b, uint32_t points, uint32_t frames, uint32_t joints, snw_error *error) {
	static const uint32_t times[5][2] = {{1, 1}, {1, 2}, {1, 4}, {2, 1}, {4, 1}};
	static const char *const kinds[] = {"affine blend=linear", "rigid blend=dual-quaternion"};
	snw_status status = SNW_OK;
	for (int k = 0; k < 2 && !snw_failed(status); k++) {
		double first = 0;
		for (int i = 0; i < 5 && !snw_failed(status); i++) {
			snw_scene *scene = snw_bench_sheet(points * times[i][0], frames * times[i][1]);
			snw_bench_fit_row row;
			const char *settings = snw_arena_format(b->call->arena, "joints=%u transforms=%s", joints, kinds[k]);
			status = time_one(b, scene, "growth", settings, 2, &row, error);
			if (!snw_failed(status) && i == 0) {
				first = row.seconds;
			} else if (!snw_failed(status)) {
				snw_say(b->call, "%-12s %u times the points, %u times the frames: %.2f times as long", "", times[i][0],
						times[i][1], row.seconds / first);
			}
			snw_scene_destroy(scene);
		}
	}
	return status;
}

/* By the paper's method, unrefined: error over joints, rigid and affine; then over eigen-displacements, if the method has
 * them. */
static snw_status bench_curve(const bench *b, const snw_scene *scene, uint32_t joints, snw_error *error) {
	static const uint32_t counts[] = {5, 10, 20, 30, 50, 75, 100}, eigens[] = {0, 1, 2, 3, 5, 7, 10};
	static const char *const kinds[] = {"rigid blend=dual-quaternion", "affine blend=linear"};
	snw_bench_fit_row row;
	snw_status status = SNW_OK;
	for (size_t k = 0; k < 2; k++) {
		for (size_t i = 0; i < sizeof counts / sizeof *counts && !snw_failed(status); i++) {
			const char *settings = snw_arena_format(b->call->arena, "joints=%u transforms=%s", counts[i], kinds[k]);
			status = time_one(b, scene, "joints", settings, 1, &row, error);
		}
	}
	for (size_t i = 0; i < sizeof eigens / sizeof *eigens && has_parameter(b, "eigen") && !snw_failed(status); i++) {
		const char *settings =
			snw_arena_format(b->call->arena, "joints=%u transforms=rigid blend=dual-quaternion eigen=%u", joints, eigens[i]);
		status = time_one(b, scene, "eigen", settings, 1, &row, error);
	}
	return status;
}

/* With fitted weights, for engines: error over joints, then over time as the number of iterations grows. */
static snw_status bench_refined(const bench *b, const snw_scene *scene, uint32_t joints, snw_error *error) {
	static const uint32_t counts[] = {5, 10, 20, 30, 50, 75, 100}, iterations[] = {1, 2, 5, 10, 20, 40, 80, 160};
	static const char *const kinds[] = {"rigid", "affine"};
	snw_bench_fit_row row;
	snw_status status = SNW_OK;
	for (size_t k = 0; k < 2; k++) {
		for (size_t i = 0; i < sizeof counts / sizeof *counts && !snw_failed(status); i++) {
			const char *settings =
				snw_arena_format(b->call->arena, "joints=%u transforms=%s blend=linear refine=auto", counts[i], kinds[k]);
			status = time_one(b, scene, "refined", settings, 1, &row, error);
		}
		for (size_t i = 0; i < sizeof iterations / sizeof *iterations && !snw_failed(status); i++) {
			const char *settings = snw_arena_format(b->call->arena, "joints=%u transforms=%s blend=linear refine=%u", joints,
													kinds[k], iterations[i]);
			status = time_one(b, scene, "iterations", settings, 1, &row, error);
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
	bench b = {.call = call, .registry = registry, .extra = extra, .list = snw_answer_list(call->answer, "rows")};
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
