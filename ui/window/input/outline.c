/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "window/input/outline.h"

#include <math.h>
#include <stdio.h>

#define SPACING 3 /* between the points of a lasso */

static void set_point(snw_outline *outline, uint32_t i, double x, double y) {
	outline->points[2 * i] = (float)x;
	outline->points[2 * i + 1] = (float)y;
}

void snw_outline_begin(snw_outline *outline, snw_outline_kind kind, double x, double y) {
	outline->kind = kind;
	outline->count = kind == SNW_OUTLINE_BOX ? 4 : 1;
	for (uint32_t i = 0; i < outline->count; i++) {
		set_point(outline, i, x, y);
	}
}

/* Drops every other point. */
static void thin(snw_outline *outline) {
	for (uint32_t i = 0; 2 * i < outline->count; i++) {
		set_point(outline, i, (double)outline->points[4 * i], (double)outline->points[4 * i + 1]);
	}
	outline->count = (outline->count + 1) / 2;
}

void snw_outline_extend(snw_outline *outline, double x, double y) {
	const float *last = outline->points + 2 * (size_t)(outline->count - 1);
	if (outline->kind == SNW_OUTLINE_BOX) {
		set_point(outline, 1, x, (double)outline->points[1]);
		set_point(outline, 2, x, y);
		set_point(outline, 3, (double)outline->points[0], y);
	} else if (hypot(x - (double)last[0], y - (double)last[1]) >= SPACING) {
		if (outline->count == SNW_OUTLINE_POINTS) {
			thin(outline);
		}
		set_point(outline, outline->count++, x, y);
	}
}

void snw_outline_end(const snw_outline *outline, const snw_layout *layout, bool unmasks, snw_command_queue *queue) {
	const double mode = unmasks ? 0 : 1;
	char words[SNW_COMMAND_WORDS];
	size_t used = 0;
	for (uint32_t i = 0; i < outline->count && used + 20 < sizeof words; i++) {
		used += (size_t)snprintf(words + used, sizeof words - used, "%s%.4f %.4f", i > 0 ? " " : "",
								 (double)(outline->points[2 * i] / fmaxf(layout->view_width, 1)),
								 (double)(outline->points[2 * i + 1] / fmaxf(layout->view_height, 1)));
	}
	snw_emit_with(queue, SNW_DO_MASK_OUTLINE, &mode, 1, words);
}
