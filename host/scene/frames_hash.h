/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The hash of a mesh animation: of the times and points of its frames. A project stores it with each target, so that a model
 * that was fitted to the target can be shown as stale without reading the frames.
 */
#ifndef SINEW_HOST_SCENE_FRAMES_HASH_H
#define SINEW_HOST_SCENE_FRAMES_HASH_H

#include "base/numbers.h"
#include "scene/scene.h"

/* All frames of a target with their points. Never 0. */
static inline uint64_t snw_frames_hash(const snw_target *target, uint32_t point_count) {
	const size_t numbers = 3 * (size_t)point_count;
	snw_hash hash = {0};
	for (uint32_t f = 0; f < target->frame_count; f++) {
		snw_hash_f64s(&hash, &target->seconds[f], 1);
		snw_hash_bytes(&hash, target->points_posed + f * numbers, numbers * sizeof *target->points_posed);
	}
	return snw_hash_value(&hash);
}

#endif
