/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stack/stack.h"

#include <string.h>

#include "isolation/isolated_deformer.h"
#include "stack/stack_internal.h"

typedef struct owned_stack {
	struct owned_stack *previous; /* built before */
	const char *method;
	bool only_below;
	uint32_t below_layer;
	uint32_t faults; /* of plug-ins when it was built: a later one may have cost it a layer */
	snw_stack *stack;
} owned_stack;

struct snw_stack_owner {
	snw_arena *arena;
	snw_scene *scene;
	const snw_registry *registry;
	pthread_mutex_t lock;
	owned_stack *newest;
};

snw_stack_owner *snw_stack_owner_create(snw_scene *scene, const snw_registry *registry) {
	snw_arena *arena = snw_arena_create();
	snw_stack_owner *owner = SNW_NEW(arena, snw_stack_owner);
	*owner = (snw_stack_owner){.arena = arena, .scene = scene, .registry = registry};
	pthread_mutex_init(&owner->lock, NULL);
	scene->stacks = owner;
	return owner;
}

void snw_stack_owner_destroy(snw_stack_owner *owner) {
	if (!owner) {
		return;
	}
	for (const owned_stack *one = owner->newest; one; one = one->previous) {
		snw_stack_destroy(one->stack); /* before those whose layers it shares */
	}
	owner->scene->stacks = NULL;
	pthread_mutex_destroy(&owner->lock);
	snw_arena_destroy(owner->arena);
}

/* ---- lending ------------------------------------------------------------------------------------------------------------- */

/* Whether a stack of the owner's scene is one of this scene, which may be a copy that shares its arrays. */
static bool is_of(const snw_stack_owner *owner, const snw_scene *scene, const snw_registry *registry) {
	const snw_scene *owned = owner->scene;
	const bool same_layers = scene->layers == owned->layers && scene->layer_count == owned->layer_count &&
							 scene->models == owned->models && scene->model_count == owned->model_count;
	const bool same_meshes = scene->meshes == owned->meshes && scene->mesh_count == owned->mesh_count &&
							 scene->fields == owned->fields && scene->field_count == owned->field_count;
	const bool same_rig = scene->skeleton.parents == owned->skeleton.parents && scene->slot_joints == owned->slot_joints &&
						  scene->slot_inverse_binds == owned->slot_inverse_binds && scene->channels == owned->channels;
	/* A layer whose examples are all muted is left out. */
	const bool same_use = (snw_scene_active_example_count(scene) > 0) == (snw_scene_active_example_count(owned) > 0);
	return registry == owner->registry && same_layers && same_meshes && same_rig && same_use && scene->folder == owned->folder;
}

static bool is_asked(const owned_stack *one, const snw_stack_options *options, uint32_t faults) {
	const bool same_method =
		one->method && options->method ? strcmp(one->method, options->method) == 0 : one->method == options->method;
	return one->faults == faults && one->only_below == options->only_below &&
		   (one->only_below ? one->below_layer == options->below_layer : same_method);
}

static snw_status lend(snw_stack_owner *owner, const snw_stack_options *options, const snw_task *task, const snw_stack **stack,
					   snw_error *error) {
	const uint32_t faults = snw_plugin_fault_count();
	const snw_stack *fullest = NULL; /* of those that are there, to share layers with */
	for (const owned_stack *one = owner->newest; one; one = one->previous) {
		if (is_asked(one, options, faults)) {
			*stack = one->stack;
			return SNW_OK;
		}
		const bool is_fuller = !fullest || one->stack->layer_count > fullest->layer_count;
		fullest = is_fuller && one->faults == faults ? one->stack : fullest;
	}
	snw_stack *built = NULL;
	const snw_status status = stack_build_sharing(owner->scene, owner->registry, options, fullest, task, &built, error);
	if (snw_failed(status)) {
		return status;
	}
	built->is_owned = true;
	owned_stack *added = SNW_NEW(owner->arena, owned_stack);
	*added = (owned_stack){.previous = owner->newest,
						   .method = snw_arena_text(owner->arena, options->method),
						   .only_below = options->only_below,
						   .below_layer = options->below_layer,
						   .faults = faults,
						   .stack = built};
	owner->newest = added;
	*stack = built;
	return status;
}

snw_status snw_stack_borrow(const snw_scene *scene, const snw_registry *registry, const snw_stack_options *options,
							const snw_task *task, const snw_stack **stack, snw_error *error) {
	snw_stack_owner *owner = scene->stacks;
	if (owner && is_of(owner, scene, registry)) {
		pthread_mutex_lock(&owner->lock);
		const snw_status status = lend(owner, options, task, stack, error);
		pthread_mutex_unlock(&owner->lock);
		return status;
	}
	snw_stack *built = NULL;
	const snw_status status = snw_stack_build(scene, registry, options, task, &built, error);
	*stack = built;
	return status;
}

void snw_stack_give_back(const snw_stack *stack) {
	if (stack && !stack->is_owned) {
		snw_stack_destroy((snw_stack *)(uintptr_t)stack); /* built by snw_stack_borrow for who gives it back */
	}
}
