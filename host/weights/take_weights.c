/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "weights/take_weights.h"

#include "stack/stack.h"
#include "weights/skin_weights.h"

static uint32_t traits_of(const snw_registry *registry, const snw_layer *layer) {
	const snw_deformer *deformer = snw_registry_find(registry, layer->deformer);
	return deformer ? deformer->descriptor->traits : 0;
}

uint32_t snw_learned_blend(const snw_scene *scene, const snw_registry *registry) {
	uint32_t found = SNW_NONE;
	for (uint32_t i = 0; i < scene->layer_count; i++) {
		const uint32_t traits = traits_of(registry, &scene->layers[i]);
		if ((traits & SNW_REPLACES_BLEND) && !(traits & SNW_BINDS) && !scene->layers[i].muted) {
			found = i;
		}
	}
	return found;
}

/* The program of the layer: the last one that blends; NULL if its weights are not of the skeleton's joints. */
static const snw_program *find_blend(const snw_stack *stack, uint32_t mesh) {
	const snw_program *found = NULL;
	for (uint32_t i = 0; i < snw_stack_segment_count(stack, mesh); i++) {
		const snw_segment_info info = snw_stack_segment(stack, mesh, i);
		if (info.is_program && info.program->influence_offsets) {
			found = !info.has_palette && info.program->blend == SNW_BLEND_LINEAR ? info.program : NULL;
		}
	}
	return found;
}

static snw_status take_mesh(snw_project *project, const snw_mesh *mesh, const snw_program *program, snw_error *error) {
	snw_arena *arena = snw_arena_create();
	const uint32_t count = program->influence_offsets[mesh->point_count];
	uint32_t *offsets = SNW_NEW_ARRAY(arena, uint32_t, (size_t)mesh->point_count + 1);
	uint32_t *slots = SNW_NEW_ARRAY(arena, uint32_t, (size_t)count + 1), next = 0;
	double *weights = SNW_NEW_ARRAY(arena, double, (size_t)count + 1);
	for (uint32_t p = 0; p < mesh->point_count; p++) {
		for (uint32_t k = program->influence_offsets[p]; k < program->influence_offsets[p + 1]; k++) {
			if (program->influence_weights[k] > 0) {
				slots[next] = program->influence_slots[k];
				weights[next++] = program->influence_weights[k];
			}
		}
		offsets[p + 1] = next;
	}
	snw_mesh skin = *mesh;
	skin.influence_offsets = offsets;
	skin.influence_slots = slots;
	skin.influence_weights = weights;
	skin = snw_skin_normalise(&skin, arena);
	const snw_status status = snw_project_put_skin(project, mesh->id, mesh->point_count, skin.influence_offsets,
												   skin.influence_slots, skin.influence_weights, error);
	snw_arena_destroy(arena);
	return status;
}

static snw_status mute(snw_project *project, const snw_scene *scene, uint32_t index, bool muted, snw_error *error) {
	snw_layer layer = scene->layers[index];
	int64_t id;
	layer.muted = muted;
	return snw_project_put_layer(project, &layer, layer.model == SNW_NONE ? 0 : scene->models[layer.model].id, -1, &id, error);
}

/* The layer and all below it, for what the layer makes of each mesh. */
static snw_status take_meshes(snw_project *project, const snw_scene *scene, const snw_registry *registry, uint32_t layer,
							  snw_error *error) {
	const snw_stack_options options = {.only_below = true, .below_layer = layer + 1};
	snw_stack *stack = NULL;
	snw_status status = snw_stack_build(scene, registry, &options, NULL, &stack, error);
	for (uint32_t m = 0; !snw_failed(status) && m < scene->mesh_count; m++) {
		const snw_program *program = find_blend(stack, m);
		if (!program) {
			status = snw_fail(error, SNW_ERROR_CONFLICT,
							  "%s does not move mesh %s by weights of the skeleton's joints, so its weights cannot be painted",
							  scene->layers[layer].name, scene->meshes[m].name);
		} else {
			status = take_mesh(project, &scene->meshes[m], program, error);
		}
	}
	if (stack) {
		snw_stack_destroy(stack);
	}
	return status;
}

snw_status snw_project_take_weights(snw_project *project, const snw_scene *scene, const snw_registry *registry, uint32_t layer,
									snw_error *error) {
	const uint32_t wanted = SNW_BASELINE | SNW_BINDS;
	uint32_t below = layer;
	while (below > 0 && (traits_of(registry, &scene->layers[below - 1]) & wanted) != wanted) {
		below--;
	}
	if (below == 0) {
		return snw_fail(error, SNW_ERROR_CONFLICT, "no linear blend is below %s to take its weights; add one below it",
						scene->layers[layer].name);
	}
	snw_status status = take_meshes(project, scene, registry, layer, error);
	status = snw_failed(status) ? status : mute(project, scene, layer, true, error);
	return snw_failed(status) ? status : mute(project, scene, below - 1, false, error);
}
