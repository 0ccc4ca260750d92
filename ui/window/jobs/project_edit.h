/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Changes of the project as jobs. Each is one undoable step of the journal.
 */
#ifndef SINEW_UI_WINDOW_JOBS_PROJECT_EDIT_H
#define SINEW_UI_WINDOW_JOBS_PROJECT_EDIT_H

#include "window/jobs/job_thread.h"

/* One command, named after the job: begin, `change`, commit; then stale models are fitted again. */
typedef snw_status snw_change(snw_job_context *context, void *request, snw_error *error);
snw_status snw_edit_commit(snw_job_context *context, snw_job *job, snw_change *change, void *request, snw_error *error);

/* After a change: fits the stale models again, in this process and as part of the same step. The job's caveat names a model
 * that could not be fitted. */
snw_status snw_edit_refresh(snw_job_context *context, snw_job *job, snw_error *error);

#endif
