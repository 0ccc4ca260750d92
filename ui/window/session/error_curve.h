/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The error over time: how far the stack is from a clip's targets at each of their frames, computed in a thread of its own.
 */
#ifndef SINEW_UI_WINDOW_SESSION_ERROR_CURVE_H
#define SINEW_UI_WINDOW_SESSION_ERROR_CURVE_H

#include <stdint.h>

struct snw_session;
typedef struct snw_error_curve snw_error_curve;

snw_error_curve *snw_error_curve_create(uint32_t wake_event); /* NULL if no thread can be started: then there is no plot */
void snw_error_curve_destroy(snw_error_curve *curve);         /* NULL: does nothing */

/* Starts again for the clip and the stack that the session shows; both must outlive the run. */
void snw_error_curve_begin(snw_error_curve *curve, struct snw_session *session);
void snw_error_curve_end(snw_error_curve *curve); /* waits for the current frame */
/* The same, but the background thread waits for it. What is freed in the background afterwards is no longer read by then. */
void snw_error_curve_leave(snw_error_curve *curve, struct snw_session *session);

/* The results so far: the largest error of each frame in millimetres, below 0 if it is not known yet. Returns the number of
 * frames; both arrays are [most]. */
uint32_t snw_error_curve_read(snw_error_curve *curve, uint32_t most, double *seconds, float *millimetres);

#endif
