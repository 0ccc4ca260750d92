/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Work of a library that cannot report: it runs in a thread of its own, while the thread that asked for it repeats the
 * plug-in's last report.
 */
#include <errno.h>

#include "services/services_internal.h"
#include "sinew/kit/clock.h"

static const double TICK_SECONDS = 0.02;
static const double SHORT_WORK = 1e8; /* operations; a thread is not worth less */

typedef struct reported_work {
	snw_status (*run)(void *argument);
	void *argument;
	snw_thread_call call;
	pthread_mutex_t mutex; /* protects the members below */
	pthread_cond_t ended;
	bool has_ended;
	snw_status status;
} reported_work;

static void *run_work(void *argument) {
	reported_work *work = argument;
	const snw_thread_call previous = snw_thread_enter(work->call);
	const snw_status status = work->run(work->argument);
	snw_thread_leave_chunk(previous);
	pthread_mutex_lock(&work->mutex);
	work->status = status;
	work->has_ended = true;
	pthread_cond_signal(&work->ended);
	pthread_mutex_unlock(&work->mutex);
	return NULL;
}

/* With the mutex held. */
static void wait_for_tick(reported_work *work) {
	const struct timespec until = snk_clock_after(TICK_SECONDS);
	while (!work->has_ended && pthread_cond_timedwait(&work->ended, &work->mutex, &until) != ETIMEDOUT) {
	}
}

static void report_until_ended(snw_services *services, reported_work *work) {
	pthread_mutex_lock(&work->mutex);
	while (!work->has_ended) {
		wait_for_tick(work);
		pthread_mutex_unlock(&work->mutex);
		snw_services_repeat_report(services);
		pthread_mutex_lock(&work->mutex);
	}
	pthread_mutex_unlock(&work->mutex);
}

snw_status snw_services_run_reported(const snw_host *host, double operations, snw_status (*run)(void *argument),
									 void *argument) {
	snw_services *services = snw_services_of(host);
	const bool can_report = services->task && services->task->progress;
	if (!can_report || operations < SHORT_WORK) {
		return run(argument);
	}
	reported_work work = {.run = run, .argument = argument, .call = snw_thread_current_call()};
	work.call.is_unlimited = true; /* this thread reports for it */
	pthread_condattr_t clock;
	pthread_t thread;
	pthread_mutex_init(&work.mutex, NULL);
	pthread_condattr_init(&clock);
	pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
	pthread_cond_init(&work.ended, &clock);
	pthread_condattr_destroy(&clock);
	if (pthread_create(&thread, NULL, run_work, &work) == 0) {
		report_until_ended(services, &work);
		pthread_join(thread, NULL);
	} else {
		work.status = run(argument);
	}
	pthread_cond_destroy(&work.ended);
	pthread_mutex_destroy(&work.mutex);
	return work.status;
}
