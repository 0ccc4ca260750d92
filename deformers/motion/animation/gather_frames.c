/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The frames of one mesh, from all sequences and targets that show it.
 */
#include "motion/animation/animation.h"
#include "sinew/kit/status.h"
#include "sinew/report.h"

/* The frames of all animations in turn, and which of them do not continue the previous one. */
static void list_frames(const snk_animations *animations, uint32_t point_count, const float **frames, unsigned char *breaks) {
	uint32_t at = 0;
	for (uint32_t s = 0; s < animations->count; s++) {
		for (uint32_t frame = 0; frame < animations->sequences[s]->frame_count; frame++) {
			breaks[at] = frame == 0 || snk_is_set(animations->sequences[s]);
			frames[at++] = animations->sequences[s]->points_posed + 3 * (size_t)point_count * frame;
		}
	}
}

snw_status snk_motion_gather(const snw_fit_input *input, uint32_t mesh_index, snw_pool *pool, snk_animations *animations,
							 const float ***frames, snk_motion *motion) {
	const snw_mesh_view *mesh = input->character->meshes[mesh_index];
	snw_status status = snk_animations_gather(input, mesh_index, pool, animations);
	for (uint32_t s = 0; !snk_failed(status) && s < animations->count; s++) {
		status = snk_animation_check(pool->host, animations->sequences[s], mesh->point_count);
	}
	const uint64_t count = snk_failed(status) ? 0 : animations->frame_count;
	if (count == 0 || mesh->point_count == 0) {
		return status;
	}
	if (count > UINT32_MAX / 2) {
		return snw_report_fail(pool->host, SNW_ERROR_LIMIT, "mesh '%s' has too many frames for a fit; fit fewer sequences",
							   mesh->name);
	}
	*frames = snw_pool_acquire(pool, (size_t)count, sizeof **frames);
	unsigned char *breaks = SNW_POOL_ARRAY(pool, unsigned char, (size_t)count);
	if (pool->failed) {
		return SNW_ERROR_MEMORY;
	}
	list_frames(animations, mesh->point_count, *frames, breaks);
	status = snk_motion_make(pool, mesh->point_count, mesh->points_rest, (uint32_t)count, *frames, motion);
	motion->breaks = breaks;
	return status;
}
