/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lines of a text. Dear ImGui also breaks lines after a dot, which would part "4.12", and between a number and its unit.
 */
#ifndef SINEW_UI_WINDOW_IMGUI_WRAPPING_H
#define SINEW_UI_WINDOW_IMGUI_WRAPPING_H

#ifdef __cplusplus
extern "C" {
#endif

/* Replaces blanks by line ends, so that no line of several words is wider than `width`, as `measure` has it. */
void snw_wrap(char *text, float width, float (*measure)(const char *begin, const char *end));

#ifdef __cplusplus
}
#endif

#endif
