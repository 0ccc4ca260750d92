/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The colours of heat maps: from ivory through amber and crimson to plum, in even steps of lightness (CIE L* 95 to 20, falling
 * all the way), so that equal differences look equal and order can be read without colour. Low values look like the plain
 * clay of an undisturbed surface; what is high stands out dark.
 */
#ifndef SINEW_UI_RENDER_OVERLAY_HEAT_COLORS_H
#define SINEW_UI_RENDER_OVERLAY_HEAT_COLORS_H

#include <stdint.h>

enum { SNW_HEAT_STEPS = 256 };

/* sRGB bytes, lowest value first. */
void snw_heat_ramp(unsigned char ramp[SNW_HEAT_STEPS][3]);

/* Widens [minimum, maximum] to the finite values among `count`. */
void snw_heat_range_add(const double *values, uint32_t count, double *minimum, double *maximum);

#endif
