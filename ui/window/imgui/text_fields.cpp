/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fields for text to type, and completion.
 */
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "window/imgui/internal.h"

namespace {

/* A text as Dear ImGui edits it, and back. */
struct edited_text {
	char *text;
	size_t size;
	std::string before;
	std::vector<char> drawn;

	edited_text(char *given, size_t given_size) : text(given), size(given_size), before(snw_drawn(given)), drawn(given_size) {
		snprintf(drawn.data(), drawn.size(), "%s", before.c_str());
	}
	void store() {
		if (before != drawn.data()) {
			snw_undrawn(drawn.data(), text, size);
		}
	}
};

/* The next field gets the keys, but not those that are held already: Return may have opened it. */
void give_keys() {
	ImGuiIO &io = ImGui::GetIO();
	memset(io.KeysDown, 0, sizeof io.KeysDown);
	ImGui::SetKeyboardFocusHere();
}

} // namespace

snw_typed snw_gui_text_input(const char *name, const char *hint, char *text, size_t size, bool take_keys) {
	if (take_keys) {
		give_keys();
	}
	edited_text edited(text, size);
	const bool entered = ImGui::InputTextWithHint(name, snw_drawn(hint), edited.drawn.data(), edited.drawn.size(),
												  ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
	edited.store();
	snw_widget_track(name);
	return entered                      ? SNW_TYPED_RETURN
		   : ImGui::IsItemDeactivated() ? SNW_TYPED_ENDED
		   : ImGui::IsItemEdited()      ? SNW_TYPED_SOME
										: SNW_TYPED_NOTHING;
}

snw_edit_state snw_gui_line(const char *name, const char *hint, char *text, size_t size) {
	edited_text edited(text, size);
	const bool live = ImGui::InputTextWithHint(name, snw_drawn(hint), edited.drawn.data(), edited.drawn.size(),
											   ImGuiInputTextFlags_AutoSelectAll);
	edited.store();
	const bool done = ImGui::IsItemDeactivatedAfterEdit();
	snw_widget_track(name);
	return done ? SNW_EDIT_DONE : live ? SNW_EDIT_LIVE : SNW_EDIT_NONE;
}

namespace {

/* What the callback of a field with a completion knows and finds. */
struct completion {
	const char *rest, *replacement; /* NULL: the text stays as it was typed */
	snw_typed pressed;
};

int take_callback(ImGuiInputTextCallbackData *data) {
	completion *state = static_cast<completion *>(data->UserData);
	if (data->EventFlag == ImGuiInputTextFlags_CallbackCompletion) {
		data->CursorPos = data->BufTextLen;
		data->InsertChars(data->BufTextLen, state->rest);
	} else if (data->EventFlag == ImGuiInputTextFlags_CallbackHistory) {
		state->pressed = data->EventKey == ImGuiKey_UpArrow ? SNW_TYPED_UP : SNW_TYPED_DOWN;
	} else if (state->replacement) {
		data->DeleteChars(0, data->BufTextLen);
		data->InsertChars(0, state->replacement);
	}
	return 0;
}

/* The completion, quietly, behind the text. */
void draw_completion(const char *text, const char *rest) {
	const ImVec2 padding = ImGui::GetStyle().FramePadding, lower = ImGui::GetItemRectMin(), upper = ImGui::GetItemRectMax();
	const float x = lower.x + padding.x + ImGui::CalcTextSize(text).x;
	snw_draw_list()->PushClipRect(lower, upper, true);
	snw_draw_list()->AddText(ImVec2(x + 1, lower.y + padding.y), ImGui::GetColorU32(snw_quiet), rest);
	snw_draw_list()->PopClipRect();
}

} // namespace

snw_typed snw_gui_completed_input(const char *name, const char *hint, const char *rest, char *text, size_t size,
								  bool take_keys) {
	static std::string known; /* the text after the last redraw */
	edited_text edited(text, size);
	const std::string given(edited.before), shown_rest(snw_drawn(rest));
	const bool is_active = GImGui->ActiveId == ImGui::GetID(name);
	completion state = {shown_rest.c_str(), is_active && given != known ? given.c_str() : nullptr, SNW_TYPED_NOTHING};
	if (take_keys) {
		give_keys();
	}
	const bool entered = ImGui::InputTextWithHint(
		name, snw_drawn(hint), edited.drawn.data(), edited.drawn.size(),
		ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_CallbackCompletion | ImGuiInputTextFlags_CallbackHistory |
			ImGuiInputTextFlags_CallbackAlways | (take_keys ? ImGuiInputTextFlags_AutoSelectAll : 0),
		take_callback, &state);
	snw_widget_track(name);
	edited.store();
	known = edited.drawn.data();
	if (ImGui::IsItemActive() && text[0]) {
		draw_completion(known.c_str(), shown_rest.c_str());
	}
	return entered                                   ? SNW_TYPED_RETURN
		   : state.pressed != SNW_TYPED_NOTHING      ? state.pressed
		   : ImGui::IsItemDeactivated()              ? SNW_TYPED_ENDED
		   : ImGui::IsItemEdited() || given != known ? SNW_TYPED_SOME
													 : SNW_TYPED_NOTHING;
}
