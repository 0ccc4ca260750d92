/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which joint drives a sculpt: one that its pose moves away from rest and that moves the points that were edited.
 *
 * A joint bends the skin at a point where a part W of the point follows the joint and those below it: with W = 1 the point
 * moves rigidly with the joint, with W = 0 it does not move. So a joint counts by the share of the sculpt (the lengths of its
 * edits) that lies under 4 W (1 − W), times how far the joint is from rest. Where no joint that moves bends the skin, the
 * nearest one counts: the joint that moves the points, or the one below the joint to which they belong.
 *
 * W is measured: the joint is displaced a little, and W is the part of the displacement that a point follows. Through skin
 * programs that gives the weights of their rows. Only if no joint moves the points so are black boxes run.
 */
#ifndef SINEW_HOST_EXAMPLE_DRIVER_H
#define SINEW_HOST_EXAMPLE_DRIVER_H

#include "plugin/registry.h"
#include "scene/scene.h"

/* A sculpt: a mesh in a pose, as edited and without the edits, [point_count][3] each. Without any edit, all points count. */
typedef struct snw_driver_query {
	uint32_t mesh;
	const snw_pose *pose;
	const double *points_posed, *points_original;
	uint32_t corrective; /* the layer that learns from sculpts, whose layers below are measured; SNW_NONE: all layers */
} snw_driver_query;

/* A joint that the pose moves away from rest. */
typedef struct snw_driver {
	uint32_t joint;
	double share; /* of the sculpt, that it bends or moves or is next to: 0 to 1 */
	double score;
} snw_driver;

/* Below this share, a joint does not move the points of a sculpt. */
#define SNW_LEAST_DRIVEN 0.1

/* The joints that the pose moves away from rest, the best driver first, in `arena`. */
snw_status snw_find_drivers(const snw_scene *scene, const snw_registry *registry, const snw_driver_query *query,
							snw_arena *arena, snw_driver **drivers, uint32_t *count, snw_error *error);

#endif
