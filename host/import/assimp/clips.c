/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Clips: keys of nodes become tracks of joints, and keys of morph targets tracks of channels. A joint without keys stays in the
 * file's default pose; if that differs from the rest pose, the joint gets a track of one key.
 */
#include <math.h>
#include <string.h>

#include "import/assimp/assimp_internal.h"
#include "import/common/reading.h"
#include "pose/clip.h"
#include "sinew/algebra.h"

static const double DEFAULT_TICKS_PER_SECOND = 25; /* Assimp's default */

/* A clip under construction. */
typedef struct clip_builder {
	snw_assimp *a;
	double seconds_per_tick;
	uint32_t count;
	snw_track *tracks;
	bool *is_keyed; /* [joint_count][3]: paths that have a track */
	double first, last;
} clip_builder;

/* `key` writes the value of a key and returns its time. Keys whose times are not finite or do not increase are left out. */
static void add_track(clip_builder *g, uint32_t target, snw_track_path path, uint32_t width, unsigned count,
					  double (*key)(const void *source, unsigned index, double *value), const void *source) {
	snw_arena *arena = g->a->arena;
	double *seconds = SNW_NEW_ARRAY(arena, double, count), *values = SNW_NEW_ARRAY(arena, double, (size_t)width *count);
	uint32_t used = 0;
	for (unsigned k = 0; k < count; k++) {
		double *value = values + (size_t)width * used;
		const double time = key(source, k, value) * g->seconds_per_tick;
		bool usable = isfinite(time) && fabs(time) < 1e9 && (used == 0 || time > seconds[used - 1]);
		for (uint32_t i = 0; i < width; i++) {
			usable = usable && isfinite(value[i]);
		}
		if (usable) {
			seconds[used++] = time;
		}
	}
	if (used == 0) {
		return;
	}
	g->first = fmin(g->first, seconds[0]);
	g->last = fmax(g->last, seconds[used - 1]);
	g->tracks[g->count++] = (snw_track){
		.target = target,
		.path = path,
		.interpolation = SNW_LINEAR,
		.key_count = used,
		.seconds = seconds,
		.values = values,
	};
	if (path != SNW_PATH_CHANNEL) {
		g->is_keyed[3 * (size_t)target + path] = true;
	}
}

/* ---- joints -------------------------------------------------------------------------------------------------------------- */

static double vector_key(const struct aiVectorKey *key, double *value) {
	value[0] = (double)key->mValue.x;
	value[1] = (double)key->mValue.y;
	value[2] = (double)key->mValue.z;
	return key->mTime;
}

static double position_key(const void *source, unsigned index, double *value) {
	const struct aiNodeAnim *keys = source;
	return vector_key(&keys->mPositionKeys[index], value);
}

static double rotation_key(const void *source, unsigned index, double *value) {
	const struct aiNodeAnim *keys = source;
	const struct aiQuatKey *key = &keys->mRotationKeys[index];
	value[0] = (double)key->mValue.x;
	value[1] = (double)key->mValue.y;
	value[2] = (double)key->mValue.z;
	value[3] = (double)key->mValue.w;
	snw_quat_normalize(value);
	return key->mTime;
}

static double scale_key(const void *source, unsigned index, double *value) {
	const struct aiNodeAnim *keys = source;
	return vector_key(&keys->mScalingKeys[index], value);
}

static void add_node(clip_builder *g, const struct aiNodeAnim *keys) {
	const uint32_t node = snw_assimp_find_node(g->a, keys->mNodeName.data);
	const uint32_t joint = node == SNW_NONE ? SNW_NONE : g->a->nodes[node].joint;
	if (joint == SNW_NONE || g->is_keyed[3 * (size_t)joint] || g->is_keyed[3 * (size_t)joint + 1] ||
		g->is_keyed[3 * (size_t)joint + 2]) {
		return; /* not a joint, or keyed before */
	}
	add_track(g, joint, SNW_PATH_TRANSLATION, 3, keys->mNumPositionKeys, position_key, keys);
	add_track(g, joint, SNW_PATH_ROTATION, 4, keys->mNumRotationKeys, rotation_key, keys);
	add_track(g, joint, SNW_PATH_SCALE, 3, keys->mNumScalingKeys, scale_key, keys);
}

typedef struct constant {
	const double *values;
	uint32_t width;
} constant;

static double constant_key(const void *source, unsigned index, double *value) {
	(void)index;
	const constant *s = source;
	memcpy(value, s->values, s->width * sizeof *value);
	return 0;
}

static void add_defaults(clip_builder *g) {
	for (uint32_t i = 0; i < g->a->node_count; i++) {
		const uint32_t joint = g->a->nodes[i].joint;
		if (joint == SNW_NONE) {
			continue;
		}
		snw_transform transform;
		snw_transform_from_mat34(g->a->nodes[i].local, &transform);
		const snw_transform *rest = &g->a->scene->skeleton.rest_local[joint];
		const struct {
			snw_track_path path;
			const double *values, *rest;
			uint32_t width;
		} paths[3] = {
			{SNW_PATH_TRANSLATION, transform.translation, rest->translation, 3},
			{SNW_PATH_ROTATION, transform.rotation, rest->rotation, 4},
			{SNW_PATH_SCALE, transform.scale, rest->scale, 3},
		};
		for (int p = 0; p < 3; p++) {
			const constant source = {paths[p].values, paths[p].width};
			if (!g->is_keyed[3 * (size_t)joint + paths[p].path] &&
				memcmp(paths[p].values, paths[p].rest, paths[p].width * sizeof(double)) != 0) {
				add_track(g, joint, paths[p].path, paths[p].width, 1, constant_key, &source);
			}
		}
	}
}

/* ---- morphs -------------------------------------------------------------------------------------------------------------- */

typedef struct morph_keys {
	const struct aiMeshMorphAnim *keys;
	uint32_t index; /* of the morph in its mesh */
} morph_keys;

static double morph_key(const void *source, unsigned index, double *value) {
	const morph_keys *s = source;
	const struct aiMeshMorphKey *key = &s->keys->mKeys[index];
	value[0] = 0;
	for (unsigned i = 0; i < key->mNumValuesAndWeights; i++) {
		if (key->mValues[i] == s->index) {
			value[0] = key->mWeights[i];
		}
	}
	return key->mTime;
}

/* Assimp names the keys of morphs after the node, or after the mesh with "*" and a number. */
static bool names_node(const snw_assimp *a, const char *name, uint32_t node) {
	const size_t length = strcspn(name, "*");
	const char *text = a->nodes[node].node->mName.data;
	if (strcmp(name, text) == 0 || (strncmp(name, text, length) == 0 && text[length] == '\0')) {
		return true;
	}
	for (unsigned p = 0; p < a->nodes[node].node->mNumMeshes; p++) {
		const char *mesh = a->file->mMeshes[a->nodes[node].node->mMeshes[p]]->mName.data;
		if (strcmp(name, mesh) == 0 || (strncmp(name, mesh, length) == 0 && mesh[length] == '\0')) {
			return true;
		}
	}
	return false;
}

static void add_morphs(clip_builder *g, const struct aiMeshMorphAnim *keys, bool *is_keyed) {
	for (uint32_t c = 0; c < g->a->scene->channel_count; c++) {
		if (!is_keyed[c] && names_node(g->a, keys->mName.data, g->a->channel_nodes[c])) {
			const morph_keys source = {keys, g->a->channel_indices[c]};
			add_track(g, c, SNW_PATH_CHANNEL, 1, keys->mNumKeys, morph_key, &source);
			is_keyed[c] = true;
		}
	}
}

static double weight_key(const void *source, unsigned index, double *value) {
	const snw_assimp_curve *curve = source;
	value[0] = curve->weights[index];
	return curve->seconds[index];
}

/* The curves of Collada's morph targets, whose times are seconds. */
static void add_curves(clip_builder *g, const snw_assimp_clip *clip, const bool *is_keyed) {
	const double per_tick = g->seconds_per_tick;
	g->seconds_per_tick = 1;
	for (uint32_t c = 0; c < g->a->scene->channel_count; c++) {
		const snw_assimp_target *target = g->a->channel_targets[c];
		const snw_assimp_curve *curve = target && !is_keyed[c] ? target->curves : NULL;
		const uint32_t before = g->count;
		while (curve && !clip->has_curves[curve->index]) {
			curve = curve->next;
		}
		if (curve) {
			add_track(g, c, SNW_PATH_CHANNEL, 1, curve->key_count, weight_key, curve);
		}
		if (g->count > before && curve->is_stepped) {
			g->tracks[before].interpolation = SNW_STEP;
		}
	}
	g->seconds_per_tick = per_tick;
}

/* ---- clips --------------------------------------------------------------------------------------------------------------- */

/* Shifts a clip that begins before 0 so that it begins at 0. */
static void shift_to_zero(clip_builder *g) {
	if (!(g->first < 0)) {
		return;
	}
	for (uint32_t t = 0; t < g->count; t++) {
		double *seconds = (double *)g->tracks[t].seconds;
		for (uint32_t k = 0; k < g->tracks[t].key_count; k++) {
			seconds[k] -= g->first;
		}
	}
	g->last -= g->first;
}

/* `collada` is the clip of a Collada file; NULL for another. */
static bool read_animation(snw_assimp *a, const struct aiAnimation *file, const snw_assimp_clip *collada, snw_clip *clip) {
	const uint32_t joint_count = a->scene->skeleton.joint_count;
	const double ticks = file->mTicksPerSecond;
	clip_builder g = {
		.a = a,
		.seconds_per_tick = 1 / (isfinite(ticks) && ticks > 0 ? ticks : DEFAULT_TICKS_PER_SECOND),
		.tracks = SNW_NEW_ARRAY(a->arena, snw_track, (size_t)3 * joint_count + a->scene->channel_count),
		.is_keyed = SNW_NEW_ARRAY(a->scratch, bool, (size_t)3 * joint_count),
		.first = INFINITY,
	};
	bool *is_keyed = SNW_NEW_ARRAY(a->scratch, bool, a->scene->channel_count);
	for (unsigned c = 0; c < file->mNumChannels; c++) {
		add_node(&g, file->mChannels[c]);
	}
	for (unsigned c = 0; c < file->mNumMorphMeshChannels; c++) {
		add_morphs(&g, file->mMorphMeshChannels[c], is_keyed);
	}
	if (collada) {
		add_curves(&g, collada, is_keyed);
	}
	if (g.count == 0) {
		return false;
	}
	shift_to_zero(&g);
	add_defaults(&g);
	clip->duration_seconds = g.last;
	clip->track_count = g.count;
	clip->tracks = g.tracks;
	if (collada && collada->from_seconds < collada->to_seconds) {
		*clip = snw_clip_trim(clip, collada->from_seconds, collada->to_seconds, a->arena);
	}
	return true;
}

/* That of a Collada clip; one without tracks where it moves morph targets alone. */
static const struct aiAnimation *animation_of(const snw_assimp *a, const snw_assimp_clip *clip) {
	static const struct aiAnimation none = {.mTicksPerSecond = 1};
	for (unsigned i = 0; i < a->file->mNumAnimations; i++) {
		if (strcmp(a->file->mAnimations[i]->mName.data, clip->assimp_name) == 0) {
			return a->file->mAnimations[i];
		}
	}
	return &none;
}

snw_status snw_assimp_read_clips(snw_assimp *a) {
	const unsigned all = a->collada_clip_count > 0 ? a->collada_clip_count : a->file->mNumAnimations;
	snw_clip *clips = SNW_NEW_ARRAY(a->arena, snw_clip, all);
	const char **names = SNW_NEW_ARRAY(a->scratch, const char *, all);
	uint32_t count = 0;
	for (unsigned c = 0; c < all; c++) {
		const snw_assimp_clip *collada = a->collada_clip_count > 0 ? &a->collada_clips[c] : NULL;
		const struct aiAnimation *animation = collada ? animation_of(a, collada) : a->file->mAnimations[c];
		if (!snw_task_progress(a->task, 0.7, "clips")) {
			return snw_fail(a->error, SNW_CANCELLED, "%s: cancelled", a->path);
		}
		if (read_animation(a, animation, collada, &clips[count])) {
			names[count++] = snw_name_clean(a->arena, collada ? collada->name : animation->mName.data, a->task);
		}
	}
	snw_names_make_unique(a->arena, names, count, "clip", a->task);
	for (uint32_t c = 0; c < count; c++) {
		clips[c].name = names[c];
	}
	a->scene->clips = clips;
	a->scene->clip_count = count;
	return SNW_OK;
}
