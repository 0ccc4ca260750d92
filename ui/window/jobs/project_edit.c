/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What jobs that change the project share.
 */
#include "window/jobs/project_edit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "worker/refresh.h"

snw_status snw_edit_refresh(snw_job_context *context, snw_job *job, snw_error *error) {
	const snw_worker_limits limits = {.in_process = true};
	snw_refresh refresh = {0};
	const snw_status status = snw_worker_refresh(context->project, context->path, context->registry, &limits, context->task,
												 job->arena, &refresh, error);
	if (!snw_failed(status) && refresh.failed_count > 0) {
		snprintf(job->caveat.text, sizeof job->caveat.text, "%s", refresh.failed[0]);
	}
	return status;
}

snw_status snw_edit_commit(snw_job_context *context, snw_job *job, snw_change *change, void *request, snw_error *error) {
	snw_status status = snw_project_begin(context->project, job->label, error);
	status = snw_failed(status) ? status : change(context, request, error);
	if (snw_failed(status)) {
		snw_project_rollback(context->project);
		return status;
	}
	status = snw_project_commit(context->project, error);
	return snw_failed(status) ? status : snw_edit_refresh(context, job, error);
}
