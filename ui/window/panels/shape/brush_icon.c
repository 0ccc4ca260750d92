/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A picture of what a brush does: the surface in profile before it (faint) and after it.
 */
#include <string.h>

#include "window/panels/shape/brush_icon.h"

enum { SAMPLES = 9 };

/* Heights in tenths, from left to right; what is worked on by value (mask, paint) has a disc instead. */
typedef struct profile {
	signed char before[SAMPLES], after[SAMPLES];
	signed char slant; /* of the middle, to the right, in tenths of the width */
} profile;

static const profile profiles[SNW_BRUSH_COUNT] = {
	[SNW_BRUSH_GRAB] = {.before = {0}, .after = {0, 0, 1, 4, 10, 4, 1, 0, 0}, .slant = 2},
	[SNW_BRUSH_ELASTIC] = {.before = {0}, .after = {0, 2, 4, 6, 8, 6, 4, 2, 0}, .slant = 1},
	[SNW_BRUSH_SMOOTH] = {.before = {0, 6, -3, 8, -2, 7, -4, 5, 0}, .after = {0, 1, 2, 3, 3, 3, 2, 1, 0}},
	[SNW_BRUSH_RELAX] = {.before = {0}, .after = {0}},
	[SNW_BRUSH_DRAW] = {.before = {0}, .after = {0, 0, 2, 7, 9, 7, 2, 0, 0}},
	[SNW_BRUSH_CLAY] = {.before = {0, 0, 0, 2, 4, 2, 0, 0, 0}, .after = {0, 0, 7, 7, 7, 7, 7, 0, 0}},
	[SNW_BRUSH_INFLATE] = {.before = {0, 0, 2, 4, 5, 4, 2, 0, 0}, .after = {0, 2, 7, 9, 10, 9, 7, 2, 0}},
	[SNW_BRUSH_FLATTEN] = {.before = {0, 7, 2, -5, 0, 7, 2, -5, 0}, .after = {0, 1, 1, 1, 1, 1, 1, 1, 0}},
	[SNW_BRUSH_SCRAPE] = {.before = {0, 3, 9, 3, 0, 3, 9, 3, 0}, .after = {0, 3, 3, 3, 0, 3, 3, 3, 0}},
	[SNW_BRUSH_FILL] = {.before = {2, 0, -8, 0, 2, 0, -8, 0, 2}, .after = {2, 0, 0, 0, 2, 0, 0, 0, 2}},
	[SNW_BRUSH_CREASE] = {.before = {0}, .after = {0, 1, 2, 1, -9, 1, 2, 1, 0}},
	[SNW_BRUSH_PINCH] = {.before = {0, 1, 3, 5, 5, 5, 3, 1, 0}, .after = {0, 0, 0, 2, 9, 2, 0, 0, 0}},
	[SNW_BRUSH_SLIDE] = {.before = {0}, .after = {0}},
	[SNW_BRUSH_MORPH] = {.before = {0, 0, 2, 7, 9, 7, 2, 0, 0}, .after = {0, 1, 3, 4, 2, -2, -4, -3, 0}},
	[SNW_BRUSH_ERASE] = {.before = {0, 0, 2, 7, 9, 7, 2, 0, 0}, .after = {0}},
};

static void draw_profile(const signed char heights[SAMPLES], int slant, const float box[4], uint32_t color) {
	float points[2 * SAMPLES];
	for (int i = 0; i < SAMPLES; i++) {
		const float height = (float)heights[i] / 10;
		points[2 * i] = box[0] + box[2] * ((float)i / (SAMPLES - 1) + 0.1f * (float)slant * (height > 0 ? height : 0));
		points[2 * i + 1] = box[1] + box[3] * (0.6f - 0.5f * height);
	}
	snw_gui_polyline(points, SAMPLES, 1.5f, color, false);
}

/* Points along the surface: shifted, or spread evenly. */
static void draw_points(snw_brush_kind kind, const float box[4]) {
	static const float uneven[] = {0.0f, 0.12f, 0.2f, 0.62f, 1.0f}, slid[] = {0.0f, 0.35f, 0.6f, 0.8f, 1.0f};
	const float y = box[1] + 0.6f * box[3], radius = 0.13f * box[3];
	for (int i = 0; i < 5; i++) {
		const float before = kind == SNW_BRUSH_RELAX ? uneven[i] : 0.25f * (float)i;
		const float after = kind == SNW_BRUSH_RELAX ? 0.25f * (float)i : slid[i];
		snw_gui_disc(box[0] + box[2] * before, y - 0.3f * box[3], 0.8f * radius, (uint32_t)SNW_QUIET);
		snw_gui_disc(box[0] + box[2] * after, y, radius, (uint32_t)SNW_INK);
	}
}

/* Values on the skin: dark for a mask, bright for a field; soft edges for those that even them out. */
static void draw_values(snw_brush_kind kind, const float box[4]) {
	const bool is_mask = kind == SNW_BRUSH_MASK || kind == SNW_BRUSH_SOFTEN;
	const bool is_soft = kind == SNW_BRUSH_SOFTEN || kind == SNW_BRUSH_BLUR;
	const uint32_t color = is_mask ? 0x000000ff : (uint32_t)SNW_AMBER;
	const float x = box[0] + box[2] / 2, y = box[1] + box[3] / 2, radius = 0.5f * box[3];
	snw_gui_disc(x, y, radius + 1, (uint32_t)SNW_QUIET);
	for (int i = 0; i < (is_soft ? 4 : 1); i++) {
		snw_gui_disc(x, y, radius * (is_soft ? 1 - 0.25f * (float)i : 0.7f), is_soft ? (color & 0xffffff00u) | 0x50 : color);
	}
}

void snw_brush_icon(snw_brush_kind kind, float x, float y, float width, float height) {
	const float box[4] = {x, y, width, height};
	const profile *shape = &profiles[kind];
	if (snw_brush_changes(kind) != SNW_BRUSH_POINTS) {
		draw_values(kind, box);
		return;
	}
	if (memcmp(shape->before, shape->after, sizeof shape->before) == 0) {
		draw_points(kind, box);
		return;
	}
	draw_profile(shape->before, 0, box, (uint32_t)SNW_QUIET);
	draw_profile(shape->after, shape->slant, box, (uint32_t)SNW_INK);
}
