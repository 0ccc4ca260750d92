/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Clocks in seconds, to measure durations. Any thread.
 */
#ifndef SINEW_HOST_BASE_CLOCK_H
#define SINEW_HOST_BASE_CLOCK_H

#include <stdbool.h>
#include <sys/types.h>

/* Since an arbitrary moment in the past; monotonic, and the same in all processes of a machine. */
double snw_clock_seconds(void);

/* The processor time of the calling thread, or of all threads of the process. */
double snw_clock_thread_seconds(void);
double snw_clock_process_seconds(void);

/* The processor time of another process, all threads together; false if it cannot be read. */
bool snw_clock_read_process(pid_t process, double *seconds);

#endif
