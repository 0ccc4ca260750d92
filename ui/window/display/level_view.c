/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "window/display/display.h"

snw_status snw_level_view_make(const snw_document *document, const snw_registry *registry, const snw_task *task,
							   snw_level_view **made, snw_error *error) {
	const snw_stack_options whole = {0};
	snw_arena *arena = snw_arena_create();
	snw_level_view *levels = SNW_NEW(arena, snw_level_view);
	*levels = (snw_level_view){.arena = arena, .side = snw_level_side(document->scene)};
	snw_scene_with_levels(document->scene, arena, &levels->made);
	const uint32_t count = levels->made.scene.mesh_count;
	levels->hidden = SNW_NEW_ARRAY(arena, bool, count);
	levels->heat = SNW_NEW_ARRAY(arena, const double *, count);
	levels->values = SNW_NEW_ARRAY(arena, double *, count);
	snw_status status = snw_stack_build(document->scene, registry, &whole, task, &levels->stack, error);
	status = snw_failed(status) ? status : snw_stack_take_levels(levels->stack, &levels->made, arena, error);
	if (snw_failed(status)) {
		snw_level_view_destroy(levels);
		return status;
	}
	levels->gpu_data = snw_gpu_scene_data_create(&levels->made.scene, 0);
	*made = levels;
	return SNW_OK;
}

snw_status snw_level_view_start(snw_level_view *levels, snw_renderer *renderer, snw_error *error) {
	const snw_status status = snw_viewport_create(renderer, &levels->made.scene, 1, levels->gpu_data, &levels->viewport, error);
	snw_gpu_scene_data_destroy(levels->gpu_data);
	levels->gpu_data = NULL;
	levels->is_uploading = !snw_failed(status);
	return status;
}

bool snw_level_view_upload(snw_level_view *levels, double seconds) {
	levels->is_uploading = levels->is_uploading && !snw_viewport_upload(levels->viewport, seconds);
	return !levels->is_uploading;
}

void snw_level_view_destroy(snw_level_view *levels) {
	if (levels) {
		snw_gpu_scene_data_destroy(levels->gpu_data);
		snw_viewport_destroy(levels->viewport);
		snw_stack_destroy(levels->stack);
		snw_arena_destroy(levels->arena);
	}
}

/* Of each mesh the level up to the number, or the mesh itself, unless that is hidden. */
static void choose_meshes(snw_level_view *levels, const bool *hidden) {
	const snw_scene *scene = levels->made.before;
	for (uint32_t i = 0; i < levels->made.scene.mesh_count; i++) {
		const uint32_t mesh = levels->made.origins[i];
		levels->hidden[i] =
			levels->made.levels[i] != snw_level_of_mesh(scene, mesh, levels->number) || (hidden && hidden[mesh]);
	}
}

const snw_view *snw_level_view_of(snw_level_view *levels, const snw_view *view) {
	choose_meshes(levels, view->hidden);
	levels->view = *view;
	levels->view.scene = &levels->made.scene;
	levels->view.stack = levels->stack;
	levels->view.hidden = levels->hidden;
	levels->view.points = NULL;
	levels->view.ghost_count = 0;
	levels->view.heat = view->heat ? levels->heat : NULL;
	return &levels->view;
}

snw_status snw_level_view_pose(snw_level_view *levels, const snw_view *view, snw_error *error) {
	levels->is_measured = false;
	return snw_viewport_pose(levels->viewport, snw_level_view_of(levels, view), error);
}

static double *values_of(snw_level_view *levels, uint32_t mesh) {
	if (!levels->values[mesh]) {
		levels->values[mesh] = SNW_NEW_ARRAY(levels->arena, double, 3 * (size_t)levels->made.scene.meshes[mesh].point_count);
	}
	return levels->values[mesh];
}

/* A level's points are sums of the mesh's, so its values are, too. Shares may be negative: colours stay in their range. */
static const double *take_values(snw_level_view *levels, uint32_t mesh, const double *from, const snw_view *view) {
	const snw_level *level = levels->made.levels[mesh];
	const size_t width = view->heat_is_color ? 3 : 1;
	double *values = values_of(levels, mesh);
	for (size_t i = 0; i < width * level->shape.point_count; i++) {
		const size_t point = i / width, c = i % width;
		values[i] = 0;
		for (uint32_t k = level->stencil_offsets[point]; k < level->stencil_offsets[point + 1]; k++) {
			values[i] += level->stencil_weights[k] * from[width * level->stencil_points[k] + c];
		}
		values[i] = view->heat_is_color ? fmin(fmax(values[i], 0), 1) : values[i];
	}
	return values;
}

void snw_level_view_heat(snw_level_view *levels, const snw_view *view) {
	for (uint32_t m = 0; m < levels->made.scene.mesh_count && view->heat && !levels->is_measured; m++) {
		const double *from = view->heat[levels->made.origins[m]];
		levels->heat[m] = from && levels->made.levels[m] ? take_values(levels, m, from, view) : from;
	}
	snw_viewport_heat(levels->viewport, snw_level_view_of(levels, view));
}

static void make_trees(snw_level_view *levels) {
	const snw_scene *scene = levels->made.before;
	uint32_t most = 0;
	levels->trees = SNW_NEW_ARRAY(levels->arena, lod_tree *, scene->mesh_count);
	for (uint32_t m = 0; m < levels->made.scene.mesh_count; m++) {
		const uint32_t count = levels->made.scene.meshes[m].point_count;
		most = count > most ? count : most;
	}
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		levels->trees[m] = scene->meshes[m].face_count > 0 ? lod_tree_make(&scene->meshes[m], levels->arena) : NULL;
	}
	levels->mesh_points = SNW_NEW_ARRAY(levels->arena, float, 3 * (size_t)most);
	levels->points = SNW_NEW_ARRAY(levels->arena, float, 3 * (size_t)most);
}

double snw_level_view_measure(snw_level_view *levels, const snw_viewport *viewport) {
	double most = 0;
	levels->is_measured = true;
	if (!levels->trees) {
		make_trees(levels);
	}
	for (uint32_t i = 0; i < levels->made.scene.mesh_count; i++) {
		const uint32_t mesh = levels->made.origins[i];
		levels->heat[i] = NULL;
		if (!levels->made.levels[i] || levels->hidden[i] || !levels->trees[mesh]) {
			continue;
		}
		double *values = values_of(levels, i);
		snw_viewport_points(viewport, mesh, levels->mesh_points);
		snw_viewport_points(levels->viewport, i, levels->points);
		lod_tree_refit(levels->trees[mesh], levels->mesh_points);
		for (uint32_t p = 0, near = SNW_NONE; p < levels->made.scene.meshes[i].point_count; p++) {
			const lod_nearest nearest = lod_tree_nearest(levels->trees[mesh], levels->points + 3 * (size_t)p, near);
			values[p] = 1000 * sqrt(nearest.squares);
			near = nearest.triangle;
			most = fmax(most, values[p]);
		}
		levels->heat[i] = values;
	}
	return most;
}
