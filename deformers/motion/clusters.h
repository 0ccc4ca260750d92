/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Points that belong together: what a decomposition starts from.
 */
#ifndef SINEW_DEFORMERS_MOTION_CLUSTERS_H
#define SINEW_DEFORMERS_MOTION_CLUSTERS_H

#include <stdint.h>

#include "motion/animation.h"
#include "sinew/pool.h"

/* ---- proxy joints -------------------------------------------------------------------------------------------------------- */

/* Proxy joints for a mesh without a rig (L. Kavan et al., Skinning arbitrary deformations, 2007, section 3): the greedy
 * p-centre of its rest points (T. Gonzalez, Clustering to minimize the maximum intercluster distance, 1985), with at most twice
 * the optimal radius, and weights that decrease linearly around each. A cover of p joints begins with the cover of p − 1. */

/* Chooses up to `wanted` points, each the furthest from all before it; the first is the furthest from the mean. Returns their
 * number, which is smaller if there are fewer distinct rest points. `centres` [wanted]: points; `radii` [wanted] (may be NULL):
 * the cover's radius with that many centres. On return, `scratch` [point_count] has the distances to the nearest centre. */
uint32_t snk_p_centre(uint32_t point_count, const double *points_rest, uint32_t wanted, uint32_t *centres, double *radii,
					  double *scratch);

/* Weights 1 − distance / (spread · radius), at most `most` (1 to SNK_FIT_INFLUENCES) for a point, the largest, normalised. A
 * point out of reach of all joints follows the nearest one. */
snw_status snk_proxy_weights(snw_pool *pool, uint32_t point_count, const double *points_rest, uint32_t joint_count,
							 const uint32_t *centres, double radius, double spread, uint32_t most, snk_influences *influences);

/* ---- nearest points ------------------------------------------------------------------------------------------------------ */

/* The points nearest to a given point. */

/* At most this many. */
enum { SNK_NEAREST = 24 };

/* Fills `nearest`, nearest first, `from` included; only with points of the same cluster if `clusters` [point_count] is not
 * NULL. Of equally near points the lower index comes first. Returns the number of points. */
uint32_t snk_nearest_points(uint32_t point_count, const double *points_rest, const uint32_t *clusters, uint32_t from,
							uint32_t nearest[SNK_NEAREST]);

#endif
