/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Clocks, to measure durations. Any thread. The host and the interfaces read no other clock, not SDL's either; the plug-in kit
 * has one of its own, because it sees nothing of the host.
 */
#ifndef SINEW_HOST_BASE_CLOCK_H
#define SINEW_HOST_BASE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

/* Since an arbitrary moment in the past; monotonic, and the same in all processes of a machine. */
double snw_clock_seconds(void);
/* The same in whole nanoseconds. */
uint64_t snw_clock_nanoseconds(void);
/* So many seconds from now, for a wait until a moment of CLOCK_MONOTONIC. */
struct timespec snw_clock_after(double seconds);

/* The processor time of the calling thread, or of all threads of the process. */
double snw_clock_thread_seconds(void);
double snw_clock_process_seconds(void);

/* The processor time of another process, all threads together; false if it cannot be read. */
bool snw_clock_read_process(pid_t process, double *seconds);

#endif
