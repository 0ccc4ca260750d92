/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The small dialogs: what an export loses, what to do after a crashed session, whether to keep a fit, a name for something.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/plural.h"
#include "file/file.h"
#include "window/dialogs/dialogs.h"
#include "window/panels/panels.h"

static void write_loss(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void write_loss(const char *format, ...) {
	char words[400];
	va_list values;
	va_start(values, format);
	vsnprintf(words, sizeof words, format, values);
	va_end(values);
	snw_gui_text(words);
}

/* Lists what the file cannot express, and what replaces it. */
static void write_losses(const snw_export_report *report) {
	if (report->dropped_influences > 0) {
		write_loss("Influences beyond four at a point that were dropped: %u.", report->dropped_influences);
	}
	if (report->folded_count > 0) {
		write_loss("Displacements after the blend that became morph targets before it: %u, which costs at most %.3f %%.",
				   report->folded_count, report->folded_max_percent);
	}
	if (report->refined_count > 0) {
		write_loss("Points of an affine blend, fitted under linear blend over a refined rest: %u.", report->refined_count);
	}
	if (report->proxy_count > 0) {
		write_loss("Proxy joints, fitted under linear blend, which engines play: %u.", report->proxy_count);
	}
	if (report->affine_count > 0) {
		write_loss("Affine ones among them, two nodes each, which hold them exactly: %u.", report->affine_count);
	}
	if (report->inverted_again_count > 0) {
		write_loss("Sculpts inverted again, through what the file plays: %u. There the file is at most %.3f %% off.",
				   report->inverted_again_count, report->inverted_again_max_percent);
	}
	if (report->between_max_percent > 0) {
		write_loss("Between the frames of the animation: at most %.3f %% from what you see.", report->between_max_percent);
	}
	if (report->proxy_count > 0 && report->source_erms >= 0) {
		write_loss("From the animation itself: at most %.3f %% (E_RMS %.3f).", report->source_max_percent, report->source_erms);
	}
}

void snw_dialog_report(const snw_layout *layout, snw_session *session) {
	const snw_export_report *report = &session->pending_export.report;
	const float k = layout->scale;
	char words[400];
	bool close = false;
	snw_gui_dialog_begin("What the export loses", 470 * k, 0, &close);
	snw_gui_text(snw_path_name(session->pending_export.path));
	snprintf(words, sizeof words, "meshes: %u  ·  skins: %u  ·  morph targets: %u  ·  clips: %u", report->mesh_count,
			 report->skin_count, report->morph_count, report->clip_count);
	snw_gui_quiet_text(words);
	snw_gui_spacing();
	write_loss(
		"What an engine plays from it differs from what you see by at most %.3f %% of the character's diagonal (E_RMS %.3f).",
		report->playback_max_percent, report->playback_erms);
	if (isfinite(report->playback_normals_degrees)) {
		snprintf(words, sizeof words, "Normals differ by %.2f degrees, at most by %.1f.", report->playback_normals_degrees,
				 report->playback_normals_max_degrees);
		snw_gui_quiet_text(words);
	}
	snprintf(words, sizeof words,
			 "Compared at %u moment%s: the keys of the clips, times between them, and the file's own pose.",
			 report->frame_count, snw_plural(report->frame_count));
	snw_gui_quiet_text(words);
	write_losses(report);
	snw_gui_spacing();
	if (snw_gui_button("Discard", false) || close) {
		snw_emit(&session->queue, SNW_DO_EXPORT_DROP);
	}
	snw_gui_hint("Writes nothing. An existing file stays as it is.");
	snw_gui_same_line(0);
	if (snw_gui_button("Export", true)) {
		snw_emit(&session->queue, SNW_DO_EXPORT_WRITE);
	}
	snw_gui_hint("Writes the file and replaces an existing one of that name.");
	snw_gui_dialog_end();
}

void snw_dialog_recover(const snw_layout *layout, snw_session *session) {
	const float k = layout->scale;
	char words[400];
	bool close = false;
	snw_gui_dialog_begin("Recover unsaved session", 480 * k, 0, &close);
	snprintf(words, sizeof words,
			 "Sinew ended unexpectedly while %s was open. It has %s change%s since the last Save, and all are kept.",
			 session->document->title, session->recovered, strcmp(session->recovered, "1") == 0 ? "" : "s");
	snw_gui_text(words);
	snw_gui_spacing();
	if (snw_gui_button("Continue", true) || close) {
		session->state.dialog = SNW_DIALOG_NONE;
	}
	snw_gui_hint("Keeps every change up to your last finished stroke.");
	snw_gui_same_line(0);
	if (snw_gui_button("Revert", false)) {
		session->state.dialog = SNW_DIALOG_NONE;
		snw_emit(&session->queue, SNW_DO_REVERT);
	}
	snw_gui_hint("Undoes every change since the last Save; Redo brings them back.");
	snw_gui_quiet_text("You can change your mind later: both states are in the history.");
	snw_gui_dialog_end();
}

void snw_dialog_fit(const snw_layout *layout, snw_session *session) {
	const snw_pending_fit *pending = &session->pending_fit;
	char words[400];
	bool close = false;
	snw_gui_dialog_begin("Keep this fit?", 440 * layout->scale, 0, &close);
	snprintf(words, sizeof words, "%.140s makes your examples worse: the error there would be %.3f, and is %.3f now (E_RMS).",
			 pending->fitted, pending->erms_after, pending->erms_before);
	snw_gui_text(words);
	snw_gui_quiet_text("The project has not changed yet.");
	snw_gui_spacing();
	if (snw_gui_button("Discard", true) || close) {
		snw_emit(&session->queue, SNW_DO_FIT_DROP);
	}
	snw_gui_hint(snw_command_infos[SNW_DO_FIT_DROP].help);
	snw_gui_same_line(0);
	if (snw_gui_button("Keep", false)) {
		snw_emit(&session->queue, SNW_DO_FIT_KEEP);
	}
	snw_gui_hint(snw_command_infos[SNW_DO_FIT_KEEP].help);
	snw_gui_dialog_end();
}

void snw_dialog_name(const snw_layout *layout, snw_session *session) {
	const float k = layout->scale;
	bool close = false;
	snw_gui_dialog_begin("Name", 360 * k, 0, &close);
	snw_gui_width(-1);
	const snw_typed typed = snw_gui_text_input("##words", "a name", session->asking.text, 120, session->dialog_is_new);
	snw_gui_hint(snw_command_infos[session->asking.id].help);
	snw_gui_disabled_begin(!session->asking.text[0]);
	const bool is_confirmed = snw_gui_button("OK", true) || typed == SNW_TYPED_RETURN;
	snw_gui_disabled_end();
	snw_gui_hint("Uses this name (Return).");
	snw_gui_same_line(0);
	const bool leaves = snw_gui_button("Cancel", false) || close;
	snw_gui_hint("Changes nothing (Escape).");
	if (leaves) {
		session->state.dialog = SNW_DIALOG_NONE;
	} else if (is_confirmed && session->asking.text[0]) {
		session->state.dialog = SNW_DIALOG_NONE;
		snw_queue_add(&session->queue, &session->asking);
	}
	snw_gui_dialog_end();
}

/* ---- a choice ------------------------------------------------------------------------------------------------------------ */

void snw_dialogs_draw(const snw_layout *layout, snw_session *session) {
	switch (session->state.dialog) {
	case SNW_DIALOG_OPEN:
	case SNW_DIALOG_SAVE_AS:
	case SNW_DIALOG_EXPORT:
	case SNW_DIALOG_CHOOSE:
		snw_dialog_files(layout, session);
		break;
	case SNW_DIALOG_REPORT:
		snw_dialog_report(layout, session);
		break;
	case SNW_DIALOG_PREFERENCES:
		snw_dialog_preferences(layout, session);
		break;
	case SNW_DIALOG_PALETTE:
		snw_dialog_palette(layout, session);
		break;
	case SNW_DIALOG_KEYS:
		snw_dialog_keys(layout, session);
		break;
	case SNW_DIALOG_RECOVER:
		snw_dialog_recover(layout, session);
		break;
	case SNW_DIALOG_FIT:
		snw_dialog_fit(layout, session);
		break;
	case SNW_DIALOG_NAME:
		snw_dialog_name(layout, session);
		break;
	case SNW_DIALOG_NONE:
		break;
	}
	session->dialog_is_new = false;
}
