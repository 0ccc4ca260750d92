/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Converts colours between linear light with sRGB primaries, encoded sRGB, and OKLab (B. Ottosson, 2020), in which the host
 * chooses perceptually even colours.
 */
#ifndef SINEW_HOST_BASE_COLOR_H
#define SINEW_HOST_BASE_COLOR_H

/* Converts one component, 0 to 1, between sRGB and linear light (IEC 61966-2-1). */
double snw_linear_from_srgb(double component);
double snw_srgb_from_linear(double component);

/* Lightness, then the two axes of hue. Distances approximate perceived differences. */
void snw_oklab_from_linear(const double linear[3], double lab[3]);
void snw_linear_from_oklab(const double lab[3], double linear[3]);

/* The colour with the given lightness (0 to 1) and hue (turns), and the largest chroma up to `most` that sRGB can represent. */
void snw_color_of_hue(double lightness, double hue_turns, double most, double linear[3]);

#endif
