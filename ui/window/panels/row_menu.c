/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "window/panels/row_menu.h"

#include <stdio.h>
#include <string.h>

#include "window/panels/panels.h"

/* What is being renamed. */
static struct {
	bool is_open, is_new;
	snw_command select;
	snw_command_id id;
	char name[200], text[200];
} renaming;

void snw_row_menu_item(snw_session *session, const snw_command *select, snw_command_id id, const char *text, bool usable) {
	if (snw_gui_menu_item(text ? text : snw_command_title(id), NULL, false, usable)) {
		snw_queue_add(&session->queue, select);
		snw_emit(&session->queue, id);
	}
	snw_gui_hint(snw_command_help(id));
}

void snw_row_menu_rename(const snw_command *select, snw_command_id id, const char *name) {
	if (snw_gui_menu_item("Rename", NULL, false, true)) {
		renaming.is_open = renaming.is_new = true;
		renaming.select = *select;
		renaming.id = id;
		snprintf(renaming.name, sizeof renaming.name, "%s", name);
		snprintf(renaming.text, sizeof renaming.text, "%s", name);
	}
	snw_gui_hint(snw_command_help(id));
}

bool snw_row_rename_draw(snw_session *session, snw_command_id id, const char *name) {
	if (!renaming.is_open || renaming.id != id || strcmp(renaming.name, name) != 0) {
		return false;
	}
	snw_gui_width(-1);
	const snw_typed typed = snw_gui_text_input("##rename", "A name", renaming.text, sizeof renaming.text, renaming.is_new);
	snw_gui_hint("Return: rename. Escape: keep the name.");
	renaming.is_new = false;
	if (typed == SNW_TYPED_RETURN || typed == SNW_TYPED_ENDED) {
		renaming.is_open = false;
		if (renaming.text[0] && strcmp(renaming.text, name) != 0) {
			snw_queue_add(&session->queue, &renaming.select);
			snw_emit_text(&session->queue, id, renaming.text);
		}
	}
	return true;
}
