/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The alpha of a brush: a picture that says how strongly a dab acts where, like a stamp.
 */
#ifndef SINEW_HOST_SCULPT_ALPHA_H
#define SINEW_HOST_SCULPT_ALPHA_H

#include <stdint.h>

typedef struct snw_brush_alpha {
	uint32_t width, height; /* above 0 */
	const float *values;    /* [height][width], 0 to 1, the top row first */
} snw_brush_alpha;

/* The value at a place, bilinear: u to the right and v up, each from -1 to 1 across the larger side; 0 outside the picture. */
double snw_brush_alpha_at(const snw_brush_alpha *alpha, double u, double v);

/* The axes of u and v on a surface with this unit normal: v is as near to the world's up, or along z on level ground, as the
 * surface allows. */
void snw_brush_alpha_axes(const double normal[3], double right[3], double up[3]);

#endif
