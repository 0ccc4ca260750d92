/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Colours as linear light with sRGB's primaries, beside sRGB as screens and people write it, and beside OKLab (B. Ottosson,
 * 2020), in which the host picks colours that are even to the eye.
 */
#ifndef SINEW_HOST_BASE_COLOR_H
#define SINEW_HOST_BASE_COLOR_H

/* One component of sRGB, 0 to 1, as linear light, and back (IEC 61966-2-1). */
double snw_linear_from_srgb(double component);
double snw_srgb_from_linear(double component);

/* Lightness, then the two axes of hue. Distances approximate perceived differences. */
void snw_oklab_from_linear(const double linear[3], double lab[3]);
void snw_linear_from_oklab(const double lab[3], double linear[3]);

/* A colour of that lightness (0 to 1) and hue (turns), with the largest chroma that sRGB can show, at most `most`. */
void snw_color_of_hue(double lightness, double hue_turns, double most, double linear[3]);

#endif
