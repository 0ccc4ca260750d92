/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "edit/commit_bake.h"

#include "fit/baked_layers.h"
#include "fit/stale.h"

typedef struct committing {
	snw_project *project;
	const snw_scene *scene;
	const snw_registry *registry;
	snw_arena *arena;
	snw_scene after;
	snw_error *error;
} committing;

/* Puts the layers and models of the variant behind those that `after` has. */
static void add_variant(const snw_scene *scene, const snw_baked *baked, const snw_bake_variant *variant, snw_arena *arena,
						snw_scene *after, snw_layer *layers, snw_saved_model *models) {
	snw_scene below;
	snw_scene_below_bake(scene, arena, &below);
	const snw_bake_request *request = baked->request;
	const snw_bake_record record = {.budget = snw_budget_text(&request->budget, arena),
									.engine = request->engine ? request->engine->name : NULL,
									.method = request->method,
									.names_clips = request->names_clips};
	/* The clip of the bake is not in the project; its poses are those of the project's clips. */
	const char *samples = snw_bake_record_write(&below, request->clip_count, request->clips, &record, arena);
	for (uint32_t i = 0; i < variant->outcome_count; i++) {
		snw_layer *layer = &layers[after->layer_count++];
		*layer = variant->outcomes[i].layer;
		layer->samples = samples;
		layer->model = after->model_count;
		models[after->model_count++] = variant->outcomes[i].model;
	}
}

void snw_scene_after_bake(const snw_scene *scene, const snw_baked *baked, uint32_t index, snw_arena *arena, snw_scene *after) {
	const snw_bake_variant *variant = &baked->variants[index];
	const uint32_t first = snw_scene_first_baked(scene), place = first == SNW_NONE ? scene->layer_count : first;
	snw_layer *layers = SNW_NEW_ARRAY(arena, snw_layer, (size_t)scene->layer_count + variant->outcome_count);
	snw_saved_model *models = SNW_NEW_ARRAY(arena, snw_saved_model, (size_t)scene->model_count + variant->outcome_count);
	*after = *scene;
	after->layers = layers;
	after->layer_count = 0;
	after->models = models;
	for (uint32_t i = 0; i < scene->model_count; i++) {
		models[i] = scene->models[i];
	}
	for (uint32_t i = 0; i < place; i++) {
		layers[after->layer_count] = scene->layers[i];
		layers[after->layer_count++].muted = true;
	}
	add_variant(scene, baked, variant, arena, after, layers, models);
	for (uint32_t i = place; i < scene->layer_count; i++) {
		if (!snw_layer_is_baked(&scene->layers[i])) {
			layers[after->layer_count++] = scene->layers[i];
		}
	}
}

/* What the bake has read: the character, the poses of clips, and the layers below, which make the points of its frames. */
static uint64_t *find_reads(const committing *c, uint32_t index) {
	const snw_layer *layer = &c->after.layers[index];
	uint64_t *reads = SNW_NEW_ARRAY(c->arena, uint64_t, SNW_READ_KINDS);
	snw_fit_reads(&c->after, c->registry, snw_registry_find(c->registry, layer->deformer), layer, index, true, reads);
	reads[SNW_READ_EXAMPLES] = reads[SNW_READ_GROUPS] = 0;
	return reads;
}

/* One of the bake's, at its place. */
static snw_status put_baked(const committing *c, uint32_t index) {
	snw_saved_model model = c->after.models[c->after.layers[index].model];
	int64_t id = 0;
	model.reads = find_reads(c, index);
	const snw_status status = snw_project_put_model(c->project, &model, &id, c->error);
	return snw_failed(status) ? status
							  : snw_project_put_layer(c->project, &c->after.layers[index], id, (int32_t)index, NULL, c->error);
}

/* The layers of the bake before, whose names may be those of the new ones. */
static snw_status remove_baked(const committing *c) {
	snw_status status = SNW_OK;
	for (uint32_t i = 0; i < c->scene->layer_count && !snw_failed(status); i++) {
		if (snw_layer_is_baked(&c->scene->layers[i])) {
			status = snw_project_remove(c->project, SNW_PROJECT_LAYER, c->scene->layers[i].id, c->error);
		}
	}
	return status;
}

static snw_status put_all(const committing *c) {
	const snw_scene *after = &c->after;
	snw_status status = remove_baked(c);
	for (uint32_t i = 0; i < after->layer_count && !snw_failed(status); i++) {
		const snw_layer *layer = &after->layers[i];
		const int64_t model = layer->model == SNW_NONE ? 0 : after->models[layer->model].id;
		if (snw_layer_is_baked(layer)) {
			status = put_baked(c, i);
		} else if (layer->muted != c->scene->layers[snw_scene_find_layer(c->scene, layer->name)].muted) {
			status = snw_project_put_layer(c->project, layer, model, -1, NULL, c->error);
		}
	}
	return status;
}

snw_status snw_project_commit_bake(snw_project *project, const snw_scene *scene, const snw_registry *registry,
								   const snw_baked *baked, const char *label, snw_arena *arena, snw_error *error) {
	committing c = {.project = project, .scene = scene, .registry = registry, .arena = arena, .error = error};
	snw_status status = snw_bake_check(scene, error);
	if (snw_failed(status)) {
		return status;
	}
	snw_scene_after_bake(scene, baked, baked->best, arena, &c.after);
	status = snw_project_begin(project, label, error);
	if (!snw_failed(status)) {
		status = put_all(&c);
		status = snw_failed(status) ? status : snw_project_commit(project, error);
		if (snw_failed(status)) {
			snw_project_rollback(project);
		}
	}
	return status;
}
