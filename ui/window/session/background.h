/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A second job thread for long work that does not change the project: a mesh is prepared for sculpting, or refined, during a
 * fit. A job sees the document that is shown when it begins, which may be later than the one it was sent for, and may end
 * when a still later one is shown. So `run` compares the job's numbers with those of its document, and `done` with those of
 * the session's. It also frees documents that are no longer shown, after all jobs that may still read them.
 */
#ifndef SINEW_UI_WINDOW_SESSION_BACKGROUND_H
#define SINEW_UI_WINDOW_SESSION_BACKGROUND_H

#include "window/jobs/job_thread.h"

struct snw_session;

/* The job must not touch the project. Its `done` is called even if another document is shown by then. */
void snw_background_send(struct snw_session *session, snw_job *job);
/* Frees a document that is no longer shown. */
void snw_background_dispose(struct snw_session *session, snw_document *document);
/* Finishes jobs that are done, and starts the next. */
void snw_background_collect(struct snw_session *session);
bool snw_background_is_busy(const struct snw_session *session);
/* Ends the thread and frees the waiting jobs. */
void snw_background_end(struct snw_session *session);

#endif
