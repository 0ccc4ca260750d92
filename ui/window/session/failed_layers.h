/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A layer whose plug-in fails while the character is posed is left out of what this window shows. The project keeps it as it is. It is
 * tried again when it is changed or fitted, or when somebody asks for it.
 */
#ifndef SINEW_UI_WINDOW_SESSION_FAILED_LAYERS_H
#define SINEW_UI_WINDOW_SESSION_FAILED_LAYERS_H

#include "window/session/session.h"

/* Leaves a layer of the document out, or shows it again. */
void snw_session_leave_out(snw_session *session, const snw_layer *layer, bool is_left_out);

/* After the display has posed what is shown: answers a failure with a message that names the layer, and leaves it out. */
void snw_session_answer_failure(snw_session *session);

#endif
