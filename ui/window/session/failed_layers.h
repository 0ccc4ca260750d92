/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A layer whose plug-in fails while the character is posed is left out of what this window shows; the project does not
 * change. The layer is shown again when it is changed or fitted, or when the user asks for it.
 */
#ifndef SINEW_UI_WINDOW_SESSION_FAILED_LAYERS_H
#define SINEW_UI_WINDOW_SESSION_FAILED_LAYERS_H

#include "window/session/session.h"

/* Leaves a layer of the document out, or shows it again. */
void snw_session_leave_out(snw_session *session, const snw_layer *layer, bool is_left_out);

/* After the display has posed the character: reports a failure with a message that names the layer, and leaves the layer
 * out. */
void snw_session_answer_failure(snw_session *session);

#endif
