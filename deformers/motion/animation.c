/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The working copy of a mesh animation.
 */
#include "motion/animation.h"
#include "sinew/kit/status.h"
#include "sinew/report.h"

/* The mean of the rest points. It is computed from doubles, so that a frame that equals the rest pose remains equal to it. */
static void find_centre(uint32_t point_count, const double *points_rest, double centre[3]) {
	for (int c = 0; c < 3; c++) {
		double sum = 0;
		for (uint32_t i = 0; i < point_count; i++) {
			sum += points_rest[3 * (size_t)i + (size_t)c];
		}
		/* Rounded to float, so that subtracting it from floats nearby is exact. */
		centre[c] = point_count > 0 ? (double)(float)(sum / point_count) : 0;
	}
}

static void copy_block(const snk_motion *motion, const float *const *frames, uint32_t block) {
	const float *sources[SNK_LANES];
	for (uint32_t lane = 0; lane < SNK_LANES; lane++) {
		const uint32_t frame = block * SNK_LANES + lane;
		sources[lane] = frames[frame < motion->frame_count ? frame : motion->frame_count - 1];
	}
	const size_t numbers = 3 * (size_t)motion->point_count;
	snk_float_lanes *dest = motion->posed + block * numbers;
	for (size_t i = 0; i < numbers; i++) {
		for (uint32_t lane = 0; lane < SNK_LANES; lane++) {
			dest[i][lane] = (float)((double)sources[lane][i] - motion->centre[i % 3]);
		}
	}
}

snw_status snk_motion_make(snw_pool *pool, uint32_t point_count, const double *points_rest, uint32_t frame_count,
						   const float *const *frames, snk_motion *motion) {
	const uint32_t blocks = frame_count / SNK_LANES + (frame_count % SNK_LANES != 0);
	double *rest = SNW_POOL_ARRAY(pool, double, 3 * (size_t)point_count);
	*motion = (snk_motion){
		.point_count = point_count,
		.frame_count = frame_count,
		.block_count = blocks,
		.points_rest = rest,
		.posed = SNW_POOL_ARRAY(pool, snk_float_lanes, 3 * (size_t)point_count * blocks),
	};
	if (pool->failed) {
		return SNW_ERROR_MEMORY;
	}
	find_centre(point_count, points_rest, motion->centre);
	for (size_t i = 0; i < 3 * (size_t)point_count; i++) {
		rest[i] = points_rest[i] - motion->centre[i % 3];
	}
	for (uint32_t block = 0; block < blocks; block++) {
		copy_block(motion, frames, block);
	}
	return SNW_OK;
}

/* ---- frames -------------------------------------------------------------------------------------------------------------- */

/* The frames of one mesh, from all sequences and targets that show it. */

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
