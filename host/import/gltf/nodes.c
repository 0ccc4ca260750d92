/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tree of nodes, the file's default pose, and which nodes become joints: those of skins, those with a rigid mesh,
 * those with keys, all their parents, and empty nodes below these: sockets and the ends of limbs. The node of a skinned mesh
 * does not move it (glTF ignores its transform).
 */
#include <math.h>
#include <string.h>

#include "import/common/reading.h"
#include "import/gltf/gltf_internal.h"
#include "sinew/algebra.h"

/* ---- transforms ---------------------------------------------------------------------------------------------------------- */

#define SHEAR_TOLERANCE 1e-4

static bool read_matrix(snw_gltf *g, snw_gltf_place place, const cJSON *object, snw_transform *local) {
	double columns[16] = {0}, matrix[12], recomposed[12];
	if (!snw_gltf_numbers(g, place, object, "matrix", 16, columns)) {
		return false;
	}
	double size = 0, off = 0;
	for (int r = 0; r < 3; r++) {
		for (int c = 0; c < 4; c++) {
			matrix[4 * r + c] = columns[4 * c + r];
		}
	}
	snw_transform_from_mat34(matrix, local);
	snw_transform_to_mat34(local, recomposed);
	for (int i = 0; i < 12; i++) {
		size = fmax(size, i % 4 < 3 ? fabs(matrix[i]) : 0);
		off = fmax(off, fabs(matrix[i] - recomposed[i]));
	}
	if (off > SHEAR_TOLERANCE * size) {
		snw_task_notice(g->reading.task, SNW_LOG_WARNING,
						"node %u: its matrix has shear, which joints do not support; the nearest rotation and scale are used",
						place.index);
	}
	return true;
}

static bool read_local(snw_gltf *g, uint32_t index, snw_transform *local) {
	const snw_gltf_place place = {"node", index};
	const cJSON *object = g->nodes.items[index];
	*local = (snw_transform){.rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
	if (snw_gltf_member(object, "matrix")) {
		return read_matrix(g, place, object, local);
	}
	if (!snw_gltf_numbers(g, place, object, "translation", 3, local->translation) ||
		!snw_gltf_numbers(g, place, object, "rotation", 4, local->rotation) ||
		!snw_gltf_numbers(g, place, object, "scale", 3, local->scale)) {
		return false;
	}
	snw_quat_normalize(local->rotation);
	return true;
}

/* ---- the tree ------------------------------------------------------------------------------------------------------------ */

static bool read_children(snw_gltf *g, uint32_t index, snw_rig *nodes) {
	uint32_t *children, count;
	if (!snw_gltf_indices(g, (snw_gltf_place){"node", index}, g->nodes.items[index], "children", &g->nodes, &children,
						  &count)) {
		return false;
	}
	for (uint32_t i = 0; i < count; i++) {
		uint32_t *parent = &nodes->nodes[children[i]].parent;
		if (*parent != SNW_NONE) {
			return snw_reading_fail(&g->reading, SNW_ERROR_DATA, "node %u: is a child of nodes %u and %u; the file is damaged",
									children[i], *parent, index);
		}
		*parent = index;
	}
	return true;
}

/* Marks the nodes of the default scene, which is the first if none is given; all nodes if the file has no scenes. */
static bool mark_shown(snw_gltf *g, snw_rig *nodes) {
	uint32_t shown, *roots, root_count;
	if (!snw_gltf_index(g, (snw_gltf_place){"glTF", 2}, g->root, "scene", &g->scenes, &shown)) {
		return false;
	}
	shown = shown == SNW_NONE ? 0 : shown;
	if (g->scenes.count > 0) {
		if (!snw_gltf_indices(g, (snw_gltf_place){"scene", shown}, g->scenes.items[shown], "nodes", &g->nodes, &roots,
							  &root_count)) {
			return false;
		}
		for (uint32_t i = 0; i < root_count; i++) {
			nodes->nodes[roots[i]].is_shown = true;
		}
	}
	for (uint32_t i = 0; i < nodes->count; i++) {
		snw_rig_node *node = &nodes->nodes[nodes->order[i]];
		node->is_shown |= g->scenes.count == 0 || (node->parent != SNW_NONE && nodes->nodes[node->parent].is_shown);
	}
	if (g->scenes.count > 1) {
		snw_task_notice(g->reading.task, SNW_LOG_WARNING, "the file has %u scenes; scene %u is imported", g->scenes.count,
						shown);
	}
	return true;
}

bool snw_gltf_read_nodes(snw_gltf *g, snw_rig *nodes) {
	*nodes = (snw_rig){.scratch = g->reading.scratch, .arena = g->reading.arena, .task = g->reading.task};
	snw_rig_begin(nodes, g->nodes.count);
	for (uint32_t i = 0; i < nodes->count; i++) {
		const snw_gltf_place place = {"node", i};
		snw_rig_node *node = &nodes->nodes[i];
		if (!read_local(g, i, &node->local) || !read_children(g, i, nodes) ||
			!snw_gltf_index(g, place, g->nodes.items[i], "mesh", &g->meshes, &node->mesh) ||
			!snw_gltf_index(g, place, g->nodes.items[i], "skin", &g->skins, &node->skin)) {
			return false;
		}
	}
	const uint32_t looped = snw_rig_order(nodes);
	if (looped != SNW_NONE) {
		return snw_reading_fail(&g->reading, SNW_ERROR_DATA, "node %u: is among its own ancestors; the file is damaged",
								looped);
	}
	snw_rig_solve(nodes);
	return mark_shown(g, nodes) && snw_gltf_mark_levels(g, nodes);
}

/* ---- joints -------------------------------------------------------------------------------------------------------------- */

static bool mark_skins(snw_gltf *g, bool *chosen) {
	for (uint32_t s = 0; s < g->skins.count; s++) {
		uint32_t *joints, count;
		if (!snw_gltf_indices(g, (snw_gltf_place){"skin", s}, g->skins.items[s], "joints", &g->nodes, &joints, &count)) {
			return false;
		}
		for (uint32_t i = 0; i < count; i++) {
			chosen[joints[i]] = true;
		}
	}
	return true;
}

static bool mark_animated(snw_gltf *g, bool *chosen) {
	for (uint32_t a = 0; a < g->animations.count; a++) {
		const cJSON *channels = snw_gltf_member(g->animations.items[a], "channels");
		for (const cJSON *channel = channels ? channels->child : NULL; channel; channel = channel->next) {
			const cJSON *target = snw_gltf_member(channel, "target");
			const char *path = snw_gltf_text(target, "path");
			uint32_t node;
			if (!snw_gltf_index(g, (snw_gltf_place){"animation", a}, target, "node", &g->nodes, &node)) {
				return false;
			}
			if (node != SNW_NONE && path &&
				(strcmp(path, "translation") == 0 || strcmp(path, "rotation") == 0 || strcmp(path, "scale") == 0)) {
				chosen[node] = true;
			}
		}
	}
	return true;
}

/* Cameras and lights are kept apart (gltf.c), unless there is more below them. */
static bool is_lone_camera_or_light(const snw_gltf *g, uint32_t n) {
	return snw_gltf_has_camera_or_light(g, n) && cJSON_GetArraySize(snw_gltf_member(g->nodes.items[n], "children")) == 0;
}

/* Parents come first, so a node below an empty one is marked too. */
static void mark_empty(const snw_gltf *g, const snw_rig *nodes, bool *chosen) {
	for (uint32_t i = 0; i < nodes->count; i++) {
		const uint32_t n = nodes->order[i];
		const snw_rig_node *node = &nodes->nodes[n];
		chosen[n] |= node->is_shown && node->mesh == SNW_NONE && node->parent != SNW_NONE && chosen[node->parent] &&
					 !is_lone_camera_or_light(g, n);
	}
}

static uint32_t count_shown_meshes(const snw_rig *nodes) {
	uint32_t count = 0;
	for (uint32_t n = 0; n < nodes->count; n++) {
		count += nodes->nodes[n].is_shown && nodes->nodes[n].mesh != SNW_NONE;
	}
	return count;
}

bool snw_gltf_choose_joints(snw_gltf *g, snw_rig *nodes, snw_scene *scene) {
	bool *chosen = SNW_NEW_ARRAY(g->reading.scratch, bool, nodes->count);
	const char **names = SNW_NEW_ARRAY(g->reading.scratch, const char *, nodes->count);
	if (!mark_skins(g, chosen) || !mark_animated(g, chosen)) {
		return false;
	}
	mark_empty(g, nodes, chosen);
	for (uint32_t n = 0; n < nodes->count; n++) {
		names[n] = snw_name_clean(g->reading.arena, snw_gltf_text(g->nodes.items[n], "name"), g->reading.task);
	}
	snw_rig_choose_joints(nodes, chosen, names, scene);
	return snw_reading_check_size(&g->reading, nodes->joint_count, count_shown_meshes(nodes));
}

/* ---- skins --------------------------------------------------------------------------------------------------------------- */

/* Skins: their joints, inverse binds and the size of what they move. Each is placed in the world
 * (import/common/rig.c). */

/* ---- reading ------------------------------------------------------------------------------------------------------------- */

static bool read_inverse_binds(snw_gltf *g, uint32_t index, snw_rig_skin *skin) {
	uint32_t accessor, count = 0;
	double *columns = NULL;
	if (!snw_gltf_index(g, (snw_gltf_place){"skin", index}, g->skins.items[index], "inverseBindMatrices", &g->accessors,
						&accessor) ||
		(accessor != SNW_NONE && !snw_gltf_read_numbers(g, accessor, 16, g->reading.scratch, &columns, &count, NULL))) {
		return false;
	}
	if (columns && count < skin->joint_count) {
		return snw_reading_fail(&g->reading, SNW_ERROR_DATA,
								"skin %u: has %u inverse bind matrices for %u joints; the file is damaged", index, count,
								skin->joint_count);
	}
	skin->inverse_binds = SNW_NEW_ARRAY(g->reading.scratch, double, 12 * (size_t)skin->joint_count);
	for (uint32_t j = 0; j < skin->joint_count; j++) {
		double *to = skin->inverse_binds + 12 * (size_t)j;
		snw_mat34_identity(to);
		for (int i = 0; columns && i < 12; i++) {
			to[i] = columns[16 * (size_t)j + 4 * (size_t)(i % 4) + (size_t)(i / 4)];
		}
	}
	return true;
}

static bool read_joint_skin(snw_gltf *g, uint32_t index, const uint32_t *positions, snw_rig_skin *skin) {
	if (!snw_gltf_indices(g, (snw_gltf_place){"skin", index}, g->skins.items[index], "joints", &g->nodes, &skin->nodes,
						  &skin->joint_count)) {
		return false;
	}
	if (skin->joint_count == 0) {
		return snw_reading_fail(&g->reading, SNW_ERROR_DATA, "skin %u: has no joints; the file is damaged", index);
	}
	snw_rig_find_top(positions, skin);
	skin->slots = SNW_NEW_ARRAY(g->reading.scratch, uint32_t, skin->joint_count);
	return read_inverse_binds(g, index, skin);
}

static void grow_box(snw_rig_skin *skin, const snw_gltf_shape *shape) {
	for (int i = 0; i < 3 && shape->point_count > 0; i++) {
		skin->box[0][i] = fmin(skin->box[0][i], shape->box[0][i]);
		skin->box[1][i] = fmax(skin->box[1][i], shape->box[1][i]);
	}
}

bool snw_gltf_read_skins(snw_gltf *g, snw_rig *nodes, const snw_gltf_shape *shapes, snw_rig_skin **skins) {
	const uint32_t *positions = snw_rig_positions(nodes);
	snw_rig_skin *list = SNW_NEW_ARRAY(g->reading.scratch, snw_rig_skin, g->skins.count);
	for (uint32_t n = 0; n < nodes->count; n++) {
		const snw_rig_node *node = &nodes->nodes[n];
		if ((!node->is_shown && node->level_of == SNW_NONE) || node->mesh == SNW_NONE || node->skin == SNW_NONE) {
			continue;
		}
		snw_rig_skin *skin = &list[node->skin];
		const snw_gltf_shape *shape = &shapes[node->mesh];
		if (!skin->is_used) {
			if (!read_joint_skin(g, node->skin, positions, skin)) {
				return false;
			}
			skin->is_used = true;
			memcpy(skin->box, shape->box, sizeof skin->box);
		}
		grow_box(skin, shape);
	}
	for (uint32_t s = 0; s < g->skins.count; s++) {
		if (list[s].is_used) {
			snw_rig_place_skin(nodes, &list[s]);
		}
	}
	*skins = list;
	return true;
}

/* ---- clips --------------------------------------------------------------------------------------------------------------- */

/* Animations: each channel becomes a track with its keys and interpolation as they are; weights become a track for each
 * morph channel. Joints without a track are as in the pose "default", or at rest if there is none. */

/* A decoded channel of an animation: rows of `width` numbers, one for each key, or three if it is cubic. */
typedef struct curve {
	uint32_t node;
	int32_t path;
	int32_t interpolation;
	uint32_t key_count, width;
	double *seconds;
	double *values;
} curve;

/* ---- one channel --------------------------------------------------------------------------------------------------------- */

static int32_t path_of(const char *text) {
	static const char *const names[] = {"translation", "rotation", "scale", "weights"};
	for (int32_t i = 0; text && i < 4; i++) {
		if (strcmp(text, names[i]) == 0) {
			return i;
		}
	}
	return -1;
}

static bool read_interpolation(snw_gltf *g, snw_gltf_place place, const cJSON *sampler, int32_t *interpolation) {
	static const char *const names[] = {"STEP", "LINEAR", "CUBICSPLINE"};
	const char *text = snw_gltf_text(sampler, "interpolation");
	*interpolation = SNW_LINEAR;
	for (int32_t i = 0; text && i < 3; i++) {
		if (strcmp(text, names[i]) == 0) {
			*interpolation = i;
			return true;
		}
	}
	return !text || snw_reading_fail(&g->reading, SNW_ERROR_DATA, "%s %u: unknown interpolation %.40s; the file is damaged",
									 place.noun, place.index, text);
}

/* Drops keys whose times do not increase, which real files contain. Returns their number. */
static uint32_t drop_repeated_keys(curve *c) {
	const size_t row = (size_t)c->width * (c->interpolation == SNW_CUBIC ? 3 : 1);
	uint32_t used = 0;
	for (uint32_t k = 0; k < c->key_count; k++) {
		if (used > 0 && c->seconds[k] <= c->seconds[used - 1]) {
			continue;
		}
		c->seconds[used] = c->seconds[k];
		memmove(c->values + row * used++, c->values + row * k, row * sizeof c->values[0]);
	}
	const uint32_t dropped = c->key_count - used;
	c->key_count = used;
	return dropped;
}

/* Makes rotations exact unit quaternions; zero quaternions become the identity. */
static void normalize_rotations(curve *c) {
	const uint32_t parts = c->interpolation == SNW_CUBIC ? 3 : 1;
	for (size_t k = 0; c->path == SNW_PATH_ROTATION && k < c->key_count; k++) {
		snw_quat_normalize(c->values + 4 * (k * parts + parts / 2));
	}
}

static bool read_sampler(snw_gltf *g, snw_gltf_place place, const cJSON *sampler, curve *c) {
	uint32_t input, output, value_count = 0;
	if (!snw_gltf_required_index(g, place, sampler, "input", &g->accessors, &input) ||
		!snw_gltf_required_index(g, place, sampler, "output", &g->accessors, &output) ||
		!read_interpolation(g, place, sampler, &c->interpolation) ||
		!snw_gltf_read_numbers(g, input, 1, g->reading.arena, &c->seconds, &c->key_count, NULL) ||
		!snw_gltf_read_numbers(g, output, c->path == SNW_PATH_CHANNEL ? 1 : c->width, g->reading.arena, &c->values,
							   &value_count, NULL)) {
		return false;
	}
	const uint64_t per_key = (c->path == SNW_PATH_CHANNEL ? c->width : 1) * (c->interpolation == SNW_CUBIC ? 3u : 1u);
	if (value_count != c->key_count * per_key) {
		return snw_reading_fail(&g->reading, SNW_ERROR_DATA,
								"%s %u: a sampler has %u values for %u keys, not %llu for each; the file is damaged",
								place.noun, place.index, value_count, c->key_count, (unsigned long long)per_key);
	}
	for (uint32_t k = 0; k < c->key_count; k++) {
		if (c->seconds[k] < 0) {
			return snw_reading_fail(&g->reading, SNW_ERROR_DATA, "%s %u: a key is at %g s; times must not be negative",
									place.noun, place.index, c->seconds[k]);
		}
	}
	return true;
}

/* ---- one animation ------------------------------------------------------------------------------------------------------- */

/* An animation under construction. */
typedef struct clip_builder {
	snw_gltf *g;
	const snw_rig *nodes;
	const snw_gltf_shape *shapes;
	snw_gltf_place place;
	const cJSON **samplers;
	uint32_t sampler_count;
	uint32_t *last_clips; /* [nodes][4]: 1 + the last animation with a channel for this path of a node */
	uint32_t left_out, repeated_keys;
	snw_track *tracks;
	uint32_t track_count, track_capacity;
	double duration_seconds;
} clip_builder;

static bool add_tracks(clip_builder *builder, const curve *c) {
	const snw_rig_node *node = &builder->nodes->nodes[c->node];
	const bool is_weights = c->path == SNW_PATH_CHANNEL;
	const uint32_t count = is_weights ? c->width : 1, parts = c->interpolation == SNW_CUBIC ? 3 : 1;
	snw_gltf *g = builder->g;
	if (!snw_reading_reserve(&g->reading, count, sizeof(snw_track)) ||
		(is_weights && !snw_reading_reserve(&g->reading, (uint64_t)count * c->key_count, 8 * parts))) {
		return false;
	}
	for (uint32_t t = 0; t < count; t++) {
		double *values = c->values;
		if (is_weights) {
			values = SNW_NEW_ARRAY(g->reading.arena, double, (size_t)c->key_count *parts);
			for (size_t k = 0; k < (size_t)c->key_count * parts; k++) {
				values[k] = c->values[k * count + t];
			}
		}
		builder->tracks[builder->track_count++] = (snw_track){
			.target = is_weights ? node->first_channel + t : node->joint,
			.path = c->path,
			.interpolation = c->interpolation,
			.key_count = c->key_count,
			.seconds = c->seconds,
			.values = values,
		};
	}
	builder->duration_seconds = fmax(builder->duration_seconds, c->seconds[c->key_count - 1]);
	return true;
}

/* The node, path and width of a channel. *moves is false if it moves nothing in the scene. */
static bool read_channel_target(clip_builder *builder, const cJSON *channel, curve *c, bool *moves) {
	static const uint32_t widths[] = {3, 4, 3};
	const cJSON *target = snw_gltf_member(channel, "target");
	*moves = false;
	if (!snw_gltf_index(builder->g, builder->place, target, "node", &builder->g->nodes, &c->node)) {
		return false;
	}
	c->path = path_of(snw_gltf_text(target, "path"));
	if (c->node == SNW_NONE || c->path < 0) {
		return true;
	}
	const snw_rig_node *node = &builder->nodes->nodes[c->node];
	uint32_t *last_clip = &builder->last_clips[4 * (size_t)c->node + (uint32_t)c->path];
	if ((c->path == SNW_PATH_CHANNEL && node->first_channel == SNW_NONE) || *last_clip == builder->place.index + 1) {
		return true;
	}
	*last_clip = builder->place.index + 1;
	c->width = c->path == SNW_PATH_CHANNEL ? builder->shapes[node->mesh].target_count : widths[c->path];
	*moves = true;
	return true;
}

static bool read_channel(clip_builder *builder, const cJSON *channel) {
	curve c = {0};
	bool moves;
	uint32_t sampler;
	const snw_gltf_list samplers = {.noun = "sampler", .count = builder->sampler_count};
	if (!read_channel_target(builder, channel, &c, &moves)) {
		return false;
	}
	if (!moves) {
		builder->left_out++;
		return true;
	}
	if (!snw_gltf_required_index(builder->g, builder->place, channel, "sampler", &samplers, &sampler) ||
		!read_sampler(builder->g, builder->place, builder->samplers[sampler], &c)) {
		return false;
	}
	builder->repeated_keys += drop_repeated_keys(&c);
	normalize_rotations(&c);
	return c.key_count == 0 || add_tracks(builder, &c);
}

static uint32_t list_items(snw_arena *arena, const cJSON *array, const cJSON ***items) {
	uint32_t count = 0;
	for (const cJSON *item = array ? array->child : NULL; item; item = item->next) {
		count++;
	}
	*items = SNW_NEW_ARRAY(arena, const cJSON *, count);
	count = 0;
	for (const cJSON *item = array ? array->child : NULL; item; item = item->next) {
		(*items)[count++] = item;
	}
	return count;
}

/* The largest number of tracks that a list of channels can need. */
static bool count_tracks(clip_builder *builder, const cJSON **channels, uint32_t count, uint64_t *limit) {
	*limit = 0;
	for (uint32_t i = 0; i < count; i++) {
		const cJSON *target = snw_gltf_member(channels[i], "target");
		uint32_t node;
		if (!snw_gltf_index(builder->g, builder->place, target, "node", &builder->g->nodes, &node)) {
			return false;
		}
		const bool is_weights = path_of(snw_gltf_text(target, "path")) == SNW_PATH_CHANNEL;
		const bool has_channels = node != SNW_NONE && builder->nodes->nodes[node].first_channel != SNW_NONE;
		*limit += !is_weights ? 1 : has_channels ? builder->shapes[builder->nodes->nodes[node].mesh].target_count : 0;
	}
	return snw_reading_reserve(&builder->g->reading, *limit, sizeof(snw_track));
}

static bool read_animation(clip_builder *builder, snw_clip *clip) {
	const cJSON *object = builder->g->animations.items[builder->place.index];
	const cJSON **channels;
	const uint32_t channel_count = list_items(builder->g->reading.scratch, snw_gltf_member(object, "channels"), &channels);
	uint64_t limit;
	builder->sampler_count = list_items(builder->g->reading.scratch, snw_gltf_member(object, "samplers"), &builder->samplers);
	if (!count_tracks(builder, channels, channel_count, &limit)) {
		return false;
	}
	builder->tracks = SNW_NEW_ARRAY(builder->g->reading.arena, snw_track, limit);
	for (uint32_t i = 0; i < channel_count; i++) {
		if (!read_channel(builder, channels[i])) {
			return false;
		}
	}
	clip->duration_seconds = builder->duration_seconds;
	clip->track_count = builder->track_count;
	clip->tracks = builder->tracks;
	if (builder->left_out > 0) {
		snw_task_notice(builder->g->reading.task, SNW_LOG_WARNING,
						"animation %u: %u of its %u channels move nothing or repeat another; they are left out",
						builder->place.index, builder->left_out, channel_count);
	}
	if (builder->repeated_keys > 0) {
		snw_task_notice(builder->g->reading.task, SNW_LOG_WARNING,
						"animation %u: %u keys are not later than the key before; they are left out", builder->place.index,
						builder->repeated_keys);
	}
	return true;
}

bool snw_gltf_clips(snw_gltf *g, const snw_rig *nodes, const snw_gltf_shape *shapes, snw_scene *scene) {
	snw_clip *clips = SNW_NEW_ARRAY(g->reading.arena, snw_clip, g->animations.count);
	const char **names = SNW_NEW_ARRAY(g->reading.scratch, const char *, g->animations.count);
	uint32_t *last_clips = SNW_NEW_ARRAY(g->reading.scratch, uint32_t, 4 * (size_t)nodes->count);
	uint32_t count = 0;
	for (uint32_t a = 0; a < g->animations.count; a++) {
		clip_builder builder = {.g = g, .nodes = nodes, .shapes = shapes, .place = {"animation", a}, .last_clips = last_clips};
		if (!snw_reading_progress(&g->reading, 0.8 + 0.2 * a / g->animations.count, "clips") ||
			!read_animation(&builder, &clips[count])) {
			return false;
		}
		names[count] = snw_name_clean(g->reading.arena, snw_gltf_text(g->animations.items[a], "name"), g->reading.task);
		if (clips[count].track_count == 0) {
			snw_task_notice(g->reading.task, SNW_LOG_WARNING, "clip '%s' moves nothing; it is left out",
							names[count] ? names[count] : "");
			continue;
		}
		count++;
	}
	snw_names_make_unique(g->reading.arena, names, count, "clip", g->reading.task);
	for (uint32_t c = 0; c < count; c++) {
		clips[c].name = names[c];
	}
	scene->clips = clips;
	scene->clip_count = count;
	return true;
}
