/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "render/draw/panel_picture.h"

#include "render/draw/renderer.h"
#include "render/gl/uploads.h"

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
