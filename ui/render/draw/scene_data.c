/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Drafts of a scene's meshes and pictures.
 */
#include "render/draw/scene_data.h"

#include "render/draw/renderer.h"

static snw_figure_draft *make(const snw_scene *scene, uint32_t level) {
	snw_arena *arena = snw_arena_create();
	snw_figure_draft *draft = SNW_NEW(arena, snw_figure_draft);
	*draft = (snw_figure_draft){.arena = arena, .mesh_count = scene->mesh_count, .level = level};
	draft->surfaces = SNW_NEW_ARRAY(arena, snw_surface_draft *, scene->mesh_count);
	draft->subdivided = SNW_NEW_ARRAY(arena, snw_subdivided_draft *, scene->mesh_count);
	return draft;
}

static snw_status refine(snw_figure_draft *draft, const snw_scene *scene, snw_error *error) {
	snw_status status = SNW_OK;
	for (uint32_t m = 0; m < draft->mesh_count && draft->level > 0 && status >= 0; m++) {
		status = snw_subdivided_draft_create(&scene->meshes[m], draft->level, &draft->subdivided[m], error);
	}
	return status;
}

snw_figure_draft *snw_figure_draft_create(const snw_scene *scene, uint32_t level) {
	snw_figure_draft *draft = make(scene, level);
	draft->materials = snw_materials_draft_create(scene);
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		draft->surfaces[m] = snw_surface_draft_create(&scene->meshes[m]);
	}
	(void)refine(draft, scene, NULL);
	return draft;
}

snw_status snw_figure_draft_refine(const snw_scene *scene, uint32_t level, snw_figure_draft **draft, snw_error *error) {
	snw_figure_draft *made = make(scene, level);
	const snw_status status = refine(made, scene, error);
	if (status < 0) {
		snw_figure_draft_destroy(made);
		return status;
	}
	*draft = made;
	return SNW_OK;
}

void snw_figure_draft_destroy(snw_figure_draft *draft) {
	if (draft) {
		for (uint32_t m = 0; m < draft->mesh_count; m++) {
			snw_surface_draft_destroy(draft->surfaces[m]);
			snw_subdivided_draft_destroy(draft->subdivided[m]);
		}
		snw_materials_draft_destroy(draft->materials);
		snw_arena_destroy(draft->arena);
	}
}
