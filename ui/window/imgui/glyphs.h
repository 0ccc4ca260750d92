/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pictures of characters that the window's font lacks: from the system's fonts, found by fontconfig and drawn by FreeType, or
 * as a box with the character's number.
 */
#ifndef SINEW_UI_WINDOW_IMGUI_GLYPHS_H
#define SINEW_UI_WINDOW_IMGUI_GLYPHS_H

#include <cstdint>
#include <vector>

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
