/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "worker/refresh.h"

#include "fit/commit.h"
#include "fit/fit.h"
#include "fit/samples.h"
#include "fit/stale.h"
#include "sinew/kit/clock.h"

typedef struct refreshing {
	snw_project *project;
	const char *path;
	const snw_registry *registry;
	const snw_worker_limits *limits;
	const snw_task *task;
	snw_arena *arena;
	snw_refresh *refresh;
	snw_error *error;
} refreshing;

/* Whether nothing reads the layer. A bake reads layers below it that it has muted. */
static bool is_unread(const snw_scene *scene, uint32_t layer) {
	snw_arena *scratch = snw_arena_create();
	const snw_scene *seen = snw_scene_of_layer(scene, scene->layers[layer].name, scratch);
	const bool is = seen->layers[layer].muted;
	snw_arena_destroy(scratch);
	return is;
}

static bool reads_frames(const snw_scene *scene, const snw_descriptor *descriptor, const char *samples) {
	bool reads = false;
	for (uint32_t t = 0; t < scene->target_count && !reads; t++) {
		reads = snw_samples_can_have_target(descriptor->needs, &scene->targets[t]) &&
				snw_samples_have_target(scene, samples, &scene->targets[t]);
	}
	return reads;
}

/* Whether a layer of SNW_REFITS_EXAMPLES is stale only by what a refit follows, and has nothing else to learn from, which may
 * be long. */
static bool needs_refit(const snw_scene *scene, const snw_descriptor *descriptor, const snw_layer *layer, uint32_t stale) {
	const uint32_t followed = 1u << SNW_READ_EXAMPLES | 1u << SNW_READ_GROUPS | 1u << SNW_READ_BELOW;
	return stale != 0 && (stale & ~followed) == 0 && snw_scene_active_example_count(scene) > 0 &&
		   snw_samples_include_examples(descriptor->needs, layer->samples) && !reads_frames(scene, descriptor, layer->samples);
}

static bool needs_fit(const snw_registry *registry, const snw_scene *scene, uint32_t index) {
	const snw_layer *layer = &scene->layers[index];
	const snw_deformer *deformer = snw_registry_find(registry, layer->deformer);
	const uint32_t traits = deformer ? deformer->descriptor->traits : 0;
	if (!(traits & (SNW_REFITS | SNW_REFITS_EXAMPLES)) || is_unread(scene, index) || snw_layer_is_baked(layer)) {
		return false;
	}
	const uint32_t stale = snw_layer_stale(scene, registry, index);
	return traits & SNW_REFITS ? stale != 0 && snw_scene_active_example_count(scene) + scene->target_count > 0
							   : needs_refit(scene, deformer->descriptor, layer, stale);
}

static snw_fit_request request_of(const snw_scene *scene, uint32_t layer) {
	return (snw_fit_request){.method = scene->layers[layer].deformer,
							 .layer = scene->layers[layer].name,
							 .left_out_example = SNW_NONE,
							 .refits = true};
}

/* Fits one layer. SNW_OK even if the fit fails: the failure is reported in `refresh`. */
static snw_status fit_layer(refreshing *r, const snw_scene *scene, uint32_t layer) {
	const char *name = snw_arena_text(r->arena, scene->layers[layer].name);
	const snw_fit_request request = request_of(scene, layer);
	snw_fit_outcome outcome = {.arena = r->arena};
	snw_error why = {0};
	const bool in_process = r->limits && r->limits->in_process;
	snw_status status = in_process ? snw_fit_run(scene, r->registry, &request, r->task, &outcome, &why)
								   : snw_worker_fit(r->path, &request, r->limits, r->task, &outcome, &why);
	if (snw_failed(status)) {
		r->refresh->failed[r->refresh->failed_count++] = snw_arena_format(r->arena, "%s: %s", name, why.text);
		return SNW_OK;
	}
	status = snw_project_commit_fit(r->project, NULL, &outcome, NULL, &why);
	if (status == SNW_ERROR_CONFLICT) { /* who changed it meanwhile fits it again */
		r->refresh->failed[r->refresh->failed_count++] = snw_arena_format(r->arena, "%s: %s", name, why.text);
		return SNW_OK;
	}
	if (snw_failed(status)) {
		return snw_fail(r->error, status, "%s", why.text);
	}
	r->refresh->fitted[r->refresh->fitted_count++] = name;
	return SNW_OK;
}

snw_status snw_worker_refresh(snw_project *project, const char *path, const snw_registry *registry,
							  const snw_worker_limits *limits, const snw_task *task, snw_arena *arena, snw_refresh *refresh,
							  snw_error *error) {
	const double begun = snk_clock_seconds();
	snw_scene *scene = NULL;
	refreshing r = {project, path, registry, limits, task, arena, refresh, error};
	snw_status status = snw_project_scene(project, &scene, error);
	if (snw_failed(status)) {
		return status;
	}
	*refresh = (snw_refresh){.fitted = SNW_NEW_ARRAY(arena, const char *, scene->layer_count),
							 .failed = SNW_NEW_ARRAY(arena, const char *, scene->layer_count)};
	for (uint32_t layer = 0; !snw_failed(status) && layer < scene->layer_count; layer++) {
		if (!needs_fit(registry, scene, layer)) {
			continue;
		}
		const uint32_t fitted = refresh->fitted_count;
		status = fit_layer(&r, scene, layer);
		if (!snw_failed(status) && refresh->fitted_count > fitted) {
			snw_scene_destroy(scene);
			scene = NULL;
			status = snw_project_scene(project, &scene, error);
		}
	}
	snw_scene_destroy(scene);
	refresh->seconds = snk_clock_seconds() - begun;
	return status;
}

/* Replaces the scene by one with the layer refitted. SNW_OK, with the scene as it was, if the fit fails. */
static snw_status refit_copy(snw_scene **scene, uint32_t layer, const snw_registry *registry, const snw_task *task,
							 snw_error *error) {
	snw_arena *arena = snw_arena_create();
	const snw_fit_request request = request_of(*scene, layer);
	snw_fit_outcome outcome = {.arena = arena};
	snw_scene *next = NULL;
	snw_status status = snw_fit_run(*scene, registry, &request, task, &outcome, NULL);
	if (!snw_failed(status)) {
		status = snw_fit_apply(*scene, &outcome, &next, error);
	} else if (status != SNW_CANCELLED) {
		status = SNW_OK;
	}
	if (next) {
		snw_scene_destroy(*scene);
		*scene = next;
	}
	snw_arena_destroy(arena);
	return status;
}

snw_status snw_scene_after_fit(const snw_scene *scene, const snw_registry *registry, const snw_fit_outcome *outcome,
							   const snw_task *task, snw_scene **result, snw_error *error) {
	snw_scene *after = NULL;
	snw_status status = snw_fit_apply(scene, outcome, &after, error);
	for (uint32_t layer = 0; !snw_failed(status) && layer < after->layer_count; layer++) {
		if (needs_fit(registry, after, layer)) {
			status = refit_copy(&after, layer, registry, task, error);
		}
	}
	if (snw_failed(status)) {
		snw_scene_destroy(after);
		after = NULL;
	}
	*result = after;
	return status;
}
