/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shared: targets of fewer frames.
 */
#ifndef SINEW_TESTS_DEFORMERS_THINNED_H
#define SINEW_TESTS_DEFORMERS_THINNED_H

#include <string.h>

#include "scene/scene.h"

/* The first frame of each target and every n-th after it stay. */
static inline void thin_targets(snw_scene *scene, uint32_t n) {
	snw_target *targets = snw_arena_copy(scene->arena, scene->targets, scene->target_count * sizeof *targets);
	for (uint32_t t = 0; t < scene->target_count; t++) {
		const size_t numbers = (size_t)3 * scene->meshes[targets[t].mesh].point_count;
		const uint32_t count = (targets[t].frame_count + n - 1) / n;
		float *points = SNW_NEW_ARRAY(scene->arena, float, numbers *count);
		double *seconds = SNW_NEW_ARRAY(scene->arena, double, count);
		for (size_t f = 0; f < count; f++) {
			memcpy(points + numbers * f, targets[t].points_posed + n * numbers * f, numbers * sizeof *points);
			seconds[f] = targets[t].seconds[n * f];
		}
		targets[t].frame_count = count;
		targets[t].points_posed = points;
		targets[t].seconds = seconds;
	}
	scene->targets = targets;
}

#endif
