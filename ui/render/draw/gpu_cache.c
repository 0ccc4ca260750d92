/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "render/draw/gpu_cache.h"

#include <assert.h>
#include <string.h>

#include "render/draw/renderer.h"

void snw_gpu_cache_begin(snw_gpu_cache *cache, snw_renderer *renderer, size_t most) {
	*cache = (snw_gpu_cache){.renderer = renderer, .arena = snw_arena_create()};
	cache->scenes = SNW_NEW_ARRAY(cache->arena, snw_gpu_scene, most);
	cache->stack_arena = snw_arena_create();
	cache->stacks = SNW_NEW_ARRAY(cache->stack_arena, snw_gpu_stack *, most);
}

void snw_gpu_cache_end(snw_gpu_cache *cache) {
	for (uint32_t i = 0; i < cache->stack_count; i++) {
		snw_gpu_stack_destroy(cache->stacks[i]);
	}
	for (uint32_t i = 0; i < cache->scene_count; i++) {
		snw_gpu_scene_destroy(&cache->scenes[i]);
	}
	snw_arena_destroy(cache->stack_arena);
	snw_arena_destroy(cache->arena);
	*cache = (snw_gpu_cache){0};
}

snw_status snw_gpu_cache_find(snw_gpu_cache *cache, const snw_scene *scene, snw_gpu_scene **gpu_scene, snw_error *error) {
	for (uint32_t i = 0; i < cache->scene_count; i++) {
		if (cache->scenes[i].scene == scene) {
			*gpu_scene = &cache->scenes[i];
			return SNW_OK;
		}
	}
	return snw_gpu_cache_start(cache, scene, NULL, NULL, gpu_scene, error);
}

snw_status snw_gpu_cache_start(snw_gpu_cache *cache, const snw_scene *scene, snw_gpu_scene_data *data, snw_uploads *uploads,
							   snw_gpu_scene **gpu_scene, snw_error *error) {
	*gpu_scene = &cache->scenes[cache->scene_count];
	const snw_status status = snw_gpu_scene_create(cache->renderer, scene, data, uploads, cache->arena, *gpu_scene, error);
	cache->scene_count += !snw_failed(status);
	return status;
}

static snw_gpu_stack *find_stack(snw_gpu_stack *const *stacks, uint32_t count, const snw_stack *source) {
	for (uint32_t i = 0; i < count; i++) {
		if (snw_gpu_stack_source(stacks[i]) == source) {
			return stacks[i];
		}
	}
	return NULL;
}

static snw_gpu_stack *add_stack(snw_gpu_cache *cache, const snw_scene *scene, const snw_stack *stack, snw_gpu_stack *previous) {
	snw_gpu_stack *made = snw_gpu_stack_create(&cache->renderer->skin_shaders, stack, scene, previous);
	cache->stacks[cache->stack_count++] = made;
	return made;
}

snw_gpu_stack *snw_gpu_cache_stack(snw_gpu_cache *cache, const snw_scene *scene, const snw_stack *stack) {
	snw_gpu_stack *found = find_stack(cache->stacks, cache->stack_count, stack);
	return found ? found : add_stack(cache, scene, stack, NULL);
}

static void replace_meshes(snw_gpu_scene *gpu_scene, const snw_scene *scene) {
	gpu_scene->scene = scene;
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		snw_gpu_mesh_replace(gpu_scene->meshes[m], &scene->meshes[m]);
	}
	snw_materials_replace(gpu_scene->materials, scene);
	memset(gpu_scene->ghost_drives, 0, sizeof gpu_scene->ghost_drives);
}

void snw_gpu_cache_replace_scene(snw_gpu_cache *cache, const snw_scene *scene, size_t most, const snw_stack_change *changes,
								 uint32_t change_count) {
	snw_arena *replaced_arena = cache->stack_arena;
	snw_gpu_stack **replaced = cache->stacks;
	const uint32_t replaced_count = cache->stack_count;
	assert(cache->scene_count == 1 && change_count <= most);
	replace_meshes(&cache->scenes[0], scene);
	cache->stack_arena = snw_arena_create();
	cache->stacks = SNW_NEW_ARRAY(cache->stack_arena, snw_gpu_stack *, most);
	cache->stack_count = 0;
	for (uint32_t i = 0; i < change_count; i++) {
		snw_gpu_stack *previous = find_stack(replaced, replaced_count, changes[i].from);
		if (previous) {
			add_stack(cache, scene, changes[i].to, previous);
		}
	}
	for (uint32_t i = 0; i < replaced_count; i++) {
		cache->previous_drives += snw_gpu_stack_drives(replaced[i]);
		snw_gpu_stack_destroy(replaced[i]);
	}
	snw_arena_destroy(replaced_arena);
}

uint64_t snw_gpu_cache_drives(const snw_gpu_cache *cache) {
	uint64_t count = cache->previous_drives;
	for (uint32_t i = 0; i < cache->stack_count; i++) {
		count += snw_gpu_stack_drives(cache->stacks[i]);
	}
	return count;
}
