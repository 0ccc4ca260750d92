/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What takes time and leaves the project alone, done beside the clerk by a second thread of its kind: so a mesh is made ready to
 * be sculpted, or refined, while a fit goes on. Its errands see the document that was shown when they were taken up; documents
 * that are no longer shown are given back by it too, behind all that may still read them.
 */
#ifndef SINEW_UI_WINDOW_SESSION_BACKGROUND_H
#define SINEW_UI_WINDOW_SESSION_BACKGROUND_H

#include "window/jobs/worker.h"

struct snw_session;

/* Its `done` is called though another document may be there by then. It must not touch the project. */
void snw_aside_send(struct snw_session *session, snw_errand *errand);
/* A document that is not shown any more. */
void snw_aside_dispose(struct snw_session *session, snw_document *document);
/* Takes up what is done, and sends what waits. */
void snw_aside_collect(struct snw_session *session);
bool snw_aside_is_busy(const struct snw_session *session);
/* Ends the thread and gives back what waits. */
void snw_aside_end(struct snw_session *session);

#endif
