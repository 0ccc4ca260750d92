/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A second job thread with a queue without limit: a document whose disposal was dropped would never be freed, or be freed
 * while a job reads it.
 */
#include "window/session/background.h"

#include "window/session/session.h"

static void send_next(snw_session *session) {
	if (session->background_queue.first && !snw_job_thread_is_busy(session->background)) {
		snw_job_thread_send(session->background, snw_job_queue_take(&session->background_queue), session->document,
							session->state.subdivision);
	}
}

void snw_background_send(snw_session *session, snw_job *job) {
	job->reloads = false;
	job->number = session->document->number;
	job->shape = session->document->shape;
	snw_job_queue_add(&session->background_queue, job);
	send_next(session);
}

void snw_background_collect(snw_session *session) {
	snw_job *job = snw_job_thread_collect(session->background);
	if (job) {
		snw_redraw_times_name(&session->redraw_times, job->label);
		if (snw_failed(job->status) && job->status != SNW_CANCELLED) {
			snw_view_state_warn(&session->state, job->error.text);
		}
		if (job->done) {
			job->done(session, job, job->request);
		}
		snw_job_destroy(job);
	}
	send_next(session);
}

bool snw_background_is_busy(const snw_session *session) {
	return session->background_queue.first || snw_job_thread_is_busy(session->background);
}

void snw_background_end(snw_session *session) {
	snw_job_thread_destroy(session->background);
	snw_job_queue_clear(&session->background_queue);
}

/* ---- documents ---------------------------------------------------------------------------------------------------- */

static void free_document(void *request) {
	snw_document **document = request;
	snw_document_destroy(*document);
	*document = NULL;
}

static snw_status tidy(snw_job_context *context, snw_job *job, void *request, snw_error *error) {
	(void)context, (void)job, (void)error;
	free_document(request);
	return SNW_OK;
}

void snw_background_dispose(snw_session *session, snw_document *document) {
	snw_job *job = snw_job_create("freeing memory", sizeof(snw_document *));
	*(snw_document **)job->request = document;
	job->run = tidy;
	job->free_request = free_document;
	snw_background_send(session, job);
}
