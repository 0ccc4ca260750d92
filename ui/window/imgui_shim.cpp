/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The only file that knows Dear ImGui.
 */
#include "window/imgui_shim.h"

#include <SDL.h>
#include <backends/imgui_impl_opengl3.h>
#include <backends/imgui_impl_sdl.h>
#include <imgui.h>

namespace {

const float font_size = 15;
const ImVec4 ink(0.88f, 0.89f, 0.91f, 1), quiet(0.53f, 0.55f, 0.59f, 1), amber(0.93f, 0.66f, 0.28f, 1);

ImVec4 with_alpha(ImVec4 color, float alpha) {
	color.w = alpha;
	return color;
}

void dress(float scale) {
	ImGuiStyle &style = ImGui::GetStyle();
	style = ImGuiStyle();
	style.WindowPadding = ImVec2(14, 12);
	style.FramePadding = ImVec2(8, 5);
	style.ItemSpacing = ImVec2(8, 4);
	style.WindowRounding = 0;
	style.WindowBorderSize = 0;
	style.FrameRounding = 4;
	style.PopupRounding = 4;
	style.ScrollbarSize = 10;
	style.ScrollbarRounding = 5;
	style.ScaleAllSizes(scale);
	ImVec4 *colors = style.Colors;
	colors[ImGuiCol_Text] = ink;
	colors[ImGuiCol_TextDisabled] = quiet;
	colors[ImGuiCol_WindowBg] = ImVec4(0.098f, 0.102f, 0.114f, 1);
	colors[ImGuiCol_PopupBg] = ImVec4(0.13f, 0.135f, 0.15f, 1);
	colors[ImGuiCol_Border] = ImVec4(0.2f, 0.21f, 0.23f, 1);
	colors[ImGuiCol_FrameBg] = ImVec4(0.155f, 0.162f, 0.18f, 1);
	colors[ImGuiCol_FrameBgHovered] = ImVec4(0.2f, 0.21f, 0.23f, 1);
	colors[ImGuiCol_FrameBgActive] = ImVec4(0.23f, 0.24f, 0.26f, 1);
	colors[ImGuiCol_Button] = ImVec4(0.155f, 0.162f, 0.18f, 1);
	colors[ImGuiCol_ButtonHovered] = ImVec4(0.2f, 0.21f, 0.23f, 1);
	colors[ImGuiCol_ButtonActive] = with_alpha(amber, 0.5f);
	colors[ImGuiCol_Header] = with_alpha(amber, 0.22f);
	colors[ImGuiCol_HeaderHovered] = ImVec4(0.2f, 0.21f, 0.23f, 1);
	colors[ImGuiCol_HeaderActive] = with_alpha(amber, 0.35f);
	colors[ImGuiCol_CheckMark] = amber;
	colors[ImGuiCol_ScrollbarBg] = ImVec4(0, 0, 0, 0);
	colors[ImGuiCol_ScrollbarGrab] = ImVec4(0.25f, 0.26f, 0.29f, 1);
}

ImU32 packed(uint32_t color) {
	return IM_COL32(color >> 24, color >> 16 & 255, color >> 8 & 255, color & 255);
}

ImDrawList *strokes() {
	return ImGui::GetWindowDrawList();
}

/* The key of a line, at its right end. */
void write_key(const char *key) {
	if (key && *key) {
		const ImVec2 lower = ImGui::GetItemRectMin(), upper = ImGui::GetItemRectMax();
		const float x = ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x - ImGui::CalcTextSize(key).x;
		const float y = (lower.y + upper.y - ImGui::GetTextLineHeight()) / 2;
		ImGui::GetWindowDrawList()->AddText(ImVec2(x - 4, y), ImGui::GetColorU32(quiet), key);
	}
}

} // namespace

bool snw_gui_create(struct SDL_Window *window, void *gl, const char *font, float scale) {
	IMGUI_CHECKVERSION();
	ImGui::CreateContext();
	ImGuiIO &io = ImGui::GetIO();
	io.IniFilename = nullptr;
	io.LogFilename = nullptr;
	static const ImWchar letters[] = {0x20, 0x24f, 0x370, 0x52f, 0x2010, 0x2027, 0x2190, 0x21ff, 0};
	if (!font || !io.Fonts->AddFontFromFileTTF(font, font_size * scale, nullptr, letters)) {
		io.Fonts->AddFontDefault();
	}
	dress(scale);
	return ImGui_ImplSDL2_InitForOpenGL(static_cast<SDL_Window *>(window), gl) && ImGui_ImplOpenGL3_Init("#version 410 core");
}

void snw_gui_destroy(void) {
	ImGui_ImplOpenGL3_Shutdown();
	ImGui_ImplSDL2_Shutdown();
	ImGui::DestroyContext();
}

void snw_gui_event(const union SDL_Event *event) {
	ImGui_ImplSDL2_ProcessEvent(event);
}

bool snw_gui_wants_mouse(void) {
	return ImGui::GetIO().WantCaptureMouse;
}

bool snw_gui_wants_keys(void) {
	return ImGui::GetIO().WantTextInput;
}

void snw_gui_frame_begin(void) {
	ImGui_ImplOpenGL3_NewFrame();
	ImGui_ImplSDL2_NewFrame();
	ImGui::NewFrame();
}

void snw_gui_frame_end(void) {
	ImGui::Render();
	ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

void snw_gui_panel_begin(const char *name, float x, float y, float width, float height, snw_panel_kind kind) {
	ImGuiWindowFlags flags = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
							 ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav |
							 ImGuiWindowFlags_NoBringToFrontOnFocus;
	flags |= kind == SNW_PANEL_PADDED ? 0 : ImGuiWindowFlags_NoScrollbar;
	flags |= kind == SNW_PANEL_GLASS ? ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoInputs : 0;
	ImGui::SetNextWindowPos(ImVec2(x, y));
	ImGui::SetNextWindowSize(ImVec2(width, height));
	ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2(1, 1));
	if (kind != SNW_PANEL_PADDED) {
		ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
	}
	ImGui::Begin(name, nullptr, flags);
	ImGui::PopStyleVar(kind == SNW_PANEL_PADDED ? 1 : 2);
}

void snw_gui_panel_end(void) {
	ImGui::End();
}

void snw_gui_heading(const char *text) {
	ImGui::Dummy(ImVec2(0, ImGui::GetTextLineHeight() * 0.3f));
	ImGui::PushStyleColor(ImGuiCol_Text, quiet);
	ImGui::TextUnformatted(text);
	ImGui::PopStyleColor();
}

void snw_gui_words(const char *text) {
	ImGui::PushTextWrapPos(0);
	ImGui::TextUnformatted(text);
	ImGui::PopTextWrapPos();
}

void snw_gui_hint(const char *text) {
	if (ImGui::IsItemHovered()) {
		ImGui::SetTooltip("%s", text);
	}
}

bool snw_gui_row(const char *text, const char *key, bool chosen) {
	const bool used = ImGui::Selectable(text, chosen);
	write_key(key);
	return used;
}

bool snw_gui_switch(const char *text, const char *key, bool on) {
	ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(2, 2));
	const bool used = ImGui::Checkbox(text, &on);
	ImGui::PopStyleVar();
	write_key(key);
	return used;
}

bool snw_gui_list_begin(const char *name, const char *current) {
	ImGui::SetNextItemWidth(-1);
	return ImGui::BeginCombo(name, current, ImGuiComboFlags_HeightLarge);
}

void snw_gui_list_end(void) {
	ImGui::EndCombo();
}

bool snw_gui_strip(const char *name, float x, float y, float width, float height, float *fraction) {
	ImGui::SetCursorScreenPos(ImVec2(x, y));
	ImGui::InvisibleButton(name, ImVec2(width > 1 ? width : 1, height > 1 ? height : 1));
	if (!ImGui::IsItemActive()) {
		return false;
	}
	const float at = (ImGui::GetIO().MousePos.x - x) / (width > 1 ? width : 1);
	*fraction = at < 0 ? 0 : at > 1 ? 1 : at;
	return true;
}

void snw_gui_fill(float x, float y, float width, float height, float rounding, uint32_t color) {
	strokes()->AddRectFilled(ImVec2(x, y), ImVec2(x + width, y + height), packed(color), rounding);
}

void snw_gui_gradient(float x, float y, float width, float height, uint32_t top, uint32_t bottom) {
	strokes()->AddRectFilledMultiColor(ImVec2(x, y), ImVec2(x + width, y + height), packed(top), packed(top), packed(bottom),
									   packed(bottom));
}

void snw_gui_triangle(float x0, float y0, float x1, float y1, float x2, float y2, uint32_t color) {
	strokes()->AddTriangleFilled(ImVec2(x0, y0), ImVec2(x1, y1), ImVec2(x2, y2), packed(color));
}

void snw_gui_write(float x, float y, uint32_t color, const char *text) {
	strokes()->AddText(ImVec2(x, y), packed(color), text);
}

float snw_gui_width_of(const char *text) {
	return ImGui::CalcTextSize(text).x;
}

float snw_gui_line_height(void) {
	return ImGui::GetTextLineHeight();
}
