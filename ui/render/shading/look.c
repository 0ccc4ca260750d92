/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "render/shading/look.h"

#include <GL/glew.h>
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "render/gl/shader.h"
#include "render/view/camera.h"
#include "render/view/view.h"
#include "sinew/algebra.h"

/* ---- look ---------------------------------------------------------------------------------------------------------------- */

const snw_look snw_looks[SNW_LOOK_COUNT] = {
	{"materials", "Materials", 0},
	{"clay", "Clay", SNW_VIEW_CLAY},
	{"x-ray", "X-ray", SNW_VIEW_XRAY},
	{"edges", "Edges", SNW_VIEW_HOLLOW},
	{"matcap-clay", "Clay", SNW_VIEW_MATCAP_CLAY},
	{"matcap-skin", "Skin", SNW_VIEW_MATCAP_SKIN},
	{"matcap-chrome", "Chrome", SNW_VIEW_MATCAP_CHROME},
};

const char *const snw_lights_words[] = {"studio", "raking", "even", NULL};
_Static_assert(sizeof snw_lights_words / sizeof *snw_lights_words == SNW_LIGHTS_COUNT + 1, "a word is missing");

const snw_look *snw_look_find(const char *word) {
	for (int i = 0; i < SNW_LOOK_COUNT; i++) {
		if (strcmp(snw_looks[i].word, word) == 0) {
			return &snw_looks[i];
		}
	}
	return NULL;
}

uint32_t snw_look_of(uint32_t flags) {
	uint32_t look = SNW_LOOK_COUNT - 1;
	while (look > 0 && (flags & snw_looks[look].flags) != snw_looks[look].flags) {
		look--;
	}
	return look;
}

uint32_t snw_look_put(uint32_t flags, uint32_t look) {
	return (flags & ~snw_looks[snw_look_of(flags)].flags) | snw_looks[look].flags;
}

/* ---- key light ----------------------------------------------------------------------------------------------------------- */

/* A shadow map around the visible box. */

enum { SNW_KEY_DEPTH_SIDE = 2048, SNW_UNIT_KEY_DEPTH = 8 };

/* By snw_lights. */
static const struct {
	double direction[3];
	float shares[3];
} setups[SNW_LIGHTS_COUNT] = {
	{{-0.60, 0.64, 0.48}, {1, 1, 1}},
	{{-0.92, 0.30, 0.24}, {1.25f, 0.25f, 0.45f}},
	{{-0.12, 0.22, 0.97}, {0.92f, 0.6f, 0.9f}},
};

const char *const snw_key_light_defines[2] = {NULL, "#define KEY_SHADOWS 1\n"};

/* For the texture that is bound. */
static void size_depth(int side) {
	glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT24, side, side, 0, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, NULL);
}

/* The depth gets its full size, of 16 MB, with the first shadow: not every window shows one. */
snw_status snw_key_light_create(snw_key_light *light, snw_error *error) {
	static const float lit[4] = {1, 1, 1, 1};
	glGenTextures(1, &light->depth);
	glActiveTexture(GL_TEXTURE0);
	glBindTexture(GL_TEXTURE_2D, light->depth);
	size_depth(1);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_BORDER);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_BORDER);
	glTexParameterfv(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR, lit);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
	glGenFramebuffers(1, &light->framebuffer);
	glBindFramebuffer(GL_FRAMEBUFFER, light->framebuffer);
	glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, light->depth, 0);
	glDrawBuffer(GL_NONE);
	glReadBuffer(GL_NONE);
	if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) {
		return snw_fail(error, SNW_ERROR_UNSUPPORTED, "rendering: the OpenGL driver draws no depth textures; update it");
	}
	return SNW_OK;
}

void snw_key_light_destroy(snw_key_light *light) {
	glDeleteFramebuffers(1, &light->framebuffer);
	glDeleteTextures(1, &light->depth);
	*light = (snw_key_light){0};
}

snw_key_view snw_key_view_make(const snw_camera_matrices *camera, const snw_box *box, uint32_t lights, double angle) {
	double axes[3][3] = {{0}}, lower[3] = {INFINITY, INFINITY, INFINITY}, upper[3] = {-INFINITY, -INFINITY, -INFINITY};
	const double up[3] = {0, 1, 0};
	snw_key_view view = {.casts_shadows = true};
	assert(lights < SNW_LIGHTS_COUNT);
	const double *direction = setups[lights].direction;
	axes[2][0] = cos(angle) * direction[0] + sin(angle) * direction[2];
	axes[2][1] = direction[1];
	axes[2][2] = cos(angle) * direction[2] - sin(angle) * direction[0];
	memcpy(view.shares, setups[lights].shares, sizeof view.shares);
	snw_normalize3(axes[2]);
	snw_cross3(up, axes[2], axes[0]);
	snw_normalize3(axes[0]);
	snw_cross3(axes[2], axes[0], axes[1]);
	for (int corner = 0; corner < 8 && !snw_box_is_empty(box); corner++) {
		double in_eye[3] = {0};
		for (int c = 0; c < 3; c++) {
			const double away = (corner >> c & 1 ? box->upper[c] : box->lower[c]) - (double)camera->eye[c];
			for (int r = 0; r < 3; r++) {
				in_eye[r] += (double)camera->eye_from_world[3 * c + r] * away;
			}
		}
		for (int r = 0; r < 3; r++) {
			lower[r] = fmin(lower[r], snw_dot3(axes[r], in_eye));
			upper[r] = fmax(upper[r], snw_dot3(axes[r], in_eye));
		}
	}
	const double size = fmax(fmax(upper[0] - lower[0], upper[1] - lower[1]), upper[2] - lower[2]);
	const double side = size > 0 ? 1.06 * size : 1; /* one scale for all axes, so that texels are square */
	for (int r = 0; r < 3; r++) {
		const double middle = size > 0 ? (lower[r] + upper[r]) / 2 : 0, sign = r == 2 ? -1 : 1;
		for (int c = 0; c < 3; c++) {
			view.key_from_eye[4 * c + r] = (float)(sign * axes[r][c] / side);
		}
		view.key_from_eye[12 + r] = (float)(0.5 - sign * middle / side);
		view.direction[r] = (float)axes[2][r];
	}
	view.key_from_eye[15] = 1;
	view.texel = side / SNW_KEY_DEPTH_SIDE;
	return view;
}

void snw_key_light_enter(const snw_key_light *light) {
	GLint side = 0;
	glActiveTexture(GL_TEXTURE0 + SNW_UNIT_KEY_DEPTH);
	glBindTexture(GL_TEXTURE_2D, light->depth);
	glGetTexLevelParameteriv(GL_TEXTURE_2D, 0, GL_TEXTURE_WIDTH, &side);
	if (side != SNW_KEY_DEPTH_SIDE) {
		size_depth(SNW_KEY_DEPTH_SIDE);
	}
	glBindFramebuffer(GL_FRAMEBUFFER, light->framebuffer);
	glViewport(0, 0, SNW_KEY_DEPTH_SIDE, SNW_KEY_DEPTH_SIDE);
	glEnable(GL_DEPTH_TEST);
	glClear(GL_DEPTH_BUFFER_BIT);
}

void snw_key_light_use(const snw_key_light *light, const snw_key_view *view, GLuint program) {
	glActiveTexture(GL_TEXTURE0 + SNW_UNIT_KEY_DEPTH);
	glBindTexture(GL_TEXTURE_2D, light->depth);
	snw_uniform_vector(program, "key_direction", 3, view->direction);
	snw_uniform_vector(program, "light_shares", 3, view->shares);
	snw_uniform_matrix(program, "key_from_eye", 4, view->key_from_eye);
	snw_uniform_float(program, "key_texel", view->texel);
}
