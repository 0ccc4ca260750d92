/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Containers of widgets: panels, boxes, menus, dialogs; and the layout of a line.
 */
#include "window/imgui/internal.h"

void snw_gui_panel_begin(const char *name, float x, float y, float width, float height, snw_panel_kind kind) {
	ImGuiWindowFlags flags = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
							 ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav |
							 ImGuiWindowFlags_NoBringToFrontOnFocus;
	const bool is_padded = kind == SNW_PANEL_PADDED || kind == SNW_PANEL_CARD;
	flags |= is_padded ? 0 : ImGuiWindowFlags_NoScrollbar;
	flags |= kind == SNW_PANEL_CARD ? 0 : ImGuiWindowFlags_NoBackground;
	flags |= kind == SNW_PANEL_GLASS ? ImGuiWindowFlags_NoInputs : 0;
	ImGui::SetNextWindowPos(ImVec2(x, y));
	ImGui::SetNextWindowSize(ImVec2(width, height));
	ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2(1, 1));
	if (!is_padded) {
		ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
	}
	ImGui::Begin(name, nullptr, flags);
	ImGui::PopStyleVar(is_padded ? 1 : 2);
}

void snw_gui_panel_end(void) {
	ImGui::End();
}

void snw_gui_child_begin(const char *name, float height) {
	ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, snw_scaled(6, 5));
	ImGui::BeginChild(name, ImVec2(0, height), false, ImGuiWindowFlags_AlwaysUseWindowPadding | ImGuiWindowFlags_NoNav);
	ImGui::PopStyleVar();
}

void snw_gui_scroll_begin(const char *name) {
	ImGui::PushStyleColor(ImGuiCol_ChildBg, 0u);
	ImGui::BeginChild(name, ImVec2(0, 0), false, ImGuiWindowFlags_NoNav); /* as the panel: Tab is no way to the next field */
	ImGui::PopStyleColor();
}

void snw_gui_child_end(void) {
	ImGui::EndChild();
}

bool snw_gui_menu_bar_begin(float *height) {
	ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, snw_scaled(9, 6));
	const bool open = ImGui::BeginMainMenuBar();
	ImGui::PopStyleVar();
	*height = open ? ImGui::GetWindowHeight() : 0;
	return open;
}

void snw_gui_menu_bar_end(void) {
	ImGui::EndMainMenuBar();
}

bool snw_gui_menu_begin(const char *text) {
	const bool open = ImGui::BeginMenu(snw_drawn(text));
	if (!open) {
		snw_widget_track(text);
	}
	return open;
}

void snw_gui_menu_end(void) {
	ImGui::EndMenu();
}

bool snw_gui_menu_item(const char *text, const char *keys, bool chosen, bool usable) {
	const bool used = ImGui::MenuItem(snw_drawn(text), keys && *keys ? keys : nullptr, chosen, usable);
	snw_widget_track(text);
	return used;
}

void snw_gui_menu_separator(void) {
	ImGui::Separator();
}

void snw_gui_dialog_begin(const char *title, float width, float height, bool *close) {
	const ImVec2 screen = ImGui::GetIO().DisplaySize;
	const ImVec2 size(width < screen.x - 16 ? width : screen.x - 16,
					  height < screen.y - 16 ? height : screen.y - 16); // 0: as high as it needs to be
	bool open = true;
	if (!ImGui::IsPopupOpen(title)) {
		ImGui::OpenPopup(title);
	}
	const float middle = screen.y * 0.46f, least = size.y / 2 + 8; // a little high, but not beyond the window
	ImGui::SetNextWindowPos(ImVec2(screen.x / 2, middle > least ? middle : least), ImGuiCond_Always, ImVec2(0.5f, 0.5f));
	ImGui::SetNextWindowSize(size);
	ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, snw_scaled(18, 14));
	ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 6);
	ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
	ImGui::BeginPopupModal(title, &open,
						   ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings);
	ImGui::PopStyleVar(3);
	*close = !open;
}

void snw_gui_dialog_end(void) {
	ImGui::EndPopup();
}

void snw_gui_disabled_begin(bool grey) {
	ImGui::BeginDisabled(grey);
}

void snw_gui_disabled_end(void) {
	ImGui::EndDisabled();
}

void snw_gui_quiet_begin(void) {
	ImGui::PushStyleColor(ImGuiCol_Text, snw_quiet);
}

void snw_gui_quiet_end(void) {
	ImGui::PopStyleColor();
}

void snw_gui_indent(float by) {
	if (by > 0) {
		ImGui::Indent(by);
	} else {
		ImGui::Unindent(-by);
	}
}

void snw_gui_push(int id) {
	ImGui::PushID(id);
}

void snw_gui_pop(void) {
	ImGui::PopID();
}

void snw_gui_same_line(float x) {
	ImGui::SameLine(x);
}

void snw_gui_same_line_for(const char *text) {
	const float box =
		ImGui::GetTextLineHeight() + 3 * ImGui::GetStyle().FramePadding.x; /* of a switch, or a button's margins */
	const float needed = ImGui::CalcTextSize(snw_drawn(text), nullptr, true).x + box;
	const float left = ImGui::GetItemRectMax().x + ImGui::GetStyle().ItemSpacing.x;
	if (left + needed <= ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x) {
		ImGui::SameLine();
	}
}

void snw_gui_width(float width) {
	ImGui::SetNextItemWidth(width);
}

float snw_gui_available_width(void) {
	return ImGui::GetContentRegionAvail().x;
}

void snw_gui_spacing(void) {
	ImGui::Dummy(ImVec2(0, ImGui::GetTextLineHeight() * 0.3f));
}
