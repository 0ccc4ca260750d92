/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Dear ImGui in the window: creation, events, redraws, and the places of its widgets.
 */
#include <SDL.h>
#include <backends/imgui_impl_opengl3.h>
#include <backends/imgui_impl_sdl.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "window/imgui/internal.h"

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
