/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every change to the project; a click goes back to it.
 */
#include "window/document/titles.h"
#include "window/panels/panels.h"

void snw_panel_history(snw_session *session) {
	const snw_document *document = session->document;
	uint32_t standing = 0;
	for (uint32_t i = 0; i < document->entry_count; i++) {
		standing = document->entries[i].undone ? standing : i;
	}
	snw_panel_button(session, SNW_DO_UNDO, "Undo", document->undo != NULL);
	snw_gui_same_line_for("Redo");
	snw_panel_button(session, SNW_DO_REDO, "Redo", document->redo != NULL);
	snw_gui_same_line_for("Save");
	snw_panel_button(session, SNW_DO_SAVE, "Save", document->path && !document->is_saved);
	snw_gui_same_line_for("Revert");
	snw_panel_button(session, SNW_DO_REVERT, "Revert", document->path && !document->is_saved);
	snw_gui_child_begin("history", 0);
	for (uint32_t i = document->entry_count; i-- > 0;) {
		const snw_history_entry *entry = &document->entries[i];
		snw_gui_push((int)i);
		const bool is_current = i == standing && !entry->undone;
		char label[300];
		snw_words_with_titles(session->registry, entry->label, label, sizeof label);
		if (snw_gui_row_quiet(label, entry->checkpoint ? "Saved" : NULL, is_current, entry->undone)) {
			snw_emit_number(&session->queue, SNW_DO_HISTORY, (double)entry->id);
		}
		snw_gui_hint(entry->time);
		snw_gui_pop();
	}
	snw_gui_child_end();
}
