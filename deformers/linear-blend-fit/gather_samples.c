/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where samples come from: examples, targets, and sequences that have poses.
 */
#include "linear-blend-fit/fit.h"

static uint64_t frames_of(uint32_t count, const snw_sequence_view *const *sequences, uint32_t mesh) {
	uint64_t frames = 0;
	for (uint32_t i = 0; i < count; i++) {
		frames += sequences[i]->mesh == mesh && sequences[i]->poses ? sequences[i]->frame_count : 0;
	}
	return frames;
}

static void add_frames(const mesh_fit *f, uint32_t count, const snw_sequence_view *const *sequences, uint32_t mesh, sample **next) {
	for (uint32_t i = 0; i < count; i++) {
		if (sequences[i]->mesh != mesh || !sequences[i]->poses) {
			continue;
		}
		for (uint32_t frame = 0; frame < sequences[i]->frame_count; frame++) {
			const float *points = sequences[i]->points_posed + (size_t)3 * f->mesh->point_count * frame;
			*(*next)++ = (sample){.palette = sequences[i]->poses[frame]->palette, .floats_posed = points};
		}
	}
}

static int is_morphed(const snw_pose_view *pose) {
	for (uint32_t c = 0; c < pose->channel_count; c++) {
		if (pose->channels[c] != 0) {
			return 1;
		}
	}
	return 0;
}

/* Samples are of the whole character, morph targets that came with the file included, which the weights would be bent to. */
static uint32_t count_morphed(const snw_fit_input *input, uint32_t mesh) {
	uint32_t count = 0;
	for (uint32_t e = 0; e < input->example_count; e++) {
		count += input->examples[e]->mesh == mesh && is_morphed(input->examples[e]->pose);
	}
	for (uint32_t i = 0; i < input->target_count + input->sequence_count; i++) {
		const snw_sequence_view *sequence =
			i < input->target_count ? input->targets[i] : input->sequences[i - input->target_count];
		for (uint32_t frame = 0; sequence->mesh == mesh && sequence->poses && frame < sequence->frame_count; frame++) {
			count += (uint32_t)is_morphed(sequence->poses[frame]);
		}
	}
	return count;
}

snw_status gather_samples(const snw_fit_input *input, uint32_t m, snw_pool *pool, mesh_fit *f) {
	uint64_t count = frames_of(input->target_count, input->targets, m) + frames_of(input->sequence_count, input->sequences, m);
	for (uint32_t e = 0; e < input->example_count; e++) {
		count += input->examples[e]->mesh == m;
	}
	if (count > UINT32_MAX) {
		return SNW_ERROR_LIMIT;
	}
	sample *samples = SNW_POOL_ARRAY(pool, sample, (size_t)count), *next = samples;
	if (!samples) {
		return SNW_ERROR_MEMORY;
	}
	for (uint32_t e = 0; e < input->example_count; e++) {
		if (input->examples[e]->mesh == m) {
			*next++ = (sample){.palette = input->examples[e]->pose->palette, .points_posed = input->examples[e]->points_posed};
		}
	}
	add_frames(f, input->target_count, input->targets, m, &next);
	add_frames(f, input->sequence_count, input->sequences, m, &next);
	f->sample_count = (uint32_t)count;
	f->samples = samples;
	f->morphed_count = count_morphed(input, m);
	return SNW_OK;
}
