/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "edit/add_layer.h"

#include "fit/below.h"

static snw_status mute_layer(snw_project *project, const snw_scene *scene, uint32_t index, snw_error *error) {
	snw_layer layer = scene->layers[index];
	layer.muted = true;
	int64_t id;
	return snw_project_put_layer(project, &layer, layer.model == SNW_NONE ? 0 : scene->models[layer.model].id, -1, &id, error);
}

snw_status snw_layer_put_over(snw_project *project, const snw_scene *scene, const snw_layer *layer, int64_t model,
							  uint32_t replaced, snw_error *error) {
	const bool is_new = snw_scene_find_layer(scene, layer->name) == SNW_NONE;
	const int32_t place = is_new && replaced != SNW_NONE ? (int32_t)replaced + 1 : -1;
	const snw_status status = replaced == SNW_NONE ? SNW_OK : mute_layer(project, scene, replaced, error);
	int64_t id;
	return snw_failed(status) ? status : snw_project_put_layer(project, layer, model, place, &id, error);
}

uint32_t snw_layer_replaces(const snw_scene *scene, const snw_registry *registry, const snw_deformer *deformer) {
	const bool blends = deformer->descriptor->traits & SNW_REPLACES_BLEND;
	const uint32_t base = blends ? snw_fit_base_blend(scene, registry, scene->layer_count) : SNW_NONE;
	return base != SNW_NONE && scene->layers[base].muted ? SNW_NONE : base;
}
