/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The only file that knows Dear ImGui.
 */
#include "window/imgui_shim.h"

#include <SDL.h>
#include <backends/imgui_impl_opengl3.h>
#include <backends/imgui_impl_sdl.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <cstdio>
#include <cstring>
#include <vector>

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
	style.ItemInnerSpacing = ImVec2(7, 4);
	style.GrabRounding = 4;
	style.GrabMinSize = 9;
	style.ChildRounding = 4;
	style.ChildBorderSize = 0;
	style.PopupBorderSize = 1;
	style.WindowTitleAlign = ImVec2(0.5f, 0.5f);
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
	colors[ImGuiCol_MenuBarBg] = ImVec4(0.125f, 0.13f, 0.145f, 1);
	colors[ImGuiCol_ModalWindowDimBg] = ImVec4(0.03f, 0.03f, 0.04f, 0.55f);
	colors[ImGuiCol_TitleBg] = colors[ImGuiCol_TitleBgActive] = ImVec4(0.155f, 0.162f, 0.18f, 1);
	colors[ImGuiCol_ChildBg] = ImVec4(0.075f, 0.079f, 0.088f, 1);
	colors[ImGuiCol_SliderGrab] = with_alpha(amber, 0.75f);
	colors[ImGuiCol_SliderGrabActive] = amber;
	colors[ImGuiCol_PlotHistogram] = with_alpha(amber, 0.8f);
	colors[ImGuiCol_TextSelectedBg] = with_alpha(amber, 0.35f);
	colors[ImGuiCol_NavHighlight] = with_alpha(amber, 0.6f);
	colors[ImGuiCol_Separator] = ImVec4(0.2f, 0.21f, 0.23f, 1);
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

/* What scripts ask for: the last frame's places, and this one's. */
bool tracking = false;
std::vector<snw_gui_place> placed, placing;

void note_place(const char *text, ImVec2 lower, ImVec2 upper) {
	if (tracking) {
		snw_gui_place place;
		const char *window = ImGui::GetCurrentWindowRead()->Name, *slash = strchr(window, '/');
		/* A box inside a panel is called "panel/box_NUMBER". */
		const bool is_pose = slash && strncmp(slash + 1, "poses", 5) == 0;
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
		placing.push_back(place);
	}
}

/* The widget before, under its name. */
void note(const char *text) {
	note_place(text, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
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

void add_font(const char *font, float scale) {
	ImGuiIO &io = ImGui::GetIO();
	static const ImWchar letters[] = {0x20, 0x24f, 0x370, 0x52f, 0x2010, 0x2027, 0x2190, 0x21ff, 0};
	if (!font || !io.Fonts->AddFontFromFileTTF(font, font_size * scale, nullptr, letters)) {
		io.Fonts->AddFontDefault();
	}
}

} // namespace

bool snw_gui_rescale(const char *font, float scale) {
	ImGui::GetIO().Fonts->Clear();
	add_font(font, scale);
	dress(scale);
	ImGui_ImplOpenGL3_DestroyFontsTexture();
	return ImGui_ImplOpenGL3_CreateFontsTexture();
}

bool snw_gui_create(struct SDL_Window *window, void *gl, const char *font, float scale) {
	IMGUI_CHECKVERSION();
	ImGui::CreateContext();
	ImGuiIO &io = ImGui::GetIO();
	io.IniFilename = nullptr;
	io.LogFilename = nullptr;
	add_font(font, scale);
	dress(scale);
	return ImGui_ImplSDL2_InitForOpenGL(static_cast<SDL_Window *>(window), gl) && ImGui_ImplOpenGL3_Init("#version 410 core");
}

void snw_gui_leave_context(void) {
	ImGui_ImplOpenGL3_Shutdown();
}

bool snw_gui_enter_context(void) {
	return ImGui_ImplOpenGL3_Init("#version 410 core");
}

void snw_gui_destroy(void) {
	ImGui_ImplOpenGL3_Shutdown();
	ImGui_ImplSDL2_Shutdown();
	ImGui::DestroyContext();
}

void snw_gui_event(const union SDL_Event *event) {
	ImGui_ImplSDL2_ProcessEvent(event);
	if (event->type == SDL_KEYDOWN || event->type == SDL_KEYUP) {
		/* As of this event: SDL's own state is ahead of events that still wait. */
		ImGuiIO &io = ImGui::GetIO();
		const int held = event->key.keysym.mod;
		io.KeyCtrl = (held & KMOD_CTRL) != 0;
		io.KeyShift = (held & KMOD_SHIFT) != 0;
		io.KeyAlt = (held & KMOD_ALT) != 0;
	}
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
	/* Where the events say that the mouse is: what the server says may be behind them. */
	ImGuiIO &io = ImGui::GetIO();
	if (io.MousePos.x > -1e6f) {
		int x, y;
		SDL_GetMouseState(&x, &y);
		io.MousePos = ImVec2(float(x), float(y));
	}
	ImGui::NewFrame();
}

void snw_gui_frame_end(void) {
	ImGui::Render();
	ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
	placed.swap(placing);
	placing.clear();
}

void snw_gui_let_go(void) {
	ImGui::ClearActiveID();
}

void snw_gui_track(bool on) {
	tracking = on;
}

uint32_t snw_gui_places(const snw_gui_place **places) {
	*places = placed.data();
	return uint32_t(placed.size());
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
	if (text && *text && ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled) && GImGui->HoveredIdTimer > 0.45f) {
		ImGui::BeginTooltip();
		ImGui::PushTextWrapPos(ImGui::GetFontSize() * 22);
		ImGui::TextUnformatted(text);
		ImGui::PopTextWrapPos();
		ImGui::EndTooltip();
	}
}

bool snw_gui_row(const char *text, const char *key, bool chosen) {
	const bool used = ImGui::Selectable(text, chosen, ImGuiSelectableFlags_AllowDoubleClick);
	note(text);
	write_key(key);
	return used;
}

bool snw_gui_switch(const char *text, const char *key, bool on) {
	ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(2, 2));
	const bool used = ImGui::Checkbox(text, &on);
	ImGui::PopStyleVar();
	note(text);
	write_key(key);
	return used;
}

bool snw_gui_list_begin(const char *name, const char *current) {
	ImGui::SetNextItemWidth(-1);
	const bool open = ImGui::BeginCombo(name, current, ImGuiComboFlags_HeightLarge);
	if (!open) {
		note(name);
	}
	return open;
}

void snw_gui_list_end(void) {
	ImGui::EndCombo();
}

bool snw_gui_strip(const char *name, float x, float y, float width, float height, float *fraction) {
	ImGui::SetCursorScreenPos(ImVec2(x, y));
	ImGui::InvisibleButton(name, ImVec2(width > 1 ? width : 1, height > 1 ? height : 1));
	note(name);
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

void snw_gui_box_begin(const char *name, float height) {
	ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(6, 5));
	ImGui::BeginChild(name, ImVec2(0, height), false, ImGuiWindowFlags_AlwaysUseWindowPadding);
	ImGui::PopStyleVar();
}

void snw_gui_box_end(void) {
	ImGui::EndChild();
}

void snw_gui_quiet_words(const char *text) {
	ImGui::PushStyleColor(ImGuiCol_Text, quiet);
	snw_gui_words(text);
	ImGui::PopStyleColor();
}

void snw_gui_gap(void) {
	ImGui::Dummy(ImVec2(0, ImGui::GetTextLineHeight() * 0.3f));
}

void snw_gui_beside(float x) {
	ImGui::SameLine(x);
}

void snw_gui_width(float width) {
	ImGui::SetNextItemWidth(width);
}

float snw_gui_room(void) {
	return ImGui::GetContentRegionAvail().x;
}

void snw_gui_push(int id) {
	ImGui::PushID(id);
}

void snw_gui_pop(void) {
	ImGui::PopID();
}

void snw_gui_grey_begin(bool grey) {
	ImGui::BeginDisabled(grey);
}

void snw_gui_grey_end(void) {
	ImGui::EndDisabled();
}

bool snw_gui_menu_bar_begin(float *height) {
	ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(9, 6));
	const bool open = ImGui::BeginMainMenuBar();
	ImGui::PopStyleVar();
	*height = open ? ImGui::GetWindowHeight() : 0;
	return open;
}

void snw_gui_menu_bar_end(void) {
	ImGui::EndMainMenuBar();
}

bool snw_gui_menu_begin(const char *text) {
	const bool open = ImGui::BeginMenu(text);
	if (!open) {
		note(text);
	}
	return open;
}

void snw_gui_menu_end(void) {
	ImGui::EndMenu();
}

bool snw_gui_menu_item(const char *text, const char *keys, bool chosen, bool usable) {
	const bool used = ImGui::MenuItem(text, keys && *keys ? keys : nullptr, chosen, usable);
	note(text);
	return used;
}

void snw_gui_menu_line(void) {
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
	ImGui::SetNextWindowPos(ImVec2(screen.x / 2, screen.y * 0.46f), ImGuiCond_Always, ImVec2(0.5f, 0.5f));
	ImGui::SetNextWindowSize(size);
	ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(18, 14));
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

bool snw_gui_button(const char *text, bool is_main) {
	if (is_main) {
		ImGui::PushStyleColor(ImGuiCol_Button, with_alpha(amber, 0.85f));
		ImGui::PushStyleColor(ImGuiCol_ButtonHovered, amber);
		ImGui::PushStyleColor(ImGuiCol_Text, ImVec4(0.09f, 0.09f, 0.1f, 1));
	}
	const bool used = ImGui::Button(text);
	note(text);
	if (is_main) {
		ImGui::PopStyleColor(3);
	}
	return used;
}

bool snw_gui_double_clicked(void) {
	return ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(0);
}

bool snw_gui_row_meter(const char *text, bool chosen, double fraction, uint32_t color) {
	const float room = ImGui::GetContentRegionAvail().x, meter = room * 0.32f, line = ImGui::GetTextLineHeight();
	const ImVec2 at = ImGui::GetCursorScreenPos();
	const bool used = ImGui::Selectable(text, chosen, ImGuiSelectableFlags_AllowDoubleClick);
	note(text);
	const float x = at.x + room - meter, y = at.y + line * 0.3f, height = line * 0.4f;
	const float filled = float(fraction < 0 ? 0 : fraction > 1 ? 1 : fraction);
	strokes()->AddRectFilled(ImVec2(x, y), ImVec2(x + meter, y + height), IM_COL32(255, 255, 255, 18), height / 2);
	if (filled > 0.005f) {
		strokes()->AddRectFilled(ImVec2(x, y), ImVec2(x + meter * filled, y + height), packed(color), height / 2);
	}
	return used;
}

bool snw_gui_choice(const char *const *texts, uint32_t count, uint32_t *chosen) {
	const float room = ImGui::GetContentRegionAvail().x, gap = 2, width = (room - gap * float(count - 1)) / float(count);
	bool used = false;
	ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(2, 5));
	for (uint32_t i = 0; i < count; i++) {
		const bool on = *chosen == i;
		ImGui::PushStyleColor(ImGuiCol_Button, on ? with_alpha(amber, 0.3f) : ImGui::GetStyle().Colors[ImGuiCol_FrameBg]);
		ImGui::PushStyleColor(ImGuiCol_Text, on ? ink : quiet);
		if (i > 0) {
			ImGui::SameLine(0, gap);
		}
		if (ImGui::Button(texts[i], ImVec2(width, 0))) {
			*chosen = i;
			used = true;
		}
		note(texts[i]);
		ImGui::PopStyleColor(2);
	}
	ImGui::PopStyleVar();
	return used;
}

bool snw_gui_section(const char *text) {
	ImGui::PushStyleColor(ImGuiCol_Header, ImVec4(0, 0, 0, 0));
	ImGui::PushStyleColor(ImGuiCol_Text, quiet);
	ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(0, 5));
	const bool open = ImGui::CollapsingHeader(text, ImGuiTreeNodeFlags_DefaultOpen);
	ImGui::PopStyleVar();
	ImGui::PopStyleColor(2);
	note(text);
	return open;
}

bool snw_gui_tree_row(const char *text, int depth, bool *open, bool chosen) {
	const float line = ImGui::GetTextLineHeight(), indent = line * 0.6f * float(depth), x = ImGui::GetCursorPosX();
	ImGui::PushID(text);
	if (open) {
		const ImVec2 at = ImGui::GetCursorScreenPos();
		const float middle = at.y + line / 2, left = at.x + indent + 2, side = line * 0.26f;
		ImGui::SetCursorPosX(x + indent);
		if (ImGui::InvisibleButton("fold", ImVec2(line * 0.85f, line))) {
			*open = !*open;
		}
		if (*open) {
			strokes()->AddTriangleFilled(ImVec2(left, middle - side * 0.7f), ImVec2(left + 2 * side, middle - side * 0.7f),
										 ImVec2(left + side, middle + side), ImGui::GetColorU32(quiet));
		} else {
			strokes()->AddTriangleFilled(ImVec2(left, middle - side), ImVec2(left, middle + side),
										 ImVec2(left + side * 1.6f, middle), ImGui::GetColorU32(quiet));
		}
		ImGui::SameLine(0, 0);
	}
	ImGui::SetCursorPosX(x + indent + line * 0.95f);
	const bool used = ImGui::Selectable(text, chosen, ImGuiSelectableFlags_AllowDoubleClick);
	ImGui::PopID();
	note(text);
	return used;
}

snw_typed snw_gui_text(const char *name, const char *hint, char *text, size_t size, bool take_keys) {
	if (take_keys) {
		ImGui::SetKeyboardFocusHere();
	}
	const bool entered = ImGui::InputTextWithHint(name, hint, text, size,
												  ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
	note(name);
	return entered ? SNW_TYPED_RETURN : ImGui::IsItemEdited() ? SNW_TYPED_SOME : SNW_TYPED_NOTHING;
}

snw_edit_state snw_gui_number(const char *name, const snw_number *kind, double *value) {
	const double least = kind->least, most = kind->most, low = kind->soft_least, high = kind->soft_most;
	const char *format = kind->format ? kind->format : kind->is_whole ? "%.0f" : "%.3g";
	const ImGuiSliderFlags flags = kind->is_log ? ImGuiSliderFlags_Logarithmic : ImGuiSliderFlags_None;
	bool live;
	if (high > low) {
		live = ImGui::SliderScalar(name, ImGuiDataType_Double, value, &low, &high, format, flags);
	} else {
		live = ImGui::DragScalar(name, ImGuiDataType_Double, value, float(kind->step), &least, &most, format, flags);
	}
	const bool done = ImGui::IsItemDeactivatedAfterEdit();
	note(name);
	*value = *value < least ? least : *value > most ? most : *value;
	if (kind->is_whole) {
		*value = double((long long)(*value + (*value < 0 ? -0.5 : 0.5)));
	}
	return done ? SNW_EDIT_DONE : live ? SNW_EDIT_LIVE : SNW_EDIT_NONE;
}

void snw_gui_progress(double fraction, const char *words) {
	ImGui::ProgressBar(float(fraction), ImVec2(-1, ImGui::GetTextLineHeight() * 1.4f), words);
}

void snw_gui_line(const float *points, uint32_t count, float thickness, uint32_t color, bool closed) {
	strokes()->AddPolyline(reinterpret_cast<const ImVec2 *>(points), int(count), packed(color),
						   closed ? ImDrawFlags_Closed : ImDrawFlags_None, thickness);
}

void snw_gui_disc(float x, float y, float radius, uint32_t color) {
	strokes()->AddCircleFilled(ImVec2(x, y), radius, packed(color));
}

void snw_gui_cursor(float *x, float *y) {
	const ImVec2 at = ImGui::GetCursorScreenPos();
	*x = at.x;
	*y = at.y;
}

void snw_gui_space(float width, float height) {
	ImGui::Dummy(ImVec2(width, height));
}

bool snw_gui_space_hovered(float *x, float *y) {
	const ImVec2 lower = ImGui::GetItemRectMin(), mouse = ImGui::GetIO().MousePos;
	*x = mouse.x - lower.x;
	*y = mouse.y - lower.y;
	return ImGui::IsItemHovered();
}

bool snw_gui_row_quiet(const char *text, const char *note_text, bool chosen, bool is_quiet) {
	ImGui::PushStyleColor(ImGuiCol_Text, is_quiet ? quiet : ink);
	const bool used = snw_gui_row(text, note_text, chosen);
	ImGui::PopStyleColor();
	return used;
}

bool snw_gui_tile(const char *text, float width, bool chosen) {
	ImGui::PushStyleColor(ImGuiCol_Button, chosen ? with_alpha(amber, 0.3f) : ImGui::GetStyle().Colors[ImGuiCol_FrameBg]);
	ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(2, 6));
	const bool used = ImGui::Button(text, ImVec2(width, 0));
	ImGui::PopStyleVar();
	ImGui::PopStyleColor();
	note(text);
	return used;
}

bool snw_gui_small_button(const char *text) {
	ImGui::PushStyleColor(ImGuiCol_Text, quiet);
	const bool used = ImGui::SmallButton(text);
	ImGui::PopStyleColor();
	note(text);
	return used;
}

bool snw_gui_list_begin_labelled(const char *name, const char *current) {
	const bool open = ImGui::BeginCombo(name, current, ImGuiComboFlags_HeightLarge);
	if (!open) {
		note(name);
	}
	return open;
}

bool snw_gui_strip_pressed(void) {
	return ImGui::IsItemClicked(0);
}

void snw_gui_polygon(const float *points, uint32_t count, uint32_t color) {
	strokes()->AddConvexPolyFilled(reinterpret_cast<const ImVec2 *>(points), int(count), packed(color));
}

void snw_gui_write_within(float x, float y, float width, uint32_t color, const char *text) {
	const ImVec2 lower(x, y), upper(x + width, y + ImGui::GetTextLineHeight() + 2);
	ImGui::PushStyleColor(ImGuiCol_Text, packed(color));
	ImGui::RenderTextEllipsis(strokes(), lower, upper, upper.x, upper.x, text, nullptr, nullptr);
	ImGui::PopStyleColor();
}

void snw_gui_move_to(float x, float y) {
	ImGui::SetCursorScreenPos(ImVec2(x, y));
}

float snw_gui_panel_width(void) {
	return ImGui::GetWindowWidth();
}
