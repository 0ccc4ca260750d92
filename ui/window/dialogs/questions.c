/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The small dialogs: what an export loses, what to do after a crashed session, whether to keep a fit, a name for something.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "file/file.h"
#include "window/commands/commands.h"
#include "window/dialogs/dialogs.h"
#include "window/document/document.h"
#include "window/panels/panels.h"
#include "window/units/units.h"

/* ---- methods ------------------------------------------------------------------------------------------------------------- */

/* Which method for my sculpts: a picture for each method, the smallest error first, and a button that keeps one. */

enum { METHOD_COLUMNS = 2 }; /* your sculpt beside the best answer */
#define NOTHING_LEARNED 0.98 /* an error above this share of that without learning teaches nothing */

/* The place of the next tile. */
typedef struct method_grid {
	float x, y, width, height, gap, scale;
	uint32_t count;
} method_grid;

static void draw_method_picture(snw_session *session, const method_grid *grid, uint32_t picture, float x, float y) {
	const snw_method_comparison *comparison = &session->method_comparison;
	const float height = grid->width * SNW_METHOD_PICTURE_HEIGHT / SNW_METHOD_PICTURE_WIDTH;
	snw_gui_fill(x, y, grid->width, height, 3, (uint32_t)SNW_GROOVE);
	if (comparison->pictures) {
		snw_gui_picture(snw_panel_picture_texture(session->renderer, &comparison->pictures[picture]), x, y, grid->width,
						height);
	}
}

static void begin_tile(snw_session *session, method_grid *grid, uint32_t picture, const char *title, const char *words) {
	const uint32_t row = grid->count / METHOD_COLUMNS;
	const float x = grid->x + (float)(grid->count % METHOD_COLUMNS) * (grid->width + grid->gap),
				y = grid->y + (float)row * (grid->height + grid->gap);
	const float picture_height = grid->width * SNW_METHOD_PICTURE_HEIGHT / SNW_METHOD_PICTURE_WIDTH;
	draw_method_picture(session, grid, picture, x, y);
	snw_gui_write_within(x, y + picture_height + 3 * grid->scale, grid->width, (uint32_t)SNW_INK, title);
	snw_gui_write_within(x, y + picture_height + 3 * grid->scale + snw_gui_line_height(), grid->width, (uint32_t)SNW_QUIET,
						 words);
	snw_gui_track_text(title, x, y + picture_height, grid->width, 2 * snw_gui_line_height());
	snw_gui_move_to(x, y + picture_height + 6 * grid->scale + 2 * snw_gui_line_height());
	grid->count++;
}

static void draw_method(snw_session *session, method_grid *grid, uint32_t r) {
	const snw_sculpts_comparison *made = &session->method_comparison.made;
	const snw_sculpts_row *row = &made->rows[r];
	char words[120], error[40], learned[40], button[120], help[600];
	snw_error_write(session, row->left_out.erms, made->diagonal, error, sizeof error);
	snw_error_write(session, row->learned.erms, made->diagonal, learned, sizeof learned);
	snprintf(words, sizeof words, "%s", error);
	begin_tile(session, grid, r + 1, row->method ? snw_method_title(session->registry, row->method) : "Without learning",
			   words);
	if (!row->method) {
		snw_gui_quiet_text("What all learn over");
		return;
	}
	snprintf(button, sizeof button, "Keep##%.100s", row->method);
	if (snw_gui_button(button, r == 1)) {
		snw_emit_text(&session->queue, SNW_DO_METHOD_KEEP, row->method);
	}
	snprintf(
		help, sizeof help,
		"Fits it to all sculpts, in place of the layers that have learned from them, which are muted. At sculpts that it has "
		"not read its %s is %s, at those that it has read %s. The fit took %.2f s.%s%.200s",
		snw_error_name(session), error, learned, row->seconds, row->caveat ? " " : "", row->caveat ? row->caveat : "");
	snw_gui_hint(help);
}

/* What could not be compared. */
static void list_failures(const snw_session *session) {
	const snw_sculpts_comparison *made = &session->method_comparison.made;
	for (uint32_t r = 0; r < made->row_count; r++) {
		char words[700];
		if (made->rows[r].failure) {
			snprintf(words, sizeof words, "%s: %s", snw_method_title(session->registry, made->rows[r].method),
					 made->rows[r].failure);
			snw_gui_quiet_text(words);
		}
	}
}

static void explain_comparison(const snw_session *session) {
	const snw_method_comparison *comparison = &session->method_comparison;
	const snw_sculpts_comparison *made = &comparison->made;
	char words[500];
	snprintf(
		words, sizeof words,
		"Each method has learned from the other sculpts and shows the one that it has not seen. Below each picture is its %s "
		"over the %u sculpt%s%s. The pictures show %.100s; their colours show how far the answer is from your sculpt.",
		snw_error_name(session), made->sculpt_count, snw_plural(made->sculpt_count),
		made->part_count < made->sculpt_count ? ", of which a twelfth was left out at a time" : ", each left out in turn",
		comparison->sculpt);
	snw_gui_text(words);
	if (made->row_count > 1 && !(made->rows[1].left_out.erms < NOTHING_LEARNED * made->rows[0].left_out.erms)) {
		snw_gui_text("No method knows from the others what you have sculpted. Sculpt more poses of the same joints.");
	}
	if (comparison->failure) {
		snw_gui_quiet_text(comparison->failure);
	}
}

/* Which method for the sculpts. */
static void dialog_methods(const snw_layout *layout, snw_session *session) {
	const float k = layout->scale;
	const snw_method_comparison *comparison = &session->method_comparison;
	bool close = comparison->arena == NULL;
	snw_gui_dialog_begin("Which method for my sculpts?", 920 * k, 780 * k, &close);
	if (comparison->arena) {
		explain_comparison(session);
		snw_gui_child_begin("methods", -40 * k);
		method_grid grid = {.gap = 10 * k, .scale = k};
		grid.width = (snw_gui_available_width() - (METHOD_COLUMNS - 1) * grid.gap) / METHOD_COLUMNS;
		grid.height = grid.width * SNW_METHOD_PICTURE_HEIGHT / SNW_METHOD_PICTURE_WIDTH + 4.4f * snw_gui_line_height();
		snw_gui_cursor(&grid.x, &grid.y);
		begin_tile(session, &grid, 0, "Your sculpt", comparison->sculpt);
		for (uint32_t r = 0; r < comparison->made.row_count; r++) {
			if (!comparison->made.rows[r].failure) {
				draw_method(session, &grid, r);
			}
		}
		const uint32_t rows = (grid.count + METHOD_COLUMNS - 1) / METHOD_COLUMNS;
		snw_gui_move_to(grid.x, grid.y + (float)rows * (grid.height + grid.gap));
		list_failures(session);
		snw_gui_child_end();
	}
	if (snw_gui_button("Close", false) || close) {
		session->state.dialog = SNW_DIALOG_NONE;
	}
	snw_gui_hint("Leaves the stack as it is (Escape).");
	snw_gui_dialog_end();
}

/* ---- questions ----------------------------------------------------------------------------------------------------------- */

static void write_loss(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void write_loss(const char *format, ...) {
	char words[400];
	va_list values;
	va_start(values, format);
	vsnprintf(words, sizeof words, format, values);
	va_end(values);
	snw_gui_text(words);
}

/* A line with a length in it. */
static void write_length(const snw_session *session, const char *before, double metres, const char *after) {
	char length[40];
	snw_length_write(session, metres, length, sizeof length);
	write_loss("%s%s%s", before, length, after);
}

/* Lists what the file cannot express, and what replaces it. */
static void write_losses(const snw_session *session, const snw_export_report *report) {
	char words[200];
	if (report->dropped_influences > 0) {
		write_loss("%u influence%s beyond four per point dropped.", report->dropped_influences,
				   snw_plural(report->dropped_influences));
	}
	if (report->packed_max_percent > 0) {
		write_length(session, "After a packer such as gltfpack: at most ", report->packed_max_metres, " off.");
	}
	if (report->rounding_max_percent > 0) {
		write_length(session,
					 report->has_rounded_weights ? "Weights rounded to steps of 1/255, as engines store them: at most "
												 : "Weights kept exact; an engine that stores them in steps of 1/255: at most ",
					 report->rounding_max_metres, " off.");
	}
	if (report->folded_count > 0) {
		snprintf(words, sizeof words, "%u displacement%s after the blend became morph targets before it: at most ",
				 report->folded_count, snw_plural(report->folded_count));
		write_length(session, words, report->folded_max_metres, " off.");
	}
	if (report->refined_count > 0) {
		write_loss("%u point%s of an affine blend fitted under linear blend over a refined rest.", report->refined_count,
				   snw_plural(report->refined_count));
	}
	if (report->proxy_count > 0) {
		write_loss("%u proxy joint%s added, fitted under linear blend.", report->proxy_count, snw_plural(report->proxy_count));
	}
	if (report->affine_count > 0) {
		write_loss("%u of them affine: two nodes each, which reproduce them exactly.", report->affine_count);
	}
	if (report->inverted_again_count > 0) {
		snprintf(words, sizeof words, "%u sculpt%s inverted again through what the file plays: at most ",
				 report->inverted_again_count, snw_plural(report->inverted_again_count));
		write_length(session, words, report->inverted_again_max_metres, " off at the sculpts.");
	}
	if (report->between_max_percent > 0) {
		write_length(session, "Between the frames of the animation: at most ", report->between_max_metres,
					 " from what you see.");
	}
	if (report->proxy_count > 0 && report->source_erms >= 0) {
		write_length(session, "From the animation itself: at most ", report->source_max_metres, ".");
	}
}

/* What an engine shows by itself, and what it shows with a player of the pose space: without clips nothing else drives the
 * morph targets. */
static void write_playback(const snw_session *session, const snw_export_report *report) {
	if (report->undriven_max_metres > report->playback_max_metres) {
		write_length(session, "An engine by itself: points are up to ", report->undriven_max_metres,
					 " from where you see them, because no clip moves the morph targets.");
		write_length(session, "With a player of the pose space that is in the file: at most ", report->playback_max_metres,
					 ".");
	} else {
		write_length(session,
					 report->clip_count > 0 ? "In the clips, an engine shows points at most "
											: "An engine shows points at most ",
					 report->playback_max_metres, " from where you see them.");
	}
}

static void dialog_report(const snw_layout *layout, snw_session *session) {
	const snw_export_report *report = &session->pending_export.report;
	const float k = layout->scale;
	char words[400];
	bool close = false;
	const bool is_there = snw_file_exists(session->pending_export.path);
	snw_gui_dialog_begin("What the export loses", 470 * k, 0, &close);
	snw_gui_text(snw_path_name(session->pending_export.path));
	if (is_there) {
		snw_gui_alarm_text("A file of this name exists. It will be replaced.");
	}
	snprintf(words, sizeof words, "%u mesh%s  ·  %u skin%s  ·  %u morph target%s  ·  %u clip%s", report->mesh_count,
			 report->mesh_count == 1 ? "" : "es", report->skin_count, snw_plural(report->skin_count), report->morph_count,
			 snw_plural(report->morph_count), report->clip_count, snw_plural(report->clip_count));
	snw_gui_quiet_text(words);
	snw_gui_spacing();
	write_playback(session, report);
	if (snw_export_is_far_off(report)) {
		snw_gui_alarm_text("That is far: engines play linear blend over morph targets. Bake a skin that they play.");
	}
	if (isfinite(report->playback_normals_degrees)) {
		snprintf(words, sizeof words, "Normals differ by %.2f° on average, at most by %.1f°.", report->playback_normals_degrees,
				 report->playback_normals_max_degrees);
		snw_gui_quiet_text(words);
	}
	snprintf(words, sizeof words, "Compared at %u moment%s: %s, and the file's own pose.", report->frame_count,
			 snw_plural(report->frame_count),
			 report->clip_count > 0 ? "the keys of the clips, times between them" : "the named poses");
	snw_gui_quiet_text(words);
	write_losses(session, report);
	snw_gui_spacing();
	if (snw_gui_button("Discard", false) || close) {
		snw_emit(&session->queue, SNW_DO_EXPORT_DROP);
	}
	snw_gui_hint("Writes nothing. An existing file stays as it is (Escape).");
	snw_gui_same_line(0);
	if (snw_gui_button(is_there ? "Replace" : "Export", true)) {
		snw_emit(&session->queue, SNW_DO_EXPORT_WRITE);
	}
	snw_gui_hint(is_there ? "Writes the file in place of the existing one (Return)." : "Writes the file (Return).");
	snw_gui_dialog_end();
}

static void dialog_recover(const snw_layout *layout, snw_session *session) {
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
	snw_gui_hint("Keeps every change up to your last finished stroke (Return, Escape).");
	snw_gui_same_line(0);
	if (snw_gui_button("Revert", false)) {
		session->state.dialog = SNW_DIALOG_NONE;
		snw_emit(&session->queue, SNW_DO_REVERT);
	}
	snw_gui_hint("Undoes every change since the last Save; Redo brings them back.");
	snw_gui_quiet_text("You can change your mind later: both states are in the history.");
	snw_gui_dialog_end();
}

static void dialog_fit(const snw_layout *layout, snw_session *session) {
	const snw_pending_fit *pending = &session->pending_fit;
	const bool is_of_examples = pending->is_of_examples; /* "Examples of Shirt" */
	char words[400], before[60], after[60];
	bool close = false;
	snw_error_write(session, pending->erms_before, pending->diagonal, before, sizeof before);
	snw_error_write(session, pending->erms_after, pending->diagonal, after, sizeof after);
	snw_gui_dialog_begin("Keep this fit?", 440 * layout->scale, 0, &close);
	snprintf(words, sizeof words, "%.140s makes %s%.80s worse: the %s there would be %s, and is %s now.", pending->fitted,
			 is_of_examples ? "your e" : "", is_of_examples ? pending->subject + 1 : pending->subject, snw_error_name(session),
			 after, before);
	snw_gui_text(words);
	snw_gui_quiet_text("The project has not changed yet.");
	snw_gui_spacing();
	if (snw_gui_button("Discard", true) || close) {
		snw_emit(&session->queue, SNW_DO_FIT_DROP);
	}
	snw_gui_hint(snw_command_help(SNW_DO_FIT_DROP));
	snw_gui_same_line(0);
	if (snw_gui_button("Keep", false)) {
		snw_emit(&session->queue, SNW_DO_FIT_KEEP);
	}
	snw_gui_hint(snw_command_help(SNW_DO_FIT_KEEP));
	snw_gui_dialog_end();
}

/* Below the field: what the text is, where it is more than a name. */
static void explain_text(const snw_session *session) {
	const snw_argument *argument = snw_command_asked_argument(&session->asking);
	char words[500];
	snw_gui_quiet_text(snw_command_help(session->asking.id));
	if (argument && argument->proposed) {
		snw_gui_quiet_text(snw_sentence_case(argument->help, words, sizeof words));
	}
}

/* A text for a command. */
static void dialog_name(const snw_layout *layout, snw_session *session) {
	const float k = layout->scale;
	bool close = false;
	const char *title = snw_command_title(session->asking.id), *dots = strstr(title, "…");
	char words[80];
	snprintf(words, sizeof words, "%.*s", dots ? (int)(dots - title) : (int)strlen(title), title);
	snw_gui_dialog_begin(words, 360 * k, 0, &close);
	snw_gui_width(-1);
	const snw_typed typed = snw_gui_text_input("##words", "A name", session->asking.text, 300, session->dialog_is_new);
	snw_gui_hint(snw_command_help(session->asking.id));
	explain_text(session);
	snw_gui_disabled_begin(!session->asking.text[0]);
	const bool is_confirmed = snw_gui_button("OK", true) || typed == SNW_TYPED_RETURN;
	snw_gui_disabled_end();
	snw_gui_hint("Confirms (Return).");
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
	case SNW_DIALOG_ALPHA:
	case SNW_DIALOG_PROJECT:
	case SNW_DIALOG_FRAMES:
	case SNW_DIALOG_FOLDER:
		snw_dialog_files(layout, session);
		break;
	case SNW_DIALOG_REPORT:
		dialog_report(layout, session);
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
	case SNW_DIALOG_PAGES:
		snw_dialog_pages(layout, session);
		break;
	case SNW_DIALOG_ABOUT:
		snw_dialog_about(layout, session);
		break;
	case SNW_DIALOG_RECOVER:
		dialog_recover(layout, session);
		break;
	case SNW_DIALOG_METHODS:
		dialog_methods(layout, session);
		break;
	case SNW_DIALOG_FIT:
		dialog_fit(layout, session);
		break;
	case SNW_DIALOG_NAME:
		dialog_name(layout, session);
		break;
	case SNW_DIALOG_NONE:
		break;
	}
	session->dialog_is_new = false;
}
