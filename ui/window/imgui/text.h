/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Text of widgets: where it wraps, and the package of its font.
 */
#ifndef SINEW_UI_WINDOW_IMGUI_TEXT_H
#define SINEW_UI_WINDOW_IMGUI_TEXT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- wrapping ------------------------------------------------------------------------------------------------------------ */

/* Lines of a text. Dear ImGui also breaks lines after a dot, which would part "4.12", and between a number and its unit. */

/* Replaces blanks by line ends, so that no line of several words is wider than `width`, as `measure` has it. */
void snw_wrap(char *text, float width, float (*measure)(const char *begin, const char *end));

/* ---- packages of fonts --------------------------------------------------------------------------------------------------- */

/* Which package has a font for a character that no installed font has. */

/* The name that Debian and Ubuntu give the package; NULL if none is known, as for private characters. */
const char *snw_font_package(uint32_t character);

#ifdef __cplusplus
}
#endif

#endif
