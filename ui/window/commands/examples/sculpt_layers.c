/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Commands on the sculpt layers of the selected example. The active one takes the strokes.
 */
#include "edit/sculpt_layers.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "window/jobs/project_edit.h"
#include "window/session/session.h"

typedef struct layer_request {
	snw_command_id action;
	int64_t example, layer;
	double opacity;
	const char *name;
} layer_request;

/* The example and the active layer; NULL, with a message, if there is none. */
static const snw_example *active_layer(snw_session *session, uint32_t *layer) {
	const uint32_t index = snw_session_example(session, "");
	const snw_example *example = index == SNW_NONE ? NULL : &session->document->scene->examples[index];
	*layer = example ? snw_sculpt_layer_of_id(example, session->state.sculpt_layer) : SNW_NONE;
	if (example && *layer == SNW_NONE) {
		snw_view_state_warn(&session->state, "The example has no sculpt layers yet. Add one first.");
		return NULL;
	}
	return example;
}

static snw_status change(snw_job_context *context, void *data, snw_error *error) {
	const layer_request *request = data;
	const snw_scene *scene = context->document->scene;
	uint32_t index = 0, layer = 0;
	while (index < scene->example_count && scene->examples[index].id != request->example) {
		index++;
	}
	const snw_example *example = index < scene->example_count ? &scene->examples[index] : NULL;
	while (example && layer < example->layer_count && example->layers[layer].id != request->layer) {
		layer++;
	}
	if (!example || (request->action != SNW_DO_SCULPT_LAYER_ADD && layer == example->layer_count)) {
		return snw_fail(error, SNW_ERROR_MISSING, "the sculpt layer was deleted meanwhile");
	}
	if (request->action == SNW_DO_SCULPT_LAYER_ADD) {
		return snw_project_add_sculpt_layer(context->project, scene, context->registry, index, request->name, error);
	}
	if (request->action == SNW_DO_SCULPT_LAYER_MERGE) {
		return snw_project_merge_sculpt_layer(context->project, scene, context->registry, index, layer, error);
	}
	if (request->action == SNW_DO_SCULPT_LAYER_REMOVE) {
		return snw_project_remove_sculpt_layer(context->project, scene, context->registry, index, layer, error);
	}
	snw_sculpt_layer changed = example->layers[layer];
	changed.opacity = request->action == SNW_DO_SCULPT_LAYER_OPACITY ? request->opacity : changed.opacity;
	changed.muted = request->action == SNW_DO_SCULPT_LAYER_MUTE ? !changed.muted : changed.muted;
	changed.name = request->action == SNW_DO_SCULPT_LAYER_NAME ? request->name : changed.name;
	return snw_project_set_sculpt_layer(context->project, scene, context->registry, index, layer, &changed, error);
}

static snw_status commit(snw_job_context *context, snw_job *job, void *request, snw_error *error) {
	return snw_edit_commit(context, job, change, request, error);
}

static void send(snw_session *session, const snw_command *command, const snw_example *example, const snw_sculpt_layer *layer,
				 const char *verb) {
	snw_job *job = snw_job_create("sculpt layer", sizeof(layer_request));
	layer_request *request = job->request;
	*request = (layer_request){.action = command->id,
							   .example = example->id,
							   .layer = layer ? layer->id : 0,
							   .opacity = fmin(fmax(command->n[0], 0), 1),
							   .name = snw_arena_text(job->arena, command->text)};
	job->label = snw_arena_format(job->arena, "%s of %s", verb, example->name);
	job->run = commit;
	snw_session_send(session, job);
}

void snw_do_sculpt_layer(snw_session *session, const snw_command *command) {
	uint32_t layer;
	const snw_example *example = active_layer(session, &layer);
	layer = example ? snw_sculpt_layer_find(example, command->text) : SNW_NONE;
	if (layer != SNW_NONE) {
		session->state.sculpt_layer = example->layers[layer].id;
		snw_sculpting_follow(session, false); /* Erase restores the sculpt without this layer */
	} else if (example) {
		snw_view_state_warn(&session->state, "The example has no sculpt layer with this name.");
	}
}

void snw_do_sculpt_layer_add(snw_session *session, const snw_command *command) {
	const uint32_t index = snw_session_example(session, "");
	if (index != SNW_NONE) {
		session->state.sculpt_layer = 0; /* the new one is the topmost */
		send(session, command, &session->document->scene->examples[index], NULL, "add sculpt layer");
	}
}

static void send_on_active(snw_session *session, const snw_command *command, const char *verb) {
	uint32_t layer;
	const snw_example *example = active_layer(session, &layer);
	char label[300];
	if (example) {
		snprintf(label, sizeof label, "%s sculpt layer %.200s", verb, example->layers[layer].name);
		send(session, command, example, &example->layers[layer], label);
	}
}

void snw_do_sculpt_layer_name(snw_session *session, const snw_command *command) {
	uint32_t layer;
	const snw_example *example = active_layer(session, &layer);
	if (example && !snw_session_asks(session, command, example->layers[layer].name)) {
		send_on_active(session, command, "rename");
	}
}

void snw_do_sculpt_layer_opacity(snw_session *session, const snw_command *command) {
	send_on_active(session, command, "change");
}

void snw_do_sculpt_layer_mute(snw_session *session, const snw_command *command) {
	send_on_active(session, command, "mute");
}

void snw_do_sculpt_layer_merge(snw_session *session, const snw_command *command) {
	send_on_active(session, command, "merge");
}

void snw_do_sculpt_layer_remove(snw_session *session, const snw_command *command) {
	send_on_active(session, command, "delete");
}
