/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Axis-aligned bounding boxes. A box starts empty: lower > upper.
 */
#ifndef SINEW_HOST_BASE_BOX_H
#define SINEW_HOST_BASE_BOX_H

#include <stdbool.h>
#include <stddef.h>

typedef struct snw_box {
	double lower[3], upper[3];
} snw_box;

snw_box snw_box_empty(void);
bool snw_box_is_empty(const snw_box *box);
void snw_box_add(snw_box *box, const double point[3]);                     /* ignores points that are not finite */
void snw_box_add_points(snw_box *box, const double *points, size_t count); /* [count][3] */
void snw_box_add_floats(snw_box *box, const float *points, size_t count);  /* [count][3], the same for many points */
void snw_box_add_box(snw_box *box, const snw_box *added);                  /* an empty one adds nothing */
snw_box snw_box_widened(const snw_box *box, double margin);                /* on every side; an empty one stays empty */
double snw_box_diagonal(const snw_box *box);                               /* 0 for an empty box */
/* One of the eight corners, 0 to 7. */
void snw_box_corner(const snw_box *box, int corner, double point[3]);

#endif
