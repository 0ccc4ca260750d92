/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The upper end of the error map's colours. Every method and every moment of a clip has the same scale: the error of the
 * baseline over the clip, rounded up. It takes a dozen evaluations of the whole character, so the background thread computes
 * it. Until then the scale is that of the moment that is shown.
 */
#ifndef SINEW_UI_WINDOW_SESSION_ERROR_SCALE_H
#define SINEW_UI_WINDOW_SESSION_ERROR_SCALE_H

struct snw_session;

/* Requests the scale if the display shows errors and has none yet. */
void snw_error_scale_request(struct snw_session *session);

#endif
