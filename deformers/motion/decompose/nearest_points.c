/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One pass over the points, with the nearest ones so far in order.
 */
#include "motion/decompose/nearest_points.h"

#include "sinew/algebra.h"

uint32_t snk_nearest_points(uint32_t point_count, const double *points_rest, const uint32_t *clusters, uint32_t from,
							uint32_t nearest[SNK_NEAREST]) {
	double distances[SNK_NEAREST];
	uint32_t count = 0;
	for (uint32_t i = 0; i < point_count; i++) {
		if (clusters && clusters[i] != clusters[from]) {
			continue;
		}
		const double distance = snw_squared_distance3(points_rest + 3 * (size_t)i, points_rest + 3 * (size_t)from);
		uint32_t at = count < SNK_NEAREST ? count : SNK_NEAREST - 1;
		if (count == SNK_NEAREST && distance >= distances[at]) {
			continue;
		}
		count += count < SNK_NEAREST;
		for (; at > 0 && distances[at - 1] > distance; at--) {
			distances[at] = distances[at - 1];
			nearest[at] = nearest[at - 1];
		}
		distances[at] = distance;
		nearest[at] = i;
	}
	return count;
}
