/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pictures for the panels of a window: pixels, and their texture in the renderer's context, which is made again after the
 * context was lost.
 */
#ifndef SINEW_UI_RENDER_DRAW_PANEL_PICTURE_H
#define SINEW_UI_RENDER_DRAW_PANEL_PICTURE_H

#include "render/render.h"

typedef struct snw_panel_picture {
	uint32_t width, height;
	const unsigned char *pixels; /* [height][width][4], sRGB; the caller's */
	uint32_t texture, context;   /* 0: none yet; the number of the context that has it */
} snw_panel_picture;

/* The texture, made if it is not there. */
uint32_t snw_panel_picture_texture(const snw_renderer *renderer, snw_panel_picture *picture);
/* Deletes the texture. */
void snw_panel_picture_drop(const snw_renderer *renderer, snw_panel_picture *picture);

#endif
