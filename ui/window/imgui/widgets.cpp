/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Widgets.
 */
#include <string>

#include "window/imgui/internal.h"
#include "window/imgui/shim.h"

namespace {

/* The key of a row, at its right end. */
void write_key(const char *key) {
	if (key && *key) {
		const ImVec2 lower = ImGui::GetItemRectMin(), upper = ImGui::GetItemRectMax();
		ImGui::PushFont(snw_fonts.small);
		const float x = ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x - ImGui::CalcTextSize(key).x;
		const float y = (lower.y + upper.y - ImGui::GetTextLineHeight()) / 2;
		snw_draw_list()->AddText(ImVec2(x - 4, y), ImGui::GetColorU32(snw_quiet), key);
		ImGui::PopFont();
	}
}

} // namespace

void snw_gui_heading(const char *text) {
	ImGui::Dummy(ImVec2(0, ImGui::GetTextLineHeight() * 0.2f));
	ImGui::PushStyleColor(ImGuiCol_Text, snw_quiet);
	ImGui::PushFont(snw_fonts.caption);
	ImGui::TextUnformatted(snw_drawn(text));
	ImGui::PopFont();
	ImGui::PopStyleColor();
}

void snw_gui_title(const char *text) {
	ImGui::PushFont(snw_fonts.title);
	ImGui::TextUnformatted(snw_drawn(text));
	ImGui::PopFont();
}

static float width_between(const char *begin, const char *end) {
	return ImGui::CalcTextSize(begin, end).x;
}

static std::string wrapped(const char *text, float width) {
	std::string lines(snw_drawn(text));
	snw_wrap(&lines[0], width, width_between);
	return lines;
}

void snw_gui_text(const char *text) {
	ImGui::PushTextWrapPos(0); /* for a word that is wider than the panel */
	ImGui::TextUnformatted(wrapped(text, ImGui::GetContentRegionAvail().x - 1).c_str());
	ImGui::PopTextWrapPos();
	snw_track_text(text);
}

/* Where help of this size covers no control: beside a narrow panel, over the viewport; above or below a wide one. */
static ImVec2 place_of_help(ImVec2 size) {
	const ImRect panel = GImGui->CurrentWindow->RootWindow->Rect();
	const ImVec2 whole = ImGui::GetIO().DisplaySize, item = ImGui::GetItemRectMin(), mouse = ImGui::GetIO().MousePos;
	const float gap = 6, below = panel.Max.y + gap;
	const bool is_narrow = panel.GetWidth() < 0.45f * whole.x;
	ImVec2 at(mouse.x, ImGui::GetItemRectMax().y + gap);
	if (is_narrow && panel.Min.x - gap >= size.x) {
		at = ImVec2(panel.Min.x - gap - size.x, item.y);
	} else if (is_narrow && panel.Max.x + gap + size.x <= whole.x) {
		at = ImVec2(panel.Max.x + gap, item.y);
	} else if (panel.Min.y - gap >= size.y) {
		at.y = panel.Min.y - gap - size.y;
	} else if (below + size.y <= whole.y) {
		at.y = below;
	}
	return ImVec2(ImMax(ImMin(at.x, whole.x - size.x - gap), gap), ImMax(ImMin(at.y, whole.y - size.y - gap), gap));
}

static bool hides_help;

void snw_gui_hide_help(bool hides) {
	hides_help = hides;
}

void snw_gui_hint(const char *text) {
	if (!text || !*text) {
		return;
	}
	snw_track_hint();
	if (!hides_help && ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled) && GImGui->HoveredIdTimer > 0.45f) {
		const float wrap = ImGui::GetFontSize() * 22;
		const std::string lines = wrapped(text, wrap);
		const ImVec2 words = ImGui::CalcTextSize(lines.c_str(), nullptr, false, wrap),
					 padding = ImGui::GetStyle().WindowPadding;
		ImGui::SetNextWindowPos(place_of_help(ImVec2(words.x + 2 * padding.x, words.y + 2 * padding.y)));
		ImGui::BeginTooltip();
		ImGui::PushTextWrapPos(wrap + padding.x);
		ImGui::TextUnformatted(lines.c_str());
		ImGui::PopTextWrapPos();
		const ImRect shown = ImGui::GetCurrentWindow()->Rect();
		snw_gui_track_text("help", shown.Min.x, shown.Min.y, shown.GetWidth(), shown.GetHeight());
		ImGui::EndTooltip();
	}
}

/* Where the text of the next row stands: on one line with what is beside it, such as a switch. */
static ImVec2 text_place() {
	const ImVec2 at = ImGui::GetCursorScreenPos();
	return ImVec2(at.x, at.y + ImGui::GetCurrentWindow()->DC.CurrLineTextBaseOffset);
}

/* A row whose name gives way to what stands at its right. A list that opens grows with both instead. */
static bool draw_row(const char *text, bool chosen, float taken) {
	if (ImGui::GetCurrentWindowRead()->Flags & ImGuiWindowFlags_AlwaysAutoResize) {
		const float width = ImGui::CalcTextSize(snw_drawn(text), nullptr, true).x + taken;
		const bool used =
			ImGui::Selectable(snw_drawn(text), chosen,
							  ImGuiSelectableFlags_AllowDoubleClick | ImGuiSelectableFlags_SpanAvailWidth, ImVec2(width, 0));
		snw_widget_track(text);
		return used;
	}
	const ImVec2 at = text_place();
	const float room = ImGui::GetContentRegionAvail().x;
	ImGui::PushID(text);
	const bool used = ImGui::Selectable("##row", chosen, ImGuiSelectableFlags_AllowDoubleClick);
	ImGui::PopID();
	snw_widget_track(text);
	snw_write_name(text, at, room > 0 ? room - taken : 0, ImGui::GetColorU32(ImGuiCol_Text));
	return used;
}

bool snw_gui_row_is_out(const char *text) {
	const ImGuiWindow *window = ImGui::GetCurrentWindowRead();
	const ImVec2 at = ImGui::GetCursorScreenPos();
	const float line = ImGui::GetTextLineHeight(), margin = 2 * line;
	const bool is_in_sight = at.y + line + margin > window->ClipRect.Min.y && at.y - margin < window->ClipRect.Max.y;
	if (is_in_sight || GImGui->ActiveId != 0 || GImGui->DragDropActive || GImGui->OpenPopupStack.Size > 0) {
		return false;
	}
	ImGui::Dummy(ImVec2(ImGui::GetContentRegionAvail().x, line));
	snw_track_row_out(text);
	return true;
}

bool snw_gui_row(const char *text, const char *key, bool chosen) {
	const float taken = key && *key ? snw_gui_small_width_of(key) + ImGui::GetTextLineHeight() : 0;
	const bool used = draw_row(text, chosen, taken);
	write_key(key);
	return used;
}

bool snw_gui_row_columns(const char *text, const char *const *columns, const float *widths, uint32_t count, bool chosen) {
	float taken = 0;
	for (uint32_t i = 0; i < count; i++) {
		taken += widths[i];
	}
	const ImVec2 at = ImGui::GetCursorScreenPos();
	float x = at.x + ImGui::GetContentRegionAvail().x - taken;
	const bool used = draw_row(text, chosen, taken);
	for (uint32_t i = 0; i < count; i++) {
		x += widths[i];
		snw_draw_list()->AddText(ImVec2(x - ImGui::CalcTextSize(snw_drawn(columns[i])).x - 4, at.y),
								 ImGui::GetColorU32(snw_quiet), snw_drawn(columns[i]));
	}
	return used;
}

bool snw_gui_switch(const char *text, const char *key, bool on) {
	const ImVec2 padding = snw_scaled(2, 2);
	/* Beside a taller widget, so that the texts stand on one line, which begins no lower. */
	ImGuiWindowTempData &line = ImGui::GetCurrentWindow()->DC;
	const float top = line.CursorPos.y;
	line.CursorPos.y += ImMax(line.CurrLineTextBaseOffset - padding.y, 0.0f);
	ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, padding);
	const bool used = ImGui::Checkbox(snw_drawn(text), &on);
	ImGui::PopStyleVar();
	line.CursorPosPrevLine.y = top;
	snw_widget_track(text);
	write_key(key);
	return used;
}

/* A drop-down list, in whose box the name is shortened in its middle. */
static bool begin_list(const char *name, const char *current) {
	const ImVec2 at = ImGui::GetCursorScreenPos(), padding = ImGui::GetStyle().FramePadding;
	const float width = ImGui::CalcItemWidth(), height = ImGui::GetFrameHeight();
	ImDrawList *strokes = snw_draw_list();
	const bool open = ImGui::BeginCombo(name, "", ImGuiComboFlags_HeightLargest);
	strokes->PushClipRect(at, ImVec2(at.x + width, at.y + height), true);
	snw_write_name_on(strokes, current, ImVec2(at.x + padding.x, at.y + padding.y), width - height - padding.x,
					  ImGui::GetColorU32(ImGuiCol_Text));
	strokes->PopClipRect();
	return open;
}

bool snw_gui_list_begin(const char *name, const char *current) {
	ImGui::SetNextItemWidth(-1);
	const bool open = begin_list(name, current);
	if (!open) {
		snw_widget_track(name);
	}
	return open;
}

void snw_gui_list_end(void) {
	ImGui::EndCombo();
}

bool snw_gui_scrubber(const char *name, float x, float y, float width, float height, float *fraction) {
	ImGui::SetCursorScreenPos(ImVec2(x, y));
	ImGui::InvisibleButton(name, ImVec2(width > 1 ? width : 1, height > 1 ? height : 1));
	snw_widget_track(name);
	if (!ImGui::IsItemActive()) {
		return false;
	}
	const float at = (ImGui::GetIO().MousePos.x - x) / (width > 1 ? width : 1);
	*fraction = at < 0 ? 0 : at > 1 ? 1 : at;
	return true;
}

void snw_gui_line_of_fields(void) {
	ImGui::AlignTextToFramePadding();
}

void snw_gui_label(const char *text) {
	snw_gui_line_of_fields();
	ImGui::PushStyleColor(ImGuiCol_Text, snw_soft);
	ImGui::TextUnformatted(snw_drawn(text));
	ImGui::PopStyleColor();
}

void snw_gui_quiet_text(const char *text) {
	ImGui::PushStyleColor(ImGuiCol_Text, snw_quiet);
	snw_gui_text(text);
	ImGui::PopStyleColor();
}

void snw_gui_alarm_text(const char *text) {
	ImGui::PushStyleColor(ImGuiCol_Text, ImVec4(0.94f, 0.44f, 0.35f, 1));
	snw_gui_text(text);
	ImGui::PopStyleColor();
}

/* Return, in a dialog: but not the one that opened it, nor one that ends a text or belongs to a list over the dialog. */
static bool is_default_pressed(void) {
	const ImGuiIO &io = ImGui::GetIO();
	const ImGuiWindow *window = ImGui::GetCurrentWindowRead()->RootWindow;
	const bool is_dialog = window->Flags & ImGuiWindowFlags_Modal && !window->Appearing && GImGui->OpenPopupStack.Size == 1;
	const bool is_enabled = !(GImGui->CurrentItemFlags & ImGuiItemFlags_Disabled);
	const bool is_pressed = ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Enter), false) ||
							ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_KeyPadEnter), false);
	return is_dialog && is_enabled && is_pressed && !io.WantTextInput && !io.KeyCtrl && !io.KeyAlt && !io.KeyShift;
}

bool snw_gui_button(const char *text, bool is_main) {
	if (is_main) {
		ImGui::PushStyleColor(ImGuiCol_Button, snw_with_alpha(snw_amber, 0.85f));
		ImGui::PushStyleColor(ImGuiCol_ButtonHovered, snw_amber);
		ImGui::PushStyleColor(ImGuiCol_Text, ImVec4(0.09f, 0.09f, 0.1f, 1));
	}
	const bool used = ImGui::Button(snw_drawn(text));
	snw_widget_track(text);
	if (is_main) {
		ImGui::PopStyleColor(3);
	}
	return used || (is_main && is_default_pressed());
}

bool snw_gui_double_clicked(void) {
	return ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(0);
}

bool snw_gui_row_meter(const char *text, bool chosen, bool is_quiet, double fraction, uint32_t color) {
	const float room = ImGui::GetContentRegionAvail().x, meter = room * 0.32f, line = ImGui::GetTextLineHeight();
	const ImVec2 at = ImGui::GetCursorScreenPos();
	ImGui::PushID(text);
	const bool used = ImGui::Selectable("##row", chosen, ImGuiSelectableFlags_AllowDoubleClick);
	ImGui::PopID();
	snw_widget_track(text);
	snw_write_name(text, at, room - meter - line * 0.4f, ImGui::GetColorU32(is_quiet ? snw_quiet : snw_text_color));
	const float x = at.x + room - meter, y = at.y + line * 0.3f, height = line * 0.4f;
	const float filled = float(fraction < 0 ? 0 : fraction > 1 ? 1 : fraction);
	snw_draw_list()->AddRectFilled(ImVec2(x, y), ImVec2(x + meter, y + height), IM_COL32(255, 255, 255, 18), height / 2);
	if (filled > 0.005f) {
		snw_draw_list()->AddRectFilled(ImVec2(x, y), ImVec2(x + meter * filled, y + height), snw_packed(color), height / 2);
	}
	return used;
}

bool snw_gui_choice(const char *const *texts, const char *const *hints, uint32_t count, uint32_t *chosen) {
	const float room = ImGui::GetContentRegionAvail().x, width = room / float(count);
	const ImVec2 at = ImGui::GetCursorScreenPos();
	const float rounding = ImGui::GetStyle().FrameRounding;
	bool used = false;
	ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(2, ImGui::GetStyle().FramePadding.y));
	snw_draw_list()->AddRectFilled(at, ImVec2(at.x + room, at.y + ImGui::GetFrameHeight()),
								   ImGui::GetColorU32(ImGuiCol_FrameBg), rounding);
	for (uint32_t i = 0; i < count; i++) {
		const bool on = *chosen == i;
		ImGui::PushStyleColor(ImGuiCol_Button, on ? snw_with_alpha(snw_amber, 0.3f) : ImVec4(0, 0, 0, 0));
		ImGui::PushStyleColor(ImGuiCol_Text, on ? snw_text_color : snw_soft);
		if (i > 0) {
			ImGui::SameLine(0, 0);
		}
		if (ImGui::Button(snw_drawn(texts[i]), ImVec2(width, 0))) {
			*chosen = i;
			used = true;
		}
		snw_widget_track(texts[i]);
		ImGui::PopStyleColor(2);
		snw_gui_hint(hints[i]);
	}
	ImGui::PopStyleVar();
	return used;
}

bool snw_gui_section(const char *text) {
	ImGuiStorage *storage = ImGui::GetStateStorage();
	const ImGuiID id = ImGui::GetID(text);
	const float line = ImGui::GetTextLineHeight(), width = ImGui::GetContentRegionAvail().x;
	const ImVec2 at = ImGui::GetCursorScreenPos();
	bool open = storage->GetBool(id, true);
	if (ImGui::InvisibleButton(text, ImVec2(width > 1 ? width : 1, line * 1.75f))) {
		open = !open;
		storage->SetBool(id, open);
	}
	snw_widget_track(text);
	const ImU32 color = ImGui::GetColorU32(ImGui::IsItemHovered() ? snw_text_color : snw_quiet);
	ImGui::PushFont(snw_fonts.caption);
	const float middle = at.y + line * 0.95f, side = line * 0.2f, x = at.x + side;
	if (open) {
		const ImVec2 chevron[] = {
			{x - side, middle - side * 0.5f}, {x, middle + side * 0.5f}, {x + side, middle - side * 0.5f}};
		snw_draw_list()->AddPolyline(chevron, 3, color, ImDrawFlags_None, line * 0.09f);
	} else {
		const ImVec2 chevron[] = {
			{x - side * 0.5f, middle - side}, {x + side * 0.5f, middle}, {x - side * 0.5f, middle + side}};
		snw_draw_list()->AddPolyline(chevron, 3, color, ImDrawFlags_None, line * 0.09f);
	}
	const char *drawn = snw_drawn(text);
	snw_draw_list()->AddText(ImVec2(x + line * 0.55f, middle - ImGui::GetTextLineHeight() / 2), color, drawn,
							 ImGui::FindRenderedTextEnd(drawn));
	ImGui::PopFont();
	return open;
}

bool snw_gui_tree_row(const char *text, float indent, bool *open, bool chosen) {
	const float line = ImGui::GetTextLineHeight();
	const ImVec2 at = text_place();
	const float start = at.x + indent, width = ImGui::GetContentRegionAvail().x, middle = at.y + line / 2, side = line * 0.19f;
	ImGui::PushID(text);
	const bool used = ImGui::Selectable("##row", chosen, ImGuiSelectableFlags_AllowDoubleClick);
	const bool hovered = ImGui::IsItemHovered();
	ImGui::PopID();
	snw_widget_track(text);
	const bool on_fold = open && hovered && ImGui::GetIO().MousePos.x < start + line * 0.85f;
	if (open) {
		const float x = start + line * 0.35f;
		const ImVec2 down[] = {{x - side, middle - side * 0.5f}, {x, middle + side * 0.6f}, {x + side, middle - side * 0.5f}};
		const ImVec2 on[] = {{x - side * 0.5f, middle - side}, {x + side * 0.6f, middle}, {x - side * 0.5f, middle + side}};
		snw_draw_list()->AddPolyline(*open ? down : on, 3, ImGui::GetColorU32(on_fold ? snw_text_color : snw_quiet),
									 ImDrawFlags_None, line * 0.09f);
	}
	snw_write_name(text, ImVec2(start + line * 0.85f, at.y), at.x + width - start - line * 0.85f,
				   ImGui::GetColorU32(ImGuiCol_Text));
	if (used && on_fold) {
		*open = !*open;
		return false;
	}
	return used;
}

void snw_gui_scroll_into_view(void) {
	const ImGuiWindow *window = ImGui::GetCurrentWindowRead();
	const ImVec2 lower = ImGui::GetItemRectMin(), upper = ImGui::GetItemRectMax();
	if (lower.y < window->InnerRect.Min.y || upper.y > window->InnerRect.Max.y) {
		ImGui::SetScrollHereY(0.5f);
	}
}

void snw_gui_progress(double fraction, const char *words) {
	ImGui::ProgressBar(float(fraction), ImVec2(-1, ImGui::GetTextLineHeight() * 1.4f), snw_drawn(words));
}

bool snw_gui_row_quiet(const char *text, const char *key_text, bool chosen, bool is_quiet) {
	ImGui::PushStyleColor(ImGuiCol_Text, is_quiet ? snw_quiet : snw_text_color);
	const bool used = snw_gui_row(text, key_text, chosen);
	ImGui::PopStyleColor();
	return used;
}

bool snw_gui_row_narrow(const char *text, float width, bool chosen, bool is_quiet) {
	const ImVec2 at = ImGui::GetCursorScreenPos();
	ImGui::PushID(text);
	const bool used = ImGui::Selectable("##row", chosen, ImGuiSelectableFlags_AllowDoubleClick, ImVec2(width, 0));
	ImGui::PopID();
	snw_widget_track(text);
	snw_write_name(text, at, width, ImGui::GetColorU32(is_quiet ? snw_quiet : snw_text_color));
	return used;
}

bool snw_gui_icon(const char *text, float side) {
	const bool used = ImGui::InvisibleButton(text, ImVec2(side, side));
	snw_widget_track(text);
	if (ImGui::IsItemHovered()) {
		snw_draw_list()->AddRectFilled(ImGui::GetItemRectMin(), ImGui::GetItemRectMax(),
									   ImGui::GetColorU32(ImGuiCol_FrameBgHovered), ImGui::GetStyle().FrameRounding);
	}
	return used;
}

bool snw_gui_tile(const char *text, float width, bool chosen) {
	ImGui::PushStyleColor(ImGuiCol_Button,
						  chosen ? snw_with_alpha(snw_amber, 0.3f) : ImGui::GetStyle().Colors[ImGuiCol_FrameBg]);
	ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, snw_scaled(2, 6));
	const bool used = ImGui::Button(snw_drawn(text), ImVec2(width, 0));
	ImGui::PopStyleVar();
	ImGui::PopStyleColor();
	snw_widget_track(text);
	return used;
}

bool snw_gui_picture_tile(const char *text, float width, float height, bool chosen) {
	const ImVec2 at = ImGui::GetCursorScreenPos();
	ImGui::PushStyleColor(ImGuiCol_Button,
						  chosen ? snw_with_alpha(snw_amber, 0.3f) : ImGui::GetStyle().Colors[ImGuiCol_FrameBg]);
	ImGui::PushID(text);
	const bool used = ImGui::Button("##tile", ImVec2(width, height));
	ImGui::PopID();
	ImGui::PopStyleColor();
	snw_widget_track(text);
	ImGui::PushFont(snw_fonts.small);
	const ImVec2 words = ImGui::CalcTextSize(snw_drawn(text));
	snw_draw_list()->AddText(ImVec2(floorf(at.x + (width - words.x) / 2), floorf(at.y + height - words.y - 2)),
							 ImGui::GetColorU32(ImGuiCol_Text), snw_drawn(text));
	ImGui::PopFont();
	return used;
}

/* An outline and no fill. */
static void push_quiet_style() {
	ImGui::PushStyleColor(ImGuiCol_Button, ImVec4(0, 0, 0, 0));
	ImGui::PushStyleColor(ImGuiCol_Text, snw_soft);
	ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 1);
}

static void pop_quiet_style() {
	ImGui::PopStyleVar();
	ImGui::PopStyleColor(2);
}

bool snw_gui_quiet_button(const char *text) {
	push_quiet_style();
	const bool used = ImGui::Button(snw_drawn(text));
	pop_quiet_style();
	snw_widget_track(text);
	return used;
}

bool snw_gui_quiet_tile(const char *text, float width) {
	push_quiet_style();
	ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, snw_scaled(2, 6));
	const bool used = ImGui::Button(snw_drawn(text), ImVec2(width, 0));
	ImGui::PopStyleVar();
	pop_quiet_style();
	snw_widget_track(text);
	return used;
}

bool snw_gui_small_button(const char *text) {
	ImGui::PushStyleColor(ImGuiCol_Text, snw_quiet);
	const bool used = ImGui::SmallButton(snw_drawn(text));
	ImGui::PopStyleColor();
	snw_widget_track(text);
	return used;
}

bool snw_gui_list_begin_labelled(const char *name, const char *current) {
	const bool open = begin_list(name, current);
	if (!open) {
		snw_widget_track(name);
	}
	return open;
}

bool snw_gui_scrubber_pressed(void) {
	return ImGui::IsItemClicked(0);
}

bool snw_gui_popup_begin(const char *text) {
	const bool is_sign = text[0] == '+';
	if (is_sign ? snw_gui_small_button(text) : snw_gui_button(text, false)) {
		ImGui::OpenPopup(text);
	}
	ImGui::SetNextWindowSizeConstraints(ImVec2(ImGui::GetFontSize() * 9, 0),
										ImVec2(ImGui::GetFontSize() * 20, ImGui::GetFontSize() * 22));
	return ImGui::BeginPopup(text);
}

bool snw_gui_context_menu_begin(void) {
	return ImGui::BeginPopupContextItem();
}

bool snw_gui_menu_at_mouse_begin(const char *name, bool opens) {
	if (opens) {
		ImGui::OpenPopup(name);
	}
	return ImGui::BeginPopup(name);
}

void snw_gui_popup_end(void) {
	ImGui::EndPopup();
}

namespace {

struct dragged_row {
	uint64_t document;
	int values[2];
};

} // namespace

void snw_gui_drag(const char *kind, uint64_t document, const int values[2], const char *words) {
	if (ImGui::BeginDragDropSource(ImGuiDragDropFlags_SourceNoDisableHover)) {
		const dragged_row row = {document, {values[0], values[1]}};
		ImGui::SetDragDropPayload(kind, &row, sizeof row);
		ImGui::TextUnformatted(snw_drawn(words));
		ImGui::EndDragDropSource();
	}
}

bool snw_gui_dropped(const char *kind, uint64_t document, int values[2]) {
	bool dropped = false;
	if (ImGui::BeginDragDropTarget()) {
		if (const ImGuiPayload *payload = ImGui::AcceptDragDropPayload(kind)) {
			dragged_row row;
			memcpy(&row, payload->Data, sizeof row);
			memcpy(values, row.values, sizeof row.values);
			dropped = row.document == document;
		}
		ImGui::EndDragDropTarget();
	}
	return dropped;
}
