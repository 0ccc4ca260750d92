/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The pictures of methods: a PNG beside a plug-in, with its name. Deformers that ship have one (deformers/draw_pictures.py);
 * others may.
 */
#ifndef SINEW_UI_WINDOW_SESSION_METHOD_PICTURES_H
#define SINEW_UI_WINDOW_SESSION_METHOD_PICTURES_H

#include "render/draw/panel_picture.h"

struct snw_session;

/* The picture of the plug-in at this path, read when it is first asked for; NULL if it has none. */
snw_panel_picture *snw_method_picture(struct snw_session *session, const char *plugin);
void snw_method_pictures_drop(struct snw_session *session);

#endif
