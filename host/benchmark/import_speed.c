/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How long a character takes to import from FBX: Sinew's reader and Assimp's read the same file in turn.
 */
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "benchmark/benchmark.h"
#include "export/export.h"
#include "import/assimp/assimp.h"
#include "import/fbx/fbx.h"
#include "sinew/kit/clock.h"
#include "stack/stack.h"

enum { FRAMES = 31, ROUNDS = 5 };

static snw_status write_character(const snw_registry *registry, uint32_t points, const char *path, const snw_task *task,
								  uint64_t *bytes, snw_error *error) {
	snw_scene *scene = snw_bench_chain(points, FRAMES);
	snw_stack *stack = NULL;
	snw_export_report report = {0};
	const snw_export_request request = {.path = path, .mesh = SNW_NONE, .clip = SNW_NONE, .influences = 4, .unmeasured = true};
	snw_status status = snw_stack_build(scene, registry, NULL, task, &stack, error);
	status = snw_failed(status) ? status : snw_export(scene, stack, &request, task, &report, error);
	*bytes = report.byte_count;
	snw_stack_destroy(stack);
	snw_scene_destroy(scene);
	return status;
}

/* The seconds of one import, and what it has found. */
static snw_status time_import(const snw_import_format *format, const char *path, snw_bench_import_row *row, snw_error *error) {
	const snw_import_request request = {.file = path};
	snw_scene *scene = snw_scene_create();
	const double begin = snk_clock_seconds();
	const snw_status status = format->read(path, &request, NULL, scene, error);
	const double seconds = snk_clock_seconds() - begin;
	row->seconds = fmin(row->seconds, seconds);
	row->points = scene->mesh_count > 0 ? scene->meshes[0].point_count : 0;
	row->clips = scene->clip_count;
	snw_scene_destroy(scene);
	return status;
}

snw_status snw_bench_import(const snw_registry *registry, uint32_t points, const char *folder, const snw_task *task,
							snw_bench_import_row rows[SNW_BENCH_IMPORT_ROWS], snw_error *error) {
	static const snw_import_format *const formats[SNW_BENCH_IMPORT_ROWS] = {&snw_import_fbx, &snw_import_assimp};
	static const char *const names[SNW_BENCH_IMPORT_ROWS] = {"Sinew", "Assimp"};
	char path[4096];
	uint64_t bytes = 0;
	snprintf(path, sizeof path, "%s/sinew-bench-%ld.fbx", folder, (long)getpid());
	snw_status status = write_character(registry, points, path, task, &bytes, error);
	for (int i = 0; i < SNW_BENCH_IMPORT_ROWS; i++) {
		rows[i] = (snw_bench_import_row){.reader = names[i], .bytes = bytes, .seconds = HUGE_VAL};
	}
	for (int i = 0; i < ROUNDS * SNW_BENCH_IMPORT_ROWS && !snw_failed(status); i++) {
		const int r = i % SNW_BENCH_IMPORT_ROWS;
		status = snw_task_progress(task, (double)i / (ROUNDS * SNW_BENCH_IMPORT_ROWS), "importing")
					 ? time_import(formats[r], path, &rows[r], error)
					 : SNW_CANCELLED;
		rows[r].ratio = rows[0].seconds / rows[r].seconds;
	}
	unlink(path);
	return status;
}
