/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Importing as the program does: in the worker, into a project that is read back.
 */
#ifndef SINEW_TESTS_IMPORT_THROUGH_WORKER_H
#define SINEW_TESTS_IMPORT_THROUGH_WORKER_H

#include "check.h"

#include "project/project.h"
#include "worker/worker.h"

#define ASSIMP_MODELS "/usr/share/assimp/models/"

/* The path of one of Assimp's own test models, as Debian packages them (assimp-testmodels); skips where it is absent. */
static inline const char *check_assimp_model(const char *name) {
	static char path[300];
	snprintf(path, sizeof path, ASSIMP_MODELS "%s", name);
	if (access(path, R_OK) != 0) {
		print_message("skipped: no Assimp test model %s\n", name);
		skip();
	}
	return path;
}

static inline snw_status import_through_worker(const char *file, double idle_seconds, const snw_task *task, snw_scene **scene,
											   snw_error *error) {
	char path[1100];
	snprintf(path, sizeof path, "%s", check_scratch("imported.sinew"));
	const snw_import_request request = {.file = file};
	const snw_worker_limits limits = {.memory_bytes = (uint64_t)2 << 30, .idle_seconds = idle_seconds};
	snw_status status = snw_worker_import(&request, path, &limits, task, NULL, error);
	if (snw_failed(status)) {
		return status;
	}
	snw_project *project = NULL;
	status = snw_project_open(path, true, &project, error);
	status = snw_failed(status) ? status : snw_project_scene(project, scene, error);
	snw_project_close(project);
	unlink(path);
	return status;
}

static inline snw_scene *import_scene(const char *file) {
	snw_scene *scene = NULL;
	snw_error error = {0};
	check_ok(import_through_worker(file, 120, NULL, &scene, &error), error);
	return scene;
}

#endif
