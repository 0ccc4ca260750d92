/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Mute and solo. Solo shows one example alone; it belongs to the view, not to the project, and outlasts changes and fits.
 */
#include "window/jobs/project_edit.h"
#include "window/session/session.h"

void snw_do_example_mute(snw_session *session, const snw_command *command) {
	const uint32_t example = snw_session_example(session, command->text);
	if (example != SNW_NONE) {
		const bool is_muted = session->document->scene->examples[example].muted;
		snw_session_operate(session, command, is_muted ? "example unmute --example=$t" : "example mute --example=$t");
	}
}

typedef struct solo_request {
	int64_t id; /* the example that is shown alone; 0: all are shown */
} solo_request;

static snw_status preview_solo(snw_job_context *context, snw_job *job, void *request, snw_error *error) {
	(void)job, (void)error;
	context->preview.solo = ((solo_request *)request)->id;
	return SNW_OK;
}

static void report_result(void *owner, const snw_job *job, void *request) {
	snw_session *session = owner;
	(void)job, (void)request;
	const snw_document *document = session->document;
	if (document->solo != SNW_NONE) {
		snw_view_state_say(&session->state, "Solo: only %s is shown. The project does not change.",
						   document->scene->examples[document->solo].name);
	}
}

void snw_do_example_solo(snw_session *session, const snw_command *command) {
	const uint32_t example = snw_session_example(session, command->text);
	if (example != SNW_NONE) {
		const bool ends = session->document->solo == example;
		snw_job *job = snw_job_create(ends ? "showing all examples" : "showing one example", sizeof(solo_request));
		((solo_request *)job->request)->id = ends ? 0 : session->document->scene->examples[example].id;
		job->run = preview_solo;
		job->done = report_result;
		snw_session_send(session, job);
	}
}
