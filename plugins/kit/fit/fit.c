/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "sinew/algebra.h"
#include "sinew/kit/fit/fit.h"
#include "sinew/kit/fit/samples.h"
#include "sinew/kit/numerics/eigen.h"
#include "sinew/kit/skin/skins.h"
#include "sinew/kit/status.h"
#include "sinew/report.h"
#include "sinew/view.h"

/* ---- models -------------------------------------------------------------------------------------------------------------- */

snw_model *snk_model_open(const snw_host *host, size_t bytes) {
	snw_pool pool = snw_pool_open(host);
	snw_pool *made = (snw_pool *)snw_pool_acquire(&pool, 1, bytes);
	if (made) {
		*made = pool;
	}
	return (snw_model *)made;
}

snw_status snk_model_finish(snw_status status, snw_model *made, snw_model **model) {
	if (snk_failed(status)) {
		snk_model_release(made);
	} else {
		*model = made;
	}
	return status;
}

void SNW_CALL snk_model_release(snw_model *model) {
	if (model) {
		snw_pool_release((snw_pool *)model);
	}
}

/* ---- parameters ---------------------------------------------------------------------------------------------------------- */

double snk_parameter_value(const snw_fit_input *input, uint32_t parameter, uint32_t group, uint32_t joint) {
	double value = input->values[parameter].numbers[0];
	int is_of_joint = 0;
	for (uint32_t i = 0; i < input->override_count; i++) {
		const snw_override *override = input->overrides[i];
		const int for_joint = override->scope == SNW_SCOPE_JOINT && joint != SNW_NONE && override->index == joint;
		const int for_group = override->scope == SNW_SCOPE_GROUP && group != SNW_NONE && override->index == group;
		if (override->parameter == parameter && (for_joint || (for_group && !is_of_joint))) {
			value = override->value.numbers[0];
			is_of_joint |= for_joint;
		}
	}
	return value;
}

/* ---- fields -------------------------------------------------------------------------------------------------------------- */

void snk_field_propose(const snw_host *host, uint32_t owner, const char *name, snw_domain domain, uint32_t count,
					   const double *values) {
	const snw_proposal_service *proposal = (const snw_proposal_service *)host->service(host, SNW_SERVICE_PROPOSAL);
	if (proposal) {
		const snw_field_view field = {
			.size = sizeof field, .name = name, .domain = domain, .components = 1, .count = count, .values = values};
		(void)proposal->field(host, &(snw_field_proposal){.size = sizeof(snw_field_proposal), .owner = owner, .field = &field});
	}
}

const snw_field_view *snk_field_find(const snw_mesh_view *mesh, const char *name) {
	for (uint32_t f = 0; f < mesh->field_count; f++) {
		const snw_field_view *field = mesh->fields[f];
		if (field->domain == SNW_DOMAIN_POINTS && strcmp(field->name, name) == 0) {
			return field;
		}
	}
	return NULL;
}

void snk_mask_fill(const snw_mesh_view *mesh, const char *name, double without, double *mask) {
	const snw_field_view *field = snk_field_find(mesh, name);
	for (size_t i = 0; i < mesh->point_count; i++) {
		mask[i] = field ? fmin(fmax(field->values[i * field->components], 0), 1) : without;
	}
}

/* ---- ranges -------------------------------------------------------------------------------------------------------------- */

enum { PARTS_PER_THREAD = 4 }; /* between two reports */

void snk_ranges_run(const snw_host *host, uint32_t count, uint32_t grain, snk_range *range, void *argument) {
	const snw_parallel_service *parallel = (const snw_parallel_service *)host->service(host, SNW_SERVICE_PARALLEL);
	if (parallel && count > grain) {
		parallel->run(host, count, grain, range, argument);
		return;
	}
	for (uint32_t begin = 0; begin < count; begin += count - begin < grain ? count - begin : grain) {
		range(argument, begin, count - begin < grain ? count : begin + grain, 0);
	}
}

/* A range that begins elsewhere than at 0. */
typedef struct shifted_range {
	snk_range *range;
	void *argument;
	uint32_t first;
} shifted_range;

static void SNW_CALL run_shifted(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	const shifted_range *s = argument;
	s->range(s->argument, s->first + begin, s->first + end, thread);
}

void snk_ranges_run_from(const snw_host *host, uint32_t first, uint32_t count, uint32_t grain, snk_range *range,
						 void *argument) {
	shifted_range shifted = {range, argument, first};
	snk_ranges_run(host, count, grain, run_shifted, &shifted);
}

snw_status snk_ranges_run_reported(const snw_host *host, uint32_t count, uint32_t grain, snk_range *range, void *argument,
								   const snk_stretch *stretch) {
	const snw_parallel_service *parallel = (const snw_parallel_service *)host->service(host, SNW_SERVICE_PARALLEL);
	const uint64_t most = (uint64_t)grain * PARTS_PER_THREAD * (parallel ? parallel->thread_count(host) : 1);
	for (uint32_t first = 0; first < count;) {
		const double done = stretch->begin + (stretch->end - stretch->begin) * first / count;
		if (!snw_report_progress(host, done, stretch->activity)) {
			return SNW_CANCELLED;
		}
		const uint32_t remaining = count - first, size = remaining < most ? remaining : (uint32_t)most;
		snk_ranges_run_from(host, first, size, grain, range, argument);
		first += size;
	}
	return SNW_OK;
}

/* ---- choosing ------------------------------------------------------------------------------------------------------------ */

static int is_taken(uint32_t candidate, uint32_t count, const uint32_t *chosen) {
	int taken = 0;
	for (uint32_t i = 0; i < count; i++) {
		taken |= chosen[i] == candidate;
	}
	return taken;
}

/* Lowers *left and returns 1 if a candidate gains enough. */
static int choose_next(const snk_forward_choice *choice, uint32_t count, uint32_t *chosen, double *residual) {
	double least = (1 - choice->least_gain) * *residual;
	uint32_t best = SNW_NONE;
	for (uint32_t k = 0; k < choice->candidate_count; k++) {
		if (is_taken(k, count, chosen)) {
			continue;
		}
		chosen[count] = k;
		const double with = choice->residual(choice->context, count + 1, chosen);
		if (with < least) {
			least = with;
			best = k;
		}
	}
	if (best != SNW_NONE) {
		chosen[count] = best;
		*residual = least;
	}
	return best != SNW_NONE;
}

uint32_t snk_choose_forward(const snk_forward_choice *choice, uint32_t *chosen) {
	double residual = choice->before;
	uint32_t count = 0;
	while (count < choice->most && choose_next(choice, count, chosen, &residual)) {
		count++;
	}
	return count;
}

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

uint32_t snk_samples_deal(uint32_t count, uint32_t block_count, uint32_t fold_count, unsigned char *folds) {
	const uint32_t blocks = count < block_count ? count : block_count, used = blocks < fold_count ? blocks : fold_count;
	for (uint32_t s = 0; s < count; s++) {
		folds[s] = (unsigned char)((uint64_t)s * blocks / count % used);
	}
	return used;
}

snw_status snk_samples_without(const snk_sample *samples, uint32_t count, const unsigned char *folds, uint32_t fold,
							   snw_pool *pool, const snk_sample **chosen, uint32_t *chosen_count) {
	snk_sample *others = SNW_POOL_ARRAY(pool, snk_sample, count);
	int is_begun = 0; /* whether the motion of the sample has a chosen one already */
	*chosen = others;
	*chosen_count = 0;
	for (uint32_t s = 0; others && s < count; s++) {
		is_begun = is_begun && samples[s].continues;
		if (folds[s] != fold) {
			others[*chosen_count] = samples[s];
			others[(*chosen_count)++].continues = is_begun;
			is_begun = 1;
		}
	}
	return others ? SNW_OK : SNW_ERROR_MEMORY;
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

/* ---- residuals ----------------------------------------------------------------------------------------------------------- */

enum { GRAIN = 512, ROUNDS = 4 };
/* As defined in sinew/kit/numerics/eigen.h. Matrices that are far from flat are simply inverted. */
static const double ratio = 0.1, longest = 2, plain_ratio = 1e-6, plain_longest = 6;

snw_status snk_residuals_open(const snw_host *host, const snw_character_view *character, uint32_t mesh, snw_pool *pool,
							  snk_residuals *residuals) {
	const size_t points = character->meshes[mesh]->point_count;
	const snk_residuals opened = {.host = host,
								  .below = (const snw_below_service *)host->service(host, SNW_SERVICE_BELOW),
								  .mesh = character->meshes[mesh],
								  .mesh_index = mesh,
								  .is_affine = 1,
								  .rest = SNW_POOL_ARRAY(pool, double, 3 * points),
								  .posed = SNW_POOL_ARRAY(pool, double, 3 * points),
								  .matrices = SNW_POOL_ARRAY(pool, double, 12 * points)};
	*residuals = opened;
	return pool->failed ? SNW_ERROR_MEMORY : opened.below ? SNW_OK : SNW_ERROR_MISSING;
}

/* Where the layers below put `rest` at the pose of the sample: into `posed`. */
static snw_status deform_rest(const snk_residuals *r) {
	const snw_below_call call = {.size = sizeof call,
								 .mesh = r->mesh_index,
								 .pose_count = 1,
								 .poses = &r->sample->pose,
								 .count = r->mesh->point_count,
								 .points_rest = r->rest,
								 .points_posed = r->posed};
	return r->below->deform(r->host, &call);
}

static void begin_sample(snk_residuals *r, const snk_sample *sample) {
	r->sample = sample;
	memcpy(r->rest, r->mesh->points_rest, 3 * (size_t)r->mesh->point_count * sizeof *r->rest);
}

snw_status snk_residuals_posed(snk_residuals *residuals, const snk_sample *sample, double *posed) {
	begin_sample(residuals, sample);
	const snw_status status = deform_rest(residuals);
	for (uint32_t i = 0; !snk_failed(status) && i < residuals->mesh->point_count; i++) {
		snk_sample_point(sample, i, posed + 3 * (size_t)i);
		for (size_t c = 0; c < 3; c++) {
			posed[3 * (size_t)i + c] -= residuals->posed[3 * (size_t)i + c];
		}
	}
	return status;
}

/* ---- offsets of the rest ------------------------------------------------------------------------------------------------- */

/* A mesh without a skin follows nothing. */
static void SNW_CALL find_base_matrices(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const snk_residuals *r = (const snk_residuals *)argument;
	const snw_mesh_view *mesh = r->mesh;
	for (uint32_t i = begin; i < end; i++) {
		double m[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
		if (mesh->influence_offsets) {
			snk_linear_part(mesh->influence_offsets, mesh->influence_slots, mesh->influence_weights, r->sample->pose->palette,
							i, m);
		}
		for (size_t row = 0; row < 3; row++) {
			memcpy(r->matrices + 12 * (size_t)i + 4 * row, m + 3 * row, 3 * sizeof *m);
		}
	}
}

static snw_status find_matrices(snk_residuals *r) {
	const snw_below_matrices_call call = {.size = sizeof call,
										  .mesh = r->mesh_index,
										  .pose = r->sample->pose,
										  .count = r->mesh->point_count,
										  .matrices = r->matrices};
	const snw_status status = r->is_affine ? r->below->matrices(r->host, &call) : SNW_ERROR_UNSUPPORTED;
	if (status == SNW_ERROR_UNSUPPORTED) {
		r->is_affine = 0;
		snk_ranges_run(r->host, r->mesh->point_count, GRAIN, find_base_matrices, r);
		return SNW_OK;
	}
	return status;
}

/* Corrects the rest points by the remaining error of their posed positions. */
static void SNW_CALL add_gaps(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const snk_residuals *r = (const snk_residuals *)argument;
	for (uint32_t i = begin; i < end; i++) {
		const double *m = r->matrices + 12 * (size_t)i;
		const double linear[9] = {m[0], m[1], m[2], m[4], m[5], m[6], m[8], m[9], m[10]};
		double gap[3], d[3], inverse[9];
		snk_sample_point(r->sample, i, gap);
		for (size_t c = 0; c < 3; c++) {
			gap[c] -= r->posed[3 * (size_t)i + c];
		}
		if (snk_svd3_inverse(linear, plain_ratio, plain_longest, inverse)) {
			for (size_t row = 0; row < 3; row++) {
				d[row] = snw_dot3(inverse + 3 * row, gap);
			}
		} else {
			snk_svd3 svd;
			snk_svd3_compute(linear, &svd);
			snk_svd3_solve(&svd, ratio, longest, gap, d);
		}
		for (size_t c = 0; c < 3; c++) {
			r->rest[3 * (size_t)i + c] += d[c];
		}
	}
}

snw_status snk_residuals_rest(snk_residuals *residuals, const snk_sample *sample, double *offsets) {
	begin_sample(residuals, sample);
	snw_status status = find_matrices(residuals);
	const int rounds = residuals->is_affine ? 1 : ROUNDS;
	for (int round = 0; !snk_failed(status) && round < rounds; round++) {
		status = deform_rest(residuals);
		if (!snk_failed(status)) {
			snk_ranges_run(residuals->host, residuals->mesh->point_count, GRAIN, add_gaps, residuals);
		}
	}
	for (size_t i = 0; !snk_failed(status) && i < 3 * (size_t)residuals->mesh->point_count; i++) {
		offsets[i] = residuals->rest[i] - residuals->mesh->points_rest[i];
	}
	return status;
}
