/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SINEW_UI_WINDOW_PANELS_SHAPE_BRUSH_ICON_H
#define SINEW_UI_WINDOW_PANELS_SHAPE_BRUSH_ICON_H

#include "window/panels/panels.h"

/* Draws what the brush does into this box of the current panel. */
void snw_brush_icon(snw_brush_kind kind, float x, float y, float width, float height);

#endif
