/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A box or a lasso that the mouse draws over the viewport.
 */
#ifndef SINEW_UI_WINDOW_INPUT_OUTLINE_H
#define SINEW_UI_WINDOW_INPUT_OUTLINE_H

#include "window/input/layout.h"
#include "window/session/session.h"

enum { SNW_OUTLINE_POINTS = 128 };

typedef struct snw_outline {
	snw_outline_kind kind;
	uint32_t count;
	float points[2 * SNW_OUTLINE_POINTS]; /* in the viewport, the desktop's units */
} snw_outline;

void snw_outline_begin(snw_outline *outline, snw_outline_kind kind, double x, double y);
void snw_outline_extend(snw_outline *outline, double x, double y);
/* Masks what is inside, or unmasks it. */
void snw_outline_end(const snw_outline *outline, const snw_layout *layout, bool unmasks, snw_command_queue *queue);

#endif
