/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Border points that lie in the same place: of a split mesh, or of several meshes.
 */
#ifndef SINEW_HOST_SCULPT_SEAMS_SAME_PLACES_H
#define SINEW_HOST_SCULPT_SEAMS_SAME_PLACES_H

#include "mesh/adjacency.h"

typedef struct snw_border_point {
	double height; /* by which they are sorted */
	const double *place;
	uint32_t owner; /* what is found to be together: a point, or a mesh */
} snw_border_point;

/* Lists the border points of a mesh at rest, each as its own owner or, if `owner` is not SNW_NONE, as that one. `points` has
 * room for all points. Returns their number. */
uint32_t snw_border_points(const snw_mesh *mesh, const snw_adjacency *around, uint32_t owner, snw_border_point *points);

/* Unites owners that have points at most `most` apart and that `accepts` (NULL: all) takes: first[owner] becomes the lowest of
 * a set or leads to it (snw_first_of). Initially each owner is its own first. Sorts `points`. Returns whether any were
 * united. */
bool snw_unite_places(snw_border_point *points, uint32_t count, double most,
					  bool (*accepts)(const void *data, uint32_t one, uint32_t other), const void *data, uint32_t *first);
uint32_t snw_first_of(uint32_t *first, uint32_t owner);

#endif
