/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Morph weights over clips. Imported channels keep their tracks. Weights that a pose drives are sampled so densely that linear
 * interpolation is within a thousandth of them, or moves no point by more than a few millionths of the diagonal; with a pair of
 * keys at each jump of a step track.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "export/plan/passes.h"
#include "pose/clip.h"
#include "pose/pose.h"
#include "sinew/algebra.h"

/* Half of the documented tolerances for weights and distances; the other half is for keys that are not written. Distances are
 * in units of the diagonal: no weight may move a point farther than the larger one, and less than the smaller one is not
 * asked of any. */
static const double WEIGHT_TOLERANCE = 0.5e-3;
static const double DISTANCE_TOLERANCE = 0.3e-4;
static const double SMALL_DISTANCE = 0.3e-5;
static const uint32_t SAMPLE_HALVINGS = 9;

/* ---- imported tracks ----------------------------------------------------------------------------------------------------- */

static const snw_track *find_track(const snw_clip *clip, uint32_t channel) {
	for (uint32_t t = 0; t < clip->track_count; t++) {
		if (clip->tracks[t].path == SNW_PATH_CHANNEL && clip->tracks[t].target == channel && clip->tracks[t].key_count > 0) {
			return &clip->tracks[t];
		}
	}
	return NULL;
}

bool snw_plan_weights_are_tracks(const snw_plan_mesh *mesh, const snw_clip *clip, const snw_track **tracks) {
	const snw_track *first = NULL;
	for (uint32_t t = 0; t < mesh->morph_count; t++) {
		if (mesh->morphs[t].channel == SNW_NONE || mesh->splits_channels) {
			return false;
		}
		tracks[t] = find_track(clip, mesh->morphs[t].channel);
		if (!tracks[t]) {
			continue;
		}
		first = first ? first : tracks[t];
		if (tracks[t]->interpolation != first->interpolation || tracks[t]->key_count != first->key_count ||
			memcmp(tracks[t]->seconds, first->seconds, first->key_count * sizeof *first->seconds) != 0) {
			return false;
		}
	}
	return true;
}

static bool is_clamped(double weight) {
	return weight < -SNW_PLAN_CHANNEL_CLAMPED || weight > 1 + SNW_PLAN_CHANNEL_CLAMPED;
}

/* Whether an engine would clamp a weight of the track; between cubic keys too. */
static bool track_is_clamped(const snw_track *track) {
	enum { PARTS = 8 };
	bool clamped = false;
	for (uint32_t k = 0; k < track->key_count && !clamped; k++) {
		const double begin = track->seconds[k], end = k + 1 < track->key_count ? track->seconds[k + 1] : begin;
		for (int part = 0; part < (track->interpolation == SNW_CUBIC ? PARTS : 1); part++) {
			double value[4];
			snw_track_sample(track, begin + (end - begin) * part / PARTS, value);
			clamped = clamped || is_clamped(value[0]);
		}
	}
	return clamped;
}

static bool channel_is_clamped(const snw_plan *plan, uint32_t channel) {
	bool clamped = is_clamped(plan->rest->channels[channel]) || is_clamped(plan->scene->channels[channel].initial);
	for (uint32_t c = 0; c < plan->clip_count && !clamped; c++) {
		const snw_track *track = find_track(&plan->scene->clips[plan->clips[c]], channel);
		clamped = track && track_is_clamped(track);
	}
	return clamped;
}

/* Imported tracks are of whole morph targets, so weights that are split are sampled. */
static void find_split_channels(snw_plan *plan) {
	const snw_engine *engine = plan->request->engine ? plan->request->engine : snw_engine_any();
	for (uint32_t m = 0; m < plan->mesh_count && engine->clamps_weights; m++) {
		snw_plan_mesh *mesh = &plan->meshes[m];
		for (uint32_t t = 0; t < mesh->morph_count; t++) {
			const uint32_t channel = mesh->morphs[t].channel;
			mesh->splits_channels = mesh->splits_channels || (channel != SNW_NONE && channel_is_clamped(plan, channel));
		}
	}
}

/* ---- sampling ------------------------------------------------------------------------------------------------------------ */

typedef struct sampler {
	const snw_plan *plan;
	uint32_t clip; /* of the scene */
	const snw_clip_sampler *poses;
	snw_plan_samples *samples;
	double clip_index;        /* among the plan's */
	const double *tolerances; /* [weight_count] */
} sampler;

/* The tolerance of each weight: smaller if its morph target moves points far, larger if it hardly moves any. */
static double *find_tolerances(const snw_plan *plan) {
	double *tolerances = SNW_NEW_ARRAY(plan->arena, double, plan->weight_count);
	for (uint32_t m = 0; m < plan->mesh_count; m++) {
		const snw_plan_mesh *mesh = &plan->meshes[m];
		for (uint32_t t = 0; t < mesh->morph_count; t++) {
			double farthest = 0;
			for (uint32_t i = 0; i < mesh->morphs[t].count; i++) {
				farthest = fmax(farthest, snw_length3(mesh->morphs[t].vectors + 3 * (size_t)i));
			}
			const double least = SMALL_DISTANCE * mesh->diagonal / farthest,
						 most = DISTANCE_TOLERANCE * mesh->diagonal / farthest;
			tolerances[mesh->first_weight + t] = farthest > 0 ? fmin(fmax(WEIGHT_TOLERANCE, least), most) : WEIGHT_TOLERANCE;
		}
	}
	return tolerances;
}

static snw_status weights_at(const sampler *s, double seconds, double *weights, snw_error *error) {
	snw_arena *arena = snw_arena_create();
	const snw_pose *pose = snw_clip_sampler_pose(s->poses, seconds, arena);
	const snw_pose_view *view;
	const snw_status status = snw_plan_drive(s->plan, pose, arena, &view, error);
	if (!snw_failed(status)) {
		snw_plan_driven_weights(s->plan, weights);
	}
	snw_arena_destroy(arena);
	return status;
}

static void add_sample(const sampler *s, double seconds, const double *weights) {
	snw_plan_samples *samples = s->samples;
	const uint32_t width = s->plan->weight_count;
	if (samples->count == samples->capacity) {
		const snw_plan_samples old = *samples;
		samples->capacity = old.capacity ? 2 * old.capacity : 64;
		samples->seconds = SNW_NEW_ARRAY(s->plan->arena, double, samples->capacity);
		samples->weights = SNW_NEW_ARRAY(s->plan->arena, double, (size_t)samples->capacity *width);
		if (old.count > 0) {
			memcpy(samples->seconds, old.seconds, old.count * sizeof *old.seconds);
			memcpy(samples->weights, old.weights, (size_t)old.count * width * sizeof *old.weights);
		}
	}
	samples->seconds[samples->count] = seconds;
	memcpy(samples->weights + (size_t)samples->count * width, weights, width * sizeof *weights);
	samples->count++;
}

static bool is_between(const sampler *s, const double *a, const double *b, double fraction, const double *between) {
	for (uint32_t i = 0; i < s->plan->weight_count; i++) {
		if (!(fabs(a[i] + fraction * (b[i] - a[i]) - between[i]) <= s->tolerances[i])) {
			return false;
		}
	}
	return true;
}

/* Adds the samples needed between two moments, without those two. */
static snw_status refine_samples(const sampler *s, double begin, const double *at_begin, double end, const double *at_end,
								 uint32_t depth, snw_error *error) {
	const double middle = (double)(float)(0.5 * (begin + end));
	if (depth == SAMPLE_HALVINGS || middle <= begin || middle >= end) {
		return SNW_OK;
	}
	const uint32_t width = s->plan->weight_count;
	snw_arena *arena = snw_arena_create();
	double *at_middle = SNW_NEW_ARRAY(arena, double, width), *between = SNW_NEW_ARRAY(arena, double, width);
	snw_status status = weights_at(s, middle, at_middle, error);
	bool is_linear = !snw_failed(status) && is_between(s, at_begin, at_end, (middle - begin) / (end - begin), at_middle);
	for (int quarter = 1; quarter <= 3 && is_linear && !snw_failed(status); quarter += 2) {
		status = weights_at(s, begin + 0.25 * quarter * (end - begin), between, error);
		is_linear = !snw_failed(status) && is_between(s, at_begin, at_end, 0.25 * quarter, between);
	}
	if (!snw_failed(status) && !is_linear) {
		status = refine_samples(s, begin, at_begin, middle, at_middle, depth + 1, error);
		if (!snw_failed(status)) {
			add_sample(s, middle, at_middle);
			status = refine_samples(s, middle, at_middle, end, at_end, depth + 1, error);
		}
	}
	snw_arena_destroy(arena);
	return status;
}

static bool jumps_at(const snw_clip *clip, double seconds) {
	for (uint32_t t = 0; t < clip->track_count; t++) {
		const snw_track *track = &clip->tracks[t];
		const uint32_t key = track->interpolation == SNW_STEP ? snw_track_key(track, seconds) : 0;
		if (key > 0 && track->seconds[key] == seconds) {
			return true;
		}
	}
	return false;
}

/* Samples from the last sample to the clip's next key. */
static snw_status sample_to_key(const sampler *s, double key, double *at_begin, double *at_end, snw_error *error) {
	const uint32_t width = s->plan->weight_count;
	const double begin = s->samples->seconds[s->samples->count - 1], end = (double)(float)key;
	memcpy(at_begin, s->samples->weights + (size_t)(s->samples->count - 1) * width, width * sizeof *at_begin);
	snw_status status = SNW_OK;
	if (!s->samples->step && jumps_at(&s->plan->scene->clips[s->clip], key)) {
		/* The last float before the jump. */
		const double before = (double)nextafterf((float)key, -1);
		if (before > begin) {
			status = weights_at(s, fmin(before, nextafter(key, -1)), at_end, error);
			status = snw_failed(status) ? status : refine_samples(s, begin, at_begin, before, at_end, 0, error);
			if (!snw_failed(status)) {
				add_sample(s, before, at_end);
			}
		}
		status = snw_failed(status) ? status : weights_at(s, key, at_end, error);
	} else {
		status = weights_at(s, key, at_end, error);
		if (!snw_failed(status) && !s->samples->step) {
			status = refine_samples(s, begin, at_begin, end, at_end, 0, error);
		}
	}
	if (!snw_failed(status)) {
		add_sample(s, end, at_end);
	}
	return status;
}

/* Whether all tracks are constant between keys. Not for a clip without tracks: a model can be driven by time. */
static bool is_step_clip(const snw_clip *clip) {
	for (uint32_t t = 0; t < clip->track_count; t++) {
		if (clip->tracks[t].interpolation != SNW_STEP && clip->tracks[t].key_count > 1) {
			return false;
		}
	}
	return clip->track_count > 0;
}

static snw_status sample_clip(const sampler *s, bool sampled, snw_error *error) {
	const snw_clip *clip = &s->plan->scene->clips[s->clip];
	const uint32_t width = s->plan->weight_count;
	snw_arena *arena = snw_arena_create();
	double *keys = NULL, *at_begin = SNW_NEW_ARRAY(arena, double, width), *at_end = SNW_NEW_ARRAY(arena, double, width);
	uint32_t key_count = 0;
	snw_plan_moments(s->plan, s->clip, arena, &keys, &key_count);
	/* Without sampling, the keys alone are kept, as moments at which playback is compared. */
	s->samples->step = !sampled || is_step_clip(clip);
	snw_status status = SNW_OK;
	for (uint32_t k = 0; k < key_count && !snw_failed(status); k++) {
		if (s->samples->count > 0 && (double)(float)keys[k] <= s->samples->seconds[s->samples->count - 1]) {
			continue; /* two keys at the same float */
		}
		const double fraction = (s->clip_index + (double)k / key_count) / s->plan->clip_count;
		if (!snw_plan_progress(s->plan, SNW_PLAN_SAMPLES_WEIGHTS, fraction)) {
			status = SNW_CANCELLED;
			break;
		}
		if (!sampled) {
			add_sample(s, (double)(float)keys[k], s->plan->rest_weights);
		} else if (s->samples->count > 0) {
			status = sample_to_key(s, keys[k], at_begin, at_end, error);
		} else {
			status = weights_at(s, keys[k], at_end, error);
			if (!snw_failed(status)) {
				add_sample(s, (double)(float)keys[k], at_end);
			}
		}
	}
	snw_arena_destroy(arena);
	return status;
}

static bool needs_samples(const snw_plan *plan, const snw_clip *clip) {
	bool needed = false;
	if (plan->request->plays_drives) {
		return false;
	}
	for (uint32_t m = 0; m < plan->mesh_count && !needed; m++) {
		const snw_track **tracks = calloc(plan->meshes[m].morph_count + 1, sizeof *tracks);
		needed = !tracks || !snw_plan_weights_are_tracks(&plan->meshes[m], clip, tracks);
		free(tracks);
	}
	return needed;
}

snw_status snw_plan_sample_weights(snw_plan *plan, snw_error *error) {
	plan->samples = SNW_NEW_ARRAY(plan->arena, snw_plan_samples, plan->clip_count);
	const double *tolerances = find_tolerances(plan);
	find_split_channels(plan);
	for (uint32_t c = 0; c < plan->clip_count; c++) {
		const sampler s = {
			.plan = plan,
			.clip = plan->clips[c],
			.poses = plan->samplers[c],
			.samples = &plan->samples[c],
			.clip_index = c,
			.tolerances = tolerances,
		};
		const snw_status status = sample_clip(&s, needs_samples(plan, &plan->scene->clips[plan->clips[c]]), error);
		if (snw_failed(status)) {
			return status;
		}
	}
	snw_plan_thin_weights(plan, tolerances);
	return SNW_OK;
}
