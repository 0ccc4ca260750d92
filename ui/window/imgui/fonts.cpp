/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The fonts of the panels. Characters that they lack are added to them when a text first has them.
 *
 * Dear ImGui's characters have 16 bits here. Those beyond, such as emoji, get numbers of the private use area, and so do
 * private characters themselves, so that each text can be restored.
 */
#include <backends/imgui_impl_opengl3.h>
#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "window/imgui/glyphs.h"
#include "window/imgui/internal.h"

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
