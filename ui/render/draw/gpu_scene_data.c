/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is prepared from a scene's meshes and pictures.
 */
#include "render/draw/viewport.h"

#include "render/draw/renderer.h"

static snw_gpu_scene_data *make(const snw_scene *scene, uint32_t level) {
	snw_arena *arena = snw_arena_create();
	snw_gpu_scene_data *data = SNW_NEW(arena, snw_gpu_scene_data);
	*data = (snw_gpu_scene_data){.arena = arena, .mesh_count = scene->mesh_count, .level = level};
	data->meshes = SNW_NEW_ARRAY(arena, snw_gpu_mesh_data *, scene->mesh_count);
	data->subdivision = SNW_NEW_ARRAY(arena, snw_gpu_subdivision_data *, scene->mesh_count);
	return data;
}

static snw_status refine(snw_gpu_scene_data *data, const snw_scene *scene, snw_error *error) {
	snw_status status = SNW_OK;
	for (uint32_t m = 0; m < data->mesh_count && data->level > 0 && !snw_failed(status); m++) {
		status = snw_gpu_subdivision_data_create(&scene->meshes[m], data->level, &data->subdivision[m], error);
	}
	return status;
}

snw_gpu_scene_data *snw_gpu_scene_data_create(const snw_scene *scene, uint32_t level) {
	snw_gpu_scene_data *data = make(scene, level);
	data->materials = snw_materials_data_create(scene);
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		data->meshes[m] = snw_gpu_mesh_data_create(&scene->meshes[m]);
	}
	(void)refine(data, scene, NULL);
	return data;
}

snw_status snw_gpu_scene_data_refine(const snw_scene *scene, uint32_t level, snw_gpu_scene_data **data, snw_error *error) {
	snw_gpu_scene_data *made = make(scene, level);
	const snw_status status = refine(made, scene, error);
	if (snw_failed(status)) {
		snw_gpu_scene_data_destroy(made);
		return status;
	}
	*data = made;
	return SNW_OK;
}

void snw_gpu_scene_data_destroy(snw_gpu_scene_data *data) {
	if (data) {
		for (uint32_t m = 0; m < data->mesh_count; m++) {
			snw_gpu_mesh_data_destroy(data->meshes[m]);
			snw_gpu_subdivision_data_destroy(data->subdivision[m]);
		}
		snw_materials_data_destroy(data->materials);
		snw_arena_destroy(data->arena);
	}
}
