/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fit/fit.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/numbers.h"
#include "fit/samples.h"
#include "fit/stale.h"
#include "parameter/parameters.h"
#include "plugin/registry.h"
#include "scene/scene.h"
#include "services/services.h"
#include "sinew/kit/clock.h"
#include "stack/stack.h"

/* ---- what lies below ----------------------------------------------------------------------------------------------------- */

static snw_stack_options up_to(const snw_scene *scene, uint32_t layer) {
	return (snw_stack_options){.method = scene->layers[layer].name};
}

static snw_stack_options under(uint32_t limit) {
	return (snw_stack_options){.only_below = true, .below_layer = limit};
}

/* The layer that blends first in a stack of the scene; SNW_NONE where none does, or where the stack cannot be built. */
static uint32_t lowest_blend(const snw_scene *scene, const snw_registry *registry, snw_stack_options options) {
	const snw_stack *stack = NULL;
	if (snw_failed(snw_stack_borrow(scene, registry, &options, NULL, &stack, NULL))) {
		return SNW_NONE;
	}
	const char *name = snw_stack_base_blend(stack);
	const uint32_t layer = name ? snw_scene_find_layer(scene, name) : SNW_NONE;
	snw_stack_give_back(stack);
	return layer;
}

uint32_t snw_fit_base_blend(const snw_scene *scene, const snw_registry *registry, uint32_t limit) {
	uint32_t base = lowest_blend(scene, registry, under(limit));
	for (uint32_t i = limit; base == SNW_NONE && i-- > 0;) {
		base = scene->layers[i].muted && lowest_blend(scene, registry, up_to(scene, i)) == i ? i : SNW_NONE;
	}
	return base;
}

snw_status snw_fit_below_borrow(const snw_scene *scene, const snw_registry *registry, const snw_deformer *deformer,
								uint32_t limit, const snw_task *task, const snw_stack **below, snw_error *error) {
	const bool replaces = deformer->descriptor->traits & SNW_REPLACES_BLEND;
	const uint32_t base = replaces ? snw_fit_base_blend(scene, registry, limit) : SNW_NONE;
	const snw_stack_options options = base == SNW_NONE ? under(limit) : up_to(scene, base);
	return snw_stack_borrow(scene, registry, &options, task, below, error);
}

/* ---- a fit --------------------------------------------------------------------------------------------------------------- */

typedef struct fit_run {
	const snw_scene *scene;
	const snw_fit_request *request;
	const snw_deformer *deformer;
	const snw_task *task;
	snw_arena *scratch; /* freed when the fit is done */
	uint32_t existing;  /* the scene's layer of that name; SNW_NONE for a new one */
	snw_layer layer;    /* the new layer, in the outcome's arena */
	snw_value *values;
	snw_services *services;
	snw_services *previous_services; /* for the previous model, whose failures are not this fit's */
	snw_model *previous, *model;
	bool reads_below;
	bool blends; /* whether the model lowers to a blend, or blends as a black box, for any mesh */
} fit_run;

static const char *short_name(const fit_run *run) {
	return run->deformer->descriptor->short_name;
}

static bool makes_skeleton(const snw_deformer *deformer) {
	return deformer->descriptor->traits & SNW_MAKES_SKELETON;
}

/* ---- the layer ----------------------------------------------------------------------------------------------------------- */

static snw_status find_deformer(const snw_registry *registry, fit_run *run, snw_error *error) {
	run->deformer = snw_registry_find(registry, run->request->method);
	if (!run->deformer) {
		char names[700] = "";
		for (uint32_t i = 0; i < snw_registry_count(registry); i++) {
			const snw_deformer *deformer = snw_registry_get(registry, i)->deformer;
			const size_t used = strlen(names);
			if (deformer && !(deformer->descriptor->traits & SNW_BINDS)) {
				snprintf(names + used, sizeof names - used, "%s%s", used > 0 ? ", " : "", deformer->descriptor->short_name);
			}
		}
		return snw_fail(error, SNW_ERROR_MISSING, "no method '%s'; methods that can be fitted: %s", run->request->method,
						names[0] ? names : "none (see 'sinew plugins')");
	}
	if (run->deformer->descriptor->traits & SNW_BINDS) {
		return snw_fail(error, SNW_ERROR_UNSUPPORTED, "%s needs no fit; add it with 'sinew stack P.sinew add %s'",
						short_name(run), short_name(run));
	}
	return SNW_OK;
}

static snw_status find_layer(fit_run *run, snw_error *error) {
	const char *name = run->layer.name;
	run->existing = snw_scene_find_layer(run->scene, name);
	if (run->existing != SNW_NONE && strcmp(run->scene->layers[run->existing].deformer, run->deformer->descriptor->id) != 0) {
		return snw_fail(error, SNW_ERROR_CONFLICT, "layer '%s' belongs to %s, not to %s; give the new layer another name", name,
						run->scene->layers[run->existing].deformer, short_name(run));
	}
	if (run->existing != SNW_NONE && snw_layer_is_baked(&run->scene->layers[run->existing])) {
		return snw_fail(
			error, SNW_ERROR_CONFLICT,
			"layer '%s' is baked from the layers below it, which no fit reads; 'sinew bake P.sinew' bakes them again", name);
	}
	run->layer.muted = run->existing != SNW_NONE && run->scene->layers[run->existing].muted;
	return SNW_OK;
}

/* The setting of that key among some; NULL where there is none. Of several the last one counts. */
static const snw_setting *find_setting(const snw_setting *settings, uint32_t count, const char *key) {
	while (count > 0 && strcmp(settings[count - 1].key, key) != 0) {
		count--;
	}
	return count > 0 ? &settings[count - 1] : NULL;
}

/* Copies the settings of single groups and joints. They replace earlier ones with the same key. */
static void copy_overrides(snw_layer *layer, snw_setting *settings, const snw_setting *from, uint32_t count) {
	for (uint32_t i = 0; i < count; i++) {
		if (!strchr(from[i].key, '@')) {
			continue;
		}
		uint32_t place = 0;
		while (place < layer->setting_count && strcmp(settings[place].key, from[i].key) != 0) {
			place++;
		}
		settings[place] = from[i];
		layer->setting_count += place == layer->setting_count;
	}
}

/* What the request sets has to be there; an older setting may be for a group or joint that is gone. */
static snw_status check_requested(const fit_run *run, const snw_layer *before, snw_error *error) {
	const snw_descriptor *descriptor = run->deformer->descriptor;
	const snw_fit_request *request = run->request;
	snw_status status = snw_settings_check(descriptor, request->setting_count, request->settings, error);
	for (uint32_t i = 0; !snw_failed(status) && i < request->setting_count; i++) {
		if (!find_setting(before->settings, before->setting_count, request->settings[i].key)) {
			status = snw_setting_check_names(run->scene, descriptor, &request->settings[i], error);
		}
	}
	return status;
}

/* The layer's current settings, overridden by the request's: the values of the fit and the settings of the new layer. */
static snw_status resolve_settings(fit_run *run, snw_arena *arena, snw_error *error) {
	const snw_descriptor *descriptor = run->deformer->descriptor;
	snw_layer before = run->existing != SNW_NONE ? run->scene->layers[run->existing] : (snw_layer){0};
	const snw_fit_request *request = run->request;
	snw_status status = snw_settings_check(descriptor, before.setting_count, before.settings, error);
	status = snw_failed(status) ? status : check_requested(run, &before, error);
	if (snw_failed(status)) {
		return status;
	}
	const size_t most = (size_t)descriptor->parameter_count + request->setting_count + before.setting_count;
	snw_setting *settings = SNW_NEW_ARRAY(run->scratch, snw_setting, most);
	for (uint32_t i = 0; i < descriptor->parameter_count; i++) {
		const snw_parameter *p = descriptor->parameters[i];
		const snw_setting *setting = find_setting(request->settings, request->setting_count, p->key);
		setting = setting ? setting : find_setting(before.settings, before.setting_count, p->key);
		if (setting && !snw_parameter_same(p, &setting->value, &p->initial)) {
			settings[run->layer.setting_count++] = *setting;
		}
	}
	copy_overrides(&run->layer, settings, before.settings, before.setting_count);
	copy_overrides(&run->layer, settings, request->settings, request->setting_count);
	run->layer.settings = snw_settings_copy(arena, settings, run->layer.setting_count);
	run->values = SNW_NEW_ARRAY(run->scratch, snw_value, descriptor->parameter_count);
	return snw_parameters_resolve(descriptor, &run->layer, run->scene, SNW_STAGE_FIT, run->scratch, run->values, error);
}

/* The samples of the request, or those that the layer was fitted on before. */
static snw_status resolve_samples(fit_run *run, snw_arena *arena, snw_error *error) {
	const snw_layer *before = run->existing != SNW_NONE ? &run->scene->layers[run->existing] : NULL;
	const char *samples = run->request->samples ? run->request->samples : before ? before->samples : NULL;
	run->layer.samples = samples && *samples ? snw_arena_text(arena, samples) : NULL;
	return snw_samples_check(run->scene, run->deformer->descriptor, run->layer.samples, error);
}

static snw_status check_examples(const fit_run *run, const snw_fit_input *input, snw_error *error) {
	if (!run->request->rows && (run->deformer->descriptor->needs & SNW_NEEDS_EXAMPLES) && input->example_count == 0) {
		return snw_fail(error, SNW_ERROR_MISSING,
						"%s needs examples, and none remain when one is left out; add a second one first", short_name(run));
	}
	return SNW_OK;
}

/* ---- the fit itself ------------------------------------------------------------------------------------------------------ */

static snw_status fit_failed(const fit_run *run, const char *function, snw_status status, snw_error *error) {
	return snw_fail(error, status, "%s failed in %s: %s", short_name(run), function,
					snw_services_failure(run->services, status));
}

/* A model of given rows, in the place of a fit. */
static snw_status reskin(fit_run *run, const snw_fit_input *input, snw_error *error) {
	const snw_status status = snw_deny_caveat(snw_deformer_reskin(run->deformer, snw_services_host(run->services),
																  input->character, run->request->rows, &run->model));
	return snw_failed(status) || !run->model
			   ? fit_failed(run, "reskin", snw_failed(status) ? status : SNW_ERROR_INTERNAL, error)
			   : status;
}

static snw_status run_plugin(fit_run *run, const snw_fit_input *input, snw_error *error) {
	snw_instance *instance = NULL;
	snw_status status = snw_deny_caveat(snw_deformer_create(run->deformer, snw_services_host(run->services), &instance));
	if (snw_failed(status)) {
		return fit_failed(run, "create", status, error);
	}
	snw_thread_function("fit");
	status = run->deformer->fit(instance, input, &run->model);
	snw_thread_function("destroy");
	run->deformer->destroy(instance);
	if (status == SNW_CANCELLED) {
		return snw_fail(error, status, "the fit of %s was cancelled; nothing was changed", short_name(run));
	}
	if (snw_failed(status)) {
		return fit_failed(run, "fit", status, error);
	}
	if (!run->model || status > SNW_ILL_CONDITIONED) {
		return snw_fail(error, SNW_ERROR_INTERNAL,
						"%s broke the plug-in rules: its fit returned status %d and %s model; tell its author", short_name(run),
						status, run->model ? "a" : "no");
	}
	return status;
}

static bool model_blends(const fit_run *run, const snw_model *model) {
	bool blends = false;
	for (uint32_t m = 0; !blends && m < run->scene->mesh_count; m++) {
		snw_program_part part;
		const char *reason;
		const snw_status status = snw_deny_caveat(
			snw_deformer_lower(run->deformer, snw_services_host(run->services), model, run->values, m, &part, &reason));
		blends = status == SNW_ERROR_UNSUPPORTED ? run->deformer->descriptor->traits & SNW_REPLACES_BLEND
												 : !snw_failed(status) && part.blend != SNW_BLEND_NONE;
	}
	return blends;
}

/* Saves the model and checks that it can be loaded again, because the stored bytes are what runs. */
static snw_status save_model(fit_run *run, const snw_character_view *character, snw_fit_outcome *outcome, snw_error *error) {
	snw_memory_sink sink;
	snw_memory_sink_open(&sink);
	snw_status status = snw_deny_caveat(snw_deformer_save(run->deformer, run->model, &sink.sink));
	if (snw_failed(status)) {
		snw_memory_sink_close(&sink);
		return fit_failed(run, "save", status, error);
	}
	const snw_descriptor *descriptor = run->deformer->descriptor;
	outcome->model = (snw_saved_model){
		.name = run->layer.name,
		.deformer = snw_arena_text(outcome->arena, descriptor->id),
		.deformer_version = snw_arena_text(outcome->arena, descriptor->version),
		.bytes = snw_arena_copy(outcome->arena, sink.bytes, sink.count),
		.byte_count = sink.count,
	};
	snw_memory_sink_close(&sink);
	snw_model *loaded = NULL;
	status = snw_deny_caveat(snw_deformer_load(run->deformer, snw_services_host(run->services), character, outcome->model.bytes,
											   outcome->model.byte_count, &loaded));
	if (snw_failed(status) || !loaded) {
		return fit_failed(run, "load", snw_failed(status) ? status : SNW_ERROR_INTERNAL, error);
	}
	run->blends = model_blends(run, loaded);
	snw_thread_function("release");
	run->deformer->release(loaded);
	return SNW_OK;
}

/* ---- the previous model -------------------------------------------------------------------------------------------------- */

/* Loads the model of the layer's last fit, if this version of the method can read it for this character. */
static void load_previous(fit_run *run, const snw_character_view *character) {
	const uint32_t index = run->existing == SNW_NONE ? SNW_NONE : run->scene->layers[run->existing].model;
	const snw_descriptor *descriptor = run->deformer->descriptor;
	const snw_saved_model *saved = index == SNW_NONE ? NULL : &run->scene->models[index];
	if (!saved || strcmp(saved->deformer, descriptor->id) != 0 || strcmp(saved->deformer_version, descriptor->version) != 0) {
		return;
	}
	run->previous_services = snw_services_create(NULL, run->scene, NULL, NULL);
	const snw_status status = snw_deformer_load(run->deformer, snw_services_host(run->previous_services), character,
												saved->bytes, saved->byte_count, &run->previous);
	if (snw_failed(snw_deny_caveat(status))) {
		run->previous = NULL;
	}
}

static void release_models(fit_run *run) {
	snw_thread_function("release");
	if (run->model) {
		run->deformer->release(run->model);
	}
	if (run->previous) {
		run->deformer->release(run->previous);
	}
	snw_services_destroy(run->previous_services);
}

/* Runs the fit; `outcome` gets the saved model and the proposals. Returns the fit's caveat, if any. */
static snw_status fit_and_save(fit_run *run, const snw_stack *below, snw_fit_outcome *outcome, snw_error *error) {
	const snw_descriptor *descriptor = run->deformer->descriptor;
	const uint32_t samples = descriptor->traits & SNW_MAKES_WEIGHTS ? SNW_NEEDS_SAMPLES : 0; /* those that there are */
	snw_fit_input *input;
	snw_status status =
		snw_fit_input_make(run->scene, descriptor->needs | samples, run->layer.samples, run->request->left_out_example,
						   descriptor->parameter_count, run->values, run->task, run->scratch, &input, error);
	status = snw_failed(status) ? status : check_examples(run, input, error);
	status = snw_failed(status)
				 ? status
				 : snw_fit_input_override(run->scene, run->deformer->descriptor, &run->layer, run->scratch, input, error);
	status = snw_failed(status) ? status
								: snw_fit_input_place_unedited(run->scene, below, run->request->left_out_example, run->scratch,
															   input, &run->reads_below, error);
	if (snw_failed(status)) {
		return status;
	}
	outcome->proposals.arena = outcome->arena;
	outcome->proposals.replaces_skeleton = run->request->follows_joints;
	const snw_below services_below = snw_stack_below_service(below);
	run->services = snw_services_create(run->task, run->scene, &services_below, &outcome->proposals);
	const snw_thread_call previous = snw_thread_enter((snw_thread_call){.role = SNW_ROLE_OWNER,
																		.who = run->deformer->descriptor->short_name,
																		.function = "fit",
																		.layer = run->layer.name,
																		.reports = true});
	load_previous(run, input->character);
	if (run->request->black_box) {
		snw_services_hide_affine(run->services);
	}
	input->previous = run->previous;
	input->refits = run->request->refits && run->previous && descriptor->traits & SNW_REFITS_EXAMPLES;
	const double begun = snk_clock_seconds();
	const snw_status fitted = run->request->rows ? reskin(run, input, error) : run_plugin(run, input, error);
	outcome->method_seconds = snk_clock_seconds() - begun;
	outcome->below_calls = snw_services_below_calls(run->services);
	status = fitted;
	if (!snw_failed(fitted)) {
		outcome->caveat = fitted == SNW_OK ? NULL : snw_arena_text(outcome->arena, snw_services_failure(run->services, fitted));
		status = save_model(run, input->character, outcome, error);
		status = snw_failed(status) ? status : snw_proposals_declare(run->deformer->descriptor, &outcome->proposals, error);
		status = snw_failed(status) ? status : fitted;
	}
	release_models(run);
	snw_thread_leave(previous);
	run->reads_below = run->reads_below || snw_services_below_was_read(run->services);
	snw_services_destroy(run->services);
	return status;
}

/* Hashes the data that the fit read. It hashes the scene with the proposals applied, because later checks hash that scene. */
static snw_status hash_reads(const fit_run *run, const snw_registry *registry, snw_fit_outcome *outcome, snw_error *error) {
	const snw_proposals *proposals = &outcome->proposals;
	uint64_t *reads = SNW_NEW_ARRAY(outcome->arena, uint64_t, SNW_READ_KINDS);
	outcome->model.reads = reads;
	if (!proposals->has_skeleton && proposals->skin_count + proposals->track_count + proposals->target_count == 0 &&
		!outcome->replaces) {
		const uint32_t below = run->existing == SNW_NONE ? run->scene->layer_count : run->existing;
		snw_fit_reads(run->scene, registry, run->deformer, &outcome->layer, below, run->reads_below, reads);
		return SNW_OK;
	}
	snw_scene *after = NULL;
	const snw_status status = snw_fit_apply(run->scene, outcome, &after, error);
	if (!snw_failed(status)) {
		const uint32_t layer = snw_scene_find_layer(after, outcome->layer.name);
		snw_fit_reads(after, registry, run->deformer, &after->layers[layer], layer, run->reads_below, reads);
	}
	snw_scene_destroy(after);
	return status;
}

uint64_t snw_fit_place(const snw_scene *scene) {
	snw_hash hash = {0};
	for (uint32_t i = 0; i < scene->mesh_count; i++) {
		snw_hash_u64(&hash, (uint64_t)scene->meshes[i].id);
		snw_hash_u64(&hash, scene->meshes[i].point_count);
		snw_hash_u64(&hash, scene->meshes[i].face_count);
	}
	for (uint32_t i = 0; i < scene->skeleton.joint_count; i++) {
		snw_hash_text(&hash, scene->skeleton.names[i]);
	}
	for (uint32_t i = 0; i < scene->slot_count; i++) {
		snw_hash_u64(&hash, scene->slot_joints[i]);
	}
	for (uint32_t i = 0; i < scene->channel_count; i++) {
		snw_hash_text(&hash, scene->channels[i].name);
	}
	for (uint32_t i = 0; i < scene->layer_count; i++) {
		const snw_layer *layer = &scene->layers[i];
		snw_hash_text(&hash, layer->name);
		snw_hash_text(&hash, layer->deformer);
		snw_hash_u64(&hash, layer->muted);
		snw_hash_u64(&hash, layer->model == SNW_NONE ? 0 : (uint64_t)scene->models[layer->model].id);
	}
	return snw_hash_value(&hash);
}

static snw_status run_fit(const snw_scene *scene, const snw_registry *registry, const snw_fit_request *request,
						  const snw_task *task, snw_fit_outcome *outcome, snw_error *error) {
	const double begun = snk_clock_seconds();
	snw_fit_outcome result = {.arena = outcome->arena};
	fit_run run = {.scene = scene, .request = request, .task = task};
	snw_status status = find_deformer(registry, &run, error);
	if (snw_failed(status)) {
		return status;
	}
	const snw_descriptor *descriptor = run.deformer->descriptor;
	run.layer = (snw_layer){
		.name = snw_arena_text(result.arena, request->layer ? request->layer : descriptor->short_name),
		.deformer = snw_arena_text(result.arena, descriptor->id),
		.deformer_version = snw_arena_text(result.arena, descriptor->version),
		.model = SNW_NONE,
	};
	run.scratch = snw_arena_create();
	const snw_stack *below = NULL;
	status = find_layer(&run, error);
	status = snw_failed(status) ? status : resolve_settings(&run, result.arena, error);
	status = snw_failed(status) || request->rows ? status : snw_needs_check(scene, descriptor, error);
	status = snw_failed(status) ? status : resolve_samples(&run, result.arena, error);
	if (!snw_failed(status)) {
		const uint32_t limit = run.existing == SNW_NONE ? scene->layer_count : run.existing;
		status = snw_fit_below_borrow(scene, registry, run.deformer, limit, task, &below, error);
	}
	if (!snw_failed(status)) {
		status = fit_and_save(&run, below, &result, error);
		const char *base = snw_stack_base_blend(below);
		const bool is_active = base && !scene->layers[snw_scene_find_layer(scene, base)].muted;
		result.replaces = run.blends && is_active && !run.layer.muted ? snw_arena_text(result.arena, base) : NULL;
	}
	snw_stack_give_back(below);
	snw_arena_destroy(run.scratch);
	result.layer = run.layer;
	result.proposes_only = snw_proposes_only(descriptor);
	if (!snw_failed(status) && !result.proposes_only) {
		const snw_status hashed = hash_reads(&run, registry, &result, error);
		status = snw_failed(hashed) ? hashed : status;
	}
	if (snw_failed(status)) {
		return status;
	}
	result.status = status;
	result.seconds = snk_clock_seconds() - begun;
	*outcome = result;
	if (result.caveat) {
		snw_fail(error, status, "%s: %s", descriptor->short_name, result.caveat);
	}
	return status;
}

/* A method that makes a skeleton sees a character without one, or only the joints of the one that it replaces. */
static snw_status run_without_skeleton(const snw_scene *scene, const snw_registry *registry, const snw_fit_request *request,
									   const snw_task *task, snw_fit_outcome *outcome, snw_error *error) {
	snw_scene *bare = NULL;
	snw_status status = snw_scene_without_skeleton(scene, &bare, error);
	if (!snw_failed(status)) {
		bare->layer_count = 0; /* layers that blend by the old skeleton cannot be below the fit */
		bare->skeleton = request->follows_joints ? scene->skeleton : bare->skeleton;
	}
	status = snw_failed(status) ? status : run_fit(bare, registry, request, task, outcome, error);
	snw_scene_destroy(bare);
	return status;
}

static bool loads(const snw_scene *scene, const snw_registry *registry, uint32_t layer) {
	snw_scene alone = *scene;
	alone.layers = &scene->layers[layer];
	alone.layer_count = 1;
	snw_stack *stack = NULL;
	const bool is_loaded = !snw_failed(snw_stack_build(&alone, registry, NULL, NULL, &stack, NULL));
	snw_stack_destroy(stack);
	return is_loaded;
}

/* More slots than a model was fitted with can make it useless. `complete` is the scene with a slot for each joint. */
static snw_status expect_models_load(const snw_scene *scene, const snw_scene *complete, const snw_registry *registry,
									 snw_error *error) {
	const char *names = NULL;
	for (uint32_t i = 0; i < scene->layer_count && complete->slot_count > scene->slot_count; i++) {
		const snw_layer *layer = &scene->layers[i];
		if (layer->model != SNW_NONE && !layer->muted && loads(scene, registry, i) && !loads(complete, registry, i)) {
			names = snw_arena_format(complete->arena, "%s%s'%s'", names ? names : "", names ? ", " : "", layer->name);
		}
	}
	return names
			   ? snw_fail(error, SNW_ERROR_CONFLICT,
						  "the weights would use %u more joint%s, and the models of these layers would then not load: %s; mute "
						  "or remove the layers first, and fit them again afterwards",
						  complete->slot_count - scene->slot_count, snw_plural(complete->slot_count - scene->slot_count), names)
			   : SNW_OK;
}

/* A method that makes weights sees a slot for each joint. Without a skin no layer can be below it. */
static snw_status run_with_slots(const snw_scene *scene, const snw_registry *registry, const snw_fit_request *request,
								 const snw_task *task, snw_fit_outcome *outcome, snw_error *error) {
	snw_scene *complete = snw_scene_copy(scene);
	bool has_skin = false;
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		has_skin = has_skin || scene->meshes[m].influence_offsets;
	}
	complete->layer_count = has_skin ? complete->layer_count : 0;
	snw_scene_complete_slots(complete);
	snw_status status = expect_models_load(scene, complete, registry, error);
	status = snw_failed(status) ? status : run_fit(complete, registry, request, task, outcome, error);
	snw_scene_destroy(complete);
	return status;
}

/* A layer that lies below a bake sees the layers below it as the bake does, and stays muted if it is. */
static snw_status run_below_bake(const snw_scene *scene, const snw_registry *registry, const snw_fit_request *request,
								 const snw_deformer *deformer, const snw_task *task, snw_fit_outcome *outcome,
								 snw_error *error) {
	const char *name = request->layer || !deformer ? request->layer : deformer->descriptor->short_name;
	const uint32_t layer = name ? snw_scene_find_layer(scene, name) : SNW_NONE;
	snw_arena *scratch = snw_arena_create();
	const snw_scene *seen = snw_scene_of_layer(scene, name, scratch);
	const snw_status status = run_fit(seen, registry, request, task, outcome, error);
	if (!snw_failed(status) && layer != SNW_NONE) {
		outcome->layer.muted = scene->layers[layer].muted;
	}
	snw_arena_destroy(scratch);
	return status;
}

snw_status snw_fit_run(const snw_scene *scene, const snw_registry *registry, const snw_fit_request *request,
					   const snw_task *task, snw_fit_outcome *outcome, snw_error *error) {
	const snw_deformer *deformer = snw_registry_find(registry, request->method);
	const bool is_in_the_way = deformer && makes_skeleton(deformer) && scene->skeleton.joint_count > 0;
	if (is_in_the_way && !request->replaces_skeleton) {
		return snw_fail(error, SNW_ERROR_CONFLICT,
						"the project has a skeleton of %u joints; --replace puts another in its place, --from-joints one that "
						"follows them, and "
						"'sinew undo' takes that back",
						scene->skeleton.joint_count);
	}
	const bool makes_weights = deformer && deformer->descriptor->traits & SNW_MAKES_WEIGHTS;
	const snw_status status = is_in_the_way   ? run_without_skeleton(scene, registry, request, task, outcome, error)
							  : makes_weights ? run_with_slots(scene, registry, request, task, outcome, error)
											  : run_below_bake(scene, registry, request, deformer, task, outcome, error);
	if (!snw_failed(status)) {
		outcome->place = snw_fit_place(scene);
	}
	if (!snw_failed(status) && outcome->proposes_only) {
		uint64_t *reads = SNW_NEW_ARRAY(outcome->arena, uint64_t, SNW_READ_KINDS);
		snw_fit_reads(scene, registry, deformer, &outcome->layer, scene->layer_count, true, reads);
		outcome->model.reads = reads;
	}
	return status;
}

/* ---- a model follows its meshes ------------------------------------------------------------------------------------------ */

typedef struct model_transfer {
	const snw_model_transfer *transfer;
	const snw_layer *layer;
	const snw_saved_model *saved;
	const snw_deformer *deformer;
	snw_services *services;
	snw_model *model;
	snw_error *error;
} model_transfer;

static snw_status transfer_failed(const model_transfer *c, const char *function, snw_status status) {
	return snw_fail(c->error, status, "layer '%s' cannot follow the changed meshes: %s of %s failed: %s", c->layer->name,
					function, c->deformer->descriptor->short_name, snw_services_failure(c->services, status));
}

/* What was read is what is there now, unless it had changed before. */
static const uint64_t *transfer_reads(const model_transfer *c, uint32_t layer_before, uint32_t layer_after) {
	const uint64_t *stored = c->saved->reads;
	if (!stored) {
		return NULL;
	}
	uint64_t before[SNW_READ_KINDS], *reads = SNW_NEW_ARRAY(c->transfer->arena, uint64_t, SNW_READ_KINDS);
	const bool reads_below = stored[SNW_READ_BELOW] != 0;
	snw_fit_reads(c->transfer->before, c->transfer->registry, c->deformer, c->layer, layer_before, reads_below, before);
	snw_fit_reads(c->transfer->after, c->transfer->registry, c->deformer, c->layer, layer_after, reads_below, reads);
	for (uint32_t k = 0; k < SNW_READ_KINDS; k++) {
		reads[k] = stored[k] == before[k] ? reads[k] : stored[k];
	}
	return reads;
}

/* The bytes are what runs, so they must load. */
static snw_status save_transferred(model_transfer *c, const snw_character_view *character, snw_saved_model *made) {
	snw_memory_sink sink;
	snw_memory_sink_open(&sink);
	snw_status status = snw_deny_caveat(snw_deformer_save(c->deformer, c->model, &sink.sink));
	*made = *c->saved;
	made->id = 0;
	made->bytes = snw_failed(status) ? NULL : snw_arena_copy(c->transfer->arena, sink.bytes, sink.count);
	made->byte_count = sink.count;
	snw_memory_sink_close(&sink);
	if (snw_failed(status)) {
		return transfer_failed(c, "save", status);
	}
	snw_model *loaded = NULL;
	status = snw_deny_caveat(
		snw_deformer_load(c->deformer, snw_services_host(c->services), character, made->bytes, made->byte_count, &loaded));
	if (snw_failed(status) || !loaded) {
		return transfer_failed(c, "load", snw_failed(status) ? status : SNW_ERROR_INTERNAL);
	}
	snw_thread_function("release");
	c->deformer->release(loaded);
	return SNW_OK;
}

static snw_status transfer_and_save(model_transfer *c, snw_saved_model *made) {
	const snw_model_transfer *from = c->transfer;
	const snw_character_view *character = snw_character_view_make(from->after, from->arena);
	const snw_transfer_call call = {.size = sizeof call,
									.host = snw_services_host(c->services),
									.before = snw_character_view_make(from->before, from->arena),
									.bytes = c->saved->bytes,
									.count = c->saved->byte_count,
									.character = character,
									.stencils = from->stencils};
	snw_status status = snw_deny_caveat(snw_deformer_transfer(c->deformer, &call, &c->model));
	if (snw_failed(status) || !c->model) {
		return transfer_failed(c, "transfer", snw_failed(status) ? status : SNW_ERROR_INTERNAL);
	}
	status = save_transferred(c, character, made);
	snw_thread_function("release");
	c->deformer->release(c->model);
	return status;
}

snw_status snw_transfer_model(const snw_model_transfer *transfer, uint32_t layer_before, uint32_t layer_after,
							  snw_saved_model *model, snw_error *error) {
	const snw_layer *layer = &transfer->before->layers[layer_before];
	model_transfer c = {.transfer = transfer,
						.layer = layer,
						.saved = &transfer->before->models[layer->model],
						.deformer = snw_registry_find(transfer->registry, layer->deformer),
						.error = error};
	if (!c.deformer) {
		return snw_fail(error, SNW_ERROR_UNSUPPORTED, "layer '%s' cannot follow the changed meshes: %s is not loaded",
						layer->name, layer->deformer);
	}
	const char *name = c.deformer->descriptor->short_name;
	if (!c.deformer->transfer || strcmp(c.saved->deformer_version, c.deformer->descriptor->version) != 0) {
		return snw_fail(error, SNW_ERROR_UNSUPPORTED, "layer '%s' cannot follow the changed meshes: %s", layer->name,
						snw_arena_format(transfer->arena,
										 c.deformer->transfer ? "its model is of another version of %s"
															  : "%s takes no model to other meshes",
										 name));
	}
	c.services = snw_services_create(transfer->task, transfer->after, NULL, NULL);
	const snw_thread_call previous = snw_thread_enter(
		(snw_thread_call){.role = SNW_ROLE_OWNER, .who = name, .function = "transfer", .layer = layer->name, .reports = true});
	const snw_status status = transfer_and_save(&c, model);
	snw_thread_leave(previous);
	snw_services_destroy(c.services);
	if (!snw_failed(status)) {
		model->reads = transfer_reads(&c, layer_before, layer_after);
	}
	return status;
}
