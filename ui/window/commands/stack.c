/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Commands on the stack: layers, parameters, and the method that is shown.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fit/stale.h"
#include "parameter/parameters.h"
#include "window/commands/commands.h"
#include "window/document/document.h"
#include "window/session/session.h"

/* ---- layers -------------------------------------------------------------------------------------------------------------- */

static const snw_layer *chosen_layer(snw_session *session) {
	const uint32_t layer = snw_session_find(session, SNW_NOUN_LAYER, "");
	return layer == SNW_NONE ? NULL : &session->document->scene->layers[layer];
}

void snw_do_layer(snw_session *session, const snw_command *command) {
	const double at = command->n[0];
	session->state.layer = at >= 0 && at < session->document->scene->layer_count ? (uint32_t)at : SNW_NONE;
}

/* A layer that has failed is taken in again. */
void snw_do_layer_mute(snw_session *session, const snw_command *command) {
	const snw_layer *layer = chosen_layer(session);
	if (layer && session->document->left_out[session->state.layer]) {
		snw_session_leave_out(session, layer, false);
	} else if (layer) {
		snw_session_operate(session, command, layer->muted ? "stack unmute" : "stack mute");
	}
}

/* Of a method that must be fitted, a fit adds the layer. */
void snw_do_layer_add(snw_session *session, const snw_command *command) {
	const snw_deformer *deformer = snw_registry_find(session->registry, command->text);
	if (deformer && !(deformer->descriptor->traits & SNW_BINDS)) {
		snw_emit_text(&session->queue, SNW_DO_FIT, deformer->descriptor->short_name);
	} else {
		snw_session_operate(session, command, "stack add --method=$t");
	}
}

/* ---- parameters ---------------------------------------------------------------------------------------------------------- */

void snw_do_choose_file(snw_session *session, const snw_command *command) {
	if (chosen_layer(session)) {
		session->asking = *command;
		snw_session_open_dialog(session, SNW_DIALOG_CHOOSE);
	}
}

static snw_status preview_value(snw_job_context *context, snw_job *job, void *request, snw_error *error) {
	(void)job, (void)error;
	const snw_preview *tried = request;
	context->preview.layer = tried->layer;
	context->preview.value = tried->value;
	memcpy(context->preview.key, tried->key, sizeof tried->key);
	return SNW_OK;
}

void snw_do_try_set(snw_session *session, const snw_command *command) {
	const snw_layer *layer = chosen_layer(session);
	const snw_deformer *deformer = layer ? snw_registry_find(session->registry, layer->deformer) : NULL;
	uint32_t index;
	snw_value value;
	if (!deformer || snw_failed(snw_parameter_parse(deformer->descriptor, command->text, &index, &value, NULL)) || value.text ||
		deformer->descriptor->parameters[index]->stage == SNW_STAGE_FIT) {
		return;
	}
	snw_job *job = snw_job_create("trying a parameter", sizeof(snw_preview));
	snw_preview *request = job->request;
	*request = (snw_preview){.layer = layer->id, .value = value};
	snprintf(request->key, sizeof request->key, "%s", deformer->descriptor->parameters[index]->key);
	job->run = preview_value;
	snw_session_send(session, job);
}

/* ---- how the character is shown ------------------------------------------------------------------------------------------ */

typedef struct method_request {
	uint32_t method;
	const snw_stack *stack;
} method_request;

static snw_status build_method(snw_job_context *context, snw_job *job, void *data, snw_error *error) {
	(void)job;
	method_request *request = data;
	const snw_stack_options options = {.method = context->document->methods[request->method].method};
	return snw_stack_borrow(context->document->scene, context->registry, &options, context->task, &request->stack, error);
}

static void show_method(void *owner, const snw_job *job, void *data) {
	snw_session *session = owner;
	(void)job;
	const method_request *request = data;
	session->document->methods[request->method].stack = request->stack;
	session->state.method = request->method;
}

void snw_do_method(snw_session *session, const snw_command *command) {
	snw_document *document = session->document;
	const double number = fmax(command->n[0], 0);
	const uint32_t method = number < document->method_count ? (uint32_t)number : SNW_NONE;
	if (method == SNW_NONE) {
		snw_view_state_warn(&session->state, "No method has this number.");
	} else if (document->methods[method].stack) {
		session->state.method = method;
	} else if (snw_session_is_busy(session)) {
		snw_view_state_say(&session->state, "Sinew is busy; try again in a moment.");
	} else {
		snw_job *job = snw_job_create("preparing the method", sizeof(method_request));
		((method_request *)job->request)->method = method;
		job->reloads = false;
		job->run = build_method;
		job->done = show_method;
		snw_session_send(session, job);
	}
}

/* ---- bake ---------------------------------------------------------------------------------------------------------------- */

/* Baking: the skins that fit a budget, which of them is shown, and what is kept of them. The project changes with "keep"
 * alone. */

/* ---- the budget ---------------------------------------------------------------------------------------------------------- */

void snw_do_bake_budget(snw_session *session, const snw_command *command) {
	const snw_budget *b = &session->bake_budget;
	const struct {
		const char *key;
		uint64_t value;
	} parts[] = {{"influences", b->influences}, {"joints", b->joints}, {"helpers", b->helpers},
				 {"proxies", b->proxies},       {"morphs", b->morphs}, {"bytes", b->bytes}};
	char text[SNW_COMMAND_WORDS + 200];
	snprintf(text, sizeof text, "%s", command->text);
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		const size_t length = strlen(parts[i].key), used = strlen(text);
		const bool is_set = strncmp(command->text, parts[i].key, length) == 0 && command->text[length] == '=';
		if (!is_set && (strcmp(parts[i].key, "bytes") != 0 || parts[i].value > 0)) {
			snprintf(text + used, sizeof text - used, ",%s=%llu", parts[i].key, (unsigned long long)parts[i].value);
		}
	}
	snw_budget budget;
	snw_error error = {0};
	if (strcmp(command->text, "bytes=0") == 0) { /* any */
		session->bake_budget.bytes = 0;
	} else if (snw_failed(snw_budget_parse(text, &budget, &error))) {
		snw_view_state_warn(&session->state, error.text);
	} else {
		session->bake_budget = budget;
	}
}

void snw_do_bake_engine(snw_session *session, const snw_command *command) {
	const snw_engine *engine = snw_engine_find(command->text);
	if (!engine && strcmp(command->text, "any") != 0) {
		snw_view_state_warn(&session->state, "There is no such engine.");
		return;
	}
	session->engine = engine;
	snw_view_state_say(&session->state, "Bakes and exports are for %s.", engine ? engine->label : "every engine");
}

/* ---- baking -------------------------------------------------------------------------------------------------------------- */

typedef struct bake_request {
	snw_budget budget;
	const snw_engine *engine;
	snw_shown_bake *bake; /* the request's until the session takes it */
	bool is_made;
	uint32_t variant;
} bake_request;

/* A value of the call, by its name. */
static snw_shown_bake *begin_bake(const snw_job_context *context, const bake_request *request) {
	const snw_operator_noun *noun = snw_operator_noun_find("bake");
	snw_arena *arena = snw_arena_create();
	snw_shown_bake *bake = SNW_NEW(arena, snw_shown_bake);
	*bake = (snw_shown_bake){.arena = arena,
							 .call = {.noun = noun, .row = noun->operators},
							 .budget = request->budget,
							 .path = snw_arena_text(arena, context->path),
							 .change = context->document->change};
	snw_operator_give_named(&bake->call, "budget", snw_budget_text(&request->budget, arena), arena);
	/* Also where another was baked for. */
	snw_operator_give_named(&bake->call, "for", request->engine ? request->engine->name : "any", arena);
	return bake;
}

static snw_status run_bake(snw_job_context *context, snw_job *job, void *data, snw_error *error) {
	bake_request *request = data;
	snw_operator_report report;
	snw_shown_bake *bake = request->bake = begin_bake(context, request);
	const snw_operator_context on = snw_job_operator_context(context, bake->arena);
	const snw_status status = snw_operator_do_work(&bake->call, &on, &bake->work, &report, error);
	if (!snw_failed(status)) {
		bake->baked = *bake->work->baked;
		request->is_made = true;
		context->preview.bake = bake;
		context->preview.variant = bake->baked.best;
		snprintf(job->caveat.text, sizeof job->caveat.text, "%s", report.warnings.count > 0 ? report.warnings.list[0] : "");
	}
	return status;
}

/* The jobs' thread waits, so nothing reads the bake before it. */
static void take_bake(void *owner, const snw_job *job, void *data) {
	snw_session *session = owner;
	bake_request *request = data;
	(void)job;
	if (!request->is_made) {
		return;
	}
	snw_shown_bake_drop(session);
	session->bake = request->bake;
	request->bake = NULL;
	session->state.tab = SNW_TAB_STACK;
	session->state.method = 0;
	snw_view_state_say(&session->state, "Baked %u skins. The project has not changed yet.", session->bake->baked.variant_count);
}

static void free_bake(void *data) {
	bake_request *request = data;
	if (request->bake) {
		snw_arena_destroy(request->bake->arena);
	}
}

void snw_do_bake(snw_session *session, const snw_command *command) {
	snw_error error = {0};
	if (command->text[0] && snw_failed(snw_budget_parse(command->text, &session->bake_budget, &error))) {
		snw_view_state_warn(&session->state, error.text);
		return;
	}
	snw_job *job = snw_job_create("baking", sizeof(bake_request));
	bake_request *request = job->request;
	request->budget = session->bake_budget;
	request->engine = session->engine;
	job->is_long = true;
	job->run = run_bake;
	job->done = job->failed = take_bake;
	job->free_request = free_bake;
	snw_session_send(session, job);
}

/* ---- showing ------------------------------------------------------------------------------------------------------------- */

static snw_status show_variant(snw_job_context *context, snw_job *job, void *data, snw_error *error) {
	(void)job, (void)error;
	const bake_request *request = data;
	context->preview.bake = request->bake;
	context->preview.variant = request->variant;
	return SNW_OK;
}

static void say_variant(void *owner, const snw_job *job, void *data) {
	snw_session *session = owner;
	(void)job, (void)data;
	const uint32_t variant = session->document->variant;
	if (session->bake && variant < session->bake->baked.variant_count) {
		char name[100];
		snw_bake_variant_name(&session->bake->baked.variants[variant], name, sizeof name);
		snw_view_state_say(&session->state, "Showing the skin with %s. The project has not changed.", name);
	}
}

static void show(snw_session *session, uint32_t variant) {
	if (!snw_shown_bake_is_current(session) || variant >= session->bake->baked.variant_count) {
		snw_view_state_warn(&session->state, "There is no such skin; bake first.");
		return;
	}
	snw_job *job = snw_job_create("showing a baked skin", sizeof(bake_request));
	bake_request *request = job->request;
	request->bake = session->bake;
	request->variant = variant;
	job->run = show_variant;
	job->done = say_variant;
	session->state.method = 0;
	snw_session_send(session, job);
}

void snw_do_bake_show(snw_session *session, const snw_command *command) {
	show(session, command->n[0] >= 0 && command->n[0] < 1e6 ? (uint32_t)command->n[0] : SNW_NONE);
}

/* By size, as on the curve. */
static void step(snw_session *session, int by) {
	const snw_shown_bake *bake = session->bake;
	const uint32_t shown = session->document->variant;
	if (!snw_shown_bake_is_current(session)) {
		show(session, SNW_NONE);
		return;
	}
	uint32_t best = SNW_NONE;
	for (uint32_t v = 0; v < bake->baked.variant_count; v++) {
		const snw_bake_variant *variants = bake->baked.variants;
		const bool is_on_the_way = shown >= bake->baked.variant_count || (by > 0 ? variants[v].bytes > variants[shown].bytes
																				 : variants[v].bytes < variants[shown].bytes);
		if (is_on_the_way && (best == SNW_NONE ||
							  (by > 0 ? variants[v].bytes < variants[best].bytes : variants[v].bytes > variants[best].bytes))) {
			best = v;
		}
	}
	if (best != SNW_NONE) {
		show(session, best);
	}
}

void snw_do_bake_larger(snw_session *session, const snw_command *command) {
	(void)command;
	step(session, 1);
}

void snw_do_bake_smaller(snw_session *session, const snw_command *command) {
	(void)command;
	step(session, -1);
}

/* ---- keeping ------------------------------------------------------------------------------------------------------------- */

static snw_status keep(snw_job_context *context, snw_job *job, void *data, snw_error *error) {
	const bake_request *request = data;
	snw_baked chosen = request->bake->baked;
	snw_operator_work work = *request->bake->work;
	snw_operator_report report = {0};
	snw_operator_context on = snw_job_operator_context(context, job->arena);
	char name[100];
	chosen.best = request->variant;
	snw_bake_variant_name(&chosen.variants[chosen.best], name, sizeof name);
	work.baked = &chosen;
	work.label = snw_arena_format(job->arena, "bake %s", name);
	on.work = &work;
	const snw_status status = snw_job_operate(context, job, &request->bake->call, &on, &report, error);
	context->preview.bake = snw_failed(status) ? context->preview.bake : NULL;
	return status;
}

static void kept(void *owner, const snw_job *job, void *data) {
	snw_session *session = owner;
	const bake_request *request = data;
	snw_shown_bake *bake = request->bake;
	char skin[100];
	(void)job;
	snw_bake_variant_name(&bake->baked.variants[request->variant], skin, sizeof skin);
	snw_operator_give_named(&bake->call, "skin", skin, bake->arena);
	snw_session_record(session, &bake->call);
	snw_shown_bake_drop(session);
	session->state.layer = snw_scene_first_baked(session->document->scene);
	snw_view_state_say(&session->state, "Kept the baked skin; the other layers are muted. Undo restores them.");
}

void snw_do_bake_keep(snw_session *session, const snw_command *command) {
	(void)command;
	if (!snw_shown_bake_is_current(session) || session->document->variant == SNW_NONE) {
		snw_view_state_warn(&session->state, "There is no baked skin to keep; bake first.");
		return;
	}
	snw_job *job = snw_job_create("keeping the baked skin", sizeof(bake_request));
	bake_request *request = job->request;
	request->bake = session->bake;
	request->variant = session->document->variant;
	job->run = keep;
	job->done = kept;
	snw_session_send(session, job);
}

static snw_status show_stack(snw_job_context *context, snw_job *job, void *data, snw_error *error) {
	(void)job, (void)data, (void)error;
	context->preview.bake = NULL;
	return SNW_OK;
}

static void dropped(void *owner, const snw_job *job, void *data) {
	(void)job, (void)data;
	snw_shown_bake_drop(owner);
	snw_view_state_say(&((snw_session *)owner)->state, "The baked skins were discarded.");
}

void snw_do_bake_drop(snw_session *session, const snw_command *command) {
	(void)command;
	if (session->bake) {
		snw_job *job = snw_job_create("discarding the baked skins", sizeof(bake_request));
		job->run = show_stack;
		job->done = dropped;
		snw_session_send(session, job);
	}
}

/* ---- compare ------------------------------------------------------------------------------------------------------------- */

/* Which method for my sculpts: the comparison, and keeping one of its methods. */

typedef struct compare_request {
	snw_arena *arena; /* of the comparison, until the session has it */
	snw_sculpts_comparison made;
} compare_request;

static snw_status run_comparison(snw_job_context *context, snw_job *job, void *data, snw_error *error) {
	compare_request *request = data;
	(void)job;
	request->arena = snw_arena_create();
	return snw_compare_sculpts(context->document->scene, context->registry, 0, NULL, context->task, request->arena,
							   &request->made, error);
}

static void show_comparison(void *owner, const snw_job *job, void *data) {
	snw_session *session = owner;
	compare_request *request = data;
	(void)job;
	snw_method_comparison_take(session, &request->made, request->arena);
	request->arena = NULL;
	session->state.tab = SNW_TAB_STACK;
	if (session->state.dialog == SNW_DIALOG_NONE) {
		snw_session_open_dialog(session, SNW_DIALOG_METHODS);
	} else {
		snw_view_state_say(&session->state, "The methods are compared; Stack > Which method for my sculpts? shows the result.");
	}
}

static void free_comparison(void *data) {
	snw_arena_destroy(((compare_request *)data)->arena);
}

void snw_do_compare_methods(snw_session *session, const snw_command *command) {
	(void)command;
	snw_job *job = snw_job_create("comparing methods", sizeof(compare_request));
	job->is_long = true;
	job->reloads = false;
	job->run = run_comparison;
	job->done = show_comparison;
	job->free_request = free_comparison;
	session->state.tab = SNW_TAB_STACK;
	snw_session_send(session, job);
}

/* The topmost layer of a deformer; NULL without one. */
static const char *layer_of_deformer(const snw_scene *scene, const snw_deformer *deformer) {
	for (uint32_t i = scene->layer_count; i-- > 0;) {
		if (strcmp(scene->layers[i].deformer, deformer->descriptor->id) == 0) {
			return scene->layers[i].name;
		}
	}
	return NULL;
}

/* As it was compared: learned from the sculpts alone, in its own layer if there is one. */
void snw_do_method_keep(snw_session *session, const snw_command *command) {
	const snw_deformer *deformer = snw_registry_find(session->registry, command->text);
	session->state.dialog = session->state.dialog == SNW_DIALOG_METHODS ? SNW_DIALOG_NONE : session->state.dialog;
	if (!deformer) {
		snw_view_state_warn(&session->state, "No method has this name.");
		return;
	}
	snw_arena *arena = snw_arena_create();
	const snw_operator_noun *noun = snw_operator_noun_find("fit");
	snw_operator_call call = {.noun = noun, .row = noun->operators};
	const char *layer = layer_of_deformer(session->document->scene, deformer);
	snw_operator_give_named(&call, "method", deformer->descriptor->short_name, arena);
	snw_operator_give_named(&call, "instead", "", arena);
	if (deformer->descriptor->needs & SNW_NEEDS_SAMPLES) {
		snw_operator_give_named(&call, "clip", "examples", arena);
	}
	if (layer) {
		snw_operator_give_named(&call, "layer", layer, arena);
	}
	snw_session_send_operator(session, &call, NULL);
	snw_arena_destroy(arena);
}
