/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "worker/job/jobs.h"

#include "file/file.h"
#include "project/project.h"

snw_status snw_job_import(const snw_import_request *request, const char *path, const snw_task *task, snw_error *error) {
	snw_scene *scene = NULL;
	const snw_status status = snw_import(request, task, &scene, error);
	if (snw_failed(status)) {
		return status;
	}
	char label[300];
	snprintf(label, sizeof label, "import %s", snw_path_name(request->file ? request->file : request->sequence));
	const snw_status written = snw_project_write_checked(path, scene, label, task, error);
	snw_scene_destroy(scene);
	return written;
}

snw_status snw_job_open(const char *path, const snw_task *task, snw_scene **scene, snw_error *error) {
	snw_project *project = NULL;
	snw_status status = snw_project_open(path, true, &project, error);
	status = snw_failed(status) ? status : snw_project_read_scene(project, task, scene, error);
	snw_project_close(project);
	return status;
}

snw_status snw_job_fit(const snw_scene *scene, const snw_fit_request *request, const snw_task *task, snw_fit_outcome *outcome,
					   snw_error *error) {
	snw_registry *registry = snw_registry_open();
	const snw_status status = snw_fit_run(scene, registry, request, task, outcome, error);
	snw_registry_close(registry);
	return status;
}
