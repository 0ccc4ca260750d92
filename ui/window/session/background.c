/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What follows in the background: fits that are shown before they are stored, levels, and plug-ins that were built again.
 */
#include "window/session/session.h"

#include <stdio.h>
#include <string.h>

#include "fit/samples.h"
#include "fit/stale.h"
#include "plugin/registry.h"
#include "scene/scene.h"
#include "sinew/kit/clock.h"
#include "stack/stack.h"
#include "window/document/document.h"
#include "worker/worker.h"

/* ---- live fit ------------------------------------------------------------------------------------------------------------ */

typedef struct live_request {
	uint64_t number; /* of the document */
	snw_scene *scene;
	snw_stack_owner *stacks; /* of that scene */
	const snw_stack *stack;
	uint32_t fitted_count;
	char fitted[200]; /* the title of the first layer */
} live_request;

/* Whether the layer is shown, and learns from sculpts by a fit that does not follow strokes. */
static bool may_be_live(const snw_scene *scene, const snw_registry *registry, const snw_layer *layer) {
	const snw_deformer *deformer = snw_registry_find(registry, layer->deformer);
	return deformer && !layer->muted && layer->model != SNW_NONE && !snw_layer_is_baked(layer) &&
		   !(deformer->descriptor->traits & (SNW_REFITS | SNW_BINDS)) && snw_scene_active_example_count(scene) > 0 &&
		   snw_samples_include_examples(deformer->descriptor->needs, layer->samples);
}

static bool has_other_sculpts(const snw_scene *scene, const snw_registry *registry, uint32_t layer) {
	return snw_layer_stale(scene, registry, layer) & (1u << SNW_READ_EXAMPLES);
}

/* ---- the job ------------------------------------------------------------------------------------------------------------- */

/* Replaces the scene by one with the layer fitted, and what is refitted above it. */
static snw_status fit_live_layer(const snw_job_context *context, uint32_t index, snw_scene **scene, snw_error *error) {
	const snw_layer *layer = &(*scene)->layers[index];
	const snw_fit_request order = {.method = layer->deformer, .layer = layer->name, .left_out_example = SNW_NONE};
	snw_fit_outcome outcome = {.arena = snw_arena_create()};
	snw_scene *after = NULL;
	snw_status status = snw_fit_run(*scene, context->registry, &order, context->task, &outcome, error);
	if (!snw_failed(status)) {
		status = snw_scene_after_fit(*scene, context->registry, &outcome, context->task, &after, error);
	}
	if (!snw_failed(status)) {
		snw_scene_destroy(*scene);
		*scene = after;
	}
	snw_arena_destroy(outcome.arena);
	return status;
}

/* A fit that fails, or is ended, leaves what is shown as it is: the layer stays stale, and fitting it says why. */
static snw_status run_live(snw_job_context *context, snw_job *job, void *data, snw_error *error) {
	live_request *request = data;
	(void)job;
	const snw_document *document = context->document;
	snw_scene *scene = snw_scene_copy(document->scene);
	snw_status status = SNW_OK;
	for (uint32_t i = 0; i < scene->layer_count && !snw_failed(status); i++) {
		const bool fits =
			may_be_live(scene, context->registry, &scene->layers[i]) && has_other_sculpts(scene, context->registry, i);
		if (!fits) {
			continue;
		}
		if (request->fitted_count++ == 0) {
			char words[200];
			snprintf(request->fitted, sizeof request->fitted, "%s",
					 snw_layer_title(context->registry, &scene->layers[i], words, sizeof words));
		}
		status = fit_live_layer(context, i, &scene, error);
	}
	snw_stack_owner *stacks = snw_failed(status) ? NULL : snw_stack_owner_create(scene, context->registry);
	if (stacks && request->fitted_count > 0) {
		status = snw_stack_borrow(scene, context->registry, &(snw_stack_options){0}, context->task, &request->stack, error);
	}
	if (!request->stack || snw_failed(status)) {
		snw_stack_owner_destroy(stacks);
		snw_scene_destroy(scene);
		return SNW_OK;
	}
	snw_stack_make_bounds(request->stack);
	request->scene = scene;
	request->stacks = stacks;
	return SNW_OK;
}

static void free_live(void *data) {
	live_request *request = data;
	snw_stack_owner_destroy(request->stacks);
	snw_scene_destroy(request->scene);
	request->stacks = NULL;
	request->scene = NULL;
}

/* ---- the window's part --------------------------------------------------------------------------------------------------- */

/* The document shows the fitted scene in place of its own, as with an example alone. */
static void show_live(snw_session *session, live_request *request) {
	snw_document *document = session->document;
	const snw_stack *before = document->methods[0].stack;
	snw_error_curve_leave(session->error_curve, session);
	document->shown = request->scene;
	document->shown_stacks = request->stacks;
	document->methods[0].stack = request->stack;
	request->scene = NULL;
	request->stacks = NULL;
	snw_display_take_stack(&session->display, before, request->stack);
	snw_error_curve_begin(session->error_curve, session);
	if (!session->state.message[0]) {
		snw_view_state_say(&session->state, "%s%s shown as your sculpts make %s. Ctrl+F stores that.", request->fitted,
						   request->fitted_count > 1 ? " and others are" : " is", request->fitted_count > 1 ? "them" : "it");
	}
}

static void done(void *owner, const snw_job *job, void *data) {
	snw_session *session = owner;
	live_request *request = data;
	(void)job;
	session->live_fit.is_running = false;
	if (request->scene && request->number == session->document->number && !session->document->shown) {
		show_live(session, request);
	}
}

static void failed(void *owner, const snw_job *job, void *data) {
	(void)job, (void)data;
	((snw_session *)owner)->live_fit.is_running = false;
}

void snw_live_fit_ask(snw_session *session) {
	session->live_fit.asked = session->document->number;
}

void snw_live_fit_follow(snw_session *session) {
	const snw_document *document = session->document;
	if (session->live_fit.asked != document->number || session->live_fit.is_running || session->queue.count > 0 ||
		snw_session_holds_edits(session) || snw_sculpting_is_stroking(&session->sculpting)) {
		return;
	}
	session->live_fit.asked = 0;
	bool is_any = false;
	for (uint32_t i = 0; i < document->scene->layer_count && !is_any; i++) {
		is_any = document->stale[i] && may_be_live(document->scene, session->registry, &document->scene->layers[i]);
	}
	if (!is_any || document->shown || !document->methods[0].stack) {
		return;
	}
	snw_job *job = snw_job_create("fitting to the sculpts", sizeof(live_request));
	((live_request *)job->request)->number = document->number;
	job->reloads = false;
	job->run = run_live;
	job->done = done;
	job->failed = failed;
	job->free_request = free_live;
	snw_session_send(session, job);
	session->live_fit.is_running = true;
}

void snw_live_fit_yield(snw_session *session) {
	if (session->live_fit.is_running) {
		session->live_fit.asked = session->document->number; /* again afterwards, unless a change follows */
		snw_job_thread_cancel(session->job_thread);
	}
}

/* ---- levels -------------------------------------------------------------------------------------------------------------- */

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

/* ---- shown bake ---------------------------------------------------------------------------------------------------------- */

/* The bake that the session has. */

bool snw_shown_bake_is_current(const snw_session *session) {
	const snw_shown_bake *bake = session->bake;
	const snw_document *document = session->document;
	return bake && document->path && strcmp(bake->path, document->path) == 0 && bake->change == document->change;
}

void snw_bake_record_take(snw_session *session) {
	const snw_scene *scene = session->document->scene;
	const uint32_t first = snw_scene_first_baked(scene);
	snw_arena *scratch = snw_arena_create();
	const snw_bake_record record =
		first != SNW_NONE ? snw_bake_record_read(&scene->layers[first], scratch) : (snw_bake_record){0};
	if (!record.budget || snw_failed(snw_budget_parse(record.budget, &session->bake_budget, NULL))) {
		(void)snw_budget_parse("morphs=8", &session->bake_budget, NULL);
	}
	session->engine = record.engine ? snw_engine_find(record.engine) : NULL;
	snw_arena_destroy(scratch);
}

void snw_shown_bake_drop(snw_session *session) {
	if (session->bake) {
		snw_arena_destroy(session->bake->arena);
	}
	session->bake = NULL;
}

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
