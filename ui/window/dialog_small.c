/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The small dialogs: what an export loses, what to do after a session that fell, a name for something.
 */
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/words.h"
#include "window/panels.h"

void snw_dialog_report(const snw_layout *layout, snw_session *session) {
	const snw_export_report *report = &session->offer.report;
	const float k = layout->scale;
	char words[400];
	bool close = false;
	snw_gui_dialog_begin("What the export loses", 470 * k, 0, &close);
	snw_gui_words(snw_path_name(session->offer.path));
	snprintf(words, sizeof words, "meshes: %u  ·  skins: %u  ·  morph targets: %u  ·  clips: %u", report->mesh_count,
			 report->skin_count, report->morph_count, report->clip_count);
	snw_gui_quiet_words(words);
	snw_gui_gap();
	snprintf(
		words, sizeof words,
		"What an engine plays from it differs from what you see by at most %.3f %% of the character's diagonal (E_RMS %.3f), "
		"over %u frame%s.",
		report->playback_max_percent, report->playback_erms, report->frame_count, snw_plural(report->frame_count));
	snw_gui_words(words);
	if (report->dropped_influences > 0) {
		snprintf(words, sizeof words, "Influences beyond four at a point that were dropped: %u.", report->dropped_influences);
		snw_gui_words(words);
	}
	if (report->folded_count > 0) {
		snprintf(words, sizeof words,
				 "Displacements after the blend that became morph targets before it: %u, which costs at most %.3f %%.",
				 report->folded_count, report->folded_max_percent);
		snw_gui_words(words);
	}
	snw_gui_gap();
	if (snw_gui_button("Throw it away", false) || close) {
		snw_emit(&session->queue, SNW_DO_EXPORT_DROP);
	}
	snw_gui_beside(0);
	if (snw_gui_button("Write the file", true)) {
		snw_emit(&session->queue, SNW_DO_EXPORT_WRITE);
	}
	snw_gui_dialog_end();
}

void snw_dialog_recover(const snw_layout *layout, snw_session *session) {
	const float k = layout->scale;
	char words[400];
	bool close = false;
	snw_gui_dialog_begin("The last session ended in the middle", 480 * k, 0, &close);
	snprintf(words, sizeof words, "Nothing that was done in %s is lost: it holds %s change%s since it was last saved.",
			 session->document->title, session->recovered, strcmp(session->recovered, "1") == 0 ? "" : "s");
	snw_gui_words(words);
	snw_gui_gap();
	if (snw_gui_button("Go on where it stopped", true) || close) {
		session->state.dialog = SNW_DIALOG_NONE;
	}
	snw_gui_beside(0);
	if (snw_gui_button("Back to what was saved", false)) {
		session->state.dialog = SNW_DIALOG_NONE;
		snw_emit(&session->queue, SNW_DO_REVERT);
	}
	snw_gui_quiet_words("Either can be undone: the history keeps both.");
	snw_gui_dialog_end();
}

void snw_dialog_name(const snw_layout *layout, snw_session *session) {
	const float k = layout->scale;
	bool close = false;
	snw_gui_dialog_begin("Name", 360 * k, 0, &close);
	snw_gui_width(-1);
	const snw_typed typed = snw_gui_text("##words", "a name", session->asking.text, 120, session->dialog_is_fresh);
	const bool keep = snw_gui_button("Keep", true) || typed == SNW_TYPED_RETURN;
	snw_gui_beside(0);
	if (snw_gui_button("Cancel", false) || close) {
		session->state.dialog = SNW_DIALOG_NONE;
	} else if (keep && session->asking.text[0]) {
		session->state.dialog = SNW_DIALOG_NONE;
		snw_queue_add(&session->queue, &session->asking);
	}
	snw_gui_dialog_end();
}
