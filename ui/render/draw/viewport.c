/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The buffers of a view are kept until the window's size changes, and its picture until anything in it changes.
 */
#include "render/draw/viewport.h"

#include <SDL.h>
#include <math.h>
#include <string.h>

#include "base/numbers.h"
#include "render/draw/renderer.h"
#include "render/gl/context.h"
#include "render/render.h"
#include "render/view/view.h"

/* A part of the window, in pixels from its lower left corner. A viewport may be shown in two parts at once, each with a
 * picture of its own of what was posed once. */
enum { SNW_VIEWPORT_PICTURES = 2 };

struct snw_viewport {
	snw_renderer *renderer;
	snw_viewport *next;
	snw_arena *arena;
	const snw_scene *scene;
	snw_gpu_cache cache;
	snw_gpu_scene *gpu_scene;
	snw_uploads *uploads;                              /* NULL: everything was sent */
	snw_target_buffers targets[SNW_VIEWPORT_PICTURES]; /* width 0: none yet */
	float **points;     /* [mesh_count][point_count][3]: read back for picking; NULL until needed */
	bool *are_read;     /* [mesh_count]: for the current pose */
	bool **hidden;      /* [mesh_count][face_count]: faces that are not shown; NULL: none */
	bool **hidden_room; /* where those are kept, from when faces of a mesh were first hidden */
	int side_limit;
	uint32_t samples;    /* a pixel */
	uint32_t pixel_size; /* of the window's pixels, to a side */
	uint32_t stack_most;
	uint32_t level;                        /* of subdivision */
	uint64_t changes;                      /* counts changes of what the scene shows */
	uint64_t drawn[SNW_VIEWPORT_PICTURES]; /* a hash of what was drawn into each target; 0: nothing yet */
};

/* ---- the window ---------------------------------------------------------------------------------------------------------- */

snw_status snw_renderer_open_window(const snw_window_wish *wish, snw_renderer **renderer, snw_error *error) {
	const snw_status status = snw_renderer_start(renderer, wish, error);
	if (!snw_failed(status)) {
		SDL_GL_SetSwapInterval(1);
	}
	return status;
}

struct SDL_Window *snw_renderer_window(const snw_renderer *renderer) {
	return renderer->context.window;
}

void *snw_renderer_gl(const snw_renderer *renderer) {
	return renderer->context.gl;
}

void snw_renderer_read_window(const snw_renderer *renderer, uint32_t width, uint32_t height, unsigned char *pixels) {
	(void)renderer;
	glBindFramebuffer(GL_FRAMEBUFFER, 0);
	glReadBuffer(GL_BACK);
	glPixelStorei(GL_PACK_ALIGNMENT, 1);
	for (uint32_t row = 0; row < height; row++) {
		unsigned char *to = pixels + 4 * (size_t)width * row;
		glReadPixels(0, (GLint)(height - 1 - row), (GLsizei)width, 1, GL_RGBA, GL_UNSIGNED_BYTE, to);
		for (size_t x = 0; x < width; x++) {
			to[4 * x + 3] = 255;
		}
	}
}

void snw_renderer_show(const snw_renderer *renderer) {
	SDL_GL_SwapWindow(renderer->context.window);
}

/* ---- the viewport -------------------------------------------------------------------------------------------------------- */

snw_viewport *snw_viewport_next(const snw_viewport *viewport) {
	return viewport->next;
}

void snw_viewport_leave(snw_viewport *viewport) {
	snw_uploads_destroy(viewport->uploads);
	viewport->uploads = NULL;
	if (viewport->gpu_scene || viewport->cache.arena) {
		for (int i = 0; i < SNW_VIEWPORT_PICTURES; i++) {
			snw_target_buffers_destroy(&viewport->targets[i]);
		}
		snw_gpu_cache_end(&viewport->cache);
		viewport->gpu_scene = NULL;
	}
}

/* The points that were read back are no longer those that are shown. */
static void forget_points(snw_viewport *viewport) {
	for (uint32_t m = 0; viewport->points && m < viewport->scene->mesh_count; m++) {
		viewport->are_read[m] = false;
	}
}

static snw_status start(snw_viewport *viewport, snw_gpu_scene_data *data, snw_error *error) {
	snw_renderer *renderer = viewport->renderer;
	forget_points(viewport);
	memset(viewport->drawn, 0, sizeof viewport->drawn);
	viewport->uploads = data ? snw_uploads_create() : NULL;
	snw_gpu_cache_begin(&viewport->cache, renderer, viewport->stack_most);
	glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &viewport->side_limit);
	const snw_status status =
		snw_gpu_cache_start(&viewport->cache, viewport->scene, data, viewport->uploads, &viewport->gpu_scene, error);
	return snw_failed(status) ? status : snw_context_check(&renderer->context, "uploading the character", error);
}

/* ---- hidden faces -------------------------------------------------------------------------------------------------------- */

static void send_hidden(snw_viewport *viewport) {
	for (uint32_t m = 0; viewport->hidden && m < viewport->scene->mesh_count; m++) {
		if (viewport->hidden[m]) {
			snw_gpu_scene_hide_faces(viewport->gpu_scene, m, viewport->hidden[m]);
		}
	}
}

void snw_viewport_hide_faces(snw_viewport *viewport, uint32_t mesh, const bool *hidden) {
	const snw_scene *scene = viewport->scene;
	const uint32_t count = scene->meshes[mesh].face_count;
	if (!viewport->hidden) {
		viewport->hidden = SNW_NEW_ARRAY(viewport->arena, bool *, scene->mesh_count);
		viewport->hidden_room = SNW_NEW_ARRAY(viewport->arena, bool *, scene->mesh_count);
	}
	if (!hidden && !viewport->hidden[mesh]) {
		return;
	}
	bool **room = &viewport->hidden_room[mesh];
	if (hidden) {
		*room = *room ? *room : SNW_NEW_ARRAY(viewport->arena, bool, count);
		memmove(*room, hidden, count * sizeof *hidden);
	}
	viewport->hidden[mesh] = hidden ? *room : NULL;
	snw_gpu_scene_hide_faces(viewport->gpu_scene, mesh, hidden);
	viewport->changes++;
}

const bool *snw_viewport_hidden_faces(const snw_viewport *viewport, uint32_t mesh) {
	return viewport->hidden ? viewport->hidden[mesh] : NULL;
}

/* ---- creation ------------------------------------------------------------------------------------------------------------ */

snw_status snw_viewport_return(snw_viewport *viewport, snw_error *error) {
	const snw_status status = start(viewport, NULL, error);
	return snw_failed(status) ? status : snw_viewport_subdivide(viewport, viewport->level, error); /* hides faces again */
}

snw_status snw_viewport_create(snw_renderer *renderer, const snw_scene *scene, uint32_t stack_most, snw_gpu_scene_data *data,
							   snw_viewport **viewport, snw_error *error) {
	snw_arena *arena = snw_arena_create();
	snw_viewport *made = SNW_NEW(arena, snw_viewport);
	*made =
		(snw_viewport){.renderer = renderer, .arena = arena, .scene = scene, .samples = SNW_TARGET_SAMPLES, .pixel_size = 1};
	made->stack_most = stack_most > 0 ? stack_most : 1;
	const snw_status status = start(made, data, error);
	made->next = renderer->viewports;
	renderer->viewports = made;
	if (snw_failed(status)) {
		snw_viewport_destroy(made);
		return status;
	}
	*viewport = made;
	return SNW_OK;
}

bool snw_viewport_upload(snw_viewport *viewport, double seconds) {
	const bool done = snw_uploads_send(viewport->uploads, seconds);
	if (done) {
		snw_uploads_destroy(viewport->uploads);
		viewport->uploads = NULL;
	}
	return done;
}

snw_status snw_viewport_refine(snw_viewport *viewport, snw_gpu_scene_data *data, snw_error *error) {
	viewport->uploads = viewport->uploads ? viewport->uploads : snw_uploads_create();
	const snw_status status = snw_gpu_scene_refine(viewport->renderer, viewport->gpu_scene, data, viewport->uploads, error);
	return snw_failed(status) ? status : snw_context_check(&viewport->renderer->context, "subdividing", error);
}

bool snw_viewport_has_level(const snw_viewport *viewport, uint32_t level) {
	return snw_gpu_scene_has_level(viewport->gpu_scene, level);
}

void snw_viewport_destroy(snw_viewport *viewport) {
	if (!viewport) {
		return;
	}
	snw_viewport **place = &viewport->renderer->viewports;
	while (*place != viewport) {
		place = &(*place)->next;
	}
	*place = viewport->next;
	snw_viewport_leave(viewport);
	snw_arena_destroy(viewport->arena);
}

void snw_viewport_replace_scene(snw_viewport *viewport, const snw_scene *scene, uint32_t stack_most,
								const snw_stack_change *changes, uint32_t change_count) {
	viewport->scene = scene;
	forget_points(viewport);
	viewport->changes++;
	viewport->stack_most = stack_most > 0 ? stack_most : 1;
	snw_gpu_cache_replace_scene(&viewport->cache, scene, viewport->stack_most, changes, change_count);
}

snw_status snw_viewport_pose(snw_viewport *viewport, const snw_view *view, snw_error *error) {
	forget_points(viewport);
	viewport->changes++;
	snw_gpu_stack *gpu_stack = view->stack ? snw_gpu_cache_stack(&viewport->cache, viewport->scene, view->stack) : NULL;
	return snw_gpu_scene_pose(viewport->gpu_scene, view, gpu_stack, error);
}

const snw_evaluation *snw_viewport_drive(snw_viewport *viewport, const snw_stack *stack, const snw_pose_view *pose) {
	snw_gpu_stack *gpu_stack = snw_gpu_cache_stack(&viewport->cache, viewport->scene, stack);
	return snw_failed(snw_gpu_stack_drive(gpu_stack, pose, NULL)) ? NULL : snw_gpu_stack_evaluation(gpu_stack);
}

const snw_layer_failure *snw_viewport_failure(snw_viewport *viewport, const snw_stack *stack) {
	return snw_evaluation_failure(snw_gpu_stack_evaluation(snw_gpu_cache_stack(&viewport->cache, viewport->scene, stack)));
}

uint64_t snw_viewport_drives(const snw_viewport *viewport) {
	return snw_gpu_cache_drives(&viewport->cache);
}

size_t snw_viewport_bytes_sent(const snw_viewport *viewport) {
	return viewport->gpu_scene->bytes_sent;
}

snw_box snw_viewport_box(const snw_viewport *viewport, uint32_t mesh) {
	return viewport->gpu_scene->boxes[mesh];
}

void snw_viewport_points(const snw_viewport *viewport, uint32_t mesh, float *points) {
	snw_gpu_mesh_read_points(viewport->gpu_scene->meshes[mesh], points);
}

snw_status snw_viewport_subdivide(snw_viewport *viewport, uint32_t level, snw_error *error) {
	const snw_status status = snw_gpu_scene_subdivide(viewport->renderer, viewport->gpu_scene, level, error);
	viewport->level = snw_failed(status) ? viewport->level : level;
	viewport->changes++;
	send_hidden(viewport);
	return snw_failed(status) ? status : snw_context_check(&viewport->renderer->context, "subdividing", error);
}

snw_status snw_viewport_ghosts(snw_viewport *viewport, const snw_view *view, snw_error *error) {
	viewport->changes++;
	return snw_gpu_scene_pose_ghosts(viewport->gpu_scene, view, &viewport->cache, error);
}

static const float *read_points(snw_viewport *viewport, uint32_t mesh) {
	const snw_scene *scene = viewport->scene;
	if (!viewport->points) {
		viewport->points = SNW_NEW_ARRAY(viewport->arena, float *, scene->mesh_count);
		viewport->are_read = SNW_NEW_ARRAY(viewport->arena, bool, scene->mesh_count);
	}
	if (!viewport->points[mesh]) {
		viewport->points[mesh] = SNW_NEW_ARRAY(viewport->arena, float, 3 * (size_t)scene->meshes[mesh].point_count);
	}
	if (!viewport->are_read[mesh]) {
		snw_viewport_points(viewport, mesh, viewport->points[mesh]);
		viewport->are_read[mesh] = true;
	}
	return viewport->points[mesh];
}

/* Whether a ray passes through a box. */
static bool meets_box(const snw_view_ray *ray, const snw_box *box) {
	double from = 0, to = INFINITY;
	for (size_t c = 0; c < 3; c++) {
		const double one = (box->lower[c] - ray->from[c]) / ray->along[c],
					 other = (box->upper[c] - ray->from[c]) / ray->along[c];
		if (ray->along[c] != 0) {
			from = fmax(from, fmin(one, other));
			to = fmin(to, fmax(one, other));
		} else if (ray->from[c] < box->lower[c] || ray->from[c] > box->upper[c]) {
			return false;
		}
	}
	return from <= to;
}

bool snw_viewport_pick(snw_viewport *viewport, const snw_camera *camera, snw_picture_size size, double x, double y,
					   const bool *left_out, snw_hit *hit) {
	const snw_view_ray ray = snw_camera_ray(camera, size, x, y);
	bool found = false;
	hit->distance = INFINITY;
	for (uint32_t m = 0; m < viewport->scene->mesh_count; m++) {
		const snw_box box = snw_viewport_box(viewport, m);
		if ((!left_out || !left_out[m]) && meets_box(&ray, &box)) {
			found = snw_pick_mesh(&viewport->scene->meshes[m], m, read_points(viewport, m),
								  snw_viewport_hidden_faces(viewport, m), &ray, hit) ||
					found;
		}
	}
	return found;
}

void snw_viewport_heat(snw_viewport *viewport, const snw_view *view) {
	viewport->changes++;
	snw_gpu_scene_show_heat(viewport->gpu_scene, view);
}

void snw_viewport_antialias(snw_viewport *viewport, bool on) {
	viewport->samples = on ? SNW_TARGET_SAMPLES : 0;
}

void snw_viewport_pixel_size(snw_viewport *viewport, uint32_t size) {
	viewport->pixel_size = size;
}

static uint32_t target_side(const snw_viewport *viewport, int side) {
	const uint32_t pixels = ((uint32_t)side + viewport->pixel_size - 1) / viewport->pixel_size;
	return SDL_min(pixels, (uint32_t)viewport->side_limit);
}

static snw_status fit_target(snw_viewport *viewport, const snw_viewport_place *place, snw_error *error) {
	const uint32_t width = target_side(viewport, place->width), height = target_side(viewport, place->height);
	snw_target_buffers *target = &viewport->targets[place->picture];
	if (target->width == width && target->height == height && target->samples == viewport->samples) {
		return SNW_OK;
	}
	snw_target_buffers_destroy(target);
	viewport->drawn[place->picture] = 0;
	const snw_status status = snw_target_buffers_create(target, width, height, viewport->samples, error);
	if (snw_failed(status)) {
		snw_target_buffers_destroy(target);
	}
	return status;
}

/* A hash of everything that is drawn, except the target's size. */
static uint64_t picture_of(const snw_viewport *viewport, const snw_view *view) {
	const snw_camera *camera = &view->camera;
	const snw_brush_ring *brush = &view->brush;
	const size_t joints = view->scene->skeleton.joint_count;
	snw_hash hash = {0};
	snw_hash_u64(&hash, viewport->changes);
	snw_hash_u64(&hash, view->flags);
	snw_hash_u64(&hash, view->lights);
	snw_hash_f64s(&hash, &view->light_turn, 1);
	snw_hash_f64s(&hash, camera->target, 3);
	snw_hash_f64s(&hash, (const double[4]){camera->yaw, camera->pitch, camera->distance, camera->field_of_view}, 4);
	snw_hash_f64s(&hash, (const double[2]){view->heat_minimum, view->heat_maximum}, 2);
	snw_hash_f64s(&hash, brush->place, 3);
	snw_hash_f64s(&hash, brush->other, 3);
	snw_hash_f64s(&hash, (const double[3]){brush->radius, brush->core, brush->other_radius}, 3);
	snw_hash_bytes(&hash, brush->color, sizeof brush->color);
	snw_hash_bytes(&hash, view->joint_marks, view->joint_marks ? joints : 0);
	snw_hash_bytes(&hash, view->hidden, view->hidden ? view->scene->mesh_count * sizeof *view->hidden : 0);
	snw_hash_u64(&hash, view->ghost_count);
	for (uint32_t i = 0; i < view->ghost_count; i++) {
		snw_hash_bytes(&hash, view->ghosts[i].color, sizeof view->ghosts[i].color);
	}
	snw_hash_bytes(&hash, view->lines ? view->lines->lines : NULL, view->lines ? view->lines->count * sizeof(snw_line) : 0);
	return snw_hash_value(&hash);
}

uint32_t snw_viewport_base_color(const snw_viewport *viewport, uint32_t material) {
	return snw_material_base_color(viewport->gpu_scene->materials, material);
}

snw_status snw_viewport_draw(snw_viewport *viewport, const snw_view *view, const snw_viewport_place *place, bool *changed,
							 snw_error *error) {
	*changed = false;
	if (place->width <= 0 || place->height <= 0) {
		return SNW_OK;
	}
	snw_status status = fit_target(viewport, place, error);
	if (snw_failed(status)) {
		return status;
	}
	const uint64_t picture = picture_of(viewport, view);
	const snw_target_buffers *target = &viewport->targets[place->picture];
	*changed = picture != viewport->drawn[place->picture];
	if (*changed) {
		const snw_extent extent = snw_extent_of_viewport(viewport->gpu_scene, view);
		snw_view_paint(viewport->renderer, viewport->gpu_scene, view, &view->camera, &extent, target);
		snw_target_buffers_resolve(target);
	}
	status = snw_context_check(&viewport->renderer->context, "drawing the character", error);
	viewport->drawn[place->picture] = snw_failed(status) ? 0 : picture;
	return status;
}

/* It is drawn where the driver can read its bytes as they are. Mesa's rasteriser compiles the shader of a copy between formats
 * in each process, and keeps those of programs: a window opens in a fifth less time. */
void snw_renderer_put_on_window(const snw_renderer *renderer, const snw_target_buffers *target, const snw_viewport_place *place,
								bool smooth) {
	if (!GLEW_EXT_texture_sRGB_decode) {
		glBindFramebuffer(GL_READ_FRAMEBUFFER, target->resolved);
		glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
		glBlitFramebuffer(0, 0, (GLint)target->width, (GLint)target->height, place->x, place->y, place->x + place->width,
						  place->y + place->height, GL_COLOR_BUFFER_BIT, smooth ? GL_LINEAR : GL_NEAREST);
		glBindFramebuffer(GL_FRAMEBUFFER, 0);
		return;
	}
	glBindFramebuffer(GL_FRAMEBUFFER, 0);
	glViewport(place->x, place->y, place->width, place->height);
	glUseProgram(renderer->screen);
	glActiveTexture(GL_TEXTURE0);
	glBindTexture(GL_TEXTURE_2D, target->resolved_color);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_SRGB_DECODE_EXT, GL_SKIP_DECODE_EXT);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, smooth ? GL_LINEAR : GL_NEAREST);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, smooth ? GL_LINEAR : GL_NEAREST);
	glBindVertexArray(renderer->empty_array);
	glDrawArrays(GL_TRIANGLES, 0, 3);
}

snw_status snw_viewport_put_on_window(const snw_viewport *viewport, const snw_viewport_place *place, snw_error *error) {
	const snw_target_buffers *target = &viewport->targets[place->picture];
	const GLint width = (GLint)target->width, height = (GLint)target->height;
	const bool is_smaller = viewport->pixel_size == 1 && (width != place->width || height != place->height);
	if (place->width <= 0 || place->height <= 0) {
		return SNW_OK;
	}
	snw_renderer_put_on_window(viewport->renderer, target, place, is_smaller);
	return snw_context_check(&viewport->renderer->context, "drawing the window", error);
}

void snw_viewport_clear(int width, int height, const float color[3]) {
	glBindFramebuffer(GL_FRAMEBUFFER, 0);
	glViewport(0, 0, width, height);
	glClearColor(color[0], color[1], color[2], 1);
	glClear(GL_COLOR_BUFFER_BIT);
}
