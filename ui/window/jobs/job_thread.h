/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A thread that owns the project's file and runs jobs one after another, so that the window stays responsive. After a job that
 * changed the project it reads the project again and returns a new document.
 *
 * A job may leave its command finished but not stored (snw_project_finish). Then its document is returned first, and the
 * command is stored at once after that. The thread is busy until it is stored: whatever changes the project, and the end of the
 * program, wait for it. If storing fails, a failed job follows, whose document is the project as it is in the file.
 */
#ifndef SINEW_UI_WINDOW_JOBS_JOB_THREAD_H
#define SINEW_UI_WINDOW_JOBS_JOB_THREAD_H

#include "window/document/document.h"

/* What a job works with. Only the thread's thread uses it. */
typedef struct snw_job_context {
	snw_project *project; /* NULL: no project is open */
	char path[4096];      /* of the project */
	/* A solo example outlasts jobs; a dragged parameter ends with the next one. */
	snw_preview preview;
	const snw_registry *registry;
	const snw_document *document; /* as the window shows it; jobs may read it */
	uint32_t subdivision;         /* how often the meshes that the window shows are refined */
	const snw_task *task;         /* reports progress to the window; stops when the window cancels */
} snw_job_context;

typedef struct snw_job snw_job;
struct snw_job {
	snw_arena *arena;  /* holds the job and its request */
	const char *label; /* "saving": for the status line and the journal */
	bool is_long;      /* shown with a progress bar and Cancel */
	bool reloads;      /* the project is read again if it succeeds; without an open one it is refused, unless it opens one */
	bool opens;        /* another project */
	bool renames;      /* the result is the same project in another file */
	snw_status (*run)(snw_job_context *context, snw_job *job, void *request, snw_error *error);
	/* In the job's thread, of the document that was shown and the new one; may be NULL. */
	void (*compare)(void *request, const snw_document *old, const snw_document *next);
	/* In the window's thread, after the new document was installed; may be NULL. `owner` is the session that collected the
	 * job. */
	void (*done)(void *owner, const snw_job *job, void *request);
	/* The same if it failed or was cancelled; may be NULL. */
	void (*failed)(void *owner, const snw_job *job, void *request);
	void *request; /* the input, in the arena */
	/* Frees what the request owns outside the arena, when the job is destroyed; may be NULL. */
	void (*free_request)(void *request);
	uint64_t number, shape; /* of the document that was shown when it was sent to the background (snw_document) */
	snw_job *next;          /* in a queue */
	/* The result. */
	snw_status status;
	snw_error error, caveat;
	snw_document *document; /* the new document, even if the job failed after a change */
};
snw_job *snw_job_create(const char *label, size_t request_size); /* the request is zeroed */
void snw_job_destroy(snw_job *job);

/* Waiting jobs, first in, first out. Empty if zeroed. */
typedef struct snw_job_queue {
	snw_job *first, *last;
} snw_job_queue;
void snw_job_queue_add(snw_job_queue *queue, snw_job *job);
snw_job *snw_job_queue_take(snw_job_queue *queue); /* NULL if none waits */
/* Destroys the waiting jobs. */
void snw_job_queue_clear(snw_job_queue *queue);

typedef struct snw_job_thread snw_job_thread;
/* `event` is the SDL event type that wakes the window when the thread has a result or progress. */
snw_status snw_job_thread_create(const snw_registry *registry, uint32_t event, snw_job_thread **thread, snw_error *error);
void snw_job_thread_destroy(snw_job_thread *thread); /* cancels and waits */
/* The plug-ins of the jobs from the next one on. */
void snw_job_thread_set_registry(snw_job_thread *thread, const snw_registry *registry);

/* Starts a job; the thread must be free. `document` is what the window shows, refined `subdivision` times. */
void snw_job_thread_send(snw_job_thread *thread, snw_job *job, const snw_document *document, uint32_t subdivision);
/* The finished job, which then belongs to the caller; NULL if there is none. */
snw_job *snw_job_thread_collect(snw_job_thread *thread);
bool snw_job_thread_is_busy(snw_job_thread *thread);
void snw_job_thread_cancel(snw_job_thread *thread);

/* The progress of the job: its activity, 0 to 1, and when it began (seconds). */
typedef struct snw_progress {
	const char *label; /* NULL: no job runs */
	bool is_long;
	char step[120];
	double fraction, seconds;
	char notice[400]; /* the last warning; empty: none */
} snw_progress;
void snw_job_thread_progress(snw_job_thread *thread, snw_progress *progress);

/* ---- project edit -------------------------------------------------------------------------------------------------------- */

/* Changes of the project as jobs. Each is one undoable step of the journal. */

/* One command, named after the job: begin, `change`, commit; then stale models are fitted again. */
typedef snw_status snw_change(snw_job_context *context, void *request, snw_error *error);
snw_status snw_edit_commit(snw_job_context *context, snw_job *job, snw_change *change, void *request, snw_error *error);

/* After a change: fits the stale models again, in this process and as part of the same step. The job's caveat names a model
 * that could not be fitted. */
snw_status snw_edit_refresh(snw_job_context *context, snw_job *job, snw_error *error);

#endif
