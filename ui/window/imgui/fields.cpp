/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <cmath>
#include <cstdio>
#include <cstring>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <string>
#include <vector>

#include "window/imgui/internal.h"

/* ---- text ---------------------------------------------------------------------------------------------------------------- */

/* Fields for text to type, and completion. */

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

/* ---- numbers ------------------------------------------------------------------------------------------------------------- */

/* Numbers and colours to drag and to type. A slider is a bar that fills, so that nothing covers its digits. */

namespace {

/* The position of a value on a slider, 0 to 1. */
float share_of(const snw_number &kind, double value) {
	const double low = kind.soft_least, high = kind.soft_most;
	const bool is_log = kind.is_log && low > 0 && value > 0;
	const double share = is_log ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
	return float(share < 0 ? 0 : share > 1 ? 1 : share);
}

/* Draws below the next slider, which then shows only its text. */
void draw_bar(float share) {
	const ImVec2 at = ImGui::GetCursorScreenPos(), size(ImGui::CalcItemWidth(), ImGui::GetFrameHeight());
	const ImVec2 end(at.x + size.x, at.y + size.y);
	const float rounding = ImGui::GetStyle().FrameRounding, edge = at.x + size.x * share;
	const bool hovered = ImGui::IsMouseHoveringRect(at, end) && ImGui::IsWindowHovered();
	snw_draw_list()->AddRectFilled(at, end, ImGui::GetColorU32(hovered ? ImGuiCol_FrameBgHovered : ImGuiCol_FrameBg), rounding);
	if (share > 0) {
		snw_draw_list()->PushClipRect(at, ImVec2(edge, end.y), true);
		snw_draw_list()->AddRectFilled(at, end, ImGui::GetColorU32(snw_with_alpha(snw_amber, hovered ? 0.42f : 0.34f)),
									   rounding);
		snw_draw_list()->PopClipRect();
	}
}

/* Rounds a dragged value: nobody sets the fourth digit with a mouse. */
double three_digits(double value) {
	char text[40];
	snprintf(text, sizeof text, "%.3g", value);
	return strtod(text, nullptr);
}

/* Dear ImGui ends a logarithmic scale at the smallest number that the format can show, so while it is pressed the format
 * shows all digits. */
std::string precise(const char *format) {
	const char *unit = strchr(format, ' ');
	return std::string("%.12g") + (unit ? unit : "");
}

bool slide(const char *name, const snw_number &kind, const char *shown, double *value) {
	const ImVec4 clear(0, 0, 0, 0);
	const ImGuiSliderFlags flags = kind.is_log ? ImGuiSliderFlags_Logarithmic : ImGuiSliderFlags_None;
	const ImGuiID id = ImGui::GetID(name);
	const ImVec2 at = ImGui::GetCursorScreenPos(), end(at.x + ImGui::CalcItemWidth(), at.y + ImGui::GetFrameHeight());
	const bool is_pressed = GImGui->ActiveId == id || (ImGui::IsMouseDown(0) && ImGui::IsMouseHoveringRect(at, end));
	const std::string exact = kind.is_log && is_pressed ? precise(shown) : shown;
	const char *format = exact.c_str();
	if (GImGui->TempInputId == id) { /* it is being typed */
		return ImGui::SliderScalar(name, ImGuiDataType_Double, value, &kind.soft_least, &kind.soft_most, format, flags);
	}
	draw_bar(share_of(kind, *value));
	ImGui::PushStyleColor(ImGuiCol_FrameBg, clear);
	ImGui::PushStyleColor(ImGuiCol_FrameBgHovered, clear);
	ImGui::PushStyleColor(ImGuiCol_FrameBgActive, clear);
	ImGui::PushStyleColor(ImGuiCol_SliderGrab, clear);
	ImGui::PushStyleColor(ImGuiCol_SliderGrabActive, clear);
	const bool live = ImGui::SliderScalar(name, ImGuiDataType_Double, value, &kind.soft_least, &kind.soft_most, format, flags);
	ImGui::PopStyleColor(5);
	*value = live && kind.is_log ? three_digits(*value) : *value;
	return live;
}

/* The number or edge that is being dragged, and the number, edge or colour whose drag was cancelled. */
ImGuiID dragged_id, cancelled_id;
/* Of a dragged edge: where it and the mouse were when the drag began, and whether the mouse has moved since. */
float edge_before, mouse_before;
bool is_edge_dragged;

/* The edit of a number. Callers that store it only at the end give the old value until then. */
struct number_edit {
	ImGuiID id;
	double value, before; /* now, and when the edit began */
};

/* The number that is being dragged or typed, and the one before it: a number that is drawn above it takes over before it is
 * drawn for the last time. */
number_edit edited, leaving;

number_edit &edit_of(ImGuiID id) {
	return edited.id != id && leaving.id == id ? leaving : edited;
}

/* In the redraw in which another widget takes over, too. */
bool is_edited(ImGuiID id) {
	return edit_of(id).id == id && (GImGui->ActiveId == id || GImGui->ActiveIdPreviousFrame == id);
}

bool is_number_dragged() {
	return dragged_id != 0 && GImGui->ActiveId == dragged_id;
}

/* The colour that is being edited, by typing or in its picker, which has other widgets. Its value is kept here as a number's
 * is. */
struct {
	ImGuiID id;
	float value[3], before[3];
} colored;

/* Also while another item is active after the colour was typed. */
bool is_color_dragged() {
	return colored.id != 0 && ImGui::IsAnyItemActive() && !snw_gui_wants_keys();
}

/* Of the number that was drawn last; `before` is what it showed. */
void follow_edit(ImGuiID id, double before) {
	const bool is_typed = GImGui->TempInputId == id;
	if (ImGui::IsItemActivated()) {
		leaving = edited;
		edited = {id, before, before};
	}
	if (ImGui::IsItemActivated() && !is_typed) {
		dragged_id = id;
	} else if (dragged_id == id && (!ImGui::IsItemActive() || is_typed)) {
		dragged_id = 0;
	}
}

/* Whether an edit that is over has changed nothing: Escape brings back the text, which has fewer digits than the number. */
bool is_back(const number_edit &edit, double value) {
	return value == edit.before || ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape), false);
}

/* How the drag of the edge that was drawn last goes on; *at is where the edge belongs. A click alone changes nothing. */
snw_edit_state drag_edge(ImGuiID id, float x, float *at) {
	const float mouse = ImGui::GetIO().MousePos.x;
	if (ImGui::IsItemActivated()) {
		dragged_id = id;
		edge_before = x;
		mouse_before = mouse;
		is_edge_dragged = false;
	}
	if (cancelled_id == id) {
		cancelled_id = 0;
		*at = edge_before;
		return SNW_EDIT_CANCELLED;
	}
	if (dragged_id != id) {
		return SNW_EDIT_NONE;
	}
	is_edge_dragged = is_edge_dragged || mouse != mouse_before;
	*at = edge_before + mouse - mouse_before;
	if (!ImGui::IsItemActive()) {
		dragged_id = 0;
		return is_edge_dragged ? SNW_EDIT_DONE : SNW_EDIT_NONE;
	}
	return is_edge_dragged ? SNW_EDIT_LIVE : SNW_EDIT_NONE;
}

} // namespace

bool snw_gui_is_dragging(void) {
	return is_number_dragged() || is_color_dragged() || ImGui::GetDragDropPayload();
}

bool snw_gui_cancel_drag(void) {
	const bool is_dragged = snw_gui_is_dragging();
	if (is_dragged) {
		const bool is_row = ImGui::GetDragDropPayload();
		cancelled_id = is_row ? 0 : is_number_dragged() ? dragged_id : colored.id;
		dragged_id = 0;
		ImGui::ClearDragDrop();
		ImGui::ClearActiveID();
	}
	return is_dragged;
}

snw_edit_state snw_gui_edge(const char *name, float x, float y, float height, float *at) {
	const float reach = snw_scaled(4, 0).x;
	const ImVec2 content = ImGui::GetCurrentWindow()->DC.CursorMaxPos; /* an edge is no content, which could be scrolled to */
	const ImRect whole = ImGui::GetCurrentWindow()->OuterRectClipped;  /* with the margin, where the mouse would not count */
	ImGui::PushClipRect(whole.Min, whole.Max, false);
	ImGui::SetCursorScreenPos(ImVec2(x - reach, y));
	ImGui::InvisibleButton(name, ImVec2(2 * reach, height));
	snw_widget_track(name);
	*at = x;
	const snw_edit_state state = drag_edge(ImGui::GetID(name), x, at);
	if (ImGui::IsItemActive() || ImGui::IsItemHovered()) {
		ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
		snw_draw_list()->AddRectFilled(ImVec2(x - 1, y), ImVec2(x + 1, y + height),
									   ImGui::GetColorU32(snw_with_alpha(snw_amber, 0.6f)));
	}
	ImGui::PopClipRect();
	ImGui::GetCurrentWindow()->DC.CursorMaxPos = content;
	return state;
}

/* One thing with the field, which help is for. */
static void write_name_after(const char *name, float width) {
	ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
	const ImVec2 at = ImGui::GetCursorScreenPos();
	ImGui::Dummy(ImVec2(width, ImGui::GetFrameHeight()));
	snw_write_name(name, ImVec2(at.x, at.y + ImGui::GetStyle().FramePadding.y), width, ImGui::GetColorU32(ImGuiCol_Text));
	ImGui::EndGroup();
}

snw_edit_state snw_gui_number(const char *name, const snw_number *kind, double *value) {
	const double least = kind->least, most = kind->most;
	const std::string drawn_name = std::string(kind->name_width > 0 ? "##" : "") + snw_drawn(name);
	const char *drawn = drawn_name.c_str();
	const ImGuiID id = ImGui::GetID(drawn);
	*value = is_edited(id) ? edit_of(id).value : *value;
	const double before = *value;
	const char *digits = kind->format ? kind->format : kind->is_whole ? "%.0f" : "%.3g";
	const char *format = kind->zero && *value == 0 ? kind->zero : digits;
	if (kind->name_width > 0) {
		ImGui::BeginGroup();
	}
	const bool live = kind->soft_most > kind->soft_least
						  ? slide(drawn, *kind, format, value)
						  : ImGui::DragScalar(drawn, ImGuiDataType_Double, value, float(kind->step), &least, &most, format,
											  kind->is_log ? ImGuiSliderFlags_Logarithmic : ImGuiSliderFlags_None);
	const bool done = ImGui::IsItemDeactivatedAfterEdit();
	follow_edit(id, before);
	snw_widget_track(name);
	if (kind->name_width > 0) {
		write_name_after(name, kind->name_width);
	}
	*value = *value < least ? least : *value > most ? most : *value;
	if (kind->is_whole) {
		*value = double((long long)(*value + (*value < 0 ? -0.5 : 0.5)));
	}
	if (cancelled_id == id || (done && is_back(edit_of(id), *value))) {
		cancelled_id = 0;
		*value = edit_of(id).before;
		return SNW_EDIT_CANCELLED;
	}
	edited.value = edited.id == id ? *value : edited.value;
	return done ? SNW_EDIT_DONE : live ? SNW_EDIT_LIVE : SNW_EDIT_NONE;
}

snw_edit_state snw_gui_color(const char *name, float color[3]) {
	const ImGuiID id = ImGui::GetID(name);
	if (colored.id == id) {
		memcpy(color, colored.value, sizeof colored.value);
	}
	const float before[3] = {color[0], color[1], color[2]};
	const bool live =
		ImGui::ColorEdit3(name, color,
						  ImGuiColorEditFlags_DisplayHex | ImGuiColorEditFlags_NoLabel | ImGuiColorEditFlags_NoDragDrop |
							  ImGuiColorEditFlags_NoOptions | ImGuiColorEditFlags_NoTooltip);
	snw_widget_track(name);
	if (cancelled_id == id) {
		cancelled_id = colored.id = 0;
		memcpy(color, colored.before, sizeof colored.before);
		return SNW_EDIT_CANCELLED;
	}
	if (live && colored.id != id) {
		colored.id = id;
		memcpy(colored.before, before, sizeof before);
	}
	if (live) {
		memcpy(colored.value, color, sizeof colored.value);
	}
	if (colored.id == id && !ImGui::IsAnyItemActive()) {
		colored.id = 0;
		return SNW_EDIT_DONE;
	}
	return live ? SNW_EDIT_LIVE : SNW_EDIT_NONE;
}
