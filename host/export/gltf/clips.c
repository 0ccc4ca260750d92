/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Clips: tracks with their interpolation, and the weights of all morph targets of a node in one track.
 */
#include <string.h>

#include "export/gltf/writer.h"
#include "sinew/algebra.h"

/* One clip being written. Tracks keyed at the same times share their accessor. */
typedef struct clip_writer {
	const snw_gltf_writer *file;
	const snw_plan *plan;
	snw_arena *arena;
	const snw_clip *clip;
	uint32_t index; /* of the clip in the plan */
	cJSON *samplers, *channels;
	uint32_t sampler_count;
	uint32_t time_count;
	struct clip_times {
		uint32_t count, accessor;
		const float *seconds;
	} * times;
} clip_writer;

static uint32_t write_times(clip_writer *w, uint32_t count, const float *seconds) {
	for (uint32_t t = 0; t < w->time_count; t++) {
		if (w->times[t].count == count && memcmp(w->times[t].seconds, seconds, count * sizeof *seconds) == 0) {
			return w->times[t].accessor;
		}
	}
	const uint32_t accessor = snw_gltf_floats(w->file->document, SNW_GLTF_CLIP, 1, count, seconds, true);
	w->times[w->time_count++] = (struct clip_times){count, accessor, seconds};
	return accessor;
}

static void write_channel(clip_writer *w, uint32_t node, const char *path, int32_t interpolation, uint32_t key_count,
						  const float *seconds, uint32_t width, uint32_t value_count, const float *values) {
	static const char *const names[] = {"STEP", "LINEAR", "CUBICSPLINE"};
	cJSON *sampler = snw_gltf_put_object(w->file->document, w->samplers, NULL);
	snw_gltf_put_number(w->file->document, sampler, "input", write_times(w, key_count, seconds));
	if (interpolation != SNW_LINEAR) {
		snw_gltf_put_text(w->file->document, sampler, "interpolation", names[interpolation]);
	}
	snw_gltf_put_number(w->file->document, sampler, "output",
						snw_gltf_floats(w->file->document, SNW_GLTF_CLIP, width, value_count, values, false));
	cJSON *channel = snw_gltf_put_object(w->file->document, w->channels, NULL);
	snw_gltf_put_number(w->file->document, channel, "sampler", w->sampler_count++);
	cJSON *target = snw_gltf_put_object(w->file->document, channel, "target");
	snw_gltf_put_number(w->file->document, target, "node", node);
	snw_gltf_put_text(w->file->document, target, "path", path);
}

/* The keys whose times still increase as floats. */
static uint32_t keep_keys(const clip_writer *w, const snw_track *track, float **seconds, uint32_t **chosen) {
	*seconds = SNW_NEW_ARRAY(w->arena, float, track->key_count);
	*chosen = SNW_NEW_ARRAY(w->arena, uint32_t, track->key_count);
	uint32_t count = 0;
	for (uint32_t k = 0; k < track->key_count; k++) {
		const float second = (float)track->seconds[k];
		if (second >= 0 && (count == 0 || second > (*seconds)[count - 1])) {
			(*seconds)[count] = second;
			(*chosen)[count++] = k;
		}
	}
	return count;
}

/* The interpolation that is written. A cubic track needs two keys; with one key it is constant. */
static int32_t written_interpolation(const snw_track *track, uint32_t chosen) {
	return track->interpolation == SNW_CUBIC && chosen < 2 ? SNW_STEP : track->interpolation;
}

static void write_joint_track(clip_writer *w, const snw_track *track, uint32_t node) {
	static const char *const paths[] = {"translation", "rotation", "scale"};
	const size_t width = track->path == SNW_PATH_ROTATION ? 4 : 3;
	float *seconds;
	uint32_t *chosen;
	const uint32_t count = keep_keys(w, track, &seconds, &chosen);
	if (count == 0) {
		return;
	}
	const int32_t interpolation = written_interpolation(track, count);
	const size_t stored = track->interpolation == SNW_CUBIC ? 3 : 1, written = interpolation == SNW_CUBIC ? 3 : 1;
	float *values = SNW_NEW_ARRAY(w->arena, float, count *written *width);
	for (uint32_t k = 0; k < count; k++) {
		const double *source = track->values + (chosen[k] * stored + (stored - written) / 2) * width;
		double rotation[4] = {0, 0, 0, 1};
		if (width == 4 && written == 1) {
			memcpy(rotation, source, sizeof rotation);
			snw_quat_normalize(rotation);
			source = rotation;
		}
		for (size_t i = 0; i < written * width; i++) {
			values[k * written * width + i] = (float)source[i];
		}
	}
	write_channel(w, node, paths[track->path], interpolation, count, seconds, (uint32_t)width, (uint32_t)(count * written),
				  values);
}

/* Imported channels with common keys: the same keys, interleaved. */
static void write_weight_tracks(clip_writer *w, uint32_t m, const snw_track *const *tracks) {
	const snw_plan_mesh *mesh = &w->plan->meshes[m];
	const snw_track *first = NULL;
	for (uint32_t t = 0; t < mesh->morph_count; t++) {
		first = first ? first : tracks[t];
	}
	float *seconds;
	uint32_t *chosen;
	const uint32_t count = first ? keep_keys(w, first, &seconds, &chosen) : 0;
	if (count == 0) {
		return;
	}
	const int32_t interpolation = written_interpolation(first, count);
	const size_t stored = first->interpolation == SNW_CUBIC ? 3 : 1, written = interpolation == SNW_CUBIC ? 3 : 1;
	const size_t width = mesh->morph_count;
	float *values = SNW_NEW_ARRAY(w->arena, float, count *written *width);
	for (uint32_t k = 0; k < count; k++) {
		for (size_t part = 0; part < written; part++) {
			for (uint32_t t = 0; t < width; t++) {
				const bool is_value = written == 1 || part == 1;
				double value = is_value ? w->plan->scene->channels[mesh->morphs[t].channel].initial : 0;
				if (tracks[t]) {
					value = tracks[t]->values[chosen[k] * stored + (written < stored ? 1 : part)];
				}
				values[(k * written + part) * width + t] = (float)value;
			}
		}
	}
	write_channel(w, w->file->mesh_nodes[m], "weights", interpolation, count, seconds, 1, (uint32_t)(count * written * width),
				  values);
}

/* Sampled weights; not written if they always equal the mesh's default weights. */
static void write_samples(clip_writer *w, uint32_t m, const snw_plan_samples *samples) {
	const snw_plan_mesh *mesh = &w->plan->meshes[m];
	const size_t width = mesh->shape_count, all = w->plan->weight_count;
	const bool *written = samples->written + (size_t)m * samples->count;
	float *seconds = SNW_NEW_ARRAY(w->arena, float, samples->count);
	float *values = SNW_NEW_ARRAY(w->arena, float, samples->count *width);
	uint32_t count = 0;
	bool moves = false;
	for (uint32_t s = 0; s < samples->count; s++) {
		if (!written[s]) {
			continue;
		}
		seconds[count] = (float)samples->seconds[s];
		for (size_t t = 0; t < width; t++) {
			const snw_plan_shape *shape = &mesh->shapes[t];
			const size_t weight = mesh->first_weight + shape->morph;
			const float value = (float)snw_plan_shape_weight(shape, samples->weights[s * all + weight]);
			values[count * width + t] = value;
			moves = moves || value != (float)snw_plan_shape_weight(shape, w->plan->rest_weights[weight]);
		}
		count++;
	}
	if (moves) {
		write_channel(w, w->file->mesh_nodes[m], "weights", samples->step ? SNW_STEP : SNW_LINEAR, count, seconds, 1,
					  (uint32_t)(count * width), values);
	}
}

static void write_weights(clip_writer *w, uint32_t m, const snw_plan_samples *samples) {
	const snw_plan_mesh *mesh = &w->plan->meshes[m];
	const snw_track **tracks = SNW_NEW_ARRAY(w->arena, const snw_track *, mesh->morph_count);
	if (mesh->shape_count == 0 || samples->count == 0) {
		return;
	}
	if (snw_plan_weights_are_tracks(mesh, w->clip, tracks)) {
		write_weight_tracks(w, m, tracks);
	} else {
		write_samples(w, m, samples);
	}
}

static void write_clip(clip_writer *w, const snw_plan_samples *samples) {
	const uint32_t *joint_nodes = w->file->nodes.joints;
	uint32_t count;
	const snw_track **tracks = snw_plan_joint_tracks(w->plan, w->index, w->arena, &count);
	for (uint32_t t = 0; t < count; t++) {
		write_joint_track(w, tracks[t], joint_nodes[tracks[t]->target]);
	}
	for (uint32_t m = 0; m < w->plan->mesh_count; m++) {
		write_weights(w, m, samples);
	}
}

void snw_gltf_write_clips(const snw_gltf_writer *writer) {
	snw_gltf_document *document = writer->document;
	const snw_plan *plan = writer->plan;
	for (uint32_t c = 0; c < plan->clip_count; c++) {
		const snw_clip *clip = &plan->scene->clips[plan->clips[c]];
		clip_writer w = {.file = writer, .plan = plan, .arena = snw_arena_create(), .clip = clip, .index = c};
		w.times = SNW_NEW_ARRAY(w.arena, struct clip_times,
								(size_t)clip->track_count + plan->mesh_count + SNW_PLAN_TRACKS * (size_t)plan->rig.joint_count);
		w.samplers = cJSON_CreateArray();
		w.channels = cJSON_CreateArray();
		write_clip(&w, &plan->samples[c]);
		if (w.sampler_count > 0) {
			uint32_t index;
			cJSON *object = snw_gltf_entry(document, "animations", &index);
			snw_gltf_put_text(document, object, "name", clip->name);
			snw_gltf_put_item(document, object, "samplers", w.samplers);
			snw_gltf_put_item(document, object, "channels", w.channels);
		} else {
			snw_task_notice(plan->task, SNW_LOG_WARNING, "clip %s has no keys for exported objects; it is left out",
							clip->name);
			cJSON_Delete(w.samplers);
			cJSON_Delete(w.channels);
		}
		snw_arena_destroy(w.arena);
	}
}
