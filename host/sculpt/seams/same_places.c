/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sculpt/seams/same_places.h"

#include <stdlib.h>

#include "sinew/algebra.h"

/* Points are sorted along this direction, of length 1, in which few points of a mesh lie at the same height. */
static const double DIRECTION[3] = {0.4823, 0.6271, 0.6116};

/* Others near a point that are looked at: of a heap of points at one place, those next to each other in order unite them
 * all. */
enum { MOST_COMPARED = 256 };

static int compare_border_points(const void *a, const void *b) {
	const snw_border_point *one = a, *other = b;
	return one->height != other->height ? (one->height > other->height) - (one->height < other->height)
										: (one->owner > other->owner) - (one->owner < other->owner);
}

uint32_t snw_border_points(const snw_mesh *mesh, const snw_adjacency *around, uint32_t owner, snw_border_point *points) {
	uint32_t count = 0;
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		if (around->on_border[i]) {
			const double *place = mesh->points_rest + 3 * (size_t)i;
			points[count++] = (snw_border_point){snw_dot3(place, DIRECTION), place, owner == SNW_NONE ? i : owner};
		}
	}
	return count;
}

uint32_t snw_first_of(uint32_t *first, uint32_t owner) {
	while (first[owner] != owner) {
		owner = first[owner] = first[first[owner]];
	}
	return owner;
}

bool snw_unite_places(snw_border_point *points, uint32_t count, double most,
					  bool (*accepts)(const void *data, uint32_t one, uint32_t other), const void *data, uint32_t *first) {
	bool any = false;
	qsort(points, count, sizeof *points, compare_border_points);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t compared = 0;
		for (uint32_t k = i + 1; k < count && compared < MOST_COMPARED && points[k].height - points[i].height <= 1.01 * most;
			 k++) {
			const uint32_t a = points[i].owner, b = points[k].owner;
			const bool are_near = snw_squared_distance3(points[i].place, points[k].place) <= most * most;
			compared += are_near;
			if (a != b && are_near && (!accepts || accepts(data, a, b))) {
				const uint32_t one = snw_first_of(first, a), other = snw_first_of(first, b);
				first[one < other ? other : one] = one < other ? one : other;
				any = true;
			}
		}
	}
	return any;
}
