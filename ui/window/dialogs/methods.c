/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which method for my sculpts: a picture for each method, the smallest error first, and a button that keeps one.
 */
#include <stdio.h>

#include "base/error.h"
#include "window/dialogs/dialogs.h"
#include "window/document/titles.h"
#include "window/panels/panels.h"
#include "window/units/lengths.h"

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

void snw_dialog_methods(const snw_layout *layout, snw_session *session) {
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
