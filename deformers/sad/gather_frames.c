/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The frames of one mesh, from all sequences and targets that show it.
 */
#include "sad/fit.h"
#include "sinew/kit/status.h"
#include "sinew/report.h"

snw_status read_frames(mesh_fit *f) {
	const snw_fit_input *input = f->input;
	const snw_mesh_view *mesh = input->character->meshes[f->mesh];
	snw_status status = snk_animations_gather(input, f->mesh, &f->pool, &f->animations);
	for (uint32_t s = 0; !snk_failed(status) && s < f->animations.count; s++) {
		status = snk_animation_check(f->host, f->animations.sequences[s], mesh->point_count);
	}
	if (snk_failed(status)) {
		return status;
	}
	const uint64_t frames = f->animations.frame_count;
	if (frames == 0 || mesh->point_count == 0) {
		return SNW_OK;
	}
	if (frames > UINT32_MAX / 2) {
		return snw_report_fail(f->host, SNW_ERROR_LIMIT, "mesh '%s' has too many frames for a fit; fit fewer sequences",
							   mesh->name);
	}
	const float **pointers = snw_pool_acquire(&f->pool, (size_t)frames, sizeof *pointers);
	unsigned char *breaks = SNW_POOL_ARRAY(&f->pool, unsigned char, (size_t)frames);
	if (f->pool.failed) {
		return SNW_ERROR_MEMORY;
	}
	uint32_t at = 0;
	for (uint32_t s = 0; s < f->animations.count; s++) {
		breaks[at] = 1;
		for (uint32_t frame = 0; frame < f->animations.sequences[s]->frame_count; frame++) {
			pointers[at++] = f->animations.sequences[s]->points_posed + 3 * (size_t)mesh->point_count * frame;
		}
	}
	status = snk_motion_make(&f->pool, mesh->point_count, mesh->points_rest, (uint32_t)frames, pointers, &f->motion);
	f->motion.breaks = breaks;
	return status;
}
