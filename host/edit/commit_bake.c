/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "edit/commit_bake.h"

#include <string.h>

#include "fit/samples/samples.h"
#include "fit/stale.h"

typedef struct committing {
	snw_project *project;
	const snw_registry *registry;
	const snw_baked *baked;
	const snw_bake_variant *variant;
	snw_arena *arena;
	snw_scene after; /* with the layers muted, and those of the bake on top */
	uint32_t before; /* how many layers there were */
	snw_error *error;
} committing;

void snw_scene_after_bake(const snw_scene *scene, const snw_baked *baked, uint32_t index, snw_arena *arena, snw_scene *after) {
	const snw_bake_variant *variant = &baked->variants[index];
	const uint32_t added = variant->outcome_count;
	snw_layer *layers = SNW_NEW_ARRAY(arena, snw_layer, (size_t)scene->layer_count + added);
	snw_saved_model *models = SNW_NEW_ARRAY(arena, snw_saved_model, (size_t)scene->model_count + added);
	for (uint32_t i = 0; i < scene->layer_count; i++) {
		layers[i] = scene->layers[i];
		layers[i].muted = true;
	}
	for (uint32_t i = 0; i < scene->model_count; i++) {
		models[i] = scene->models[i];
	}
	for (uint32_t i = 0; i < added; i++) {
		snw_layer *layer = &layers[scene->layer_count + i];
		models[scene->model_count + i] = variant->outcomes[i].model;
		*layer = variant->outcomes[i].layer;
		/* The clip of the bake is not in the project; its poses are those of these. */
		layer->samples = snw_samples_of_poses(scene, baked->clip_count, baked->clips, arena);
		layer->model = scene->model_count + i;
	}
	*after = *scene;
	after->layers = layers;
	after->layer_count = scene->layer_count + added;
	after->models = models;
	after->model_count = scene->model_count + added;
}

/* What the bake has read: the character, the poses of clips, and the layers below, which make the points of its frames. */
static uint64_t *find_reads(const committing *c, uint32_t index) {
	const snw_layer *layer = &c->after.layers[index];
	uint64_t *reads = SNW_NEW_ARRAY(c->arena, uint64_t, SNW_READ_KINDS);
	snw_fit_reads(&c->after, c->registry, snw_registry_find(c->registry, layer->deformer), layer, index, true, reads);
	reads[SNW_READ_EXAMPLES] = reads[SNW_READ_GROUPS] = 0;
	return reads;
}

static snw_status put_all(const committing *c) {
	const snw_scene *after = &c->after;
	snw_status status = SNW_OK;
	for (uint32_t i = 0; i < c->before && !snw_failed(status); i++) {
		const uint32_t model = after->layers[i].model;
		status = snw_project_put_layer(c->project, &after->layers[i], model == SNW_NONE ? 0 : after->models[model].id, -1, NULL,
									   c->error);
	}
	for (uint32_t i = c->before; i < after->layer_count && !snw_failed(status); i++) {
		snw_saved_model model = after->models[after->layers[i].model];
		int64_t id = 0;
		model.reads = find_reads(c, i);
		status = snw_project_put_model(c->project, &model, &id, c->error);
		status = snw_failed(status) ? status : snw_project_put_layer(c->project, &after->layers[i], id, -1, NULL, c->error);
	}
	return status;
}

snw_status snw_project_commit_bake(snw_project *project, const snw_scene *scene, const snw_registry *registry,
								   const snw_baked *baked, const char *label, snw_arena *arena, snw_error *error) {
	committing c = {.project = project,
					.registry = registry,
					.baked = baked,
					.variant = &baked->variants[baked->best],
					.arena = arena,
					.error = error};
	for (uint32_t i = 0; i < c.variant->outcome_count; i++) {
		if (snw_scene_find_layer(scene, c.variant->outcomes[i].layer.name) != SNW_NONE) {
			return snw_fail(
				error, SNW_ERROR_CONFLICT,
				"the project has a layer '%s': it is baked already; 'sinew undo' takes that back, or bake the project "
				"that it was made from",
				c.variant->outcomes[i].layer.name);
		}
	}
	c.before = scene->layer_count;
	snw_scene_after_bake(scene, baked, baked->best, arena, &c.after);
	snw_status status = snw_project_begin(project, label, error);
	if (!snw_failed(status)) {
		status = put_all(&c);
		status = snw_failed(status) ? status : snw_project_commit(project, error);
		if (snw_failed(status)) {
			snw_project_rollback(project);
		}
	}
	return status;
}
