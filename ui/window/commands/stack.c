/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Commands on the stack: layers, parameters, and the method that is shown.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "edit/add_layer.h"
#include "file/file.h"
#include "fit/baked_layers.h"
#include "parameter/overrides.h"
#include "parameter/parameters.h"
#include "scene/copy.h"
#include "window/jobs/project_edit.h"
#include "window/session/failed_layers.h"
#include "window/session/session.h"

/* ---- layers ------------------------------------------------------------------------------------------------------- */

typedef struct layer_request {
	snw_layer layer;
	int64_t model;
	int32_t position;
} layer_request;

static const snw_layer *chosen_layer(snw_session *session) {
	const snw_scene *scene = session->document->scene;
	if (session->state.layer >= scene->layer_count) {
		snw_view_state_warn(&session->state, "Select a layer first.");
		return NULL;
	}
	return &scene->layers[session->state.layer];
}

void snw_do_layer(snw_session *session, const snw_command *command) {
	const double at = command->n[0];
	session->state.layer = at >= 0 && at < session->document->scene->layer_count ? (uint32_t)at : SNW_NONE;
}

static snw_status put_layer(snw_job_context *context, void *data, snw_error *error) {
	layer_request *request = data;
	int64_t id;
	return snw_project_put_layer(context->project, &request->layer, request->model, request->position, &id, error);
}

static snw_status add_layer(snw_job_context *context, void *data, snw_error *error) {
	const layer_request *request = data;
	const snw_scene *scene = context->document->scene;
	const snw_deformer *deformer = snw_registry_find(context->registry, request->layer.deformer);
	const uint32_t replaced = deformer ? snw_layer_replaces(scene, context->registry, deformer) : SNW_NONE;
	return snw_layer_put_over(context->project, scene, &request->layer, 0, replaced, error);
}

static snw_status commit_addition(snw_job_context *context, snw_job *job, void *request, snw_error *error) {
	return snw_edit_commit(context, job, add_layer, request, error);
}

/* A layer that has failed and is changed is tried again. */
static snw_status commit_layer(snw_job_context *context, snw_job *job, void *request, snw_error *error) {
	snw_preview_include(&context->preview, ((layer_request *)request)->layer.id);
	return snw_edit_commit(context, job, put_layer, request, error);
}

static snw_job *layer_job(const snw_session *session, const char *verb, const snw_layer *layer, int32_t position) {
	const snw_scene *scene = session->document->scene;
	snw_job *job = snw_job_create(verb, sizeof(layer_request));
	layer_request *request = job->request;
	request->layer = *layer;
	request->layer.settings = snw_settings_copy(job->arena, layer->settings, layer->setting_count);
	request->layer.name = snw_arena_text(job->arena, layer->name);
	request->layer.deformer = snw_arena_text(job->arena, layer->deformer);
	request->layer.deformer_version = snw_arena_text(job->arena, layer->deformer_version);
	request->layer.samples = layer->samples ? snw_arena_text(job->arena, layer->samples) : NULL;
	request->model = layer->model == SNW_NONE ? 0 : scene->models[layer->model].id;
	request->position = position;
	job->label = snw_arena_format(job->arena, "%s %s", verb, layer->name);
	job->run = commit_layer;
	return job;
}

static void send_layer(snw_session *session, const char *verb, const snw_layer *layer, int32_t position) {
	snw_session_send(session, layer_job(session, verb, layer, position));
}

static void move(snw_session *session, int steps) {
	const snw_layer *layer = chosen_layer(session);
	const int64_t to = (int64_t)session->state.layer + steps;
	if (layer && to >= 0 && to < session->document->scene->layer_count) {
		send_layer(session, "move layer", layer, (int32_t)to);
	}
}

void snw_do_layer_up(snw_session *session, const snw_command *command) {
	(void)command;
	move(session, 1);
}

void snw_do_layer_down(snw_session *session, const snw_command *command) {
	(void)command;
	move(session, -1);
}

void snw_do_layer_place(snw_session *session, const snw_command *command) {
	const snw_layer *layer = chosen_layer(session);
	if (layer) {
		const double most = session->document->scene->layer_count - 1;
		send_layer(session, "move layer", layer, (int32_t)fmin(fmax(command->n[0], 0), most));
	}
}

void snw_do_layer_mute(snw_session *session, const snw_command *command) {
	(void)command;
	const snw_layer *layer = chosen_layer(session);
	if (layer && session->document->left_out[session->state.layer]) {
		snw_session_leave_out(session, layer, false);
	} else if (layer) {
		snw_layer changed = *layer;
		changed.muted = !layer->muted;
		send_layer(session, changed.muted ? "mute layer" : "unmute layer", &changed, -1);
	}
}

void snw_do_layer_name(snw_session *session, const snw_command *command) {
	const snw_layer *layer = chosen_layer(session);
	if (!layer || snw_session_asks(session, command, layer->name)) {
		return;
	}
	const uint32_t other = snw_scene_find_layer(session->document->scene, command->text);
	if (other != SNW_NONE && other != session->state.layer) {
		snw_view_state_warn(&session->state, "A layer with this name already exists.");
	} else if (other == SNW_NONE) {
		snw_layer changed = *layer;
		changed.name = command->text;
		send_layer(session, "rename layer to", &changed, -1);
	}
}

static snw_status remove_layer(snw_job_context *context, void *data, snw_error *error) {
	return snw_project_remove(context->project, SNW_PROJECT_LAYER, ((layer_request *)data)->layer.id, error);
}

static snw_status commit_removal(snw_job_context *context, snw_job *job, void *request, snw_error *error) {
	return snw_edit_commit(context, job, remove_layer, request, error);
}

void snw_do_layer_remove(snw_session *session, const snw_command *command) {
	(void)command;
	const snw_layer *layer = chosen_layer(session);
	if (layer) {
		snw_job *job = snw_job_create("delete layer", sizeof(layer_request));
		((layer_request *)job->request)->layer.id = layer->id;
		job->label = snw_arena_format(job->arena, "delete layer %s", layer->name);
		job->run = commit_removal;
		snw_session_send(session, job);
	}
}

void snw_do_layer_add(snw_session *session, const snw_command *command) {
	const snw_deformer *deformer = snw_registry_find(session->registry, command->text);
	if (!deformer) {
		snw_view_state_warn(&session->state, "No method has this name.");
		return;
	}
	const snw_descriptor *descriptor = deformer->descriptor;
	if (!(descriptor->traits & SNW_BINDS)) {
		snw_emit_text(&session->queue, SNW_DO_FIT, descriptor->short_name);
		return;
	}
	snw_arena *scratch = snw_arena_create();
	snw_layer layer = {.name =
						   snw_scene_free_name(session->document->scene, snw_scene_find_layer, descriptor->short_name, scratch),
					   .deformer = descriptor->id,
					   .deformer_version = descriptor->version,
					   .model = SNW_NONE};
	snw_job *job = layer_job(session, "add layer", &layer, -1);
	job->run = commit_addition;
	snw_session_send(session, job);
	snw_arena_destroy(scratch);
}

/* ---- parameters --------------------------------------------------------------------------------------------------- */

/* A copy of the layer without the setting `key`, or with another value for it. */
static void send_setting(snw_session *session, const snw_layer *layer, const char *verb, const char *key,
						 const snw_setting *setting) {
	snw_arena *scratch = snw_arena_create();
	snw_setting *settings = SNW_NEW_ARRAY(scratch, snw_setting, layer->setting_count + 1u);
	uint32_t count = 0, place = SNW_NONE;
	for (uint32_t i = 0; i < layer->setting_count; i++) {
		if (strcmp(layer->settings[i].key, key) != 0) {
			settings[count++] = layer->settings[i];
		} else if (setting) {
			place = count;
			settings[count++] = *setting;
		}
	}
	if (setting && place == SNW_NONE) {
		settings[count++] = *setting;
	}
	snw_layer changed = *layer;
	changed.setting_count = count;
	changed.settings = settings;
	send_layer(session, snw_arena_format(scratch, "%s %s of", verb, key), &changed, -1);
	snw_arena_destroy(scratch);
}

static const snw_deformer *deformer_of(snw_session *session, const snw_layer *layer) {
	const snw_deformer *deformer = layer ? snw_registry_find(session->registry, layer->deformer) : NULL;
	if (layer && !deformer) {
		snw_view_state_warn(&session->state, "The layer's plug-in is missing, so its parameters are unknown.");
	}
	return deformer;
}

static void report_stage(snw_session *session, const snw_layer *layer, const snw_descriptor *descriptor, int32_t stage) {
	if (stage == SNW_STAGE_FIT && snw_layer_is_baked(layer)) {
		snw_view_state_warn(&session->state, "A bake sets this parameter: change the budget and bake again.");
	} else if (stage == SNW_STAGE_FIT && layer->model != SNW_NONE && !(descriptor->traits & SNW_REFITS)) {
		snw_view_state_say(&session->state, "Takes effect at the next fit: press Fit.");
	}
}

/* Parses "KEY=VALUE" into a setting; a path becomes relative to the project's folder. Key and text are in `arena`. */
static snw_status parse_setting(const snw_scene *scene, const snw_descriptor *descriptor, const char *text, snw_arena *arena,
								const snw_parameter **parameter, snw_setting *setting, snw_error *error) {
	uint32_t index;
	const snw_status status = snw_parameter_parse(descriptor, text, &index, &setting->value, error);
	if (snw_failed(status)) {
		return status;
	}
	*parameter = descriptor->parameters[index];
	setting->key = snw_arena_format(arena, "%.*s", (int)snw_parameter_key_length(text), text);
	if ((*parameter)->kind == SNW_PARAMETER_FILE && setting->value.text[0]) {
		const char *path = snw_path_absolute(arena, scene->folder, setting->value.text);
		setting->value.text = scene->folder ? snw_path_inside(scene->folder, path) : path;
	}
	return snw_setting_check_names(scene, descriptor, setting, error);
}

/* A default value needs no setting, except for a single group or joint, where it may differ from the value for all. */
void snw_do_set(snw_session *session, const snw_command *command) {
	const snw_layer *layer = chosen_layer(session);
	const snw_deformer *deformer = deformer_of(session, layer);
	if (!deformer) {
		return;
	}
	snw_error error = {0};
	snw_setting setting;
	const snw_parameter *parameter;
	snw_arena *scratch = snw_arena_create();
	if (snw_failed(parse_setting(session->document->scene, deformer->descriptor, command->text, scratch, &parameter, &setting,
								 &error))) {
		snw_view_state_warn(&session->state, error.text);
	} else {
		const bool is_first =
			strcmp(setting.key, parameter->key) == 0 && snw_parameter_same(parameter, &setting.value, &parameter->initial);
		send_setting(session, layer, "set", setting.key, is_first ? NULL : &setting);
		report_stage(session, layer, deformer->descriptor, parameter->stage);
	}
	snw_arena_destroy(scratch);
}

void snw_do_choose_file(snw_session *session, const snw_command *command) {
	if (chosen_layer(session)) {
		session->asking = *command;
		snw_session_open_dialog(session, SNW_DIALOG_CHOOSE);
	}
}

static snw_status preview(snw_job_context *context, snw_job *job, void *request, snw_error *error) {
	(void)job, (void)error;
	const snw_preview *tried = request;
	context->preview.layer = tried->layer;
	context->preview.value = tried->value;
	memcpy(context->preview.key, tried->key, sizeof tried->key);
	return SNW_OK;
}

void snw_do_try_set(snw_session *session, const snw_command *command) {
	const snw_layer *layer = chosen_layer(session);
	const snw_deformer *deformer = deformer_of(session, layer);
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
	job->run = preview;
	snw_session_send(session, job);
}

void snw_do_unset(snw_session *session, const snw_command *command) {
	const snw_layer *layer = chosen_layer(session);
	const snw_deformer *deformer = deformer_of(session, layer);
	const uint32_t index = deformer ? snw_parameter_of_key(deformer->descriptor, command->text, NULL) : SNW_NONE;
	if (layer) {
		send_setting(session, layer, "unset", command->text, NULL);
	}
	if (index != SNW_NONE) {
		report_stage(session, layer, deformer->descriptor, deformer->descriptor->parameters[index]->stage);
	}
}

/* ---- how the character is shown ------------------------------------------------------------------------------------------ */

typedef struct method_request {
	uint32_t method;
	snw_stack *stack;
} method_request;

static snw_status build_method(snw_job_context *context, snw_job *job, void *data, snw_error *error) {
	(void)job;
	method_request *request = data;
	const snw_stack_options options = {.method = context->document->methods[request->method].method};
	return snw_stack_build(context->document->scene, context->registry, &options, context->task, &request->stack, error);
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
