/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The points nearest to a given point.
 */
#ifndef SINEW_DEFORMERS_MOTION_DECOMPOSE_NEAREST_POINTS_H
#define SINEW_DEFORMERS_MOTION_DECOMPOSE_NEAREST_POINTS_H

#include <stdint.h>

/* At most this many. */
enum { SNK_NEAREST = 24 };

/* Fills `nearest`, nearest first, `from` included; only with points of the same cluster if `clusters` [point_count] is not
 * NULL. Of equally near points the lower index comes first. Returns the number of points. */
uint32_t snk_nearest_points(uint32_t point_count, const double *points_rest, const uint32_t *clusters, uint32_t from,
							uint32_t nearest[SNK_NEAREST]);

#endif
