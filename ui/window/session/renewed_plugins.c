/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "window/session/session.h"

#include <stdio.h>

#include "plugin/registry.h"
#include "sinew/kit/clock.h"

/* ---- renewed plugins ----------------------------------------------------------------------------------------------------- */

/* A build takes a second or more, so a file is found quickly enough for its author; others have nothing to wait for. */
enum { LOOK_MILLISECONDS = 150, FILE_REST_MILLISECONDS = 500 };

void snw_renewed_plugins_start(snw_renewed_plugins *plugins) {
	plugins->arena = snw_arena_create();
	plugins->known = plugins->seen = snw_plugin_search_stamp();
}

void snw_renewed_plugins_end(snw_renewed_plugins *plugins) {
	for (snw_renewal *r = plugins->last; r; r = r->previous) {
		snw_registry_close(r->registry);
	}
	snw_arena_destroy(plugins->arena);
	plugins->last = NULL;
}

int snw_renewed_plugins_interval(const snw_session *session) {
	return session->renewed_plugins.known == SNW_PLUGIN_SEARCH_EMPTY ? FILE_REST_MILLISECONDS : LOOK_MILLISECONDS;
}

/* ---- the job ------------------------------------------------------------------------------------------------------------- */

typedef struct renewal_request {
	snw_registry *made; /* NULL: nothing is new */
	snw_registry_renewal found;
} renewal_request;

static void free_request(void *data) {
	renewal_request *request = data;
	snw_registry_close(request->made);
	request->made = NULL;
}

/* Whether the stack that is shown can no longer be built. */
static snw_status check_stack(const snw_job_context *context, const snw_registry *registry, snw_error *error) {
	const snw_document *document = context->document;
	if (!document->path || !document->methods[0].stack) {
		return SNW_OK; /* nothing is lost */
	}
	const snw_stack_options options = {0};
	snw_stack *stack = NULL;
	const snw_scene *scene = document->shown ? document->shown : document->scene;
	const snw_status status = snw_stack_build(scene, registry, &options, context->task, &stack, error);
	snw_stack_destroy(stack);
	return status;
}

static snw_status renew_plugins(snw_job_context *context, snw_job *job, void *data, snw_error *error) {
	renewal_request *request = data;
	snw_error fault = {0};
	job->reloads = false;
	request->made = snw_registry_renew(context->registry, &request->found);
	const snw_registry_renewal *found = &request->found;
	if (found->rejected) {
		snw_fail(&job->caveat, SNW_ERROR_DATA, "%s was not loaded: %s.%s", found->rejected, found->reason,
				 found->kept ? " The previous version stays active." : "");
	}
	const snw_status status = check_stack(context, request->made, &fault);
	if (status == SNW_CANCELLED) {
		return status;
	}
	if (snw_failed(status)) {
		return snw_fail(error, status, "the new %s cannot show this character: %s. The previous version stays active.",
						found->loaded ? found->loaded : "plug-ins", fault.text);
	}
	for (int i = 0; i < SNW_LEFT_OUT_MOST && found->loaded_count > 0; i++) {
		context->preview.left_out[i] = 0; /* layers that have failed are tried again */
	}
	job->reloads = context->project != NULL;
	context->registry = request->made;
	return SNW_OK;
}

static void finish_renewal(void *owner, const snw_job *job, void *data) {
	snw_session *session = owner;
	snw_renewed_plugins *plugins = &session->renewed_plugins;
	renewal_request *request = data;
	(void)job;
	plugins->is_loading = false;
	snw_renewal *renewal = SNW_NEW(plugins->arena, snw_renewal);
	*renewal = (snw_renewal){.previous = plugins->last, .registry = request->made};
	plugins->last = renewal;
	session->registry = request->made;
	request->made = NULL;
	snw_job_thread_set_registry(session->job_thread, session->registry);
	snw_job_thread_set_registry(session->background, session->registry);
	if (request->found.loaded_count > 1) {
		snw_view_state_say(&session->state, "Loaded %u new plug-ins.", request->found.loaded_count);
	} else if (request->found.loaded) {
		snw_view_state_say(&session->state, "Loaded the new version of %s.", request->found.loaded);
	}
}

static void fail(void *owner, const snw_job *job, void *data) {
	snw_session *session = owner;
	(void)job, (void)data;
	session->renewed_plugins.is_loading = false;
}

static void load(snw_session *session) {
	snw_job *job = snw_job_create("loading plug-ins", sizeof(renewal_request));
	job->run = renew_plugins;
	job->done = finish_renewal;
	job->failed = fail;
	job->free_request = free_request;
	session->renewed_plugins.is_loading = true;
	snw_session_send(session, job);
}

void snw_renewed_plugins_follow(snw_session *session) {
	snw_renewed_plugins *plugins = &session->renewed_plugins;
	const double seconds = snk_clock_seconds();
	const bool is_early = 1000 * (seconds - plugins->looked) < LOOK_MILLISECONDS;
	const bool is_dragging = session->edit_is_trial || snw_sculpting_is_stroking(&session->sculpting);
	if (is_early || is_dragging || plugins->is_loading || snw_session_is_busy(session)) {
		return;
	}
	const uint64_t stamp = snw_plugin_search_stamp(), before = plugins->seen;
	plugins->looked = seconds;
	plugins->seen = stamp;
	if (stamp != before || stamp == plugins->known) {
		return; /* it is still being written, or nothing is new */
	}
	plugins->known = stamp;
	load(session);
}

/* ---- failed layers ------------------------------------------------------------------------------------------------------- */

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
