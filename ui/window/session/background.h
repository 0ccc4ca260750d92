/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What takes time and leaves the project alone, done beside the worker by a second thread of its kind: so a mesh is made ready to
 * be sculpted, or refined, while a fit goes on. Its jobs see the document that was shown when they were taken up; documents
 * that are no longer shown are given back by it too, behind all that may still read them.
 */
#ifndef SINEW_UI_WINDOW_SESSION_BACKGROUND_H
#define SINEW_UI_WINDOW_SESSION_BACKGROUND_H

#include "window/jobs/worker.h"

struct snw_session;

/* Its `done` is called though another document may be there by then. It must not touch the project. */
void snw_background_send(struct snw_session *session, snw_job *job);
/* A document that is not shown any more. */
void snw_background_dispose(struct snw_session *session, snw_document *document);
/* Takes up what is done, and sends what waits. */
void snw_background_collect(struct snw_session *session);
bool snw_background_is_busy(const struct snw_session *session);
/* Ends the thread and gives back what waits. */
void snw_background_end(struct snw_session *session);

#endif
