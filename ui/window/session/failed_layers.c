/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "window/session/failed_layers.h"

#include <stdio.h>

typedef struct leave_out_request {
	int64_t layer;
	bool is_left_out;
} leave_out_request;

static snw_status leave_out(snw_job_context *context, snw_job *job, void *data, snw_error *error) {
	(void)job;
	const leave_out_request *request = data;
	if (!request->is_left_out) {
		snw_preview_include(&context->preview, request->layer);
		return SNW_OK;
	}
	return snw_preview_leave_out(&context->preview, request->layer)
			   ? SNW_OK
			   : snw_fail(error, SNW_ERROR_LIMIT, "%d layers have failed and are left out, and no more can be; mute this layer",
						  SNW_LEFT_OUT_MOST);
}

void snw_session_leave_out(snw_session *session, const snw_layer *layer, bool is_left_out) {
	snw_job *job = snw_job_create("", sizeof(leave_out_request));
	*(leave_out_request *)job->request = (leave_out_request){layer->id, is_left_out};
	job->label =
		snw_arena_format(job->arena, "showing the character %s layer %s", is_left_out ? "without" : "with", layer->name);
	job->run = leave_out;
	snw_session_send(session, job);
}

static void say_failed(snw_session *session, const snw_layer_failure *failure, const char *consequence) {
	char words[700];
	snprintf(words, sizeof words, "Layer '%s' %s. %s", failure->layer, failure->problem, consequence);
	snw_view_state_warn(&session->state, words);
}

void snw_session_answer_failure(snw_session *session) {
	snw_display *display = &session->display;
	const snw_document *document = session->document;
	const uint32_t method = display->failed_method;
	if (method == SNW_NONE) {
		return;
	}
	display->failed_method = SNW_NONE;
	const uint32_t layer = snw_scene_find_layer(document->scene, display->failure.layer);
	if (method != 0 || layer == SNW_NONE || document->left_out[layer]) {
		say_failed(session, &display->failure, "It is left out of what is shown.");
		session->state.method = session->state.method == method ? 0 : session->state.method;
		return;
	}
	say_failed(session, &display->failure, "This window leaves it out until you change it, or press Unmute in the Stack tab.");
	snw_session_leave_out(session, &document->scene->layers[layer], true);
}
