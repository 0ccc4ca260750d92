/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Draws lists of strokes (lines.h). The context must be current.
 */
#ifndef SINEW_UI_RENDER_OVERLAY_LINE_DRAWER_H
#define SINEW_UI_RENDER_OVERLAY_LINE_DRAWER_H

#include <GL/glew.h>

#include "base/error.h"
#include "render/overlay/lines.h"
#include "render/view/camera.h"

typedef struct snw_line_drawer {
	GLuint program, array, instances;
} snw_line_drawer;
snw_status snw_line_drawer_create(snw_line_drawer *drawer, snw_error *error);
void snw_line_drawer_destroy(snw_line_drawer *drawer);
/* Into the bound framebuffer of `width` × `height` pixels; tests its depth but does not write it. */
void snw_lines_draw(const snw_line_drawer *drawer, const snw_lines *lines, const snw_camera_matrices *camera, uint32_t width,
					uint32_t height);

#endif
