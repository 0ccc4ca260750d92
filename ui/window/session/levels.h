/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Levels of detail are prepared in the background once one is shown, and again after each change of the project.
 */
#ifndef SINEW_UI_WINDOW_SESSION_LEVELS_H
#define SINEW_UI_WINDOW_SESSION_LEVELS_H

#include "window/session/session.h"

/* Requests the levels if they are missing, and continues their upload. */
void snw_levels_follow(snw_session *session);
bool snw_levels_are_uploading(const snw_session *session);

#endif
