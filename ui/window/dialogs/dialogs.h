/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The dialogs: the file browser, the preferences, the palette, the keys, and small questions. A closed dialog draws nothing.
 */
#ifndef SINEW_UI_WINDOW_DIALOGS_DIALOGS_H
#define SINEW_UI_WINDOW_DIALOGS_DIALOGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "window/input/input.h"
#include "window/session/session.h"

/* Draws the open dialog over everything. */
void snw_dialogs_draw(const snw_layout *layout, snw_session *session);

void snw_dialog_files(const snw_layout *layout, snw_session *session);
void snw_dialog_preferences(const snw_layout *layout, snw_session *session);
void snw_dialog_palette(const snw_layout *layout, snw_session *session);
void snw_dialog_keys(const snw_layout *layout, snw_session *session);
/* The pages of the documentation, at what is selected. */
void snw_dialog_pages(const snw_layout *layout, snw_session *session);
void snw_dialog_about(const snw_layout *layout, snw_session *session);

/* ---- folder -------------------------------------------------------------------------------------------------------------- */

/* The contents of a folder for the file dialog: names, dates and sizes, sorted; and the completion of a typed name. */

enum { SNW_FOLDER_ENTRIES = 4000, SNW_FOLDER_NAME = 256, SNW_FOLDER_PATH = 2048 };

typedef struct snw_folder_entry {
	char name[SNW_FOLDER_NAME];
	bool is_folder;
	int64_t modified; /* seconds since 1970 */
	uint64_t bytes;
} snw_folder_entry;

typedef enum snw_folder_order { SNW_BY_NAME, SNW_BY_DATE, SNW_BY_SIZE, SNW_FOLDER_ORDERS } snw_folder_order;

typedef struct snw_folder {
	char path[SNW_FOLDER_PATH], fault[200];
	snw_folder_order order;
	bool is_reversed;
	uint32_t count;
	bool is_cut; /* there are more entries than are listed */
	snw_folder_entry entries[SNW_FOLDER_ENTRIES];
} snw_folder;

#endif
