/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Scenes and stacks on the GPU, and a scene posed.
 */
#include <assert.h>
#include <math.h>

#include "render/draw/renderer.h"
#include "render/overlay/heat_colors.h"

static snw_surface_draft *take_surface(snw_figure_draft *draft, uint32_t mesh) {
	snw_surface_draft *taken = draft ? draft->surfaces[mesh] : NULL;
	if (taken) {
		draft->surfaces[mesh] = NULL;
	}
	return taken;
}

snw_status snw_figure_create(snw_renderer *renderer, const snw_scene *scene, snw_figure_draft *draft, snw_uploads *uploads,
							 snw_arena *arena, snw_figure *figure, snw_error *error) {
	*figure = (snw_figure){.scene = scene, .arena = arena};
	figure->surfaces = SNW_NEW_ARRAY(arena, snw_surface *, scene->mesh_count);
	figure->shown = SNW_NEW_ARRAY(arena, snw_surface *, scene->mesh_count);
	figure->materials = snw_materials_create(scene, draft ? draft->materials : NULL, uploads);
	if (draft) {
		draft->materials = NULL;
	}
	snw_status status = SNW_OK;
	for (uint32_t m = 0; m < scene->mesh_count && status >= 0; m++) {
		status = snw_surface_create(&renderer->surface, &scene->meshes[m], take_surface(draft, m), uploads,
									&figure->surfaces[m], error);
		figure->shown[m] = figure->surfaces[m];
	}
	if (status >= 0 && draft) {
		(void)snw_figure_refine(renderer, figure, draft, uploads, NULL); /* a look that it can be shown without */
	}
	if (status < 0) {
		snw_figure_destroy(figure);
	}
	return status;
}

void snw_figure_destroy(snw_figure *figure) {
	for (uint32_t m = 0; figure->scene && m < figure->scene->mesh_count; m++) {
		for (uint32_t g = 0; g < SNW_GHOST_MOST && figure->ghost_shapes[g]; g++) {
			snw_surface_shape_destroy(figure->ghost_shapes[g][m]);
		}
		for (uint32_t level = 1; level <= SNW_SUBDIVISION_MOST; level++) {
			snw_subdivided_destroy(figure->subdivided[level] ? figure->subdivided[level][m] : NULL);
		}
		snw_surface_destroy(figure->surfaces[m]);
	}
	snw_materials_destroy(figure->materials);
	*figure = (snw_figure){0};
}

snw_status snw_figure_refine(snw_renderer *renderer, snw_figure *figure, snw_figure_draft *draft, snw_uploads *uploads,
							 snw_error *error) {
	const uint32_t level = draft->level, mesh_count = figure->scene->mesh_count;
	snw_status status = SNW_OK;
	if (level > 0 && !figure->subdivided[level]) {
		figure->subdivided[level] = SNW_NEW_ARRAY(figure->arena, snw_subdivided *, mesh_count);
	}
	for (uint32_t m = 0; m < mesh_count && level > 0 && status >= 0; m++) {
		snw_subdivided_draft *taken = draft->subdivided[m];
		if (taken && !figure->subdivided[level][m]) {
			draft->subdivided[m] = NULL;
			status = snw_subdivided_create(&renderer->surface, &renderer->stencil, taken, uploads,
										   &figure->subdivided[level][m], error);
		}
	}
	return status;
}

bool snw_figure_has_level(const snw_figure *figure, uint32_t level) {
	bool has = level == 0 || figure->subdivided[level];
	for (uint32_t m = 0; m < figure->scene->mesh_count && level > 0 && has; m++) {
		has = figure->subdivided[level][m];
	}
	return has;
}

snw_status snw_figure_subdivide(snw_renderer *renderer, snw_figure *figure, uint32_t level, snw_error *error) {
	snw_status status = SNW_OK;
	assert(level <= SNW_SUBDIVISION_MOST);
	if (!snw_figure_has_level(figure, level)) {
		snw_figure_draft *draft = NULL;
		status = snw_figure_draft_refine(figure->scene, level, &draft, error);
		status = status < 0 ? status : snw_figure_refine(renderer, figure, draft, NULL, error);
		snw_figure_draft_destroy(draft);
	}
	for (uint32_t m = 0; m < figure->scene->mesh_count && status >= 0; m++) {
		figure->shown[m] = level > 0 ? snw_subdivided_surface(figure->subdivided[level][m]) : figure->surfaces[m];
	}
	figure->level = status >= 0 ? level : figure->level;
	return status;
}

/* ---- what has been uploaded --------------------------------------------------------------------------------------- */

void snw_figure_cache_begin(snw_figure_cache *cache, snw_renderer *renderer, size_t most) {
	*cache = (snw_figure_cache){.renderer = renderer, .arena = snw_arena_create()};
	cache->figures = SNW_NEW_ARRAY(cache->arena, snw_figure, most);
	cache->stack_arena = snw_arena_create();
	cache->stacks = SNW_NEW_ARRAY(cache->stack_arena, snw_posed_stack, most);
}

static void drop_stack(snw_posed_stack *stack) {
	for (uint32_t m = 0; m < stack->mesh_count; m++) {
		snw_poser_destroy(stack->posers[m]);
	}
	snw_stack_frame_destroy(stack->frame);
	snw_arena_destroy(stack->arena);
}

void snw_figure_cache_end(snw_figure_cache *cache) {
	for (uint32_t i = 0; i < cache->stack_count; i++) {
		drop_stack(&cache->stacks[i]);
	}
	for (uint32_t i = 0; i < cache->figure_count; i++) {
		snw_figure_destroy(&cache->figures[i]);
	}
	snw_arena_destroy(cache->stack_arena);
	snw_arena_destroy(cache->arena);
	*cache = (snw_figure_cache){0};
}

snw_status snw_figure_cache_find(snw_figure_cache *cache, const snw_scene *scene, snw_figure **figure, snw_error *error) {
	for (uint32_t i = 0; i < cache->figure_count; i++) {
		if (cache->figures[i].scene == scene) {
			*figure = &cache->figures[i];
			return SNW_OK;
		}
	}
	return snw_figure_cache_start(cache, scene, NULL, NULL, figure, error);
}

snw_status snw_figure_cache_start(snw_figure_cache *cache, const snw_scene *scene, snw_figure_draft *draft,
								  snw_uploads *uploads, snw_figure **figure, snw_error *error) {
	*figure = &cache->figures[cache->figure_count];
	const snw_status status = snw_figure_create(cache->renderer, scene, draft, uploads, cache->arena, *figure, error);
	cache->figure_count += status >= 0;
	return status;
}

static const snw_posed_stack *add_stack(snw_figure_cache *cache, const snw_scene *scene, const snw_stack *stack,
										const snw_posed_stack *donor) {
	snw_posed_stack *made = &cache->stacks[cache->stack_count++];
	*made = (snw_posed_stack){.arena = snw_arena_create(), .stack = stack, .mesh_count = scene->mesh_count};
	made->posers = SNW_NEW_ARRAY(made->arena, snw_poser *, made->mesh_count);
	bool is_on_gpu = true;
	for (uint32_t m = 0; m < made->mesh_count; m++) {
		snw_poser *given = donor ? donor->posers[m] : NULL;
		made->posers[m] = snw_poser_create(&cache->renderer->skin, stack, m, scene->meshes[m].point_count, given);
		is_on_gpu = is_on_gpu && snw_poser_is_on_gpu(made->posers[m]);
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

const snw_posed_stack *snw_figure_cache_stack(snw_figure_cache *cache, const snw_scene *scene, const snw_stack *stack) {
	for (uint32_t i = 0; i < cache->stack_count; i++) {
		if (cache->stacks[i].stack == stack) {
			return &cache->stacks[i];
		}
	}
	return add_stack(cache, scene, stack, NULL);
}

/* What was posed by `changes`' first stack. */
static const snw_posed_stack *find_former(const snw_posed_stack *former, uint32_t count, const snw_stack_change *change) {
	for (uint32_t i = 0; i < count; i++) {
		if (former[i].stack == change->from) {
			return &former[i];
		}
	}
	return NULL;
}

void snw_figure_cache_follow(snw_figure_cache *cache, const snw_scene *scene, size_t most, const snw_stack_change *changes,
							 uint32_t change_count) {
	snw_arena *former_arena = cache->stack_arena;
	snw_posed_stack *former = cache->stacks;
	const uint32_t former_count = cache->stack_count;
	assert(cache->figure_count == 1 && change_count <= most);
	snw_figure *figure = &cache->figures[0];
	figure->scene = scene;
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		snw_surface_follow(figure->surfaces[m], &scene->meshes[m]);
	}
	snw_materials_follow(figure->materials, scene);
	cache->stack_arena = snw_arena_create();
	cache->stacks = SNW_NEW_ARRAY(cache->stack_arena, snw_posed_stack, most);
	cache->stack_count = 0;
	for (uint32_t i = 0; i < change_count; i++) {
		const snw_posed_stack *donor = find_former(former, former_count, &changes[i]);
		if (donor) {
			add_stack(cache, scene, changes[i].to, donor);
		}
	}
	for (uint32_t i = 0; i < former_count; i++) {
		drop_stack(&former[i]);
	}
	snw_arena_destroy(former_arena);
}

/* ---- posing ------------------------------------------------------------------------------------------------------- */

/* What the surfaces show now: posed by a stack, or points from the CPU, or the rest. */
static snw_status pose_surfaces(snw_figure *figure, const snw_posed_stack *posed, const snw_pose_view *pose,
								const float *const *points, snw_error *error) {
	if (posed) {
		const snw_status status = snw_stack_drive(posed->stack, pose, posed->frame, error);
		if (status < 0) {
			return status;
		}
	}
	figure->bytes_sent = 0;
	for (uint32_t m = 0; m < figure->scene->mesh_count; m++) {
		snw_surface *surface = figure->surfaces[m];
		const float *sent = points ? points[m] : NULL;
		if (sent || !posed) {
			snw_surface_send_points(surface, sent);
			figure->bytes_sent += 3 * (size_t)figure->scene->meshes[m].point_count * sizeof(float);
		} else {
			const snw_status status = snw_poser_run(posed->posers[m], posed->frame, snw_surface_points(surface), error);
			if (status < 0) {
				return status;
			}
			figure->bytes_sent += snw_poser_bytes_sent(posed->posers[m]);
		}
		snw_surface_find_normals(surface);
		if (posed && !sent && !snw_poser_find_normals(posed->posers[m], posed->frame, snw_surface_normals(surface)) &&
			posed->normals && snw_stack_normals(posed->stack, posed->frame, m, posed->normals)) {
			snw_surface_send_normals(surface, posed->normals);
			figure->bytes_sent += 3 * (size_t)figure->scene->meshes[m].point_count * sizeof(float);
		}
	}
	return SNW_OK;
}

snw_status snw_figure_pose(snw_figure *figure, const snw_view *view, const snw_posed_stack *posed, snw_error *error) {
	const snw_status status = pose_surfaces(figure, posed, view->pose, view->points, error);
	for (uint32_t m = 0; m < figure->scene->mesh_count && figure->level > 0 && status >= 0; m++) {
		snw_subdivided_pose(figure->subdivided[figure->level][m], figure->surfaces[m]);
	}
	return status;
}

static void wear(snw_figure *figure, uint32_t ghost) {
	for (uint32_t m = 0; m < figure->scene->mesh_count; m++) {
		snw_surface_wear(figure->surfaces[m], ghost == SNW_NONE ? NULL : figure->ghost_shapes[ghost][m]);
	}
}

snw_status snw_figure_pose_ghosts(snw_figure *figure, const snw_view *view, snw_figure_cache *cache, snw_error *error) {
	const uint32_t mesh_count = figure->scene->mesh_count;
	const uint32_t count = view->ghost_count < SNW_GHOST_MOST ? view->ghost_count : SNW_GHOST_MOST;
	snw_status status = SNW_OK;
	for (uint32_t g = 0; g < count && status >= 0; g++) {
		const snw_ghost *ghost = &view->ghosts[g];
		const bool is_posed = ghost->stack && ghost->pose;
		if (!figure->ghost_shapes[g]) {
			figure->ghost_shapes[g] = SNW_NEW_ARRAY(figure->arena, snw_surface_shape *, mesh_count);
			for (uint32_t m = 0; m < mesh_count; m++) {
				figure->ghost_shapes[g][m] = snw_surface_shape_create(figure->surfaces[m]);
			}
		}
		wear(figure, g);
		status = pose_surfaces(figure, is_posed ? snw_figure_cache_stack(cache, figure->scene, ghost->stack) : NULL,
							   ghost->pose, ghost->points, error);
	}
	wear(figure, SNW_NONE);
	figure->ghost_count = status < 0 ? 0 : count;
	return status;
}

void snw_figure_show_heat(snw_figure *figure, const snw_view *view) {
	double minimum, maximum;
	snw_view_heat_range(view, &minimum, &maximum);
	for (uint32_t m = 0; m < figure->scene->mesh_count; m++) {
		const double *values = view->heat ? view->heat[m] : NULL;
		snw_subdivided *subdivided = figure->level > 0 ? figure->subdivided[figure->level][m] : NULL;
		if (view->heat_is_color) {
			snw_surface_set_colors(figure->surfaces[m], values);
		} else {
			snw_surface_set_heat(figure->surfaces[m], values, minimum, maximum);
		}
		if (subdivided && view->heat_is_color) {
			snw_subdivided_set_colors(subdivided, values);
		} else if (subdivided) {
			snw_subdivided_set_heat(subdivided, values, minimum, maximum);
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
