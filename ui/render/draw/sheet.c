/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sheets of views. Scenes and stacks that several views share are uploaded once.
 */
#include "render/draw/renderer.h"
#include "render/gl/shader.h"

/* The first view of a pose has the floor of all: methods are compared on one. */
static void take_floor(const snw_view *views, size_t i, float *floors, snw_extent *extent) {
	size_t first = i;
	for (size_t k = i; k-- > 0;) {
		first = views[k].scene == views[i].scene && views[k].pose == views[i].pose ? k : first;
	}
	floors[i] = first < i ? floors[first] : extent->ground.middle[1];
	extent->ground.middle[1] = floors[i];
}

/* `floors` has those of the views before. */
static snw_status draw_view(snw_gpu_cache *cache, const snw_view *views, size_t index, float *floors,
							const snw_target_buffers *target, const snw_canvas *canvas, snw_error *error) {
	const snw_view *view = &views[index];
	snw_gpu_scene *gpu_scene = NULL;
	snw_status status = snw_gpu_cache_find(cache, view->scene, &gpu_scene, error);
	if (snw_failed(status)) {
		return status;
	}
	status = snw_gpu_scene_subdivide(cache->renderer, gpu_scene, view->subdivision, error);
	if (snw_failed(status)) {
		return status;
	}
	snw_gpu_stack *gpu_stack = view->stack ? snw_gpu_cache_stack(cache, view->scene, view->stack) : NULL;
	status = snw_gpu_scene_pose(gpu_scene, view, gpu_stack, error);
	if (snw_failed(status)) {
		return status;
	}
	const snw_evaluation *evaluation = gpu_stack ? snw_gpu_stack_evaluation(gpu_stack) : NULL;
	const snw_camera camera = view->camera.distance > 0
								  ? view->camera
								  : snw_camera_frame_posed(gpu_scene, view, evaluation, target->width, target->height);
	status = snw_gpu_scene_pose_ghosts(gpu_scene, view, cache, error);
	if (snw_failed(status)) {
		return status;
	}
	snw_gpu_scene_show_heat(gpu_scene, view);
	snw_extent extent = snw_extent_of_picture(gpu_scene, view);
	take_floor(views, index, floors, &extent);
	snw_view_draw(cache->renderer, gpu_scene, view, &camera, &extent, target, canvas);
	return snw_context_check(&cache->renderer->context, "drawing a view", error);
}

/* Thin lines between neighbouring views, half of each on either side. */
static void draw_gutters(unsigned char *pixels, uint32_t columns, uint32_t rows, uint32_t width, uint32_t height) {
	static const snw_ink ink = {250, 250, 251, 255};
	const snw_canvas whole = {pixels, (size_t)columns * width, columns * width, rows * height};
	const int side = (int)(width / 400 + 1);
	for (uint32_t column = 1; column < columns; column++) {
		snw_canvas_fill(&whole, (int)(column * width) - side, 0, 2 * side, (int)whole.height, ink);
	}
	for (uint32_t row = 1; row < rows; row++) {
		snw_canvas_fill(&whole, 0, (int)(row * height) - side, (int)whole.width, 2 * side, ink);
	}
}

snw_status snw_renderer_sheet(snw_renderer *renderer, const snw_view *views, uint32_t columns, uint32_t rows, uint32_t width,
							  uint32_t height, unsigned char *pixels, const snw_task *task, snw_error *error) {
	snw_status status = snw_context_enter(&renderer->context, error);
	if (snw_failed(status)) {
		return status;
	}
	const size_t count = (size_t)columns * rows;
	snw_gpu_cache cache;
	snw_target_buffers target;
	snw_arena *arena = snw_arena_create();
	float *floors = SNW_NEW_ARRAY(arena, float, count);
	snw_gpu_cache_begin(&cache, renderer, (SNW_GHOST_MOST + 1) * count);
	status = snw_target_buffers_create(&target, width, height, SNW_TARGET_SAMPLES, error);
	for (size_t i = 0; i < count && !snw_failed(status); i++) {
		if (!snw_task_progress(task, (double)i / (double)count, "drawing")) {
			status = snw_fail(error, SNW_CANCELLED, "stopped; nothing was written");
			continue;
		}
		const size_t x = i % columns * width, y = i / columns * height, row_pixels = (size_t)columns * width;
		const snw_canvas canvas = {pixels + 4 * (y * row_pixels + x), row_pixels, width, height};
		status = draw_view(&cache, views, i, floors, &target, &canvas, error);
	}
	snw_gpu_cache_end(&cache);
	snw_target_buffers_destroy(&target);
	snw_arena_destroy(arena);
	if (!snw_failed(status)) {
		draw_gutters(pixels, columns, rows, width, height);
		status = snw_context_check(&renderer->context, "drawing a sheet", error);
	}
	return status;
}

snw_status snw_renderer_skin(snw_renderer *renderer, const snw_scene *scene, const snw_stack *stack, const snw_pose_view *pose,
							 uint32_t mesh, float *points_posed, snw_error *error) {
	snw_status status = snw_context_enter(&renderer->context, error);
	if (snw_failed(status)) {
		return status;
	}
	const size_t bytes = 3 * (size_t)scene->meshes[mesh].point_count * sizeof(float);
	const GLuint points = snw_buffer_make(GL_ARRAY_BUFFER, NULL, bytes, GL_DYNAMIC_COPY);
	snw_gpu_stack *gpu_stack = snw_gpu_stack_create(&renderer->skin_shaders, stack, scene, NULL);
	status = snw_gpu_stack_drive(gpu_stack, pose, error);
	status = snw_failed(status) ? status : snw_gpu_stack_pose(gpu_stack, mesh, points, error);
	glBindBuffer(GL_ARRAY_BUFFER, points);
	glGetBufferSubData(GL_ARRAY_BUFFER, 0, (GLsizeiptr)bytes, points_posed);
	glDeleteBuffers(1, &points);
	snw_gpu_stack_destroy(gpu_stack);
	return snw_failed(status) ? status : snw_context_check(&renderer->context, "skinning on the GPU", error);
}
