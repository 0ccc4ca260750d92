/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The uploaded scenes and stacks, each once: for one sheet, or for as long as a viewport exists. All functions need the
 * context to be current.
 */
#ifndef SINEW_UI_RENDER_DRAW_GPU_CACHE_H
#define SINEW_UI_RENDER_DRAW_GPU_CACHE_H

#include "render/draw/gpu_scene.h"
#include "render/draw/stack_change.h"

typedef struct snw_gpu_cache {
	snw_renderer *renderer;
	snw_arena *arena;
	uint32_t scene_count, stack_count;
	snw_gpu_scene *scenes; /* [most] */
	snw_arena *stack_arena;
	snw_gpu_stack **stacks;   /* [most] */
	uint64_t previous_drives; /* of stacks that were replaced */
} snw_gpu_cache;
/* `most`: the number of different scenes, and of stacks, that will be requested. */
void snw_gpu_cache_begin(snw_gpu_cache *cache, snw_renderer *renderer, size_t most);
void snw_gpu_cache_end(snw_gpu_cache *cache);
snw_status snw_gpu_cache_find(snw_gpu_cache *cache, const snw_scene *scene, snw_gpu_scene **gpu_scene, snw_error *error);
/* The same for the cache's first scene, from prepared data (NULL: none). */
snw_status snw_gpu_cache_start(snw_gpu_cache *cache, const snw_scene *scene, snw_gpu_scene_data *data, snw_uploads *uploads,
							   snw_gpu_scene **gpu_scene, snw_error *error);
snw_gpu_stack *snw_gpu_cache_stack(snw_gpu_cache *cache, const snw_scene *scene, const snw_stack *stack);
/* For a cache of one scene: another scene with the same meshes replaces it, and `most` other stacks replace the old ones. */
void snw_gpu_cache_replace_scene(snw_gpu_cache *cache, const snw_scene *scene, size_t most, const snw_stack_change *changes,
								 uint32_t change_count);
/* How often its stacks were driven, including replaced ones. */
uint64_t snw_gpu_cache_drives(const snw_gpu_cache *cache);

#endif
