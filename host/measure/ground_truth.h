/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The ground truth at a moment, from an example or a target, and the distance of points from it.
 */
#ifndef SINEW_HOST_MEASURE_GROUND_TRUTH_H
#define SINEW_HOST_MEASURE_GROUND_TRUTH_H

#include "scene/scene.h"

/* One of the scene's poses, or a time of a clip. */
typedef struct snw_moment {
	uint32_t pose; /* SNW_NONE: the moment of a clip, or no known pose */
	uint32_t clip; /* SNW_NONE: none */
	double seconds;
} snw_moment;

/* The ground truth of one mesh: one of the two, or neither. */
typedef struct snw_ground_truth {
	const double *sculpt;
	const float *frame;
} snw_ground_truth;
snw_ground_truth snw_ground_truth_at(const snw_scene *scene, const snw_moment *moment, uint32_t mesh);

/* The distance of the points of a mesh [point_count][3] from it, in millimetres: each into `distances` [point_count] (may be
 * NULL), and the largest as the result. Uses all threads. */
double snw_ground_truth_distances(const snw_ground_truth *truth, const float *points, uint32_t point_count, double *distances);

#endif
