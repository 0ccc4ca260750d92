/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What menus offer for a mesh and for a joint: in the outliner's rows and in the viewport.
 */
#ifndef SINEW_UI_WINDOW_PANELS_SCENE_MENUS_H
#define SINEW_UI_WINDOW_PANELS_SCENE_MENUS_H

#include "window/session/session.h"

/* Between the beginning and the end of a menu. */
void snw_mesh_menu_items(snw_session *session, uint32_t mesh);
void snw_joint_menu_items(snw_session *session, uint32_t joint);

#endif
