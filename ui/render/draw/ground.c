/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The shadow is the surface seen from above, weighted by its height, and blurred.
 */
#include "render/draw/ground.h"

#include <math.h>

#include "render/gl/shader.h"

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

void snw_ground_add(const snw_ground_place *place, snw_box *box) {
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

void snw_ground_cast_shadow(const snw_ground *ground, const snw_ground_place *place, snw_gpu_mesh *const *gpu_meshes,
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

void snw_ground_draw(const snw_ground *ground, const snw_ground_place *place, const snw_draw_settings *settings) {
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
