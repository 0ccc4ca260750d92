/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Other surfaces that a dab pushes no point through. Private to host/sculpt.
 */
#ifndef SINEW_HOST_SCULPT_WALLS_H
#define SINEW_HOST_SCULPT_WALLS_H

#include "contact/contact.h"

typedef struct snw_walls {
	snw_arena *arena; /* NULL: there are none */
	uint32_t count;
	snw_contact_mesh_pose **poses;
	int8_t **sides; /* [count][point_count]: 1 for points outside a wall at rest, -1 inside, 0 where that is not known */
	double gap;     /* how far points stay away, metres */
} snw_walls;

/* Shortens the way of a point, [3] each, to where it meets a wall from its side. A point that has gone through already may come
 * back. Any thread. */
void snw_walls_stop(const snw_walls *walls, uint32_t point, const double from[3], double to[3]);

#endif
