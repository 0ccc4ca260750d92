/* SPDX-License-Identifier: MIT */
#include "sinew/kit/fit/samples.h"

#include <math.h>

#include "sinew/report.h"

/* ---- samples ------------------------------------------------------------------------------------------------------------- */

/* Counts the samples of a mesh, and writes them where `samples` is not NULL. */
typedef struct gathering {
	const snw_fit_input *input;
	uint32_t mesh;
	uint64_t count;
	snk_sample *samples;
} gathering;

static void add_sample(gathering *g, snk_sample sample) {
	if (g->samples) {
		g->samples[g->count] = sample;
	}
	g->count++;
}

static void add_frame(gathering *g, const snw_sequence_view *sequence, uint32_t frame, int continues) {
	const size_t numbers = (size_t)3 * g->input->character->meshes[g->mesh]->point_count;
	const float *points = sequence->points_posed + numbers * frame;
	add_sample(g, (snk_sample){.pose = sequence->poses[frame], .floats_posed = points, .continues = continues});
}

static uint64_t reverse_bits(uint64_t number, uint32_t bits) {
	uint64_t reversed = 0;
	for (uint32_t bit = 0; bit < bits; bit++) {
		reversed |= (number >> bit & 1) << (bits - 1 - bit);
	}
	return reversed;
}

/* By the reversed bits of their numbers: any consecutive ones are spread over all. */
static void add_set(gathering *g, const snw_sequence_view *set) {
	uint32_t bits = 0;
	while ((uint64_t)1 << bits < set->frame_count) {
		bits++;
	}
	for (uint64_t i = 0; i < (uint64_t)1 << bits; i++) {
		const uint64_t frame = reverse_bits(i, bits);
		if (frame < set->frame_count) {
			add_frame(g, set, (uint32_t)frame, 0);
		}
	}
}

static void add_motion(gathering *g, const snw_sequence_view *motion) {
	for (uint32_t frame = 0; frame < motion->frame_count; frame++) {
		add_frame(g, motion, frame, frame > 0);
	}
}

static void add_frames(gathering *g, const snw_sequence_view *sequence) {
	if (sequence->mesh == g->mesh && sequence->poses) {
		if (snk_is_set(sequence)) {
			add_set(g, sequence);
		} else {
			add_motion(g, sequence);
		}
	}
}

static void add_all(gathering *g) {
	const snw_fit_input *input = g->input;
	g->count = 0;
	for (uint32_t e = 0; e < input->example_count; e++) {
		const snw_example_view *example = input->examples[e];
		if (example->mesh == g->mesh) {
			add_sample(g, (snk_sample){.pose = example->pose, .points_posed = example->points_posed});
		}
	}
	for (uint32_t i = 0; i < input->target_count; i++) {
		add_frames(g, input->targets[i]);
	}
	for (uint32_t i = 0; i < input->sequence_count; i++) {
		add_frames(g, input->sequences[i]);
	}
}

snw_status snk_samples_gather(const snw_fit_input *input, uint32_t mesh, snw_pool *pool, snk_sample **samples,
							  uint32_t *count) {
	gathering g = {.input = input, .mesh = mesh};
	add_all(&g);
	if (g.count > UINT32_MAX) {
		return SNW_ERROR_LIMIT;
	}
	g.samples = SNW_POOL_ARRAY(pool, snk_sample, (size_t)g.count);
	if (!g.samples) {
		return SNW_ERROR_MEMORY;
	}
	add_all(&g);
	*samples = g.samples;
	*count = (uint32_t)g.count;
	return SNW_OK;
}

static int is_morphed(const snw_pose_view *pose) {
	for (uint32_t c = 0; c < pose->channel_count; c++) {
		if (pose->channels[c] != 0) {
			return 1;
		}
	}
	return 0;
}

uint32_t snk_samples_count_morphed(const snk_sample *samples, uint32_t count) {
	uint32_t morphed = 0;
	for (uint32_t s = 0; s < count; s++) {
		morphed += is_morphed(samples[s].pose) != 0;
	}
	return morphed;
}

void snk_samples_warn_of_morphs(const snw_host *host, uint32_t morphed, uint32_t count) {
	if (morphed > 0) {
		snw_report_line(
			host, SNW_LOG_WARNING,
			"%u of %u samples are in poses with active morph channels, which distorts the fit; leave such poses out, "
			"or set the channels to 0",
			morphed, count);
	}
}

snw_status snk_samples_check(const snw_host *host, uint32_t morphed, uint32_t count) {
	if (count == 0) {
		return snw_report_fail(host, SNW_ERROR_MISSING,
							   "no mesh with skin weights has an example, a target or a sequence with poses; add one with "
							   "'sinew example' or 'sinew target'");
	}
	snk_samples_warn_of_morphs(host, morphed, count);
	return SNW_OK;
}

/* ---- frames -------------------------------------------------------------------------------------------------------------- */

static const snw_sequence_view *animation_at(const snw_fit_input *input, uint32_t index) {
	return index < input->sequence_count ? input->sequences[index] : input->targets[index - input->sequence_count];
}

snw_status snk_animations_gather(const snw_fit_input *input, uint32_t mesh, snw_pool *pool, snk_animations *animations) {
	const uint32_t most = input->sequence_count + input->target_count;
	*animations =
		(snk_animations){.sequences = (const snw_sequence_view **)snw_pool_acquire(pool, most, sizeof *animations->sequences)};
	if (!animations->sequences) {
		return SNW_ERROR_MEMORY;
	}
	for (uint32_t i = 0; i < most; i++) {
		const snw_sequence_view *sequence = animation_at(input, i);
		if (sequence->mesh == mesh && sequence->frame_count > 0) {
			animations->sequences[animations->count++] = sequence;
			animations->frame_count += sequence->frame_count;
		}
	}
	return SNW_OK;
}

snw_status snk_animation_check(const snw_host *host, const snw_sequence_view *sequence, uint32_t point_count) {
	const size_t numbers = 3 * (size_t)point_count;
	for (uint32_t frame = 0; frame < sequence->frame_count; frame++) {
		for (size_t i = 0; i < numbers; i++) {
			if (!isfinite(sequence->points_posed[frame * numbers + i])) {
				return snw_report_fail(host, SNW_ERROR_DATA,
									   "frame %u of '%s' has a coordinate that is not finite (point %zu); export it again",
									   frame, sequence->name, i / 3);
			}
		}
		if (frame > 0 && !(sequence->seconds[frame] > sequence->seconds[frame - 1])) {
			return snw_report_fail(host, SNW_ERROR_DATA, "the times of '%s' do not increase at frame %u; import it again",
								   sequence->name, frame);
		}
	}
	return SNW_OK;
}

uint64_t snk_frame_field_first(const snw_fit_input *input, const snw_sequence_view *sequence) {
	uint64_t first = 0;
	for (uint32_t i = 0; i < input->sequence_count + input->target_count && animation_at(input, i) != sequence; i++) {
		first += animation_at(input, i)->frame_count;
	}
	return first;
}

uint64_t snk_frame_field_count(const snw_fit_input *input) {
	return snk_frame_field_first(input, NULL);
}
