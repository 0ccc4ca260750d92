/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A plug-in that crashes, ends the program or never returns in the program itself, outside the worker: the program cannot go on, but
 * it can say whose fault it was, and what to do.
 */
#ifndef SINEW_HOST_PLUGIN_CRASH_REPORT_H
#define SINEW_HOST_PLUGIN_CRASH_REPORT_H

#include <stdint.h>

/* From now on these end this process with exit status 1 and one line that names the deformer (or the file, while it is being
 * loaded), the function and the layer that it is run for:
 *   - a crash or exit() inside a call into a plug-in, on whatever thread;
 *   - a crash in the code of a plug-in on a thread that it started, also once the plug-in is unloaded;
 *   - a call that takes longer than $SINEW_PLUGIN_SECONDS (60 where it is not set; 0: no limit). A fit of the worker has other limits.
 * Crashes anywhere else, and in child processes, are as they were. Call it once, from main: handlers that were there before (a
 * sanitizer's) are called for all that is not a plug-in's. */
void snw_crash_watch(void);

/* A call that takes too long is only named, once, and goes on: for a window, which holds what an artist did. */
void snw_crash_watch_keeps_running(void);

/* $SINEW_PLUGIN_SECONDS, or what it is where that is not set; 0: no limit. */
uint32_t snw_crash_watch_limit(void);

/* Notes where the code of a loaded file lies, for crashes on threads that a plug-in started. `handle` is dlopen's. */
void snw_crash_note_object(const char *path, void *handle);

#endif
