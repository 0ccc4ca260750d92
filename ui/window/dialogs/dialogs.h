/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The dialogs: the file browser, the preferences, the palette, the keys, and small questions. A closed dialog draws nothing.
 */
#ifndef SINEW_UI_WINDOW_DIALOGS_DIALOGS_H
#define SINEW_UI_WINDOW_DIALOGS_DIALOGS_H

#include "window/input/layout.h"
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
/* A button that closes the dialog; `close`: it was closed otherwise. */
void snw_dialog_close_button(snw_session *session, bool close);
void snw_dialog_report(const snw_layout *layout, snw_session *session);
void snw_dialog_recover(const snw_layout *layout, snw_session *session);
/* Which method for the sculpts. */
void snw_dialog_methods(const snw_layout *layout, snw_session *session);
void snw_dialog_fit(const snw_layout *layout, snw_session *session);
void snw_dialog_name(const snw_layout *layout, snw_session *session);

#endif
