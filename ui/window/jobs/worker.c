/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The thread, and what crosses between it and the window: one errand there, one back, under one lock.
 */
#include "window/jobs/worker.h"

#include <SDL.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#define WAKE_INTERVAL 0.05 /* seconds between wakes for progress */

struct snw_clerk {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t news;
	bool leaving;
	snw_errand *given, *finished;
	const snw_document *document;
	uint32_t subdivision;
	snw_progress progress;
	uint64_t began, waked;
	atomic_bool cancelled;
	uint32_t event;
	snw_task task;
	snw_desk_space desk; /* the thread's own */
};

snw_errand *snw_errand_make(const char *what, size_t order_size) {
	snw_arena *arena = snw_arena_create();
	snw_errand *errand = SNW_NEW(arena, snw_errand);
	*errand = (snw_errand){.arena = arena, .what = snw_arena_text(arena, what), .reloads = true};
	errand->order = snw_arena_acquire(arena, order_size > 0 ? order_size : 1);
	return errand;
}

void snw_errand_destroy(snw_errand *errand) {
	snw_document_destroy(errand->document);
	if (errand->drop) {
		errand->drop(errand->order);
	}
	snw_arena_destroy(errand->arena);
}

static double seconds_since(uint64_t then) {
	return (double)(SDL_GetPerformanceCounter() - then) / (double)SDL_GetPerformanceFrequency();
}

static void wake(const snw_clerk *clerk) {
	SDL_Event event = {.type = clerk->event};
	SDL_PushEvent(&event);
}

/* ---- the task that errands report to ------------------------------------------------------------------------------ */

static bool hear_progress(void *context, double fraction, const char *what) {
	snw_clerk *clerk = context;
	if (seconds_since(clerk->waked) > WAKE_INTERVAL) {
		clerk->waked = SDL_GetPerformanceCounter();
		pthread_mutex_lock(&clerk->lock);
		clerk->progress.fraction = fraction;
		snprintf(clerk->progress.step, sizeof clerk->progress.step, "%s", what ? what : "");
		pthread_mutex_unlock(&clerk->lock);
		wake(clerk);
	}
	return !atomic_load(&clerk->cancelled);
}

static void hear_notice(void *context, snw_log_level level, const char *line) {
	snw_clerk *clerk = context;
	if (level >= SNW_LOG_WARNING) {
		pthread_mutex_lock(&clerk->lock);
		snprintf(clerk->progress.notice, sizeof clerk->progress.notice, "%s", line);
		pthread_mutex_unlock(&clerk->lock);
	}
}

/* ---- the thread --------------------------------------------------------------------------------------------------- */

/* The project is read anew after an errand that failed, too, where it had changed something by then: what is shown is what is in
 * the file. */
static void do_errand(snw_clerk *clerk, snw_errand *errand) {
	snw_desk_space *desk = &clerk->desk;
	const snw_project *former = desk->project;
	const uint64_t changes = former ? snw_project_changes(former) : 0;
	desk->look.layer = 0;
	errand->status = errand->run(desk, errand, errand->order, &errand->error);
	const bool failed = errand->status < 0 || errand->status == SNW_CANCELLED;
	if (errand->status < 0 && desk->project) {
		snw_project_rollback(desk->project);
	}
	const bool changed = desk->project && (desk->project != former || snw_project_changes(desk->project) != changes);
	if (errand->reloads && (!failed || changed)) {
		const snw_status status = snw_document_load(desk->project, desk->path, &desk->look, desk->registry, desk->task,
													&errand->document, &errand->caveat, failed ? NULL : &errand->error);
		errand->status = status < 0 && !failed ? status : errand->status;
	}
	if (errand->document) {
		snw_document_prepare(errand->document, desk->document, desk->subdivision);
	}
}

static void *work(void *context) {
	snw_clerk *clerk = context;
	pthread_mutex_lock(&clerk->lock);
	while (true) {
		while (!clerk->given && !clerk->leaving) {
			pthread_cond_wait(&clerk->news, &clerk->lock);
		}
		if (clerk->leaving) {
			break;
		}
		snw_errand *errand = clerk->given;
		clerk->desk.document = clerk->document;
		clerk->desk.subdivision = clerk->subdivision;
		pthread_mutex_unlock(&clerk->lock);
		do_errand(clerk, errand);
		pthread_mutex_lock(&clerk->lock);
		clerk->given = NULL;
		clerk->finished = errand;
		wake(clerk);
	}
	pthread_mutex_unlock(&clerk->lock);
	snw_project_close(clerk->desk.project);
	clerk->desk.project = NULL;
	return NULL;
}

/* ---- the window's side -------------------------------------------------------------------------------------------- */

snw_status snw_clerk_create(const snw_registry *registry, uint32_t event, snw_clerk **clerk, snw_error *error) {
	snw_clerk *made = SDL_calloc(1, sizeof *made);
	if (!made) {
		return snw_fail(error, SNW_ERROR_MEMORY, "the window is out of memory");
	}
	pthread_mutex_init(&made->lock, NULL);
	pthread_cond_init(&made->news, NULL);
	made->event = event;
	made->task = (snw_task){.context = made, .progress = hear_progress, .notice = hear_notice};
	made->desk = (snw_desk_space){.registry = registry, .task = &made->task};
	if (pthread_create(&made->thread, NULL, work, made) != 0) {
		pthread_cond_destroy(&made->news);
		pthread_mutex_destroy(&made->lock);
		SDL_free(made);
		return snw_fail(error, SNW_ERROR_MEMORY, "the window cannot start a thread; end other programs");
	}
	*clerk = made;
	return SNW_OK;
}

void snw_clerk_destroy(snw_clerk *clerk) {
	if (!clerk) {
		return;
	}
	atomic_store(&clerk->cancelled, true);
	pthread_mutex_lock(&clerk->lock);
	clerk->leaving = true;
	pthread_cond_signal(&clerk->news);
	pthread_mutex_unlock(&clerk->lock);
	pthread_join(clerk->thread, NULL);
	snw_errand *left = clerk->given ? clerk->given : clerk->finished; /* never begun, or never collected */
	if (left) {
		snw_errand_destroy(left);
	}
	pthread_cond_destroy(&clerk->news);
	pthread_mutex_destroy(&clerk->lock);
	SDL_free(clerk);
}

void snw_clerk_send(snw_clerk *clerk, snw_errand *errand, const snw_document *document, uint32_t subdivision) {
	pthread_mutex_lock(&clerk->lock);
	SDL_assert(!clerk->given && !clerk->finished);
	clerk->given = errand;
	clerk->document = document;
	clerk->subdivision = subdivision;
	clerk->progress = (snw_progress){.what = errand->what, .is_long = errand->is_long};
	clerk->began = clerk->waked = SDL_GetPerformanceCounter();
	atomic_store(&clerk->cancelled, false);
	pthread_cond_signal(&clerk->news);
	pthread_mutex_unlock(&clerk->lock);
}

snw_errand *snw_clerk_collect(snw_clerk *clerk) {
	pthread_mutex_lock(&clerk->lock);
	snw_errand *errand = clerk->finished;
	clerk->finished = NULL;
	pthread_mutex_unlock(&clerk->lock);
	return errand;
}

bool snw_clerk_is_busy(snw_clerk *clerk) {
	pthread_mutex_lock(&clerk->lock);
	const bool busy = clerk->given || clerk->finished;
	pthread_mutex_unlock(&clerk->lock);
	return busy;
}

void snw_clerk_cancel(snw_clerk *clerk) {
	atomic_store(&clerk->cancelled, true);
}

void snw_clerk_progress(snw_clerk *clerk, snw_progress *progress) {
	pthread_mutex_lock(&clerk->lock);
	*progress = clerk->progress;
	if (clerk->given) {
		progress->seconds = seconds_since(clerk->began);
	} else {
		progress->what = NULL;
	}
	pthread_mutex_unlock(&clerk->lock);
}
