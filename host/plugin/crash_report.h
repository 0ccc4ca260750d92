/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A plug-in that crashes in the program itself, outside the worker: the program cannot go on, but it can say whose fault it was.
 */
#ifndef SINEW_HOST_PLUGIN_CRASH_REPORT_H
#define SINEW_HOST_PLUGIN_CRASH_REPORT_H

/* From now on a crash inside a call into a plug-in ends this process with exit status 1 and one line that names the deformer (or
 * the file, while it is being loaded). Crashes anywhere else, and in child processes, are as they were. Call it once, from main:
 * handlers that were there before (a sanitizer's) are called for all that is not a plug-in's. */
void snw_crash_watch(void);

#endif
