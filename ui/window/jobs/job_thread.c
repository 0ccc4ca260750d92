/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The thread. One lock guards the current and the finished job.
 */
#include "window/jobs/job_thread.h"

#include <SDL.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sinew/kit/clock.h"
#include "worker/worker.h"

/* ---- job thread ---------------------------------------------------------------------------------------------------------- */

#define WAKE_INTERVAL 0.05 /* seconds between wakes for progress */

struct snw_job_thread {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	bool is_ending;
	snw_job *current, *finished;
	bool is_storing;   /* what the last job has finished */
	snw_job *unstored; /* a failed job: that could not be stored */
	const snw_document *document;
	const snw_registry *registry;
	uint32_t subdivision;
	snw_progress progress;
	double began, waked; /* seconds of the clock */
	atomic_bool cancelled;
	uint32_t event;
	snw_task task;
	snw_job_context context; /* used by the thread alone */
};

snw_job *snw_job_create(const char *label, size_t request_size) {
	snw_arena *arena = snw_arena_create();
	snw_job *job = SNW_NEW(arena, snw_job);
	*job = (snw_job){.arena = arena, .label = snw_arena_text(arena, label), .reloads = true};
	job->request = snw_arena_acquire(arena, request_size > 0 ? request_size : 1);
	return job;
}

void snw_job_destroy(snw_job *job) {
	snw_document_destroy(job->document);
	if (job->free_request) {
		job->free_request(job->request);
	}
	snw_arena_destroy(job->arena);
}

void snw_job_queue_add(snw_job_queue *queue, snw_job *job) {
	job->next = NULL;
	*(queue->last ? &queue->last->next : &queue->first) = job;
	queue->last = job;
}

snw_job *snw_job_queue_take(snw_job_queue *queue) {
	snw_job *job = queue->first;
	if (job) {
		queue->first = job->next;
		queue->last = queue->first ? queue->last : NULL;
	}
	return job;
}

void snw_job_queue_clear(snw_job_queue *queue) {
	for (snw_job *job; (job = snw_job_queue_take(queue)) != NULL;) {
		snw_job_destroy(job);
	}
}

static void wake(const snw_job_thread *thread) {
	SDL_Event event = {.type = thread->event};
	SDL_PushEvent(&event);
}

/* ---- the jobs' task ------------------------------------------------------------------------------------------------------ */

static bool on_progress(void *context, double fraction, const char *label) {
	snw_job_thread *thread = context;
	if (snk_clock_seconds() - thread->waked > WAKE_INTERVAL) {
		thread->waked = snk_clock_seconds();
		pthread_mutex_lock(&thread->lock);
		thread->progress.fraction = fraction;
		snprintf(thread->progress.step, sizeof thread->progress.step, "%s", label ? label : "");
		pthread_mutex_unlock(&thread->lock);
		wake(thread);
	}
	return !atomic_load(&thread->cancelled);
}

static void on_notice(void *context, snw_log_level level, const char *line) {
	snw_job_thread *thread = context;
	if (level >= SNW_LOG_WARNING) {
		pthread_mutex_lock(&thread->lock);
		snprintf(thread->progress.notice, sizeof thread->progress.notice, "%s", line);
		pthread_mutex_unlock(&thread->lock);
	}
}

/* ---- the thread ---------------------------------------------------------------------------------------------------------- */

/* Cancelling a job does not cancel reading the document after it, except when the window is closed. */
static void forget_cancel(snw_job_thread *thread) {
	pthread_mutex_lock(&thread->lock);
	if (!thread->is_ending) {
		atomic_store(&thread->cancelled, false);
	}
	pthread_mutex_unlock(&thread->lock);
}

/* Reads the project for a job; `previous` is the document that is shown. */
static void read_document(snw_job_thread *thread, snw_job *job, const snw_document *previous) {
	snw_job_context *context = &thread->context;
	const bool failed = snw_failed(job->status);
	forget_cancel(thread);
	const snw_status status = snw_document_load(context->project, context->path, &context->preview, context->registry,
												context->task, &job->document, &job->caveat, failed ? NULL : &job->error);
	job->status = snw_failed(status) && !failed ? status : job->status;
	if (job->document && job->compare) {
		job->compare(job->request, previous, job->document);
	}
	if (job->document) {
		snw_document_prepare(job->document, previous, context->subdivision);
	}
}

/* If that fails, the job has failed, and its document is the project as it was. */
static void store_at_once(snw_job_thread *thread, snw_job *job) {
	const snw_status status = snw_project_store(thread->context.project, &job->error);
	if (snw_failed(status)) {
		snw_document_destroy(job->document);
		job->document = NULL;
		job->status = status;
		read_document(thread, job, thread->context.document);
	}
}

/* A job that failed after a change also reads the project again, so that the window shows what is in the file; so does one that
 * another program's change has stopped, which can then be tried again. */
static void do_job(snw_job_thread *thread, snw_job *job) {
	snw_job_context *context = &thread->context;
	const snw_project *previous = context->project;
	const uint64_t changes = previous ? snw_project_changes(previous) : 0;
	context->preview.layer = 0;
	job->status = previous || job->opens || !job->reloads
					  ? job->run(context, job, job->request, &job->error)
					  : snw_fail(&job->error, SNW_ERROR_MISSING, "no project is open; open one first");
	const bool failed = snw_failed(job->status);
	if (failed && context->project) {
		snw_project_rollback(context->project);
	}
	const bool changed = context->project && (context->project != previous || snw_project_changes(context->project) != changes);
	if (job->reloads && (!failed || changed || (context->project && job->status == SNW_ERROR_CONFLICT))) {
		read_document(thread, job, context->document);
	}
	/* Another character is not shown before it is stored: the window may fail to upload it. */
	if (context->project && snw_project_is_unstored(context->project) && !(job->document && job->document->follows)) {
		store_at_once(thread, job);
	}
}

/* What the window has got of the job stays its document while the thread is busy. */
static snw_job *store_after(snw_job_thread *thread, const char *label, const snw_document *shown) {
	snw_job *job = snw_job_create(label, 0);
	job->status = snw_project_store(thread->context.project, &job->error);
	if (!snw_failed(job->status)) {
		snw_job_destroy(job);
		return NULL;
	}
	read_document(thread, job, shown);
	return job;
}

static void *work(void *context) {
	snw_job_thread *thread = context;
	pthread_mutex_lock(&thread->lock);
	while (true) {
		while (!thread->current && !thread->is_ending) {
			pthread_cond_wait(&thread->changed, &thread->lock);
		}
		if (thread->is_ending) {
			break;
		}
		snw_job *job = thread->current;
		thread->context.document = thread->document;
		thread->context.registry = thread->registry;
		thread->context.subdivision = thread->subdivision;
		pthread_mutex_unlock(&thread->lock);
		do_job(thread, job);
		const snw_document *shown = job->document;
		char label[200];
		snprintf(label, sizeof label, "%s", job->label);
		pthread_mutex_lock(&thread->lock);
		thread->is_storing = thread->context.project && snw_project_is_unstored(thread->context.project);
		thread->current = NULL;
		thread->finished = job;
		wake(thread);
		if (thread->is_storing) {
			thread->progress = (snw_progress){0};
			thread->began = snk_clock_seconds();
			pthread_mutex_unlock(&thread->lock);
			snw_job *unstored = store_after(thread, label, shown);
			pthread_mutex_lock(&thread->lock);
			thread->is_storing = false;
			thread->unstored = unstored;
			wake(thread);
		}
	}
	pthread_mutex_unlock(&thread->lock);
	snw_project_close(thread->context.project);
	thread->context.project = NULL;
	return NULL;
}

/* ---- for the window's thread --------------------------------------------------------------------------------------------- */

snw_status snw_job_thread_create(const snw_registry *registry, uint32_t event, snw_job_thread **thread, snw_error *error) {
	snw_job_thread *made = SDL_calloc(1, sizeof *made);
	if (!made) {
		return snw_fail(error, SNW_ERROR_MEMORY, "the window is out of memory");
	}
	pthread_mutex_init(&made->lock, NULL);
	pthread_cond_init(&made->changed, NULL);
	made->event = event;
	made->task = (snw_task){.context = made, .progress = on_progress, .notice = on_notice};
	made->registry = registry;
	made->context = (snw_job_context){.task = &made->task};
	if (pthread_create(&made->thread, NULL, work, made) != 0) {
		pthread_cond_destroy(&made->changed);
		pthread_mutex_destroy(&made->lock);
		SDL_free(made);
		return snw_fail(error, SNW_ERROR_MEMORY, "the window cannot start a thread; close other programs");
	}
	*thread = made;
	return SNW_OK;
}

void snw_job_thread_destroy(snw_job_thread *thread) {
	if (!thread) {
		return;
	}
	pthread_mutex_lock(&thread->lock);
	atomic_store(&thread->cancelled, true);
	thread->is_ending = true;
	pthread_cond_signal(&thread->changed);
	pthread_mutex_unlock(&thread->lock);
	pthread_join(thread->thread, NULL);
	snw_job *unfinished = thread->current
							  ? thread->current
							  : thread->finished; /* either one that was never begun, or one that was never collected */
	if (unfinished) {
		snw_job_destroy(unfinished);
	}
	if (thread->unstored) {
		snw_job_destroy(thread->unstored);
	}
	pthread_cond_destroy(&thread->changed);
	pthread_mutex_destroy(&thread->lock);
	SDL_free(thread);
}

void snw_job_thread_set_registry(snw_job_thread *thread, const snw_registry *registry) {
	pthread_mutex_lock(&thread->lock);
	thread->registry = registry;
	pthread_mutex_unlock(&thread->lock);
}

void snw_job_thread_send(snw_job_thread *thread, snw_job *job, const snw_document *document, uint32_t subdivision) {
	pthread_mutex_lock(&thread->lock);
	SDL_assert(!thread->current && !thread->finished && !thread->is_storing && !thread->unstored);
	thread->current = job;
	thread->document = document;
	thread->subdivision = subdivision;
	thread->progress = (snw_progress){.label = job->label, .is_long = job->is_long};
	thread->began = thread->waked = snk_clock_seconds();
	atomic_store(&thread->cancelled, false);
	pthread_cond_signal(&thread->changed);
	pthread_mutex_unlock(&thread->lock);
}

snw_job *snw_job_thread_collect(snw_job_thread *thread) {
	pthread_mutex_lock(&thread->lock);
	snw_job **first = thread->finished ? &thread->finished : &thread->unstored;
	snw_job *job = *first;
	*first = NULL;
	pthread_mutex_unlock(&thread->lock);
	return job;
}

bool snw_job_thread_is_busy(snw_job_thread *thread) {
	pthread_mutex_lock(&thread->lock);
	const bool busy = thread->current || thread->finished || thread->is_storing || thread->unstored;
	pthread_mutex_unlock(&thread->lock);
	return busy;
}

void snw_job_thread_cancel(snw_job_thread *thread) {
	atomic_store(&thread->cancelled, true);
}

void snw_job_thread_progress(snw_job_thread *thread, snw_progress *progress) {
	pthread_mutex_lock(&thread->lock);
	*progress = thread->progress;
	if (thread->current) {
		progress->seconds = snk_clock_seconds() - thread->began;
	} else if (thread->is_storing) {
		progress->label = "storing";
		progress->seconds = snk_clock_seconds() - thread->began;
	} else {
		progress->label = NULL;
	}
	pthread_mutex_unlock(&thread->lock);
}

/* ---- project edit -------------------------------------------------------------------------------------------------------- */

/* What jobs that change the project share. */

snw_status snw_edit_refresh(snw_job_context *context, snw_job *job, snw_error *error) {
	const snw_worker_limits limits = {.in_process = true};
	snw_refresh refresh = {0};
	const snw_status status = snw_worker_refresh(context->project, context->path, context->registry, &limits, context->task,
												 job->arena, &refresh, error);
	if (!snw_failed(status) && refresh.failed_count > 0) {
		snprintf(job->caveat.text, sizeof job->caveat.text, "%s", refresh.failed[0]);
	}
	return status;
}

snw_status snw_edit_commit(snw_job_context *context, snw_job *job, snw_change *change, void *request, snw_error *error) {
	snw_status status = snw_project_begin(context->project, job->label, error);
	status = snw_failed(status) ? status : change(context, request, error);
	if (snw_failed(status)) {
		snw_project_rollback(context->project);
		return status;
	}
	status = snw_project_commit(context->project, error);
	return snw_failed(status) ? status : snw_edit_refresh(context, job, error);
}
