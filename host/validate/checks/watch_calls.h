/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Catches calls of the C library that evaluation must not make: memory, locks, files, waiting. The entries through which a
 * plug-in calls these functions are replaced while it is watched. What it calls through another library is not seen.
 */
#ifndef SINEW_HOST_VALIDATE_CHECKS_WATCH_CALLS_H
#define SINEW_HOST_VALIDATE_CHECKS_WATCH_CALLS_H

#include <setjmp.h>
#include <stdbool.h>

/* Where a forbidden call jumps to, out of the plug-in. */
typedef struct watch_calls {
	jmp_buf back;
	const char *called; /* the function that was called; NULL as long as none was */
} watch_calls;

/* Watches the loaded file at `path` until watch_calls_end, on one thread of the process. False if its entries cannot be found:
 * then nothing is watched.
 *
 *     watch_calls watch;
 *     if (watch_calls_begin(&watch, path) && setjmp(watch.back) == 0) { … }
 *     watch_calls_end(&watch); */
bool watch_calls_begin(watch_calls *watch, const char *path);
void watch_calls_end(watch_calls *watch);

#endif
