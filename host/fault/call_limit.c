/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fault/call_limit.h"

#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "fault/fault_line.h"
#include "services/services.h"
#include "sinew/kit/clock.h"

enum { DEFAULT_SECONDS = 60, WINDOW_SECONDS = 10, TICKS_A_SECOND = 40 };

static const double LOOK_SECONDS = 0.25; /* between two looks at the calls */

static atomic_bool keeps_running;
static uint32_t limit_seconds = DEFAULT_SECONDS;

typedef struct watch {
	uint32_t tick;
	uint32_t named; /* 1 + the tick at which the last reported call began; 0: none */
} watch;

static void visit_call(void *context, const snw_thread_call *call, uint32_t begun) {
	watch *w = context;
	if (call->is_unlimited || w->tick - begun <= limit_seconds * TICKS_A_SECOND || w->named == begun + 1) {
		return;
	}
	const bool ends = !atomic_load(&keeps_running);
	if (ends) {
		snw_fault_claim();
	}
	w->named = begun + 1;
	snw_fault_begin_line(call);
	snw_fault_put(!ends ? " blocks the window in " : call->reports ? " has reported nothing in " : " has not returned from ");
	snw_fault_put_function(call);
	snw_fault_put(ends && call->reports ? " for " : " after ");
	snw_fault_put_number(limit_seconds);
	snw_fault_put(" seconds ($SINEW_PLUGIN_SECONDS)");
	if (ends) {
		snw_fault_end_process(call);
	}
	snw_fault_end_line(call);
}

double snw_call_limit_used(double seconds, double computed) {
	return fmin(seconds, fmax(computed, seconds / 10));
}

/* Counts looks instead of reading a clock, so that the time in which the program is stopped does not count. */
static void *watch_calls(void *argument) {
	(void)argument;
	watch w = {0};
	double before = snk_clock_process_seconds();
	for (;;) {
		nanosleep(&(struct timespec){.tv_nsec = (long)(1e9 * LOOK_SECONDS)}, NULL);
		const double computed = snk_clock_process_seconds();
		w.tick = snw_thread_tick((uint32_t)lround(TICKS_A_SECOND * snw_call_limit_used(LOOK_SECONDS, computed - before)));
		before = computed;
		snw_thread_calls(visit_call, &w);
	}
	return NULL;
}

void snw_call_limit_start(void) {
	const char *set = getenv("SINEW_PLUGIN_SECONDS");
	if (set && set[0]) {
		char *end;
		const unsigned long seconds = strtoul(set, &end, 10);
		limit_seconds = *end == 0 && seconds < 1000000 ? (uint32_t)seconds : DEFAULT_SECONDS;
	}
	sigset_t all, before;
	pthread_t thread;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	if (limit_seconds > 0 && pthread_create(&thread, NULL, watch_calls, NULL) == 0) {
		pthread_detach(thread);
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

uint32_t snw_call_limit_seconds(void) {
	return limit_seconds;
}

uint32_t snw_call_limit_of_evaluation(void) {
	return atomic_load(&keeps_running) && limit_seconds > WINDOW_SECONDS ? WINDOW_SECONDS : limit_seconds;
}

void snw_call_limit_keep_running(void) {
	atomic_store(&keeps_running, true);
}
