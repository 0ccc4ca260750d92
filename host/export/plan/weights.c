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

/* ---- thin weights -------------------------------------------------------------------------------------------------------- */

/* Chooses the samples of morph weights that are written as keys. From each key, the line to the next one is extended as long
 * as all samples in between are within their tolerance (Reumann and Witkam's corridor, narrowed by each sample). One pass
 * over the samples. */

typedef struct thinning {
	const snw_plan *plan;
	const snw_plan_mesh *mesh;
	snw_plan_samples *samples;
	const double *tolerances; /* [weight_count] */
	double *low, *high;       /* [morph_count]: the range of slopes of a line from the last key */
	bool *written;            /* [count], of this mesh */
} thinning;

static double *weights_of(const thinning *t, uint32_t sample) {
	return t->samples->weights + (size_t)sample * t->plan->weight_count + t->mesh->first_weight;
}

/* Whether a line from one sample can end at another. Narrows the range of slopes for longer lines. */
static bool reaches(const thinning *t, uint32_t from, uint32_t to) {
	const double *begin = weights_of(t, from), *end = weights_of(t, to);
	const double *tolerances = t->tolerances + t->mesh->first_weight;
	const double seconds = t->samples->seconds[to] - t->samples->seconds[from];
	for (uint32_t i = 0; i < t->mesh->morph_count; i++) {
		const double slope = (end[i] - begin[i]) / seconds;
		if (!(slope >= t->low[i] && slope <= t->high[i])) {
			return false;
		}
		t->low[i] = fmax(t->low[i], slope - tolerances[i] / seconds);
		t->high[i] = fmin(t->high[i], slope + tolerances[i] / seconds);
	}
	return true;
}

static uint32_t find_next_key(const thinning *t, uint32_t from) {
	for (uint32_t i = 0; i < t->mesh->morph_count; i++) {
		t->low[i] = -HUGE_VAL;
		t->high[i] = HUGE_VAL;
	}
	uint32_t next = from + 1;
	while (next < t->samples->count && reaches(t, from, next)) {
		next++;
	}
	return next - 1;
}

/* Sets the samples that are not written to what the file plays there. */
static void put_on_line(const thinning *t, uint32_t from, uint32_t to) {
	const double *begin = weights_of(t, from), *end = weights_of(t, to), *seconds = t->samples->seconds;
	for (uint32_t s = from + 1; s < to; s++) {
		const double part = (seconds[s] - seconds[from]) / (seconds[to] - seconds[from]);
		double *weights = weights_of(t, s);
		for (uint32_t i = 0; i < t->mesh->morph_count; i++) {
			weights[i] = begin[i] + part * (end[i] - begin[i]);
		}
	}
}

/* Constant weights are written where they change. The last sample is kept, because it ends the clip. */
static void thin_held(const thinning *t) {
	const uint32_t count = t->samples->count;
	for (uint32_t s = 0; s < count; s++) {
		t->written[s] = s == 0 || s + 1 == count;
		for (uint32_t i = 0; i < t->mesh->morph_count && !t->written[s]; i++) {
			t->written[s] = weights_of(t, s)[i] != weights_of(t, s - 1)[i];
		}
	}
}

static void thin_linear(const thinning *t) {
	const uint32_t count = t->samples->count;
	uint32_t key = 0;
	t->written[0] = true;
	while (key + 1 < count) {
		const uint32_t next = find_next_key(t, key);
		put_on_line(t, key, next);
		t->written[next] = true;
		key = next;
	}
}

/* Chooses the samples that are written. `tolerances` [weight_count] are for the weights between them. */
static void plan_thin_weights(snw_plan *plan, const double *tolerances) {
	for (uint32_t c = 0; c < plan->clip_count; c++) {
		snw_plan_samples *samples = &plan->samples[c];
		samples->written = SNW_NEW_ARRAY(plan->arena, bool, (size_t)plan->mesh_count * samples->count);
		for (uint32_t m = 0; m < plan->mesh_count && samples->count > 0; m++) {
			const snw_plan_mesh *mesh = &plan->meshes[m];
			const thinning t = {
				.plan = plan,
				.mesh = mesh,
				.samples = samples,
				.tolerances = tolerances,
				.low = SNW_NEW_ARRAY(plan->arena, double, mesh->morph_count),
				.high = SNW_NEW_ARRAY(plan->arena, double, mesh->morph_count),
				.written = samples->written + (size_t)m * samples->count,
			};
			const snw_track **tracks = SNW_NEW_ARRAY(plan->arena, const snw_track *, mesh->morph_count);
			if (snw_plan_weights_are_tracks(mesh, &plan->scene->clips[plan->clips[c]], tracks)) {
				continue; /* written as imported tracks */
			}
			samples->step ? thin_held(&t) : thin_linear(&t);
		}
	}
}

/* ---- weights ------------------------------------------------------------------------------------------------------------- */

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
	plan_thin_weights(plan, tolerances);
	return SNW_OK;
}

/* ---- influences ---------------------------------------------------------------------------------------------------------- */

/* The influences of a mesh in the file: the K largest of each point, normalised; and meshes that follow one slot. */

/* The influences to export: those of the program if it runs on joints, otherwise the mesh's base skin. Offsets are NULL for a
 * mesh that no joint moves. */
static snw_status choose_skin(const snw_plan *plan, const snw_plan_mesh *mesh, snw_plan_skin *source, snw_error *error) {
	const bool blends = mesh->program && mesh->program->blend != SNW_BLEND_NONE;
	const bool is_all = mesh->program && snw_stack_segment_count(plan->stack, mesh->index) == 1;
	*source = (snw_plan_skin){0};
	if (blends && (mesh->runs_on_joints || mesh->proxy_count > 0)) {
		*source = mesh->skin;
	} else if (mesh->mesh->influence_offsets && (blends || !is_all)) {
		*source = (snw_plan_skin){mesh->mesh->influence_offsets, mesh->mesh->influence_slots, mesh->mesh->influence_weights};
	} else if (blends) {
		return snw_fail(error, SNW_ERROR_UNSUPPORTED,
						"mesh %s: its proxy joints need a clip to be fitted to, and it has no other skin that %s can play; "
						"export .pc2, .mdd or numbered .obj",
						mesh->mesh->name, plan->format);
	}
	return SNW_OK;
}

typedef struct ranked_influence {
	uint32_t slot;
	double weight;
} ranked_influence;

/* The influences of one point, each slot once, largest first (equal ones by slot), without those of no positive weight. */
static uint32_t gather_influences(const snw_plan_skin *source, uint32_t point, ranked_influence *list, uint32_t *negative) {
	uint32_t count = 0;
	for (uint32_t i = source->offsets[point]; i < source->offsets[point + 1]; i++) {
		uint32_t at = 0;
		while (at < count && list[at].slot != source->slots[i]) {
			at++;
		}
		if (at == count) {
			list[count++] = (ranked_influence){source->slots[i], 0};
		}
		list[at].weight += source->weights[i];
	}
	uint32_t used = 0;
	for (uint32_t i = 0; i < count; i++) {
		const ranked_influence one = list[i];
		*negative += one.weight < 0;
		if (!(one.weight > 0)) {
			continue;
		}
		uint32_t at = used++;
		while (at > 0 &&
			   (list[at - 1].weight < one.weight || (list[at - 1].weight == one.weight && list[at - 1].slot > one.slot))) {
			list[at] = list[at - 1];
			at--;
		}
		list[at] = one;
	}
	return used;
}

/* Keeps the largest influences and normalises their weights. */
static void keep_largest(snw_plan *plan, snw_plan_mesh *mesh, const snw_plan_skin *source) {
	const uint32_t points = mesh->mesh->point_count;
	uint32_t most = 1;
	for (uint32_t p = 0; p < points; p++) {
		const uint32_t count = source->offsets[p + 1] - source->offsets[p];
		most = count > most ? count : most;
	}
	ranked_influence *list = SNW_NEW_ARRAY(plan->arena, ranked_influence, most);
	mesh->width = most > 4 ? plan->request->influences : 4;
	mesh->slots = SNW_NEW_ARRAY(plan->arena, uint32_t, (size_t)points * mesh->width);
	mesh->weights = SNW_NEW_ARRAY(plan->arena, float, (size_t)points * mesh->width);
	bool rigid = true;
	for (uint32_t p = 0; p < points; p++) {
		uint32_t *slots = mesh->slots + (size_t)p * mesh->width;
		float *weights = mesh->weights + (size_t)p * mesh->width;
		uint32_t count = gather_influences(source, p, list, &plan->report.dropped_influences);
		plan->report.dropped_influences += count > mesh->width ? count - mesh->width : 0;
		count = count > mesh->width ? mesh->width : count;
		double sum = 0;
		for (uint32_t i = 0; i < count; i++) {
			sum += list[i].weight;
		}
		for (uint32_t i = 0; i < count; i++) {
			slots[i] = mesh->proxy_count > 0 ? mesh->first_slot + mesh->proxy_of_slot[list[i].slot] : list[i].slot;
			weights[i] = (float)(list[i].weight / sum);
		}
		if (count == 0) {
			slots[0] = mesh->first_slot;
			weights[0] = 1; /* every point of a skin needs an influence */
		}
		rigid = rigid && count == 1 && slots[0] == mesh->slots[0];
	}
	mesh->placement = SNW_PLAN_SKINNED;
	mesh->slot = rigid ? mesh->slots[0] : SNW_NONE;
}

static bool blends_dual_quaternions(const snw_plan *plan, const snw_plan_mesh *mesh) {
	return plan->request->plays_dual_quaternions && mesh->program && mesh->program->blend == SNW_BLEND_DUAL_QUATERNION &&
		   mesh->program->sign_rule == SNW_SIGN_SHORTEST && mesh->runs_on_joints;
}

/* The program of the influences that were kept. */
static const snw_program *dual_quaternions_of(const snw_plan *plan, const snw_plan_mesh *mesh) {
	const uint32_t points = mesh->mesh->point_count;
	uint32_t *offsets = SNW_NEW_ARRAY(plan->arena, uint32_t, (size_t)points + 1);
	uint32_t *slots = SNW_NEW_ARRAY(plan->arena, uint32_t, (size_t)points * mesh->width);
	double *weights = SNW_NEW_ARRAY(plan->arena, double, (size_t)points * mesh->width);
	for (uint32_t p = 0; p < points; p++) {
		uint32_t end = offsets[p];
		for (size_t at = (size_t)p * mesh->width; at < ((size_t)p + 1) * mesh->width && mesh->weights[at] > 0; at++) {
			slots[end] = mesh->slots[at];
			weights[end++] = (double)mesh->weights[at];
		}
		offsets[p + 1] = end;
	}
	snw_program *program = SNW_NEW(plan->arena, snw_program);
	*program = (snw_program){.point_count = points,
							 .blend = SNW_BLEND_DUAL_QUATERNION,
							 .sign_rule = SNW_SIGN_SHORTEST,
							 .slot_count = mesh->program->slot_count,
							 .points_rest = mesh->points_rest,
							 .influence_offsets = offsets,
							 .influence_slots = slots,
							 .influence_weights = weights};
	return program;
}

snw_status snw_plan_keep_influences(snw_plan *plan, snw_plan_mesh *mesh, snw_error *error) {
	snw_plan_skin source;
	const snw_status status = choose_skin(plan, mesh, &source, error);
	if (!snw_failed(status) && source.offsets) {
		keep_largest(plan, mesh, &source);
		mesh->dual_quaternions = blends_dual_quaternions(plan, mesh) ? dual_quaternions_of(plan, mesh) : NULL;
	}
	return status;
}

/* A mesh that follows one slot can be a node's mesh (it has the joint's name) or skinned like others (a head), and is exported
 * as it was imported. If no mesh needs a skin, none has one. */
void snw_plan_place_rigid_meshes(snw_plan *plan) {
	bool skins = false;
	for (uint32_t m = 0; m < plan->mesh_count; m++) {
		skins = skins || (plan->meshes[m].placement == SNW_PLAN_SKINNED && plan->meshes[m].slot == SNW_NONE);
	}
	for (uint32_t m = 0; m < plan->mesh_count; m++) {
		snw_plan_mesh *mesh = &plan->meshes[m];
		if (mesh->slot == SNW_NONE) {
			continue;
		}
		const char *joint = plan->rig.names[plan->rig.slot_joints[mesh->slot]];
		if (!skins || strcmp(joint, mesh->mesh->name) == 0) {
			mesh->placement = SNW_PLAN_RIGID;
		}
	}
}
