/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The jobs of a worker. With `in_process` they run in the caller's process instead.
 */
#ifndef SINEW_HOST_WORKER_JOB_JOBS_H
#define SINEW_HOST_WORKER_JOB_JOBS_H

#include "fit/fit.h"
#include "import/import.h"

/* Imports into a project at `path`. */
snw_status snw_job_import(const snw_import_request *request, const char *path, const snw_task *task, snw_error *error);

/* Reads the scene of the project at `path`. */
snw_status snw_job_open(const char *path, const snw_task *task, snw_scene **scene, snw_error *error);

/* Fits on that scene with the installed plug-ins. */
snw_status snw_job_fit(const snw_scene *scene, const snw_fit_request *request, const snw_task *task, snw_fit_outcome *outcome,
					   snw_error *error);

#endif
