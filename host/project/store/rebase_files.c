/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "project/rebase_files.h"

#include <string.h>

#include "file/file.h"
#include "parameter/parameters.h"
#include "scene/copy.h"

/* Whether any path of the layer's settings became another one. */
static bool rebase_layer(const snw_scene *scene, const char *folder, const snw_registry *registry, snw_layer *layer) {
	const snw_deformer *deformer = snw_registry_find(registry, layer->deformer);
	snw_setting *settings = snw_settings_copy(scene->arena, layer->settings, layer->setting_count);
	bool changed = false;
	for (uint32_t i = 0; deformer && i < layer->setting_count; i++) {
		const uint32_t index = snw_parameter_of_key(deformer->descriptor, settings[i].key, NULL);
		const char *text = settings[i].value.text;
		const bool is_file = index != SNW_NONE && deformer->descriptor->parameters[index]->kind == SNW_PARAMETER_FILE;
		if (is_file && text && text[0] && text[0] != '/') {
			settings[i].value.text = snw_path_inside(scene->folder, snw_path_absolute(scene->arena, folder, text));
			changed = true;
		}
	}
	layer->settings = settings;
	return changed;
}

static snw_status rebase(snw_project *project, const char *folder, const snw_registry *registry, snw_error *error) {
	snw_scene *scene = NULL;
	snw_status status = snw_project_scene(project, &scene, error);
	status = snw_failed(status) ? status : snw_project_begin(project, "keep the paths of files", error);
	for (uint32_t i = 0; !snw_failed(status) && i < scene->layer_count; i++) {
		snw_layer layer = scene->layers[i];
		int64_t id;
		if (rebase_layer(scene, folder, registry, &layer)) {
			const int64_t model = layer.model == SNW_NONE ? 0 : scene->models[layer.model].id;
			status = snw_project_put_layer(project, &layer, model, -1, &id, error);
		}
	}
	status = snw_failed(status) ? status : snw_project_commit(project, error);
	snw_scene_destroy(scene);
	return status;
}

snw_status snw_project_rebase_files(const char *copy, const char *folder, const snw_registry *registry, snw_error *error) {
	snw_arena *scratch = snw_arena_create();
	const bool is_elsewhere = strcmp(snw_path_absolute(scratch, NULL, snw_path_folder(copy, scratch)), folder) != 0;
	snw_arena_destroy(scratch);
	snw_project *project = NULL;
	if (!is_elsewhere) {
		return SNW_OK;
	}
	snw_status status = snw_project_open(copy, false, &project, error);
	status = snw_failed(status) ? status : rebase(project, folder, registry, error);
	snw_project_close(project);
	return status;
}
