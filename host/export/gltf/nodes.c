/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Nodes: each joint is a node, with its name and its transform in the default pose.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "export/gltf/writer.h"
#include "sinew/algebra.h"

/* ---- nodes --------------------------------------------------------------------------------------------------------------- */

uint32_t snw_gltf_add_node(snw_gltf_writer *writer, const char *name, uint32_t parent) {
	snw_gltf_document *document = writer->document;
	snw_gltf_written_nodes *nodes = &writer->nodes;
	uint32_t index;
	cJSON *object = snw_gltf_entry(document, "nodes", &index);
	if (name && name[0]) {
		snw_gltf_put_text(document, object, "name", name);
	}
	if (parent != SNW_NONE) {
		if (!nodes->children[parent]) {
			nodes->children[parent] = snw_gltf_put_array(document, nodes->objects[parent], "children");
		}
		snw_gltf_put_number(document, nodes->children[parent], NULL, index);
	} else {
		snw_gltf_put_number(document, nodes->roots, NULL, index);
	}
	nodes->objects[index] = object;
	nodes->count = index + 1;
	return index;
}

static void write_transform(snw_gltf_document *document, cJSON *node, const snw_transform *transform) {
	static const snw_transform identity = {.rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
	if (memcmp(transform->translation, identity.translation, sizeof identity.translation) != 0) {
		snw_gltf_put_numbers(document, node, "translation", transform->translation, 3);
	}
	if (memcmp(transform->rotation, identity.rotation, sizeof identity.rotation) != 0) {
		snw_gltf_put_numbers(document, node, "rotation", transform->rotation, 4);
	}
	if (memcmp(transform->scale, identity.scale, sizeof identity.scale) != 0) {
		snw_gltf_put_numbers(document, node, "scale", transform->scale, 3);
	}
}

void snw_gltf_write_nodes(snw_gltf_writer *writer) {
	snw_gltf_document *document = writer->document;
	snw_gltf_written_nodes *nodes = &writer->nodes;
	const snw_plan_rig *rig = &writer->plan->rig;
	/* At most one node more for each mesh, slot, camera and light, and one over all roots. */
	const size_t most =
		(size_t)rig->joint_count + writer->plan->mesh_count + rig->slot_count + writer->plan->scene->kept_node_count + 1;
	nodes->joints = SNW_NEW_ARRAY(writer->arena, uint32_t, rig->joint_count);
	nodes->objects = SNW_NEW_ARRAY(writer->arena, cJSON *, most);
	nodes->children = SNW_NEW_ARRAY(writer->arena, cJSON *, most);
	nodes->has_mesh = SNW_NEW_ARRAY(writer->arena, bool, most);
	uint32_t index;
	snw_gltf_put_number(document, snw_gltf_root(document), "scene", 0);
	nodes->roots = snw_gltf_put_array(document, snw_gltf_entry(document, "scenes", &index), "nodes");
	for (uint32_t i = 0; i < rig->joint_count; i++) {
		const uint32_t joint = rig->order[i], parent = rig->parents[joint];
		if (rig->is_left_out[joint]) {
			continue;
		}
		nodes->joints[joint] =
			snw_gltf_add_node(writer, rig->names[joint], parent == SNW_NONE ? SNW_NONE : nodes->joints[parent]);
		write_transform(document, nodes->objects[nodes->joints[joint]], &rig->local[joint]);
	}
}

/* ---- skins --------------------------------------------------------------------------------------------------------------- */

/* Skins: the plan's sets of slots, with their inverse binds. */

static uint32_t root_of(const snw_plan_rig *skeleton, uint32_t joint) {
	while (skeleton->parents[joint] != SNW_NONE) {
		joint = skeleton->parents[joint];
	}
	return joint;
}

/* glTF requires a common root for the joints of a skin; a character with several roots gets an additional node. */
static bool needs_root(const snw_gltf_writer *w) {
	for (uint32_t s = 0; s < w->plan->skin_set_count; s++) {
		uint32_t root = SNW_NONE;
		for (uint32_t slot = 0; slot < w->plan->rig.slot_count; slot++) {
			if (w->plan->skin_sets[s].has[slot]) {
				const uint32_t other = root_of(&w->plan->rig, w->plan->rig.slot_joints[slot]);
				if (root != SNW_NONE && root != other) {
					return true;
				}
				root = other;
			}
		}
	}
	return false;
}

static void add_root(snw_gltf_writer *w) {
	while (cJSON_GetArraySize(w->nodes.roots) > 0) {
		cJSON_DeleteItemFromArray(w->nodes.roots, 0);
	}
	const uint32_t root = snw_gltf_add_node(w, "skeleton", SNW_NONE);
	w->nodes.children[root] = snw_gltf_put_array(w->document, w->nodes.objects[root], "children");
	for (uint32_t i = 0; i < w->plan->rig.joint_count; i++) {
		const uint32_t joint = w->plan->rig.order[i];
		if (w->plan->rig.parents[joint] == SNW_NONE && !w->plan->rig.is_left_out[joint]) {
			snw_gltf_put_number(w->document, w->nodes.children[root], NULL, w->nodes.joints[joint]);
		}
	}
}

typedef struct skin_joint {
	uint32_t node, slot;
} skin_joint;

static int compare_joints(const void *a, const void *b) {
	const skin_joint *x = a, *y = b;
	return x->node != y->node ? (x->node > y->node) - (x->node < y->node) : (x->slot > y->slot) - (x->slot < y->slot);
}

static void write_skin(snw_gltf_writer *w, const snw_plan_skin_set *set, snw_gltf_written_skin *skin) {
	const snw_plan_rig *rig = &w->plan->rig;
	skin_joint *joints = SNW_NEW_ARRAY(w->arena, skin_joint, rig->slot_count);
	float *binds = SNW_NEW_ARRAY(w->arena, float, 16 * (size_t)rig->slot_count);
	uint32_t count = 0;
	for (uint32_t slot = 0; slot < rig->slot_count; slot++) {
		if (set->has[slot]) {
			joints[count++] = (skin_joint){w->nodes.joints[rig->slot_joints[slot]], slot};
		}
	}
	qsort(joints, count, sizeof *joints, compare_joints);
	skin->places = SNW_NEW_ARRAY(w->arena, uint32_t, rig->slot_count);
	memset(skin->places, 0xff, rig->slot_count * sizeof *skin->places);
	cJSON *object = snw_gltf_entry(w->document, "skins", &skin->index);
	cJSON *list = snw_gltf_put_array(w->document, object, "joints");
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t slot = joints[i].slot;
		const bool repeats = i > 0 && joints[i].node == joints[i - 1].node;
		const uint32_t node = repeats ? snw_gltf_add_node(w, NULL, joints[i].node) : joints[i].node;
		snw_gltf_put_number(w->document, list, NULL, node);
		skin->places[slot] = i;
		for (int c = 0; c < 4; c++) {
			for (int r = 0; r < 3; r++) {
				binds[16 * (size_t)i + (size_t)(4 * c + r)] =
					(float)rig->slot_inverse_binds[12 * (size_t)slot + (size_t)(4 * r + c)];
			}
		}
		binds[16 * (size_t)i + 15] = 1;
	}
	snw_gltf_put_number(w->document, object, "inverseBindMatrices",
						snw_gltf_floats(w->document, SNW_GLTF_INVERSE_BINDS, 16, count, binds, false));
}

void snw_gltf_write_skins(snw_gltf_writer *w) {
	const uint32_t count = w->plan->skin_set_count;
	if (needs_root(w)) {
		add_root(w);
	}
	w->skins = SNW_NEW_ARRAY(w->arena, snw_gltf_written_skin, count);
	for (uint32_t s = 0; s < count; s++) {
		write_skin(w, &w->plan->skin_sets[s], &w->skins[s]);
	}
}

/* ---- cameras and lights -------------------------------------------------------------------------------------------------- */

static bool is_written(const snw_gltf_writer *w, const snw_kept_node *node) {
	const snw_plan *plan = w->plan;
	return node->joint == SNW_NONE ? !plan->request->character : !plan->rig.is_left_out[node->joint];
}

static void write_camera(snw_gltf_writer *w, cJSON *node, const cJSON *camera) {
	uint32_t index;
	cJSON *object = snw_gltf_entry(w->document, "cameras", &index);
	for (const cJSON *member = camera->child; member; member = member->next) {
		snw_gltf_put_item(w->document, object, member->string, cJSON_Duplicate(member, true));
	}
	snw_gltf_put_number(w->document, node, "camera", index);
}

static void write_light(snw_gltf_writer *w, cJSON *node, const cJSON *light) {
	static const char name[] = "KHR_lights_punctual";
	snw_gltf_document *d = w->document;
	if (!w->lights) {
		w->lights = snw_gltf_put_array(d, snw_gltf_put_object(d, snw_gltf_root_extensions(d), name), "lights");
		snw_gltf_use_extension(d, name);
	}
	const int index = cJSON_GetArraySize(w->lights);
	snw_gltf_put_item(d, w->lights, NULL, cJSON_Duplicate(light, true));
	snw_gltf_put_number(d, snw_gltf_put_object(d, snw_gltf_put_object(d, node, "extensions"), name), "light", index);
}

/* The joint's node if it was that, otherwise one of its own. */
static cJSON *node_of(snw_gltf_writer *w, const snw_kept_node *source) {
	const uint32_t joint = source->joint;
	double identity[12];
	snw_mat34_identity(identity);
	const bool is_joint = joint != SNW_NONE && strcmp(source->name, w->plan->rig.names[joint]) == 0 &&
						  memcmp(source->place, identity, sizeof identity) == 0;
	if (is_joint) {
		return w->nodes.objects[w->nodes.joints[joint]];
	}
	snw_transform place;
	snw_transform_from_mat34(source->place, &place);
	cJSON *node = w->nodes.objects[snw_gltf_add_node(w, source->name, joint == SNW_NONE ? SNW_NONE : w->nodes.joints[joint])];
	write_transform(w->document, node, &place);
	return node;
}

void snw_gltf_write_kept_nodes(snw_gltf_writer *w) {
	const snw_scene *scene = w->plan->scene;
	for (uint32_t i = 0; i < scene->kept_node_count; i++) {
		const snw_kept_node *source = &scene->kept_nodes[i];
		cJSON *kept = is_written(w, source) ? cJSON_Parse(source->kept) : NULL;
		const cJSON *camera = cJSON_GetObjectItemCaseSensitive(kept, "camera");
		const cJSON *light = cJSON_GetObjectItemCaseSensitive(kept, "light");
		if (cJSON_IsObject(camera) || cJSON_IsObject(light)) {
			cJSON *node = node_of(w, source);
			if (cJSON_IsObject(camera)) {
				write_camera(w, node, camera);
			}
			if (cJSON_IsObject(light)) {
				write_light(w, node, light);
			}
		}
		cJSON_Delete(kept);
	}
}

/* ---- clips --------------------------------------------------------------------------------------------------------------- */

/* Clips: tracks with their interpolation, and the weights of all morph targets of a node in one track. */

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
