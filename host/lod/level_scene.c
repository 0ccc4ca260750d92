/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lod/level_scene.h"

#include <math.h>

#include "base/box.h"
#include "lod/level_skin.h"
#include "lod/lod.h"

#define PIXELS 1080 /* of the height that a level's share is of */

/* Fields, examples and targets have the points of other meshes. */
static void leave_out_points(snw_scene *scene) {
	scene->field_count = 0;
	scene->example_count = 0;
	scene->group_count = 0;
	scene->target_count = 0;
}

/* A level as a mesh of the scene, with weights for the scene's slots, where they are those of its palette. */
static snw_mesh level_as_mesh(const snw_scene *scene, const snw_level *level, const char *name) {
	snw_mesh mesh = level->shape;
	mesh.name = name;
	if (level->slot_count != scene->slot_count) {
		mesh.influence_offsets = NULL;
		mesh.influence_slots = NULL;
		mesh.influence_weights = NULL;
	}
	return mesh;
}

const snw_level *snw_level_of_mesh(const snw_scene *scene, uint32_t mesh, uint32_t number) {
	const snw_level *found = NULL;
	for (uint32_t i = 0; i < scene->level_count; i++) {
		const snw_level *level = &scene->levels[i];
		if (level->mesh == mesh && level->number <= number && (!found || level->number > found->number)) {
			found = level;
		}
	}
	return found;
}

bool snw_scene_has_level(const snw_scene *scene, uint32_t number) {
	for (uint32_t i = 0; i < scene->level_count; i++) {
		if (scene->levels[i].number == number) {
			return true;
		}
	}
	return false;
}

uint32_t snw_level_most(const snw_scene *scene) {
	uint32_t most = 0;
	for (uint32_t i = 0; i < scene->level_count; i++) {
		most = scene->levels[i].number > most ? scene->levels[i].number : most;
	}
	return most;
}

double snw_level_side(const snw_scene *scene) {
	snw_box box = snw_box_empty();
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		snw_box_add_points(&box, scene->meshes[m].points_rest, scene->meshes[m].point_count);
	}
	double side = 0;
	for (int c = 0; c < 3; c++) {
		side = fmax(side, box.upper[c] - box.lower[c]);
	}
	return side;
}

double snw_level_most_pixels(const snw_scene *scene, uint32_t number) {
	double most = INFINITY;
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		const snw_level *level = snw_level_of_mesh(scene, m, number);
		most = level ? fmin(most, PIXELS * level->screen_share) : most;
	}
	return most;
}

uint32_t snw_level_of_pixels(const snw_scene *scene, double pixels) {
	uint32_t number = snw_level_most(scene);
	while (number > 0 && !(pixels <= snw_level_most_pixels(scene, number))) {
		number--;
	}
	return number;
}

snw_status snw_scene_at_level(const snw_scene *scene, uint32_t number, snw_arena *arena, snw_level_scene *made,
							  snw_error *error) {
	uint32_t *origins = SNW_NEW_ARRAY(arena, uint32_t, scene->mesh_count);
	const snw_level **levels = SNW_NEW_ARRAY(arena, const snw_level *, scene->mesh_count);
	snw_mesh *meshes = snw_arena_copy(arena, scene->meshes, scene->mesh_count * sizeof *meshes);
	const uint32_t most = snw_level_most(scene);
	if (number > most) {
		return most == 0 ? snw_fail(error, SNW_ERROR_MISSING,
									"the project has no levels of detail; 'sinew lod P.sinew make' makes some")
						 : snw_fail(error, SNW_ERROR_MISSING, "there is no level %u; the project has 0 to %u", number, most);
	}
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		origins[m] = m;
		levels[m] = snw_level_of_mesh(scene, m, number);
		if (levels[m]) {
			meshes[m] = level_as_mesh(scene, levels[m], scene->meshes[m].name);
			meshes[m].id = scene->meshes[m].id;
		}
	}
	*made = (snw_level_scene){.before = scene, .scene = *scene, .origins = origins, .levels = levels};
	made->scene.meshes = meshes;
	leave_out_points(&made->scene);
	return SNW_OK;
}

void snw_scene_with_levels(const snw_scene *scene, snw_arena *arena, snw_level_scene *made) {
	const uint32_t count = scene->mesh_count + scene->level_count;
	uint32_t *origins = SNW_NEW_ARRAY(arena, uint32_t, count);
	const snw_level **levels = SNW_NEW_ARRAY(arena, const snw_level *, count);
	snw_mesh *meshes = SNW_NEW_ARRAY(arena, snw_mesh, count);
	for (uint32_t m = 0; m < count; m++) {
		levels[m] = m < scene->mesh_count ? NULL : &scene->levels[m - scene->mesh_count];
		origins[m] = levels[m] ? levels[m]->mesh : m;
		const snw_mesh *of = &scene->meshes[origins[m]];
		meshes[m] = levels[m] ? level_as_mesh(scene, levels[m], "") : *of;
		meshes[m].name = levels[m] || snw_level_of_mesh(scene, m, UINT32_MAX)
							 ? snw_arena_format(arena, "%s_LOD%u", of->name, levels[m] ? levels[m]->number : 0)
							 : of->name;
	}
	*made = (snw_level_scene){.before = scene, .scene = *scene, .origins = origins, .levels = levels};
	made->scene.meshes = meshes;
	made->scene.mesh_count = count;
	leave_out_points(&made->scene);
}

bool snw_level_scene_shows(const snw_level_scene *made, uint32_t mesh, uint32_t number) {
	return made->levels[mesh] == snw_level_of_mesh(made->before, made->origins[mesh], number);
}

snw_status snw_stack_take_levels(snw_stack *stack, const snw_level_scene *made, snw_arena *arena, snw_error *error) {
	snw_stack_mesh *meshes = SNW_NEW_ARRAY(arena, snw_stack_mesh, made->scene.mesh_count);
	for (uint32_t m = 0; m < made->scene.mesh_count; m++) {
		const snw_level *level = made->levels[m];
		meshes[m].origin = made->origins[m];
		if (!level) {
			continue;
		}
		const bool is_one = lod_is_one_program(stack, level->mesh);
		const snw_program *program = is_one ? snw_stack_segment(stack, level->mesh, 0).program : NULL;
		const uint32_t slots = program ? program->slot_count : made->scene.slot_count;
		if (level->shape.influence_offsets && slots != level->slot_count) {
			return snw_fail(error, SNW_ERROR_CONFLICT,
							"level %u of mesh %s was made for %u slots, and the stack has %u now; make the levels again",
							level->number, level->shape.name, level->slot_count, slots);
		}
		snw_program *coarse = SNW_NEW(arena, snw_program);
		*coarse = snw_lod_program(made->before, stack, level, arena);
		meshes[m].program = coarse;
	}
	snw_stack_replace_meshes(stack, &made->scene, meshes);
	return SNW_OK;
}
