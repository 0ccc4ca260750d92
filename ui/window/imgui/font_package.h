/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which package has a font for a character that no installed font has.
 */
#ifndef SINEW_UI_WINDOW_IMGUI_FONT_PACKAGE_H
#define SINEW_UI_WINDOW_IMGUI_FONT_PACKAGE_H

#include <stdint.h>

/* The name that Debian and Ubuntu give the package; NULL if none is known, as for private characters. */
const char *snw_font_package(uint32_t character);

#endif
