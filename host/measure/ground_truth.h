/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the character should look like at a moment, as an example or a target says, and how far from it something is.
 */
#ifndef SINEW_HOST_MEASURE_GROUND_TRUTH_H
#define SINEW_HOST_MEASURE_GROUND_TRUTH_H

#include "scene/scene.h"

/* One of the scene's poses, or a time of a clip. */
typedef struct snw_moment {
	uint32_t pose; /* SNW_NONE: a clip's, or one that nothing is known of */
	uint32_t clip; /* SNW_NONE: none */
	double seconds;
} snw_moment;

/* What one mesh should look like: one of the two, or neither. */
typedef struct snw_ground_truth {
	const double *sculpt;
	const float *frame;
} snw_ground_truth;
snw_ground_truth snw_ground_truth_at(const snw_scene *scene, const snw_moment *moment, uint32_t mesh);

/* How far the points of a mesh [point_count][3] are from it, millimetres: into `distances` [point_count] (NULL: nowhere), and the
 * largest. On all threads. */
double snw_ground_truth_distances(const snw_ground_truth *truth, const float *points, uint32_t point_count, double *distances);

#endif
