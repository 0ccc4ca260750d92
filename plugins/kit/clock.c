/* SPDX-License-Identifier: MIT
 *
 * The clocks of POSIX, in seconds.
 */
#include "sinew/kit/clock.h"

static double seconds_of(const struct timespec *time) {
	return (double)time->tv_sec + 1e-9 * (double)time->tv_nsec;
}

static double read_clock(clockid_t clock) {
	struct timespec time;
	clock_gettime(clock, &time);
	return seconds_of(&time);
}

double snk_clock_seconds(void) {
	return read_clock(CLOCK_MONOTONIC);
}

uint64_t snk_clock_nanoseconds(void) {
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

struct timespec snk_clock_after(double seconds) {
	const uint64_t moment = snk_clock_nanoseconds() + (uint64_t)(1e9 * seconds);
	return (struct timespec){.tv_sec = (time_t)(moment / 1000000000), .tv_nsec = (long)(moment % 1000000000)};
}

double snk_clock_thread_seconds(void) {
	return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

double snk_clock_process_seconds(void) {
	return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

int snk_clock_read_process(pid_t process, double *seconds) {
	clockid_t clock;
	struct timespec time;
	const int is_known = clock_getcpuclockid(process, &clock) == 0 && clock_gettime(clock, &time) == 0;
	if (is_known) {
		*seconds = seconds_of(&time);
	}
	return is_known;
}
