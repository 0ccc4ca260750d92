/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Scenes and stacks on the GPU, and a scene posed.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "render/draw/renderer.h"
#include "render/overlay/heat_colors.h"

static snw_gpu_mesh_data *take_mesh(snw_scene_data *data, uint32_t mesh) {
	snw_gpu_mesh_data *taken = data ? data->gpu_meshes[mesh] : NULL;
	if (taken) {
		data->gpu_meshes[mesh] = NULL;
	}
	return taken;
}

snw_status snw_gpu_scene_create(snw_renderer *renderer, const snw_scene *scene, snw_scene_data *data, snw_uploads *uploads,
								snw_arena *arena, snw_gpu_scene *gpu_scene, snw_error *error) {
	*gpu_scene = (snw_gpu_scene){.scene = scene, .arena = arena};
	gpu_scene->gpu_meshes = SNW_NEW_ARRAY(arena, snw_gpu_mesh *, scene->mesh_count);
	gpu_scene->shown = SNW_NEW_ARRAY(arena, snw_gpu_mesh *, scene->mesh_count);
	gpu_scene->materials = snw_materials_create(scene, data ? data->materials : NULL, uploads);
	if (data) {
		data->materials = NULL;
	}
	snw_status status = SNW_OK;
	for (uint32_t m = 0; m < scene->mesh_count && !snw_failed(status); m++) {
		status = snw_gpu_mesh_create(&renderer->mesh_shaders, &scene->meshes[m], take_mesh(data, m), uploads,
									 &gpu_scene->gpu_meshes[m], error);
		gpu_scene->shown[m] = gpu_scene->gpu_meshes[m];
	}
	if (!snw_failed(status) && data) {
		(void)snw_gpu_scene_refine(renderer, gpu_scene, data, uploads, NULL); /* a look that it can be shown without */
	}
	if (snw_failed(status)) {
		snw_gpu_scene_destroy(gpu_scene);
	}
	return status;
}

void snw_gpu_scene_destroy(snw_gpu_scene *gpu_scene) {
	for (uint32_t m = 0; gpu_scene->scene && m < gpu_scene->scene->mesh_count; m++) {
		for (uint32_t g = 0; g < SNW_GHOST_MOST && gpu_scene->ghost_poses[g]; g++) {
			snw_gpu_mesh_pose_destroy(gpu_scene->ghost_poses[g][m]);
		}
		for (uint32_t level = 1; level <= SNW_SUBDIVISION_MOST; level++) {
			snw_gpu_subdivision_destroy(gpu_scene->subdivision[level] ? gpu_scene->subdivision[level][m] : NULL);
		}
		snw_gpu_mesh_destroy(gpu_scene->gpu_meshes[m]);
	}
	snw_materials_destroy(gpu_scene->materials);
	*gpu_scene = (snw_gpu_scene){0};
}

snw_status snw_gpu_scene_refine(snw_renderer *renderer, snw_gpu_scene *gpu_scene, snw_scene_data *data, snw_uploads *uploads,
								snw_error *error) {
	const uint32_t level = data->level, mesh_count = gpu_scene->scene->mesh_count;
	snw_status status = SNW_OK;
	if (level > 0 && !gpu_scene->subdivision[level]) {
		gpu_scene->subdivision[level] = SNW_NEW_ARRAY(gpu_scene->arena, snw_gpu_subdivision *, mesh_count);
	}
	for (uint32_t m = 0; m < mesh_count && level > 0 && !snw_failed(status); m++) {
		snw_gpu_subdivision_data *taken = data->subdivision[m];
		if (taken && !gpu_scene->subdivision[level][m]) {
			data->subdivision[m] = NULL;
			status = snw_gpu_subdivision_create(&renderer->mesh_shaders, &renderer->stencil, taken, uploads,
												&gpu_scene->subdivision[level][m], error);
		}
	}
	return status;
}

bool snw_gpu_scene_has_level(const snw_gpu_scene *gpu_scene, uint32_t level) {
	bool has = level == 0 || gpu_scene->subdivision[level];
	for (uint32_t m = 0; m < gpu_scene->scene->mesh_count && level > 0 && has; m++) {
		has = gpu_scene->subdivision[level][m];
	}
	return has;
}

snw_status snw_gpu_scene_subdivide(snw_renderer *renderer, snw_gpu_scene *gpu_scene, uint32_t level, snw_error *error) {
	snw_status status = SNW_OK;
	assert(level <= SNW_SUBDIVISION_MOST);
	if (!snw_gpu_scene_has_level(gpu_scene, level)) {
		snw_scene_data *data = NULL;
		status = snw_scene_data_refine(gpu_scene->scene, level, &data, error);
		status = snw_failed(status) ? status : snw_gpu_scene_refine(renderer, gpu_scene, data, NULL, error);
		snw_scene_data_destroy(data);
	}
	for (uint32_t m = 0; m < gpu_scene->scene->mesh_count && !snw_failed(status); m++) {
		gpu_scene->shown[m] = level > 0 ? snw_gpu_subdivision_mesh(gpu_scene->subdivision[level][m]) : gpu_scene->gpu_meshes[m];
	}
	gpu_scene->level = snw_failed(status) ? gpu_scene->level : level;
	return status;
}

/* ---- what has been uploaded --------------------------------------------------------------------------------------- */

void snw_gpu_cache_begin(snw_gpu_cache *cache, snw_renderer *renderer, size_t most) {
	*cache = (snw_gpu_cache){.renderer = renderer, .arena = snw_arena_create()};
	cache->scenes = SNW_NEW_ARRAY(cache->arena, snw_gpu_scene, most);
	cache->stack_arena = snw_arena_create();
	cache->stacks = SNW_NEW_ARRAY(cache->stack_arena, snw_gpu_stack, most);
}

static void drop_stack(snw_gpu_stack *stack) {
	for (uint32_t m = 0; m < stack->mesh_count; m++) {
		snw_gpu_mesh_stack_destroy(stack->meshes[m]);
	}
	snw_stack_frame_destroy(stack->frame);
	snw_arena_destroy(stack->arena);
}

void snw_gpu_cache_end(snw_gpu_cache *cache) {
	for (uint32_t i = 0; i < cache->stack_count; i++) {
		drop_stack(&cache->stacks[i]);
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

snw_status snw_gpu_cache_start(snw_gpu_cache *cache, const snw_scene *scene, snw_scene_data *data, snw_uploads *uploads,
							   snw_gpu_scene **gpu_scene, snw_error *error) {
	*gpu_scene = &cache->scenes[cache->scene_count];
	const snw_status status = snw_gpu_scene_create(cache->renderer, scene, data, uploads, cache->arena, *gpu_scene, error);
	cache->scene_count += !snw_failed(status);
	return status;
}

static snw_gpu_stack *add_stack(snw_gpu_cache *cache, const snw_scene *scene, const snw_stack *stack,
								const snw_gpu_stack *previous) {
	snw_gpu_stack *made = &cache->stacks[cache->stack_count++];
	*made = (snw_gpu_stack){.arena = snw_arena_create(), .stack = stack, .mesh_count = scene->mesh_count};
	made->meshes = SNW_NEW_ARRAY(made->arena, snw_gpu_mesh_stack *, made->mesh_count);
	bool is_on_gpu = true;
	for (uint32_t m = 0; m < made->mesh_count; m++) {
		snw_gpu_mesh_stack *given = previous ? previous->meshes[m] : NULL;
		made->meshes[m] =
			snw_gpu_mesh_stack_create(&cache->renderer->skin_shaders, stack, m, scene->meshes[m].point_count, given);
		is_on_gpu = is_on_gpu && snw_gpu_mesh_stack_is_on_gpu(made->meshes[m]);
	}
	/* Programs are packed for the CPU only where it runs them: with a million points that alone holds a window up. */
	made->frame = is_on_gpu ? snw_stack_frame_create_truth(stack) : snw_stack_frame_create(stack);
	size_t most = 0;
	for (uint32_t m = 0; m < made->mesh_count; m++) {
		const size_t points = snw_stack_has_normals(stack, m) ? scene->meshes[m].point_count : 0;
		most = points > most ? points : most;
	}
	made->normals = most > 0 ? SNW_NEW_ARRAY(made->arena, float, 3 * most) : NULL;
	return made;
}

snw_gpu_stack *snw_gpu_cache_stack(snw_gpu_cache *cache, const snw_scene *scene, const snw_stack *stack) {
	for (uint32_t i = 0; i < cache->stack_count; i++) {
		if (cache->stacks[i].stack == stack) {
			return &cache->stacks[i];
		}
	}
	return add_stack(cache, scene, stack, NULL);
}

/* What was posed by `changes`' first stack. */
static const snw_gpu_stack *find_former(const snw_gpu_stack *former, uint32_t count, const snw_stack_change *change) {
	for (uint32_t i = 0; i < count; i++) {
		if (former[i].stack == change->from) {
			return &former[i];
		}
	}
	return NULL;
}

void snw_gpu_cache_replace_scene(snw_gpu_cache *cache, const snw_scene *scene, size_t most, const snw_stack_change *changes,
								 uint32_t change_count) {
	snw_arena *former_arena = cache->stack_arena;
	snw_gpu_stack *former = cache->stacks;
	const uint32_t former_count = cache->stack_count;
	assert(cache->scene_count == 1 && change_count <= most);
	snw_gpu_scene *gpu_scene = &cache->scenes[0];
	gpu_scene->scene = scene;
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		snw_gpu_mesh_replace(gpu_scene->gpu_meshes[m], &scene->meshes[m]);
	}
	snw_materials_replace(gpu_scene->materials, scene);
	cache->stack_arena = snw_arena_create();
	cache->stacks = SNW_NEW_ARRAY(cache->stack_arena, snw_gpu_stack, most);
	cache->stack_count = 0;
	for (uint32_t i = 0; i < change_count; i++) {
		const snw_gpu_stack *previous = find_former(former, former_count, &changes[i]);
		if (previous) {
			add_stack(cache, scene, changes[i].to, previous);
		}
	}
	memset(gpu_scene->ghost_drives, 0, sizeof gpu_scene->ghost_drives);
	for (uint32_t i = 0; i < former_count; i++) {
		cache->previous_drives += former[i].drives;
		drop_stack(&former[i]);
	}
	snw_arena_destroy(former_arena);
}

/* ---- posing ------------------------------------------------------------------------------------------------------- */

/* Of everything that a drive may read, and of where the frame finds it again. */
static uint64_t hash_pose(const snw_pose_view *pose, const void *stack) {
	snw_hash hash = {0};
	snw_hash_u64(&hash, (uint64_t)(uintptr_t)stack);
	snw_hash_u64(&hash, (uint64_t)(uintptr_t)pose);
	snw_hash_bytes(&hash, pose->local, pose->joint_count * sizeof *pose->local);
	snw_hash_f64s(&hash, pose->rotation_vectors, 3 * (size_t)pose->joint_count);
	snw_hash_f64s(&hash, pose->global, 12 * (size_t)pose->joint_count);
	snw_hash_f64s(&hash, pose->palette, 12 * (size_t)pose->slot_count);
	snw_hash_f64s(&hash, pose->channels, pose->channel_count);
	snw_hash_u64(&hash, pose->clip);
	snw_hash_f64s(&hash, &pose->seconds, 1);
	return snw_hash_value(&hash);
}

snw_status snw_gpu_stack_drive(snw_gpu_stack *posed, const snw_pose_view *pose, snw_error *error) {
	const uint64_t key = hash_pose(pose, posed->stack);
	if (posed->driven == key) {
		return SNW_OK;
	}
	const snw_status status = snw_stack_drive(posed->stack, pose, posed->frame, error);
	posed->driven = snw_failed(status) ? 0 : key;
	posed->drives++;
	return status;
}

/* What the surfaces show now: posed by a stack, or points from the CPU, or the rest. */
static snw_status pose_meshes(snw_gpu_scene *gpu_scene, snw_gpu_stack *posed, const snw_pose_view *pose,
							  const float *const *points, snw_error *error) {
	if (posed) {
		const snw_status status = snw_gpu_stack_drive(posed, pose, error);
		if (snw_failed(status)) {
			return status;
		}
	}
	gpu_scene->bytes_sent = 0;
	for (uint32_t m = 0; m < gpu_scene->scene->mesh_count; m++) {
		snw_gpu_mesh *gpu_mesh = gpu_scene->gpu_meshes[m];
		const float *sent = points ? points[m] : NULL;
		if (sent || !posed) {
			snw_gpu_mesh_send_points(gpu_mesh, sent);
			gpu_scene->bytes_sent += 3 * (size_t)gpu_scene->scene->meshes[m].point_count * sizeof(float);
		} else {
			const snw_status status =
				snw_gpu_mesh_stack_run(posed->meshes[m], posed->frame, snw_gpu_mesh_points(gpu_mesh), error);
			if (snw_failed(status)) {
				return status;
			}
			gpu_scene->bytes_sent += snw_gpu_mesh_stack_bytes_sent(posed->meshes[m]);
		}
		snw_gpu_mesh_find_normals(gpu_mesh);
		if (posed && !sent &&
			!snw_gpu_mesh_stack_find_normals(posed->meshes[m], posed->frame, snw_gpu_mesh_normals(gpu_mesh)) &&
			posed->normals && snw_stack_normals(posed->stack, posed->frame, m, posed->normals)) {
			snw_gpu_mesh_send_normals(gpu_mesh, posed->normals);
			gpu_scene->bytes_sent += 3 * (size_t)gpu_scene->scene->meshes[m].point_count * sizeof(float);
		}
	}
	return SNW_OK;
}

snw_status snw_gpu_scene_pose(snw_gpu_scene *gpu_scene, const snw_view *view, snw_gpu_stack *posed, snw_error *error) {
	const snw_status status = pose_meshes(gpu_scene, posed, view->pose, view->points, error);
	for (uint32_t m = 0; m < gpu_scene->scene->mesh_count && gpu_scene->level > 0 && !snw_failed(status); m++) {
		snw_gpu_subdivision_pose(gpu_scene->subdivision[gpu_scene->level][m], gpu_scene->gpu_meshes[m]);
	}
	return status;
}

static void use_ghost(snw_gpu_scene *gpu_scene, uint32_t ghost) {
	for (uint32_t m = 0; m < gpu_scene->scene->mesh_count; m++) {
		snw_gpu_mesh_use_pose(gpu_scene->gpu_meshes[m], ghost == SNW_NONE ? NULL : gpu_scene->ghost_poses[ghost][m]);
	}
}

snw_status snw_gpu_scene_pose_ghosts(snw_gpu_scene *gpu_scene, const snw_view *view, snw_gpu_cache *cache, snw_error *error) {
	const uint32_t mesh_count = gpu_scene->scene->mesh_count;
	const uint32_t count = view->ghost_count < SNW_GHOST_MOST ? view->ghost_count : SNW_GHOST_MOST;
	snw_status status = SNW_OK;
	for (uint32_t g = 0; g < count && !snw_failed(status); g++) {
		const snw_ghost *ghost = &view->ghosts[g];
		const bool is_posed = ghost->stack && ghost->pose;
		const uint64_t drive = is_posed && !ghost->points ? hash_pose(ghost->pose, ghost->stack) : 0;
		if (drive != 0 && drive == gpu_scene->ghost_drives[g]) {
			continue;
		}
		if (!gpu_scene->ghost_poses[g]) {
			gpu_scene->ghost_poses[g] = SNW_NEW_ARRAY(gpu_scene->arena, snw_gpu_mesh_pose *, mesh_count);
			for (uint32_t m = 0; m < mesh_count; m++) {
				gpu_scene->ghost_poses[g][m] = snw_gpu_mesh_pose_create(gpu_scene->gpu_meshes[m]);
			}
		}
		use_ghost(gpu_scene, g);
		status = pose_meshes(gpu_scene, is_posed ? snw_gpu_cache_stack(cache, gpu_scene->scene, ghost->stack) : NULL,
							 ghost->pose, ghost->points, error);
		gpu_scene->ghost_drives[g] = snw_failed(status) ? 0 : drive;
	}
	use_ghost(gpu_scene, SNW_NONE);
	gpu_scene->ghost_count = snw_failed(status) ? 0 : count;
	return status;
}

void snw_gpu_scene_show_heat(snw_gpu_scene *gpu_scene, const snw_view *view) {
	double minimum, maximum;
	snw_view_heat_range(view, &minimum, &maximum);
	for (uint32_t m = 0; m < gpu_scene->scene->mesh_count; m++) {
		const double *values = view->heat ? view->heat[m] : NULL;
		snw_gpu_subdivision *subdivision = gpu_scene->level > 0 ? gpu_scene->subdivision[gpu_scene->level][m] : NULL;
		if (view->heat_is_color) {
			snw_gpu_mesh_set_colors(gpu_scene->gpu_meshes[m], values);
		} else {
			snw_gpu_mesh_set_heat(gpu_scene->gpu_meshes[m], values, minimum, maximum);
		}
		if (subdivision && view->heat_is_color) {
			snw_gpu_subdivision_set_colors(subdivision, values);
		} else if (subdivision) {
			snw_gpu_subdivision_set_heat(subdivision, values, minimum, maximum);
		}
	}
}

void snw_view_heat_range(const snw_view *view, double *minimum, double *maximum) {
	*minimum = view->heat_minimum;
	*maximum = view->heat_maximum;
	if (!view->heat || view->heat_is_color || *maximum > *minimum) {
		return;
	}
	*minimum = INFINITY;
	*maximum = -INFINITY;
	for (uint32_t m = 0; m < view->scene->mesh_count; m++) {
		if (view->heat[m]) {
			snw_heat_range_add(view->heat[m], view->scene->meshes[m].point_count, minimum, maximum);
		}
	}
	if (!(*maximum > *minimum)) {
		*minimum = isfinite(*minimum) ? *minimum : 0;
		*maximum = *minimum + 1;
	}
}
