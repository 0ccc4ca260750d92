/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Strokes and text on the current panel, and space for them.
 */
#include "window/imgui/internal.h"

#include <GL/glew.h>

#include <string>

namespace {

/* Panels are drawn without conversion to sRGB, so textures must not be converted from it. */
void set_decoding(const ImDrawCmd *command, GLint decoding) {
	if (GLEW_EXT_texture_sRGB_decode) {
		glBindTexture(GL_TEXTURE_2D, GLuint(reinterpret_cast<uintptr_t>(command->UserCallbackData)));
		glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_SRGB_DECODE_EXT, decoding);
	}
}

void skip_decoding(const ImDrawList *, const ImDrawCmd *command) {
	set_decoding(command, GL_SKIP_DECODE_EXT);
}

void restore_decoding(const ImDrawList *, const ImDrawCmd *command) {
	set_decoding(command, GL_DECODE_EXT);
}

bool continues_letter(char c) {
	return (c & 0xc0) == 0x80;
}

} // namespace

void snw_write_name_on(ImDrawList *strokes, const char *name, ImVec2 at, float width, ImU32 color) {
	const char *drawn = snw_drawn(name);
	const std::string whole(drawn, ImGui::FindRenderedTextEnd(drawn));
	std::string text = whole;
	size_t head = (whole.size() + 1) / 2, tail = whole.size() - head;
	while (head + tail > 2 && ImGui::CalcTextSize(text.c_str()).x > width) {
		size_t &longer = 2 * head >= tail ? head : tail;
		longer--;
		while (head > 0 && head < whole.size() && continues_letter(whole[head])) {
			head--;
		}
		while (tail > 0 && continues_letter(whole[whole.size() - tail])) {
			tail--;
		}
		text = whole.substr(0, head) + "…" + whole.substr(whole.size() - tail);
	}
	strokes->AddText(at, color, text.c_str());
}

void snw_write_name(const char *name, ImVec2 at, float width, ImU32 color) {
	snw_write_name_on(snw_draw_list(), name, at, width, color);
}

void snw_gui_fill(float x, float y, float width, float height, float rounding, uint32_t color) {
	snw_draw_list()->AddRectFilled(ImVec2(x, y), ImVec2(x + width, y + height), snw_packed(color), rounding);
}

void snw_gui_picture(uint32_t texture, float x, float y, float width, float height) {
	void *const name = reinterpret_cast<void *>(uintptr_t(texture));
	snw_draw_list()->AddCallback(skip_decoding, name);
	snw_draw_list()->AddImage(ImTextureID(name), ImVec2(x, y), ImVec2(x + width, y + height));
	snw_draw_list()->AddCallback(restore_decoding, name);
}

void snw_gui_gradient(float x, float y, float width, float height, uint32_t top, uint32_t bottom) {
	snw_draw_list()->AddRectFilledMultiColor(ImVec2(x, y), ImVec2(x + width, y + height), snw_packed(top), snw_packed(top),
											 snw_packed(bottom), snw_packed(bottom));
}

void snw_gui_triangle(float x0, float y0, float x1, float y1, float x2, float y2, uint32_t color) {
	snw_draw_list()->AddTriangleFilled(ImVec2(x0, y0), ImVec2(x1, y1), ImVec2(x2, y2), snw_packed(color));
}

void snw_gui_write(float x, float y, uint32_t color, const char *text) {
	snw_draw_list()->AddText(ImVec2(x, y), snw_packed(color), snw_drawn(text));
}

void snw_gui_write_small(float x, float y, uint32_t color, const char *text) {
	ImGui::PushFont(snw_fonts.small);
	snw_gui_write(x, y, color, text);
	ImGui::PopFont();
}

float snw_gui_small_width_of(const char *text) {
	ImGui::PushFont(snw_fonts.small);
	const float width = snw_gui_width_of(text);
	ImGui::PopFont();
	return width;
}

float snw_gui_width_of(const char *text) {
	return ImGui::CalcTextSize(snw_drawn(text)).x;
}

float snw_gui_line_height(void) {
	return ImGui::GetTextLineHeight();
}

void snw_gui_polyline(const float *points, uint32_t count, float thickness, uint32_t color, bool closed) {
	snw_draw_list()->AddPolyline(reinterpret_cast<const ImVec2 *>(points), int(count), snw_packed(color),
								 closed ? ImDrawFlags_Closed : ImDrawFlags_None, thickness);
}

void snw_gui_disc(float x, float y, float radius, uint32_t color) {
	snw_draw_list()->AddCircleFilled(ImVec2(x, y), radius, snw_packed(color));
}

void snw_gui_cursor(float *x, float *y) {
	const ImVec2 at = ImGui::GetCursorScreenPos();
	*x = at.x;
	*y = at.y;
}

void snw_gui_reserve(float width, float height) {
	ImGui::Dummy(ImVec2(width, height));
}

bool snw_gui_reserved_hovered(float *x, float *y) {
	const ImVec2 lower = ImGui::GetItemRectMin(), mouse = ImGui::GetIO().MousePos;
	*x = mouse.x - lower.x;
	*y = mouse.y - lower.y;
	return ImGui::IsItemHovered();
}

void snw_gui_polygon(const float *points, uint32_t count, uint32_t color) {
	ImDrawList *strokes = snw_draw_list();
	const ImDrawListFlags flags = strokes->Flags;
	strokes->Flags &= ~ImDrawListFlags_AntiAliasedFill; /* seams between adjacent pieces would be visible */
	strokes->AddConvexPolyFilled(reinterpret_cast<const ImVec2 *>(points), int(count), snw_packed(color));
	strokes->Flags = flags;
}

void snw_gui_write_within(float x, float y, float width, uint32_t color, const char *text) {
	const ImVec2 lower(x, y), upper(x + width, y + ImGui::GetTextLineHeight() + 2);
	ImGui::PushStyleColor(ImGuiCol_Text, snw_packed(color));
	ImGui::RenderTextEllipsis(snw_draw_list(), lower, upper, upper.x, upper.x, snw_drawn(text), nullptr, nullptr);
	ImGui::PopStyleColor();
}

void snw_gui_move_to(float x, float y) {
	ImGui::SetCursorScreenPos(ImVec2(x, y));
}

float snw_gui_panel_width(void) {
	return ImGui::GetWindowWidth();
}

void snw_gui_floating_text(const char *name, float x, float bottom, float width, uint32_t color, const char *text) {
	ImDrawList *strokes = ImGui::GetForegroundDrawList();
	const float margin = ImGui::GetTextLineHeight() * 0.55f, size = ImGui::GetFontSize();
	const char *drawn = snw_drawn(text);
	const ImVec2 words = ImGui::CalcTextSize(drawn, nullptr, false, width - 2 * margin);
	const float top = bottom - words.y - 2 * margin;
	const ImVec2 lower(x, top > 0 ? top : 0), upper(x + words.x + 2 * margin, lower.y + words.y + 2 * margin);
	strokes->AddRectFilled(lower, upper, ImGui::GetColorU32(ImGuiCol_PopupBg), 4);
	strokes->AddRect(lower, upper, snw_packed(color), 4);
	strokes->AddText(ImGui::GetFont(), size, ImVec2(lower.x + margin, lower.y + margin), snw_packed(color), drawn, nullptr,
					 width - 2 * margin);
	snw_gui_track_text(name, lower.x, lower.y, upper.x - lower.x, upper.y - lower.y);
}
