/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shared by the files of the shim over Dear ImGui. No other files include Dear ImGui.
 */
#ifndef SINEW_UI_WINDOW_IMGUI_INTERNAL_H
#define SINEW_UI_WINDOW_IMGUI_INTERNAL_H

#include <cmath>
#include <cstdint>
#include <imgui.h>
#include <imgui_internal.h>
#include <vector>

#include "window/imgui/shim.h"

/* The theme's colours of text, of less important text, and of active or dragged parts. */
const ImVec4 snw_text_color(0.88f, 0.89f, 0.91f, 1), snw_soft(0.70f, 0.72f, 0.75f, 1), snw_quiet(0.56f, 0.58f, 0.62f, 1);
const ImVec4 snw_amber(0.93f, 0.66f, 0.28f, 1);

inline ImVec4 snw_with_alpha(ImVec4 color, float alpha) {
	color.w = alpha;
	return color;
}

inline ImU32 snw_packed(uint32_t color) {
	return IM_COL32(color >> 24, color >> 16 & 255, color >> 8 & 255, color & 255);
}

/* Converts a size for the common text size to the current one. */
inline ImVec2 snw_scaled(float x, float y) {
	const float scale = ImGui::GetFontSize() / 15;
	return ImVec2(floorf(x * scale), floorf(y * scale));
}

inline ImDrawList *snw_draw_list() {
	return ImGui::GetWindowDrawList();
}

void snw_theme_apply(float scale);

/* Writes a name at a place, without what follows "##". If it is wider than `width` it is shortened in its middle, before which
 * less is left than after it: names of joints differ at their ends. */
void snw_write_name(const char *name, ImVec2 at, float width, ImU32 color);
void snw_write_name_on(ImDrawList *strokes, const char *name, ImVec2 at, float width, ImU32 color);

/* Fonts other than the panels' font. */
typedef struct snw_letters {
	ImFont *small, *caption, *title; /* axes and keys; headings, bold; the title, bold */
} snw_letters;
extern snw_letters snw_fonts;

void snw_fonts_create(const char *font, snw_gui_size size);
/* Adds the characters that texts had and the fonts lack: before a redraw. */
void snw_fonts_follow();
void snw_fonts_end();

/* A text as Dear ImGui can draw it; everything that it is to draw goes through this. The result is valid for a few calls. And
 * back, as far as there is room. */
const char *snw_drawn(const char *text);
void snw_undrawn(const char *drawn, char *text, size_t size);

/* Records the place of the last widget under its name, while places are tracked. */
void snw_widget_track(const char *text);
void snw_track_text(const char *text);    /* the same for text that is only read */
void snw_track_row_out(const char *text); /* and for a row that is not drawn */
/* The previous widget has a hint. */
void snw_track_hint();

/* ---- glyphs -------------------------------------------------------------------------------------------------------------- */

/* Pictures of characters that the window's font lacks: from the system's fonts, found by fontconfig and drawn by FreeType, or
 * as a box with the character's number. */

struct snw_glyph {
	int width, height;            /* at least 1 */
	float left, above, advance;   /* of the upper left corner from the pen, above the baseline; pixels */
	bool is_colored;              /* else white, with coverage as opacity */
	bool lacks_font;              /* it is a box, because no font of the system has the character */
	std::vector<uint32_t> pixels; /* as 0xAABBGGRR in memory order RGBA, row by row from the top */
};

/* The character at a size (pixels of its em). */
snw_glyph snw_glyph_draw(uint32_t character, float em);
/* Releases the system's fonts. */
void snw_glyphs_end();

#endif
