/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Commands on the stack: layers, parameters, and the method that is shown.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parameter/parameters.h"
#include "window/session/failed_layers.h"
#include "window/session/session.h"

/* ---- layers ------------------------------------------------------------------------------------------------------- */

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

/* ---- parameters --------------------------------------------------------------------------------------------------- */

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
