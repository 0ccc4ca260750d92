/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <SDL.h>
#include <backends/imgui_impl_opengl3.h>
#include <backends/imgui_impl_sdl.h>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "window/imgui/internal.h"

/* ---- the theme ----------------------------------------------------------------------------------------------------------- */

/* The dark theme: spacing, rounding, colours. */

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

/* ---- containers ---------------------------------------------------------------------------------------------------------- */

/* Containers of widgets: panels, boxes, menus, dialogs; and the layout of a line. */

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

/* ---- the window ---------------------------------------------------------------------------------------------------------- */

/* Dear ImGui in the window: creation, events, redraws, and the places of its widgets. */

namespace {

/* What the processed events say about the mouse. */
struct {
	ImVec2 place;
	bool is_down[3];
	bool was_down;  /* the left button, in the last redraw */
	bool is_double; /* the last press of the left button ended a double-click */
} mouse;

/* All that Dear ImGui gives to the GPU, of this redraw, of the last one, and of the last one that was drawn. Most redraws only
 * let the layout settle, or follow a mouse that changes nothing: they need not be drawn. */
std::vector<unsigned char> described, last, drawn;

template <typename T> void describe(const T *values, size_t count) {
	const auto *bytes = reinterpret_cast<const unsigned char *>(values);
	described.insert(described.end(), bytes, bytes + count * sizeof(T));
}

void describe(const ImDrawData &data) {
	described.clear();
	describe(&data.DisplaySize, 1);
	describe(&data.FramebufferScale, 1);
	for (int i = 0; i < data.CmdListsCount; i++) {
		const ImDrawList &list = *data.CmdLists[i];
		describe(list.CmdBuffer.Data, size_t(list.CmdBuffer.Size));
		describe(list.VtxBuffer.Data, size_t(list.VtxBuffer.Size));
		describe(list.IdxBuffer.Data, size_t(list.IdxBuffer.Size));
	}
}

/* For scripts: the places in the last redraw, and in this one. */
bool tracking = false;
std::vector<snw_gui_place> placed, placing;

void record_place(const char *text, ImVec2 lower, ImVec2 upper, bool is_words) {
	if (tracking) {
		snw_gui_place place;
		const char *window = ImGui::GetCurrentWindowRead()->Name, *slash = strchr(window, '/');
		/* A box inside a panel is called "panel/box_NUMBER". */
		const bool is_pose = slash && strncmp(slash + 1, "poses", 5) == 0;
		/* Popups over panels are called by a number. */
		window = strncmp(window, "##Combo_", 8) == 0 ? "list" : strncmp(window, "##Popup_", 8) == 0 ? "popup" : window;
		snprintf(place.name, sizeof place.name, "%.*s/%s",
				 is_pose ? 5
				 : slash ? int(slash - window)
						 : int(strlen(window)),
				 is_pose ? "poses" : window, text);
		if (char *hidden = strstr(place.name, "###")) {
			*hidden = '\0';
		}
		place.x = lower.x;
		place.y = lower.y;
		place.width = upper.x - lower.x;
		place.height = upper.y - lower.y;
		place.is_explained = false;
		place.is_words = is_words;
		place.is_out = false;
		placing.push_back(place);
	}
}

} // namespace

void snw_widget_track(const char *text) {
	record_place(text, ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), false);
}

void snw_track_row_out(const char *text) {
	snw_widget_track(text);
	if (tracking) {
		placing.back().is_out = placing.back().is_explained = true; /* as it is where it is seen */
	}
}

void snw_track_text(const char *text) {
	record_place(text, ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), true);
}

void snw_gui_track_text(const char *name, float x, float y, float width, float height) {
	record_place(name, ImVec2(x, y), ImVec2(x + width, y + height), true);
}

void snw_track_hint() {
	const ImVec2 at = ImGui::GetItemRectMin();
	if (tracking && !placing.empty() && placing.back().x == at.x && placing.back().y == at.y) {
		placing.back().is_explained = true;
	}
}

bool snw_gui_create(struct SDL_Window *window, void *gl, const char *font, snw_gui_size size) {
	IMGUI_CHECKVERSION();
	ImGui::CreateContext();
	ImGuiIO &io = ImGui::GetIO();
	io.IniFilename = nullptr;
	io.LogFilename = nullptr;
	snw_fonts_create(font, size);
	snw_theme_apply(size.scale);
	return ImGui_ImplSDL2_InitForOpenGL(static_cast<SDL_Window *>(window), gl) && ImGui_ImplOpenGL3_Init("#version 410 core");
}

void snw_gui_release_context(void) {
	ImGui_ImplOpenGL3_Shutdown();
}

bool snw_gui_use_context(void) {
	return ImGui_ImplOpenGL3_Init("#version 410 core");
}

void snw_gui_destroy(void) {
	snw_fonts_end();
	ImGui_ImplOpenGL3_Shutdown();
	ImGui_ImplSDL2_Shutdown();
	ImGui::DestroyContext();
}

/* As of this event: SDL's state, and the server's, may be ahead of waiting events, or behind. */
void snw_gui_event(const union SDL_Event *event) {
	if (event->type == SDL_TEXTINPUT) {
		ImGui::GetIO().AddInputCharactersUTF8(snw_drawn(event->text.text));
		return;
	}
	if (event->type != SDL_KEYDOWN || !event->key.repeat) { /* Dear ImGui repeats keys itself */
		ImGui_ImplSDL2_ProcessEvent(event);
	}
	if (event->type == SDL_MOUSEMOTION) {
		mouse.place = ImVec2(float(event->motion.x), float(event->motion.y));
	} else if ((event->type == SDL_MOUSEBUTTONDOWN || event->type == SDL_MOUSEBUTTONUP) &&
			   event->button.button <= SDL_BUTTON_RIGHT) {
		const int index = event->button.button == SDL_BUTTON_LEFT ? 0 : event->button.button == SDL_BUTTON_RIGHT ? 1 : 2;
		mouse.place = ImVec2(float(event->button.x), float(event->button.y));
		mouse.is_down[index] = event->type == SDL_MOUSEBUTTONDOWN;
		if (index == 0 && mouse.is_down[0]) {
			mouse.is_double = event->button.clicks % 2 == 0;
		}
	} else if (event->type == SDL_WINDOWEVENT && event->window.event == SDL_WINDOWEVENT_FOCUS_LOST) {
		mouse.is_down[0] = mouse.is_down[1] = mouse.is_down[2] = false;
	} else if (event->type == SDL_KEYDOWN || event->type == SDL_KEYUP) {
		ImGuiIO &io = ImGui::GetIO();
		const int modifiers = event->key.keysym.mod;
		io.KeyCtrl = (modifiers & KMOD_CTRL) != 0;
		io.KeyShift = (modifiers & KMOD_SHIFT) != 0;
		io.KeyAlt = (modifiers & KMOD_ALT) != 0;
	}
}

bool snw_gui_wants_mouse(void) {
	return ImGui::GetIO().WantCaptureMouse;
}

bool snw_gui_wants_keys(void) {
	/* As the last redraw has left it: io.WantTextInput is two redraws late. A number that is dragged has the id of its
	 * field. */
	const bool was_typed = GImGui->WantTextInputNextFrame == 1;
	return was_typed && GImGui->ActiveId != 0 && GImGui->ActiveId == GImGui->InputTextState.ID;
}

bool snw_gui_alt_up(void) {
	return ImGui::GetIO().KeyAlt && ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_UpArrow), false);
}

bool snw_gui_holds_ctrl(void) {
	return ImGui::GetIO().KeyCtrl;
}

void snw_gui_redraw_begin(void) {
	snw_fonts_follow();
	ImGui_ImplOpenGL3_NewFrame();
	ImGui_ImplSDL2_NewFrame();
	ImGuiIO &io = ImGui::GetIO();
	if (io.MousePos.x > -1e6f) {
		io.MousePos = mouse.place;
	}
	if (mouse.is_down[0] && !mouse.was_down) { /* a double-click by the times of the events, not of the redraws */
		/* Dear ImGui asks how long ago the last press was. In the future: no redraw is too slow for it. */
		io.MouseClickedTime[0] = mouse.is_double ? ImGui::GetTime() + 1e6 : -DBL_MAX;
	}
	mouse.was_down = mouse.is_down[0];
	for (int i = 0; i < 3; i++) {
		io.MouseDown[i] = mouse.is_down[i];
	}
	ImGui::NewFrame();
	/* At once: Dear ImGui fades what is behind a dialog, for longer than the layout needs to settle. */
	GImGui->DimBgRatio = ImGui::GetTopMostPopupModal() ? 1.0f : 0.0f;
}

/* Dialogs that are no longer drawn. Dear ImGui keeps them, and the mouse for them, for two redraws more. */
static void close_dialogs() {
	const ImVector<ImGuiPopupData> &open = GImGui->OpenPopupStack;
	int kept = 0;
	while (kept < open.Size && (!open[kept].Window || open[kept].Window->Active)) {
		kept++;
	}
	if (kept < open.Size) {
		ImGui::ClosePopupToLevel(kept, true);
	}
}

bool snw_gui_redraw_end(void) {
	ImGui::Render();
	close_dialogs();
	placed.swap(placing);
	placing.clear();
	last.swap(described);
	describe(*ImGui::GetDrawData());
	return described != last;
}

bool snw_gui_is_outdated(void) {
	return described != drawn;
}

void snw_gui_draw(void) {
	ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
	drawn = described;
}

void snw_gui_release_focus(void) {
	ImGui::ClearActiveID();
}

bool snw_gui_close_lists(void) {
	const ImVector<ImGuiPopupData> &open = GImGui->OpenPopupStack;
	const int dialogs = open.Size > 0 && open[0].Window && open[0].Window->Flags & ImGuiWindowFlags_Modal ? 1 : 0;
	const bool found = open.Size > dialogs;
	if (found) {
		ImGui::ClosePopupToLevel(dialogs, true);
	}
	return found;
}

void snw_gui_freeze_carets(void) {
	ImGui::GetIO().ConfigInputTextCursorBlink = false;
}

void snw_gui_track(bool on) {
	tracking = on;
}

uint32_t snw_gui_places(const snw_gui_place **places) {
	*places = placed.data();
	return uint32_t(placed.size());
}
