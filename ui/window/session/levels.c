/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "window/session/levels.h"

#include "window/session/background.h"

#define SLICE_SECONDS 0.006 /* of a redraw, for uploads */

typedef struct levels_request {
	snw_level_view *made; /* the request's until the display takes it */
} levels_request;

static snw_status prepare(snw_job_context *context, snw_job *job, void *data, snw_error *error) {
	levels_request *request = data;
	return context->document->number == job->number
			   ? snw_level_view_make(context->document, context->registry, context->task, &request->made, error)
			   : SNW_CANCELLED;
}

/* The display of a later document makes its own request. */
static void take(void *owner, const snw_job *job, void *data) {
	snw_session *session = owner;
	levels_request *request = data;
	snw_display *display = &session->display;
	snw_error error = {0};
	if (!request->made || job->number != session->document->number || display->levels) {
		return;
	}
	if (snw_failed(snw_level_view_start(request->made, session->renderer, &error))) {
		snw_view_state_warn(&session->state, error.text);
		return;
	}
	display->levels = request->made;
	request->made = NULL;
}

static void free_levels(void *data) {
	snw_level_view_destroy(((levels_request *)data)->made);
}

bool snw_levels_are_uploading(const snw_session *session) {
	return session->display.levels && session->display.levels->is_uploading;
}

void snw_levels_follow(snw_session *session) {
	snw_display *display = &session->display;
	if (snw_levels_are_uploading(session)) {
		(void)snw_level_view_upload(display->levels, SLICE_SECONDS);
	}
	if (session->state.level == 0 || display->levels || display->levels_are_requested) {
		return;
	}
	snw_job *job = snw_job_create("preparing levels of detail", sizeof(levels_request));
	job->run = prepare;
	job->done = take;
	job->free_request = free_levels;
	display->levels_are_requested = true;
	snw_background_send(session, job);
}
