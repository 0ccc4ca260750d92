/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <backends/imgui_impl_opengl3.h>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <map>
#include <set>
#include <string>
#include <unistd.h>
#include <vector>

#include "window/imgui/internal.h"

/* ---- glyphs -------------------------------------------------------------------------------------------------------------- */

/* Draws characters by the system's fonts, or as boxes. */

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

/* ---- fonts --------------------------------------------------------------------------------------------------------------- */

/* The fonts of the panels. Characters that they lack are added to them when a text first has them.
 *
 * Dear ImGui's characters have 16 bits here. Those beyond, such as emoji, get numbers of the private use area, and so do
 * private characters themselves, so that each text can be restored. */

snw_letters snw_fonts;

namespace {

const float font_size = 15, small_size = 12.5f, caption_size = 12.5f, title_size = 24;

/* What the panels need. To rasterise all that names may need takes a sixth of the time of a start. */
const ImWchar first_letters[] = {0x20, 0xff, 0x2010, 0x2027, 0x2190, 0x2194, 0x2212, 0x2212, 0};
/* What most names need: Latin, Greek, Cyrillic, arrows. All of it comes when a text first has some of it. */
const ImWchar more_letters[] = {0x20, 0x24f, 0x370, 0x52f, 0x2010, 0x2027, 0x2190, 0x21ff, 0x2212, 0x2212, 0};
bool has_more, wants_more;

bool is_among(const ImWchar *ranges, ImWchar code) {
	for (; *ranges; ranges += 2) {
		if (ranges[0] <= code && code <= ranges[1]) {
			return true;
		}
	}
	return false;
}

ImFont *add_font(const char *font, float size) {
	ImGuiIO &io = ImGui::GetIO();
	const ImWchar *letters = has_more ? more_letters : first_letters;
	ImFont *made = font ? io.Fonts->AddFontFromFileTTF(font, roundf(size), nullptr, letters) : nullptr;
	return made ? made : io.Fonts->AddFontDefault();
}

/* The bold face beside a plain one in its folder; the plain one if there is none. */
std::string bold_of(const char *font) {
	std::string path(font ? font : "");
	const size_t dot = path.rfind('.');
	if (dot != std::string::npos) {
		path.insert(dot, "-Bold");
		if (access(path.c_str(), R_OK) == 0) {
			return path;
		}
	}
	return font ? font : "";
}

/* ---- characters as Dear ImGui has them ----------------------------------------------------------------------------------- */

const uint32_t first_private = 0xe000, last_private = 0xf8ff, unknown = 0xfffd;

std::vector<uint32_t> privates;  /* the character of each private number in use */
std::set<ImWchar> wanted, added; /* missing from the fonts until the next redraw; in them as pictures */
uint32_t boxed;                  /* a character that no font of the system has; 0: none */

bool is_private(uint32_t character) {
	return character >= first_private && character <= last_private;
}

ImWchar code_of(uint32_t character) {
	static std::map<uint32_t, ImWchar> codes;
	if (character <= 0xffff && !is_private(character)) {
		return ImWchar(character);
	}
	const auto found = codes.find(character);
	if (found != codes.end()) {
		return found->second;
	}
	const uint32_t code = first_private + uint32_t(privates.size());
	if (code > last_private) {
		return ImWchar(unknown);
	}
	privates.push_back(character);
	return codes[character] = ImWchar(code);
}

uint32_t character_of(ImWchar code) {
	const uint32_t index = uint32_t(code) - first_private;
	return is_private(code) && index < privates.size() ? privates[index] : code;
}

/* Decodes the character at the place and moves beyond it; damaged UTF-8 gives the replacement character. */
uint32_t next_character(const char **at) {
	const auto *bytes = reinterpret_cast<const unsigned char *>(*at);
	const int length = bytes[0] < 0x80   ? 1
					   : bytes[0] < 0xc2 ? 0
					   : bytes[0] < 0xe0 ? 2
					   : bytes[0] < 0xf0 ? 3
					   : bytes[0] < 0xf5 ? 4
										 : 0;
	uint32_t value = length == 1 ? bytes[0] : bytes[0] & (0x7fu >> length);
	for (int i = 1; i < length; i++) {
		if ((bytes[i] & 0xc0) != 0x80) {
			*at += 1;
			return unknown;
		}
		value = value << 6 | (bytes[i] & 0x3f);
	}
	*at += length > 0 ? length : 1;
	return length > 0 ? value : unknown;
}

void append(std::string *text, uint32_t character) {
	if (character < 0x80) {
		*text += char(character);
		return;
	}
	static const uint32_t leads[] = {0xc0, 0xe0, 0xf0};
	const int more = character < 0x800 ? 1 : character < 0x10000 ? 2 : 3;
	*text += char(leads[more - 1] | character >> 6 * more);
	for (int i = more - 1; i >= 0; i--) {
		*text += char(0x80 | (character >> 6 * i & 0x3f));
	}
}

bool is_plain(const char *text) {
	for (; *text; text++) {
		if (*text & 0x80) {
			return false;
		}
	}
	return true;
}

/* ---- pictures of missing characters -------------------------------------------------------------------------------------- */

struct picture {
	int rect;
	ImFont *font;
	snw_glyph glyph;
};

/* Adds what is missing to each font. The rectangles get their places when the atlas is built. */
void add_pictures(std::vector<picture> *pictures) {
	ImFontAtlas *atlas = ImGui::GetIO().Fonts;
	std::map<ImFont *, float> ascents; /* known once the plain fonts are built */
	atlas->Build();
	boxed = 0;
	for (ImFont *font : atlas->Fonts) {
		ascents[font] = font->Ascent;
	}
	for (ImFont *font : atlas->Fonts) {
		for (const ImWchar code : added) {
			picture made = {0, font, snw_glyph_draw(character_of(code), 0.86f * font->FontSize)};
			boxed = made.glyph.lacks_font && boxed == 0 ? character_of(code) : boxed;
			const ImVec2 offset(made.glyph.left, roundf(ascents[font]) - made.glyph.above);
			made.rect = atlas->AddCustomRectFontGlyph(font, code, made.glyph.width, made.glyph.height,
													  roundf(made.glyph.advance), offset);
			pictures->push_back(made);
		}
	}
}

void put_pictures(const std::vector<picture> &pictures) {
	ImFontAtlas *atlas = ImGui::GetIO().Fonts;
	unsigned char *pixels;
	int width, height;
	atlas->GetTexDataAsRGBA32(&pixels, &width, &height);
	auto *target = reinterpret_cast<uint32_t *>(pixels);
	for (const picture &made : pictures) {
		const ImFontAtlasCustomRect *rect = atlas->GetCustomRectByIndex(made.rect);
		for (int y = 0; rect->IsPacked() && y < made.glyph.height; y++) {
			for (int x = 0; x < made.glyph.width; x++) {
				target[(rect->Y + y) * width + rect->X + x] =
					made.glyph.pixels[size_t(y) * size_t(made.glyph.width) + size_t(x)];
			}
		}
		const auto *glyph = made.font->FindGlyphNoFallback(ImWchar(rect->GlyphID));
		if (glyph) {
			const_cast<ImFontGlyph *>(glyph)->Colored = made.glyph.is_colored;
		}
	}
}

/* What the fonts were created with, to create them again. */
std::string font_file;
bool has_font_file;
snw_gui_size font_scale;

/* Text is rasterised at the display's resolution, whatever its units are. */
void add_fonts(const char *font, snw_gui_size size) {
	const float scale = size.scale * size.density;
	const std::string bold = bold_of(font);
	const char *strong = bold.empty() ? nullptr : bold.c_str();
	add_font(font, font_size * scale); /* the first font is the default */
	snw_fonts.small = add_font(font, small_size * scale);
	snw_fonts.caption = add_font(strong, caption_size * scale);
	snw_fonts.title = add_font(strong, title_size * scale);
	ImGui::GetIO().FontGlobalScale = 1 / size.density;
}

void build() {
	std::vector<picture> pictures;
	ImGui::GetIO().Fonts->Clear();
	add_fonts(has_font_file ? font_file.c_str() : nullptr, font_scale);
	if (!added.empty()) {
		add_pictures(&pictures);
	}
	ImGui::GetIO().Fonts->Build();
	put_pictures(pictures);
}

/* If a font has no such character although it was asked for it, a picture of another font's is put there. */
void want(ImWchar code) {
	if (has_font_file && !has_more && is_among(more_letters, code) && !is_among(first_letters, code)) {
		wants_more = true;
	} else {
		wanted.insert(code);
	}
}

} // namespace

const char *snw_drawn(const char *text) {
	static std::string ring[16]; /* a widget takes a few texts */
	static size_t next;
	if (!text || is_plain(text)) {
		return text;
	}
	std::string &made = ring[next++ % (sizeof ring / sizeof *ring)];
	const ImFont *font = ImGui::GetIO().Fonts->Fonts.empty() ? nullptr : ImGui::GetIO().Fonts->Fonts[0];
	made.clear();
	for (const char *at = text; *at;) {
		const ImWchar code = code_of(next_character(&at));
		append(&made, code);
		if (code >= 0x80 && font && font->IsLoaded() && !font->FindGlyphNoFallback(code) && added.count(code) == 0) {
			want(code);
		}
	}
	return made.c_str();
}

void snw_undrawn(const char *drawn, char *text, size_t size) {
	std::string made;
	for (const char *at = drawn; *at;) {
		std::string one;
		append(&one, character_of(ImWchar(next_character(&at))));
		if (made.size() + one.size() >= size) {
			break;
		}
		made += one;
	}
	snprintf(text, size, "%s", made.c_str());
}

void snw_fonts_create(const char *font, snw_gui_size size) {
	font_file = font ? font : "";
	has_font_file = font;
	font_scale = size;
	build();
}

bool snw_gui_rescale(const char *font, snw_gui_size size) {
	snw_fonts_create(font, size);
	snw_theme_apply(size.scale);
	ImGui_ImplOpenGL3_DestroyFontsTexture();
	return ImGui_ImplOpenGL3_CreateFontsTexture();
}

void snw_fonts_follow() {
	if (snw_gui_lacks_letters()) {
		has_more = has_more || wants_more;
		wants_more = false;
		added.insert(wanted.begin(), wanted.end());
		wanted.clear();
		build();
		ImGui_ImplOpenGL3_DestroyFontsTexture();
		ImGui_ImplOpenGL3_CreateFontsTexture();
	}
}

bool snw_gui_lacks_letters(void) {
	return wants_more || !wanted.empty();
}

uint32_t snw_gui_boxed_letter(void) {
	return boxed;
}

void snw_fonts_end() {
	snw_glyphs_end();
	added.clear();
	wanted.clear();
	has_more = wants_more = false;
}
