/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reports a plug-in that crashes in the program itself, outside the worker. The program cannot continue, but it can name the plug-in.
 */
#ifndef SINEW_HOST_PLUGIN_CRASH_REPORT_H
#define SINEW_HOST_PLUGIN_CRASH_REPORT_H

/* Installs signal handlers. After that, a crash inside a plug-in ends this process with exit status 1 and one line that names the
 * deformer (or the file that is being loaded). Other crashes, and those of child processes, go to the handlers that were installed
 * before, such as a sanitizer's. Call it once, from main. */
void snw_crash_watch(void);

#endif
