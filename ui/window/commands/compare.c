/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which method for my sculpts: the comparison, and keeping one of its methods.
 */
#include <string.h>

#include "window/document/titles.h"
#include "window/session/session.h"

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
