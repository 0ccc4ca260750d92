/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The error over time: how far the stack is from a clip's targets at each of their frames, worked out in a thread of its own
 * while the window goes on.
 */
#ifndef SINEW_UI_WINDOW_SESSION_ERROR_CURVE_H
#define SINEW_UI_WINDOW_SESSION_ERROR_CURVE_H

#include <stdint.h>

struct snw_session;
typedef struct snw_error_curve snw_error_curve;

snw_error_curve *snw_error_curve_create(uint32_t wake_event); /* NULL without a thread: then there is no plot */
void snw_error_curve_destroy(snw_error_curve *curve);         /* NULL does nothing */

/* Starts again with the clip and the stack that the session shows; both must outlive the run. */
void snw_error_curve_begin(snw_error_curve *curve, struct snw_session *session);
void snw_error_curve_end(snw_error_curve *curve); /* waits for the frame under way */
/* The same, but the background worker waits for it. What is freed in the background after this call is no longer read by then. */
void snw_error_curve_leave(snw_error_curve *curve, struct snw_session *session);

/* What is known so far: the largest error of each frame, millimetres; below 0 where it is not known yet. Returns how many frames
 * there are; both arrays are [most]. */
uint32_t snw_error_curve_read(snw_error_curve *curve, uint32_t most, double *seconds, float *millimetres);

#endif
