/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plug-ins that crash or do not return: the line that names them, the time that their calls may take, and what crashes are
 * called.
 */
#ifndef SINEW_HOST_FAULT_FAULT_H
#define SINEW_HOST_FAULT_FAULT_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "services/services.h"

/* The line on standard error that names a plug-in at fault. These functions are safe in a signal handler. */

/* Called before the process ends with such a line: returns in the first thread; all others wait for the end. */
void snw_fault_claim(void);
void snw_fault_put(const char *text);
/* "deform of layer 'bulge'" */
void snw_fault_put_function(const snw_thread_call *call);

/* The limit on the time of a call into a plug-in process, in seconds: $SINEW_PLUGIN_SECONDS, or 60; 0 for none. The time of a
 * fit that reports progress counts from its last report. */
uint32_t snw_call_limit_seconds(void);
/* That of evaluating: shorter in a window, which waits for it. */
uint32_t snw_call_limit_of_evaluation(void);
/* From here on this program is a window. */
void snw_call_limit_of_window(void);

/* What an interval of so many seconds uses up of a limit: the time in which the process has computed, but at most all of it and
 * at least a tenth. So a busy machine ends no call that computes, and a call that waits ends after ten times the limit. */
double snw_call_limit_used(double seconds, double computed);

/* From here on a crash inside a call into a plug-in, on any thread of this process, ends it with exit status 1 and a line that
 * names the deformer (or the file, while it is being loaded), the function, and the layer that it runs for. Other crashes, and
 * crashes of child processes, reach the handlers that were installed before (a sanitizer's). Call it once, from main. */
void snw_crash_watch(void);

/* The same with another report than that line, called in the handler of the signal. Where it returns, the earlier handlers are
 * reached. */
typedef void (*snw_crash_report)(int signal, const siginfo_t *info, const void *context);
void snw_crash_handle(snw_crash_report with);

/* What a signal means that ends a plug-in: "access to memory that it does not own". NULL for a signal that is no crash. */
const char *snw_crash_words(int signal);
/* Whether a signal's handler was called because the thread's stack had no room left: its words are then SNW_STACK_OVERFLOW. */
#define SNW_STACK_OVERFLOW "its stack overflowed"
bool snw_crash_is_stack_overflow(int signal, const siginfo_t *info, const void *context);

#endif
