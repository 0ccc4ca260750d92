/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Draws characters by the system's fonts, or as boxes.
 */
#include "window/imgui/glyphs.h"

#include <cmath>
#include <cstdio>
#include <map>
#include <string>

#ifdef SINEW_HAS_SYSTEM_FONTS
#include <fontconfig/fontconfig.h>
#include <ft2build.h>
#include FT_FREETYPE_H
#endif

namespace {

const uint32_t white = 0x00ffffff;

/* ---- a box with the number ----------------------------------------------------------------------------------------------- */

/* Hexadecimal digits of 3 by 5 pixels, the upper left one first. */
const uint16_t digits[16] = {0x7b6f, 0x2c97, 0x73e7, 0x72cf, 0x5bc9, 0x79cf, 0x79ef, 0x7292,
							 0x7bef, 0x7bcf, 0x7bed, 0x6bae, 0x7927, 0x6b6e, 0x79e7, 0x79e4};

void fill(snw_glyph *glyph, int x, int y, int width, int height) {
	for (int row = y; row < y + height; row++) {
		for (int column = x; column < x + width; column++) {
			if (row >= 0 && row < glyph->height && column >= 0 && column < glyph->width) {
				glyph->pixels[size_t(row) * size_t(glyph->width) + size_t(column)] = 0xff000000 | white;
			}
		}
	}
}

/* Two rows of digits in a frame. */
snw_glyph box_of(uint32_t character, float em) {
	const int unit = em < 24 ? 1 : int(em / 14), columns = character > 0xffff ? 3 : 2;
	snw_glyph glyph = {};
	glyph.width = unit * (4 * columns + 3);
	glyph.height = unit * 15;
	glyph.left = float(unit);
	glyph.above = float(12 * unit);
	glyph.advance = float(glyph.width + 2 * unit);
	glyph.pixels.resize(size_t(glyph.width) * size_t(glyph.height));
	fill(&glyph, 0, 0, glyph.width, unit);
	fill(&glyph, 0, glyph.height - unit, glyph.width, unit);
	fill(&glyph, 0, 0, unit, glyph.height);
	fill(&glyph, glyph.width - unit, 0, unit, glyph.height);
	for (int i = 0; i < 2 * columns; i++) {
		const uint16_t digit = digits[character >> 4 * (2 * columns - 1 - i) & 15];
		for (int bit = 0; bit < 15; bit++) {
			if (digit >> (14 - bit) & 1) {
				fill(&glyph, unit * (2 + 4 * (i % columns) + bit % 3), unit * (2 + 6 * (i / columns) + bit / 3), unit, unit);
			}
		}
	}
	return glyph;
}

/* ---- the system's fonts -------------------------------------------------------------------------------------------------- */

#ifdef SINEW_HAS_SYSTEM_FONTS

const bool uses_system_fonts = true;
FT_Library library;
std::map<std::string, FT_Face> faces; /* by file and index; NULL for files that cannot be read */
bool has_begun;

FT_Face face_of(const char *file, int index) {
	const std::string key = std::string(file) + "#" + std::to_string(index);
	const auto found = faces.find(key);
	if (found != faces.end()) {
		return found->second;
	}
	FT_Face face = nullptr;
	if (FT_New_Face(library, file, index, &face) != 0) {
		face = nullptr;
	}
	faces[key] = face;
	return face;
}

/* The font that the system prefers for this character; NULL if none has it. */
FT_Face find_face(uint32_t character) {
	FcPattern *wish = FcPatternCreate();
	FcCharSet *letters = FcCharSetCreate();
	FcCharSetAddChar(letters, character);
	FcPatternAddCharSet(wish, FC_CHARSET, letters);
	FcPatternAddString(wish, FC_FAMILY, reinterpret_cast<const FcChar8 *>("sans-serif"));
	FcConfigSubstitute(nullptr, wish, FcMatchPattern);
	FcDefaultSubstitute(wish);
	FcResult result;
	FcPattern *match = FcFontMatch(nullptr, wish, &result);
	FcChar8 *file = nullptr;
	FcCharSet *covered = nullptr;
	int index = 0;
	FT_Face face = nullptr;
	if (match && FcPatternGetCharSet(match, FC_CHARSET, 0, &covered) == FcResultMatch && FcCharSetHasChar(covered, character) &&
		FcPatternGetString(match, FC_FILE, 0, &file) == FcResultMatch) {
		FcPatternGetInteger(match, FC_INDEX, 0, &index);
		face = face_of(reinterpret_cast<const char *>(file), index);
	}
	if (match) {
		FcPatternDestroy(match);
	}
	FcCharSetDestroy(letters);
	FcPatternDestroy(wish);
	return face && FT_Get_Char_Index(face, character) != 0 ? face : nullptr;
}

/* Sets the size. Fonts of pictures have a few sizes; the result is the factor from the chosen one to that which is wanted. */
float set_size(FT_Face face, float em) {
	if (FT_IS_SCALABLE(face) || face->num_fixed_sizes == 0) {
		FT_Set_Pixel_Sizes(face, 0, FT_UInt(lroundf(em)));
		return 1;
	}
	int best = 0;
	for (int i = 1; i < face->num_fixed_sizes; i++) {
		const bool is_enough = float(face->available_sizes[best].height) >= em;
		const FT_Short height = face->available_sizes[i].height, known = face->available_sizes[best].height;
		best = (is_enough ? float(height) >= em && height < known : height > known) ? i : best;
	}
	FT_Select_Size(face, best);
	return em / float(face->available_sizes[best].height);
}

/* A pixel of a glyph's bitmap as RGBA. */
void read_pixel(const FT_Bitmap &bitmap, int x, int y, float rgba[4]) {
	const unsigned char *row = bitmap.buffer + y * bitmap.pitch;
	rgba[0] = rgba[1] = rgba[2] = 255;
	if (bitmap.pixel_mode == FT_PIXEL_MODE_BGRA) {
		for (int c = 0; c < 3; c++) {
			rgba[2 - c] = row[4 * x + c];
		}
		rgba[3] = row[4 * x + 3];
	} else if (bitmap.pixel_mode == FT_PIXEL_MODE_MONO) {
		rgba[3] = row[x >> 3] >> (7 - (x & 7)) & 1 ? 255 : 0;
	} else {
		rgba[3] = row[x];
	}
}

/* The mean over the part of the bitmap that becomes one pixel. Colours in it are multiplied by their opacity. */
uint32_t mean_of(const FT_Bitmap &bitmap, int x, int y, float scale) {
	const int left = int(float(x) / scale), top = int(float(y) / scale);
	const int right = std::fmax(float(left + 1), std::fmin(std::ceil(float(x + 1) / scale), float(bitmap.width)));
	const int bottom = std::fmax(float(top + 1), std::fmin(std::ceil(float(y + 1) / scale), float(bitmap.rows)));
	float sum[4] = {0, 0, 0, 0}, pixel[4];
	for (int row = top; row < bottom; row++) {
		for (int column = left; column < right; column++) {
			read_pixel(bitmap, column, row, pixel);
			for (int c = 0; c < 4; c++) {
				sum[c] += pixel[c];
			}
		}
	}
	const float count = float((right - left) * (bottom - top)), alpha = sum[3] / count;
	uint32_t packed = uint32_t(lroundf(alpha)) << 24;
	for (int c = 0; c < 3; c++) {
		const bool is_multiplied = bitmap.pixel_mode == FT_PIXEL_MODE_BGRA;
		const float value = is_multiplied ? (alpha > 0 ? sum[c] / count * 255 / alpha : 0) : 255;
		packed |= uint32_t(lroundf(std::fmin(value, 255))) << 8 * c;
	}
	return packed;
}

bool draw_by_system(uint32_t character, float em, snw_glyph *glyph) {
	if (!has_begun) {
		has_begun = true;
		if (!FcInit() || FT_Init_FreeType(&library) != 0) {
			library = nullptr;
		}
	}
	FT_Face face = library ? find_face(character) : nullptr;
	if (!face) {
		return false;
	}
	const float scale = set_size(face, em);
	if (FT_Load_Char(face, character, FT_LOAD_COLOR) != 0 ||
		(face->glyph->format != FT_GLYPH_FORMAT_BITMAP && FT_Render_Glyph(face->glyph, FT_RENDER_MODE_NORMAL) != 0)) {
		return false;
	}
	const FT_GlyphSlot slot = face->glyph;
	const FT_Bitmap &bitmap = slot->bitmap;
	glyph->width = int(std::fmax(1, std::floor(float(bitmap.width) * scale)));
	glyph->height = int(std::fmax(1, std::floor(float(bitmap.rows) * scale)));
	glyph->left = float(slot->bitmap_left) * scale;
	glyph->above = float(slot->bitmap_top) * scale;
	glyph->advance = float(slot->advance.x) / 64 * scale;
	glyph->is_colored = bitmap.pixel_mode == FT_PIXEL_MODE_BGRA;
	glyph->pixels.assign(size_t(glyph->width) * size_t(glyph->height), 0);
	for (int i = 0; bitmap.width > 0 && bitmap.rows > 0 && i < glyph->width * glyph->height; i++) {
		glyph->pixels[size_t(i)] = mean_of(bitmap, i % glyph->width, i / glyph->width, scale);
	}
	return true;
}

#else

const bool uses_system_fonts = false;

bool draw_by_system(uint32_t, float, snw_glyph *) {
	return false;
}

#endif

/* Joiners and selectors of variants are not seen. */
bool is_unseen(uint32_t character) {
	return (character >= 0xfe00 && character <= 0xfe0f) || (character >= 0x200b && character <= 0x200f) ||
		   character == 0x2060 || character == 0xfeff || (character >= 0xe0000 && character <= 0xe0fff);
}

} // namespace

snw_glyph snw_glyph_draw(uint32_t character, float em) {
	snw_glyph glyph = {};
	if (is_unseen(character)) {
		glyph.width = glyph.height = 1;
		glyph.pixels.assign(1, 0);
		return glyph;
	}
	if (!draw_by_system(character, em, &glyph)) {
		glyph = box_of(character, em);
		glyph.lacks_font = uses_system_fonts;
	}
	return glyph;
}

void snw_glyphs_end() {
#ifdef SINEW_HAS_SYSTEM_FONTS
	for (const auto &face : faces) {
		if (face.second) {
			FT_Done_Face(face.second);
		}
	}
	faces.clear();
	if (library) {
		FT_Done_FreeType(library);
	}
	if (has_begun) {
		FcFini();
	}
	library = nullptr;
	has_begun = false;
#endif
}
