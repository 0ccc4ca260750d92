/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A limit on the time of each call into a plug-in, outside the worker, whose fits have limits of their own.
 */
#ifndef SINEW_HOST_FAULT_CALL_LIMIT_H
#define SINEW_HOST_FAULT_CALL_LIMIT_H

#include <stdint.h>

/* From here on a call that takes longer than $SINEW_PLUGIN_SECONDS (default 60; 0: no limit) ends the process with exit status
 * 1 and a line that names the deformer, the function and the layer. The time of a fit that reports progress counts from its
 * last report. Call it once, from main. */
void snw_call_limit_start(void);

/* What an interval of so many seconds uses up of a limit: the time in which the process has computed, but at most all of it and
 * at least a tenth. So a busy machine ends no call that computes, and a call that waits ends after ten times the limit. */
double snw_call_limit_used(double seconds, double computed);

/* The limit; 0 for none. */
uint32_t snw_call_limit_seconds(void);

/* The limit of evaluating in a plug-in process, which may be ended without harm: shorter in a window, which waits for it. */
uint32_t snw_call_limit_of_evaluation(void);

/* From here on such a call is reported once and continues: in a window, ending it would lose an artist's work. */
void snw_call_limit_keep_running(void);

#endif
