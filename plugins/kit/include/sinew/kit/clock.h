/* SPDX-License-Identifier: MIT
 *
 * Clocks, to measure durations. Any thread.
 */
#ifndef SINEW_KIT_CLOCK_H
#define SINEW_KIT_CLOCK_H

#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Since an arbitrary moment in the past; monotonic, and the same in all processes of a machine. */
double snk_clock_seconds(void);
/* The same in whole nanoseconds. */
uint64_t snk_clock_nanoseconds(void);
/* So many seconds from now, for a wait until a moment of CLOCK_MONOTONIC. */
struct timespec snk_clock_after(double seconds);

/* The processor time of the calling thread, or of all threads of the process. */
double snk_clock_thread_seconds(void);
double snk_clock_process_seconds(void);

/* The processor time of another process, all threads together. Returns 0, and writes nothing, if it cannot be read. */
int snk_clock_read_process(pid_t process, double *seconds);

#ifdef __cplusplus
}
#endif

#endif
