/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "render/draw/renderer.h"

#include <SDL.h>
#include <errno.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>

#include "file/file.h"
#include "render/draw/viewport.h"
#include "render/gl/shader.h"
#include "render/gl/target.h"
#include "render/overlay/canvas.h"
#include "render/render.h"

/* ---- renderer ------------------------------------------------------------------------------------------------------------ */

/* Creates and destroys the renderer, and recovers when the driver loses the context. */

static void make_heat_ramp(snw_renderer *renderer) {
	unsigned char ramp[SNW_HEAT_STEPS][3];
	snw_heat_ramp(ramp);
	glGenTextures(1, &renderer->heat_ramp);
	glActiveTexture(GL_TEXTURE0);
	glBindTexture(GL_TEXTURE_2D, renderer->heat_ramp);
	glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
	glTexImage2D(GL_TEXTURE_2D, 0, GL_SRGB8, SNW_HEAT_STEPS, 1, 0, GL_RGB, GL_UNSIGNED_BYTE, ramp);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
}

/* The renderer's objects in the context. */
static snw_status make_objects(snw_renderer *renderer, snw_error *error) {
	renderer->context_number++;
	const snw_shader_recipe background = {.vertex = "screen.vert", .fragment = "background.frag"};
	const snw_shader_recipe screen = {.vertex = "screen.vert", .fragment = "screen.frag", .samplers = {"picture"}};
	snw_status status = snw_skin_shaders_create(&renderer->skin_shaders, error);
	status = snw_failed(status) ? status : snw_gpu_mesh_shaders_create(&renderer->mesh_shaders, error);
	status = snw_failed(status) ? status : snw_ground_create(&renderer->ground, error);
	status = snw_failed(status) ? status : snw_key_light_create(&renderer->key_light, error);
	status = snw_failed(status) ? status : snw_bones_create(&renderer->bones, error);
	status = snw_failed(status) ? status : snw_line_drawer_create(&renderer->lines, error);
	status = snw_failed(status) ? status : snw_stencil_shader_create(&renderer->stencil, error);
	status = snw_failed(status) ? status : snw_shader_link(&background, &renderer->background, error);
	status = snw_failed(status) ? status : snw_shader_link(&screen, &renderer->screen, error);
	status = snw_failed(status) || !renderer->is_seen
				 ? status
				 : snw_path_choose(&renderer->skin_shaders, &renderer->mesh_shaders, error);
	if (!snw_failed(status)) {
		glGenVertexArrays(1, &renderer->empty_array);
		make_heat_ramp(renderer);
		status = snw_context_check(&renderer->context, "starting the renderer", error);
	}
	return status;
}

static void drop_objects(snw_renderer *renderer) {
	snw_skin_shaders_destroy(&renderer->skin_shaders);
	snw_gpu_mesh_shaders_destroy(&renderer->mesh_shaders);
	snw_ground_destroy(&renderer->ground);
	snw_key_light_destroy(&renderer->key_light);
	snw_bones_destroy(&renderer->bones);
	snw_line_drawer_destroy(&renderer->lines);
	snw_stencil_shader_destroy(&renderer->stencil);
	glDeleteProgram(renderer->background);
	glDeleteProgram(renderer->screen);
	glDeleteVertexArrays(1, &renderer->empty_array);
	glDeleteTextures(1, &renderer->heat_ramp);
}

snw_status snw_renderer_start(snw_renderer **renderer, const snw_window_wish *wish, snw_error *error) {
	snw_renderer *made = calloc(1, sizeof *made);
	if (!made) {
		return snw_fail(error, SNW_ERROR_MEMORY, "rendering: out of memory");
	}
	made->is_seen = wish != NULL;
	snw_status status = snw_context_create(&made->context, wish, error);
	status = snw_failed(status) ? status : make_objects(made, error);
	if (snw_failed(status)) {
		snw_renderer_destroy(made);
		return status;
	}
	made->font = snw_font_open(NULL);
	*renderer = made;
	return SNW_OK;
}

snw_status snw_renderer_create(snw_renderer **renderer, snw_error *error) {
	return snw_renderer_start(renderer, NULL, error);
}

void snw_renderer_destroy(snw_renderer *renderer) {
	if (!renderer) {
		return;
	}
	if (renderer->context.gl && !snw_failed(snw_context_enter(&renderer->context, NULL))) {
		drop_objects(renderer);
	}
	snw_font_close(renderer->font);
	snw_context_destroy(&renderer->context);
	free(renderer);
}

const char *snw_renderer_device(const snw_renderer *renderer) {
	return renderer->context.device;
}

/* ---- a lost context ------------------------------------------------------------------------------------------------------ */

bool snw_renderer_is_lost(snw_renderer *renderer) {
	return snw_context_is_lost(&renderer->context);
}

void snw_renderer_lose(snw_renderer *renderer) {
	renderer->context.is_lost = true;
}

/* Objects are deleted while the old context is current: in the new one their names would refer to other objects. A lost
 * context ignores such calls. */
snw_status snw_renderer_recover(snw_renderer *renderer, snw_error *error) {
	for (snw_viewport *viewport = renderer->viewports; viewport; viewport = snw_viewport_next(viewport)) {
		snw_viewport_leave(viewport);
	}
	drop_objects(renderer);
	snw_status status = snw_context_renew(&renderer->context, error);
	if (!snw_failed(status) && renderer->is_seen) {
		SDL_GL_SetSwapInterval(1);
	}
	status = snw_failed(status) ? status : make_objects(renderer, error);
	for (snw_viewport *viewport = renderer->viewports; viewport && !snw_failed(status);
		 viewport = snw_viewport_next(viewport)) {
		status = snw_viewport_return(viewport, error);
	}
	return status;
}

/* ---- panel picture ------------------------------------------------------------------------------------------------------- */

uint32_t snw_panel_picture_texture(const snw_renderer *renderer, snw_panel_picture *picture) {
	if (picture->texture == 0 || picture->context != renderer->context_number) {
		const snw_mipmap level = {
			.width = picture->width, .height = picture->height, .level_count = 1, .pixels = picture->pixels};
		picture->texture = snw_uploads_texture(NULL, &level, GL_SRGB8_ALPHA8);
		picture->context = renderer->context_number;
	}
	return picture->texture;
}

void snw_panel_picture_drop(const snw_renderer *renderer, snw_panel_picture *picture) {
	if (picture->texture != 0 && picture->context == renderer->context_number) {
		glDeleteTextures(1, &picture->texture);
	}
	picture->texture = 0;
}

/* ---- write --------------------------------------------------------------------------------------------------------------- */

/* Pictures to files, through libpng's simplified interface. Its fast way takes a quarter of the time, for files that are up
 * to a quarter larger. */

snw_status snw_png_write(const char *path, const unsigned char *pixels, uint32_t width, uint32_t height, snw_error *error) {
	snw_file_write *file = NULL;
	snw_status status = snw_file_write_begin(path, &file, error);
	if (snw_failed(status)) {
		return status;
	}
	png_image image = {.version = PNG_IMAGE_VERSION,
					   .width = width,
					   .height = height,
					   .format = PNG_FORMAT_RGBA,
					   .flags = PNG_IMAGE_FLAG_FAST};
	errno = 0;
	if (!png_image_write_to_stdio(&image, snw_file_write_stream(file), 0, pixels, 0, NULL)) {
		status = snw_fail(error, SNW_ERROR_IO, "%s: could not be written: %s; the old file is unchanged", path,
						  errno ? strerror(errno) : image.message);
		snw_file_write_abandon(file);
		return status;
	}
	return snw_file_write_commit(file, error);
}

/* ---- sheets -------------------------------------------------------------------------------------------------------------- */

/* Sheets of views. Scenes and stacks that several views share are uploaded once. */

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
