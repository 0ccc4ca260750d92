/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The state of the window as text, for tests and bug reports: one JSON object a line, with the places of all widgets.
 */
#ifndef SINEW_UI_WINDOW_REPORT_H
#define SINEW_UI_WINDOW_REPORT_H

#include <stdio.h>

#include "window/input/input.h"

void snw_report_write(const snw_session *session, const snw_input *input, const snw_layout *layout, FILE *file);

#endif
