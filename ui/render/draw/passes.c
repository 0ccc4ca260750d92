/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The passes of one view, in order: background, surfaces, ground, transparent surfaces, edges, bones; then, on the CPU, the
 * text.
 */
#include <math.h>

#include "render/draw/renderer.h"
#include "render/gl/context.h"
#include "render/gl/shader.h"
#include "render/mesh/gpu_mesh.h"
#include "render/overlay/canvas.h"

/* ---- ground -------------------------------------------------------------------------------------------------------------- */

/* The shadow is the surface seen from above, weighted by its height, and blurred. */

enum { SNW_SHADOW_SIDE = 256 };

#define BLUR_SPREAD 3.5 /* pixels of the shadow's texture */

snw_status snw_ground_create(snw_ground *ground, snw_error *error) {
	const snw_shader_recipe blur = {.vertex = "screen.vert", .fragment = "blur.frag", .samplers = {"image"}};
	*ground = (snw_ground){0};
	snw_status status = SNW_OK;
	for (int shadows = 0; shadows < 2 && !snw_failed(status); shadows++) {
		const snw_shader_recipe recipe = {.vertex = "ground.vert",
										  .fragment = "ground.frag",
										  .defines = snw_key_light_defines[shadows],
										  .samplers = {"shadow", "", "", "", "", "", "", "", "key_depth"}};
		status = snw_shader_link(&recipe, &ground->programs[shadows], error);
	}
	status = snw_failed(status) ? status : snw_shader_link(&blur, &ground->blur, error);
	if (snw_failed(status)) {
		return status;
	}
	glGenVertexArrays(1, &ground->array);
	glGenTextures(2, ground->textures);
	glGenFramebuffers(2, ground->framebuffers);
	for (int i = 0; i < 2; i++) {
		glBindTexture(GL_TEXTURE_2D, ground->textures[i]);
		glTexImage2D(GL_TEXTURE_2D, 0, GL_R16, SNW_SHADOW_SIDE, SNW_SHADOW_SIDE, 0, GL_RED, GL_UNSIGNED_SHORT, NULL);
		glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
		glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
		glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
		glBindFramebuffer(GL_FRAMEBUFFER, ground->framebuffers[i]);
		glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, ground->textures[i], 0);
	}
	return SNW_OK;
}

void snw_ground_destroy(snw_ground *ground) {
	glDeleteProgram(ground->programs[0]);
	glDeleteProgram(ground->programs[1]);
	glDeleteProgram(ground->blur);
	glDeleteVertexArrays(1, &ground->array);
	glDeleteFramebuffers(2, ground->framebuffers);
	glDeleteTextures(2, ground->textures);
	*ground = (snw_ground){0};
}

snw_ground_place snw_ground_place_under(const snw_box *box) {
	const double size = snw_box_diagonal(box) > 0 ? snw_box_diagonal(box) : 1;
	snw_ground_place place = {.reach = 2.4 * size, .grid_step = pow(10, round(log10(size / 15)))};
	if (snw_box_is_empty(box)) {
		place.shadow_reach = size;
		return place;
	}
	const bool stands = fabs(box->lower[1]) < 0.05 * size;
	place.middle[0] = (float)((box->lower[0] + box->upper[0]) / 2);
	place.middle[1] = stands ? 0 : (float)box->lower[1];
	place.middle[2] = (float)((box->lower[2] + box->upper[2]) / 2);
	place.shadow_reach = 0.62 * fmax(box->upper[0] - box->lower[0], box->upper[2] - box->lower[2]) + 0.1 * size;
	return place;
}

/* Extends a box to the drawn ground. */
static void ground_add(const snw_ground_place *place, snw_box *box) {
	for (int side = -1; side <= 1; side += 2) {
		const double corner[3] = {(double)place->middle[0] + side * place->reach, (double)place->middle[1],
								  (double)place->middle[2] + side * place->reach};
		snw_box_add(box, corner);
	}
}

static void blur_into(const snw_ground *ground, int from, int to, float x, float y) {
	const float texel[2] = {x / SNW_SHADOW_SIDE, y / SNW_SHADOW_SIDE};
	glBindFramebuffer(GL_FRAMEBUFFER, ground->framebuffers[to]);
	glUseProgram(ground->blur);
	snw_uniform_vector(ground->blur, "texel", 2, texel);
	snw_uniform_float(ground->blur, "spread", BLUR_SPREAD);
	glActiveTexture(GL_TEXTURE0);
	glBindTexture(GL_TEXTURE_2D, ground->textures[from]);
	glBindVertexArray(ground->array);
	glDrawArrays(GL_TRIANGLES, 0, 3);
}

/* Draws the shadow of the surfaces but the hidden ones (NULL: of all); leaves another framebuffer and viewport bound. */
static void ground_cast_shadow(const snw_ground *ground, const snw_ground_place *place, snw_gpu_mesh *const *gpu_meshes,
							   const bool *hidden, uint32_t count) {
	glViewport(0, 0, SNW_SHADOW_SIDE, SNW_SHADOW_SIDE);
	glBindFramebuffer(GL_FRAMEBUFFER, ground->framebuffers[0]);
	glDisable(GL_DEPTH_TEST);
	glClearColor(0, 0, 0, 0);
	glClear(GL_COLOR_BUFFER_BIT);
	glEnable(GL_BLEND);
	glBlendEquation(GL_MAX);
	for (uint32_t i = 0; i < count; i++) {
		if (!hidden || !hidden[i]) {
			snw_gpu_mesh_draw_shadow(gpu_meshes[i], place->middle, place->shadow_reach);
		}
	}
	glBlendEquation(GL_FUNC_ADD);
	glDisable(GL_BLEND);
	blur_into(ground, 0, 1, 1, 0);
	blur_into(ground, 1, 0, 0, 1);
}

static void ground_draw(const snw_ground *ground, const snw_ground_place *place, const snw_draw_settings *settings) {
	const snw_camera_matrices *camera = settings->camera;
	static const float night[3] = {0.004f, 0.005f, 0.006f};
	static const float dark[3] = {0.07f, 0.08f, 0.10f}, light[3] = {0.42f, 0.44f, 0.48f};
	const GLuint program = ground->programs[settings->key->casts_shadows];
	const double step = place->grid_step;
	/* Modulo ten steps, so that the grid keeps its precision far from the origin. */
	const float origin[2] = {(float)fmod((double)place->middle[0], 10 * step),
							 (float)fmod((double)place->middle[2], 10 * step)};
	glUseProgram(program);
	snw_uniform_matrix(program, "clip_from_world", 4, camera->clip_from_world);
	snw_uniform_matrix(program, "eye_from_world", 3, camera->eye_from_world);
	snw_uniform_vector(program, "eye", 3, camera->eye);
	snw_key_light_use(settings->light, settings->key, program);
	snw_uniform_vector(program, "middle", 3, place->middle);
	snw_uniform_float(program, "reach", place->reach);
	snw_uniform_float(program, "shadow_reach", place->shadow_reach);
	snw_uniform_float(program, "grid_step", step);
	snw_uniform_vector(program, "grid_origin", 2, origin);
	snw_uniform_vector(program, "grid_color", 3, settings->dark ? light : dark);
	snw_uniform_vector(program, "shade_color", 3, settings->dark ? night : dark);
	glActiveTexture(GL_TEXTURE0);
	glBindTexture(GL_TEXTURE_2D, ground->textures[0]);
	glBindVertexArray(ground->array);
	glEnable(GL_BLEND);
	glDepthMask(GL_FALSE);
	glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
	glDepthMask(GL_TRUE);
	glDisable(GL_BLEND);
}

/* ---- passes -------------------------------------------------------------------------------------------------------------- */

static const double *joint_matrices(const snw_view *view) {
	return view->pose ? view->pose->global : view->scene->skeleton.rest_global;
}

static void draw_background(const snw_renderer *renderer, bool dark) {
	static const float light_low[3] = {0.40f, 0.415f, 0.435f}, light_high[3] = {0.74f, 0.755f, 0.775f};
	static const float dark_low[3] = {0.018f, 0.019f, 0.022f}, dark_high[3] = {0.075f, 0.080f, 0.090f};
	glDisable(GL_DEPTH_TEST);
	glUseProgram(renderer->background);
	snw_uniform_vector(renderer->background, "low", 3, dark ? dark_low : light_low);
	snw_uniform_vector(renderer->background, "high", 3, dark ? dark_high : light_high);
	glBindVertexArray(renderer->empty_array);
	glDrawArrays(GL_TRIANGLES, 0, 3);
	glEnable(GL_DEPTH_TEST);
}

static bool is_hidden(const snw_draw_settings *settings, uint32_t mesh) {
	return settings->hidden && settings->hidden[mesh];
}

/* Mesa's rasteriser keeps 64 KB for each draw that waits, 300 MB for 5,000 meshes. So a few draws alone may wait there; a card
 * waits for nothing. */
typedef struct draw_queue {
	uint32_t count; /* since the last fence */
	GLsync fence;
} draw_queue;

static void drop_fence(draw_queue *queue) {
	glDeleteSync(queue->fence); /* NULL: does nothing */
	queue->fence = NULL;
}

static void add_draw(draw_queue *queue) {
	enum { MOST = 64 };
	static const GLuint64 LONGEST_NANOSECONDS = 1000000000;
	if (++queue->count < MOST) {
		return;
	}
	queue->count = 0;
	if (!snw_device_is_software((const char *)glGetString(GL_RENDERER))) {
		return;
	}
	const GLsync fence = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
	glFlush();
	if (queue->fence) {
		glClientWaitSync(queue->fence, 0, LONGEST_NANOSECONDS);
	}
	drop_fence(queue);
	queue->fence = fence;
}

/* `boxes` [mesh_count]: meshes whose box is out of view are left out; NULL: none is. */
static void draw_meshes(const snw_gpu_scene *gpu_scene, snw_gpu_mesh *const *meshes, const snw_box *boxes,
						const snw_draw_settings *settings, bool blended) {
	draw_queue queue = {0};
	if (gpu_scene->scene->mesh_count > 0) {
		snw_gpu_mesh_begin_draw(meshes[0], settings);
	}
	for (uint32_t m = 0; m < gpu_scene->scene->mesh_count; m++) {
		if (!is_hidden(settings, m) && (!boxes || snw_camera_sees(settings->camera, &boxes[m]))) {
			snw_gpu_mesh_draw(meshes[m], gpu_scene->materials, settings, blended);
			add_draw(&queue);
		}
	}
	drop_fence(&queue);
}

static void draw_posed(const snw_gpu_scene *gpu_scene, const snw_draw_settings *settings, bool blended) {
	draw_meshes(gpu_scene, gpu_scene->drawn, gpu_scene->boxes, settings, blended);
}

static void cast_shadows(const snw_renderer *renderer, const snw_gpu_scene *gpu_scene, const snw_draw_settings *settings,
						 const snw_ground_place *ground, bool gridded) {
	draw_queue queue = {0};
	snw_key_light_enter(&renderer->key_light);
	if (gpu_scene->scene->mesh_count > 0) {
		snw_gpu_mesh_begin_key_depth(gpu_scene->drawn[0], settings);
	}
	for (uint32_t m = 0; m < gpu_scene->scene->mesh_count; m++) {
		if (!is_hidden(settings, m)) {
			snw_gpu_mesh_draw_key_depth(gpu_scene->drawn[m]);
			add_draw(&queue);
		}
	}
	drop_fence(&queue);
	if (gridded) {
		ground_cast_shadow(&renderer->ground, ground, gpu_scene->drawn, settings->hidden, gpu_scene->scene->mesh_count);
	}
}

/* Edges alone need contrast with the background. */
static void draw_wires(const snw_gpu_scene *gpu_scene, const snw_draw_settings *settings, const snw_target_buffers *target,
					   bool alone) {
	static const float over[4] = {0.02f, 0.025f, 0.035f, 0.42f}, light[4] = {0.62f, 0.68f, 0.76f, 0.62f};
	const float *color = alone && settings->dark ? light : over;
	const snw_camera_matrices *camera = settings->camera;
	glEnable(GL_BLEND);
	glDepthMask(GL_FALSE);
	draw_queue queue = {0};
	for (uint32_t m = 0; m < gpu_scene->scene->mesh_count; m++) {
		if (!is_hidden(settings, m) && snw_camera_sees(camera, &gpu_scene->boxes[m])) {
			snw_gpu_mesh_draw_wire(gpu_scene->drawn[m], camera, target->width, target->height, color, 1);
			add_draw(&queue);
		}
	}
	drop_fence(&queue);
	glDepthMask(GL_TRUE);
	glDisable(GL_BLEND);
}

/* Both sides, back faces first, without sorting; they hide nothing. */
static void draw_xray(const snw_gpu_scene *gpu_scene, const snw_draw_settings *settings) {
	glEnable(GL_BLEND);
	glDepthMask(GL_FALSE);
	glEnable(GL_CULL_FACE);
	glCullFace(GL_FRONT);
	draw_posed(gpu_scene, settings, false);
	glCullFace(GL_BACK);
	draw_posed(gpu_scene, settings, false);
	glDisable(GL_CULL_FACE);
	glDepthMask(GL_TRUE);
	glDisable(GL_BLEND);
}

/* Only the nearest layer: its depth is drawn first. */
static void draw_ghost(const snw_gpu_scene *gpu_scene, const snw_ghost *ghost, uint32_t index, const snw_draw_settings *usual) {
	snw_draw_settings settings = *usual;
	settings.clay = true;
	settings.brush = NULL;
	settings.opacity = ghost->color[3];
	for (int c = 0; c < 3; c++) {
		settings.tint[c] = powf(ghost->color[c], 2.2f);
	}
	settings.tint[3] = 1;
	for (uint32_t m = 0; m < gpu_scene->scene->mesh_count; m++) {
		snw_gpu_mesh_use_pose(gpu_scene->meshes[m], gpu_scene->ghost_poses[index][m]);
	}
	glEnable(GL_POLYGON_OFFSET_FILL); /* where both coincide, the character is drawn over its ghost */
	glPolygonOffset(2, 16);
	glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
	draw_meshes(gpu_scene, gpu_scene->meshes, NULL, &settings, false);
	glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
	glDepthFunc(GL_LEQUAL);
	glEnable(GL_BLEND);
	draw_meshes(gpu_scene, gpu_scene->meshes, NULL, &settings, false);
	glDisable(GL_BLEND);
	glDepthFunc(GL_LESS);
	glDisable(GL_POLYGON_OFFSET_FILL);
	for (uint32_t m = 0; m < gpu_scene->scene->mesh_count; m++) {
		snw_gpu_mesh_use_pose(gpu_scene->meshes[m], NULL);
	}
}

static void draw_passes(const snw_renderer *renderer, const snw_gpu_scene *gpu_scene, const snw_view *view,
						const snw_ground_place *ground, const snw_draw_settings *settings, double size,
						const snw_target_buffers *target) {
	glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
	draw_background(renderer, view->flags & SNW_VIEW_DARK);
	const bool solid = !(view->flags & (SNW_VIEW_HOLLOW | SNW_VIEW_XRAY));
	if (solid) {
		draw_posed(gpu_scene, settings, false);
	}
	if (view->flags & SNW_VIEW_GRID) {
		ground_draw(&renderer->ground, ground, settings);
	}
	if (solid) {
		glEnable(GL_BLEND);
		draw_posed(gpu_scene, settings, true);
		glDisable(GL_BLEND);
	} else if (view->flags & SNW_VIEW_XRAY) {
		draw_xray(gpu_scene, settings);
	}
	if (view->flags & (SNW_VIEW_WIREFRAME | SNW_VIEW_HOLLOW)) {
		draw_wires(gpu_scene, settings, target, !solid);
	}
	glEnable(GL_DEPTH_CLAMP); /* the planes are close around the character, but the ground may reach beyond them */
	for (uint32_t g = 0; g < gpu_scene->ghost_count && g < view->ghost_count; g++) {
		draw_ghost(gpu_scene, &view->ghosts[g], g, settings);
	}
	if (view->flags & SNW_VIEW_SKELETON && gpu_scene->scene->skeleton.joint_count > 0) {
		snw_bones_draw(&renderer->bones, &gpu_scene->scene->skeleton, joint_matrices(view), view->joint_marks, size,
					   settings->camera, (uint32_t)target->height);
	}
	snw_lines_draw(&renderer->lines, view->lines, settings->camera, target->width, target->height);
	glDisable(GL_DEPTH_CLAMP);
}

static void write_legend(const snw_renderer *renderer, const snw_view *view, const snw_canvas *canvas, bool dark) {
	double minimum, maximum;
	if (view->heat_is_color) {
		snw_legend_label(canvas, renderer->font, view->heat_label, dark);
		return;
	}
	snw_view_heat_range(view, &minimum, &maximum);
	snw_legend_scale_bar(canvas, renderer->font, minimum, maximum, view->heat_label, dark);
}

static void write_on(const snw_renderer *renderer, const snw_view *view, const snw_canvas *canvas) {
	const bool dark = view->flags & SNW_VIEW_DARK;
	if (view->heat && view->flags & SNW_VIEW_SCALE_BAR) {
		write_legend(renderer, view, canvas, dark);
	}
	if (view->caption) {
		snw_legend_caption(canvas, renderer->font, view->caption, dark);
	}
}

static int matcap_of(uint32_t flags) {
	return flags & SNW_VIEW_MATCAP_CLAY ? 1 : flags & SNW_VIEW_MATCAP_SKIN ? 2 : flags & SNW_VIEW_MATCAP_CHROME ? 3 : 0;
}

void snw_view_paint(const snw_renderer *renderer, const snw_gpu_scene *gpu_scene, const snw_view *view,
					const snw_camera *camera, const snw_extent *extent, const snw_target_buffers *target) {
	snw_box whole = extent->box;
	if (view->flags & SNW_VIEW_GRID) {
		ground_add(&extent->ground, &whole);
	}
	snw_camera_matrices matrices;
	snw_camera_matrices_make(camera, (double)target->width / target->height, &whole, &matrices);
	snw_key_view key = snw_key_view_make(&matrices, &extent->box, view->lights, view->light_turn);
	key.casts_shadows = !(view->flags & SNW_VIEW_SHADOWLESS);
	const snw_draw_settings settings = {.camera = &matrices,
										.light = &renderer->key_light,
										.key = &key,
										.heat_ramp = renderer->heat_ramp,
										.flat = view->flags & SNW_VIEW_FLAT,
										.shaded = view->heat && view->heat_is_shade,
										.warns = view->heat && view->heat_is_contact,
										.dark = view->flags & SNW_VIEW_DARK,
										.clay = view->flags & (SNW_VIEW_CLAY | SNW_VIEW_MATCAPS),
										.matcap = matcap_of(view->flags),
										.opacity = view->flags & SNW_VIEW_XRAY ? 0.14f : 1,
										.brush = &view->brush,
										.hidden = view->hidden};
	if (key.casts_shadows) {
		cast_shadows(renderer, gpu_scene, &settings, &extent->ground, view->flags & SNW_VIEW_GRID);
	}
	glEnable(GL_FRAMEBUFFER_SRGB);
	glEnable(GL_MULTISAMPLE);
	snw_target_buffers_enter(target);
	draw_passes(renderer, gpu_scene, view, &extent->ground, &settings, snw_box_diagonal(&extent->box), target);
	glDisable(GL_DEPTH_TEST);
	glDisable(GL_FRAMEBUFFER_SRGB);
}

void snw_view_draw(snw_renderer *renderer, const snw_gpu_scene *gpu_scene, const snw_view *view, const snw_camera *camera,
				   const snw_extent *extent, const snw_target_buffers *target, const snw_canvas *canvas) {
	snw_view_paint(renderer, gpu_scene, view, camera, extent, target);
	glEnable(GL_FRAMEBUFFER_SRGB);
	snw_target_buffers_read(target, canvas->pixels, canvas->row_pixels);
	glDisable(GL_FRAMEBUFFER_SRGB);
	write_on(renderer, view, canvas);
}
