/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The jobs themselves, the same in the worker and in the caller's process.
 */
#ifndef SINEW_HOST_WORKER_JOBS_H
#define SINEW_HOST_WORKER_JOBS_H

#include "fit/fit.h"
#include "import/import.h"

/* Imports into a project at `path`. */
snw_status snw_job_import(const snw_import_request *request, const char *path, const snw_task *task, snw_error *error);

/* The scene of the project at `path`, which is not changed. */
snw_status snw_job_open(const char *path, snw_scene **scene, snw_error *error);

/* Fits over that scene with the plug-ins that there are. */
snw_status snw_job_fit(const snw_scene *scene, const snw_fit_request *request, const snw_task *task, snw_fit_outcome *outcome,
					   snw_error *error);

#endif
