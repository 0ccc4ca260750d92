/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Colours that the host picks by itself, even to the eye: OKLab (B. Ottosson, 2020) beside linear light with sRGB's primaries.
 */
#ifndef SINEW_HOST_STACK_COLOR_H
#define SINEW_HOST_STACK_COLOR_H

/* Lightness, then the two axes of hue; distances are about what the eye makes of them. */
void snw_oklab_from_linear(const double linear[3], double lab[3]);
void snw_linear_from_oklab(const double lab[3], double linear[3]);

/* A colour of that lightness (0 to 1) and hue (turns), as strong as a screen shows it, but of no more chroma than `most`. */
void snw_color_of_hue(double lightness, double hue_turns, double most, double linear[3]);

#endif
