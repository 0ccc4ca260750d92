/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The top of the colours of an error map: every method, and every moment of a clip, is shown on one scale, that of the
 * baseline over the clip, rounded up. It takes a dozen evaluations of the whole character, so the background worker finds it;
 * until then, colours go by the moment that is shown.
 */
#ifndef SINEW_UI_WINDOW_SESSION_ERROR_SCALE_H
#define SINEW_UI_WINDOW_SESSION_ERROR_SCALE_H

struct snw_session;

/* Requests the scale where the display shows errors and has none yet. */
void snw_error_scale_request(struct snw_session *session);

#endif
