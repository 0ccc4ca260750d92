/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A plug-in that crashes or ends the program, outside the worker: the program cannot continue, but it names the plug-in and
 * says what to do.
 */
#ifndef SINEW_HOST_FAULT_CRASH_REPORT_H
#define SINEW_HOST_FAULT_CRASH_REPORT_H

#include <signal.h>
#include <stdbool.h>

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
