/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A second job thread for long work that does not change the project: a mesh is prepared for sculpting, or refined, during a
 * fit. A job sees the document that is shown when it begins, which may be later than the one it was sent for, and may end
 * when a still later one is shown. So `run` compares the job's numbers with those of its document, and `done` with those of
 * the session's. It also frees documents that are no longer shown, after all jobs that may still read them.
 */
#ifndef SINEW_UI_WINDOW_SESSION_BACKGROUND_H
#define SINEW_UI_WINDOW_SESSION_BACKGROUND_H

#include "render/draw/panel_picture.h"
#include "window/jobs/job_thread.h"
#include "window/session/session.h"

struct snw_session;

/* The job must not touch the project. Its `done` is called even if another document is shown by then. */
void snw_background_send(struct snw_session *session, snw_job *job);

/* ---- failed layers ------------------------------------------------------------------------------------------------------- */

/* A layer whose plug-in fails while the character is posed is left out of what this window shows; the project does not
 * change. The layer is shown again when it is changed or fitted, or when the user asks for it. */

/* Leaves a layer of the document out, or shows it again. */
void snw_session_leave_out(snw_session *session, const snw_layer *layer, bool is_left_out);

/* After the display has posed the character: reports a failure with a message that names the layer, and leaves the layer
 * out. */
void snw_session_answer_failure(snw_session *session);

/* ---- levels -------------------------------------------------------------------------------------------------------------- */

/* Levels of detail are prepared in the background once one is shown, and again after each change of the project. */

/* Requests the levels if they are missing, and continues their upload. */
void snw_levels_follow(snw_session *session);
bool snw_levels_are_uploading(const snw_session *session);

/* ---- method pictures ----------------------------------------------------------------------------------------------------- */

/* The pictures of methods: a PNG beside a plug-in, with its name. Deformers that ship have one (deformers/draw_pictures.py);
 * others may. */

/* The picture of the plug-in at this path, read when it is first asked for; NULL if it has none. */
snw_panel_picture *snw_method_picture(struct snw_session *session, const char *plugin);
void snw_method_pictures_drop(struct snw_session *session);

#endif
