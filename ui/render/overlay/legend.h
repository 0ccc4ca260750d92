/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The text on a view, on a light or dark background: its caption, and the scale bar of a heat map.
 */
#ifndef SINEW_UI_RENDER_OVERLAY_LEGEND_H
#define SINEW_UI_RENDER_OVERLAY_LEGEND_H

#include <stdbool.h>

#include "render/overlay/canvas.h"
#include "render/view/camera.h"

/* At the bottom left. */
void snw_legend_caption(const snw_canvas *canvas, const snw_font *font, const char *caption, bool dark);

/* At the right: the ramp, numbers at round steps, the label above (may be NULL). */
void snw_legend_scale_bar(const snw_canvas *canvas, const snw_font *font, double minimum, double maximum, const char *label,
						  bool dark);

/* At the top right, for colours without a scale: a label (NULL: none). */
void snw_legend_label(const snw_canvas *canvas, const snw_font *font, const char *label, bool dark);

/* The margins around the character in a view of this size, for the caption, the label above, and the scale bar at the right. */
snw_camera_margins snw_legend_margins(uint32_t width, uint32_t height, bool has_label, bool has_scale);

/* The step of 1, 2 or 5 times a power of ten that divides a range into at most `most` parts. */
double snw_legend_round_step(double range, int most);

#endif
