/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The clocks of POSIX, in seconds.
 */
#include "base/clock.h"

#include <time.h>

static double seconds_of(const struct timespec *time) {
	return (double)time->tv_sec + 1e-9 * (double)time->tv_nsec;
}

static double read_clock(clockid_t clock) {
	struct timespec time;
	clock_gettime(clock, &time);
	return seconds_of(&time);
}

double snw_clock_seconds(void) {
	return read_clock(CLOCK_MONOTONIC);
}

double snw_clock_thread_seconds(void) {
	return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

double snw_clock_process_seconds(void) {
	return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

bool snw_clock_read_process(pid_t process, double *seconds) {
	clockid_t clock;
	struct timespec time;
	const bool is_known = clock_getcpuclockid(process, &clock) == 0 && clock_gettime(clock, &time) == 0;
	if (is_known) {
		*seconds = seconds_of(&time);
	}
	return is_known;
}
