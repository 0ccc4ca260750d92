/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What rows of lists share: a menu at a right click, and renaming in place.
 */
#ifndef SINEW_UI_WINDOW_PANELS_ROW_MENU_H
#define SINEW_UI_WINDOW_PANELS_ROW_MENU_H

#include "window/session/session.h"

/* An entry of a row's menu: the row is selected, then the command runs. `text`: NULL for the command's title. */
void snw_row_menu_item(snw_session *session, const snw_command *select, snw_command_id id, const char *text, bool usable);
/* "Rename": the row becomes a field. `id` renames what is selected. */
void snw_row_menu_rename(const snw_command *select, snw_command_id id, const char *name);
/* In place of the row with this name while it is being renamed: draws the field and returns true. */
bool snw_row_rename_draw(snw_session *session, snw_command_id id, const char *name);

#endif
