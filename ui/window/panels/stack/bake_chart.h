/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The curve of a bake: the error of its skins over their size. A click on a skin shows it.
 */
#ifndef SINEW_UI_WINDOW_PANELS_STACK_BAKE_CHART_H
#define SINEW_UI_WINDOW_PANELS_STACK_BAKE_CHART_H

#include "window/session/session.h"

/* Draws it as wide as the panel; `diagonal` is of the measured mesh at rest, metres; `shown` is the skin that is shown, or
 * SNW_NONE. */
void snw_bake_chart(snw_session *session, const snw_shown_bake *bake, double diagonal, uint32_t shown);

#endif
