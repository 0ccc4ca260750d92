/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The few points nearest to one of them.
 */
#ifndef SINEW_DEFORMERS_MOTION_DECOMPOSE_NEAREST_POINTS_H
#define SINEW_DEFORMERS_MOTION_DECOMPOSE_NEAREST_POINTS_H

#include <stdint.h>

/* At most this many. */
enum { SNK_NEAREST = 24 };

/* Into `nearest`, the nearest first, `from` itself among them; of points in the same cluster alone, where `clusters`
 * [point_count] is not NULL. Of two as near the lower one comes first. Returns how many there are. */
uint32_t snk_nearest_points(uint32_t point_count, const double *points_rest, const uint32_t *clusters, uint32_t from,
							uint32_t nearest[SNK_NEAREST]);

#endif
