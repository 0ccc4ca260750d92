/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The colours of heat maps: from ivory through amber and crimson to plum, in even steps of decreasing lightness (CIE L* 95
 * to 20), so that equal differences look equal and the order can be read without colour. Low values look like plain clay;
 * high ones are dark.
 */
#ifndef SINEW_UI_RENDER_OVERLAY_HEAT_COLORS_H
#define SINEW_UI_RENDER_OVERLAY_HEAT_COLORS_H

#include <stdint.h>

enum { SNW_HEAT_STEPS = 256 };

/* sRGB bytes, lowest value first. */
void snw_heat_ramp(unsigned char ramp[SNW_HEAT_STEPS][3]);

/* Extends [minimum, maximum] to the finite values among `count`. */
void snw_heat_range_add(const double *values, uint32_t count, double *minimum, double *maximum);

#endif
