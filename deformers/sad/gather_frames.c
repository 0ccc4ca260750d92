/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The frames of one mesh, from all sequences and targets that show it.
 */
#include <math.h>

#include "sad/fit.h"
#include "sinew/report.h"

static void find_sequences(mesh_fit *f, uint32_t count, const snw_sequence_view *const *all) {
	for (uint32_t i = 0; i < count; i++) {
		if (all[i]->mesh == f->mesh && all[i]->frame_count > 0) {
			f->sequences[f->sequence_count++] = all[i];
		}
	}
}

static snw_status check_sequence(const mesh_fit *f, const snw_sequence_view *sequence) {
	const size_t numbers = 3 * (size_t)f->input->character->meshes[f->mesh]->point_count;
	for (uint32_t frame = 0; frame < sequence->frame_count; frame++) {
		for (size_t i = 0; i < numbers; i++) {
			if (!isfinite(sequence->points_posed[frame * numbers + i])) {
				return snw_report_fail(f->host, SNW_ERROR_DATA,
									   "frame %u of '%s' has a coordinate that is not finite (point %zu): export it again",
									   frame, sequence->name, i / 3);
			}
		}
		if (frame > 0 && !(sequence->seconds[frame] > sequence->seconds[frame - 1])) {
			return snw_report_fail(f->host, SNW_ERROR_DATA, "the times of '%s' do not rise at frame %u: import it again",
								   sequence->name, frame);
		}
	}
	return SNW_OK;
}

snw_status read_frames(mesh_fit *f) {
	const snw_fit_input *input = f->input;
	const snw_mesh_view *mesh = input->character->meshes[f->mesh];
	f->sequences = snw_pool_acquire(&f->pool, (size_t)input->sequence_count + input->target_count, sizeof *f->sequences);
	if (!f->sequences) {
		return SNW_ERROR_MEMORY;
	}
	find_sequences(f, input->sequence_count, input->sequences);
	find_sequences(f, input->target_count, input->targets);
	uint64_t frames = 0;
	for (uint32_t s = 0; s < f->sequence_count; s++) {
		frames += f->sequences[s]->frame_count;
		const snw_status status = check_sequence(f, f->sequences[s]);
		if (status != SNW_OK) {
			return status;
		}
	}
	if (frames == 0 || mesh->point_count == 0) {
		return SNW_OK;
	}
	if (frames > UINT32_MAX / 2) {
		return snw_report_fail(f->host, SNW_ERROR_LIMIT, "mesh '%s' has more frames than a fit can hold: fit fewer sequences",
							   mesh->name);
	}
	const float **pointers = snw_pool_acquire(&f->pool, (size_t)frames, sizeof *pointers);
	unsigned char *breaks = SNW_POOL_ARRAY(&f->pool, unsigned char, (size_t)frames);
	if (f->pool.failed) {
		return SNW_ERROR_MEMORY;
	}
	uint32_t at = 0;
	for (uint32_t s = 0; s < f->sequence_count; s++) {
		breaks[at] = 1;
		for (uint32_t frame = 0; frame < f->sequences[s]->frame_count; frame++) {
			pointers[at++] = f->sequences[s]->points_posed + 3 * (size_t)mesh->point_count * frame;
		}
	}
	const snw_status status =
		snk_motion_make(&f->pool, mesh->point_count, mesh->points_rest, (uint32_t)frames, pointers, &f->motion);
	f->motion.breaks = breaks;
	return status;
}
