/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plug-ins that crash or do not return: the line that names them, time limits of calls, and reports of crashes.
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

/* Calls the handler when the process exits. Threads that call exit at the same time share the handlers: each finds one, as long
 * as they are at most 256. */
void snw_fault_at_exit(void (*handler)(void));

void snw_fault_put(const char *text);

/* "deform of layer 'bulge'" */
void snw_fault_put_function(const snw_thread_call *call);
/* Ends the process at once, without a line. For _exit, which the program defines. */
_Noreturn void snw_fault_exit(int status);

/* A limit on the time of each call into a plug-in, outside the worker, whose fits have limits of their own. */

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

/* A plug-in that crashes or ends the program, outside the worker: the program cannot continue, but it names the plug-in and
 * says what to do. */

/* From here on these end the process with exit status 1 and a line that names the deformer (or the file, while it is being
 * loaded), the function, and the layer that it runs for:
 *   - a crash, exit() or _exit() inside a call into a plug-in, on any thread;
 *   - a crash in the code of a plug-in on a thread that it started, even after the plug-in was unloaded.
 * Other crashes, and crashes of child processes, reach the handlers that were installed before (a sanitizer's). Call it once,
 * from main. */
void snw_crash_watch(void);

/* What a signal means that ends a plug-in: "access to memory that it does not own". NULL for a signal that is no crash. */
const char *snw_crash_words(int signal);
/* Whether a signal's handler was called because the thread's stack had no room left: its words are then SNW_STACK_OVERFLOW. */
#define SNW_STACK_OVERFLOW "its stack overflowed"
bool snw_crash_is_stack_overflow(int signal, const siginfo_t *info, const void *context);

/* Records where the code of a loaded file is, for crashes on threads that a plug-in started. `handle` is dlopen's. */
void snw_crash_add_object(const char *path, void *handle);

#endif
