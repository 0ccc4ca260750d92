/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Seconds, to tell how long something took. Any thread.
 */
#ifndef SINEW_HOST_BASE_CLOCK_H
#define SINEW_HOST_BASE_CLOCK_H

/* Since some moment in the past: never set back. The same in all processes of a machine. */
double snw_clock_seconds(void);

/* What the calling thread, or all threads of the process, have run on a processor: they stand still while something else runs. */
double snw_clock_thread_seconds(void);
double snw_clock_process_seconds(void);

#endif
