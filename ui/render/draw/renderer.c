/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Creates and destroys the renderer, and recovers when the driver loses the context.
 */
#include "render/draw/renderer.h"

#include <SDL.h>
#include <errno.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>

#include "file/file.h"
#include "render/draw/gpu_path.h"
#include "render/draw/panel_picture.h"
#include "render/gl/shader.h"
#include "render/gl/target.h"
#include "render/image/write.h"
#include "render/overlay/legend.h"

/* ---- renderer ------------------------------------------------------------------------------------------------------------ */

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
