/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The dark theme: spacing, rounding, colours.
 */
#include "window/imgui/internal.h"

const float snw_gui_panel_color[3] = {0.098f, 0.102f, 0.114f};

void snw_theme_apply(float scale) {
	ImGuiStyle &style = ImGui::GetStyle();
	style = ImGuiStyle();
	style.WindowPadding = ImVec2(14, 12);
	style.FramePadding = ImVec2(8, 5);
	style.ItemSpacing = ImVec2(8, 4);
	style.WindowRounding = 0;
	style.WindowBorderSize = 0;
	style.FrameRounding = 4;
	style.PopupRounding = 4;
	style.ItemInnerSpacing = ImVec2(7, 4);
	style.GrabRounding = 4;
	style.GrabMinSize = 9;
	style.ChildRounding = 4;
	style.ChildBorderSize = 0;
	style.PopupBorderSize = 1;
	style.WindowTitleAlign = ImVec2(0.5f, 0.5f);
	style.DisabledAlpha = 0.4f;
	style.ScrollbarSize = 10;
	style.ScrollbarRounding = 5;
	style.ScaleAllSizes(scale);
	ImVec4 *colors = style.Colors;
	colors[ImGuiCol_Text] = snw_text_color;
	colors[ImGuiCol_TextDisabled] = snw_quiet;
	colors[ImGuiCol_WindowBg] = ImVec4(snw_gui_panel_color[0], snw_gui_panel_color[1], snw_gui_panel_color[2], 1);
	colors[ImGuiCol_PopupBg] = ImVec4(0.13f, 0.135f, 0.15f, 1);
	colors[ImGuiCol_Border] = ImVec4(0.2f, 0.21f, 0.23f, 1);
	colors[ImGuiCol_FrameBg] = ImVec4(0.155f, 0.162f, 0.18f, 1);
	colors[ImGuiCol_FrameBgHovered] = ImVec4(0.2f, 0.21f, 0.23f, 1);
	colors[ImGuiCol_FrameBgActive] = ImVec4(0.23f, 0.24f, 0.26f, 1);
	colors[ImGuiCol_Button] = ImVec4(0.155f, 0.162f, 0.18f, 1);
	colors[ImGuiCol_ButtonHovered] = ImVec4(0.2f, 0.21f, 0.23f, 1);
	colors[ImGuiCol_ButtonActive] = snw_with_alpha(snw_amber, 0.5f);
	colors[ImGuiCol_Header] = snw_with_alpha(snw_amber, 0.22f);
	colors[ImGuiCol_HeaderHovered] = ImVec4(0.2f, 0.21f, 0.23f, 1);
	colors[ImGuiCol_HeaderActive] = snw_with_alpha(snw_amber, 0.35f);
	colors[ImGuiCol_MenuBarBg] = ImVec4(0.125f, 0.13f, 0.145f, 1);
	colors[ImGuiCol_ModalWindowDimBg] = ImVec4(0.03f, 0.03f, 0.04f, 0.55f);
	colors[ImGuiCol_TitleBg] = colors[ImGuiCol_TitleBgActive] = ImVec4(0.155f, 0.162f, 0.18f, 1);
	colors[ImGuiCol_ChildBg] = ImVec4(0.075f, 0.079f, 0.088f, 1);
	colors[ImGuiCol_SliderGrab] = snw_with_alpha(snw_amber, 0.75f);
	colors[ImGuiCol_SliderGrabActive] = snw_amber;
	colors[ImGuiCol_PlotHistogram] = snw_with_alpha(snw_amber, 0.8f);
	colors[ImGuiCol_TextSelectedBg] = snw_with_alpha(snw_amber, 0.35f);
	colors[ImGuiCol_NavHighlight] = snw_with_alpha(snw_amber, 0.6f);
	colors[ImGuiCol_Separator] = ImVec4(0.2f, 0.21f, 0.23f, 1);
	colors[ImGuiCol_CheckMark] = snw_amber;
	colors[ImGuiCol_ScrollbarBg] = ImVec4(0, 0, 0, 0);
	colors[ImGuiCol_ScrollbarGrab] = ImVec4(0.25f, 0.26f, 0.29f, 1);
}
